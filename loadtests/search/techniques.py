"""One search of tic-tac-toe's family, and the techniques it can use, from none to those of the service's kernel.

``Techniques`` says what ``Minimax`` uses; each entry of ``STEPS`` is the one before it plus one technique.

As in the kernel, a position is two masks, ``mine`` of the player to move and ``theirs``, and a game that ends with
``n`` marks on the board is worth ``cells + 1 - n`` to its winner, the negative of that to its loser.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial

from service.games.game import Game, permute
from service.kernel.search import Stopped

Bounds = tuple[int, int]
Key = tuple[int, ...]

ANY = 1000
UNKNOWN: Bounds = (-ANY, ANY)
"""Bounds that every score is within."""


def exactly(score: int) -> Bounds:
    """Return the bounds of a known score."""
    return score, score


def threats(game: Game, marks: int, empty: int) -> int:
    """Return the empty cells that would complete a line of ``marks``."""
    found = 0
    for line in game.line_masks:
        missing = line & ~marks
        if not missing & (missing - 1):
            found |= missing
    return found & empty


def empty_cells(game: Game, mine: int, theirs: int) -> int:
    """Return the empty cells."""
    return game.full ^ (mine | theirs)


def ended(game: Game, mine: int, theirs: int) -> Bounds:
    """Bound a finished game. A line is tested before a full board."""
    marks = mine | theirs
    for line in game.line_masks:
        if line & theirs == line:
            return exactly(marks.bit_count() - game.cells - 1)
    return exactly(0) if marks == game.full else UNKNOWN


def win_now(game: Game, mine: int, theirs: int) -> Bounds:
    """Bound the score if the next mark can complete a line."""
    empty = empty_cells(game, mine, theirs)
    return exactly(empty.bit_count()) if threats(game, mine, empty) else UNKNOWN


def two_threats(game: Game, mine: int, theirs: int) -> Bounds:
    """Bound the score if the opponent threatens to win in two cells: one move blocks only one of them."""
    empty = empty_cells(game, mine, theirs)
    return exactly(1 - empty.bit_count()) if threats(game, theirs, empty).bit_count() > 1 else UNKNOWN


def forced_block(game: Game, mine: int, theirs: int) -> int:
    """Return the cells where the opponent would win, or every empty cell if there is none."""
    empty = empty_cells(game, mine, theirs)
    return threats(game, theirs, empty) or empty


def as_it_stands(_: Game, mine: int, theirs: int) -> Key:
    """Return the position itself."""
    return mine, theirs


def least_image(game: Game, mine: int, theirs: int) -> Key:
    """Return the least of the symmetric images of a position: the same for all of them."""
    return min(zip(_images(game, mine), _images(game, theirs), strict=True))


@cache
def _images(game: Game, marks: int) -> tuple[int, ...]:
    return tuple(permute(marks, symmetry) for symmetry in game.symmetries)


def soonest_end(game: Game, mine: int, theirs: int) -> Bounds:
    """Bound the score where neither player wins with the next two marks: a win takes three, a loss four."""
    empty = empty_cells(game, mine, theirs).bit_count()
    return min(0, 3 - empty), max(0, empty - 2)


def dead_lines(game: Game, mine: int, theirs: int) -> Bounds:
    """Bound the score where a player cannot win: the other has marks in every line."""
    least = 0 if all(line & mine for line in game.line_masks) else -ANY
    most = 0 if all(line & theirs for line in game.line_masks) else ANY
    return least, most


def dead_cells(game: Game, mine: int, theirs: int) -> int:
    """Return the cells, marked or empty, of which every line has marks of both players."""
    live = 0
    for line in game.line_masks:
        if not (line & mine and line & theirs):
            live |= line
    return game.full ^ live


def one_dead_cell(game: Game, mine: int, theirs: int) -> int:
    """Return the moves of ``forced_block`` with one dead cell for all: to mark any of them is to pass."""
    moves = forced_block(game, mine, theirs)
    dead = moves & dead_cells(game, mine, theirs)
    return moves ^ dead | dead & -dead


def without_dead_cells(game: Game, mine: int, theirs: int) -> Key:
    """Return the least image without dead cells, and the number of marks, on which the score depends."""
    dead = dead_cells(game, mine, theirs)
    return *least_image(game, mine | dead, theirs | dead), (mine | theirs).bit_count()


def threats_made(game: Game, mine: int, theirs: int, move: int) -> Key:
    """Return the sort key of a move: most threats first, then most lines through the cell."""
    made = threats(game, mine | move, empty_cells(game, mine | move, theirs))
    return -made.bit_count(), -sum(line & move != 0 for line in game.line_masks)


def potential(game: Game, mine: int, theirs: int) -> Bounds:
    """Bound the score by the potential of Erdős and Selfridge.

    A line without marks of the other player counts 1, halved for each mark it lacks. A player with less than 1, or
    less than 1/2 when on move, cannot win.
    """
    own = sum(0.5 ** (line & ~mine).bit_count() for line in game.line_masks if not line & theirs)
    other = sum(0.5 ** (line & ~theirs).bit_count() for line in game.line_masks if not line & mine)
    return 0 if other < 1 else -ANY, 0 if own < 1 / 2 else ANY


@dataclass(frozen=True)
class Techniques:
    """The techniques of one search.

    ``static_bounds`` bound the score without a search. ``moves`` are those worth trying, in ascending ``order``.
    Positions with the same ``key`` have the same score, whose bounds are stored; without keys nothing is.
    """

    name: str
    cut_offs: bool = False
    static_bounds: tuple[Callable[[Game, int, int], Bounds], ...] = (ended,)
    moves: Callable[[Game, int, int], int] = empty_cells
    key: Callable[[Game, int, int], Key] | None = None
    null_windows: bool = False
    order: Callable[[Game, int, int, int], Key] | None = None


PLAIN = Techniques("plain minimax")
ALPHA_BETA = replace(PLAIN, name="alpha-beta", cut_offs=True)
WIN_NOW = replace(ALPHA_BETA, name="wins seen at once", static_bounds=(ended, win_now))
BLOCK = replace(WIN_NOW, name="forced blocks", static_bounds=(ended, win_now, two_threats), moves=forced_block)
TABLE = replace(BLOCK, name="transposition table", key=as_it_stands)
SYMMETRY = replace(TABLE, name="symmetric positions as one", key=least_image)
NULL_WINDOWS = replace(SYMMETRY, name="null windows", null_windows=True)
DEAD_LINES = replace(NULL_WINDOWS, name="dead lines", static_bounds=(*BLOCK.static_bounds, dead_lines))
SOONEST_END = replace(DEAD_LINES, name="soonest end", static_bounds=(*DEAD_LINES.static_bounds, soonest_end))
DEAD_CELLS = replace(SOONEST_END, name="dead cells as one", moves=one_dead_cell, key=without_dead_cells)
ORDER = replace(DEAD_CELLS, name="threats first", order=threats_made)
POTENTIAL = replace(
    ORDER, name="Erdős-Selfridge potential", static_bounds=(*BLOCK.static_bounds, soonest_end, potential)
)

STEPS = (
    *(PLAIN, ALPHA_BETA, WIN_NOW, BLOCK, TABLE, SYMMETRY),
    *(NULL_WINDOWS, DEAD_LINES, SOONEST_END, DEAD_CELLS, ORDER, POTENTIAL),
)


class Minimax:
    """A search with some techniques. It raises ``Stopped`` when it would visit more than ``limit`` nodes."""

    def __init__(self, techniques: Techniques, game: Game, limit: int) -> None:
        self.nodes = 0
        self._techniques, self._game, self._limit = techniques, game, limit
        self._table: dict[Key | None, Bounds] = {}

    def score(self, mine: int, theirs: int) -> int:
        """Return the exact score for the player to move."""
        low, high = -self._game.cells - 1, self._game.cells + 1
        if not self._techniques.null_windows:
            return self.bound(mine, theirs, low, high)
        while low < high:  # more than a draw? a draw at least? then halve what is left
            alpha = next(guess for guess in (0, -1, (low + high) // 2) if low <= guess < high)
            found = self.bound(mine, theirs, alpha, alpha + 1)
            low, high = (low, found) if found <= alpha else (found, high)
        return low

    def bound(self, mine: int, theirs: int, alpha: int, beta: int) -> int:
        """Return a bound ``b`` on the score ``s``, as the kernel does.

        * ``b <= alpha``: ``s <= b``.
        * ``alpha < b < beta``: ``s == b``.
        * ``b >= beta``: ``s >= b``.
        """
        self._count_node()
        lower, upper = self._static_bounds(mine, theirs)
        key = self._techniques.key(self._game, mine, theirs) if self._techniques.key and lower < upper else None
        least, most = self._table.get(key, UNKNOWN)
        lower, upper = max(lower, least), min(upper, most)
        if lower >= min(upper, beta):
            return lower
        if upper <= alpha:
            return upper
        low, high = max(alpha, lower), min(beta, upper)
        best = self._best(mine, theirs, low, high)
        if key is not None:
            self._table[key] = best if best > low else lower, best if best < high else upper
        return best

    def _count_node(self) -> None:
        if self.nodes == self._limit:
            raise Stopped
        self.nodes += 1

    def _static_bounds(self, mine: int, theirs: int) -> Bounds:
        """Return the bounds that need no search."""
        lower, upper = UNKNOWN
        for bound in self._techniques.static_bounds:
            least, most = bound(self._game, mine, theirs)
            lower, upper = max(lower, least), min(upper, most)
            if lower == upper:
                break
        return lower, upper

    def _best(self, mine: int, theirs: int, low: int, high: int) -> int:
        """Return the highest bound of the moves; without cut-offs, where every move is searched, the score."""
        best = -ANY
        for move in self._moves(mine, theirs):
            window = (-high, -max(low, best)) if self._techniques.cut_offs else UNKNOWN
            best = max(best, -self.bound(theirs, mine | move, *window))
            if self._techniques.cut_offs and best >= high:
                break
        return best

    def _moves(self, mine: int, theirs: int) -> Sequence[int]:
        """Return the moves worth trying, each as a mask, in order."""
        moves, order = bits(self._techniques.moves(self._game, mine, theirs)), self._techniques.order
        return moves if order is None else sorted(moves, key=partial(order, self._game, mine, theirs))


def bits(mask: int) -> list[int]:
    """List the bits of a mask, lowest first."""
    found = []
    while mask:
        found.append(mask & -mask)
        mask &= mask - 1
    return found
