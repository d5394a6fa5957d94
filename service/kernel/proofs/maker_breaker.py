"""Draws by one-sided play: can one player, the *maker*, complete a line if the other one only blocks?

In games without gravity in which a line wins, a player who cannot complete a line as the maker cannot win: lines of the
opponent, the *breaker*, only make it harder. The reverse is not true, so a win of the maker proves nothing here.

The search is depth-first, with a table. Each proof comes with a *zone* (relevance zones: Thomsen, 2000; Wu and Lin,
2010; must-play regions in Hex): if the breaker holds, it does so even if all empty cells outside of the zone are the
maker's; if it falls, it does so even if they are the breaker's. A move outside of the zone of another move's refutation
has the same refutation, so only the moves in the intersection of all zones remain to be tried.
"""

from array import array

import cython

from service.kernel import bits
from service.kernel.board import Board
from service.kernel.limits import Limits
from service.kernel.proofs import zone_table
from service.kernel.proofs.live_lines import LiveLines
from service.kernel.proofs.pairing import Pairing
from service.kernel.proofs.zone_table import ZoneTable

MAX_FORCED = cython.declare(cython.const_int, 8)  # the maximum forcing moves of the maker in a row
MAX_FORCED_STEPS = cython.declare(cython.const_int, 500)  # and the maximum number tried in one search for a win
MOST_TESTED = cython.declare(cython.const_int, 8)  # the maximum replies of the breaker tested before one is searched
LENGTH = cython.declare(cython.const_int, 16)  # the cost of a node, in nodes of the alpha-beta search
UNTESTED = cython.declare(cython.const_longlong, 1 << 60)  # how far a reply not tested is below one that was

LINE_VALUES = array("q", (1 + round(2.0**32 * 0.75**missing) for missing in range(bits.MAX_CELLS + 1)))
"""The value of a line for a move in it, by the number of its missing cells."""


class MakerBreaker:
    """Searches positions of one game. ``words`` and ``key_seeds`` are those of the transposition table.

    A node is a call of the static test, which takes nearly all of the time. The searching methods return whether the
    breaker holds and leave the zone of the proof in ``zone``; after a stop neither has a meaning.
    """

    def __init__(self, board: Board, words: bits.Words, key_seeds: bits.Words, limits: Limits) -> None:
        self._board = board
        self._limits = limits
        self.lines = LiveLines(board)
        self.pairing = Pairing(self.lines)
        self.table = ZoneTable(board, self.lines, words, key_seeds)
        self._values = array("q", bytes(8 * bits.MAX_CELLS * self.lines.frames))
        self._stronger = array("i", bytes(4 * bits.MAX_CELLS * self.lines.frames))
        self._line_values = LINE_VALUES
        self.zone = 0
        self._steps = 0

    def holds(self, marks: bits.Mask, against: bits.Mask, maker_first: cython.bint) -> cython.bint:
        """Return whether the breaker, who has marked ``against``, keeps the maker from completing a line."""
        self.lines.load(0, marks, against)
        return self._maker_to_move(0) if maker_first else self._breaker_to_move(0)

    def reply(self, marks: bits.Mask, against: bits.Mask) -> bits.Mask:
        """Return a move after which the breaker, who is to move, holds; 0 if there is none, or after a stop."""
        threats: bits.Mask
        self.lines.load(0, marks, against)
        threats = self.lines.threats(0)
        if threats & (threats - 1):
            return 0
        if threats:
            self.lines.block(0, threats)
            return threats if self._maker_to_move(0) and not self._limits.stopped else 0
        self.lines.remove_paired(0)
        if not self.lines.counts[0]:
            threats = self._board.full ^ (marks | against)
            return threats & (0 - threats)
        return self._holding_move(0)

    # The maker to move.

    def _maker_to_move(self, frame: cython.int) -> cython.bint:
        """Return whether the breaker holds the lines of a frame, the maker to move: by static tests, else by a search.

        A line of two cells, one on no other line, is a free threat: the maker marks the other cell, and the breaker
        has to answer in the private cell, which blocks no other line.
        """
        zone: bits.Mask = 0
        pair: bits.Mask
        own: bits.Mask
        found: cython.bint
        while True:
            own = self.lines.threats(frame)
            if own:
                self.zone = zone | (own & (0 - own))
                return False
            zone |= self.lines.remove_paired(frame)
            pair = self.lines.free_threat(frame)
            if not pair:
                break
            zone |= pair
            own = pair & self.lines.private(frame)
            self.lines.make(frame, pair ^ own)
            self.lines.block(frame, own)
        found = True
        self.zone = 0
        if self.lines.counts[frame]:
            found = self._probe_or_search(frame, zone_table.MAKER_FIRST)
        self.zone |= zone
        return found

    def _try_maker(self, frame: cython.int) -> cython.bint:
        """Return whether the breaker holds against every move of the maker."""
        weaker: bits.Mask = self._find_weaker(frame)
        moves: bits.Mask = self.lines.cells(frame)
        moves ^= weaker
        zone: bits.Mask = 0
        move: bits.Mask
        self._weigh_moves(frame, moves)
        while moves:
            move = self._best_move(frame, moves)
            moves ^= move
            self.lines.copy(frame)
            self.lines.make(frame + 1, move)
            if not self._breaker_to_move(frame + 1):
                self.zone |= move
                return False
            if self._limits.stopped:
                return False
            zone |= self.zone
            moves &= self.zone
        self.zone = self._with_stronger(frame, zone, weaker)
        return True

    def _wins_by_force(self, frame: cython.int, depth: cython.int) -> cython.bint:
        """Return whether the maker wins by at most ``depth`` threats, each with only one reply of the breaker."""
        i: cython.int
        start: cython.int = frame * self.lines.places
        line: bits.Mask
        rest: bits.Mask
        cell: bits.Mask
        answers: bits.Mask
        for i in range(start, start + self.lines.counts[frame]):
            line = self.lines.lines[i]
            rest = line & (line - 1)
            if not rest or rest & (rest - 1):
                continue
            for _ in range(2):
                cell = rest
                rest ^= line
                self._steps += 1
                if self._steps > MAX_FORCED_STEPS:
                    return False
                self.lines.copy(frame)
                self.lines.make(frame + 1, cell)
                answers = self.lines.threats(frame + 1)
                if answers & (answers - 1):
                    self.zone = cell | answers
                    return True
                self.lines.block(frame + 1, answers)
                if depth > 1 and self._wins_by_force(frame + 1, depth - 1):
                    self.zone |= line
                    return True
        return False

    # The breaker to move.

    def _breaker_to_move(self, frame: cython.int) -> cython.bint:
        """Return whether the breaker, to move, holds the lines of a frame: by static tests, else by a search."""
        zone: bits.Mask = self.lines.threats(frame)
        found: cython.bint = False
        if zone & (zone - 1):
            self.zone = zone
            return False
        if zone:
            self.lines.block(frame, zone)
            found = self._maker_to_move(frame)
            self.zone |= zone
            return found
        zone = self.lines.remove_paired(frame)
        found = True
        self.zone = 0
        if self.lines.counts[frame]:
            found = self._probe_or_search(frame, zone_table.BREAKER_FIRST)
        self.zone |= zone
        return found

    def _holding_move(self, frame: cython.int) -> bits.Mask:
        """Return a move of the breaker that holds; 0 if there is none, or after a stop."""
        weaker: bits.Mask = self._find_weaker(frame)
        moves: bits.Mask = self.lines.cells(frame)
        moves ^= weaker
        zone: bits.Mask = 0
        move: bits.Mask
        self._steps = 0
        if self._wins_by_force(frame, MAX_FORCED):
            zone = self._with_stronger(frame, self.zone, weaker)
            moves &= zone
        move = self._tested_move(frame, moves)
        if move:
            return move
        while moves and not self._limits.stopped:
            move = self._best_move(frame, moves)
            moves ^= move
            self.lines.copy(frame)
            self.lines.block(frame + 1, move)
            if self._maker_to_move(frame + 1):
                self.zone |= move
                return 0 if self._limits.stopped else move
            self.zone = self._with_stronger(frame, self.zone, weaker)
            zone |= self.zone
            moves &= self.zone
        self.zone = zone
        return 0

    def _tested_move(self, frame: cython.int, moves: bits.Mask) -> bits.Mask:
        """Test some moves of the breaker, the heaviest first; return one after which the test proves that it holds.

        Return 0 if there is none. Then each tested move is valued by the potential that the test leaves, and the others
        below, by their weight. Where the breaker holds, one of the first tests mostly proves it.
        """
        left: cython.int = MOST_TESTED
        base: cython.int = bits.MAX_CELLS * frame
        move: bits.Mask
        zone: bits.Mask
        self._weigh_moves(frame, moves)
        while moves and left:
            left -= 1
            move = self._best_move(frame, moves)
            moves ^= move
            self.lines.copy(frame)
            self.lines.block(frame + 1, move)
            zone = self.lines.remove_paired(frame + 1) | move
            if self._test(frame + 1, zone_table.MAKER_FIRST):
                self.zone |= zone
                return move
            if self._limits.stopped:
                return 0
            self._values[base + bits.cell(move)] = -self.pairing.potential
        while moves:
            self._values[base + bits.cell(moves & (0 - moves))] -= UNTESTED
            moves &= moves - 1
        return 0

    # Both.

    def _probe_or_search(self, frame: cython.int, maker_first: cython.bint) -> cython.bint:
        """Return whether the breaker holds the lines of a frame, by the table or by a search."""
        known: cython.int
        found: cython.bint
        key, check, symmetry = self.table.identify(frame, maker_first)
        known = self.table.probe(key, check, symmetry)
        if known != zone_table.UNKNOWN:
            self.zone = self.table.zone
            return known == zone_table.HOLDS
        found = self._search(frame, maker_first)
        if not self._limits.stopped:
            self.table.store(key, check, symmetry, zone_table.HOLDS if found else zone_table.FALLS, self.zone)
        return found

    def _search(self, frame: cython.int, maker_first: cython.bint) -> cython.bint:
        self._steps = 0
        if maker_first and self._wins_by_force(frame, MAX_FORCED):
            return False
        if self._test(frame, maker_first):
            return True
        if self._limits.stopped:
            return False
        return self._try_maker(frame) if maker_first else self._holding_move(frame) != 0

    def _test(self, frame: cython.int, maker_first: cython.bint) -> cython.bint:
        """Return whether the breaker holds by pairs and potential. Counts a node."""
        if self._limits.count_long_node(LENGTH):
            return False
        if self.pairing.holds(frame, maker_first):
            self.zone = self.pairing.zone
            return True
        return False

    def _find_weaker(self, frame: cython.int) -> bits.Mask:
        """Return the cells that need not be tried, and record a stronger cell for each of them.

        For either player, a cell is weaker than another cell that lies on all of its lines. Of several cells on the
        same lines, only the lowest is tried.
        """
        found: bits.Mask = 0
        cells: bits.Mask = self.lines.cells(frame)
        base: cython.int = bits.MAX_CELLS * frame
        cell: bits.Mask
        other: bits.Mask
        common: bits.Mask
        while cells:
            cell = cells & (0 - cells)
            cells ^= cell
            common = self.lines.common(frame, cell)
            while common:
                other = common & (0 - common)
                common ^= other
                if other < cell or not self.lines.common(frame, other) & cell:
                    found |= cell
                    self._stronger[base + bits.cell(cell)] = bits.cell(other)
                    break
        return found

    def _with_stronger(self, frame: cython.int, zone: bits.Mask, weaker: bits.Mask) -> bits.Mask:
        """Return the zone with the stronger cell of each weaker cell in it, which makes it valid for untried cells."""
        base: cython.int = bits.MAX_CELLS * frame
        rest: bits.Mask = zone & weaker
        cell: cython.int
        while rest:
            cell = bits.cell(rest & (0 - rest))
            rest &= rest - 1
            while weaker >> cell & 1:
                cell = self._stronger[base + cell]
                zone |= cython.cast(cython.ulonglong, 1) << cell
        return zone

    def _weigh_moves(self, frame: cython.int, moves: bits.Mask) -> None:
        """Value each move by the lines through its cell; lines that lack fewer cells count more."""
        i: cython.int
        value: cython.longlong
        line: bits.Mask
        start: cython.int = frame * self.lines.places
        while moves:
            self._values[bits.MAX_CELLS * frame + bits.cell(moves & (0 - moves))] = 0
            moves &= moves - 1
        for i in range(start, start + self.lines.counts[frame]):
            line = self.lines.lines[i]
            value = self._line_values[bits.count(line)]
            while line:
                self._values[bits.MAX_CELLS * frame + bits.cell(line & (0 - line))] += value
                line &= line - 1

    def _best_move(self, frame: cython.int, moves: bits.Mask) -> bits.Mask:
        """Return the move of the greatest value; of several such moves the lowest."""
        best: bits.Mask = moves & (0 - moves)
        move: bits.Mask
        base: cython.int = bits.MAX_CELLS * frame
        while moves:
            move = moves & (0 - moves)
            moves ^= move
            if self._values[base + bits.cell(move)] > self._values[base + bits.cell(best)]:
                best = move
        return best
