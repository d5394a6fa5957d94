"""Games of lines with rules of the hunt's own, and their random late positions."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import product
from random import Random
from typing import Any, NamedTuple

from examples.check_family_proof import Rules, State

LAST = 8
"""So many cells at the end of a board are drawn more often: what goes wrong at the last bits of a word shows there."""


class Board(NamedTuple):
    """A state: the masks of the player to move and of the other, and whether the one who began is to move (0)."""

    mine: int
    theirs: int
    turn: int

    @property
    def occupied(self) -> int:
        """The mask of all marked cells."""
        return self.mine | self.theirs


@dataclass(frozen=True, eq=False)
class Lines(Rules):
    """The rules, and ``request``, which says them to the service. ``drop`` is the distance between stacked cells."""

    request: dict[str, Any]
    cells: int
    lines: tuple[tuple[int, ...], ...]
    drop: int = 0
    misere: bool = False
    players: tuple[str, str] = ("X", "O")

    start = Board(0, 0, 0)

    @cached_property
    def masks(self) -> list[int]:
        """The lines as masks."""
        return [sum(1 << cell for cell in line) for line in self.lines]

    def has_line(self, marks: int) -> bool:
        """Return whether marks hold a whole line."""
        return any(mask & marks == mask for mask in self.masks)

    def rests(self, occupied: int, cell: int) -> bool:
        """Return whether a mark may stand on a cell: without gravity, at the bottom, or on another mark."""
        return not self.drop or cell + self.drop >= self.cells or bool(occupied >> (cell + self.drop) & 1)

    def moves(self, state: State) -> list[str]:
        occupied = state[0] | state[1]
        return [str(cell) for cell in range(self.cells) if not occupied >> cell & 1 and self.rests(occupied, cell)]

    def after(self, state: State, move: str) -> Board:
        return Board(state[1], state[0] | 1 << int(move), 1 - state[2])

    def result(self, state: State) -> str | None:
        if self.has_line(state[1]):
            return "win" if self.misere else "loss"
        return None if self.plies_of_draw(state) else "draw"

    def text(self, state: State) -> str:
        own, other = self.players if state[2] == 0 else self.players[::-1]
        signs = {(1, 0): own, (0, 1): other}
        return "".join(signs.get((state[0] >> cell & 1, state[1] >> cell & 1), ".") for cell in range(self.cells))

    def plies_of_draw(self, state: State) -> int:
        return self.cells - int(state[0] | state[1]).bit_count()

    def record(self, move: str) -> int:
        return int(move) % self.drop if self.drop else int(move)


def grid_of(  # noqa: PLR0913, the rules have that many
    layers: int,
    rows: int,
    columns: int,
    in_a_row: int,
    *,
    gravity: bool = False,
    misere: bool = False,
    wrap: bool = False,
) -> Lines:
    """Return the game in which ``in_a_row`` marks in any direction complete a line."""
    rules = {"rows": rows, "columns": columns, "in_a_row": in_a_row, "gravity": gravity, "misere": misere, "wrap": wrap}
    request = {**rules, "layers": layers} if layers > 1 else rules
    drop = 0 if not gravity else rows * columns if layers > 1 else columns
    lines = tuple(sorted(set(lines_of((layers, rows, columns), in_a_row, wrap=wrap))))
    return Lines(request, rows * columns * layers, lines, drop, misere)


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


def _by_hand(cells: int, lines: set[tuple[int, ...]], *, misere: bool) -> Lines:
    request = {"cells": cells, "lines": [list(line) for line in lines], "misere": misere}
    return Lines(request, cells, tuple(sorted(lines)), misere=misere)


def _flat(dice: Random, **rules: bool) -> Lines:
    """Return a game on a small board, or on one of up to 64 cells."""
    rows = dice.randint(1, 8)
    columns = 64 // rows if dice.random() < 0.5 else dice.randint(2, 8)
    return grid_of(1, rows, columns, dice.randint(2, max(2, min(5, rows, columns))), **rules)


def _solid(dice: Random) -> Lines:
    layers, rows = dice.randint(2, 4), dice.randint(1, 4)
    columns = 64 // (layers * rows) if dice.random() < 0.5 else dice.randint(2, 4)
    in_a_row = dice.randint(2, max(2, min(6, max(layers, rows, columns))))
    return grid_of(layers, rows, columns, in_a_row, gravity=dice.random() < 0.3, misere=dice.random() < 0.3)


def _custom(dice: Random) -> Lines:
    cells = dice.randint(57, 64) if dice.random() < 0.7 else dice.randint(2, 56)
    longest = min(cells, dice.choice((2, 2, 3, 3, 4, 5, 8, 64)))
    count = dice.choice((1, 2, 2, 3, 3, 5, 8, 20, 60))
    lines = {_some_cells(dice, cells, dice.randint(1, longest)) for _ in range(count)}
    return _by_hand(cells, lines, misere=dice.random() < 0.5)


def _some_cells(dice: Random, cells: int, count: int) -> tuple[int, ...]:
    """Return different cells of a line, often one of the last ones among them."""
    found = dice.sample(range(cells), count)
    last = dice.randrange(max(0, cells - LAST), cells)
    return tuple(sorted(found if last in found or dice.random() < 0.3 else [last, *found[1:]]))


def _grid_by_hand(dice: Random) -> Lines:
    game = _flat(dice)
    return _by_hand(game.cells, set(game.lines), misere=False)


LINE_GAMES: Mapping[str, Callable[[Random], Lines]] = {
    "plain": _flat,
    "misère": partial(_flat, misere=True),
    "gravity": partial(_flat, gravity=True),
    "misère, gravity": partial(_flat, misere=True, gravity=True),
    "wrapped": partial(_flat, wrap=True),
    "misère, wrapped": partial(_flat, misere=True, wrap=True),
    "in 3-D": _solid,
    "custom lines": _custom,
    "a grid by its lines": _grid_by_hand,
}
"""What draws a game of each kind."""


def draw_board(dice: Random, game: Lines, empties: int) -> tuple[Board, tuple[str, ...]]:
    """Return a position with so many empty cells, or more where play stopped before, and the moves that led there.

    Nobody has a line. The empty cells are often the last ones.
    """
    board, moves = game.start, list[str]()
    early = dice.choice((1, 2, 4))
    while game.plies_of_draw(board) > empties:
        quiet = [move for move in game.moves(board) if not game.has_line(board.mine | 1 << int(move))]
        if not quiet:
            break
        moves.append(dice.choice(quiet[: -(-len(quiet) // early)]))
        board = game.after(board, moves[-1])
    return board, tuple(moves)


def neighbours(dice: Random, game: Lines, board: Board, count: int) -> list[Board]:
    """Return this position and some like it: most share one mask with it and differ in few cells, often the last."""
    found = {board}
    for _ in range(10 * count):
        if len(found) > count:
            break
        other = dice.choice((_remarked, _remarked, _swapped))(dice, game, dice.choice([board, *found]))
        if _is_possible(game, other):
            found.add(other)
    return [board, *found - {board}]


def _remarked(dice: Random, game: Lines, board: Board) -> Board:
    """Return a position with the same marks of one player and other marks of the opponent, perhaps one more or less."""
    stays, changes = board[:2] if (own_stays := dice.random() < 0.6) else (board.theirs, board.mine)
    free = [cell for cell in range(game.cells) if not stays >> cell & 1]
    drawn = free[-LAST:] if dice.random() < 0.6 else free
    for cell in dice.sample(drawn, min(dice.randint(1, 4), len(drawn))):
        changes ^= 1 << cell
    mine, theirs = (stays, changes) if own_stays else (changes, stays)
    return Board(mine, theirs, (mine | theirs).bit_count() % 2)


def _swapped(dice: Random, game: Lines, board: Board) -> Board:
    """Return a position in which two marked cells of different players have changed places."""
    both = 0
    for marks in board[:2]:
        both |= 1 << dice.choice([cell for cell in range(game.cells) if marks >> cell & 1] or [0])
    return Board(board.mine ^ both, board.theirs ^ both, board.turn)


def _is_possible(game: Lines, board: Board) -> bool:
    """Return whether play can lead there without a line: counts fit, nothing floats, and there is a move left."""
    if board.mine & board.theirs or board.theirs.bit_count() - board.mine.bit_count() != board.turn:
        return False
    marked = [cell for cell in range(game.cells) if board.occupied >> cell & 1]
    floating = any(not game.rests(board.occupied, cell) for cell in marked)
    over = any(map(game.has_line, board[:2])) or not game.plies_of_draw(board)
    return not floating and not over
