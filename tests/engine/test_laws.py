"""The nine laws that every answer keeps, on every position of 3x3, normal and misère, where there are so few."""

from itertools import product
from operator import attrgetter

import pytest

from loadtests.positions.invalid import LISTED
from service.engine.oracle import LOWEST, BestMove, MoveChoice, Oracle
from service.engine.result import OPPOSITE, Bounds, Outcome, ends, for_previous_player, score_bounds
from service.engine.work.limit import Limit
from service.explain.reasons import reason
from service.games.boards.grid import permute
from service.games.families.lines import OPPONENT, LineGame, LinePosition, line_position, position_after
from tests.certificates import certificate, holds_in_python, outcome_in
from tests.edge_client import EdgeClient
from tests.support import sampled
from tests.worlds import (
    GAMES,
    OUTCOME_NAMES,
    each_game,
    length,
    near_the_end,
    oracle,
    proof,
    reachable,
    small,
    table,
    unfinished,
    verdict,
)

SEARCHED = (
    small(4, 4, 3),
    small(4, 4, 4, wrap=True),
    small(3, 5, 3, misere=True),
    small(5, 4, 4, gravity=True),
    small(4, 4, 4, gravity=True, misere=True),
)
"""Games that no table answers."""

each_choice = pytest.mark.parametrize(
    "choice", [LOWEST, MoveChoice(11), MoveChoice(hardest=True)], ids=["lowest", "random", "hardest"]
)


def finished(game: LineGame) -> list[LinePosition]:
    return [position for position in reachable(game) if not position.legal_moves]


@each_game
@each_choice
def test_law_1_an_answer_depends_on_nothing_that_was_asked_before(game: LineGame, choice: MoveChoice) -> None:
    forwards = [oracle().best_move(position, choice) for position in reachable(game)]
    other = Oracle(reversed(GAMES))
    backwards = [other.best_move(position, choice) for position in reversed(reachable(game))]
    assert forwards == backwards[::-1]


@each_game
def test_law_2_symmetric_positions_have_symmetric_answers(game: LineGame) -> None:
    for position, symmetry in product(reachable(game), game.symmetries):
        image = line_position(
            game,
            permute(position.game.masks(position)[0], symmetry),
            permute(position.game.masks(position)[1], symmetry),
            position.player,
        )
        entry, mirrored = table(game)[position], table(game)[image]
        assert (entry.outcome, entry.score, entry.plies) == (mirrored.outcome, mirrored.score, mirrored.plies)
        assert {symmetry[move] for move in entry.best_moves} == set(mirrored.best_moves)


def replies(position: LinePosition, outcome: str) -> list[int]:
    """Return how long the game lasts after each move that leaves the opponent this outcome."""
    answers = [oracle().best_move(position.play(move)) for move in position.legal_moves]
    return [length(proof(answer)) + 1 for answer in answers if answer.outcome == outcome]


@each_game
def test_law_3_a_win_is_the_fastest_and_a_loss_the_slowest_that_any_move_reaches(game: LineGame) -> None:
    for position in unfinished(game):
        answer = proof(oracle().best_move(position))
        wins, losses = replies(position, "loss"), replies(position, "win")
        worth = game.cells + 1 - length(answer)
        if wins:
            assert (answer.outcome, answer.plies, answer.score) == ("win", min(wins), worth)
        elif len(losses) == len(position.legal_moves):
            assert (answer.outcome, answer.plies, answer.score) == ("loss", max(losses), -worth)
        else:
            assert (answer.outcome, answer.score) == ("draw", 0)


@each_game
def test_law_3_a_ply_before_the_end_is_a_ply_further_off_in_a_bound_as_in_a_proof(game: LineGame) -> None:
    for position in unfinished(game):
        for move in position.legal_moves:
            entry = table(game)[position.play(move)]
            bound = Bounds(entry.score, entry.score, move)
            proven, bounded = (for_previous_player(known, move, game.cells) for known in (entry, bound))
            assert score_bounds(bounded) == score_bounds(proven)


@each_game
def test_law_4_a_full_board_with_a_line_is_no_draw(game: LineGame) -> None:
    owner_result: Outcome = "loss" if game.misere else "win"
    for position in finished(game):
        has_line = any(line & position.state[1] == line for line in game.line_masks)
        expected = OPPOSITE[owner_result] if has_line else "draw"
        assert oracle().best_move(position).outcome == expected


@each_game
@each_choice
def test_law_5_the_principal_variation_is_legal_and_keeps_its_promise_at_every_ply(
    game: LineGame, choice: MoveChoice
) -> None:
    for start in reachable(game):
        answer, position = oracle().best_move(start, choice), start
        first = proof(answer)
        assert answer.pv[:1] == (() if answer.move is None else (answer.move,))
        for ply, move in enumerate(answer.pv):
            here = proof(oracle().best_move(position))
            assert here.plies == length(first) - ply
            assert here.outcome == (OPPOSITE[first.outcome] if ply % 2 else first.outcome)
            assert move in position.legal_moves
            position = position.play(move)
        assert_ends_as_promised(answer, position)


def assert_ends_as_promised(answer: BestMove, end: LinePosition) -> None:
    player = answer.position.player
    assert len(answer.pv) == answer.plies
    assert end.status == ("drawn" if answer.outcome == "draw" else "won")
    assert end.winner == {"win": player, "draw": None, "loss": OPPONENT[player]}[answer.outcome]


@pytest.mark.parametrize("game", SEARCHED, ids=attrgetter("id"))
def test_law_6_a_search_that_is_cut_off_says_only_what_is_proven_and_keeps_nothing_else(game: LineGame) -> None:
    asked = Oracle()
    for position in near_the_end(game, empties=6, count=10):
        truth = OUTCOME_NAMES[verdict(position).outcome]
        cut_off = asked.best_move(position, limit=Limit(3600, stop=lambda: True))
        assert cut_off.outcome in (truth, "unknown")
        whole = asked.best_move(position)
        assert (whole.exact, whole.outcome) == (True, truth)


def test_law_6_what_a_limit_leaves_open_is_no_draw_and_is_searched_for_again() -> None:
    asked, start = Oracle(), position_after(small(4, 4, 3), [])
    cut_off = asked.best_move(start, limit=Limit(3600, stop=lambda: True))
    assert (cut_off.outcome, ends(cut_off.known)) == ("unknown", ("loss", "win"))
    whole = asked.best_move(start)
    assert (whole.exact, whole.outcome, whole.source) == (True, "win", "search")
    assert asked.best_move(start).source == "cache"


@each_game
@each_choice
def test_law_7_a_finished_game_is_an_answer_without_a_move(game: LineGame, choice: MoveChoice) -> None:
    for position in finished(game):
        answer = oracle().best_move(position, choice)
        assert (answer.move, answer.pv, answer.plies) == (None, (), 0)
        assert answer.score in {game.cells + 1, 0, -game.cells - 1}
        assert reason(answer)


def test_law_8_whatever_is_wrong_with_a_request_the_client_is_told_and_the_service_has_no_fault(
    client: EdgeClient,
) -> None:
    for asked in LISTED:
        headers = {"Content-Type": asked.content_type}
        response = client.open(asked.path, method=asked.method, data=asked.body, headers=headers)
        told = response.get_json()
        assert (response.status_code, response.mimetype) == (asked.status, "application/problem+json"), asked
        assert told["type"].endswith(f"/{asked.kind}"), asked
        assert asked.code is None or asked.code in {error["code"] for error in told["errors"]}, asked


@each_game
def test_law_9_what_is_proven_has_a_certificate_that_convinces_a_program_of_its_own(game: LineGame) -> None:
    for position in reachable(game)[:: sampled(100, 10)]:
        text = certificate(position)
        assert outcome_in(text) == table(game)[position].outcome
        assert holds_in_python(text)
