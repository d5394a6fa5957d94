/* The functions of patterns.h for some number of LANES: that many patterns are tested at once. */

#define EACH(word) ((WORDS) {0} + (word))
#define AT(place) (*(const WORDS *) (place))
#define OFFSET(i) AT(offsets + (i) * all->count)

/* Lines of four cells are the most common, so their loops get a constant length. */
#define FOR_GROUPS(add) \
    for (int first = 0; first < all->count; first += LANES) { \
        const move_oracle_word *starts = all->starts + first, *offsets = all->offsets + first; \
        if (all->lengths[first] == 4) add(4) \
        else add(all->lengths[first]) \
    }

static inline TARGET move_oracle_word NAMED(any)(const WORDS *words)
{
    move_oracle_word found = 0;
    for (int lane = 0; lane < LANES; lane++) found |= LANE(*words, lane);
    return found;
}

#define ADD_COMPLETING(length) { \
    WORDS none = AT(starts), one = {0}; \
    for (int i = 0; i < length; i++) { \
        WORDS here = EACH(marks) >> OFFSET(i); \
        one = (one & here) | (none & ~here); \
        none &= here; \
    } \
    for (int i = 0; i < length; i++) found |= one << OFFSET(i); \
}

static inline TARGET move_oracle_word NAMED(completing)(const move_oracle_patterns *all, move_oracle_word marks)
{
    WORDS found = {0};
    FOR_GROUPS(ADD_COMPLETING)
    return NAMED(any)(&found);
}

#define ADD_WITHIN(length) { \
    WORDS whole = AT(starts); \
    for (int i = 0; i < length; i++) whole &= EACH(cells) >> OFFSET(i); \
    for (int i = 0; i < length; i++) found |= whole << OFFSET(i); \
}

static inline TARGET move_oracle_word NAMED(within)(const move_oracle_patterns *all, move_oracle_word cells)
{
    WORDS found = {0};
    FOR_GROUPS(ADD_WITHIN)
    return NAMED(any)(&found);
}

#define ADD_WHOLE(length) { \
    WORDS whole = AT(starts); \
    for (int i = 0; i < length; i++) whole &= EACH(marks) >> OFFSET(i); \
    found |= whole; \
}

static inline TARGET int NAMED(has_line)(const move_oracle_patterns *all, move_oracle_word marks)
{
    WORDS found = {0};
    FOR_GROUPS(ADD_WHOLE)
    return NAMED(any)(&found) != 0;
}

#define ADD_LACKING_TWO(length) { \
    WORDS none = AT(starts), one = {0}, two = {0}, blocked = {0}; \
    for (int i = 0; i < length; i++) { \
        WORDS here = EACH(marks) >> OFFSET(i); \
        blocked |= EACH(against) >> OFFSET(i); \
        two = (two & here) | (one & ~here); \
        one = (one & here) | (none & ~here); \
        none &= here; \
    } \
    two &= ~blocked; \
    for (int i = 0; i < length; i++) { \
        WORDS cells = two << OFFSET(i); \
        twice |= once & cells; \
        once |= cells; \
    } \
}

static inline TARGET move_oracle_lacking NAMED(lacking_two)(
    const move_oracle_patterns *all, move_oracle_word marks, move_oracle_word against)
{
    WORDS once = {0}, twice = {0};
    move_oracle_lacking found = {0, 0};
    FOR_GROUPS(ADD_LACKING_TWO)
    found.several = NAMED(any)(&twice);
    for (int lane = 0; lane < LANES; lane++) {
        found.several |= found.once & LANE(once, lane);
        found.once |= LANE(once, lane);
    }
    return found;
}

#undef ADD_COMPLETING
#undef ADD_LACKING_TWO
#undef ADD_WHOLE
#undef ADD_WITHIN
#undef AT
#undef EACH
#undef FOR_GROUPS
#undef LANE
#undef LANES
#undef NAMED
#undef OFFSET
#undef TARGET
#undef WORDS
