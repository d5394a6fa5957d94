/* The tests of lines in C, for Python: with the widest registers that this is compiled for. */

#include "patterns.h"

static move_oracle_patterns all;

void use_patterns(const move_oracle_word *starts, const move_oracle_word *offsets, const int *lengths, int count)
{
    all = (move_oracle_patterns) {starts, offsets, lengths, count};
}

move_oracle_word completing_c(move_oracle_word marks) { return move_oracle_completing(all, marks); }
move_oracle_word within_c(move_oracle_word cells) { return move_oracle_within(all, cells); }
int has_line_c(move_oracle_word marks) { return move_oracle_has_line(all, marks); }

void lacking_two_c(move_oracle_word marks, move_oracle_word against, move_oracle_word *found)
{
    move_oracle_lacking lacking = move_oracle_lacking_two(all, marks, against);
    found[0] = lacking.once;
    found[1] = lacking.several;
}
