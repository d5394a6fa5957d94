"""Images and exchanged colours of positions of every game: all that is said of them is the same but for cells."""

from collections import Counter
from typing import Any

from service.explain.ranking import rank
from service.games.catalogue import MISERE_TIC_TAC_TOE, TIC_TAC_TOE
from service.games.game import Game, UnreadableError
from service.games.position import Position, read_position
from tests.games.games import SOLVED, each, few, image_of, oracle, positions, symmetries
from tests.support import sampled

POSITIONS = sampled(120, 10_000)
"""Positions of all games together, each compared with all of its images."""


LINES = {game.id: game for game in (TIC_TAC_TOE, MISERE_TIC_TAC_TOE)}

each_told_game = each({**SOLVED, **LINES})


def essence(position: Position) -> tuple[Any, ...]:
    """All that is said of a position and of its moves, without cells, moves and lines."""
    analysis = oracle().analyse(position)
    best = analysis.best
    moves = Counter(
        (move.outcome, move.plies, move.score, move.exact, move.repetition, move.best, codes_of(move.reasons))
        for move in rank(analysis)
    )
    kept = best.outcome, best.plies, best.score, best.proven, best.exact, best.repetition
    return position.status, *kept, frozenset(moves.items())


def codes_of(reasons: Any) -> tuple[str, ...]:
    return tuple(reason.code for reason in reasons)


def sample(game: Game) -> list[Position]:
    return few(positions(game), POSITIONS // len(SOLVED))


def recoloured(position: Position) -> tuple[str, str] | None:
    """The text with the marks exchanged, and who is to move then; None where that is another game."""
    game, text = position.game, str(position)
    if game.family in ("wild", "order-and-chaos"):
        return text.translate(str.maketrans("XO", "OX")), position.player
    if game.family == "line":
        return text.translate(str.maketrans("XO", "OX")), position.opponent
    if game.family == "numerical":
        return "".join(digit if digit == "." else str(10 - int(digit)) for digit in text), position.player
    marks = position.contents
    if game.family == "morris" and marks.count("X") == marks.count("O") == game.parameters["marks"]:
        return text.translate(str.maketrans("XO", "OX")), position.opponent
    if game.family == "vanishing":
        x, o = text[1:].split("/O")
        if len(x.split("-")) == len(o.split("-")) == game.parameters["marks"]:
            return f"X{o}/O{x}", position.opponent
    return None


@each_told_game
def test_images_of_a_position_are_told_the_same_but_for_cells(game: Game) -> None:
    for position in sample(game):
        told = essence(position)
        for symmetry in symmetries(game):
            image = read_position(game, image_of(position, symmetry), position.player)
            assert essence(image) == told, str(image)


@each_told_game
def test_exchanged_colours_are_told_the_same(game: Game) -> None:
    compared = 0
    for position in sample(game):
        other = recoloured(position)
        if other is None:
            continue
        try:
            image = read_position(game, *other)
        except UnreadableError:  # the last piece was placed just now, so the other player cannot have moved last
            assert game.family == "morris"
            continue
        assert essence(image) == essence(position), str(image)
        compared += 1
    assert compared or game.relative or game.family == "notakto"
