"""What moves of games of families are called in the terminal: ``b2``, ``Xb2``, ``a1-b2``, or as requests call them."""

from collections.abc import Iterable, Mapping
from functools import lru_cache

from service.explain.family_names import cell_words
from service.families.game import FamilyGame, MoveName
from service.families.position import FamilyPosition

MOST_GAMES = 16
"""Games whose names of moves are kept."""


def label(game: FamilyGame, move: int) -> str:
    """Return what a move is called."""
    fields = game.move_fields(move)
    if not {"pop", "board"}.isdisjoint(fields):
        return str(game.move_name(move))
    cell = cell_words(game, game.cell_of(move))
    start = fields.get("from")
    return f"{fields.get('mark', '')}{cell}" if start is None else f"{cell_words(game, int(start))}-{cell}"


def labels(game: FamilyGame, names: Iterable[MoveName]) -> str:
    """Return moves one after the other, by the names that answers have."""
    return " ".join(label(game, game.moves_by_name[str(name).lower()]) for name in names)


@lru_cache(MOST_GAMES)
def all_moves(game: FamilyGame) -> Mapping[str, int]:
    """Return every move, legal or not, by what may be typed for it, in lower case."""
    by_label = {label(game, move).lower(): move for move in range(game.play.moves)}
    without_dash = {name.replace("-", ""): move for name, move in by_label.items()}
    return {**game.moves_by_name, **without_dash, **by_label}


def read_move(position: FamilyPosition, line: str) -> int | None:
    """Return the legal move that a line means; None if there is none."""
    move = all_moves(position.game).get("".join(line.lower().split()))
    return move if move in position.legal_moves else None


def as_requested(game: FamilyGame, token: str) -> str:
    """Return a move that was typed as requests call it; as it was typed if there is no such move."""
    move = all_moves(game).get(token.lower())
    return token if move is None else str(game.move_name(move))
