"""Positions: how they follow from each other, how they end, and how many there are.

What every game keeps is in test_conformance.py.
"""

from collections import Counter
from functools import cache
from random import Random

import pytest

from service.games.catalogue import CONNECT_FOUR, MISERE_TIC_TAC_TOE, TIC_TAC_TOE
from service.games.families.lines import OPPONENT, LineGame, LinePosition, Player, line_position, marked
from tests import published
from tests.games.games import LINE_GAMES, each
from tests.worlds import canonical, each_first_player, each_game, reachable


@cache
def ways_to_reach(game: LineGame) -> Counter[LinePosition]:
    """For each position the number of move sequences that lead from the empty board to it."""
    ways = Counter([reachable(game)[0]])
    for before in reachable(game):
        for move in before.legal_moves:
            ways[before.play(move)] += ways[before]
    return ways


def plies_played(position: LinePosition) -> int:
    return marked(position).bit_count()


def finished(game: LineGame) -> dict[LinePosition, int]:
    """Each finished position with the number of games that end in it."""
    return {position: ways for position, ways in ways_to_reach(game).items() if position.status != "in_progress"}


@each_game
@each_first_player
def test_5478_positions_can_be_reached_and_765_differ_by_more_than_a_symmetry(game: LineGame, first: Player) -> None:
    by_ply = Counter(plies_played(position) for position in reachable(game, first))
    assert tuple(by_ply[ply] for ply in range(10)) == published.POSITIONS_BY_PLY
    assert by_ply.total() == published.POSITIONS == 5_478
    unlike = {canonical(position) for position in reachable(game, first)}
    assert len(unlike) == published.POSITIONS_BUT_FOR_SYMMETRY == 765
    ended = {position for position in unlike if position.status != "in_progress"}
    assert len(ended) == published.FINISHED_BUT_FOR_SYMMETRY == 138


def test_as_many_positions_of_connect_four_can_be_reached_by_ply_as_published() -> None:
    layer = {line_position(CONNECT_FOUR, 0, 0, "X")}
    for count in published.CONNECT_FOUR_POSITIONS_BY_PLY:
        assert len(layer) == count
        layer = {position.play(move) for position in layer for move in position.legal_moves}


@pytest.mark.parametrize(("game", "wins_for"), [(TIC_TAC_TOE, {"X": "X", "O": "O"}), (MISERE_TIC_TAC_TOE, OPPONENT)])
def test_255168_games_of_the_published_lengths_and_ends_can_be_played(
    game: LineGame, wins_for: dict[Player, Player]
) -> None:
    perft, lengths, winners = Counter[int](), Counter[int](), Counter[Player | None]()
    for position, ways in ways_to_reach(game).items():
        perft[plies_played(position)] += ways
    for position, ways in finished(game).items():
        lengths[plies_played(position)] += ways
        winners[position.winner] += ways
    assert tuple(perft[ply] for ply in range(10)) == published.PERFT
    assert lengths == published.GAMES_BY_LENGTH
    assert {owner: winners[wins_for[owner] if owner else None] for owner in winners} == (
        published.GAMES_BY_OWNER_OF_THE_LINE
    )
    assert lengths.total() == winners.total() == published.GAMES == 255_168


@each_game
def test_law_4_62_of_the_958_final_boards_are_full_and_yet_not_drawn(game: LineGame) -> None:
    full = [position for position in finished(game) if marked(position) == game.full]
    assert len(finished(game)) == published.FINISHED == 958
    assert sum(position.status == "won" for position in full) == published.FULL_AND_WON == 62
    assert sum(position.status == "drawn" for position in full) == published.FULL_AND_DRAWN


@each(LINE_GAMES)
def test_marks_have_a_line_if_they_contain_all_cells_of_one(game: LineGame) -> None:
    dice = Random(0)
    for line in (0, *game.line_masks):
        for other in (0, dice.getrandbits(game.cells), dice.getrandbits(game.cells) & dice.getrandbits(game.cells)):
            for marks in (other, line | other, (line & line - 1) | other):
                assert game.has_line(marks) == any(mask & marks == mask for mask in game.line_masks)
