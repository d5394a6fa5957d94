"""Analyses: every legal move is worth what the reference says, ranked by it, and every reason for it is true."""

import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise

import pytest

from service.engine.oracle import Analysis, Oracle
from service.explain.ranking import RankedMove, rank
from service.games.boards.grid import Line, permute
from service.games.catalogue import TIC_TAC_TOE
from service.games.families.lines import OPPONENT, PLAYERS, LineGame, LinePosition, line_position
from service.games.position import Position
from service.kernel.alpha_beta.reference import DRAW, LOSS, WIN
from tests.explain.strategy import (
    CELL_NAMES,
    Move,
    blocks,
    completed_by,
    completes,
    forks,
    is_only_move,
    stops,
    unlike,
)
from tests.support import sampled
from tests.worlds import (
    OUTCOME_NAMES,
    each_catalogued_game,
    each_game,
    is_line,
    near_the_end,
    oracle,
    reachable,
    read_position,
    verdict,
)

AWAY = {"gives-win-away", "gives-draw-away"}


@cache
def analyses(game: LineGame) -> tuple[Analysis, ...]:
    """The analyses of the unfinished positions of a small game."""
    return tuple(map(oracle().analyse, unlike(game)))


def ranked(game: LineGame) -> Iterator[tuple[Move, RankedMove, set[str]]]:
    """Every legal move of the positions, with the codes of what is said about it."""
    for analysis in analyses(game):
        position = analysis.best.position
        assert is_line(position)
        for move in rank(analysis):
            yield Move(position, move.move), move, {reason.code for reason in move.reasons}


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
    assert analysis.complete
    assert sorted(move.move for move in moves) == list(position.legal_moves)
    for better, worse in pairwise(moves):
        assert better.score is not None
        assert worse.score is not None
        assert (-better.score, better.move) < (-worse.score, worse.move)
    assert {move.move for move in moves if move.best} == set(verdict(position).best)
    assert (moves[0].move, moves[0].pv) == (analysis.best.move, analysis.best.pv)
    for move in moves:
        assert_worth_what_the_reference_says(position, move)


@each_game
def test_every_move_is_worth_what_the_reference_says_and_ranked_by_it(game: LineGame) -> None:
    for analysis in analyses(game):
        assert analysis.best == oracle().best_move(analysis.best.position)
        assert_ranked_as_the_reference_does(analysis)


@pytest.mark.verify
@each_catalogued_game
def test_near_the_end_of_every_game_each_move_is_worth_what_the_reference_says(game: LineGame) -> None:
    searching = Oracle()
    for position in near_the_end(game, empties=8, count=sampled(5, 12)):
        assert_ranked_as_the_reference_does(searching.analyse(position))


@each_game
def test_threats_are_the_cells_where_a_player_would_complete_a_line(game: LineGame) -> None:
    for analysis in analyses(game):
        marks = list(str(analysis.best.position))
        for player in PLAYERS:
            cells = [cell for cell, mark in enumerate(marks) if mark == "." and completed_by(player, cell, marks)]
            assert list(analysis.threats[player]) == cells
    for end in reachable(game):
        if not end.legal_moves:
            analysis = oracle().analyse(end)
            assert (rank(analysis), analysis.threats, analysis.complete) == ((), {"X": (), "O": ()}, True)


@each_game
def test_a_reason_is_given_for_exactly_the_moves_of_which_it_is_true(game: LineGame) -> None:
    for one, move, codes in ranked(game):
        reasons = lines_by_code(one)
        assert codes == {*reasons, *compared(one, wins="wins-now" in reasons)}, one
        for told in move.reasons:
            assert re.fullmatch(r"[A-Z][^.]+\.", told.sentence)
            if told.code == "stops-fork":
                assert [cell for name, cell in CELL_NAMES.items() if name in told.sentence] == stops(one)
            else:
                assert sorted(told.lines) == sorted(reasons.get(told.code, []))
        assert len(codes) == len(move.reasons)


def lines_by_code(one: Move) -> dict[str, list[Line]]:
    """What a move does on the board, with the lines that it is about."""
    misere, completed = one.position.game.misere, completes(one)
    if completed and not misere:
        return {"wins-now": completed}
    made, stopped = ([], []) if misere else (forks(one), stops(one))
    found: dict[str, list[Line]] = {
        "loses-now": completed,
        "blocks": [] if misere else blocks(one),
        "makes-fork": made,
        "stops-fork": [()] if stopped and not made else [],
    }
    only: dict[str, list[Line]] = {"only-legal-move": []} if is_only_move(one) else {}
    return only | {code: lines for code, lines in found.items() if lines}


def compared(one: Move, *, wins: bool) -> set[str]:
    """What a move is compared with the others, unless it wins at once."""
    if wins:
        return set()
    before, after = verdict(one.position), verdict(one.position.play(one.move))
    outcome, plies = -after.outcome, after.plies + 1
    others = [-verdict(one.position.play(other)).outcome for other in one.position.legal_moves if other != one.move]
    only = {"only-move"} if others and outcome > max(LOSS, *others) else set()
    if outcome < before.outcome:
        return {*only, "gives-win-away" if before.outcome == WIN else "gives-draw-away"}
    if outcome == DRAW:
        return {*only, "draws"}
    best, worse = ("wins", "slower-win") if outcome == WIN else ("loses-slowest", "loses-faster")
    return {*only, best if plies == before.plies else worse}


def test_a_refutation_is_an_answer_that_takes_what_was_given_away() -> None:
    refuted = 0
    for one, move, codes in ranked(TIC_TAC_TOE):
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
    assert refuted > 200


@pytest.mark.parametrize(
    ("board", "move", "sentences"),
    [
        ("XX. .O. ...", 2, ["Blocks the top row.", "The only move that draws.", "Holds the draw."]),
        ("XO. ... ...", 7, ["Gives the win away: O answers with a3, and holds the draw."]),
        ("XX. .O. ...", 3, ["Gives the draw away: X answers with c1, completing the top row, and wins."]),
        ("XX. .O. .O.", 3, ["Wins in 3 plies instead of 1."]),
    ],
)
def test_what_is_said_of_positions_that_people_know(board: str, move: int, sentences: list[str]) -> None:
    analysis = oracle().analyse(read_position(board, "O" if board.count("X") > board.count("O") else "X"))
    (found,) = (ranked for ranked in rank(analysis) if ranked.move == move)
    assert [reason.sentence for reason in found.reasons][-len(sentences) :] == sentences


def codes_by_move(position: LinePosition) -> dict[int, list[str]]:
    """The codes of what is said of each move."""
    return {move.move: [reason.code for reason in move.reasons] for move in rank(oracle().analyse(position))}


@each_game
def test_images_and_exchanged_colours_change_no_code(game: LineGame) -> None:
    for position in unlike(game)[::3]:
        codes = codes_by_move(position)
        assert (
            codes_by_move(
                line_position(
                    game, position.game.masks(position)[1], position.game.masks(position)[0], OPPONENT[position.player]
                )
            )
            == codes
        )
        for symmetry in game.symmetries:
            image = line_position(
                game,
                permute(position.game.masks(position)[0], symmetry),
                permute(position.game.masks(position)[1], symmetry),
                position.player,
            )
            assert codes_by_move(image) == {symmetry[move]: said for move, said in codes.items()}
