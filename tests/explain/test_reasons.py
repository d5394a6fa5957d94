"""Reasons: every sentence about every position is true, and says what there is to say.

What is true is found here from the text of the board and the verdicts of the reference alone.
"""

import re

import pytest

from service.engine.oracle import MoveChoice
from service.engine.result import ProvenResult
from service.explain.names import line_name, move_words
from service.explain.ranking import rank
from service.explain.reasons import reason, reason_of
from service.games.boards.grid import Line
from service.games.catalogue import CATALOGUE, CONNECT_FOUR, TIC_TAC_TOE
from service.games.families.lines import LineGame, LinePosition, Player, hand_written
from service.games.game import Game
from service.games.position import Position
from service.games.position import read_position as read_any_position
from service.kernel.alpha_beta.reference import DRAW, LOSS, WIN
from tests.explain.strategy import LINE_NAMES, Move, completes, unlike
from tests.games.games import each_solved_game, few, positions, random_games
from tests.games.games import oracle as table_oracle
from tests.support import sampled
from tests.worlds import (
    OUTCOME_NAMES,
    each_first_player,
    each_game,
    reachable,
    read_position,
    score_from_here,
    small,
    table,
    verdict,
)

SAMPLED = sampled(12, 40)

VERDICTS = {
    WIN: r"wins in (?P<plies>\d+) pl(y|ies) against any defence",
    DRAW: r"holds the draw",
    LOSS: r"loses in (?P<plies>\d+) pl(y|ies) against best play(?P<slowest>; no move holds out longer)?",
}


@each_game
def test_the_verdict_of_a_sentence_is_that_of_the_reference(game: LineGame) -> None:
    for position in unlike(game):
        truth, entry = verdict(position), table(game)[position]
        children = {move: verdict(position.play(move)).plies for move in position.legal_moves}
        for move in entry.best_moves:
            sentence = reason_of(position, entry, move)
            assert re.fullmatch(r"[A-Z][^.]+\.", sentence)
            assert not re.search(r"\b1 plies|\b([02-9]|\d\d+) ply\b", sentence)
            if completes(Move(position, move)) and not game.misere:
                assert sentence.startswith("Completes ")
                continue
            stated = re.search(rf"{VERDICTS[truth.outcome]}\.$", sentence, re.IGNORECASE)
            assert stated, sentence
            assert int(stated.groupdict().get("plies", truth.plies)) == truth.plies
            lost = truth.outcome == LOSS
            assert sentence.endswith("; no move holds out longer.") == (lost and len(children) > 1)
            assert not lost or children[move] == max(children.values())


@each_game
@each_first_player
def test_a_finished_game_is_told_by_its_line_and_its_owner_or_as_a_full_board(game: LineGame, first: Player) -> None:
    verb = "lost" if game.misere else "won"
    for position in reachable(game, first):
        if not position.legal_moves:
            marks = str(position)
            owners = {name: {marks[cell] for cell in line} for name, line in LINE_NAMES.items()}
            possible = {f"{min(who)} has completed {name} and {verb}." for name, who in owners.items() if full(who)}
            sentence = reason_of(position, table(game)[position], None)
            assert sentence in (possible or {"The board is full and neither player has a line: a draw."})


def full(owners: set[str]) -> bool:
    """Whether all cells of a line have one owner."""
    return len(owners) == 1 and owners != {"."}


@pytest.mark.parametrize(
    ("game", "line", "called"),
    [
        *((TIC_TAC_TOE, line, name) for name, line in LINE_NAMES.items()),
        (small(4, 4, 4), (0, 1, 2, 3), "the row a1-d1"),
        (small(4, 3, 3), (1, 4, 7), "the column b1-b3"),
        (small(3, 3, 3, layers=3), (0, 13, 26), "the line 1:a1-3:c3"),
        (small(3, 3, 3, wrap=True), (0, 5, 7), "the diagonal a1-c2-b3"),
        (small(3, 3, 2), (0, 1), "the row a1-b1"),
        (small(3, 3, 2), (1, 5), "the diagonal b1-c2"),
        (small(1, 28, 2), (25, 26), "the row z1-aa1"),
        (small(2, 2, 1), (3,), "the line b2"),
        (CONNECT_FOUR, (35, 36, 37, 38), "the row from column 1 to column 4"),
        (CONNECT_FOUR, (17, 24, 31, 38), "the vertical line in column 4"),
        (CONNECT_FOUR, (0, 8, 16, 24), "the diagonal falling from column 1 to column 4"),
        (CONNECT_FOUR, (3, 9, 15, 21), "the diagonal rising from column 1 to column 4"),
        (small(3, 3, 3, gravity=True, wrap=True), (0, 4, 8), "the diagonal through columns 1, 2 and 3"),
        (small(1, 5, 2, gravity=True, wrap=True), (0, 4), "the row through columns 1 and 5"),
        (small(2, 12, 1, gravity=True), (11,), "the line in column 12"),
        (small(2, 2, 2, gravity=True, layers=2), (0, 7), "the line 1:a1-2:b2"),
        (hand_written(id="v", name="v", rules="", cells=3, lines=[[0, 2]]), (0, 2), "the line 0-2"),
    ],
)
def test_a_line_is_called_by_its_name_or_by_its_kind_and_its_ends_or_cells(
    game: LineGame, line: Line, called: str
) -> None:
    assert line in game.lines
    assert line_name(game, line) == called


def test_cells_that_are_not_in_a_straight_line_are_called_a_group() -> None:
    found = [line_name(small(4, 4, 4), line) for line in ((5, 6, 9, 10), (0, 3, 12, 15), (4, 5, 6, 7))]
    assert found == ["the group b2-c2-b3-c3", "the group a1-d1-a4-d4", "the row a2-d2"]


def entry_of(position: LinePosition) -> ProvenResult:
    """What a table would hold, for a game too large to solve in full here."""
    truth = verdict(position)
    best = tuple(sorted(truth.best))
    return ProvenResult(OUTCOME_NAMES[truth.outcome], truth.plies, score_from_here(position), best, ())


def test_two_lines_that_one_reply_stops_are_no_fork() -> None:
    position = read_position("X..X O..O ....", "X", small(3, 4, 3))
    entry = entry_of(position)
    # Marking 1 threatens 0-1-2 and 1-2-3, both of which O stops at 2; X wins only two plies later.
    assert (entry.outcome, entry.plies) == ("win", 5)
    assert "fork" not in reason_of(position, entry, 1)


@each_solved_game
def test_the_reason_of_an_answer_is_one_sentence_that_agrees_with_its_value(game: Game) -> None:
    verbs = {"win": ("wins in", "completes", "wins at once"), "draw": ("holds the draw",), "loss": ("loses",)}
    for position in few(positions(game), SAMPLED):
        for skill in (None, 30) if position.legal_moves else ():
            answer = table_oracle().best_move(position, MoveChoice(1, skill))
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
        said = reason(table_oracle().best_move(end))
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
        ("tic-tac-toe", "XX.OO....", "X", "Completes the top row."),
        ("tic-tac-toe", "XX.XO..OO", "X", "Completes the top row."),
        ("tic-tac-toe", "XXOOX.XO.", "O", "Blocks the diagonal from the top left: holds the draw."),
        ("tic-tac-toe", "XO.......", "X", "Wins in 5 plies against any defence."),
        ("tic-tac-toe", "X...O...X", "O", "Stops forks at c1 and a3: holds the draw."),
        ("tic-tac-toe", "....X...O", "X", "Holds the draw."),
        ("tic-tac-toe", "XOXXOOO.X", "X", "The only move left: holds the draw."),
        (
            "tic-tac-toe",
            "XO..X....",
            "O",
            "Blocks the diagonal from the top left: loses in 4 plies against best play; no move holds out longer.",
        ),
        ("three-mens-morris", "XXXOO....", "O", "X has completed the top row and won."),
        ("notakto", "XXX......", None, "First has completed the top row and lost."),
        (
            "notakto",
            "....XX.XX",
            None,
            "Every move left completes a line: loses in 1 ply against best play; no move holds out longer.",
        ),
        ("picaria", "X....OXO.....", "X", "Completes the line 0-3-6."),
        ("tapatan", "OOX...XXO", "O", "Completes the diagonal from the top left."),
        ("vanishing-tic-tac-toe", "X/O", "X", "Holds the draw by repetition."),
        ("wild-tic-tac-toe", ".........", None, "Wins in 7 plies against any defence."),
    ],
)
def test_the_sentence_for_a_position_has_the_words_of_the_game(
    name: str, text: str, player: str | None, said: str
) -> None:
    assert reason(table_oracle().best_move(read_any_position(CATALOGUE[name], text, player))) == said


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
        ("notakto-2", "1.4", "marks 2:b2", "2:b2"),
        ("treblecross", "2", "marks c1", "c1"),
        ("picaria", "9", "places a piece on 9", "cell 9"),
        ("picaria", "9>4", "moves the piece on 9 to 4", "9-4"),
    ],
)
def test_moves_have_the_words_of_the_game(name: str, move: str, words: str, called: str) -> None:
    game = CATALOGUE[name]
    number = game.moves_by_name[move.lower()]
    assert (move_words(game, number), game.names[number]) == (words, called)


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
    sentences = {move.move: move.reasons[-1].sentence for move in rank(table_oracle().analyse(position))}
    assert sentences[game.moves_by_name[played.lower()]] == said
