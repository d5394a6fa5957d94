"""Pictures in words: for people who cannot see them, and for the caption."""

from collections.abc import Iterator, Sequence

from service.explain.names import is_composite, move_words
from service.games.game import CUSTOM, Game
from service.games.notation.moves import joined
from service.games.position import Position


def standing(position: Position) -> str:
    """Return the status of the game: ``X to move``."""
    if position.winner is not None:
        return f"{capitalised(position.winner)} wins"
    return "Draw" if position.status == "drawn" else f"{capitalised(position.player)} to move"


def capitalised(player: str) -> str:
    """Return the name of a player with a capital letter, for the start of a sentence."""
    return player[0].upper() + player[1:]


def title(position: Position) -> str:
    """Return the name of the game and its status."""
    return f"{game_name(position.game)}: {standing(position)}"


def game_name(game: Game) -> str:
    """Return the name of a game, or a description of its rules if it has none."""
    return game.in_brief if game.id == CUSTOM else game.name


def description(position: Position, last_move: int | None, best_move: int | None = None) -> Iterator[str]:
    """Yield sentences about the marks, the last and the best move, and the line that decided the game."""
    game = position.game
    yield from _columns(position) if game.upright else _cells(position)
    if not position.contents.strip("."):
        yield "The board is empty."
    for cell in fading(position):
        yield f"The mark on {game.cell_name(cell)} disappears with the next move."
    if last_move is not None:
        yield f"The last move {_played(game, last_move)}."
    if position.winning_line is not None:
        yield f"The complete line is {joined(places(game, position.winning_line))}."
    if best_move is not None:
        yield f"The best move {_played(game, best_move)}."


def _played(game: Game, move: int) -> str:
    """Return a move as a phrase, if its name alone does not describe it."""
    is_named = game.has_columns or not is_composite(game, move)
    return f"is {game.names[move]}" if is_named else move_words(game, move)


def places(game: Game, cells: Sequence[int]) -> list[str]:
    """Return the names of cells, with their rows if discs fall into columns."""
    if not game.upright:
        return [game.cell_name(cell) for cell in cells]
    return [f"row {game.rows - game.row_of(cell)} of column {game.column_of(cell) + 1}" for cell in cells]


def _cells(position: Position) -> Iterator[str]:
    """Yield the place of each mark, piece or digit."""
    contents = position.contents
    for sign in sorted({*contents} - {"."}, key="XO123456789".index):
        cells = [cell for cell, content in enumerate(contents) if content == sign]
        yield f"{sign} is on {joined(places(position.game, cells))}."


def _columns(position: Position) -> Iterator[str]:
    game = position.game
    for column in range(game.columns):
        marks = [mark for mark in position.contents[column :: game.columns][::-1] if mark != "."]
        if marks:
            yield f"Column {column + 1} from the bottom: {', '.join(marks)}."


def fading(position: Position) -> Sequence[int]:
    """Return the cells whose marks disappear with the next move."""
    return position.game.fading(position.state, position.turn) if position.status == "in_progress" else ()
