"""Analyses: every legal move is worth what the reference says, ranked by it, and every reason for it is true."""

import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import get_args

import pytest

from service.engine.oracle import Analysis
from service.engine.result import OPPOSITE, RANK, ProvenResult, value_order
from service.explain.ranking import RankedMove, rank
from service.explain.statements import Code
from service.games.boards.grid import Line
from service.games.catalogue import TIC_TAC_TOE
from service.games.families.lines import LineGame
from service.games.game import Deed, Game
from service.games.position import Position
from service.kernel.alpha_beta.reference import DRAW, LOSS, WIN
from tests.explain.strategy import CELL_NAMES, Move, blocks, completes, forks, is_only_move, stops, unlike
from tests.games.games import SOLVED, each_solved_game, few, positions, table_of
from tests.games.games import oracle as table_oracle
from tests.support import sampled
from tests.worlds import OUTCOME_NAMES, each_game, is_line, oracle, read_position, verdict

SAMPLED = sampled(12, 40)

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


def sample(game: Game) -> list[Position]:
    return [position for position in few(positions(game), SAMPLED) if position.legal_moves]


def worth(position: Position, move: int) -> tuple[str, int]:
    """The outcome of a move for the player who makes it, and the plies; 0 for a draw."""
    outcome, plies = table_of(position.game).known_value(position.play(move))
    return OPPOSITE[outcome], 0 if plies is None else plies + 1


def opponent_wins_at_once(position: Position, move: int) -> bool:
    after = position.play(move)
    return any(after.play(reply).winner == after.player for reply in after.legal_moves)


@each_solved_game
def test_moves_of_states_are_ranked_best_first_and_every_reason_is_true(game: Game) -> None:
    for position in sample(game):
        analysis = table_oracle().analyse(position)
        moves = rank(analysis)
        keys = [(value_order(move.known), -move.move) for move in moves]
        assert keys == sorted(keys, reverse=True)
        assert isinstance(analysis.known, ProvenResult)
        assert tuple(move.move for move in moves if move.best) == analysis.known.best_moves
        assert all(move.pv[0] == move.move for move in moves)
        for move in moves:
            codes = [why.code for why in move.reasons]
            assert len(codes) == len(set(codes)) > 0
            assert set(codes) == expected_codes(position, move)
            assert all(re.fullmatch(r"[A-Z0-9].+\.", why.sentence) for why in move.reasons)


def expected_codes(position: Position, ranked: RankedMove) -> set[str]:
    """The codes that are true of a move, found by playing on and by the table."""
    move, after = ranked.move, position.play(ranked.move)
    if after.winner == position.player:
        return {"wins-now"}
    outcome, plies = worth(position, move)
    others = {other: worth(position, other) for other in position.legal_moves if other != move}
    all_worths = [(outcome, plies), *others.values()]
    best = max((each for each, _ in all_worths), key=lambda each: RANK[each])  # type: ignore[index]
    found = set()
    if not others:
        found.add("only-legal-move")
    if after.winner == position.opponent:
        found.add("loses-now")
    if after.legal_moves and opponent_wins_at_once(position, move):
        found.add("gives-win-now")
    elif others and after.winner is None and all(opponent_wins_at_once(position, other) for other in others):
        found.add("blocks")
    if others and best != "loss" and outcome == best and all(each != best for each, _ in others.values()):
        found.add("only-move")
    return found | {result_code(ranked, outcome, plies, best, [length for each, length in all_worths if each == best])}


def result_code(ranked: RankedMove, outcome: str, plies: int, best: str, lengths: list[int]) -> str:
    if outcome != best:
        return f"gives-{best}-away"
    if outcome == "win":
        return "wins" if plies == min(lengths) else "slower-win"
    if outcome == "loss":
        return "loses-slowest" if plies == max(lengths) else "loses-faster"
    position = ranked.position
    for move in ranked.pv:
        position = position.play(move)
    return "repeats" if position.legal_moves else "draws"


def test_games_of_states_show_every_code_but_forks() -> None:
    found = (position for game in SOLVED.values() for position in sample(game))
    shown = {why.code for position in found for move in rank(table_oracle().analyse(position)) for why in move.reasons}
    # A move is only unproven or no better than another without a table, and games with forks or boards have none.
    assert shown == {*get_args(Code)} - {"makes-fork", "stops-fork", "loses", "unproven", *get_args(Deed)}
