/* The rules of games of cells and lines, for mcts.c. A position is two masks: ``mine`` of the player to move, and
   ``theirs``. Without gravity ``drop`` is 0; with it, a cell may be marked once the one ``drop`` further is. */

typedef uint64_t mask;

enum { MAX_MOVES = 64, MAX_PLIES = 64 };

struct position {
    mask mine, theirs;
};

static int cells, drop;
static mask full;
static mask lines_through[MAX_MOVES][512];
static int lines_of[MAX_MOVES];

/* Sets the rules for the calls that follow. */
void set_game(int number_of_cells, int distance, int count, const mask *lines)
{
    cells = number_of_cells;
    drop = distance;
    full = cells == 64 ? ~(mask)0 : ((mask)1 << cells) - 1;
    for (int cell = 0; cell < cells; cell++) {
        lines_of[cell] = 0;
        for (int line = 0; line < count; line++)
            if (lines[line] >> cell & 1)
                lines_through[cell][lines_of[cell]++] = lines[line];
    }
}

static struct position read_position(const uint64_t *words)
{
    return (struct position){.mine = words[0], .theirs = words[2]};
}

static int completes(mask marks, int cell)
{
    for (int i = 0; i < lines_of[cell]; i++)
        if ((lines_through[cell][i] & ~marks) == 0)
            return 1;
    return 0;
}

static int moves_of(const struct position *position, int *moves)
{
    int count = 0;
    mask occupied = position->mine | position->theirs;
    for (int cell = 0; cell < cells; cell++) {
        if (occupied >> cell & 1)
            continue;
        if (!drop || cell + drop >= cells || occupied >> (cell + drop) & 1)
            moves[count++] = cell;
    }
    return count;
}

static int play(struct position *position, int cell)
{
    mask after = position->mine | (mask)1 << cell;
    *position = (struct position){.mine = position->theirs, .theirs = after};
    return completes(after, cell) ? 2 : (after | position->mine) == full;
}

static int playout(struct position position)
{
    int moves[MAX_MOVES], count = moves_of(&position, moves), side = 0;
    mask marks[2] = {position.mine, position.theirs};
    while (count) {
        int place = (int)draw((uint32_t)count), cell = moves[place];
        marks[side] |= (mask)1 << cell;
        if (completes(marks[side], cell))
            return side == 0 ? 2 : 0;
        if (drop && cell >= drop)
            moves[place] = cell - drop;
        else
            moves[place] = moves[--count];
        side ^= 1;
    }
    return 1;
}
