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
from service.games.boards.grid import Line
from service.games.catalogue import MISERE_TIC_TAC_TOE, TIC_TAC_TOE
from service.games.families.lines import LineGame, LinePosition, Player, hand_written
from service.kernel.alpha_beta.reference import DRAW, LOSS, WIN
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
    unlike,
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
def told(game: LineGame) -> tuple[Told, ...]:
    """Each best move of the unfinished positions, whether the oracle would choose it or a seed."""
    entries = ((position, table(game)[position]) for position in unlike(game))
    return tuple(
        Told(position, move, reason_of(position, entry, move))
        for position, entry in entries
        for move in entry.best_moves
    )


@each_game
def test_every_answer_carries_the_reason_of_its_move(game: LineGame) -> None:
    for position in reachable(game):
        answer = oracle().best_move(position)
        assert reason(answer) == reason_of(position, table(game)[position], answer.move) != ""


@each_game
def test_a_sentence_is_of_a_known_kind_and_its_verdict_is_that_of_the_reference(game: LineGame) -> None:
    for one in told(game):
        said, truth = one.said, verdict(one.position)
        assert re.fullmatch(r"[A-Z][^.]+\.", one.sentence)
        assert not re.search(r"\b1 plies|\b([02-9]|\d\d+) ply\b", one.sentence)
        if said["completed"]:
            assert (truth.outcome, truth.plies) == (WIN, 1)
        else:
            stated = re.fullmatch(VERDICTS[truth.outcome], said["verdict"] or "", re.IGNORECASE)
            assert stated, one
            assert int(stated.groupdict().get("plies", truth.plies)) == truth.plies
        children = {move: verdict(one.position.play(move)).plies for move in one.position.legal_moves}
        lost = truth.outcome == LOSS
        assert one.sentence.endswith("; no move holds out longer.") == (lost and len(children) > 1)
        assert not lost or children[one.move] == max(children.values())


@each_game
def test_what_a_move_does_is_said_of_exactly_the_moves_that_do_it(game: LineGame) -> None:
    for one in told(game):
        said, only = one.said, is_only_move(one)
        completed, blocked, forked = ([], [], []) if game.misere else (completes(one), blocks(one), forks(one))
        hopeless = game.misere and all(completed_by(one.me, move, one.marks) for move in one.position.legal_moves)
        quiet = game.misere or completed or only or blocked or forked
        assert sorted(lines_named(said["completed"])) == sorted(completed)
        assert sorted(lines_named(said["blocked"])) == sorted([] if completed or only else blocked)
        assert sorted(lines_named(said["forked"])) == sorted([] if completed or blocked else forked)
        assert [CELL_NAMES[name] for name in names_in(said["stopped"])] == ([] if quiet else stops(one)), one
        assert (said["only"] is not None) == (only and not completed)
        assert (said["hopeless"] is not None) == (hopeless and not only)


def test_every_kind_of_sentence_is_spoken() -> None:
    kinds = {
        TIC_TAC_TOE: [
            *("Completes ", "Blocks ", "Makes a fork, threatening ", "Stops a fork at "),
            *("The only move left: holds", "Wins in 5 plies", "Holds the draw", "Loses in 4 plies"),
        ],
        MISERE_TIC_TAC_TOE: [
            *("Every move left completes a line: loses in 1 ply", "The only move left: loses in 1 ply"),
            *("Wins in 8 plies", "Loses in 7 plies"),
        ],
    }
    for game, starts in kinds.items():
        for start in starts:
            assert any(one.sentence.startswith(start) for one in told(game)), start


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
        (hand_written(id="v", name="v", rules="", cells=3, lines=[[0, 2]]), (0, 2), "the line 0-2"),
    ],
)
def test_a_line_is_called_by_its_name_or_by_its_kind_and_its_ends_or_cells(
    game: LineGame, line: Line, called: str
) -> None:
    assert line in game.lines
    assert line_name(game, line) == called


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
