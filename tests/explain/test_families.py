"""Ranking, reasons and reviews of games of families: each statement is held against the values of the table."""

import re
from itertools import pairwise
from typing import get_args

import pytest

from service.engine.oracle import Analysis, Oracle
from service.engine.result import OPPOSITE, WORTH, ProvenResult, value_order
from service.engine.work.limit import Limit
from service.explain.names import move_name, move_words
from service.explain.ranking import RankedMove, rank
from service.explain.reason import Code
from service.explain.reasons import reason
from service.explain.review import JudgedMove, review
from service.games.catalogue import CATALOGUE, STATE_GAMES
from service.games.game import Game
from service.games.position import Position, read_position
from tests.games.games import SOLVED, each_solved_game, oracle, positions, random_games, table_of
from tests.support import sampled

SAMPLED = sampled(12, 40)


def ranked(position: Position) -> tuple[Analysis, tuple[RankedMove, ...]]:
    analysis = oracle().analyse(position)
    return analysis, rank(analysis)


def sample(game: Game) -> list[Position]:
    every = 1 + len(positions(game)) // SAMPLED
    return [position for position in positions(game)[::every] if position.legal_moves]


def worth(position: Position, move: int) -> tuple[str, int]:
    """The outcome of a move for the player who makes it, and the plies; 0 for a draw."""
    outcome, plies = table_of(position.game).known_value(position.play(move))
    return OPPOSITE[outcome], 0 if plies is None else plies + 1


def opponent_wins_at_once(position: Position, move: int) -> bool:
    after = position.play(move)
    return any(after.play(reply).winner == after.player for reply in after.legal_moves)


@each_solved_game
def test_moves_are_ranked_best_first_and_every_reason_is_true(game: Game) -> None:
    for position in sample(game):
        analysis, moves = ranked(position)
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
    best = max((each for each, _ in all_worths), key=lambda each: WORTH[each])  # type: ignore[index]
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


def test_the_games_show_every_code() -> None:
    positions = (position for game in SOLVED.values() for position in sample(game))
    shown = {why.code for position in positions for move in ranked(position)[1] for why in move.reasons}
    # A move is only unproven or no better than another without a table; forks are those of line games.
    assert shown == {*get_args(Code)} - {"makes-fork", "stops-fork", "loses", "unproven"}


@each_solved_game
def test_the_reason_of_an_answer_is_one_sentence_that_agrees_with_its_value(game: Game) -> None:
    verbs = {"win": ("wins in", "completes", "wins at once"), "draw": ("holds the draw",), "loss": ("loses",)}
    for position in sample(game):
        for skill in (None, 30):
            answer = oracle().best_move(position, seed=1, skill=skill)
            said = reason(answer)
            assert said.endswith(".")
            assert any(verb in said.lower() for verb in verbs[answer.outcome])
            assert answer.plies is None or answer.plies < 3 or "at once" not in said


@each_solved_game
def test_the_end_of_a_game_names_its_winner(game: Game) -> None:
    for played in random_games(game):
        end = played[-1]
        if end.legal_moves:
            continue
        said = reason(oracle().best_move(end))
        if end.winner is None:
            assert said.endswith(": a draw.")
        elif end.winning_line is None:
            assert said.endswith(f"{end.winner} has won.")
        else:
            verb = "won" if end.winner == end.opponent else "lost"
            assert said.lower().startswith(end.opponent.lower())
            assert said.endswith(f"and {verb}.")


@pytest.mark.parametrize(
    ("name", "text", "player", "said"),
    [
        ("three-mens-morris", "XXXOO....", "O", "X has completed the top row and won."),
        ("notakto", "XXX......", None, "First has completed the top row and lost."),
        (
            "notakto",
            "....XX.XX",
            None,
            "Every move left completes a line: loses in 1 ply against best play; no move holds out longer.",
        ),
        ("picaria", "X....OXO.....", "X", "Places a piece on 3 and completes the line 0-3-6."),
        ("tapatan", "OOX...XXO", "O", "Moves the piece on b1 to b2 and completes the diagonal from the top left."),
        ("vanishing-tic-tac-toe", "X/O", "X", "Holds the draw by repetition."),
        ("wild-tic-tac-toe", ".........", None, "Writes X into b2: wins in 7 plies against any defence."),
    ],
)
def test_sentences_have_the_words_of_the_family(name: str, text: str, player: str | None, said: str) -> None:
    assert reason(oracle().best_move(read_position(STATE_GAMES[name], text, player))) == said


@pytest.mark.parametrize(
    ("name", "move", "words", "called"),
    [
        ("tic-tac-toe", "4", "marks b2", "b2"),
        ("connect-four", "3", "drops into column 4", "column 4"),
        ("wild-tic-tac-toe", "O4", "writes O into b2", "Ob2"),
        ("numerical-tic-tac-toe", "9@2", "writes 9 into c1", "9c1"),
        ("three-mens-morris", "3", "places a piece on a2", "a2"),
        ("three-mens-morris", "3>4", "moves the piece on a2 to b2", "a2-b2"),
        ("pop-out-4x4", "d2", "drops into column 3", "column 3"),
        ("pop-out-4x4", "p0", "pops a disc out of column 1", "popping column 1"),
        ("vanishing-tic-tac-toe", "8", "marks c3", "c3"),
        ("notakto-2", "1.4", "marks b5", "b5"),
        ("treblecross", "2", "marks c1", "c1"),
        ("picaria", "9", "places a piece on 9", "cell 9"),
        ("picaria", "9>4", "moves the piece on 9 to 4", "9-4"),
    ],
)
def test_moves_have_the_words_of_the_game(name: str, move: str, words: str, called: str) -> None:
    game = CATALOGUE[name]
    number = game.moves_by_name[move.lower()]
    assert (move_words(game, number), move_name(game, number)) == (words, called)


@pytest.mark.parametrize(
    ("name", "moves", "played", "said"),
    [
        ("tic-tac-toe", "4", "1", "Gives the draw away: X answers with a1, and wins in 5 plies."),
        ("wild-tic-tac-toe", "", "O0", "Gives the win away: second answers with X in b1, and holds the draw."),
        ("three-mens-morris", "0 4", "8", "Gives the draw away: O answers with b1, and wins in 5 plies."),
        ("treblecross", "0", "2", "Gives the win away: first answers with b1, completing the row a1-c1, and wins."),
        ("pop-out-4x4", "d0 d1", "p0", "Loses in 18 plies instead of 24."),
        ("misere-wild-tic-tac-toe", "x0 x1", "X2", "Gives the draw away: it completes the top row."),
    ],
)
def test_a_move_that_is_worse_is_told_by_the_reply_or_the_plies(name: str, moves: str, played: str, said: str) -> None:
    game = CATALOGUE[name]
    position = Position(game)
    for move in moves.split():
        position = position.play(game.moves_by_name[move])
    sentences = {move.move: move.reasons[-1].sentence for move in rank(oracle().analyse(position))}
    assert sentences[game.moves_by_name[played.lower()]] == said


@each_solved_game
def test_every_move_of_random_games_is_judged_by_the_table(game: Game) -> None:
    for played in list(random_games(game))[:4]:
        positions_played = played[:25]
        moves = [
            next(move for move in before.legal_moves if before.play(move) == after)
            for before, after in pairwise(positions_played)
        ]
        told: list[JudgedMove] = []
        found = review(oracle(), positions_played[0], moves, Limit(60), tell=told.append)
        assert [*reversed(told)] == [*found.moves]
        assert found.proven
        assert set(found.accuracy) == set(game.players)
        assert found.end == positions_played[-1]
        for ply in found.moves:
            assert_judged(ply)
    best = review(oracle(), Position(game), list(oracle().best_move(Position(game)).pv), Limit(60))
    assert (set(best.accuracy.values()), best.turning_point) == ({100}, None)


def assert_judged(ply: JudgedMove) -> None:
    worths = {move: worth(ply.position, move) for move in ply.position.legal_moves}
    outcome, plies = worths[ply.move]
    best, most = table_of(ply.position.game).known_value(ply.position)
    assert (ply.outcome_before, ply.outcome_after) == (best, outcome)
    if outcome != best:
        assert (ply.verdict, ply.gave_away) == ("mistake", (best, outcome))
    else:
        assert ply.verdict == ("best" if plies == (most or 0) else "slower")
    assert (ply.move in ply.best_moves) == (ply.verdict == "best")
    assert ply.reason.endswith(".")


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
