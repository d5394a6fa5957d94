"""What a picture shows, in words: for those who do not see it, and below the board."""

from collections.abc import Iterator, Sequence

from service.explain.names import cell_name, joined, move_name
from service.games.game import Game
from service.games.position import PLAYERS, Position


def standing(position: Position) -> str:
    """Return how the game stands: ``X to move``."""
    if position.winner is not None:
        return f"{position.winner} wins"
    return "Draw" if position.status == "drawn" else f"{position.player} to move"


def title(position: Position) -> str:
    """Return the name of the game, and how it stands."""
    return f"{game_name(position.game)}: {standing(position)}"


def game_name(game: Game) -> str:
    """Return the name of a game; what is played where it has none."""
    if game.id != "custom":
        return game.name
    if game.in_a_row is None:
        return f"Game of {_count(len(game.lines), 'line')} on {_count(game.cells, 'cell')}"
    size = "x".join(str(n) for n in (game.rows, game.columns, game.layers) if n > 1 or n != game.layers)
    kinds = [kind for kind in ("misere", "wrap", "gravity") if getattr(game, kind)]
    ways = {"misere": "misère", "wrap": "joined edges", "gravity": "gravity"}
    return ", ".join([f"{game.in_a_row} in a row on {size}", *(ways[kind] for kind in kinds)])


def description(position: Position, last_move: int | None) -> Iterator[str]:
    """Yield sentences that say where the marks are, which is the newest, and which line has decided the game."""
    if position.game.has_columns:
        yield from _columns(position)
    else:
        yield from _cells(position)
    if last_move is not None:
        yield f"The last move is {move_name(position.game, last_move)}."
    if position.winning_line is not None:
        yield f"The complete line is {joined(places(position.game, position.winning_line))}."


def places(game: Game, cells: Sequence[int]) -> list[str]:
    """Return the names of cells, with their rows where a move is a column."""
    if not game.has_columns:
        return [cell_name(game, cell) for cell in cells]
    return [f"row {game.rows - game.row_of(cell)} of column {game.column_of(cell) + 1}" for cell in cells]


def _cells(position: Position) -> Iterator[str]:
    for player, mask in zip(PLAYERS, (position.x, position.o), strict=True):
        cells = [cell for cell in range(position.game.cells) if mask >> cell & 1]
        if cells:
            yield f"{player} is on {joined(places(position.game, cells))}."
    if not position.occupied:
        yield "The board is empty."


def _columns(position: Position) -> Iterator[str]:
    game, board = position.game, str(position)
    for column in range(game.columns):
        marks = [mark for mark in board[column :: game.columns][::-1] if mark != "."]
        if marks:
            yield f"Column {column + 1} from the bottom: {', '.join(marks)}."
    if not position.occupied:
        yield "The board is empty."


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
