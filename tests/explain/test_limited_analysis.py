"""Analyses within a limit: the same cold and warm, never more than is proven, and open about the rest."""

import random
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from service.engine.limit import Limit
from service.engine.oracle import BestMove, Oracle
from service.engine.result import WORTH, Bounds, ProvenResult, ends
from service.explain.ranking import rank
from service.games.catalogue import CATALOGUE, QUBIC, TIC_TAC_TOE_4X4
from service.games.game import Game
from service.games.position import Player, Position
from tests.support import HUNG_SECONDS
from tests.worlds import play_at_random, read_position, small


@pytest.mark.parametrize("game", [TIC_TAC_TOE_4X4, CATALOGUE["connect-four-5x4"], CATALOGUE["tic-tac-toe-3d"]])
@pytest.mark.parametrize("nodes", [1, 100, 2_000, 50_000])
def test_an_analysis_within_nodes_is_the_same_cold_and_warm_and_never_says_too_much(game: Game, nodes: int) -> None:
    limit = Limit(60, nodes)
    position = Position(game, 0, 0, "X").play(Position(game, 0, 0, "X").legal_moves[-2])
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


def test_those_who_ask_the_same_at_the_same_time_get_the_same_answer_within_nodes() -> None:
    position = Position(CATALOGUE["connect-four"], 0, 0, "X")
    for column in [1, 5, 1, 6, 4, 3, 5, 0, 5, 6, 0, 1, 6, 4, 0]:
        position = position.play(next(cell for cell in position.legal_moves if cell % 7 == column))
    limit = Limit(60, 150_000)
    alone, shared = Oracle().analyse(position, limit=limit), Oracle()
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda _: shared.analyse(position, limit=limit), range(8)))
    assert {rank(analysis) for analysis in together} == {rank(alone)}
    assert {analysis.best.known for analysis in together} == {alone.best.known}


@pytest.mark.parametrize(
    ("game", "board", "player", "before", "limit"),
    [
        (small(3, 4, 4, misere=True), "OXXO X... O...", "X", (125, 1), 74),
        (small(4, 4, 4, gravity=True), ".... .OX. .XO. .XOX", "O", (260, 1), 155),
    ],
    ids=["misere", "gravity"],
)
def test_what_was_asked_before_with_more_nodes_changes_nothing(
    game: Game, board: str, player: Player, before: tuple[int, int], limit: int
) -> None:
    position, warm = read_position(board, player, game), Oracle()
    nodes, seed = before
    warm.analyse(position, seed=seed, limit=Limit(60, nodes))
    assert rank(warm.analyse(position, limit=Limit(60, limit))) == rank(
        Oracle().analyse(position, limit=Limit(60, limit))
    )


@pytest.mark.verify
@pytest.mark.parametrize("nodes", [0, 1, 3, 30, 300])
def test_an_analysis_never_contradicts_itself_and_misses_no_win_in_one(nodes: int) -> None:
    dice = random.Random(nodes)
    games = [small(4, 4, 3), small(4, 5, 3, gravity=True), small(3, 4, 3, misere=True), small(5, 5, 4)]
    wins = 0
    for number in range(200):
        game = games[number % 4]
        position = play_at_random(game, dice, dice.randint(3, game.cells - 2))
        if position.legal_moves:
            seed = dice.choice([None, 1])
            analysis = Oracle().analyse(position, seed=seed, limit=Limit(60, nodes))
            best = analysis.best
            (chosen,) = (move for move in rank(analysis) if move.move == best.move)
            assert not best.exact or (chosen.known, chosen.pv) == (replace_line(best), best.pv)
            least = max(WORTH[ends(move.known)[0]] for move in rank(analysis))
            assert WORTH[ends(best.known)[0]] == least
            if not game.misere and position.completions(position.player):
                assert best.move in position.completions(position.player)
                assert rank(analysis)[0].reasons[0].code == "wins-now"
                wins += 1
    assert wins > 20


def replace_line(best: BestMove) -> ProvenResult:
    """What is known of a position, said of the move that was chosen."""
    assert isinstance(best.known, ProvenResult)
    return replace(best.known, best_moves=(), pv=best.pv)


def test_a_draw_is_not_said_to_be_held_where_a_win_may_be_given_away() -> None:
    game = small(1, 5, 3, misere=True)
    analysis = Oracle().analyse(read_position(".O...", "X", game), limit=Limit(60, 20))
    for move in rank(analysis):
        for told in move.reasons:
            assert told.sentence != "Holds the draw." or analysis.best.outcome == "draw"


def test_what_no_limit_could_settle_is_ranked_as_it_looks_and_says_so() -> None:
    position = Position(QUBIC, 0, 0, "X").play(21)
    analysis = Oracle().analyse(position, limit=Limit(HUNG_SECONDS, 20_000))
    assert not analysis.complete
    assert isinstance(analysis.best.known, Bounds)
    assert rank(analysis)[0].move == analysis.best.move
    assert [reason.code for reason in rank(analysis)[0].reasons] == ["unproven"]
    assert sorted(move.move for move in rank(analysis)) == list(position.legal_moves)
    assert rank(analysis)[1].reasons[0].sentence == "What it leads to is not proven yet."


def test_near_wins_and_losses_of_single_moves_are_found_where_the_rest_cannot_be() -> None:
    # O threatens to fill the middle row of the first layer; only moves that stop it do not lose at once.
    board = "X..X OOO. .... ...X" + " .... .... .... ...." * 3
    position = read_position(board, "X", QUBIC)
    analysis = Oracle().analyse(position, limit=Limit(HUNG_SECONDS, 300_000))
    lost = {move.move for move in rank(analysis) if (move.outcome, move.plies) == ("loss", 2)}
    assert lost == set(position.legal_moves) - {7}
    assert analysis.best.move == 7
    assert analysis.threats == {"X": (), "O": (7,)}
