/* Plain minimax over whole positions: no pruning, no hashing that could confuse two of them.

   A position is two masks, of the player to move and of the other. The memory is direct-mapped and holds both masks
   of every entry in full, so it forgets but never errs. A value is WIN - plies for a win of the player to move,
   its negative for a loss, and 0 for a draw. */

#include <stdint.h>

#define WIN 1000
#define UNSOLVED 9999
#define MEMORY (1 << 20)

typedef uint64_t mask;

static struct {
    mask mine, theirs;
    uint32_t game;
    int16_t value;
} memory[MEMORY];

static uint32_t game;
static int cells, drop, misere, lines_through[64];
static mask full, through[64][1024];
static int64_t nodes_left;

void set_game(int new_cells, int new_drop, int new_misere, int lines, const mask *line)
{
    game++;
    cells = new_cells;
    drop = new_drop;
    misere = new_misere;
    full = cells == 64 ? ~(mask)0 : ((mask)1 << cells) - 1;
    for (int cell = 0; cell < cells; cell++) {
        lines_through[cell] = 0;
        for (int i = 0; i < lines; i++)
            if (line[i] >> cell & 1)
                through[cell][lines_through[cell]++] = line[i];
    }
}

static int completes(mask marks, int cell)
{
    for (int i = 0; i < lines_through[cell]; i++)
        if ((through[cell][i] & marks) == through[cell][i])
            return 1;
    return 0;
}

static int may_mark(mask occupied, int cell)
{
    if (occupied >> cell & 1)
        return 0;
    return !drop || cell + drop >= cells || occupied >> (cell + drop) & 1;
}

static int value_of(mask mine, mask theirs);

/* The value of marking a cell, for the player who does it. */
static int value_of_move(mask mine, mask theirs, int cell)
{
    mask after = mine | (mask)1 << cell;
    if (completes(after, cell))
        return misere ? 1 - WIN : WIN - 1;
    int value = value_of(theirs, after);
    if (value == UNSOLVED)
        return UNSOLVED;
    return value > 0 ? -(value - 1) : value < 0 ? -(value + 1) : 0;
}

/* The value of a position in which nobody has a line. */
static int value_of(mask mine, mask theirs)
{
    if ((mine | theirs) == full)
        return 0;
    mask place = (mine * 0x9E3779B97F4A7C15u ^ theirs * 0xC2B2AE3D27D4EB4Fu) >> 44;
    if (memory[place].game == game && memory[place].mine == mine && memory[place].theirs == theirs)
        return memory[place].value;
    if (--nodes_left < 0)
        return UNSOLVED;
    int best = -WIN;
    for (int cell = 0; cell < cells; cell++) {
        if (!may_mark(mine | theirs, cell))
            continue;
        int value = value_of_move(mine, theirs, cell);
        if (value == UNSOLVED)
            return UNSOLVED;
        if (value > best)
            best = value;
        if (best == WIN - 1)
            break;
    }
    memory[place].game = game;
    memory[place].mine = mine;
    memory[place].theirs = theirs;
    memory[place].value = best;
    return best;
}

/* Writes the value of every legal move into ``values``, UNSOLVED for the others; returns the best, or UNSOLVED if more
   than so many nodes would be needed. */
int solve(mask mine, mask theirs, int64_t nodes, int *values)
{
    int best = -WIN;
    nodes_left = nodes;
    for (int cell = 0; cell < cells; cell++) {
        values[cell] = UNSOLVED;
        if (!may_mark(mine | theirs, cell))
            continue;
        values[cell] = value_of_move(mine, theirs, cell);
        if (values[cell] == UNSOLVED)
            return UNSOLVED;
        if (values[cell] > best)
            best = values[cell];
    }
    return best;
}
