/* The rules of ultimate tic-tac-toe, for mcts.c: three boards in a row win, else it is a draw. A player has nine masks of cells, and one of the boards that are won;
   ``forced`` is the board to play on, or -1 for any. A move is nine times the board and the cell. */

enum { MAX_MOVES = 81, MAX_PLIES = 81, SIZE = 9, ALL = 511 };

struct position {
    uint16_t mine[SIZE], theirs[SIZE];
    int own, other, forced;
};

static int closed; /* whether a board that is won takes no more marks */
static const int lines[8] = {7, 56, 448, 73, 146, 292, 273, 84};
static char has_line[ALL + 1];

/* Sets the rules for the calls that follow. */
void set_game(int closes)
{
    closed = closes;
    for (int mask = 0; mask <= ALL; mask++)
        for (int line = 0; line < 8; line++)
            has_line[mask] |= (mask & lines[line]) == lines[line];
}

/* The bits from ``first`` on of a word in two halves. */
static uint64_t bits_from(const uint64_t *halves, int first)
{
    if (first >= 64)
        return halves[1] >> (first - 64);
    return halves[0] >> first | (first ? halves[1] << (64 - first) : 0);
}

static struct position read_position(const uint64_t *words)
{
    struct position position = {.own = bits_from(words, 81) & ALL, .other = bits_from(words + 2, 81) & ALL};
    position.forced = (int)bits_from(words + 2, 90) - 1;
    for (int board = 0; board < SIZE; board++) {
        position.mine[board] = bits_from(words, SIZE * board) & ALL;
        position.theirs[board] = bits_from(words + 2, SIZE * board) & ALL;
    }
    return position;
}

static int is_open(const struct position *position, int board)
{
    int is_won = (position->own | position->other) >> board & 1;
    return !(closed && is_won) && (position->mine[board] | position->theirs[board]) != ALL;
}

static int moves_of(const struct position *position, int *moves)
{
    int count = 0, forced = position->forced;
    for (int board = forced < 0 ? 0 : forced; board < (forced < 0 ? SIZE : forced + 1); board++) {
        if (!is_open(position, board))
            continue;
        for (int cell = 0; cell < SIZE; cell++)
            if (!((position->mine[board] | position->theirs[board]) >> cell & 1))
                moves[count++] = SIZE * board + cell;
    }
    return count;
}

static int play(struct position *position, int move)
{
    int board = move / SIZE, cell = move % SIZE;
    struct position after = *position;
    after.mine[board] |= 1 << cell;
    if (has_line[after.mine[board]] && !((after.own | after.other) >> board & 1))
        after.own |= 1 << board;
    *position = (struct position){.own = after.other, .other = after.own};
    memcpy(position->mine, after.theirs, sizeof after.mine);
    memcpy(position->theirs, after.mine, sizeof after.mine);
    position->forced = is_open(position, cell) ? cell : -1;
    if (has_line[after.own])
        return 2;
    for (int other = 0; other < SIZE; other++)
        if (is_open(position, other))
            return 0;
    return 1;
}

static int playout(struct position position)
{
    int moves[MAX_MOVES], ended, side = 0;
    do {
        int count = moves_of(&position, moves);
        ended = play(&position, moves[draw((uint32_t)count)]);
        side ^= 1;
    } while (!ended);
    return ended == 1 ? 1 : side ? 2 : 0;
}
