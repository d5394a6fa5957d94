/* Plain Monte Carlo tree search: UCT (Kocsis and Szepesvari, 2006) with random playouts.

   An opponent for benchmarks, which shares no code with the service. It is compiled with the file of the RULES, which has
   ``MAX_MOVES``, ``MAX_PLIES``, ``struct position`` with the player to move, and these functions:

   read_position  makes a position of the words of a state
   moves_of       writes the legal moves; returns their number
   play           makes a move; returns 0 while the game goes on, 1 if it is drawn, 2 if the move has won
   playout        plays at random to the end; returns 2 if the player to move wins, 1 for a draw, 0 for a loss */

#include <math.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

static uint64_t state;

/* xorshift64* (Vigna, 2016), reduced to 0 up to below ``bound``. */
static uint32_t draw(uint32_t bound)
{
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (uint32_t)(((state * 0x2545F4914F6CDD1Du >> 32) * bound) >> 32);
}

#include RULES

enum { MAX_NODES = 1 << 22, PLAYOUTS_PER_LOOK = 32 };

/* Gains count 2 for a win and 1 for a draw, for the player who made the move into the node. */
struct node {
    int first_child, children, visits, gain;
    int move;
    int ended; /* 0 while the game goes on, 1 drawn, 2 won by the move into the node */
};

static struct node nodes[MAX_NODES];
static int used;

/* Gives a node its children, if there is room for them. */
static void expand(struct node *node, const struct position *position)
{
    int moves[MAX_MOVES], count = moves_of(position, moves);
    if (used + count > MAX_NODES)
        return;
    node->first_child = used;
    node->children = count;
    for (int i = 0; i < count; i++) {
        struct position after = *position;
        int ended = play(&after, moves[i]);
        nodes[used++] = (struct node){.move = moves[i], .ended = ended};
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
static void iterate(struct position position, double exploration)
{
    struct node *path[MAX_PLIES + 1];
    struct node *node = &nodes[0];
    int depth = 0, gain;
    path[depth++] = node;
    while (!node->ended && (node->children || node->visits)) {
        if (!node->children)
            expand(node, &position);
        if (!node->children)
            break;
        node = select_child(node, exploration);
        play(&position, node->move);
        path[depth++] = node;
    }
    gain = node->ended ? node->ended : 2 - playout(position);
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

/* Returns the move most visited within ``seconds`` of processor time and ``most_playouts``; ``*playouts`` is the number
   of playouts. */
int choose(const uint64_t *words, double seconds, double exploration, uint64_t seed, int64_t most_playouts,
           int64_t *playouts)
{
    struct position position = read_position(words);
    double end = processor_seconds() + seconds;
    int best = -1, most = -1;
    state = seed * 0x9E3779B97F4A7C15u | 1;
    nodes[0] = (struct node){.move = -1};
    used = 1;
    *playouts = 0;
    do {
        for (int i = 0; i < PLAYOUTS_PER_LOOK; i++)
            iterate(position, exploration);
        *playouts += PLAYOUTS_PER_LOOK;
    } while (*playouts < most_playouts && processor_seconds() < end);
    for (int i = 0; i < nodes[0].children; i++) {
        struct node *child = &nodes[nodes[0].first_child + i];
        if (child->visits > most) {
            most = child->visits;
            best = child->move;
        }
    }
    return best;
}
