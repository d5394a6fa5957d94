"""Reasons: every sentence about every position is true, and says what there is to say.

What is true is found here from the text of the board and the verdicts of the reference alone.
"""

import re
from dataclasses import dataclass
from functools import cache

import pytest

from service.engine.result import ProvenResult
from service.explain.names import line_name
from service.explain.reasons import reason, reason_of
from service.games.catalogue import MISERE_TIC_TAC_TOE, TIC_TAC_TOE
from service.games.game import Game, Line, hand_written
from service.games.position import Player, Position
from service.kernel.reference import DRAW, LOSS, WIN
from tests.explain.strategy import (
    CELL_NAMES,
    LINE_NAMES,
    Move,
    blocks,
    completed_by,
    completes,
    forks,
    is_only_move,
    lines_named,
    names_in,
    stops,
)
from tests.worlds import (
    OUTCOME_NAMES,
    each_first_player,
    each_game,
    oracle,
    reachable,
    read_position,
    score_from_here,
    small,
    table,
    unfinished,
    verdict,
)

VERDICTS = {
    WIN: r"wins in (?P<plies>\d+) pl(y|ies) against any defence",
    DRAW: r"holds the draw",
    LOSS: r"loses in (?P<plies>\d+) pl(y|ies) against best play(?P<slowest>; no move holds out longer)?",
}
DEEDS = (
    r"blocks (?P<blocked>[^:;]+)|makes a fork, threatening (?P<forked>[^:;]+)"
    r"|stops (a fork|forks) at (?P<stopped>[^:;]+)"
    r"|(?P<only>the only move left)|(?P<hopeless>every move left completes a line)"
)
SENTENCE = re.compile(rf"completes (?P<completed>[^:;]+)\.|(({DEEDS}): )?(?P<verdict>[^:]+)\.", re.IGNORECASE)


@dataclass(frozen=True)
class Told(Move):
    """A best move of a position with the sentence that was given for it, taken apart."""

    sentence: str

    @property
    def said(self) -> dict[str, str | None]:
        match = SENTENCE.fullmatch(self.sentence)
        assert match, self.sentence
        return match.groupdict()


@cache
def told(game: Game) -> tuple[Told, ...]:
    """Each best move of each unfinished position, whether the oracle would choose it or a seed."""
    entries = ((position, table(game)[position]) for position in unfinished(game))
    return tuple(
        Told(position, move, reason_of(position, entry, move))
        for position, entry in entries
        for move in entry.best_moves
    )


@each_game
def test_every_reason_is_one_sentence_of_the_known_kinds(game: Game) -> None:
    for one in told(game):
        assert one.said
        assert one.sentence[0].isupper()
        assert one.sentence.count(".") == 1


@each_game
@each_first_player
def test_every_answer_carries_the_reason_of_its_move(game: Game, first: Player) -> None:
    for position in reachable(game, first):
        answer = oracle().best_move(position)
        assert reason(answer) == reason_of(position, table(game)[position], answer.move) != ""


def test_lines_and_forks_are_named_for_exactly_the_moves_that_complete_block_make_or_stop_them() -> None:
    for one in told(TIC_TAC_TOE):
        completed, blocked, forked, only = completes(one), blocks(one), forks(one), is_only_move(one)
        stopped = [CELL_NAMES[name] for name in names_in(one.said["stopped"])]
        assert sorted(lines_named(one.said["completed"])) == sorted(completed)
        assert sorted(lines_named(one.said["blocked"])) == sorted([] if completed or only else blocked)
        assert sorted(lines_named(one.said["forked"])) == sorted([] if completed or blocked else forked)
        assert stopped == ([] if completed or only or blocked or forked else stops(one)), one


@each_game
def test_the_only_move_left_is_said_when_one_cell_is_empty(game: Game) -> None:
    for one in told(game):
        wins = not game.misere and completes(one)
        assert (one.said["only"] is not None) == (is_only_move(one) and not wins)


def test_in_misere_every_move_left_completes_a_line_when_it_is_said_and_only_then() -> None:
    for one in told(MISERE_TIC_TAC_TOE):
        hopeless = all(completed_by(one.me, move, one.marks) for move in one.position.legal_moves)
        assert (one.said["hopeless"] is not None) == (hopeless and not is_only_move(one))


def test_in_misere_nobody_is_praised_for_lines() -> None:
    for one in told(MISERE_TIC_TAC_TOE):
        assert not any(one.said[praise] for praise in ("completed", "blocked", "forked", "stopped"))


@each_game
def test_the_verdict_is_that_of_the_reference_with_its_plies(game: Game) -> None:
    for one in told(game):
        truth = verdict(one.position)
        if one.said["completed"]:
            assert (truth.outcome, truth.plies) == (WIN, 1)
        else:
            stated = re.fullmatch(VERDICTS[truth.outcome], one.said["verdict"] or "", re.IGNORECASE)
            assert stated, one
            assert int(stated.groupdict().get("plies", truth.plies)) == truth.plies


@each_game
def test_no_move_holds_out_longer_is_said_of_a_loss_with_a_choice_and_is_true(game: Game) -> None:
    for one in told(game):
        children = {move: verdict(one.position.play(move)) for move in one.position.legal_moves}
        slowest = max(child.plies for child in children.values())
        lost = verdict(one.position).outcome == LOSS
        assert one.sentence.endswith("; no move holds out longer.") == (lost and len(children) > 1)
        assert not lost or children[one.move].plies == slowest


@each_game
def test_one_ply_is_not_called_plies(game: Game) -> None:
    for one in told(game):
        assert re.search(r"\b1 plies|\b([02-9]|\d\d+) ply\b", one.sentence) is None


@pytest.mark.parametrize(
    ("game", "start"),
    [
        (TIC_TAC_TOE, "Completes "),
        (TIC_TAC_TOE, "Blocks "),
        (TIC_TAC_TOE, "Makes a fork, threatening "),
        (TIC_TAC_TOE, "Stops a fork at "),
        (TIC_TAC_TOE, "The only move left: holds"),
        (TIC_TAC_TOE, "Wins in 5 plies"),
        (TIC_TAC_TOE, "Holds the draw"),
        (TIC_TAC_TOE, "Loses in 4 plies"),
        (MISERE_TIC_TAC_TOE, "Every move left completes a line: loses in 1 ply"),
        (MISERE_TIC_TAC_TOE, "The only move left: loses in 1 ply"),
        (MISERE_TIC_TAC_TOE, "Wins in 8 plies"),
        (MISERE_TIC_TAC_TOE, "Loses in 7 plies"),
    ],
)
def test_every_kind_of_sentence_is_spoken(game: Game, start: str) -> None:
    assert any(one.sentence.startswith(start) for one in told(game))


def completed_lines(marks: str) -> dict[str, str]:
    """The owner of each completed line, by its name."""
    owners = {name: {marks[cell] for cell in line} for name, line in LINE_NAMES.items()}
    return {name: marks[LINE_NAMES[name][0]] for name, found in owners.items() if found in ({"X"}, {"O"})}


@each_game
@each_first_player
def test_a_finished_game_is_told_by_its_line_and_its_owner_or_as_a_full_board(game: Game, first: Player) -> None:
    verb = "lost" if game.misere else "won"
    for position in reachable(game, first):
        if not position.legal_moves:
            sentence = reason_of(position, table(game)[position], None)
            lines = completed_lines(str(position))
            possible = {f"{owner} has completed {line} and {verb}." for line, owner in lines.items()}
            assert sentence in (possible or {"The board is full and neither player has a line: a draw."})


@pytest.mark.parametrize(
    ("board", "player", "sentence"),
    [
        ("XX. OO. ...", "X", "Completes the top row."),
        ("XX. XO. .OO", "X", "Completes the top row."),
        ("XXO OX. XO.", "O", "Blocks the diagonal from the top left: holds the draw."),
        ("XO. ... ...", "X", "Wins in 5 plies against any defence."),
        ("O.X X.X .OO", "X", "Completes the middle row."),
        ("X.. .O. ..X", "O", "Stops forks at c1 and a3: holds the draw."),
        ("... .X. ..O", "X", "Holds the draw."),
        (
            "XO. .X. ...",
            "O",
            "Blocks the diagonal from the top left: loses in 4 plies against best play; no move holds out longer.",
        ),
    ],
)
def test_the_sentence_for_a_position_that_people_know(board: str, player: Player, sentence: str) -> None:
    assert reason(oracle().best_move(read_position(board, player))) == sentence


@each_game
@pytest.mark.parametrize("name", LINE_NAMES)
def test_a_line_is_called_what_people_call_it(game: Game, name: str) -> None:
    assert line_name(game, LINE_NAMES[name]) == name


@pytest.mark.parametrize(
    ("game", "line", "called"),
    [
        (small(4, 4, 4), (0, 1, 2, 3), "the row a1-d1"),
        (small(3, 4, 3), (1, 2, 3), "the row b1-d1"),
        (small(4, 3, 3), (1, 4, 7), "the column b1-b3"),
        (small(3, 3, 3, layers=3), (0, 13, 26), "the line 1:a1-3:c3"),
        (small(3, 3, 3, wrap=True), (0, 5, 7), "the diagonal a1-c2-b3"),
        (small(3, 3, 2), (0, 1), "the row a1-b1"),
        (small(3, 3, 2), (1, 5), "the diagonal b1-c2"),
        (small(1, 28, 2), (25, 26), "the row z1-aa1"),
        (small(2, 2, 1), (3,), "the line b2"),
        (hand_written(id="v", name="v", rules="", cells=3, lines=[[0, 2]]), (0, 2), "the line 0-2"),
    ],
)
def test_a_line_without_a_name_is_called_by_its_kind_and_its_ends_or_cells(game: Game, line: Line, called: str) -> None:
    assert line in game.lines
    assert line_name(game, line) == called


def entry_of(position: Position) -> ProvenResult:
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
