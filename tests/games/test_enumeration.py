"""Enumeration finds every kind of unfinished position, each once, at its number of plies."""

import pytest

from service.games.catalogue import CATALOGUE, TIC_TAC_TOE
from service.games.game import Game
from service.games.position import Position, unfinished_positions
from tests import published
from tests.worlds import canonical, small


def by_plies(game: Game) -> list[set[Position]]:
    """The canonical unfinished positions by plies: all positions by all moves, nothing but the rules."""
    levels, seen = [{Position(game)}], {Position(game)}
    while levels[-1]:
        after = {position.play(move) for position in levels[-1] for move in position.legal_moves}
        levels.append({position for position in after - seen if position.legal_moves})
        seen |= levels[-1]
    return [{canonical(position) for position in level} for level in levels[:-1]]


GAMES = [small(3, 3, 3, gravity=True), small(2, 5, 3), CATALOGUE["notakto"], CATALOGUE["treblecross"]]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_each_kind_of_position_is_found_once_at_its_plies(game: Game) -> None:
    found = [list(map(canonical, level)) for level in unfinished_positions(game)]
    assert [set(level) for level in found] == by_plies(game)
    assert all(len(level) == len(set(level)) for level in found)


@pytest.mark.parametrize("name", ["three-mens-morris", "quixo-3x3"])
def test_where_positions_come_again_each_is_found_for_the_fewest_plies(name: str) -> None:
    game = CATALOGUE[name]
    found = [game.least_image(position.state) for level in unfinished_positions(game) for position in level]
    assert len(found) == len(set(found))
    assert set(found) == {game.least_image(position.state) for level in by_plies(game) for position in level}


def test_tic_tac_toe_has_as_many_kinds_of_positions_as_published() -> None:
    kinds = sum(map(len, unfinished_positions(TIC_TAC_TOE)))
    assert kinds == published.POSITIONS_BUT_FOR_SYMMETRY - published.FINISHED_BUT_FOR_SYMMETRY
