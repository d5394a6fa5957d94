"""What a picture shows, in words: for those who do not see it, and below the board."""

from collections.abc import Iterator, Sequence

from service.explain.names import cell_name, joined, move_name, move_words
from service.games.game import Game
from service.games.lines import PLAYERS, LineGame, LinePosition, is_line, marked
from service.games.position import Position


def standing(position: Position) -> str:
    """Return how the game stands: ``X to move``."""
    if position.winner is not None:
        return f"{capitalised(position.winner)} wins"
    return "Draw" if position.status == "drawn" else f"{capitalised(position.player)} to move"


def capitalised(player: str) -> str:
    """Return the name of a player as a sentence begins with it."""
    return player[0].upper() + player[1:]


def title(position: Position) -> str:
    """Return the name of the game, and how it stands."""
    return f"{game_name(position.game)}: {standing(position)}"


def game_name(game: Game) -> str:
    """Return the name of a game; what is played where it has none."""
    if game.id != "custom":
        return game.name
    if not isinstance(game, LineGame):
        return f"{game.family.replace('-', ' ').capitalize()}, {_size(game)}"
    if game.in_a_row is None:
        return f"Game of {_count(len(game.lines), 'line')} on {_count(game.cells, 'cell')}"
    size = "x".join(str(n) for n in (game.rows, game.columns, game.layers) if n > 1 or n != game.layers)
    kinds = [kind for kind in ("misere", "wrap", "gravity") if getattr(game, kind)]
    ways = {"misere": "misère", "wrap": "joined edges", "gravity": "gravity"}
    return ", ".join([f"{game.in_a_row} in a row on {size}", *(ways[kind] for kind in kinds)])


def description(position: Position, last_move: int | None, best_move: int | None = None) -> Iterator[str]:
    """Yield sentences that say where the marks are, what was and is to be played, and which line decided the game."""
    if not is_line(position):
        yield from _contents(position)
    elif position.game.has_columns:
        yield from _columns(position)
    else:
        yield from _cells(position)
    if last_move is not None:
        yield f"The last move {_played(position.game, last_move)}."
    if position.winning_line is not None:
        yield f"The complete line is {joined(places(position.game, position.winning_line))}."
    if best_move is not None:
        yield f"The best move {_played(position.game, best_move)}."


def _played(game: Game, move: int) -> str:
    return move_words(game, move) if not isinstance(game, LineGame) else f"is {move_name(game, move)}"


def places(game: Game, cells: Sequence[int]) -> list[str]:
    """Return the names of cells, with their rows where a move is a column."""
    if not isinstance(game, LineGame):
        return [cell_name(game, cell) for cell in cells]
    if not game.has_columns:
        return [cell_name(game, cell) for cell in cells]
    return [f"row {game.rows - game.row_of(cell)} of column {game.column_of(cell) + 1}" for cell in cells]


def _cells(position: LinePosition) -> Iterator[str]:
    for player, mask in zip(PLAYERS, position.game.masks(position), strict=True):
        cells = [cell for cell in range(position.game.cells) if mask >> cell & 1]
        if cells:
            yield f"{player} is on {joined(places(position.game, cells))}."
    if not marked(position):
        yield "The board is empty."


def _contents(position: Position) -> Iterator[str]:
    """Yield where each mark, piece or digit is, and which of them disappear with the next move."""
    game, contents = position.game, position.contents
    for sign in sorted({*contents} - {"."}, key="XO123456789".index):
        cells = [cell for cell, content in enumerate(contents) if content == sign]
        yield f"{sign} is on {joined(places(game, cells))}."
    if not contents.strip("."):
        yield "The board is empty."
    for cell in fading(position):
        yield f"The mark on {cell_name(game, cell)} disappears with the next move."


def fading(position: Position) -> Sequence[int]:
    """Return the cells whose marks disappear with the next move."""
    return position.game.fading(position.words, position.turn) if position.status == "in_progress" else ()


def _size(game: Game) -> str:
    board = f"{game.rows // game.boards}x{game.columns}" if game.rows > 1 else _count(game.cells, "cell")
    return board if game.boards == 1 else f"{game.boards} boards of {board}"


def _columns(position: LinePosition) -> Iterator[str]:
    game, board = position.game, str(position)
    for column in range(game.columns):
        marks = [mark for mark in board[column :: game.columns][::-1] if mark != "."]
        if marks:
            yield f"Column {column + 1} from the bottom: {', '.join(marks)}."
    if not marked(position):
        yield "The board is empty."


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
