/* The tests of lines in C, for Python: the HALF that this is compiled for. */

#include "patterns.h"

#define JOINED(name, half) name##_##half
#define NAME_IN(name, half) JOINED(name, half)
#define TEST(name) NAME_IN(name, HALF)

static move_oracle_patterns all;

void use_patterns(const move_oracle_word *starts, const move_oracle_word *offsets, const int *lengths, int count)
{
    all = (move_oracle_patterns) {starts, offsets, lengths, count};
}

move_oracle_word completing_c(move_oracle_word marks) { return TEST(completing)(&all, marks); }
move_oracle_word within_c(move_oracle_word cells) { return TEST(within)(&all, cells); }
int has_line_c(move_oracle_word marks) { return TEST(has_line)(&all, marks); }

void lacking_two_c(move_oracle_word marks, move_oracle_word against, move_oracle_word *found)
{
    move_oracle_lacking lacking = TEST(lacking_two)(&all, marks, against);
    found[0] = lacking.once;
    found[1] = lacking.several;
}
