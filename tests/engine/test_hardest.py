"""The best move that is hardest to answer: judged by brute force, the same from every source, honest when cut off."""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from operator import attrgetter

import pytest

from service.engine.oracle import MoveChoice, Oracle
from service.engine.skill import looks_best
from service.engine.tables.tablebases import Tablebases
from service.engine.work.limit import Limit
from service.games.catalogue import CONNECT_FOUR_5X4, TIC_TAC_TOE
from service.games.families.lines import LineGame, LinePosition
from service.games.game import Game
from service.games.position import Position
from tests.engine.slots import empty, looks
from tests.games.games import SOLVED, each, positions
from tests.games.games import oracle as oracle_of_states
from tests.support import HUNG_SECONDS, sampled
from tests.worlds import drawn_positions, each_game, oracle, proof, proven, small, unfinished, verdict

HARDEST = MoveChoice(hardest=True)


def mistakes(position: LinePosition, move: int) -> Fraction:
    """The mean outcome for the player of ``move`` over the replies of an opponent who sees wins by the next move."""
    after = position.play(move)
    truths = {reply: verdict(after.play(reply)) for reply in after.legal_moves}
    at_once = [reply for reply, truth in truths.items() if truth.outcome == -1 and truth.plies <= 1]
    safe = [reply for reply, truth in truths.items() if truth.outcome != 1 or truth.plies > 1]
    replies = at_once or safe or [*truths]
    return Fraction(sum(truths[reply].outcome for reply in replies), max(1, len(replies)))


@each_game
def test_the_hardest_best_move_gets_most_from_an_opponent_who_only_sees_the_next_move(game: LineGame) -> None:
    others = 0
    for position in unfinished(game):
        best = verdict(position).best
        expected = max(best, key=lambda move: (mistakes(position, move), -move))
        answer = oracle().best_move(position, HARDEST)
        assert (answer.move, answer.exact, answer.seed) == (expected, True, None)
        others += expected != min(best)
    assert others > 50


def test_such_an_opponent_loses_more_often_against_the_hardest_moves_than_against_the_lowest() -> None:
    for side in TIC_TAC_TOE.players:
        assert expected_points(HARDEST, side) > expected_points(MoveChoice(), side) + Fraction(1, 50)


def expected_points(choice: MoveChoice, side: str) -> Fraction:
    """The mean points of the oracle over all games against an opponent who only sees the next move of either player."""

    @cache
    def points(position: Position) -> Fraction:
        if not position.legal_moves:
            return Fraction(1, 2) if position.winner is None else Fraction(position.winner == side)
        if position.player == side:
            move = oracle().best_move(position, choice).move
            assert move is not None
            return points(position.play(move))
        replies = looks_best(oracle().analyse(position).move_values, 2, TIC_TAC_TOE.most_plies)
        return sum(map(points, map(position.play, replies)), Fraction()) / len(replies)

    return points(empty(TIC_TAC_TOE))


@each(SOLVED)
def test_in_games_with_a_table_the_value_stays_and_the_move_is_one_of_the_best(game: Game) -> None:
    for position in [at for at in positions(game) if at.legal_moves][:: 1 + len(positions(game)) // sampled(10, 100)]:
        found = oracle_of_states().best_move(position, HARDEST)
        assert found.move in proven(found.known).best_moves
        assert found.pv[0] == found.move
        assert found.score == oracle_of_states().best_move(position).score
        assert found.seed is None


def choices(game: LineGame, number: int) -> Iterator[LinePosition]:
    """Middle games with several best moves."""
    for position in drawn_positions(game, range(4, 12), number):
        if len(proof(Oracle().best_move(position, HARDEST)).best_moves) > 1:
            yield position


@pytest.mark.parametrize("game", [CONNECT_FOUR_5X4, small(4, 5, 4)], ids=attrgetter("id"))
def test_in_larger_games_it_is_the_same_whatever_was_asked_before(game: LineGame) -> None:
    warm, others = Oracle(), 0
    for position in choices(game, 16):
        warm.analyse(position)
        first, *again = (each.best_move(position, HARDEST) for each in (Oracle(), warm, warm))
        assert first.exact
        assert {(each.move, each.pv) for each in again} == {(first.move, first.pv)}
        assert first.pv[0] == first.move
        others += first.move != proof(first).best_moves[0]
    assert others


def test_a_choice_that_the_clock_cuts_off_keeps_the_outcome_but_is_not_exact() -> None:
    asked, lowest = Oracle(), 0
    for position in choices(small(4, 5, 4), 8):
        whole = asked.best_move(position, HARDEST)
        cut_off = asked.best_move(position, HARDEST, limit=Limit(HUNG_SECONDS, stop=looks(0)))
        assert (whole.exact, cut_off.exact) == (True, False)
        assert (cut_off.outcome, cut_off.score) == (whole.outcome, None)
        assert cut_off.move in proof(whole).best_moves
        lowest += cut_off.move == proof(whole).best_moves[0]
    assert lowest


def test_in_a_game_without_table_and_estimates_it_is_the_lowest() -> None:
    searching, game, others = Oracle(tablebases=Tablebases(most=1)), SOLVED["notakto-2"], 0
    for position in [at for at in positions(game) if at.legal_moves][::40]:
        assert searching.best_move(position, HARDEST).move == searching.best_move(position).move
        others += oracle_of_states().best_move(position, HARDEST).move != oracle_of_states().best_move(position).move
    assert others
