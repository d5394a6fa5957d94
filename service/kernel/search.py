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

POLL_STEPS = 2_000_000 if cython.compiled else 10_000
"""Cells of lines looked at between two looks at whether to stop: a few milliseconds, whatever the game."""

PROVEN = 1 << 60
"""What a won position is worth to ``look_ahead``, more than any estimate; its score is added."""

WORDS_PER_ENTRY = 2
"""Words of 64 bits that an entry of the table takes; two entries stand together as a bucket."""

# C has no 64-bit literals in this dialect, so the constants are C globals.
EVERY_BIT = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)
PAIRS = cython.declare(cython.ulonglong, 0x5555555555555555)
FOURS = cython.declare(cython.ulonglong, 0x3333333333333333)
BYTES = cython.declare(cython.ulonglong, 0x0F0F0F0F0F0F0F0F)
ONES = cython.declare(cython.ulonglong, 0x0101010101010101)
MIX_A = cython.declare(cython.ulonglong, 0xBF58476D1CE4E5B9)
MIX_B = cython.declare(cython.ulonglong, 0x94D049BB133111EB)
UNIT = cython.declare(cython.ulonglong, 1 << 48)
SURE = cython.declare(cython.longlong, PROVEN)
ROOM = cython.declare(cython.int, 14)  # empty cells below which to look all children up costs more than it saves
DIGITS = cython.declare(cython.int, 7)  # binary digits of the number of marks on a line
LENGTH = cython.declare(cython.int, MAX_LINE)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _count(x: cython.ulonglong) -> cython.int:
    """Number of bits set."""
    x = x - ((x >> 1) & PAIRS)
    x = (x & FOURS) + ((x >> 2) & FOURS)
    x = (x + (x >> 4)) & BYTES
    return ((x * ONES) & EVERY_BIT) >> 56


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _mix(x: cython.ulonglong) -> cython.ulonglong:
    """A bijection of 64 bits that spreads every bit over all (the finalizer of splitmix64, Steele et al., 2014)."""
    x = ((x ^ (x >> 30)) * MIX_A) & EVERY_BIT
    x = ((x ^ (x >> 27)) * MIX_B) & EVERY_BIT
    return x ^ (x >> 31)


class Stopped(Exception):
    """The search was told to stop, or had used up its nodes, before it could tell."""


@cython.cclass
class Search:
    """Searches of one game's positions, with ``table`` as their memory.

    ``table`` is a flat array of 64-bit words, a power of two of them, at least four; it may be shared with other
    threads and processes, and with other games. ``poll`` is asked now and then whether to stop;
    ``limit`` is the most nodes that it may search, None for any number.
    One thread at a time may use a Search; any number of them may use one table.
    """

    _cells: cython.int
    _misere: cython.bint
    _drop: cython.int
    _full: cython.ulonglong
    _floor: cython.ulonglong
    _follower: cython.ulonglong
    _patterns: cython.int
    _lengths: cython.int[::1]
    _offsets: cython.int[::1]
    _starts: cython.ulonglong[::1]
    _weights: cython.int[::1]
    _symmetries: cython.int
    _images: cython.ulonglong[::1]
    _stride: cython.int
    _salt: cython.ulonglong
    _pepper: cython.ulonglong
    _table: cython.ulonglong[::1]
    _buckets: cython.ulonglong
    _nodes: cython.longlong
    _limit: cython.longlong
    _interval: cython.longlong
    _next_look: cython.longlong
    _stopped: cython.bint
    _poll: object
    _raised: object
    _order: cython.ulonglong[::1]
    _promises: cython.int[::1]

    def __init__(self, rules: Rules, table, *, poll=None, limit=None):
        self._cells = rules.cells
        self._misere = rules.misere
        self._drop = rules.drop
        self._full = (1 << rules.cells) - 1
        self._floor = rules.floor
        self._follower = sum(1 << c for c in range(rules.cells) if rules.drop and c // rules.drop % 2 == 0)
        self._patterns = rules.patterns
        self._lengths = rules.lengths
        self._offsets = rules.offsets
        self._starts = rules.starts
        self._weights = rules.weights
        self._symmetries = rules.symmetries
        self._images = rules.images if rules.symmetries else rules.starts
        self._stride = rules.stride
        self._salt = rules.salt
        self._pepper = rules.pepper
        self._table = table
        self._buckets = len(table) // (2 * WORDS_PER_ENTRY) - 1
        self._nodes = 0
        self._limit = (1 << 62) if limit is None else limit
        steps = rules.cells * sum(rules.lengths)
        self._interval = max(1, min(POLL_NODES, POLL_STEPS // max(1, steps)))
        self._next_look = min(self._limit + 1, self._interval)
        self._stopped = False
        self._poll = poll
        self._raised = None
        # The moves of each ply, by the number of marks before it.
        self._order = array("Q", bytes(8 * 64 * 65))
        self._promises = array("i", bytes(4 * 64 * 65))

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

        Raises Stopped if it was stopped first; what it had proven until then stays in the table.
        """
        known = self.decided(mine, theirs)
        if known is not None:
            return known
        marks: cython.int = _count(mine | theirs)
        found: cython.int
        with cython.nogil:
            found = self._node(mine, theirs, marks, alpha, beta)
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
            found = self._look(mine, theirs, marks, depth, alpha, beta)
        self._raise_if_stopped()
        return found

    def _raise_if_stopped(self):
        if self._raised is not None:
            raise self._raised
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
        sensible: cython.ulonglong = self._sensible_moves(mine, theirs)
        rest: cython.ulonglong = self._playable(mine | theirs) ^ sensible
        found = []
        for moves in (sensible, rest):
            place: cython.int = marks * 64
            end: cython.int = place + self._arrange(mine, theirs, moves, place, -1)
            found += [_count(self._order[i] - 1) for i in range(place, end)]
        return found

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _playable(self, occupied: cython.ulonglong) -> cython.ulonglong:
        return (self._full ^ occupied) & (self._floor | (occupied >> self._drop))

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _node(  # noqa: C901, PLR0911, PLR0912, each cut-off is a branch and a return
        self,
        mine: cython.ulonglong,
        theirs: cython.ulonglong,
        marks: cython.int,
        alpha: cython.int,
        beta: cython.int,
    ) -> cython.int:
        """``bound`` for an unfinished position in which the player to move cannot complete a line (unless misère).

        Negamax (Knuth and Moore, 1975), fail-soft (Fishburn, 1983), with a lower and an upper bound of each position
        in the table.
        """
        if self._stops():
            return 0
        moves: cython.ulonglong = self._sensible_moves(mine, theirs)
        if not moves:
            return self._lost(marks)
        live: cython.ulonglong = self._live(theirs)
        live_theirs: cython.ulonglong = self._live(mine)
        upper: cython.int = self._most(mine, theirs, marks, alpha, live_theirs if self._misere else live)
        lower: cython.int = self._least(mine, theirs, marks, beta, live if self._misere else live_theirs)
        if lower >= beta or lower >= upper:
            return lower
        if upper <= alpha:
            return upper

        dead: cython.ulonglong = self._dead(mine, theirs, live | live_theirs)
        if not self._drop:
            moves = self._one_of(moves, dead)
        key: cython.ulonglong = self._key(mine | dead, theirs | dead, marks)
        data: cython.ulonglong = self._recall(key)
        if data:
            lower = max(lower, cython.cast(cython.int, data & 255) - 128)
            upper = min(upper, cython.cast(cython.int, (data >> 8) & 255) - 128)
            if lower >= beta or lower >= upper:
                return lower
            if upper <= alpha:
                return upper

        low: cython.int = max(alpha, lower)
        high: cython.int = min(beta, upper)
        raised: cython.int = low
        best: cython.int = -1000
        best_move: cython.ulonglong = 0
        place: cython.int = marks * 64
        end: cython.int = place + self._arrange(
            mine, theirs, moves, place, cython.cast(cython.int, data >> 16 & 255) - 1
        )
        value: cython.int
        if self._drop and self._cells - marks > ROOM:
            # What is known of the children may suffice (enhanced transposition cut-offs, Schaeffer and Plaat, 1996).
            while place < end:
                value = self._known_child(theirs, mine | self._order[place], marks + 1)
                if value >= high:
                    return value
                place += 1
            place = marks * 64
        while place < end:
            value = -self._node(theirs, mine | self._order[place], marks + 1, -high, -raised)
            if self._stopped:
                return 0
            if value > best:
                best = value
                best_move = self._order[place]
                if value >= high:
                    break
                raised = max(raised, value)
            place += 1
        if best > low:
            lower = best
        if best < high:
            upper = best
        self._remember(key, lower, upper, _count(best_move - 1), marks)
        return best

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _known_child(self, mine: cython.ulonglong, theirs: cython.ulonglong, marks: cython.int) -> cython.int:
        """What the table promises to the player who has moved to this position; very little if nothing."""
        dead: cython.ulonglong = self._dead(mine, theirs, self._live(theirs) | self._live(mine))
        data: cython.ulonglong = self._recall(self._key(mine | dead, theirs | dead, marks))
        return 128 - cython.cast(cython.int, (data >> 8) & 255) if data else -1000

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
    def _look(
        self,
        mine: cython.ulonglong,
        theirs: cython.ulonglong,
        marks: cython.int,
        depth: cython.int,
        alpha: cython.longlong,
        beta: cython.longlong,
    ) -> cython.longlong:
        """``look_ahead`` for a position as ``_node`` takes it."""
        if self._stops():
            return 0
        moves: cython.ulonglong = self._sensible_moves(mine, theirs)
        if not moves:
            return self._lost(marks) - SURE
        if marks + (1 if self._misere else 2) >= self._cells:
            return 0
        if depth == 0:
            return self._estimate(mine, theirs)
        best: cython.longlong = -2 * SURE
        value: cython.longlong
        place: cython.int = marks * 64
        end: cython.int = place + self._arrange(mine, theirs, moves, place, -1)
        while place < end and best < beta:
            value = -self._look(theirs, mine | self._order[place], marks + 1, depth - 1, -beta, -max(alpha, best))
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
    def _stops(self) -> cython.bint:
        """Counts a node; now and then sees whether to stop."""
        self._nodes += 1
        if self._nodes >= self._next_look:
            self._look_around()
        return self._stopped

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _look_around(self) -> cython.void:
        self._next_look = min(self._limit + 1, self._nodes + self._interval)
        if self._nodes > self._limit:
            self._nodes = self._limit
            self._stopped = True
        elif self._poll is not None:
            with cython.gil:
                self._ask()

    def _ask(self):
        # Apart from the function above: where an exception is caught, C holds the interpreter's lock throughout.
        try:
            self._stopped = bool(self._poll())
        except BaseException as error:  # noqa: BLE001, C cannot pass it on: raised again at the door
            self._raised = error
            self._stopped = True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _sensible_moves(self, mine: cython.ulonglong, theirs: cython.ulonglong) -> cython.ulonglong:
        """The moves that do not lose at once; 0 if every move does."""
        occupied: cython.ulonglong = mine | theirs
        playable: cython.ulonglong = self._playable(occupied)
        if self._misere:
            return playable & (self._full ^ self._threats(mine, self._full ^ occupied))
        danger: cython.ulonglong = self._threats(theirs, self._full ^ occupied)
        forced: cython.ulonglong = danger & playable
        if forced & (forced - 1):
            return 0
        moves: cython.ulonglong = forced or playable
        if self._drop:
            # A mark under a threat of the opponent lets them carry it out.
            moves &= self._full ^ ((danger << self._drop) & self._full)
        return moves

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _lost(self, marks: cython.int) -> cython.int:
        """The score where every move loses at once: by the next mark in misère games, else by the one after it."""
        return marks - self._cells if self._misere else marks + 1 - self._cells

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _most(
        self,
        mine: cython.ulonglong,
        theirs: cython.ulonglong,
        marks: cython.int,
        alpha: cython.int,
        live: cython.ulonglong,
    ) -> cython.int:
        """An upper bound that needs no search; ``live`` are the lines by which the player to move may win."""
        upper: cython.int = self._worth(marks + 2 if self._misere else marks + 3)
        if not live:
            return 0
        if upper > 0 and not self._misere and self._cannot_win(mine, theirs, alpha):
            return 0
        return upper

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _least(
        self,
        mine: cython.ulonglong,
        theirs: cython.ulonglong,
        marks: cython.int,
        beta: cython.int,
        live: cython.ulonglong,
    ) -> cython.int:
        """A lower bound that needs no search; ``live`` are the lines by which the opponent may win."""
        lower: cython.int = -self._worth(marks + 3 if self._misere else marks + 4)
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
    def _key(self, mine: cython.ulonglong, theirs: cython.ulonglong, marks: cython.int) -> cython.ulonglong:
        """A hash of the least of all symmetric images of a position, of the game, and of the number of marks."""
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
        partial: cython.ulonglong = _mix(least ^ self._salt)
        other: cython.ulonglong = least_theirs ^ self._pepper
        return _mix((partial + other + (cython.cast(cython.ulonglong, marks) << 57)) & EVERY_BIT)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _arrange(
        self,
        mine: cython.ulonglong,
        theirs: cython.ulonglong,
        moves: cython.ulonglong,
        start: cython.int,
        first: cython.int,
    ) -> cython.int:
        """Writes the moves into ``_order`` from ``start`` on, the most promising first; how many there are."""
        move: cython.ulonglong
        value: cython.int
        place: cython.int
        end: cython.int = start
        while moves:
            move = moves & (0 - moves)
            moves ^= move
            value = self._promise(mine, theirs, move, first)
            place = end
            while place > start and self._promises[place - 1] < value:
                self._promises[place] = self._promises[place - 1]
                self._order[place] = self._order[place - 1]
                place -= 1
            self._promises[place] = value
            self._order[place] = move
            end += 1
        return end - start

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _worth(self, marks: cython.int) -> cython.int:
        """The score of a win on the ply that puts the ``marks``-th mark on the board; 0 if it has no room."""
        return max(0, self._cells + 1 - marks)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _cannot_win(self, mine: cython.ulonglong, theirs: cython.ulonglong, alpha: cython.int) -> cython.bint:
        """Whether a strategy of the opponent is known that keeps the player to move from ever completing a line."""
        if not self._drop:
            return alpha >= 0 and self._potential(mine, theirs) < (UNIT >> 1)
        # Gravity: if every column has an even number of empty cells, the opponent can always answer
        # in the same column, and so gets every second cell of it, the top one included.
        empty: cython.ulonglong = self._full ^ (mine | theirs)
        if self._playable(mine | theirs) & self._follower:
            return False
        return not self._has_line(mine | (empty & (self._full ^ self._follower)))

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _promise(
        self, mine: cython.ulonglong, theirs: cython.ulonglong, move: cython.ulonglong, first: cython.int
    ) -> cython.int:
        """How early to try a move: the remembered one first, then by threats made, then by lines through it."""
        cell: cython.int = _count(move - 1)
        empty: cython.ulonglong = self._full ^ (mine | theirs | move)
        if cell == first:
            return 1 << 20
        if self._misere:
            return 64 * (64 - _count(self._threats(mine | move, empty))) - self._weights[cell]
        return 64 * _count(self._threats(mine | move, empty)) + self._weights[cell]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _threats(self, marks: cython.ulonglong, empty: cython.ulonglong) -> cython.ulonglong:
        """The empty cells that would complete a line of ``marks``."""
        found: cython.ulonglong = 0
        before: cython.ulonglong
        others: cython.ulonglong
        base: cython.int = 0
        pattern: cython.int
        missing: cython.int
        i: cython.int
        for pattern in range(self._patterns):
            before = self._starts[pattern]
            for missing in range(self._lengths[pattern]):
                others = before
                for i in range(missing + 1, self._lengths[pattern]):
                    others &= marks >> self._offsets[base + i]
                    if not others:
                        break
                found |= others << self._offsets[base + missing]
                before &= marks >> self._offsets[base + missing]
                if not before:
                    break
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
    @cython.nogil
    @cython.exceptval(check=False)
    def _recall(self, key: cython.ulonglong) -> cython.ulonglong:
        """What the table holds for a key; 0 if nothing.

        Another process may write at the same moment. Each entry holds its data and ``key ^ data``, so
        one that was half written fits no key (Hyatt and Mann, 2002).
        """
        bucket: cython.ulonglong = 4 * (key & self._buckets)
        data: cython.ulonglong = self._table[bucket + 1]
        if self._table[bucket] ^ data == key:
            return data
        data = self._table[bucket + 3]
        if self._table[bucket + 2] ^ data == key:
            return data
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _remember(
        self,
        key: cython.ulonglong,
        lower: cython.int,
        upper: cython.int,
        cell: cython.int,
        marks: cython.int,
    ) -> cython.void:
        """Writes an entry: the first of a bucket is kept for the greater subtree, the second is the last come."""
        data: cython.ulonglong = lower + 128
        data |= cython.cast(cython.ulonglong, upper + 128) << 8
        data |= cython.cast(cython.ulonglong, cell + 1) << 16
        data |= cython.cast(cython.ulonglong, 64 - marks) << 24
        data |= cython.cast(cython.ulonglong, 1) << 32
        bucket: cython.ulonglong = 4 * (key & self._buckets)
        held: cython.ulonglong = self._table[bucket + 1]
        same: cython.bint = (self._table[bucket] ^ held) == key
        if not same and cython.cast(cython.int, (held >> 24) & 255) > 64 - marks:
            bucket += 2
        self._table[bucket] = key ^ data
        self._table[bucket + 1] = data
