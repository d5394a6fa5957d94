"""The small boards of ultimate tic-tac-toe as numbers, equal for boards with the same future.

A mark matters while a player can still complete a line through its cell. On a board that is won only its owner and
the cells that are marked matter.
"""

from array import array
from math import exp

import cython

from service.games.boards.cells import Cells
from service.kernel import bits

CELLS = cython.declare(cython.const_int, 9)
MASKS = cython.declare(cython.const_int, 512)
FULL = cython.declare(cython.int, 511)

NUMBERS = cython.declare(cython.int, 11_000)  # more than there are
NONE = cython.declare(cython.int, -1)  # no board: a cell is not free

NO_WAY = cython.declare(cython.int, 15)  # what a player lacks who cannot win a board
CERTAIN = cython.declare(cython.const_int, 255)  # the chance of the player who has won it

# Facts, each of all boards. The status has bits 0 and 9 for boards that X and O own, and bit 18 for finished ones.
STATUS = cython.declare(cython.int, 0)
LACKS = cython.declare(cython.int, 11_000)  # the fewest marks with which X can win a board, then O
CHANCES = cython.declare(cython.int, 33_000)  # how likely X wins it, then O
OPEN = cython.declare(cython.int, 55_000)  # the number of cells that are not marked
AXES = cython.declare(cython.int, 66_000)  # how many cells of each pair of opposite ones are marked, a byte each

MORE = 0.95
"""How likely there is a further mark on a board before the game ends."""

POWER = 1.25
"""The power of a chance that makes it a fact: what is likely counts more, because a player cannot be everywhere.

Both numbers have the least error for the results of games of the engine against itself, together with the weights of
``BoardLines``.
"""


class SmallBoards:
    """All small boards with the lines of ``cells``: ``count`` numbers, that of the empty one is 0.

    ``facts`` has what is known of each. Where a board may be played on after it is won, ``owned`` has a number for each
    mask of marked cells; else it counts as full.
    """

    def __init__(self, cells: Cells) -> None:
        x: cython.int
        o: cython.int
        code: cython.int
        self.cells = cells
        self.has_line = array("B", [cells.has_line(mask) for mask in range(MASKS)])
        self._codes = array("H", [0]) * (MASKS * MASKS)
        self._owned = array("H", [0]) * (3 * MASKS)
        self._examples = array("I", [0]) * NUMBERS
        self.facts = array("i", [0]) * (7 * NUMBERS)
        numbers: dict[tuple[int, int, int], int] = {}
        for o in range(MASKS):
            for x in range(MASKS):
                if not x & o and not self.has_line[x] and not self.has_line[o]:
                    matters: cython.int = self._relevant(x, o)
                    code = numbers.setdefault((x & matters, o & matters, x | o), len(numbers))
                    self._codes[x | o << CELLS] = code
                    self._examples[code] = x | o << CELLS
        self.count = len(numbers)
        for o in (1, 2):
            for x in range(MASKS):
                if self.has_line[x]:
                    self._owned[o * MASKS + x] = self.count
                    self._examples[self.count] = x | o << 2 * CELLS
                    self.count += 1
        chances = array("d", [0.0]) * (2 * NUMBERS)
        for code in sorted(range(self.count), key=self._open):
            self._state_facts(code)
            self._find_chances(chances, code)
            for x in (0, 1):
                self.facts[CHANCES + x * NUMBERS + code] = int(chances[x * NUMBERS + code] ** POWER * CERTAIN + 0.5)

    def code(self, x: cython.int, o: cython.int, owner: cython.int) -> cython.int:
        """Return the number of a board with these marks, won by X (1), by O (2), or still open (0)."""
        return self._owned[owner * MASKS + (x | o)] if owner else self._codes[x | o << CELLS]

    def marked(self, code: cython.int, turn: cython.int, cell: cython.int, closed: cython.bint) -> cython.int:
        """Return the number of a board after a mark of X (0) or O (1); ``NONE`` if the cell is not free.

        ``closed``: a board that is won takes no more marks.
        """
        example: cython.int = self._examples[code]
        owner: cython.int = example >> 2 * CELLS
        x: cython.int = example & FULL
        o: cython.int = example >> CELLS & FULL
        bit: cython.int = 1 << cell
        if (x | o) & bit:
            return NONE
        if owner:
            return self._owned[owner * MASKS + (x | bit)]
        if turn:
            o |= bit
        else:
            x |= bit
        if not self.has_line[o if turn else x]:
            return self._codes[x | o << CELLS]
        return self._owned[(turn + 1) * MASKS + (FULL if closed else x | o)]

    def all_marked(self, closed: cython.bint) -> bits.Words:
        """Return ``marked`` of every board in turn: after marks of X in its nine cells, then of O."""
        code: cython.int
        turn: cython.int
        cell: cython.int
        found: bits.Words = array("h", [0]) * (2 * CELLS * self.count)
        codes: cython.short[::1] = found
        for code in range(self.count):
            for turn in range(2):
                for cell in range(CELLS):
                    codes[CELLS * (2 * code + turn) + cell] = self.marked(code, turn, cell, closed)
        return found

    def turned(self, code: cython.int, symmetry: cython.int) -> cython.int:
        """Return the number of the image of a board under a symmetry."""
        example: cython.int = self._examples[code]
        x: cython.int = self.cells.image(example & FULL, symmetry)
        o: cython.int = self.cells.image(example >> CELLS & FULL, symmetry)
        return self.code(x, o, example >> 2 * CELLS)

    def _relevant(self, x: cython.int, o: cython.int) -> cython.int:
        """Return the cells of the lines that a player can still complete."""
        i: cython.int
        found: cython.int = 0
        for i in range(self.cells.count):
            line: cython.int = self.cells.lines[i]
            if not line & x or not line & o:
                found |= line
        return found

    def _open(self, code: cython.int) -> cython.int:
        """Return how many cells are free."""
        example: cython.int = self._examples[code]
        return CELLS - bits.count((example | example >> CELLS) & FULL)

    def _lacking(self, own: cython.int, other: cython.int) -> cython.ulonglong:
        """Return the fewest marks with which a player wins a board; ``NO_WAY`` if none do."""
        missing: cython.int = self.cells.missing(own, other)
        return min(missing, NO_WAY)

    def _state_facts(self, code: cython.int) -> None:
        """Fill in the facts of a board that follow from its marks alone."""
        one: cython.ulonglong = 1
        cell: cython.int
        example: cython.int = self._examples[code]
        owner: cython.int = example >> 2 * CELLS
        x: cython.int = example & FULL
        o: cython.int = example >> CELLS & FULL
        self.facts[OPEN + code] = self._open(code)
        self.facts[STATUS + code] = one << 2 * CELLS if x | o == FULL else 0
        self.facts[LACKS + code] = self._lacking(x, o)
        self.facts[LACKS + NUMBERS + code] = self._lacking(o, x)
        for cell in range(0 if owner else CELLS // 2):
            pair: cython.int = 1 << cell | 1 << CELLS - 1 - cell
            self.facts[AXES + code] += cython.cast(cython.ulonglong, bits.count((x | o) & pair)) << 8 * cell
        if owner:
            self.facts[STATUS + code] |= one << CELLS * (owner - 1)
            self.facts[LACKS + code] = NO_WAY
            self.facts[LACKS + NUMBERS + code] = NO_WAY
            self.facts[LACKS + (owner - 1) * NUMBERS + code] = 0

    def _find_chances(self, chances: cython.double[::1], code: cython.int) -> None:
        """Write how likely X and O win a board, from the ``chances`` of all boards with more marks.

        The next mark is as likely of X as of O. It is the likelier in a cell, the better that is for its player: in
        proportion to the exponential of the player's chance then minus that of the other.
        """
        turn: cython.int
        cell: cython.int
        closed: cython.bint = False
        owner: cython.int = self._examples[code] >> 2 * CELLS
        if owner:
            chances[(owner - 1) * NUMBERS + code] = 1
            return
        for turn in range(2):
            x: cython.double = 0
            o: cython.double = 0
            total: cython.double = 0
            for cell in range(CELLS):
                after: cython.int = self.marked(code, turn, cell, closed)
                if after != NONE:
                    ahead: cython.double = chances[after] - chances[NUMBERS + after]
                    weight: cython.double = exp(-ahead if turn else ahead)
                    x += weight * chances[after]
                    o += weight * chances[NUMBERS + after]
                    total += weight
            if total:
                chances[code] += MORE * x / total / 2
                chances[NUMBERS + code] += MORE * o / total / 2
