# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The search: alpha-beta with memory over masks, for every game of cells and lines.

This is Python that Cython compiles: the annotations make it C, with the interpreter's lock released.
Uncompiled it runs as it stands, some hundred times slower, with the same results.

A position is two masks: ``mine``, the cells of the player to move, and ``theirs``. Scores count from
the far end of the game, so that a position has one score however it was reached: a game that ends
with ``n`` marks on the board is worth ``cells + 1 - n`` to its winner, the negative of that to its
loser, and 0 if it is drawn. The faster win scores more, the slower loss less badly.
"""

from array import array

import cython

from service.kernel.rules import MAX_LINE, Rules

KERNEL = "compiled" if cython.compiled else "interpreted"

POLL_NODES = 4096
"""The most nodes between two looks at whether to stop."""

POLL_CALLS = 128
"""The most bounds that are asked for between two such looks, for some need no search."""

POLL_STEPS = 500_000 if cython.compiled else 2_500
"""Cells of lines looked at between two looks at whether to stop: a few milliseconds, whatever the game."""

PROVEN = 1 << 60
"""What a won position is worth to ``look_ahead``, more than any estimate; its score is added."""

WORDS_PER_ENTRY = 2
"""Words of 64 bits that an entry of the table takes; two entries stand together as a bucket."""

NEAR_BUCKETS = 1 << 16
"""Buckets for positions near the end, which are most: 2 MB, which stay in the cache of a core."""

# C has no 64-bit literals in this dialect, so the constants are C globals.
EVERY_BIT = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)
MIX_A = cython.declare(cython.ulonglong, 0xBF58476D1CE4E5B9)
MIX_B = cython.declare(cython.ulonglong, 0x94D049BB133111EB)
MIX_C = cython.declare(cython.ulonglong, 0xFF51AFD7ED558CCD)
MIX_D = cython.declare(cython.ulonglong, 0xC4CEB9FE1A85EC53)
CHECK_BITS = cython.declare(cython.ulonglong, 0xFFFFFFFF00000000)  # of an entry's second word: the end of its key
UNIT = cython.declare(cython.ulonglong, 1 << 48)
SURE = cython.declare(cython.longlong, PROVEN)
ETC_MIN_EMPTY = cython.declare(cython.int, 10)  # empty cells up to which probing all children costs more than it saves
MAX_TRAPS = cython.declare(cython.int, 4)  # of all sets of so many traps it is seen whether they decide the game
NEAR_END_MAX_EMPTY = cython.declare(cython.int, 18)  # the most empty cells of a position near the end
SHARED_MIN_EMPTY = cython.declare(cython.int, 20)  # empty cells up to which cooperating searches ignore each other
INFINITY = cython.declare(cython.int, 1000)  # beyond all scores: a bound that says nothing
DIGITS = cython.declare(cython.int, 7)  # binary digits of the number of marks on a line
LENGTH = cython.declare(cython.int, MAX_LINE)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _wrapped(x: cython.ulonglong) -> cython.ulonglong:
    """The low 64 bits, which are all that C keeps."""
    return x if cython.compiled else x & EVERY_BIT


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _count(x: cython.ulonglong) -> cython.int:
    """Number of bits set. Written so that compilers know it for what it is and take their processor's instruction."""
    ones: cython.ulonglong = 0x01010101
    ones |= ones << 32
    x = x - ((x >> 1) & (0x55 * ones))
    x = (x & (0x33 * ones)) + ((x >> 2) & (0x33 * ones))
    x = (x + (x >> 4)) & (0x0F * ones)
    return _wrapped(x * ones) >> 56


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _mix(x: cython.ulonglong) -> cython.ulonglong:
    """A bijection of 64 bits that spreads every bit over all (the finalizer of splitmix64, Steele et al., 2014)."""
    x = _wrapped((x ^ (x >> 30)) * MIX_A)
    x = _wrapped((x ^ (x >> 27)) * MIX_B)
    return x ^ (x >> 31)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _mix_otherwise(x: cython.ulonglong) -> cython.ulonglong:
    """Another such bijection, unrelated to the first (the finalizer of MurmurHash3, Appleby, 2011)."""
    x = _wrapped((x ^ (x >> 33)) * MIX_C)
    x = _wrapped((x ^ (x >> 33)) * MIX_D)
    return x ^ (x >> 33)


class Stopped(Exception):
    """The search was told to stop, or had used up its nodes, before it could tell."""


class ContradictoryBoundsError(Exception):
    """Two bounds on one score exclude each other, so one of them is false. Nothing that was found may be believed."""


@cython.final
@cython.cclass
class Search:
    """Searches of one game's positions, with ``table`` as their memory.

    ``table`` is a flat array of 64-bit words, a power of two of them, at least four; it may be shared with other
    threads and processes, and with other games. ``poll`` is asked now and then whether to stop;
    ``limit`` is the most nodes that it may search, None for any number.
    One thread at a time may use a Search; any number of them may use one table.

    Searches of the same position at the same time may share ``signals`` too, a power of two of 64-bit words, all 0
    at first. They note there what they are at, so that each takes up what no other has, and all of them stop when
    the first word is no longer 0.

    The positions of a line of play, each with its children, lie in *slots*: one array for each property.

    An entry of the table holds a key of 96 bits; ``_set_key`` makes it. An entry of another position is taken for this
    one if it stands in the same bucket and the rest of the 96 bits agrees too: beside the index that are 74 bits in a
    table of 128 MB (2^22 buckets), 80 for positions near the end, which share the first 2^16 buckets. A bucket has
    two entries, so the probability of a false match is at most 2^-73 per probe, about 1e-22: at a million probes
    a second the first one is due after 300 million years.
    Where a false match does lead to bounds that exclude each other, ContradictoryBoundsError is raised.
    """

    _cells: cython.int
    _misere: cython.bint
    _drop: cython.int
    _full: cython.ulonglong
    _bottom_row: cython.ulonglong
    _claimeven: cython.ulonglong
    _patterns: cython.int
    _lengths: cython.int[::1]
    _offsets: cython.int[::1]
    _starts: cython.ulonglong[::1]
    _weights: cython.int[::1]
    _symmetries: cython.int
    _images: cython.ulonglong[::1]
    _stride: cython.int
    _key_seeds: cython.ulonglong[::1]
    _table: cython.ulonglong[::1]
    _buckets: cython.ulonglong
    _near_buckets: cython.ulonglong
    _nodes: cython.longlong
    _limit: cython.longlong
    _interval: cython.longlong
    _next_look: cython.longlong
    _stopped: cython.bint
    _contradicted: cython.bint
    _poll: object
    _raised: object
    _order: cython.ulonglong[::1]
    _priorities: cython.int[::1]
    _columns: cython.ulonglong[::1]
    _cooperates: cython.bint
    _signals: cython.ulonglong[::1]
    _places: cython.ulonglong
    # Of the position in a slot: its masks, the cells where each player would complete a line, and how many marks.
    _mine: cython.ulonglong[::1]
    _theirs: cython.ulonglong[::1]
    _own_wins: cython.ulonglong[::1]
    _opponent_wins: cython.ulonglong[::1]
    _marks: cython.int[::1]
    # The sensible moves, bounds on its score, its key (0 before it is known), and the best of what needs no search.
    _moves: cython.ulonglong[::1]
    _lower: cython.int[::1]
    _upper: cython.int[::1]
    _keys: cython.ulonglong[::1]
    _checks: cython.ulonglong[::1]
    _best: cython.int[::1]
    _best_cell: cython.int[::1]
    # Of a child: the cell by which it was reached, whose turn it is after what was forced, how early to try it.
    _entered: cython.int[::1]
    _turns: cython.int[::1]
    _child_priorities: cython.int[::1]
    _queue: cython.int[::1]

    def __init__(self, rules: Rules, table, *, poll=None, limit=None, signals=None):
        self._cells = rules.cells
        self._misere = rules.misere
        self._drop = rules.drop
        self._full = (1 << rules.cells) - 1
        self._bottom_row = rules.bottom_row
        self._claimeven = rules.claimeven
        self._patterns = rules.patterns
        self._lengths = rules.lengths
        self._offsets = rules.offsets
        self._starts = rules.starts
        self._weights = rules.weights
        self._symmetries = rules.symmetries
        self._images = rules.images if rules.symmetries else rules.starts
        self._stride = rules.stride
        self._key_seeds = rules.key_seeds
        self._table = table
        self._buckets = len(table) // (2 * WORDS_PER_ENTRY) - 1
        self._near_buckets = min(self._buckets, NEAR_BUCKETS - 1)
        self._nodes = 0
        self._limit = (1 << 62) if limit is None else limit
        steps = (rules.drop or rules.cells) * sum(rules.lengths)
        self._interval = max(1, min(POLL_NODES, POLL_STEPS // max(1, steps)))
        self._next_look = min(self._limit + 1, self._interval)
        self._stopped = False
        self._contradicted = False
        self._poll = poll
        self._raised = None
        # The moves of each ply, by the number of marks before it.
        self._order = array("Q", bytes(8 * 64 * rules.cells))
        self._priorities = array("i", bytes(4 * 64 * rules.cells))
        self._columns = rules.columns
        self._cooperates = signals is not None
        self._signals = array("Q", bytes(8)) if signals is None else signals
        self._places = len(self._signals) - 1
        # Room for a position and, at every ply of a line of play, all its children.
        slots = 1 + (rules.cells * rules.drop if rules.drop else rules.cells * (rules.cells + 1) // 2)
        masks = [array("Q", bytes(8 * slots)) for _ in range(7)]
        self._mine, self._theirs, self._own_wins, self._opponent_wins, self._moves, self._keys, self._checks = masks
        numbers = [array("i", bytes(4 * slots)) for _ in range(9)]
        self._marks, self._lower, self._upper, self._best, self._best_cell, *_ = numbers
        *_, self._entered, self._turns, self._child_priorities, self._queue = numbers

    @property
    def nodes(self) -> int:
        """Positions searched so far."""
        return self._nodes

    def score(self, mine: cython.ulonglong, theirs: cython.ulonglong) -> int:
        """The exact score for the player to move. Raises Stopped."""
        low, high = -self._cells - 1, self._cells + 1
        # The outcome first: a window next to 0 cuts most, and what it leaves behind helps the rest.
        for alpha in (0, -1):
            if low <= alpha < high:
                found = self.bound(mine, theirs, alpha, alpha + 1)
                low, high = (low, min(high, found)) if found <= alpha else (max(low, found), high)
        while low < high:
            alpha = (low + high) // 2
            found = self.bound(mine, theirs, alpha, alpha + 1)
            low, high = (low, found) if found <= alpha else (found, high)
        return low

    def bound(self, mine: cython.ulonglong, theirs: cython.ulonglong, alpha: cython.int, beta: cython.int) -> int:
        """A bound ``b`` on the true score ``s``, for ``alpha < beta``.

        * ``b <= alpha``: ``s <= b``. No move is worth more than ``b``.
        * ``alpha < b < beta``: ``s == b``.
        * ``b >= beta``: ``s >= b``. Some move is worth at least ``b``.

        Raises Stopped if it was stopped first; what it had proven until then stays in the table. Raises
        ContradictoryBoundsError if the table held what cannot be true; that entry is gone then.
        """
        self._next_look -= max(1, self._interval // POLL_CALLS)
        if self._nodes >= self._next_look:
            self._check_limits()
            self._raise_if_stopped()
        known = self.decided(mine, theirs)
        if known is not None:
            return known
        empty: cython.ulonglong = self._full ^ (mine | theirs)
        found: cython.int
        with cython.nogil:
            self._put(0, mine, theirs, self._threats(mine, empty), self._threats(theirs, empty), _count(mine | theirs))
            self._play_forced(0)
            found = self._value_before_forced(0, 1, alpha, beta)
        self._raise_if_stopped()
        return found

    def look_ahead(
        self,
        mine: cython.ulonglong,
        theirs: cython.ulonglong,
        depth: cython.int,
        alpha: cython.longlong,
        beta: cython.longlong,
    ) -> int:
        """An estimate for the player to move, ``depth`` plies deep; a bound on it outside of ``alpha`` and ``beta``.

        Estimates compare positions of one game with each other and mean nothing else. What is won or
        lost within the depth is worth ``PROVEN`` and more, a drawn position 0. Raises Stopped.
        """
        known = self.decided(mine, theirs)
        if known is not None:
            return known + PROVEN * ((known > 0) - (known < 0))
        marks: cython.int = _count(mine | theirs)
        found: cython.longlong
        with cython.nogil:
            found = self._look_ahead(mine, theirs, marks, depth, alpha, beta)
        self._raise_if_stopped()
        return found

    def _raise_if_stopped(self):
        if self._raised is not None:
            raise self._raised
        if self._contradicted:
            self._contradicted = self._stopped = False
            raise ContradictoryBoundsError
        if self._stopped:
            raise Stopped

    def ended(self, mine: cython.ulonglong, theirs: cython.ulonglong):
        """The score of a finished game for the player who would move; None while it goes on.

        Only ``theirs``, which moved last, is looked at for lines, and before a full board is called a draw.
        """
        marks: cython.int = _count(mine | theirs)
        if self._has_line(theirs):
            return self._cells + 1 - marks if self._misere else marks - self._cells - 1
        return 0 if marks == self._cells else None

    def decided(self, mine: cython.ulonglong, theirs: cython.ulonglong):
        """The score of a position that needs no search: finished, or won by the next move; else None."""
        ended = self.ended(mine, theirs)
        if ended is not None or self._misere:
            return ended
        empty: cython.ulonglong = self._full ^ (mine | theirs)
        if self._threats(mine, empty) & self._playable(mine | theirs):
            return self._cells - _count(mine | theirs)
        return None

    def moves(self, mine: cython.ulonglong, theirs: cython.ulonglong):
        """The cells that may be marked as long as the game goes on, ascending."""
        playable = self._playable(mine | theirs)
        return [cell for cell in range(self._cells) if playable >> cell & 1]

    def promising_moves(self, mine: cython.ulonglong, theirs: cython.ulonglong):
        """The same cells, those first that make threats or lie on many lines; what loses at once stands last."""
        marks: cython.int = _count(mine | theirs)
        sensible: cython.ulonglong = self._non_losing_moves(mine, theirs)
        rest: cython.ulonglong = self._playable(mine | theirs) ^ sensible
        found = []
        for moves in (sensible, rest):
            place: cython.int = marks * 64
            end: cython.int = place + self._order_moves(mine, theirs, moves, place)
            found += [_count(self._order[i] - 1) for i in range(place, end)]
        return found

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _playable(self, occupied: cython.ulonglong) -> cython.ulonglong:
        return (self._full ^ occupied) & (self._bottom_row | (occupied >> self._drop))

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _value_before_forced(
        self, slot: cython.int, start: cython.int, alpha: cython.int, beta: cython.int
    ) -> cython.int:
        """A bound for whoever moved in a slot before what was forced there; see ``bound``."""
        if self._turns[slot] > 0:
            return self._value(slot, start, alpha, beta)
        return -self._value(slot, start, -beta, -alpha)

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _value(self, slot: cython.int, start: cython.int, alpha: cython.int, beta: cython.int) -> cython.int:
        """A bound for the player to move in a slot, searched for only if nothing cheaper suffices."""
        if not self._keys[slot] and self._lower[slot] < self._upper[slot]:
            self._static_bounds(slot, alpha, beta)
        if self._lower[slot] >= beta or self._lower[slot] >= self._upper[slot]:
            return self._lower[slot]
        if self._upper[slot] <= alpha:
            return self._upper[slot]
        return self._node(slot, start, alpha, beta)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _node(  # noqa: PLR0911, each cut-off is a return
        self, slot: cython.int, start: cython.int, alpha: cython.int, beta: cython.int
    ) -> cython.int:
        """``bound`` for the position in a slot, which was appraised; its children go into those from ``start`` on.

        Negamax (Knuth and Moore, 1975), fail-soft (Fishburn, 1983), with a lower and an upper bound of each position
        in the table. The player to move cannot win at once (unless misère) and has moves that do not lose at once.
        """
        if self._count_node():
            return 0
        first: cython.int = self._apply_tt_bounds(slot)
        lower: cython.int = self._lower[slot]
        upper: cython.int = self._upper[slot]
        if lower >= beta or lower >= upper:
            return lower
        if upper <= alpha:
            return upper
        marks: cython.int = self._marks[slot]
        low: cython.int = max(alpha, lower)
        high: cython.int = min(beta, upper)
        end: cython.int = self._expand(slot, start, first, low, high)
        if self._stopped:
            return 0
        best: cython.int = self._best[slot]
        if best >= high:
            self._store(slot, best, upper)
            return best
        # No move wins at once by leaving the opponent none that does not lose.
        upper = min(upper, self._win_score(marks + (4 if self._misere else 5)))
        if upper <= alpha:
            return upper
        high = min(high, upper)
        best = self._best_of(slot, start, end, low, high)
        if self._stopped:
            return 0
        if best > low:
            lower = best
        if best < high:
            upper = best
        self._store(slot, lower, upper)
        return best

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _best_of(
        self, slot: cython.int, start: cython.int, end: cython.int, low: cython.int, high: cython.int
    ) -> cython.int:
        """The most that the children in the queue are worth, a bound as in ``bound``.

        What another search is at comes last, when its result may be in the table (Kerrigan's simplified ABDADA, after
        Weill, 1996).
        """
        best: cython.int = self._best[slot]
        raised: cython.int = low
        value: cython.int
        child: cython.int
        place: cython.int
        late: cython.int
        for late in range(2 if self._cooperates else 1):
            for place in range(start, end):
                child = self._queue[place]
                if child < 0 or (self._cooperates and not late and self._is_marked(child)):
                    continue
                self._queue[place] = -1
                self._mark_searched(child, searched=True)
                value = -self._value_before_forced(child, end, -high, -raised)
                self._mark_searched(child, searched=False)
                if self._stopped:
                    return 0
                if value > best:
                    best = value
                    self._best_cell[slot] = self._entered[child]
                    if value >= high:
                        return best
                    raised = max(raised, value)
        return best

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _expand(
        self, slot: cython.int, start: cython.int, first: cython.int, low: cython.int, high: cython.int
    ) -> cython.int:
        """Queues the children between ``low`` and ``high`` from ``start`` on, the most promising first; where it ends.

        ``_best`` of the slot becomes the most that the others are worth; if it is ``high`` or more, the rest does
        not matter. All entries of the table are asked for at once, so that one wait does for all.
        """
        mine: cython.ulonglong = self._mine[slot]
        empty: cython.ulonglong = self._full ^ (mine | self._theirs[slot])
        moves: cython.ulonglong = self._moves[slot]
        move: cython.ulonglong
        threats: cython.ulonglong
        end: cython.int = start
        self._best[slot] = -INFINITY
        self._best_cell[slot] = -1
        while moves:
            move = moves & (0 - moves)
            moves ^= move
            threats = self._threats(mine | move, empty ^ move)
            self._put(
                end,
                self._theirs[slot],
                mine | move,
                self._opponent_wins[slot] & (empty ^ move),
                threats,
                self._marks[slot] + 1,
            )
            self._entered[end] = _count(move - 1)
            self._play_forced(end)
            if self._drop and self._lower[end] < self._upper[end]:
                if self._turns[end] > 0:
                    self._static_bounds(end, -high, -low)
                else:
                    self._static_bounds(end, low, high)
            if self._is_open(slot, end, low, high):
                self._child_priorities[end] = self._priority(slot, end, threats, first)
                end += 1
            elif self._best[slot] >= high:
                return end
        return self._order_children(slot, start, end, low, high)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _order_children(
        self, slot: cython.int, start: cython.int, end: cython.int, low: cython.int, high: cython.int
    ) -> cython.int:
        """Sorts children into the queue but those of which the table knows enough; see ``_expand``.

        Enhanced transposition cut-offs (Schaeffer and Plaat, 1996).
        """
        known: cython.bint = self._drop != 0 and self._cells - self._marks[slot] > ETC_MIN_EMPTY
        queued: cython.int = start
        child: cython.int
        place: cython.int
        for child in range(start, end):
            if known:
                self._apply_tt_bounds(child)
                if not self._is_open(slot, child, low, high):
                    if self._best[slot] >= high:
                        return end
                    continue
            place = queued
            while place > start and self._child_priorities[self._queue[place - 1]] < self._child_priorities[child]:
                self._queue[place] = self._queue[place - 1]
                place -= 1
            self._queue[place] = child
            queued += 1
        while queued < end:
            self._queue[queued] = -1
            queued += 1
        return end

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _is_open(self, slot: cython.int, child: cython.int, low: cython.int, high: cython.int) -> cython.bint:
        """Whether a child's bounds leave open if it is worth more than ``low`` and less than ``high``.

        If not, they go into what the slot is worth at best.
        """
        least: cython.int = -self._upper[child] if self._turns[child] > 0 else self._lower[child]
        most: cython.int = -self._lower[child] if self._turns[child] > 0 else self._upper[child]
        if low < most and least < high:
            return True
        if least >= high:
            most = least
        if most > self._best[slot]:
            self._best[slot] = most
            self._best_cell[slot] = self._entered[child]
        return False

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _priority(
        self, slot: cython.int, child: cython.int, threats: cython.ulonglong, first: cython.int
    ) -> cython.int:
        """How early to try a move: by the ``threats`` that it makes, then by the lines through its cell.

        The remembered one comes first; under gravity it counts little, and much more counts what can be carried out
        next, and how few answers the opponent has.
        """
        cell: cython.int = self._entered[child]
        rank: cython.int = self._weights[cell] + 64 * _count(threats)
        if self._misere:
            rank = -rank
        if self._misere or not self._drop:
            return rank + (1 << 20 if cell == first else 0)
        # A threat on top of one of the opponent's is never carried out: whoever may fill the cell below is lost.
        useful: cython.ulonglong = threats & (self._full ^ (self._opponent_wins[slot] >> self._drop))
        occupied: cython.ulonglong = self._mine[slot] | self._theirs[slot] | (cython.cast(cython.ulonglong, 1) << cell)
        next_ones: cython.ulonglong = self._playable(occupied) >> self._drop
        rank = 2 * self._weights[cell] + 10 * _count(useful) + 120 * _count(useful & next_ones)
        if self._turns[child] > 0:
            rank -= 10 * _count(self._moves[child])
        return rank + (50 if cell == first else 0)

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _mark_searched(self, child: cython.int, searched: cython.bint) -> cython.void:
        """Tells the searches that this one works together with that a child is now being searched, or no more."""
        if self._cooperates and self._cells - self._marks[child] > SHARED_MIN_EMPTY:
            self._signals[self._signal_of(child)] = self._theirs[child] if searched else 0

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _is_marked(self, child: cython.int) -> cython.bint:
        """Whether another search has announced a child. An error only costs time."""
        return (
            self._cells - self._marks[child] > SHARED_MIN_EMPTY
            and self._signals[self._signal_of(child)] == self._theirs[child]
        )

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _signal_of(self, child: cython.int) -> cython.ulonglong:
        """Where among the signals a child is announced: anywhere but in the first place."""
        return (_mix(self._mine[child] ^ _mix(self._theirs[child])) & self._places) or 1

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _put(
        self,
        slot: cython.int,
        mine: cython.ulonglong,
        theirs: cython.ulonglong,
        own_wins: cython.ulonglong,
        opponent_wins: cython.ulonglong,
        marks: cython.int,
    ) -> cython.void:
        self._mine[slot] = mine
        self._theirs[slot] = theirs
        self._own_wins[slot] = own_wins
        self._opponent_wins[slot] = opponent_wins
        self._marks[slot] = marks

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _play_forced(self, slot: cython.int) -> cython.void:
        """Goes on in a slot to the first position that leaves a choice, as long as one move only does not lose at once.

        Bounds on its score are those that the rules give: exact where the end was met.
        """
        mine: cython.ulonglong = self._mine[slot]
        theirs: cython.ulonglong = self._theirs[slot]
        own_wins: cython.ulonglong = self._own_wins[slot]
        opponent_wins: cython.ulonglong = self._opponent_wins[slot]
        marks: cython.int = self._marks[slot]
        swap: cython.ulonglong
        turn: cython.int = 1
        last: cython.int = self._cells - (1 if self._misere else 2)
        moves: cython.ulonglong = self._non_losing(mine | theirs, own_wins, opponent_wins)
        while moves and not moves & (moves - 1) and marks < last:
            swap = mine
            mine = theirs
            theirs = swap | moves
            own_wins = opponent_wins & (self._full ^ moves)
            opponent_wins = self._threats(theirs, self._full ^ (mine | theirs))
            marks += 1
            turn = -turn
            moves = self._non_losing(mine | theirs, own_wins, opponent_wins)
        self._put(slot, mine, theirs, own_wins, opponent_wins, marks)
        self._turns[slot] = turn
        self._moves[slot] = moves
        self._keys[slot] = 0
        self._lower[slot] = self._upper[slot] = 0 if moves else self._lost(marks)
        if moves and marks < last:
            self._lower[slot] = -INFINITY
            self._upper[slot] = INFINITY

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _static_bounds(self, slot: cython.int, alpha: cython.int, beta: cython.int) -> cython.void:
        """Narrows the bounds of a slot by what needs no search; gives it a key if they still leave a question open."""
        mine: cython.ulonglong = self._mine[slot]
        theirs: cython.ulonglong = self._theirs[slot]
        marks: cython.int = self._marks[slot]
        if self._drop and not self._misere:
            self._upper[slot] = self._claimeven_bound(mine, theirs, self._opponent_wins[slot], marks, alpha)
            if self._upper[slot] <= alpha:
                return
        live: cython.ulonglong = self._live(theirs)
        live_theirs: cython.ulonglong = self._live(mine)
        most: cython.int = self._static_upper(mine, theirs, marks, alpha, live_theirs if self._misere else live)
        least: cython.int = self._static_lower(mine, theirs, marks, beta, live if self._misere else live_theirs)
        self._upper[slot] = upper = min(most, self._upper[slot])
        self._lower[slot] = lower = min(least, upper)
        if lower < upper and lower < beta and alpha < upper:
            dead: cython.ulonglong = self._dead(mine, theirs, live | live_theirs)
            self._set_key(slot, mine | dead, theirs | dead, marks)
            if not self._drop:
                self._moves[slot] = self._one_of(self._moves[slot], dead)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _apply_tt_bounds(self, slot: cython.int) -> cython.int:
        """Narrows the bounds of a slot by what the table knows; the cell of the best move so far, or -1.

        Both are proven, so they cannot exclude each other; where they do the search ends.
        """
        data: cython.ulonglong = self._probe(slot)
        if not data:
            return -1
        self._lower[slot] = max(self._lower[slot], cython.cast(cython.int, data & 255) - 128)
        self._upper[slot] = min(self._upper[slot], cython.cast(cython.int, data >> 8 & 255) - 128)
        if self._lower[slot] > self._upper[slot]:
            self._forget(slot)
            self._contradicted = self._stopped = True
        return cython.cast(cython.int, data >> 16 & 255) - 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _claimeven_bound(
        self,
        mine: cython.ulonglong,
        theirs: cython.ulonglong,
        opponent_wins: cython.ulonglong,
        marks: cython.int,
        alpha: cython.int,
    ) -> cython.int:
        """An upper bound under gravity for the player to move, who leads if the opponent only ever follows.

        The opponent follows up in the same column (claim-even; Allis, 1988), and keeps out of columns in which a cell
        is a *trap*: they threaten it, and the cell below it is empty still. Each set of traps is a way to follow.
        """
        traps: cython.ulonglong = opponent_wins & ((self._full ^ (mine | theirs)) >> self._drop)
        while _count(traps) > MAX_TRAPS:
            traps &= traps - 1
        upper: cython.int = INFINITY
        chosen: cython.ulonglong = traps
        while True:
            upper = min(upper, self._claimeven_with(mine, theirs, chosen, marks))
            if not chosen or upper <= alpha:
                return upper
            chosen = (chosen - 1) & traps

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _claimeven_with(
        self, mine: cython.ulonglong, theirs: cython.ulonglong, traps: cython.ulonglong, marks: cython.int
    ) -> cython.int:
        """``_claimeven_bound`` with these traps, one a column at most: ``INFINITY`` if following may fail.

        The cells of a column that are free and below the cell under its trap make pairs from the top. Whoever marks
        the lower one of a pair leaves the upper one to the follower. A cell left alone at the bottom is a *single*:
        these must be even in number, and the follower answers one by another. So the leader is the one
        who has to enter a column below its trap at last, or to see the board full.
        """
        free: cython.ulonglong = self._full ^ (mine | theirs)
        upper_ones: cython.ulonglong = self._claimeven
        reach: cython.ulonglong = mine
        rest: cython.ulonglong = traps
        closed: cython.ulonglong = 0
        trap: cython.ulonglong
        below: cython.ulonglong
        stack: cython.ulonglong
        while rest:
            trap = rest & (0 - rest)
            rest ^= trap
            below = (trap << self._drop) & self._full
            stack = self._columns[_count(trap - 1) % self._drop]
            if closed & stack:
                return INFINITY
            closed |= stack
            free &= (self._full ^ stack) | (self._full ^ (below | (below - 1)))
            if not trap & self._claimeven:
                upper_ones ^= stack
            reach |= below
        singles: cython.ulonglong = self._playable(mine | theirs) & free & upper_ones
        if _count(singles) & 1:
            return INFINITY
        reach |= free & (self._full ^ upper_ones)
        if self._has_line_with_one_of(reach, singles):
            return INFINITY
        if traps:
            return -self._win_score(marks + _count(free) + 2)
        # Without a trap the board is filled, the last cell by the follower.
        return -1 if self._has_line(theirs | (free & upper_ones & (self._full ^ singles))) else 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _has_line_with_one_of(self, marks: cython.ulonglong, pair: cython.ulonglong) -> cython.bint:
        """Whether ``marks`` and one cell of a pair may hold a line. Of more than two cells all are allowed."""
        one: cython.ulonglong = pair & (0 - pair)
        other: cython.ulonglong = pair ^ one
        if other & (other - 1):
            return self._has_line(marks | pair)
        return self._has_line(marks | one) or (other != 0 and self._has_line(marks | other))

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _non_losing(
        self, occupied: cython.ulonglong, own_wins: cython.ulonglong, opponent_wins: cython.ulonglong
    ) -> cython.ulonglong:
        """The moves that do not lose at once, by where each player would complete a line; 0 if every move does."""
        playable: cython.ulonglong = self._playable(occupied)
        if self._misere:
            return playable & (self._full ^ own_wins)
        forced: cython.ulonglong = opponent_wins & playable
        if forced & (forced - 1):
            return 0
        moves: cython.ulonglong = forced or playable
        if self._drop:
            # A mark under a threat of the opponent lets them carry it out.
            moves &= self._full ^ ((opponent_wins << self._drop) & self._full)
        return moves

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _dead(self, mine: cython.ulonglong, theirs: cython.ulonglong, live: cython.ulonglong) -> cython.ulonglong:
        """The cells off the ``live`` lines: all alike, whoever has marked them, so the key leaves out by whom.

        Under gravity an empty one still counts, for what may be put on top of it.
        """
        dead: cython.ulonglong = self._full ^ live
        return dead & (mine | theirs) if self._drop else dead

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _look_ahead(
        self,
        mine: cython.ulonglong,
        theirs: cython.ulonglong,
        marks: cython.int,
        depth: cython.int,
        alpha: cython.longlong,
        beta: cython.longlong,
    ) -> cython.longlong:
        """``look_ahead`` for a position as ``_node`` takes it."""
        if self._count_node():
            return 0
        moves: cython.ulonglong = self._non_losing_moves(mine, theirs)
        if not moves:
            return self._lost(marks) - SURE
        if marks + (1 if self._misere else 2) >= self._cells:
            return 0
        if depth == 0:
            return self._estimate(mine, theirs)
        best: cython.longlong = -2 * SURE
        value: cython.longlong
        place: cython.int = marks * 64
        end: cython.int = place + self._order_moves(mine, theirs, moves, place)
        while place < end and best < beta:
            value = -self._look_ahead(theirs, mine | self._order[place], marks + 1, depth - 1, -beta, -max(alpha, best))
            if self._stopped:
                return 0
            best = max(best, value)
            place += 1
        return best

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _estimate(self, mine: cython.ulonglong, theirs: cython.ulonglong) -> cython.longlong:
        """The difference of the potentials: live lines, each worth twice as much for every mark on it."""
        good: cython.longlong = self._potential(mine, theirs)
        bad: cython.longlong = self._potential(theirs, mine)
        return bad - good if self._misere else good - bad

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _count_node(self) -> cython.bint:
        """Counts a node; now and then sees whether to stop."""
        self._nodes += 1
        if self._nodes >= self._next_look:
            self._check_limits()
        if self._signals[0]:
            self._stopped = True
        return self._stopped

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _check_limits(self) -> cython.void:
        self._next_look = min(self._limit + 1, self._nodes + self._interval)
        if self._nodes > self._limit:
            self._nodes = self._limit
            self._stopped = True
        elif self._poll is not None:
            with cython.gil:
                self._poll_limits()

    def _poll_limits(self):
        # Apart from the function above: where an exception is caught, C holds the interpreter's lock throughout.
        try:
            self._stopped = bool(self._poll())
        except BaseException as error:  # noqa: BLE001, C cannot pass it on: raised again at the door
            self._raised = error
            self._stopped = True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _non_losing_moves(self, mine: cython.ulonglong, theirs: cython.ulonglong) -> cython.ulonglong:
        """The moves that do not lose at once; 0 if every move does."""
        empty: cython.ulonglong = self._full ^ (mine | theirs)
        own_wins: cython.ulonglong = self._threats(mine, empty) if self._misere else 0
        opponent_wins: cython.ulonglong = 0 if self._misere else self._threats(theirs, empty)
        return self._non_losing(mine | theirs, own_wins, opponent_wins)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _lost(self, marks: cython.int) -> cython.int:
        """The score where every move loses at once: by the next mark in misère games, else by the one after it."""
        return marks - self._cells if self._misere else marks + 1 - self._cells

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _static_upper(
        self,
        mine: cython.ulonglong,
        theirs: cython.ulonglong,
        marks: cython.int,
        alpha: cython.int,
        live: cython.ulonglong,
    ) -> cython.int:
        """An upper bound that needs no search; ``live`` are the lines by which the player to move may win."""
        upper: cython.int = self._win_score(marks + 2 if self._misere else marks + 3)
        if not live:
            return 0
        if (
            upper > 0
            and alpha >= 0
            and not self._misere
            and not self._drop
            and 2 * self._potential(mine, theirs) < UNIT
        ):
            return 0
        return upper

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _static_lower(
        self,
        mine: cython.ulonglong,
        theirs: cython.ulonglong,
        marks: cython.int,
        beta: cython.int,
        live: cython.ulonglong,
    ) -> cython.int:
        """A lower bound that needs no search; ``live`` are the lines by which the opponent may win."""
        lower: cython.int = -self._win_score(marks + 3 if self._misere else marks + 4)
        if not live:
            return 0
        if lower < 0 and beta <= 0 and not self._misere and not self._drop and self._potential(theirs, mine) < UNIT:
            return 0
        return lower

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _one_of(self, moves: cython.ulonglong, dead: cython.ulonglong) -> cython.ulonglong:
        """The moves with one of the dead cells at most: to mark any of them is to pass."""
        idle: cython.ulonglong = moves & dead
        return (moves ^ idle) | (idle & (0 - idle))

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _set_key(
        self, slot: cython.int, mine: cython.ulonglong, theirs: cython.ulonglong, marks: cython.int
    ) -> cython.void:
        """Gives a slot its key: 64 bits that also say where it stands, and 32 to check.

        It is that of the least of all symmetric images. Each mask goes through a mixing step of its own, with a seed
        of its own for every game and number of marks. Within a game and a number of marks, ``first`` and ``second``
        tell the masks, for both steps are bijections. So positions that share one mask never share a key; others do
        if all of 96 bits happen to agree.
        """
        turn: cython.int
        image: cython.ulonglong
        image_theirs: cython.ulonglong
        least: cython.ulonglong = mine
        least_theirs: cython.ulonglong = theirs
        for turn in range(self._symmetries):
            image = self._image(mine, turn)
            if image <= least:
                image_theirs = self._image(theirs, turn)
                if image < least or image_theirs < least_theirs:
                    least = image
                    least_theirs = image_theirs
        first: cython.ulonglong = _mix(least ^ self._key_seeds[2 * marks])
        second: cython.ulonglong = _mix_otherwise(least_theirs ^ self._key_seeds[2 * marks + 1])
        self._keys[slot] = first ^ second
        self._checks[slot] = first & CHECK_BITS

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _order_moves(
        self,
        mine: cython.ulonglong,
        theirs: cython.ulonglong,
        moves: cython.ulonglong,
        start: cython.int,
    ) -> cython.int:
        """Writes the moves into ``_order`` from ``start`` on, the most promising first; how many there are."""
        move: cython.ulonglong
        value: cython.int
        place: cython.int
        end: cython.int = start
        while moves:
            move = moves & (0 - moves)
            moves ^= move
            value = self._move_priority(mine, theirs, move)
            place = end
            while place > start and self._priorities[place - 1] < value:
                self._priorities[place] = self._priorities[place - 1]
                self._order[place] = self._order[place - 1]
                place -= 1
            self._priorities[place] = value
            self._order[place] = move
            end += 1
        return end - start

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _win_score(self, marks: cython.int) -> cython.int:
        """The score of a win on the ply that puts the ``marks``-th mark on the board; 0 if it has no room."""
        return max(0, self._cells + 1 - marks)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _move_priority(self, mine: cython.ulonglong, theirs: cython.ulonglong, move: cython.ulonglong) -> cython.int:
        """How early to try a move whose children are not at hand: by threats made, then by lines through it."""
        cell: cython.int = _count(move - 1)
        made: cython.int = _count(self._threats(mine | move, self._full ^ (mine | theirs | move)))
        return 64 * (64 - made) - self._weights[cell] if self._misere else 64 * made + self._weights[cell]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _threats(self, marks: cython.ulonglong, empty: cython.ulonglong) -> cython.ulonglong:
        """The empty cells that would complete a line of ``marks``."""
        found: cython.ulonglong = 0
        none: cython.ulonglong  # the lines of which no cell so far is missing, each by where it starts
        one: cython.ulonglong  # and those of which one is
        here: cython.ulonglong
        base: cython.int = 0
        pattern: cython.int
        i: cython.int
        for pattern in range(self._patterns):
            none = self._starts[pattern]
            one = 0
            for i in range(self._lengths[pattern]):
                here = marks >> self._offsets[base + i]
                one = (one & here) | (none ^ (none & here))
                none &= here
                if not (none | one):
                    break
            if one:
                for i in range(self._lengths[pattern]):
                    found |= one << self._offsets[base + i]
            base += LENGTH
        return found & empty

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _live(self, against: cython.ulonglong) -> cython.ulonglong:
        """The cells of all lines on which ``against`` has no mark."""
        found: cython.ulonglong = 0
        free: cython.ulonglong = self._full ^ against
        starts: cython.ulonglong
        base: cython.int = 0
        pattern: cython.int
        i: cython.int
        for pattern in range(self._patterns):
            starts = self._starts[pattern]
            for i in range(self._lengths[pattern]):
                starts &= free >> self._offsets[base + i]
            if starts:
                for i in range(self._lengths[pattern]):
                    found |= starts << self._offsets[base + i]
            base += LENGTH
        return found

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _has_line(self, marks: cython.ulonglong) -> cython.bint:
        """Whether ``marks`` hold a whole line."""
        starts: cython.ulonglong
        base: cython.int = 0
        pattern: cython.int
        i: cython.int
        for pattern in range(self._patterns):
            starts = self._starts[pattern]
            for i in range(self._lengths[pattern]):
                starts &= marks >> self._offsets[base + i]
                if not starts:
                    break
            if starts:
                return True
            base += LENGTH
        return False

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _potential(self, marks: cython.ulonglong, against: cython.ulonglong) -> cython.ulonglong:
        """The sum, over the lines that are alive for ``marks``, of ``UNIT`` halved for each cell still missing.

        If it is below UNIT with the opponent to move, or below half of it with the owner to move, the
        opponent can keep every line from being completed (Erdős and Selfridge, 1973).
        """
        total: cython.ulonglong = 0
        free: cython.ulonglong = self._full ^ against
        live: cython.ulonglong
        layer: cython.ulonglong
        carry: cython.ulonglong
        had: cython.ulonglong
        base: cython.int = 0
        pattern: cython.int
        i: cython.int
        weight: cython.int
        missing: cython.int
        digits = cython.declare(cython.ulonglong[7])
        for pattern in range(self._patterns):
            live = self._starts[pattern]
            for i in range(self._lengths[pattern]):
                live &= free >> self._offsets[base + i]
            if live:
                # digits[d] holds bit d of the number of marks on each line: a column of binary adders.
                for weight in range(DIGITS):
                    digits[weight] = 0
                for i in range(self._lengths[pattern]):
                    carry = marks >> self._offsets[base + i] & live
                    weight = 0
                    while carry:
                        had = digits[weight]
                        digits[weight] = had ^ carry
                        carry &= had
                        weight += 1
                for i in range(self._lengths[pattern]):
                    layer = live
                    weight = 0
                    while layer and weight < DIGITS:
                        layer &= digits[weight] if i >> weight & 1 else digits[weight] ^ EVERY_BIT
                        weight += 1
                    # What is too small to count is rounded up, which errs on the safe side.
                    missing = min(self._lengths[pattern] - i, 48)
                    total += cython.cast(cython.ulonglong, _count(layer)) * (UNIT >> missing)
            base += LENGTH
        return total

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _image(self, marks: cython.ulonglong, turn: cython.int) -> cython.ulonglong:
        """The mask after a symmetry."""
        found: cython.ulonglong = 0
        base: cython.int = turn * self._stride
        while marks:
            found |= self._images[base + cython.cast(cython.int, marks & 255)]
            marks >>= 8
            base += 256
        return found

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _bucket(self, key: cython.ulonglong, marks: cython.int) -> cython.ulonglong:
        """Where the bucket of a key begins. Positions near the end stand together at the beginning of the table."""
        return 4 * (key & (self._near_buckets if self._cells - marks <= NEAR_END_MAX_EMPTY else self._buckets))

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _probe(self, slot: cython.int) -> cython.ulonglong:
        """What the table holds for the key of a slot; 0 if nothing.

        Another process may write at the same moment. Each entry holds its data and ``key ^ data``, so
        one that was half written fits no key (Hyatt and Mann, 2002). The check bits are part of the data.
        """
        key: cython.ulonglong = self._keys[slot]
        check: cython.ulonglong = self._checks[slot]
        bucket: cython.ulonglong = self._bucket(key, self._marks[slot])
        data: cython.ulonglong = self._table[bucket + 1]
        if self._table[bucket] ^ data == key and data & CHECK_BITS == check:
            return data
        data = self._table[bucket + 3]
        if self._table[bucket + 2] ^ data == key and data & CHECK_BITS == check:
            return data
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _store(self, slot: cython.int, lower: cython.int, upper: cython.int) -> cython.void:
        """Writes an entry: the first of a bucket is kept for the greater subtree, the second is the last come."""
        key: cython.ulonglong = self._keys[slot]
        marks: cython.int = self._marks[slot]
        data: cython.ulonglong = self._checks[slot]
        data |= cython.cast(cython.ulonglong, lower + 128)
        data |= cython.cast(cython.ulonglong, upper + 128) << 8
        data |= cython.cast(cython.ulonglong, self._best_cell[slot] + 1) << 16
        data |= cython.cast(cython.ulonglong, 64 - marks) << 24
        bucket: cython.ulonglong = self._bucket(key, marks)
        held: cython.ulonglong = self._table[bucket + 1]
        same: cython.bint = (self._table[bucket] ^ held) == key
        if not same and cython.cast(cython.int, (held >> 24) & 255) > 64 - marks:
            bucket += 2
        self._table[bucket] = key ^ data
        self._table[bucket + 1] = data

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _forget(self, slot: cython.int) -> cython.void:
        """Clears both entries of the bucket of a slot."""
        bucket: cython.ulonglong = self._bucket(self._keys[slot], self._marks[slot])
        place: cython.int
        for place in range(4):
            self._table[bucket + place] = 0
