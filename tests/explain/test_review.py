"""Reviews: every move of a game is judged as the reference judges it, and what changed the outcome is named."""

import random
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest
from flask.testing import FlaskClient

from service.api.read.record import read_record
from service.engine.oracle import Oracle
from service.engine.result import OPPOSITE, Outcome, estimate, score_bounds
from service.engine.work.limit import Limit
from service.explain.review import JudgedMove, Review, review
from service.games.catalogue import LINE_GAMES, MISERE_TIC_TAC_TOE, QUBIC, TIC_TAC_TOE
from service.games.families.lines import LineGame, Player, hand_written, line_position
from service.games.game import Game
from service.games.position import Position
from tests.contract import assert_matches
from tests.games.games import SOLVED, each_solved_game, random_games, table_of
from tests.support import HUNG_SECONDS
from tests.worlds import OUTCOME_NAMES, each_first_player, each_game, is_line, oracle, small, verdict


def reviewed(game: LineGame, moves: list[int], first: Player = "X") -> Review:
    return review(oracle(), line_position(game, 0, 0, first), moves, Limit(60))


def random_game(game: LineGame, dice: random.Random) -> list[int]:
    position, moves = line_position(game, 0, 0, "X"), []
    while position.legal_moves:
        moves.append(dice.choice(position.legal_moves))
        position = position.play(moves[-1])
    return moves


def post(client: FlaskClient, **body: Any) -> dict[str, Any]:
    answer: dict[str, Any] = client.post("/review", json=body).get_json()
    assert_matches("ProblemDocument" if "status" in answer and "title" in answer else "ReviewAnswer", answer)
    return answer


@each_solved_game
def test_every_move_of_random_games_of_states_is_judged_by_the_table(game: Game) -> None:
    for played in list(random_games(game))[:4]:
        assert_judged(game, played[:25])


@each_game
@each_first_player
def test_every_move_of_random_games_of_lines_is_judged_by_the_reference(game: LineGame, first: Player) -> None:
    dice = random.Random(game.id)
    for _ in range(60):
        assert_judged(game, [*accumulated(line_position(game, 0, 0, first), dice)])


def accumulated(position: Position, dice: random.Random) -> Iterator[Position]:
    """A game played at random."""
    yield position
    while position.legal_moves:
        position = position.play(dice.choice(position.legal_moves))
        yield position


def assert_judged(game: Game, played: list[Position]) -> None:
    emitted: list[JudgedMove] = []
    moves = [next(m for m in before.legal_moves if before.play(m) == after) for before, after in pairwise(played)]
    found = review(oracle(), played[0], moves, Limit(60), emit=emitted.append)
    assert [*reversed(emitted)] == [*found.moves]
    assert (found.proven, set(found.accuracy), found.end) == (True, set(game.players), played[-1])
    for ply in found.moves:
        (before, longest), (after, plies) = value_of(ply.position), value_of(ply.position.play(ply.move))
        outcome = OPPOSITE[after]
        assert (ply.outcome_before, ply.outcome_after) == (before, outcome)
        if outcome != before:
            assert (ply.verdict, ply.gave_away) == ("mistake", (before, outcome))
        else:
            assert ply.verdict == ("best" if before == "draw" or longest == (plies or 0) + 1 else "slower")
        assert (ply.move in ply.best_moves) == (ply.verdict == "best")
        assert ply.reason.endswith(".")


def value_of(position: Position) -> tuple[Outcome, int | None]:
    """The outcome and the plies to the end."""
    if is_line(position):
        truth = verdict(position)
        return OUTCOME_NAMES[truth.outcome], truth.plies
    return table_of(position.game).known_value(position)


@pytest.mark.parametrize("game", [TIC_TAC_TOE, MISERE_TIC_TAC_TOE, *SOLVED.values()], ids=repr)
def test_a_game_of_best_moves_is_accurate_for_both(game: Game) -> None:
    found = review(oracle(), Position(game), list(oracle().best_move(Position(game)).pv), Limit(60))
    assert (set(found.accuracy.values()), found.turning_point, found.proven) == ({100}, None, True)


@pytest.mark.parametrize(
    ("moves", "verdicts", "accuracy", "turning_point"),
    [
        ([], [], {"X": None, "O": None}, None),
        ([4], ["best"], {"X": 100, "O": None}, None),
        # One blunder of O.
        ([0, 4, 8, 2, 6, 3, 7], [*["best"] * 3, "mistake", *["best"] * 3], {"X": 100, "O": 83.3}, 3),
        # O gives the draw away on an edge, X gives the win back.
        ([4, 1, 7, 0], ["best", "mistake", "mistake", "best"], {"X": 75, "O": 75}, 2),
        # X could complete the top row at once and wins two plies later: slower.
        ([0, 3, 1, 4, 8], ["best", "mistake", "best", "slower", "mistake"], {"X": 66.7, "O": 70}, 4),
    ],
)
def test_verdicts_and_accuracy_of_short_games(
    moves: list[int], verdicts: list[str], accuracy: dict[str, float | None], turning_point: int | None
) -> None:
    found = reviewed(TIC_TAC_TOE, moves)
    assert [ply.verdict for ply in found.moves] == verdicts
    assert (found.accuracy, found.turning_point) == (accuracy, turning_point)


def test_an_answer_names_the_blunder_and_what_it_gave_away(client: FlaskClient) -> None:
    answer = post(client, moves=[0, 4, 8, 2, 6, 3, 7])
    blunder = answer["plies"][3]
    assert (blunder["player"], blunder["move"], blunder["verdict"]) == ("O", 2, "mistake")
    assert (blunder["gave_away"], blunder["best_moves"]) == ("draw -> loss", [1, 3, 5, 7])
    assert blunder["reason"].startswith("Gives the draw away: X answers with a3")
    assert (answer["turning_point"], answer["winner"], answer["status"]) == (4, "X", "won")
    plies = post(client, game="connect-four-5x4", moves=[2, 2, 1])["plies"]
    assert [(ply["move"], ply["row"], ply["column"]) for ply in plies] == [(17, 3, 2), (12, 2, 2), (16, 3, 1)]


@pytest.mark.parametrize(
    ("body", "pointers"),
    [
        ({"moves": [0, 9, 4, 4]}, ["/moves/1", "/moves/3"]),
        ({"moves": [0, 3, 1, 4, 2, 5]}, ["/moves/5"]),
        ({"moves": [3, 3, 3, 3, 3, 3, 3], "game": "connect-four"}, ["/moves/6"]),
        ({}, ["/moves"]),
        ({"moves": [], "first": "O"}, ["/first"]),
    ],
)
def test_what_cannot_be_reviewed_is_named_by_its_index(
    client: FlaskClient, body: dict[str, Any], pointers: list[str]
) -> None:
    assert [error["pointer"] for error in post(client, **body)["errors"]] == pointers


def test_what_the_limit_did_not_reach_is_unknown_and_what_is_proven_is_still_said() -> None:
    # A game of Qubic that X ends with four in the first row, as O looks on.
    found = review(Oracle(), line_position(QUBIC, 0, 0, "X"), [0, 16, 1, 17, 2, 20, 3], Limit(HUNG_SECONDS, 50_000))
    assert not found.proven
    assert found.moves[0].verdict == "unknown"
    assert (found.moves[-1].verdict, found.moves[-1].outcome_after) == ("best", "win")
    assert found.moves[-2].verdict in ("mistake", "unknown")
    assert found.end.status == "won"


def test_a_move_that_no_proof_could_judge_counts_by_what_its_estimates_lose() -> None:
    game = small(4, 4, 3)
    found = review(Oracle(), line_position(game, 0, 0, "X"), [5, 0, 6], Limit(60, 3))
    move = found.moves[1]
    assert (move.verdict, move.judged, found.proven) == ("unknown", False, False)
    assert move.kept == 1 - max(0, estimate(move.before) - estimate(move.value)) / 2
    assert found.accuracy["O"] == round(100 * move.kept, 1)


@pytest.mark.parametrize("nodes", [300, 300_000])
def test_every_move_that_is_called_worse_comes_with_a_better_one(nodes: int) -> None:
    game = LINE_GAMES["connect-four"]
    moves, _ = read_record(line_position(game, 0, 0, "X"), "42423336313356551626")
    worse = [
        move
        for move in review(Oracle(), line_position(game, 0, 0, "X"), moves, Limit(60, nodes)).moves
        if move.verdict in ("mistake", "slower")
    ]
    assert worse
    for move in worse:
        assert "promising" not in move.reason
        assert move.best_moves
        if move.position.game.cells - move.position.remaining >= 14:
            scores = {
                cell: oracle().best_move(move.position.play(cell)).score or 0 for cell in move.position.legal_moves
            }
            assert all(scores[better] < scores[move.move] for better in move.best_moves)


def test_a_position_is_worth_at_least_what_the_move_in_it_is_worth() -> None:
    game, open_ones = LINE_GAMES["connect-four-5x5"], 0
    for seed in range(5):
        moves = random_game(game, random.Random(seed))
        for move in review(Oracle(), line_position(game, 0, 0, "X"), moves, Limit(60, 2_000)).moves:
            assert score_bounds(move.before)[0] >= score_bounds(move.value)[0]
            assert 0 <= move.kept <= 1
            open_ones += not move.judged
    assert open_ones


def test_a_slower_loss_and_a_slower_win_cost_a_little_and_a_win_thrown_to_a_loss_everything() -> None:
    kept = {
        (ply.verdict, f"{ply.outcome_before} {ply.outcome_after}"): ply.kept
        for seed in range(200)
        for ply in reviewed(TIC_TAC_TOE, random_game(TIC_TAC_TOE, random.Random(seed))).moves
    }
    assert kept == {
        ("best", "win win"): 1,
        ("best", "draw draw"): 1,
        ("best", "loss loss"): 1,
        ("slower", "win win"): 0.9,
        ("slower", "loss loss"): 0.9,
        ("mistake", "win draw"): 0.5,
        ("mistake", "draw loss"): 0.5,
        ("mistake", "win loss"): 0,
    }


@pytest.mark.parametrize(("moves", "ply"), [([0, 3, 1, 4, 2], 4), ([0, 4, 8, 1, 7, 6, 2, 5, 3], 8)])
def test_a_win_in_one_and_the_only_legal_move_are_best_even_where_nothing_is_proven(moves: list[int], ply: int) -> None:
    # The same lines by hand, so that no table knows them.
    lines = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]]
    game = hand_written(id="custom", name="lines", rules="", cells=9, lines=lines)
    found = review(Oracle(), line_position(game, 0, 0, "X"), moves, Limit(60, 0))
    assert found.moves[ply].verdict == "best"
