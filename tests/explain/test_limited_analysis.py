"""Analyses within a limit: the same cold and warm, never more than is proven, and open about the rest."""

import pytest

from service.engine.oracle import Oracle
from service.engine.result import Bounds, ProvenResult
from service.engine.work.limit import Limit
from service.explain.ranking import rank
from service.explain.reasons import reason
from service.explain.review import review
from service.explain.statements import UNCLEAR
from service.games.catalogue import LINE_GAMES, QUBIC, STATE_GAMES, TIC_TAC_TOE_4X4
from service.games.families.lines import LineGame, line_position
from service.games.position import Position
from tests.support import HUNG_SECONDS


@pytest.mark.parametrize("game", [TIC_TAC_TOE_4X4, LINE_GAMES["connect-four-5x4"], LINE_GAMES["tic-tac-toe-3d"]])
@pytest.mark.parametrize("nodes", [1, 100, 2_000, 50_000])
def test_an_analysis_within_nodes_is_the_same_cold_and_warm_and_never_says_too_much(game: LineGame, nodes: int) -> None:
    limit = Limit(60, nodes)
    position = line_position(game, 0, 0, "X").play(line_position(game, 0, 0, "X").legal_moves[-2])
    warm = Oracle()
    truth = {move.move: move for move in rank(warm.analyse(position))}
    cold = Oracle().analyse(position, limit=limit)
    assert rank(warm.analyse(position, limit=limit)) == rank(cold)
    assert warm.analyse(position, limit=limit).best.known == cold.best.known
    assert cold.nodes <= nodes
    for move in rank(cold):
        score, known = truth[move.move].score, move.known
        assert score is not None
        if isinstance(known, ProvenResult):
            assert (known.score, known.pv) == (score, truth[move.move].pv)
        else:
            assert known.least <= score <= known.greatest
            assert not move.best or score == max(other.score or 0 for other in truth.values())


def test_what_no_limit_could_settle_is_ranked_as_it_looks_and_says_so() -> None:
    position = line_position(QUBIC, 0, 0, "X").play(21)
    analysis = Oracle().analyse(position, limit=Limit(HUNG_SECONDS, 20_000))
    first, second, *_ = moves = rank(analysis)
    assert not analysis.complete
    assert isinstance(analysis.best.known, Bounds)
    assert (first.move, [reason.code for reason in first.reasons]) == (analysis.best.move, ["unproven"])
    assert sorted(move.move for move in moves) == list(position.legal_moves)
    assert second.reasons[0].words == UNCLEAR["loss", "win"]


def test_without_a_table_moves_and_games_are_unproven() -> None:
    start = Position(STATE_GAMES["order-and-chaos-4x4"])
    waiting = Oracle().analyse(start, limit=Limit(0))
    assert waiting.best.outcome == "unknown"
    moves = rank(waiting)
    assert sorted(move.move for move in moves) == list(start.legal_moves)
    assert {why.code for move in moves for why in move.reasons} == {"unproven"}
    assert reason(waiting.best).endswith("nothing is proven yet.")
    found = review(Oracle(), start, [0, 9, 3, 14], Limit(0))
    assert not found.proven
    assert {ply.verdict for ply in found.moves} == {"unknown"}
