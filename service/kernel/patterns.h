/* The C twin of patterns.py. With AVX2 four patterns are tested at once, in the lanes of a register, else one by one. */

#ifndef MOVE_ORACLE_PATTERNS_H
#define MOVE_ORACLE_PATTERNS_H

typedef unsigned long long move_oracle_word;

/* Offset i of pattern p is offsets[i * count + p]. A group of four has one length. */
typedef struct {
    const move_oracle_word *starts, *offsets;
    const int *lengths;
    int count;
} move_oracle_patterns;

typedef struct { move_oracle_word once, several; } move_oracle_lacking;

#define NAMED(name) name##_one_by_one
#define TARGET
#define LANES 1
#define WORDS move_oracle_word
#define LANE(words, lane) (words)
#include "patterns_body.h"

#if defined(__GNUC__) && defined(__x86_64__) && !defined(MOVE_ORACLE_ONE_BY_ONE)

typedef move_oracle_word move_oracle_words __attribute__((vector_size(32), aligned(8), may_alias));

#define NAMED(name) name##_by_avx2
#define TARGET __attribute__((target("avx2")))
#define LANES 4
#define WORDS move_oracle_words
#define LANE(words, lane) ((words)[lane])
#include "patterns_body.h"

static int move_oracle_has_avx2; /* not all processors that this is compiled for have it */
__attribute__((constructor)) static void move_oracle_look_for_avx2(void)
{
    __builtin_cpu_init();
    move_oracle_has_avx2 = __builtin_cpu_supports("avx2");
}
#define MOVE_ORACLE_TEST(name, arguments) (move_oracle_has_avx2 ? name##_by_avx2 arguments : name##_one_by_one arguments)
#else
#define MOVE_ORACLE_TEST(name, arguments) name##_one_by_one arguments
#endif

static inline move_oracle_word move_oracle_completing(move_oracle_patterns all, move_oracle_word marks)
{
    return MOVE_ORACLE_TEST(completing, (&all, marks));
}

static inline move_oracle_word move_oracle_within(move_oracle_patterns all, move_oracle_word cells)
{
    return MOVE_ORACLE_TEST(within, (&all, cells));
}

static inline int move_oracle_has_line(move_oracle_patterns all, move_oracle_word marks)
{
    return MOVE_ORACLE_TEST(has_line, (&all, marks));
}

static inline move_oracle_lacking move_oracle_lacking_two(
    move_oracle_patterns all, move_oracle_word marks, move_oracle_word against)
{
    return MOVE_ORACLE_TEST(lacking_two, (&all, marks, against));
}

#endif
