"""Analyses: every legal move is worth what the reference says, ranked by it, and every reason for it is true."""

import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise, product

import pytest

from service.engine.oracle import Analysis, Oracle
from service.explain.ranking import RankedMove, rank
from service.games.catalogue import TIC_TAC_TOE
from service.games.game import Game, permute
from service.games.position import OPPONENT, PLAYERS, Player, Position
from service.kernel.reference import DRAW, LOSS, WIN
from tests.explain.strategy import CELL_NAMES, Move, blocks, completed_by, completes, forks, is_only_move, stops
from tests.support import sampled
from tests.worlds import (
    OUTCOME_NAMES,
    each_catalogued_game,
    each_game,
    near_the_end,
    oracle,
    reachable,
    read_position,
    unfinished,
    verdict,
)

AWAY = {"gives-win-away", "gives-draw-away"}
VERDICTS = {"wins", "slower-win", "draws", "loses-slowest", "loses-faster", *AWAY}


@cache
def analyses(game: Game) -> tuple[Analysis, ...]:
    """The analysis of every unfinished position of a small game."""
    return tuple(oracle().analyse(position) for position in unfinished(game))


def ranked(game: Game) -> Iterator[tuple[Analysis, Move, RankedMove, set[str]]]:
    """Every legal move of every position, with the codes of what is said about it."""
    for analysis in analyses(game):
        for move in rank(analysis):
            yield analysis, Move(analysis.best.position, move.move), move, {reason.code for reason in move.reasons}


def lines_of(move: RankedMove, code: str) -> list[tuple[int, ...]]:
    return sorted(line for reason in move.reasons if reason.code == code for line in reason.lines)


def assert_worth_what_the_reference_says(position: Position, move: RankedMove) -> None:
    after = verdict(position.play(move.move))
    plies = after.plies + 1
    assert (move.outcome, move.plies) == (OUTCOME_NAMES[-after.outcome], plies)
    assert move.score == -after.outcome * (position.game.cells + 1 - plies)
    assert len(move.pv) == plies
    assert move.pv[0] == move.move
    for cell in move.pv:
        assert cell in position.legal_moves
        position = position.play(cell)
    assert not position.legal_moves


def assert_ranked_as_the_reference_does(analysis: Analysis) -> None:
    position, moves = analysis.best.position, rank(analysis)
    assert sorted(move.move for move in moves) == list(position.legal_moves)
    for better, worse in pairwise(moves):
        assert better.score is not None
        assert worse.score is not None
        assert (-better.score, better.move) < (-worse.score, worse.move)
    assert {move.move for move in moves if move.best} == set(verdict(position).best)
    assert (moves[0].move, moves[0].pv) == (analysis.best.move, analysis.best.pv)
    for move in moves:
        assert move.reasons
        assert_worth_what_the_reference_says(position, move)


@each_game
def test_every_move_of_every_position_is_worth_what_the_reference_says_and_ranked_by_it(game: Game) -> None:
    for analysis in analyses(game):
        assert analysis.complete
        assert analysis.best == oracle().best_move(analysis.best.position)
        assert_ranked_as_the_reference_does(analysis)


@each_game
def test_threats_are_the_cells_where_a_player_would_complete_a_line(game: Game) -> None:
    for analysis in analyses(game):
        marks = list(str(analysis.best.position))
        for player in PLAYERS:
            cells = [cell for cell, mark in enumerate(marks) if mark == "." and completed_by(player, cell, marks)]
            assert list(analysis.threats[player]) == cells


@each_game
def test_a_finished_game_has_no_moves_and_no_threats(game: Game) -> None:
    for position in reachable(game):
        if not position.legal_moves:
            analysis = oracle().analyse(position)
            assert (rank(analysis), analysis.threats, analysis.complete) == ((), {"X": (), "O": ()}, True)


@each_game
def test_every_move_has_reasons_and_each_is_a_sentence(game: Game) -> None:
    for _, _, move, codes in ranked(game):
        assert codes & {"wins-now", *VERDICTS}
        assert len(codes) == len(move.reasons)
        for told in move.reasons:
            assert told.sentence[0].isupper()
            assert re.fullmatch(r"[^.]+\.", told.sentence)


def test_wins_blocks_and_forks_are_said_of_exactly_the_moves_that_are_and_with_their_lines() -> None:
    for _, one, move, codes in ranked(TIC_TAC_TOE):
        assert lines_of(move, "wins-now") == sorted(completes(one))
        assert codes == {"wins-now"} or not completes(one)
        assert lines_of(move, "blocks") == sorted([] if completes(one) else blocks(one))
        assert lines_of(move, "makes-fork") == sorted([] if completes(one) else forks(one))


@pytest.mark.verify
def test_stopping_forks_is_said_of_exactly_the_moves_that_leave_the_opponent_none() -> None:
    seen = 0
    for _, one, move, codes in ranked(TIC_TAC_TOE):
        stopped = [] if completes(one) or forks(one) else stops(one)
        assert ("stops-fork" in codes) == bool(stopped)
        sentence = next((reason.sentence for reason in move.reasons if reason.code == "stops-fork"), "")
        assert [cell for name, cell in CELL_NAMES.items() if name in sentence] == stopped
        seen += bool(stopped)
    assert seen > 100


@each_game
def test_the_only_legal_move_is_called_so(game: Game) -> None:
    for _, one, _, codes in ranked(game):
        wins = not game.misere and bool(completes(one))
        assert ("only-legal-move" in codes) == (is_only_move(one) and not wins)


@each_game
def test_the_only_move_that_keeps_the_outcome_is_called_so(game: Game) -> None:
    for analysis, one, move, codes in ranked(game):
        others = [-verdict(one.position.play(other)).outcome for other in one.position.legal_moves if other != one.move]
        mine = -verdict(one.position.play(one.move)).outcome
        alone = bool(others) and mine > LOSS and mine > max(others)
        assert ("only-move" in codes) == (alone and "wins-now" not in codes), (analysis, move)


@each_game
def test_in_misere_completing_a_line_is_what_it_is(game: Game) -> None:
    for _, one, move, codes in ranked(game):
        assert lines_of(move, "loses-now") == sorted(completes(one) if game.misere else [])
        assert not game.misere or not codes & {"wins-now", "blocks", "makes-fork", "stops-fork"}


@each_game
def test_the_verdict_compares_a_move_with_the_best_by_the_reference(game: Game) -> None:
    for _, one, _, codes in ranked(game):
        before, after = verdict(one.position), verdict(one.position.play(one.move))
        outcome, plies = -after.outcome, after.plies + 1
        if outcome < before.outcome:
            said = "gives-win-away" if before.outcome == WIN else "gives-draw-away"
        elif outcome == DRAW:
            said = "draws"
        elif outcome == WIN:
            said = "wins" if plies == before.plies else "slower-win"
        else:
            said = "loses-slowest" if plies == before.plies else "loses-faster"
        assert codes & VERDICTS == ({said} if "wins-now" not in codes else set())


def test_a_refutation_is_an_answer_that_takes_what_was_given_away() -> None:
    refuted = 0
    for _, one, move, codes in ranked(TIC_TAC_TOE):
        if codes & AWAY:
            sentence = move.reasons[-1].sentence
            told = re.fullmatch(
                r"Gives the (win|draw) away: ([XO]) answers with ([abc][123])(, [a-z ,]+)??, and "
                r"(holds the draw|wins|wins in (\d+) plies)\.",
                sentence,
            )
            assert told, sentence
            after = one.position.play(one.move)
            assert told[2] == after.player
            answer = Move(after, CELL_NAMES[told[3]])
            result = verdict(after.play(answer.move))
            assert -result.outcome == (DRAW if "draw" in told[5] else WIN)
            assert told[6] is None or int(told[6]) == result.plies + 1
            if told[4]:
                done = {", completing": completes, ", blocking": blocks, ", making": forks}
                assert done[" ".join(told[4].split(" ")[:2])](answer)
            refuted += 1
    assert refuted > 1000


@pytest.mark.parametrize(
    ("board", "move", "sentences"),
    [
        ("XX. .O. ...", 2, ["Blocks the top row.", "The only move that draws.", "Holds the draw."]),
        ("XO. ... ...", 7, ["Gives the win away: O answers with a3, and holds the draw."]),
        ("XX. .O. ...", 3, ["Gives the draw away: X answers with c1, completing the top row, and wins."]),
        ("XX. .O. .O.", 3, ["Wins in 3 plies instead of 1."]),
    ],
)  # fmt: skip
def test_what_is_said_of_positions_that_people_know(board: str, move: int, sentences: list[str]) -> None:
    player: Player = "O" if board.count("X") > board.count("O") else "X"
    analysis = oracle().analyse(read_position(board, player))
    (found,) = (ranked for ranked in rank(analysis) if ranked.move == move)
    assert [reason.sentence for reason in found.reasons][-len(sentences) :] == sentences


@pytest.mark.verify
@each_catalogued_game
def test_near_the_end_of_every_game_each_move_is_worth_what_the_reference_says(game: Game) -> None:
    searching = Oracle()
    for position in near_the_end(game, empties=8, count=sampled(5, 12)):
        analysis = searching.analyse(position)
        assert analysis.complete
        assert_ranked_as_the_reference_does(analysis)


@each_game
def test_symmetric_positions_have_symmetric_analyses(game: Game) -> None:
    for analysis, symmetry in product(analyses(game)[::17], game.symmetries):
        position = analysis.best.position
        image = Position(game, permute(position.x, symmetry), permute(position.o, symmetry), position.player)
        mirrored = oracle().analyse(image)
        told = {symmetry[m.move]: (m.outcome, m.plies, m.best, [r.code for r in m.reasons]) for m in rank(analysis)}
        assert {m.move: (m.outcome, m.plies, m.best, [r.code for r in m.reasons]) for m in rank(mirrored)} == told
        for player, cells in analysis.threats.items():
            assert {symmetry[cell] for cell in cells} == set(mirrored.threats[player])


@each_game
def test_swapping_the_colours_changes_no_worth_and_no_code(game: Game) -> None:
    for analysis in analyses(game)[::11]:
        position = analysis.best.position
        swapped = oracle().analyse(Position(game, position.o, position.x, OPPONENT[position.player]))
        assert [(m.move, m.known) for m in rank(swapped)] == [(m.move, m.known) for m in rank(analysis)]
        codes = [[reason.code for reason in move.reasons] for move in rank(analysis)]
        assert [[reason.code for reason in move.reasons] for move in rank(swapped)] == codes
