"""One search of tic-tac-toe's family, and the techniques it can use, from none to those of the service's kernel.

A ``Rung`` says which techniques ``Minimax`` uses; every rung of ``ROAD`` is the one before it plus one technique.

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
    """The bounds of a score that is known."""
    return score, score


def threats(game: Game, marks: int, empty: int) -> int:
    """The empty cells that would complete a line of ``marks``."""
    found = 0
    for line in game.line_masks:
        missing = line & ~marks
        if not missing & (missing - 1):
            found |= missing
    return found & empty


def empty_cells(game: Game, mine: int, theirs: int) -> int:
    """The cells that may be marked."""
    return game.full ^ (mine | theirs)


def ended(game: Game, mine: int, theirs: int) -> Bounds:
    """The score of a finished game. A line is looked for before a full board is called a draw."""
    marks = mine | theirs
    for line in game.line_masks:
        if line & theirs == line:
            return exactly(marks.bit_count() - game.cells - 1)
    return exactly(0) if marks == game.full else UNKNOWN


def win_now(game: Game, mine: int, theirs: int) -> Bounds:
    """The score if the next mark can complete a line."""
    empty = empty_cells(game, mine, theirs)
    return exactly(empty.bit_count()) if threats(game, mine, empty) else UNKNOWN


def two_threats(game: Game, mine: int, theirs: int) -> Bounds:
    """The score if the opponent threatens to win in two cells: one move blocks only one of them."""
    empty = empty_cells(game, mine, theirs)
    return exactly(1 - empty.bit_count()) if threats(game, theirs, empty).bit_count() > 1 else UNKNOWN


def forced_block(game: Game, mine: int, theirs: int) -> int:
    """The cell where the opponent would win, or every empty cell if there is none."""
    empty = empty_cells(game, mine, theirs)
    return threats(game, theirs, empty) or empty


def as_it_stands(_: Game, mine: int, theirs: int) -> Key:
    """The position itself."""
    return mine, theirs


def least_image(game: Game, mine: int, theirs: int) -> Key:
    """The least of a position's symmetric images: the same for all of them."""
    return min(zip(_images(game, mine), _images(game, theirs), strict=True))


@cache
def _images(game: Game, marks: int) -> tuple[int, ...]:
    return tuple(permute(marks, symmetry) for symmetry in game.symmetries)


def soonest_end(game: Game, mine: int, theirs: int) -> Bounds:
    """Where nobody wins with the next two marks, the third is the first to win and the fourth the first to lose."""
    empty = empty_cells(game, mine, theirs).bit_count()
    return min(0, 3 - empty), max(0, empty - 2)


def dead_lines(game: Game, mine: int, theirs: int) -> Bounds:
    """Who has no line left that is free of the other's marks does not win."""
    least = 0 if all(line & mine for line in game.line_masks) else -ANY
    most = 0 if all(line & theirs for line in game.line_masks) else ANY
    return least, most


def dead_cells(game: Game, mine: int, theirs: int) -> int:
    """The cells, marked or empty, of which every line has marks of both."""
    live = 0
    for line in game.line_masks:
        if not (line & mine and line & theirs):
            live |= line
    return game.full ^ live


def one_dead_cell(game: Game, mine: int, theirs: int) -> int:
    """The moves of ``forced_block``, with one dead cell for all: to mark any of them is to pass."""
    moves = forced_block(game, mine, theirs)
    dead = moves & dead_cells(game, mine, theirs)
    return moves ^ dead | dead & -dead


def without_dead_cells(game: Game, mine: int, theirs: int) -> Key:
    """The least image of what is not dead; and the number of marks, on which the score depends."""
    dead = dead_cells(game, mine, theirs)
    return *least_image(game, mine | dead, theirs | dead), (mine | theirs).bit_count()


def threats_made(game: Game, mine: int, theirs: int, move: int) -> Key:
    """The place of a move in the order: most threats made first, then most lines through the cell."""
    made = threats(game, mine | move, empty_cells(game, mine | move, theirs))
    return -made.bit_count(), -sum(line & move != 0 for line in game.line_masks)


def potential(game: Game, mine: int, theirs: int) -> Bounds:
    """Who owns too little does not win: a line free of the other's marks is worth 1, halved for each mark it lacks."""
    own = sum(0.5 ** (line & ~mine).bit_count() for line in game.line_masks if not line & theirs)
    other = sum(0.5 ** (line & ~theirs).bit_count() for line in game.line_masks if not line & mine)
    return 0 if other < 1 else -ANY, 0 if own < 1 / 2 else ANY


@dataclass(frozen=True)
class Rung:
    """The techniques of one search.

    ``looks`` bound the score without a search. ``moves`` are those worth trying, in ascending order of ``place``.
    Positions with the same ``key`` have the same score, whose bounds are remembered; without keys nothing is.
    """

    name: str
    cut_offs: bool = False
    looks: tuple[Callable[[Game, int, int], Bounds], ...] = (ended,)
    moves: Callable[[Game, int, int], int] = empty_cells
    key: Callable[[Game, int, int], Key] | None = None
    null_windows: bool = False
    place: Callable[[Game, int, int, int], Key] | None = None


PLAIN = Rung("plain minimax")
ALPHA_BETA = replace(PLAIN, name="alpha-beta", cut_offs=True)
WIN_NOW = replace(ALPHA_BETA, name="wins seen at once", looks=(ended, win_now))
BLOCK = replace(WIN_NOW, name="forced blocks", looks=(ended, win_now, two_threats), moves=forced_block)
TABLE = replace(BLOCK, name="transposition table", key=as_it_stands)
SYMMETRY = replace(TABLE, name="symmetric positions as one", key=least_image)
NULL_WINDOWS = replace(SYMMETRY, name="null windows", null_windows=True)
DEAD_LINES = replace(NULL_WINDOWS, name="dead lines", looks=(*BLOCK.looks, dead_lines))
SOONEST_END = replace(DEAD_LINES, name="soonest end", looks=(*DEAD_LINES.looks, soonest_end))
DEAD_CELLS = replace(SOONEST_END, name="dead cells as one", moves=one_dead_cell, key=without_dead_cells)
ORDER = replace(DEAD_CELLS, name="threats first", place=threats_made)
POTENTIAL = replace(ORDER, name="Erdős-Selfridge potential", looks=(*BLOCK.looks, soonest_end, potential))

ROAD = (
    *(PLAIN, ALPHA_BETA, WIN_NOW, BLOCK, TABLE, SYMMETRY),
    *(NULL_WINDOWS, DEAD_LINES, SOONEST_END, DEAD_CELLS, ORDER, POTENTIAL),
)


class Minimax:
    """The search of one rung. It raises ``Stopped`` when it would visit more than ``limit`` nodes."""

    def __init__(self, rung: Rung, game: Game, limit: int) -> None:
        self.nodes = 0
        self._rung, self._game, self._limit = rung, game, limit
        self._memory: dict[Key | None, Bounds] = {}

    def score(self, mine: int, theirs: int) -> int:
        """The exact score for the player to move."""
        low, high = -self._game.cells - 1, self._game.cells + 1
        if not self._rung.null_windows:
            return self.bound(mine, theirs, low, high)
        while low < high:  # more than a draw? a draw at least? then halve what is left
            alpha = next(guess for guess in (0, -1, (low + high) // 2) if low <= guess < high)
            found = self.bound(mine, theirs, alpha, alpha + 1)
            low, high = (low, found) if found <= alpha else (found, high)
        return low

    def bound(self, mine: int, theirs: int, alpha: int, beta: int) -> int:
        """A bound ``b`` on the score ``s``, as the kernel's.

        * ``b <= alpha``: ``s <= b``.
        * ``alpha < b < beta``: ``s == b``.
        * ``b >= beta``: ``s >= b``.
        """
        self._count_node()
        lower, upper = self._look(mine, theirs)
        key = self._rung.key(self._game, mine, theirs) if self._rung.key and lower < upper else None
        least, most = self._memory.get(key, UNKNOWN)
        lower, upper = max(lower, least), min(upper, most)
        if lower >= min(upper, beta):
            return lower
        if upper <= alpha:
            return upper
        low, high = max(alpha, lower), min(beta, upper)
        best = self._best(mine, theirs, low, high)
        if key is not None:
            self._memory[key] = best if best > low else lower, best if best < high else upper
        return best

    def _count_node(self) -> None:
        if self.nodes == self._limit:
            raise Stopped
        self.nodes += 1

    def _look(self, mine: int, theirs: int) -> Bounds:
        """The bounds that need no search."""
        lower, upper = UNKNOWN
        for look in self._rung.looks:
            least, most = look(self._game, mine, theirs)
            lower, upper = max(lower, least), min(upper, most)
            if lower == upper:
                break
        return lower, upper

    def _best(self, mine: int, theirs: int, low: int, high: int) -> int:
        """The highest bound of the moves. Without cut-offs it is the score: every move is searched through."""
        best = -ANY
        for move in self._moves(mine, theirs):
            window = (-high, -max(low, best)) if self._rung.cut_offs else UNKNOWN
            best = max(best, -self.bound(theirs, mine | move, *window))
            if self._rung.cut_offs and best >= high:
                break
        return best

    def _moves(self, mine: int, theirs: int) -> Sequence[int]:
        """The moves worth trying, each as a mask, in order."""
        moves, place = bits(self._rung.moves(self._game, mine, theirs)), self._rung.place
        return moves if place is None else sorted(moves, key=partial(place, self._game, mine, theirs))


def bits(mask: int) -> list[int]:
    """The bits of a mask, lowest first."""
    found = []
    while mask:
        found.append(mask & -mask)
        mask &= mask - 1
    return found
