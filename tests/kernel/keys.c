/* Keys as the kernel makes them, many a second: whether positions that differ in few cells ever share one.

   A position is two masks on 64 cells; a cell may be in both, as dead cells are. */

#include <stdint.h>
#include <stdlib.h>

typedef uint64_t word;

typedef struct {
    word key, check;
} Key;

static word seeds[130];

void use_seeds(const word *from)
{
    for (int i = 0; i < 130; i++)
        seeds[i] = from[i];
}

static word mix(word x)
{
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return x ^ x >> 31;
}

static word mix_otherwise(word x)
{
    x = (x ^ x >> 33) * 0xFF51AFD7ED558CCDu;
    x = (x ^ x >> 33) * 0xC4CEB9FE1A85EC53u;
    return x ^ x >> 33;
}

static Key make(word mine, word theirs)
{
    int marks = __builtin_popcountll(mine | theirs);
    word first = mix(mine ^ seeds[2 * marks]);
    Key key = {first ^ mix_otherwise(theirs ^ seeds[2 * marks + 1]), first & 0xFFFFFFFF00000000u};
    return key;
}

void key_of(word mine, word theirs, word *out)
{
    Key key = make(mine, theirs);
    out[0] = key.key;
    out[1] = key.check;
}

static Key *ball;
static int64_t size;

/* Adds a position and all that differ from it in at most ``left`` cells from ``cell`` on; ``both``: a cell may be in
   both masks. */
static void add(word mine, word theirs, int cell, int left, int both)
{
    ball[size++] = make(mine, theirs);
    for (; left && cell < 64; cell++) {
        word bit = (word)1 << cell, m = mine & bit, t = theirs & bit;
        for (int state = 0; state < 3 + both; state++) {
            word new_m = state & 1 ? bit : 0, new_t = state & 2 ? bit : 0;
            if (new_m != m || new_t != t)
                add((mine & ~bit) | new_m, (theirs & ~bit) | new_t, cell + 1, left - 1, both);
        }
    }
}

static int order(const void *one, const void *other)
{
    const Key *a = one, *b = other;
    return a->key != b->key ? (a->key > b->key) - (a->key < b->key) : (a->check > b->check) - (a->check < b->check);
}

/* The number of pairs with the same key among all positions that differ from one in at most ``radius`` cells, -1 without
   memory; ``count`` becomes the number of these positions. Any two of them differ in at most twice as many cells. */
int64_t shared_in_ball(word mine, word theirs, int radius, int both, int64_t most, int64_t *count)
{
    int64_t shared = 0;
    ball = malloc(most * sizeof *ball);
    if (!ball)
        return -1;
    size = 0;
    add(mine, theirs, 0, radius, both);
    qsort(ball, size, sizeof *ball, order);
    for (int64_t i = 1; i < size; i++)
        shared += !order(ball + i - 1, ball + i);
    *count = size;
    free(ball);
    return shared;
}

static word state;

static word random_word(void)
{
    state += 0x9E3779B97F4A7C15u;
    return mix(state);
}

/* Draws so many pairs that differ in one to four cells, mostly of one mask alone or of both in the same cells, and
   counts in ``windows`` those that agree in each of the four 16-bit parts of the key. Returns how many agree in all. */
int64_t shared_at_random(int64_t pairs, word seed, int64_t *windows)
{
    int64_t shared = 0;
    state = seed;
    for (int64_t i = 0; i < pairs; i++) {
        word draw = random_word(), mine = random_word(), theirs = random_word() & ~mine, change = 0;
        int from = draw & 1 ? 0 : 56;
        for (int cells = 1 + (draw >> 1 & 3); cells; cells--)
            change |= (word)1 << (from + (draw >> (6 * cells) & (63 - from)));
        word new_mine = draw >> 62 == 0 ? mine : mine ^ change;
        word new_theirs = draw >> 62 == 1 ? theirs : theirs ^ change;
        Key one = make(mine, theirs), other = make(new_mine, new_theirs);
        word key = one.key ^ other.key, check = one.check ^ other.check;
        for (int window = 0; window < 4; window++)
            windows[window] += !(key >> 16 * window & 0xFFFF);
        shared += !key && !check;
    }
    return shared;
}
