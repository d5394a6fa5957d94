"""``proof --output`` builds certificates of any size: the entries of ``/proof``, resumed after an interruption."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from service.book.builder.checkpoints import locked
from service.cli.commands import proof
from tests.certificates import holds_in_python, outcome_in
from tests.cli.terminal import refused, run, said

EXPAND = proof.expand

BUILT = {
    "a win": (["-g", "connect-four", "-m", "4444443265555532"], "win"),
    "a draw": (["-g", "connect-four-5x4", "-m", "333324"], "draw"),
    "a win by threats": (["-g", "qubic", "-b", f"X...........XO..O....X................O...O{20 * '.'}X"], "win"),
    "a loss by pairs": (["-g", "order-and-chaos-6x6-exactly"], "loss"),
    "a win of a game with loops": (["-g", "quixo-3x3"], "win"),
    "a finished game": (["-g", "connect-four-5x4", "-m", "1212121"], "loss"),
}

LONG = ("a win", "a win by threats")


def build(path: Path, *position: str) -> str:
    """Return the certificate that the command builds."""
    done = run("proof", *position, "-o", str(path), "--workers", "1")
    assert done.exit_code == 0, done.output
    assert done.stderr.startswith("Proving the outcome ...\n")
    assert all(", level " in line for line in done.stderr.splitlines()[1:])
    text = path.read_text()
    entries = sum(line.startswith("[") for line in text.splitlines())
    assert done.stdout.startswith(f"{path}\n\n  outcome  {outcome_in(text)}\n  entries  {entries:,}\n  size     ")
    assert [each.name for each in path.parent.iterdir()] == [path.name]
    return text


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.verify if name in LONG else ()) for name in BUILT]
)
def test_a_built_certificate_has_the_entries_of_the_route_and_holds(tmp_path: Path, name: str) -> None:
    position, outcome = BUILT[name]
    text = build(tmp_path / "a.jsonl", *position)
    assert outcome_in(text) == outcome
    assert holds_in_python(text)
    header, *entries = said("proof", *position, "--time-ms", "60000").splitlines()
    assert entries == text.splitlines()[1:]
    assert {**json.loads(header), "symmetries": []} == {**json.loads(text.splitlines()[0]), "symmetries": []}


@pytest.mark.verify
def test_an_interrupted_build_goes_on_from_the_last_finished_task(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.cli.commands.executors.open_executor", lambda *_: ThreadPoolExecutor(1))
    position, path = ("-g", "connect-four-5x4", "-m", "3333"), tmp_path / "b" / "b.jsonl"
    (tmp_path / "a").mkdir()
    whole, asked, powered = build(tmp_path / "a" / "a.jsonl", *position), 0, 40

    def expand(*task: Any, **claim: Any) -> bytes:
        nonlocal asked
        asked += 1
        if asked > powered:
            raise OSError("no power")
        return EXPAND(*task, **claim)

    monkeypatch.setattr(proof, "expand", expand)
    done = run("proof", *position, "-o", str(path))
    assert (done.exit_code, "no power" in done.stderr, path.exists()) == (1, True, False)
    asked, powered = 0, 10**6
    assert build(path, *position) == whole
    resumed = asked
    assert build(tmp_path / "a" / "a.jsonl", *position) == whole
    assert asked - resumed == resumed + 40


def test_what_keeps_a_certificate_from_being_built_is_named(tmp_path: Path) -> None:
    path = str(tmp_path / "a.jsonl")
    assert "leave out" in refused("proof", "-o", path, "--nodes", "100")
    assert "leave out" in refused("--url", "http://localhost:1", "proof", "-o", path)
    assert "name it by --output" in refused("proof", "--workers", "2")
    assert "Cell 0 is already marked" in refused("proof", "0,0", "-o", path)
    pop_out = {"family": "pop-out", "rows": 6, "columns": 7, "in_a_row": 4}
    assert "Give a smaller board." in refused("proof", "-g", json.dumps(pop_out), "-o", path)
    pop_out |= {"rows": 3, "columns": 3, "in_a_row": 3}
    unreachable = ("-b", "X..XXXOOO", "-p", "O")
    assert "No play leads to this position" in refused("proof", "-g", json.dumps(pop_out), *unreachable, "-o", path)
    failed = run("proof", "-o", "/proc/a.jsonl", "--workers", "1")
    assert (failed.exit_code, "cannot be written to /proc/a.jsonl" in failed.stderr) == (1, True)
    with locked(tmp_path / "a.jsonl.parts"):
        assert "Another build is using" in refused("proof", "-o", path, "--workers", "1")
    assert [each.name for each in tmp_path.iterdir()] == ["a.jsonl.parts"]
