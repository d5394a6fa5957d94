/* Plain Monte Carlo tree search for games of cells and lines: UCT (Kocsis and Szepesvari, 2006) with random playouts.

   An opponent for benchmarks, which shares no code with the service. A position is two masks: ``mine`` of the player to
   move, and ``theirs``. Without gravity ``drop`` is 0; with it, a cell may be marked once the one ``drop`` further is. */

#include <math.h>
#include <stdint.h>
#include <time.h>

typedef uint64_t mask;

enum { MAX_CELLS = 64, MAX_NODES = 1 << 22, PLAYOUTS_PER_LOOK = 32 };

/* Gains count 2 for a win and 1 for a draw, for the player who made the move into the node. */
struct node {
    int first_child, children, visits, gain;
    int cell;
    int ended; /* 0 while the game goes on, 1 drawn, 2 won by the move into the node */
};

static struct node nodes[MAX_NODES];
static int used;

static int cells, drop;
static mask lines_through[MAX_CELLS][512];
static int lines_of[MAX_CELLS];
static uint64_t state;

/* Sets the rules for the calls that follow. */
void set_game(int number_of_cells, int distance, int count, const mask *lines)
{
    cells = number_of_cells;
    drop = distance;
    for (int cell = 0; cell < cells; cell++) {
        lines_of[cell] = 0;
        for (int line = 0; line < count; line++)
            if (lines[line] >> cell & 1)
                lines_through[cell][lines_of[cell]++] = lines[line];
    }
}

/* xorshift64* (Vigna, 2016), reduced to 0 up to below ``bound``. */
static uint32_t draw(uint32_t bound)
{
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (uint32_t)(((state * 0x2545F4914F6CDD1Du >> 32) * bound) >> 32);
}

static int completes(mask marks, int cell)
{
    for (int i = 0; i < lines_of[cell]; i++)
        if ((lines_through[cell][i] & ~marks) == 0)
            return 1;
    return 0;
}

/* Writes the cells that may be marked; returns their number. */
static int moves_of(mask occupied, int *moves)
{
    int count = 0;
    for (int cell = 0; cell < cells; cell++) {
        if (occupied >> cell & 1)
            continue;
        if (!drop || cell + drop >= cells || occupied >> (cell + drop) & 1)
            moves[count++] = cell;
    }
    return count;
}

/* Plays at random to the end; returns 2 if the player to move wins, 1 for a draw, 0 for a loss. */
static int playout(mask mine, mask theirs)
{
    int moves[MAX_CELLS], count = moves_of(mine | theirs, moves), side = 0;
    mask marks[2] = {mine, theirs};
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

/* Gives a node its children, if there is room for them. */
static void expand(struct node *node, mask mine, mask theirs)
{
    int moves[MAX_CELLS], count = moves_of(mine | theirs, moves);
    if (used + count > MAX_NODES)
        return;
    node->first_child = used;
    node->children = count;
    for (int i = 0; i < count; i++) {
        mask after = mine | (mask)1 << moves[i];
        int full = (after | theirs) == (cells == 64 ? ~(mask)0 : ((mask)1 << cells) - 1);
        int ended = completes(after, moves[i]) ? 2 : full ? 1 : 0;
        nodes[used++] = (struct node){.cell = moves[i], .ended = ended};
    }
}

/* The child with the highest upper confidence bound; one never visited comes before all others. */
static struct node *select_child(struct node *parent, double exploration)
{
    struct node *best = 0;
    double highest = -1, spread = exploration * sqrt(log(parent->visits + 1));
    for (int i = 0; i < parent->children; i++) {
        struct node *child = &nodes[parent->first_child + i];
        double bound = child->visits ? 0.5 * child->gain / child->visits + spread / sqrt(child->visits)
                                     : 1e6 + draw(1000);
        if (bound > highest) {
            highest = bound;
            best = child;
        }
    }
    return best;
}

/* One iteration: select, expand, play out, and add what was gained along the path. */
static void iterate(mask mine, mask theirs, double exploration)
{
    struct node *path[MAX_CELLS + 1];
    struct node *node = &nodes[0];
    int depth = 0, gain;
    path[depth++] = node;
    while (!node->ended && (node->children || node->visits)) {
        if (!node->children)
            expand(node, mine, theirs);
        if (!node->children)
            break;
        node = select_child(node, exploration);
        mask after = mine | (mask)1 << node->cell;
        mine = theirs;
        theirs = after;
        path[depth++] = node;
    }
    gain = node->ended ? node->ended : 2 - playout(mine, theirs);
    while (depth) {
        node = path[--depth];
        node->visits++;
        node->gain += gain;
        gain = 2 - gain;
    }
}

static double processor_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return now.tv_sec + 1e-9 * now.tv_nsec;
}

/* Returns the move most visited within so many seconds of processor time and so many playouts; ``*playouts`` is how
   many there were. */
int choose(mask mine, mask theirs, double seconds, double exploration, uint64_t seed, int64_t most_playouts,
           int64_t *playouts)
{
    double end = processor_seconds() + seconds;
    int best = -1, most = -1;
    state = seed * 0x9E3779B97F4A7C15u | 1;
    nodes[0] = (struct node){.cell = -1};
    used = 1;
    *playouts = 0;
    do {
        for (int i = 0; i < PLAYOUTS_PER_LOOK; i++)
            iterate(mine, theirs, exploration);
        *playouts += PLAYOUTS_PER_LOOK;
    } while (*playouts < most_playouts && processor_seconds() < end);
    for (int i = 0; i < nodes[0].children; i++) {
        struct node *child = &nodes[nodes[0].first_child + i];
        if (child->visits > most) {
            most = child->visits;
            best = child->cell;
        }
    }
    return best;
}
