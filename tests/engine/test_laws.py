"""The laws that every answer keeps, on every position of every game in the catalogue."""

from collections.abc import Iterator
from itertools import product

import pytest

from service.engine.oracle import BestMove, Oracle
from service.explain.reasons import reason
from service.games.game import Game, permute
from service.games.position import OPPONENT, Position
from tests.worlds import GAMES, each_game, oracle, proof, reachable, table, unfinished

OPPOSITE = {"win": "loss", "draw": "draw", "loss": "win"}
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


def replies(position: Position) -> list[BestMove]:
    """The opponent's answers to each move of a position."""
    return [oracle().best_move(position.play(move)) for move in position.legal_moves]


@each_game
def test_law_3_a_win_is_the_fastest_that_any_move_reaches(game: Game) -> None:
    for position in unfinished(game):
        wins = [proof(reply).plies + 1 for reply in replies(position) if reply.outcome == "loss"]
        answer = oracle().best_move(position)
        assert (answer.outcome == "win") == bool(wins)
        assert not wins or answer.plies == min(wins)


@each_game
def test_law_3_a_loss_is_the_slowest_that_any_move_reaches(game: Game) -> None:
    for position in unfinished(game):
        losses = [proof(reply).plies + 1 for reply in replies(position) if reply.outcome == "win"]
        answer = oracle().best_move(position)
        lost = len(losses) == len(position.legal_moves)
        assert (answer.outcome == "loss") == lost
        assert not lost or answer.plies == max(losses)


@each_game
def test_law_3_the_score_counts_the_distance(game: Game) -> None:
    for position in reachable(game):
        answer = proof(oracle().best_move(position))
        worth = game.cells + 1 - answer.plies
        assert answer.score == {"win": worth, "draw": 0, "loss": -worth}[answer.outcome]


@each_game
def test_law_4_a_full_board_with_a_line_is_no_draw(game: Game) -> None:
    owner_result = "loss" if game.misere else "win"
    for position in finished(game):
        has_line = any(line & position.theirs == line for line in game.line_masks)
        expected = OPPOSITE[owner_result] if has_line else "draw"
        assert oracle().best_move(position).outcome == expected


def along_the_pv(answer: BestMove) -> Iterator[Position]:
    """The position of the answer and each that its line of best play leads to, checked to be legal."""
    position = answer.position
    yield position
    for move in answer.pv:
        assert move in position.legal_moves
        position = position.play(move)
        yield position


@each_game
@each_seed
def test_law_5_the_principal_variation_is_legal_and_ends_as_promised_on_the_promised_ply(
    game: Game, seed: int | None
) -> None:
    for position in reachable(game):
        answer = oracle().best_move(position, seed=seed)
        *_, end = along_the_pv(answer)
        assert len(answer.pv) == answer.plies
        assert end.status == ("drawn" if answer.outcome == "draw" else "won")
        expected = {"win": position.player, "draw": None, "loss": OPPONENT[position.player]}[answer.outcome]
        assert end.winner == expected


@each_game
@each_seed
def test_law_5_the_principal_variation_begins_with_the_move(game: Game, seed: int | None) -> None:
    for position in unfinished(game):
        answer = oracle().best_move(position, seed=seed)
        assert answer.pv[0] == answer.move


@each_game
@each_seed
def test_law_5_the_score_holds_at_every_ply_of_the_principal_variation(game: Game, seed: int | None) -> None:
    for start in unfinished(game):
        answer = oracle().best_move(start, seed=seed)
        first = proof(answer)
        for ply, position in enumerate(along_the_pv(answer)):
            here = proof(oracle().best_move(position))
            assert here.plies == first.plies - ply
            assert here.outcome == (OPPOSITE[first.outcome] if ply % 2 else first.outcome)
            assert abs(here.score) == (abs(first.score) + ply if first.score else 0)


@each_game
def test_law_6_every_answer_from_the_table_is_proven(game: Game) -> None:
    assert all(oracle().best_move(position).proven for position in reachable(game))


@each_game
def test_law_7_a_finished_game_is_an_answer_without_a_move(game: Game) -> None:
    for position in finished(game):
        answer = oracle().best_move(position)
        assert (answer.move, answer.pv, answer.plies) == (None, (), 0)
        assert answer.score in {game.cells + 1, 0, -game.cells - 1}
        assert reason(answer)
