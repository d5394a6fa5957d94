/* Check a certificate of POST /proof: cc -O2 -o check_proof check_proof.c && ./check_proof < proof.jsonl
 *
 * The exit code is 0 if the claim holds, else 1. It shares no code with the service nor with check_proof.py. It reads the
 * lines one by one, as the service writes them, and keeps only positions that still need an entry, so the file can be larger
 * than memory. Cells are bits: `own` of a claim's holder, `other` of the opponent.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t Mask;
typedef struct { Mask own, other, pair[32]; int cell[64], played, pairs; } Entry;
typedef struct { Mask own, other; int met; } Need; /* a position that needs an entry, as its least image */
typedef struct { Need *list; size_t count, room; int sorted; } Needs;
enum { MOST_LINES = 1024, MOST_SYMMETRIES = 1024, ALL_EDGES = 1, MOEBIUS = 3 };

static const char *const WRAPS[] = {"false", "true", "\"cylinder\"", "\"moebius\""}; /* how the edges are joined */

static int rows = 1, columns, layers = 1, in_a_row, cells, drop, gravity, misere, wrap, wins;
static Mask lines[MOST_LINES], full;
static int line_count, symmetry_count, symmetry[MOST_SYMMETRIES][64];
static char board[65], player, outcome[5], holder, opponent;
static Needs needs[65]; /* by the number of marks */

static void require(int holds, const char *why) {
    if (!holds) { printf("The claim does not hold: %s.\n", why); exit(1); }
}

static void require_in(Mask own, Mask other, int holds, const char *why) {
    char text[128] = "in ";
    for (int c = 0; c < cells && !holds; c++) text[3 + c] = own >> c & 1 ? holder : other >> c & 1 ? opponent : '.';
    require(holds, strcat(strcat(text, ", "), why));
}

/* The rules. */

static void add_line(const int *cell, int count) {
    Mask line = 0;
    for (int i = 0; i < count; i++) {
        require(cell[i] >= 0 && cell[i] < cells, "a line leaves the board");
        line |= (Mask)1 << cell[i];
    }
    for (int i = 0; i < line_count; i++) if (lines[i] == line) return;
    require(line != 0 && line_count < MOST_LINES, "there are too many lines");
    lines[line_count++] = line;
}

static int along(int start, int step, int size, int joined) { /* a coordinate, or -1 outside of the board */
    int at = start + step;
    return joined ? (at % size + size) % size : at >= 0 && at < size ? at : -1;
}

static void add_grid(void) {
    for (int start = 0; start < cells; start++) for (int way = 0; way < 27; way++) {
        int cell[64], ok = way != 13 && in_a_row <= 64;
        for (int i = 0; ok && i < in_a_row; i++) {
            int z = along(start / (rows * columns), i * (way / 9 - 1), layers, wrap == ALL_EDGES);
            int y = along(start / columns % rows, i * (way / 3 % 3 - 1), rows, wrap == ALL_EDGES);
            int x = along(start % columns, i * (way % 3 - 1), columns, wrap);
            int turns = (start % columns + i * (way % 3 - 1) + 64 * columns) / columns; /* at the seam, and 64 more */
            ok = x >= 0 && y >= 0 && z >= 0;
            if (wrap == MOEBIUS && turns % 2) y = rows - 1 - y;
            cell[i] = (z * rows + y) * columns + x;
            for (int j = 0; ok && j < i; j++) ok = cell[j] != cell[i];
        }
        if (ok) add_line(cell, in_a_row);
    }
}

static Mask moved(Mask marks, const int *image) {
    Mask found = 0;
    for (int c = 0; c < cells; c++) if (marks >> c & 1) found |= (Mask)1 << image[c];
    return found;
}

static void add_symmetry(const int *image, int count) {
    Mask reached = 0;
    require(count == cells && symmetry_count < MOST_SYMMETRIES, "a symmetry is no permutation");
    for (int c = 0; c < cells; c++) if (image[c] >= 0 && image[c] < cells) reached |= (Mask)1 << image[c];
    require(reached == full, "a symmetry is no permutation");
    for (int c = 0; c + drop < cells; c++) require(image[c + drop] == image[c] + drop, "a symmetry turns gravity");
    for (int i = 0; i < line_count; i++) {
        int found = 0;
        for (int j = 0; j < line_count; j++) found |= moved(lines[i], image) == lines[j];
        require(found, "a symmetry changes the lines");
    }
    memcpy(symmetry[symmetry_count++], image, sizeof(int) * cells);
}

static int has_line(Mask marks) {
    for (int i = 0; i < line_count; i++) if ((lines[i] & marks) == lines[i]) return 1;
    return 0;
}

static Mask moves(Mask taken) { /* what lies at the bottom, or on a mark */
    Mask bottom = drop < 64 ? ~(full >> drop) : ~(Mask)0, on = drop < 64 ? taken >> drop : 0;
    return full & ~taken & (bottom | on);
}

/* The check. */

static void check_replies(Mask own, Mask other);

static int compare(const void *one, const void *two) {
    const Need *a = one, *b = two;
    return a->own != b->own ? (a->own < b->own ? -1 : 1) : a->other != b->other ? (a->other < b->other ? -1 : 1) : 0;
}

static Need least_image(Mask own, Mask other) {
    Need least = {own, other, 0};
    for (int s = 0; s < symmetry_count; s++) {
        Need image = {moved(own, symmetry[s]), 0, 0};
        if (image.own > least.own) continue;
        image.other = moved(other, symmetry[s]);
        if (compare(&image, &least) < 0) least = image;
    }
    return least;
}

static void add_need(Mask own, Mask other) {
    Needs *all = &needs[__builtin_popcountll(own | other)];
    if (all->count == all->room) all->list = realloc(all->list, (all->room = 2 * all->room + 1000) * sizeof(Need));
    require(all->list != NULL, "there is not enough memory");
    all->list[all->count++] = least_image(own, other);
}

static void sort_needs(Needs *all) { /* and leave each out but once */
    size_t kept = 0;
    if (all->count) qsort(all->list, all->count, sizeof(Need), compare);
    for (size_t i = 0; i < all->count; i++)
        if (!i || compare(&all->list[i], &all->list[kept - 1])) all->list[kept++] = all->list[i];
    all->count = kept, all->sorted = 1;
}

static void finish_needs(int marks) { /* of all positions with fewer marks */
    for (int m = 0; m < marks; m++) {
        if (!needs[m].sorted) sort_needs(&needs[m]);
        for (size_t i = 0; i < needs[m].count; i++)
            require_in(needs[m].list[i].own, needs[m].list[i].other, needs[m].list[i].met,
                       "or an image of it, with the holder to move, there is no entry");
        free(needs[m].list);
        needs[m] = (Needs){0};
    }
}

static void meet_need(Mask own, Mask other) {
    int marks = __builtin_popcountll(own | other);
    Needs *all = &needs[marks];
    finish_needs(marks);
    if (!all->sorted) sort_needs(all);
    Need key = least_image(own, other);
    Need *found = !all->count ? NULL : bsearch(&key, all->list, all->count, sizeof(Need), compare);
    require_in(own, other, found && !found->met, "an entry is not needed");
    found->met = 1;
}

/* Whether the board is full, or too few lines are left to lose by (Erdos and Selfridge, 1973). */
static int is_settled(Mask own, Mask other, int holder_moves) {
    int left = 0;
    unsigned __int128 risk = 0, unit = (unsigned __int128)1 << 65;
    require_in(own, other, !wins || (own | other) != full, "the game is drawn");
    for (int i = 0; i < line_count; i++) if (!(lines[i] & (misere ? other : own))) {
        left++;
        risk += unit >> __builtin_popcountll(lines[i] & ~other);
    }
    if (wins) return 0;
    return (own | other) == full || !left || (!misere && !gravity && risk < (holder_moves ? unit : unit / 2));
}

/* Whether under gravity the holder can always answer in the same column, and that is enough. A column ends where the
 * holder's answers in it complete a line; any other must have an even number of empty cells. */
static int follows_up(Mask own, Mask other) {
    Mask theirs = other, ours = own;
    int won = 0;
    if (!gravity || misere) return 0;
    for (int top = 0; top < drop; top++) {
        Mask here = own, below = 0;
        int ended = 0;
        for (int c = cells - drop + top; c >= 0 && !ended; c -= drop) {
            Mask cell = (Mask)1 << c;
            if ((own | other) & cell) continue;
            if (!below) { below = cell; continue; }
            theirs |= below, here |= cell, below = 0;
            ended = has_line(here);
        }
        if (below) return 0;
        ours |= here, won |= ended;
    }
    return !has_line(theirs) && (!wins || won || has_line(ours));
}

static void check_pairs(const Entry *entry, Mask own, Mask other) {
    Mask used = own | other;
    require_in(own, other, !wins && !misere && !gravity, "pairs prove nothing");
    for (int i = 0; i < entry->pairs; i++) {
        require_in(own, other, !(entry->pair[i] & used), "the pairs are not apart");
        used |= entry->pair[i];
    }
    for (int i = 0; i < line_count; i++) {
        int stopped = (lines[i] & own) != 0;
        for (int j = 0; j < entry->pairs; j++) stopped |= (lines[i] & entry->pair[j]) == entry->pair[j];
        require_in(own, other, stopped, "no pair stops one of the lines");
    }
}

/* Whether the opponent has to make a move: the holder would complete a line there, and the opponent can complete none. */
static void check_forced(Mask own, Mask other, Mask move) {
    require_in(own, other, !misere && has_line(own | move), "the reply is not forced");
    for (Mask rest = moves(own | other); rest; rest &= rest - 1)
        require_in(own, other, !has_line(other | (rest & -rest)), "the opponent can complete a line");
}

static void check_turn(Mask own, Mask other) {
    for (Mask rest = misere ? 0 : moves(own | other); rest; rest &= rest - 1)
        if (has_line(own | (rest & -rest))) return;
    if (is_settled(own, other, 1)) return;
    add_need(own, other);
}

static void check_entry(const Entry *entry) {
    Mask own = entry->own, other = entry->other;
    meet_need(own, other);
    for (int i = 0; i < entry->played; i++) {
        Mask move = entry->cell[i] < cells ? (Mask)1 << entry->cell[i] : 0;
        require_in(own, other, (moves(own | other) & move) != 0, "the move is not possible");
        if (i % 2) check_forced(own, other, move), other |= move;
        else require_in(own, other, !has_line(own | move), "the game ends by the move"), own |= move;
    }
    require_in(own, other, entry->played % 2, "the holder does not move");
    if (entry->pairs) check_pairs(entry, own, other);
    else check_replies(own, other);
}

static void check_replies(Mask own, Mask other) {
    if (is_settled(own, other, 0) || follows_up(own, other)) return;
    for (Mask rest = moves(own | other); rest; rest &= rest - 1) {
        Mask reply = other | (rest & -rest);
        if (!has_line(reply)) check_turn(own, reply);
        else require_in(own, other, misere, "the opponent can complete a line");
    }
}

/* Reading: each kind of line has one form. */

static char *read_cell(char *at, int *cell) { /* 0 to 63, in one form each */
    require(*at >= '0' && *at <= '9' && !(at[0] == '0' && at[1] >= '0' && at[1] <= '9'), "a cell is missing");
    for (*cell = 0; *at >= '0' && *at <= '9'; at++) {
        *cell = 10 * *cell + *at - '0';
        require(*cell < 64, "there is no such cell");
    }
    return at;
}

static char *read_list(char *at, void (*add)(const int *, int)) { /* [0,1] */
    int list[64], count = 0;
    do {
        require(count < 64, "a list is too long");
        at = read_cell(at + 1, &list[count++]);
    } while (*at == ',');
    require(*at++ == ']', "a list does not end");
    add(list, count);
    return at;
}

static char *read_lists(char *at, void (*add)(const int *, int)) { /* [[0,1],[2,3]] */
    require(*at == '[', "a list is missing");
    if (at[1] == ']') return at + 2;
    do {
        require(at[1] == '[', "a list is missing");
        at = read_list(at + 1, add);
    } while (*at == ',');
    require(*at++ == ']', "a list does not end");
    return at;
}

static Entry entry; /* the one that is being read */

static void add_pair(const int *cell, int count) {
    require(count == 2 && cell[0] < cells && cell[1] < cells && cell[0] != cell[1], "a pair has not two cells");
    require(entry.pairs < 32, "there are too many pairs");
    entry.pair[entry.pairs++] = (Mask)1 << cell[0] | (Mask)1 << cell[1];
}

static void add_played(const int *cell, int count) {
    memcpy(entry.cell, cell, sizeof(int) * (entry.played = count));
}

static void read_masks(const char *text, Mask *own, Mask *other) {
    require((int)strlen(text) == cells, "a board has the wrong size");
    for (int c = 0; c < cells; c++) if (text[c] != '.') *(text[c] == holder ? own : other) |= (Mask)1 << c;
}

static int is_flag(const char *text) {
    return !strcmp(text, "true") || !strcmp(text, "false");
}

static void read_header(char *line) {
    char falls[6] = "", loses[6] = "", joins[12] = "false", form[128];
    int end = 0;
    sscanf(line, "{\"certificate\":2,\"rows\":%d,\"columns\":%d,\"layers\":%d,\"in_a_row\":%d,\"gravity\":%5[a-z],"
           "\"misere\":%5[a-z],\"wrap\":%11[a-z\"],%n", &rows, &columns, &layers, &in_a_row, falls, loses, joins, &end);
    if (!end) sscanf(line, "{\"certificate\":2,\"cells\":%d,\"misere\":%5[a-z],\"lines\":%n", &columns, loses, &end);
    require(end != 0, "this is no header of this version of the format");
    if (*falls) snprintf(form, sizeof form, "{\"certificate\":2,\"rows\":%d,\"columns\":%d,\"layers\":%d,\"in_a_row\":%d,",
                         rows, columns, layers, in_a_row);
    else snprintf(form, sizeof form, "{\"certificate\":2,\"cells\":%d,", columns);
    require(!strncmp(line, form, strlen(form)), "a number is not written as the service writes it");
    require(!*falls || in_a_row > 0, "a line must have 1 to 64 cells");
    require((!*falls || is_flag(falls)) && is_flag(loses), "a flag is neither true nor false");
    require(rows > 0 && columns > 0 && layers > 0 && rows <= 64 && columns <= 64 && layers <= 64 &&
            rows * columns * layers <= 64 && in_a_row <= 64, "the board must have 1 to 64 cells");
    cells = rows * columns * layers;
    full = ~(Mask)0 >> (64 - cells);
    gravity = !strcmp(falls, "true"), misere = !strcmp(loses, "true");
    for (wrap = 0; wrap <= MOEBIUS && strcmp(joins, WRAPS[wrap]); wrap++) { }
    require(wrap <= MOEBIUS, "the edges are joined in no known way");
    drop = !gravity ? cells : layers > 1 ? rows * columns : columns;
    char *at = line + end;
    if (in_a_row) add_grid();
    else at = read_lists(at, add_line), require(*at++ == ',', "the header ends early");
    end = 0;
    sscanf(at, "\"position\":\"%64[XO.]\",\"player\":\"%c\",\"outcome\":\"%4[a-z]\",\"symmetries\":%n", board, &player,
           outcome, &end);
    require(end && (player == 'X' || player == 'O'), "the header ends early");
    require(!strcmp(read_lists(at + end, add_symmetry), "}\n"), "the header does not end");
}

static void read_entry(char *line) {
    char text[65];
    int end = 0;
    entry = (Entry){0};
    require(sscanf(line, "[\"%64[XO.]\",%n", text, &end) == 1 && end, "a line is no entry");
    read_masks(text, &entry.own, &entry.other);
    char *at = line + end;
    if (*at == '[') at = read_list(at, add_played);
    else at = read_cell(at, &entry.cell[entry.played++]);
    if (*at == ',') at = read_lists(at + 1, add_pair);
    require(!strcmp(at, "]\n"), "an entry does not end");
}

static void read_claim(const char *line, int first) {
    char least[5];
    Mask own = 0, other = 0;
    require(sscanf(line, "{\"holder\":\"%c\",\"at_least\":\"%4[a-z]\"}", &holder, least) == 2, "this is no claim");
    require(holder == 'X' || holder == 'O', "there is no such player");
    opponent = holder == 'X' ? 'O' : 'X';
    wins = !strcmp(least, "win");
    require(wins || !strcmp(least, "draw"), "the claims do not make the outcome");
    require(wins == (strcmp(outcome, "draw") != 0), "the claims do not make the outcome");
    require((holder == player) == (first && strcmp(outcome, "loss")), "the claims do not make the outcome");
    read_masks(board, &own, &other);
    if (has_line(own) || has_line(other))
        require_in(own, other, has_line(own) == !misere && has_line(other) == misere, "the holder has not won");
    else if (player == holder) check_turn(own, other);
    else check_replies(own, other);
}

int main(void) {
    static char *line, *header;
    static size_t size;
    int claims = 0, wanted = 0;
    require(getline(&line, &size, stdin) > 0, "there is no header");
    header = strdup(line);
    read_header(line);
    *strstr(header, ",\"symmetries\":") = 0;
    wanted = strcmp(outcome, "draw") ? 1 : 2;
    require(wanted == 2 || !strcmp(outcome, "win") || !strcmp(outcome, "loss"), "there is no such outcome");
    while (getline(&line, &size, stdin) > 0) {
        if (*line == '{') {
            finish_needs(65);
            require(claims++ < wanted, "the claims do not make the outcome");
            read_claim(line, claims == 1);
        } else {
            require(claims, "an entry comes before a claim");
            read_entry(line);
            check_entry(&entry);
        }
    }
    finish_needs(65);
    require(claims == wanted, "the claims do not make the outcome");
    printf("The claim holds: %s.\n", header + 1);
    return 0;
}
