"""The laws that every answer keeps, on every position of 3x3, normal and misère."""

from itertools import product

import pytest

from service.engine.oracle import BestMove, Oracle
from service.engine.result import OPPOSITE, Outcome
from service.explain.reasons import reason
from service.games.game import Game, permute
from service.games.position import OPPONENT, Position
from tests.worlds import GAMES, each_game, length, oracle, proof, reachable, table, unfinished

each_seed = pytest.mark.parametrize("seed", [None, 11])


def finished(game: Game) -> list[Position]:
    return [position for position in reachable(game) if not position.legal_moves]


@each_game
@each_seed
def test_law_1_an_answer_depends_on_nothing_that_was_asked_before(game: Game, seed: int | None) -> None:
    forwards = [oracle().best_move(position, seed=seed) for position in reachable(game)]
    other = Oracle(reversed(GAMES))
    backwards = [other.best_move(position, seed=seed) for position in reversed(reachable(game))]
    assert forwards == backwards[::-1]


@each_game
def test_law_2_symmetric_positions_have_symmetric_answers(game: Game) -> None:
    for position, symmetry in product(reachable(game), game.symmetries):
        image = Position(game, permute(position.x, symmetry), permute(position.o, symmetry), position.player)
        entry, mirrored = table(game)[position], table(game)[image]
        assert (entry.outcome, entry.score, entry.plies) == (mirrored.outcome, mirrored.score, mirrored.plies)
        assert {symmetry[move] for move in entry.best_moves} == set(mirrored.best_moves)


def replies(position: Position, outcome: str) -> list[int]:
    """Return how long the game lasts after each move that leaves the opponent this outcome."""
    answers = [oracle().best_move(position.play(move)) for move in position.legal_moves]
    return [length(proof(answer)) + 1 for answer in answers if answer.outcome == outcome]


@each_game
def test_law_3_a_win_is_the_fastest_and_a_loss_the_slowest_that_any_move_reaches(game: Game) -> None:
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
def test_law_4_a_full_board_with_a_line_is_no_draw(game: Game) -> None:
    owner_result: Outcome = "loss" if game.misere else "win"
    for position in finished(game):
        has_line = any(line & position.theirs == line for line in game.line_masks)
        expected = OPPOSITE[owner_result] if has_line else "draw"
        assert oracle().best_move(position).outcome == expected


@each_game
@each_seed
def test_law_5_the_principal_variation_is_legal_and_keeps_its_promise_at_every_ply(
    game: Game, seed: int | None
) -> None:
    for start in reachable(game):
        answer, position = oracle().best_move(start, seed=seed), start
        first = proof(answer)
        assert answer.pv[:1] == (() if answer.move is None else (answer.move,))
        for ply, move in enumerate(answer.pv):
            here = proof(oracle().best_move(position))
            assert here.plies == length(first) - ply
            assert here.outcome == (OPPOSITE[first.outcome] if ply % 2 else first.outcome)
            assert move in position.legal_moves
            position = position.play(move)
        assert_ends_as_promised(answer, position)


def assert_ends_as_promised(answer: BestMove, end: Position) -> None:
    player = answer.position.player
    assert len(answer.pv) == answer.plies
    assert end.status == ("drawn" if answer.outcome == "draw" else "won")
    assert end.winner == {"win": player, "draw": None, "loss": OPPONENT[player]}[answer.outcome]


@each_game
@each_seed
def test_law_7_a_finished_game_is_an_answer_without_a_move(game: Game, seed: int | None) -> None:
    for position in finished(game):
        answer = oracle().best_move(position, seed=seed)
        assert (answer.move, answer.pv, answer.plies) == (None, (), 0)
        assert answer.score in {game.cells + 1, 0, -game.cells - 1}
        assert reason(answer)
