"""The benchmark of proofs: its positions, its copies of the kernel, its proofs, and its verdicts."""

import pytest
from click.testing import CliRunner

from loadtests.budgets import BUDGETS, Verdicts
from loadtests.proofs import boards, decisive, midgame, techniques
from loadtests.proofs.asking import Reply, ask, read_reply
from loadtests.proofs.command import command
from loadtests.proofs.copies import WITHOUT, Change
from loadtests.proofs.midgame import GAMES, positions
from loadtests.proofs.options import Options
from loadtests.proofs.prove import METHODS, Size, prove
from service.kernel.search import KERNEL
from tests.published import LARGE, OUTCOMES, SOLVED, Published
from tests.support import ROOT

pytestmark = pytest.mark.verify

LONG = 600.0
OPTIONS = Options(positions=4, seed=1, seconds=LONG, against=None)


@pytest.mark.parametrize("game", GAMES)
def test_positions_of_the_middle_of_the_game_are_undecided_and_repeatable(game: str) -> None:
    drawn = positions(GAMES[game], 8, seed=3)
    assert drawn == positions(GAMES[game], 8, seed=3)
    cells = GAMES[game].cells
    assert [board.occupied.bit_count() for board in drawn] == 2 * [cells * part // 8 for part in midgame.EIGHTHS]
    for board in drawn:
        lines = board.game.masks
        assert not any(line & marks == line for line in lines for marks in (board.mine, board.theirs))
        assert not any((line & ~board.mine).bit_count() == 1 and not line & board.theirs for line in lines)


@pytest.mark.parametrize("change", [change for changes in WITHOUT.values() for change in changes], ids=str)
def test_the_kernel_has_the_line_that_a_copy_changes(change: Change) -> None:
    text = (ROOT / "service" / "kernel" / change.module).read_text()
    assert change.applied(text) != text
    with pytest.raises(ValueError, match="no longer has the line"):
        change.applied(change.applied(text).replace(change.line, ""))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(("size", "outcome"), [(Size(1, 4, 4, 3), "win"), (Size(1, 3, 3, 3), "draw")], ids=str)
def test_each_method_finds_the_outcome_of_a_small_board(method: str, size: Size, outcome: str) -> None:
    found, nodes, seconds = prove(size, method, LONG)
    assert (found, nodes > 0, seconds > 0) == (outcome, True, True)


def test_a_proof_without_time_is_given_up() -> None:
    assert prove(Size(1, 8, 8, 5), "forced wins", 0)[0] == "unknown"


@pytest.mark.skipif(KERNEL != "compiled", reason="takes minutes where the kernel is not compiled")
@pytest.mark.parametrize("known", OUTCOMES, ids=str)
def test_the_techniques_together_find_published_outcomes(known: Published) -> None:
    game = known.game
    size = Size(game.layers, game.rows, game.columns, game.in_a_row or 0)
    assert prove(size, "forced wins", LONG)[0] == known.outcome


def test_a_process_of_the_service_answers_in_processor_time() -> None:
    (reply, *others) = ask(
        [
            {"moves": [0]},
            {"moves": [0, 1]},
            {"game": {"rows": 8, "columns": 8, "in_a_row": 5}, "moves": [], "limit": {"nodes": 10}},
        ],
        books="none",
    )
    assert (reply.outcome, reply.exact) == ("draw", True)
    assert [other.is_proven for other in others] == [True, False]
    assert all(other.seconds < 60 for other in others)


def test_answers_of_older_versions_count_as_proven_by_their_bounds() -> None:
    old = {"outcome": "unknown", "proven": False, "at_least": "win", "at_most": "win", "seconds": 1.0}
    assert read_reply(old) == Reply("win", exact=False, source="", seconds=1.0)
    assert not read_reply({**old, "at_most": "draw"}).is_proven
    with pytest.raises(SystemExit):
        read_reply({"title": "no"})


@pytest.mark.parametrize(("outcome", "missed"), [("draw", 0), ("unknown", 1)])
def test_a_board_that_is_not_proven_misses_its_budget(
    monkeypatch: pytest.MonkeyPatch, outcome: str, missed: int
) -> None:
    monkeypatch.setattr(boards, "BOARDS", boards.BOARDS[:1])
    monkeypatch.setattr(boards, "ask", lambda *_, **__: [Reply(outcome, exact=False, source="search", seconds=1.0)])
    result = CliRunner().invoke(command, ["boards"])
    assert result.exit_code == missed
    assert ("MISSED" in result.output) == bool(missed)


def test_a_wrong_outcome_ends_the_benchmark(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(boards, "ask", lambda *_, **__: [Reply("loss", exact=True, source="search", seconds=1.0)])
    with pytest.raises(SystemExit, match="draw expected, loss"):
        boards.show(OPTIONS, Verdicts())


def test_checkouts_that_contradict_each_other_end_the_benchmark(monkeypatch: pytest.MonkeyPatch) -> None:
    outcomes = iter(("win", "loss"))

    def contradict(bodies: list[object], **_: object) -> list[Reply]:
        outcome = next(outcomes)
        return [Reply(outcome, exact=True, source="search", seconds=1.0) for _ in bodies]

    monkeypatch.setattr(midgame, "ask", contradict)
    with pytest.raises(SystemExit, match="contradict each other"):
        midgame.show(Options(positions=4, seed=1, seconds=1, against=ROOT), Verdicts())


def test_an_allowance_lengthens_a_budget() -> None:
    verdicts = Verdicts(allowance=2)
    assert "MISSED" not in verdicts.judge("qubic", 60)
    assert "MISSED" in verdicts.judge("qubic", 61)
    assert {board.budget for board in boards.BOARDS} <= set(BUDGETS)


def test_boards_of_the_benchmark_have_the_outcomes_of_the_tests() -> None:
    known = {
        Size(one.game.layers, one.game.rows, one.game.columns, one.game.in_a_row or 0): one.outcome
        for one in (*SOLVED, *OUTCOMES, *LARGE)
        if not (one.game.gravity or one.game.misere or one.game.wrap)
    }
    assert {size: known[size] for size in techniques.BOARDS} == techniques.BOARDS


@pytest.mark.skipif(KERNEL != "compiled", reason="takes minutes where the kernel is not compiled")
@pytest.mark.parametrize("position", decisive.POSITIONS, ids=lambda position: position.technique)
def test_the_technique_of_a_position_of_the_documentation_decides_it(position: decisive.Decisive) -> None:
    few = decisive.nodes(position, position.decide)
    assert few is not None
    assert few < decisive.NODES // 10
    if position.without is not None:
        many = decisive.nodes(position, position.without)
        assert many is None or 10 * few < many
