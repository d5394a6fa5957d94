"""Every puzzle has exactly one solution, and the same question has the same puzzles."""

from functools import cache

import pytest

from service.engine.oracle import Oracle
from service.engine.work.limit import Limit
from service.engine.work.slots import SearchSlots, Slot
from service.explain.puzzles import Goal, OutOfTime, ProvenPuzzle, Wanted, find_puzzles, possible_plies
from service.games.catalogue import CATALOGUE, LINE_GAMES, MISERE_TIC_TAC_TOE, QUBIC, TIC_TAC_TOE, WRAPPED_TIC_TAC_TOE
from service.games.game import Game
from service.games.position import Position
from tests.support import sampled
from tests.worlds import small

LIMIT = Limit(3600, 200_000)
VALUES = {"win": 1, "draw": 0, "loss": -1}
FOR_GOAL = {"win": 1, "hold": 0}
WITHOUT_DRAWS = {"wrapped-tic-tac-toe", "notakto", "snort-4x4"}


@cache
def minimax(position: Position) -> tuple[int, int]:
    """The value of a position for the player to move, -1 to 1, and the plies to the end: nothing but the rules."""
    if position.status != "in_progress":
        return (0 if position.winner is None else 1 if position.winner == position.player else -1), 0
    values = [(-value, 1 + plies) for value, plies in map(minimax, map(position.play, position.legal_moves))]
    return max(values, key=lambda worth: (worth[0], -worth[1] * worth[0]))


def puzzles(game: Game, goal: Goal, seed: int, count: int = 3, limit: Limit = LIMIT) -> list[ProvenPuzzle]:
    wanted = Wanted(game, goal, possible_plies(game, goal, None, None), seed)
    return find_puzzles(Oracle(table_mb=1), wanted, count, limit)


@pytest.mark.verify
@pytest.mark.parametrize("goal", ["win", "hold"])
@pytest.mark.parametrize(
    "game",
    [
        *(TIC_TAC_TOE, MISERE_TIC_TAC_TOE, WRAPPED_TIC_TAC_TOE, small(3, 4, 3), small(3, 3, 3, gravity=True)),
        *(CATALOGUE[name] for name in ("wild-tic-tac-toe", "notakto", "snort-4x4")),
    ],
    ids=lambda game: game.id,
)
def test_one_move_alone_reaches_the_goal_says_plain_minimax(game: Game, goal: Goal) -> None:
    found = [puzzle for seed in range(sampled(4, 12)) for puzzle in puzzles(game, goal, seed)]
    for puzzle in found:
        position, wanted = puzzle.position, FOR_GOAL[goal]
        assert minimax(position) == (wanted, puzzle.answer.plies)
        assert puzzle.line[0] == puzzle.answer.move
        assert len(position.legal_moves) > 1
        for place, move in enumerate(puzzle.line):
            value, plies = minimax(position)
            after = {other: minimax(position.play(other)) for other in position.legal_moves}
            if place % 2 == 0:
                assert [other for other, (worth, _) in after.items() if -worth >= wanted] == [move]
            assert after[move] == (-value, plies - 1)
            position = position.play(move)
        replies = {reply: minimax(position.play(reply)) for reply in position.legal_moves}
        if replies:  # after the best one the game is over, or there is a choice
            after_reply = position.play(max(replies, key=lambda reply: (-replies[reply][0], replies[reply][1])))
            values = [-minimax(after_reply.play(move))[0] for move in after_reply.legal_moves]
            assert not values or sum(value >= wanted for value in values) > 1
    assert len(found) >= sampled(4, 11) or (goal == "hold" and game.id in WITHOUT_DRAWS)


@pytest.mark.parametrize("goal", ["win", "hold"])
@pytest.mark.parametrize("game", ["connect-four-5x4", "tic-tac-toe-4x4", "connect-four"])
def test_one_move_alone_reaches_the_goal_in_larger_games_too(game: str, goal: Goal) -> None:
    oracle = Oracle()
    for puzzle in puzzles(LINE_GAMES[game], goal, 5):
        after = {move: oracle.best_move(puzzle.position.play(move)).outcome for move in puzzle.position.legal_moves}
        reached = [move for move, outcome in after.items() if -VALUES[outcome] >= FOR_GOAL[goal]]
        assert reached == [puzzle.answer.move]


@pytest.mark.parametrize("game", ["three-mens-morris", "pop-out-4x4", "ultimate-tic-tac-toe"])
def test_one_move_alone_wins_in_games_whose_draws_have_no_fixed_length(game: str) -> None:
    oracle = Oracle()
    found = puzzles(CATALOGUE[game], "win", 5)
    for puzzle in found:
        after = {move: oracle.best_move(puzzle.position.play(move)).outcome for move in puzzle.position.legal_moves}
        assert [move for move, outcome in after.items() if outcome == "loss"] == [puzzle.answer.move]
    assert len(found) == 3
    assert not possible_plies(CATALOGUE[game], "hold", None, None)


@pytest.mark.verify
@pytest.mark.parametrize("goal", ["win", "hold"])
def test_law_1_the_same_question_has_the_same_puzzles_cold_and_warm_and_more_nodes_only_add_some(goal: Goal) -> None:
    game = LINE_GAMES["connect-four-5x5"]
    wanted = Wanted(game, goal, possible_plies(game, goal, None, None), 20261122)
    warm = Oracle(table_mb=1)
    few, again, many = (
        [p.moves for p in find_puzzles(warm, wanted, 40, Limit(3600, nodes))] for nodes in (100_000, 100_000, 400_000)
    )
    cold = [p.moves for p in find_puzzles(Oracle(table_mb=1), wanted, 40, Limit(3600, 400_000))]
    assert few == again
    assert many == cold
    assert many[: len(few)] == few
    assert 0 < len(few) < len(many)


@pytest.mark.parametrize("plies", [3, 5, 7])
def test_the_solution_takes_as_many_plies_as_are_wanted(plies: int) -> None:
    game = LINE_GAMES["connect-four-5x4"]
    wanted = Wanted(game, "win", possible_plies(game, "win", plies, plies), 3)
    found = find_puzzles(Oracle(table_mb=1), wanted, 2, LIMIT)
    assert [puzzle.answer.plies for puzzle in found] == [plies, plies]


def test_a_win_takes_an_odd_number_of_plies_and_in_misere_games_an_even_one() -> None:
    assert list(possible_plies(TIC_TAC_TOE, "win", None, None)) == [3, 5, 7, 9]
    assert list(possible_plies(MISERE_TIC_TAC_TOE, "win", None, None)) == [2, 4, 6, 8]
    assert list(possible_plies(TIC_TAC_TOE, "win", 4, 8)) == [5, 7]
    assert list(possible_plies(TIC_TAC_TOE, "win", 4, 4)) == []
    assert list(possible_plies(TIC_TAC_TOE, "win", 0, 0)) == []
    assert list(possible_plies(MISERE_TIC_TAC_TOE, "win", 1, 3)) == [2]
    assert list(possible_plies(TIC_TAC_TOE, "hold", None, 4)) == [2, 3, 4]
    assert list(possible_plies(CATALOGUE["notakto"], "win", None, None)) == [2, 4, 6, 8]
    assert list(possible_plies(CATALOGUE["three-mens-morris"], "win", 2, 5)) == [2, 3, 4, 5]


class Waited(Slot):
    """The claim of a request that has waited as long as it may, for a table of its game or for a place."""

    waited = LIMIT.seconds


def test_a_search_waits_no_longer_than_its_limit() -> None:
    wanted = Wanted(TIC_TAC_TOE, "win", possible_plies(TIC_TAC_TOE, "win", None, None), 1)
    with pytest.raises(OutOfTime):
        find_puzzles(Oracle(table_mb=1), wanted, 1, LIMIT, Waited(SearchSlots(1, 0, 1)))


def test_what_the_clock_cuts_off_is_no_result() -> None:
    with pytest.raises(OutOfTime):
        puzzles(QUBIC, "win", 1, limit=Limit(0, 1_000_000))
    with pytest.raises(OutOfTime):
        puzzles(QUBIC, "win", 1, limit=Limit(3600, 1_000_000, stop=lambda: True))
