"""Random games and positions, with rules of the hunt's own."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from random import Random
from typing import Any

LONG_BOARD = range(57, 65)
"""Sizes that are drawn most: what goes wrong at the last bits of a word shows there."""

LAST = 8
"""So many cells at the end of a board are drawn more often than the others, for the same reason."""


@dataclass(frozen=True, eq=False)
class Game:
    """The rules, and ``request``, which says them to the service."""

    request: dict[str, Any]
    rows: int
    columns: int
    layers: int
    lines: tuple[tuple[int, ...], ...]
    drop: int
    misere: bool

    @property
    def cells(self) -> int:
        """Number of cells."""
        return self.rows * self.columns * self.layers

    @cached_property
    def masks(self) -> list[int]:
        """The lines as masks."""
        return [sum(1 << cell for cell in line) for line in self.lines]

    @cached_property
    def through(self) -> list[list[int]]:
        """The masks of the lines through each cell."""
        return [[mask for mask in self.masks if mask >> cell & 1] for cell in range(self.cells)]

    def completes(self, marks: int, cell: int) -> bool:
        """Whether ``marks`` hold a whole line through a cell."""
        return any(mask & marks == mask for mask in self.through[cell])


@dataclass(frozen=True)
class Board:
    """A position in which nobody has a line: the masks of the ``player`` to move and of the other.

    ``moves`` led there from the empty board; None where nobody knows.
    """

    game: Game
    mine: int
    theirs: int
    player: str
    moves: tuple[int, ...] | None = field(default=None, compare=False)

    @property
    def occupied(self) -> int:
        """The mask of all marked cells."""
        return self.mine | self.theirs

    def legal_moves(self) -> list[int]:
        """Return the cells that may be marked."""
        game, occupied = self.game, self.occupied
        return [cell for cell in range(game.cells) if not occupied >> cell & 1 and rests(game, occupied, cell)]

    def play(self, move: int) -> "Board":
        """Return the position after a move that completes no line."""
        after = None if self.moves is None else (*self.moves, move)
        return Board(self.game, self.theirs, self.mine | 1 << move, "XO"[self.player == "X"], after)

    def text(self) -> str:
        """Return the cells in order, as ``X``, ``O`` and ``.``."""
        own, other = self.player, "XO"[self.player == "X"]
        return "".join(
            own if self.mine >> cell & 1 else other if self.theirs >> cell & 1 else "."
            for cell in range(self.game.cells)
        )


def rests(game: Game, occupied: int, cell: int) -> bool:
    """Whether a mark may stand on a cell: without gravity, at the bottom, or on another mark."""
    return not game.drop or cell + game.drop >= game.cells or bool(occupied >> (cell + game.drop) & 1)


def draw_game(dice: Random) -> Game:
    """Return a game with at least one line, on a board of 1 to 64 cells, mostly of 57 to 64."""
    while True:
        game = _by_lines(dice) if dice.random() < 0.5 else _grid(dice)
        if game.lines:
            return game


def by_hand(game: Game) -> Game:
    """Return a game without gravity said by its lines."""
    request = {"cells": game.cells, "lines": [list(line) for line in game.lines], "misere": game.misere}
    return Game(request, 1, game.cells, 1, game.lines, 0, game.misere)


def _by_lines(dice: Random) -> Game:
    cells = dice.choice(LONG_BOARD) if dice.random() < 0.7 else dice.randint(1, 56)
    longest = min(cells, dice.choice((2, 2, 3, 3, 4, 5, 8, 64)))
    count = dice.choice((1, 2, 2, 3, 3, 5, 8, 20, 60))
    lines = {tuple(sorted(_some_cells(dice, cells, dice.randint(1, longest)))) for _ in range(count)}
    misere = dice.random() < 0.5
    request = {"cells": cells, "lines": [list(line) for line in lines], "misere": misere}
    return Game(request, 1, cells, 1, tuple(sorted(lines)), 0, misere)


def _some_cells(dice: Random, cells: int, count: int) -> list[int]:
    """Different cells of a line, often one of the last ones among them."""
    found = dice.sample(range(cells), count)
    last = dice.randrange(max(0, cells - LAST), cells)
    return found if last in found or dice.random() < 0.3 else [last, *found[1:]]


def _grid(dice: Random) -> Game:
    layers = dice.choice((1, 1, 1, 2, 3, 4))
    while True:
        rows, columns = dice.randint(1, 64 // layers), dice.randint(1, 64 // layers)
        cells = rows * columns * layers
        if cells <= 64 and (cells >= LONG_BOARD[0] or dice.random() < 0.02):
            break
    in_a_row = dice.randint(2, max(2, min(6, max(rows, columns, layers))))
    gravity, misere, wrap = dice.random() < 0.4, dice.random() < 0.4, dice.random() < 0.2
    return grid_of(layers, rows, columns, in_a_row, gravity=gravity, misere=misere, wrap=wrap)


def grid_of(  # noqa: PLR0913, the rules have that many
    layers: int,
    rows: int,
    columns: int,
    in_a_row: int,
    *,
    gravity: bool = False,
    misere: bool = False,
    wrap: bool = False,
) -> Game:
    """Return the game in which ``in_a_row`` marks in any direction complete a line."""
    rules = {"rows": rows, "columns": columns, "in_a_row": in_a_row, "gravity": gravity, "misere": misere, "wrap": wrap}
    request = {**rules, "layers": layers} if layers > 1 else rules
    drop = 0 if not gravity else rows * columns if layers > 1 else columns
    lines = tuple(sorted(set(lines_of((layers, rows, columns), in_a_row, wrap=wrap))))
    return Game(request, rows, columns, layers, lines, drop, misere)


def lines_of(shape: tuple[int, int, int], in_a_row: int, *, wrap: bool) -> Iterator[tuple[int, ...]]:
    """Yield the lines of a grid, some more than once."""
    for start in product(*map(range, shape)):
        for step in product((-1, 0, 1), repeat=3):
            points = [tuple(p + i * d for p, d in zip(start, step, strict=True)) for i in range(in_a_row)]
            if wrap:
                points = [tuple(p % size for p, size in zip(point, shape, strict=True)) for point in points]
            inside = all(0 <= p < size for point in points for p, size in zip(point, shape, strict=True))
            if inside and len(set(points)) == in_a_row:
                yield tuple(sorted((layer * shape[1] + row) * shape[2] + column for layer, row, column in points))


def draw_board(dice: Random, game: Game, empties: int) -> Board:
    """Return a position with so many empty cells, or more where play stopped before; nobody has a line.

    The empty cells are often the last ones.
    """
    board = Board(game, 0, 0, dice.choice("XO"), ())
    early = dice.choice((1, 2, 4))
    while game.cells - board.occupied.bit_count() > empties:
        quiet = [move for move in board.legal_moves() if not game.completes(board.mine | 1 << move, move)]
        if not quiet:
            break
        board = board.play(dice.choice(quiet[: -(-len(quiet) // early)]))
    return board


def neighbours(dice: Random, board: Board, count: int) -> list[Board]:
    """Return positions like this one: most share one mask with it and differ from it in few cells, often the last."""
    found = {board}
    for _ in range(10 * count):
        if len(found) > count:
            break
        other = dice.choice((_remarked, _remarked, _swapped, _mirrored))(dice, dice.choice([board, *found]))
        if other is not None and _is_possible(other):
            found.add(other)
    return [*found]


def _remarked(dice: Random, board: Board) -> Board:
    """Return a position with the same marks of one player and other marks of the opponent, perhaps one more or less."""
    own_stays = dice.random() < 0.6
    stays, changes = (board.mine, board.theirs) if own_stays else (board.theirs, board.mine)
    free = [cell for cell in range(board.game.cells) if not stays >> cell & 1]
    for cell in _mostly_last(dice, free, dice.randint(1, 4)):
        changes ^= 1 << cell
    mine, theirs = (stays, changes) if own_stays else (changes, stays)
    return Board(board.game, mine, theirs, dice.choice("XO"))


def _mostly_last(dice: Random, cells: list[int], count: int) -> list[int]:
    last = cells[-LAST:] if dice.random() < 0.6 else cells
    return dice.sample(last, min(count, len(last)))


def _swapped(dice: Random, board: Board) -> Board | None:
    """Two marked cells of different players change places."""
    mine = [cell for cell in range(board.game.cells) if board.mine >> cell & 1]
    theirs = [cell for cell in range(board.game.cells) if board.theirs >> cell & 1]
    if not mine or not theirs:
        return None
    both = 1 << dice.choice(mine) | 1 << dice.choice(theirs)
    return Board(board.game, board.mine ^ both, board.theirs ^ both, board.player)


def _mirrored(_dice: Random, board: Board) -> Board | None:
    """Return the mirror image from left to right."""
    game = board.game
    if "rows" not in game.request:
        return None
    to = [cell - cell % game.columns + game.columns - 1 - cell % game.columns for cell in range(game.cells)]
    mine, theirs = (
        sum(1 << to[cell] for cell in range(game.cells) if marks >> cell & 1) for marks in (board.mine, board.theirs)
    )
    return Board(game, mine, theirs, board.player)


def _is_possible(board: Board) -> bool:
    """Whether play can lead there without a line: counts fit, nothing floats, and there is a move left."""
    game, mine, theirs = board.game, board.mine, board.theirs
    if mine & theirs or theirs.bit_count() - mine.bit_count() not in (0, 1) or not board.legal_moves():
        return False
    marked = [cell for cell in range(game.cells) if board.occupied >> cell & 1]
    floating = any(not rests(game, board.occupied, cell) for cell in marked)
    return not floating and not any(mask & marks == mask for marks in (mine, theirs) for mask in game.masks)
