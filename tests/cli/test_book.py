"""``book build``, ``book info`` and ``book check`` from the command line."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import Result

from service.book.builder.bitbully import database
from service.book.builder.checkpoints import locked
from service.book.file import read_book, write_book
from service.book.strategy import StrategyBook
from service.book.strategy_file import StrategyFile, open_book, write_holding, write_strategy
from service.games.catalogue import CONNECT_FOUR_5X4
from tests.book.books import book_of
from tests.cli.terminal import refused, run


def book(*args: str) -> Result:
    return run("book", *args)


def build(*args: str) -> Result:
    return book("build", *args, "--workers", "1")


def test_the_command_says_what_it_has_built(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "a.book"
    done = build("connect-four-5x4", "--plies", "4", "--pv-depth", "2", "-o", str(path))
    assert done.exit_code == 0
    assert done.stdout.startswith(f"{path}\n\n  game       connect-four-5x4\n")
    assert re.search(
        r"positions  [\d,]+ of up to 4 marks\n  lines      [\d,]+, for all positions of up to 2", done.stdout
    )
    assert [line.split()[0] for line in done.stderr.splitlines()] == ["leaves", "layers", "lines"]
    shown = json.loads(book("info", str(path), "--json").stdout)
    assert (shown["game"], shown["plies"], shown["pv_depth"]) == ("connect-four-5x4", 4, 2)
    assert shown["checksum"] == read_book(path).checksum
    assert book("info", str(path)).stdout in done.stdout + "\n"
    assert [entry.name for entry in path.parent.iterdir()] == ["a.book"]


def test_rules_of_any_kind_make_a_book_that_holds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.cli.commands.book.HOME", tmp_path)
    for rules in (
        ["--rows", "3", "--columns", "4", "--in-a-row", "3", "--gravity", "--misere", "--plies", "5"],
        ["--lines", "[[0,1,2],[2,3,4],[0,3,5]]", "--plies", "20"],
        ["--game", "tic-tac-toe", "--plies", "9"],
    ):
        assert build(*rules).exit_code == 0
    names = sorted(path.name for path in tmp_path.iterdir())
    assert [re.sub(r"-[0-9a-f]{12}", "", name) for name in names] == ["custom.book", "custom.book", "tic-tac-toe.book"]
    for name in names:
        assert book("check", str(tmp_path / name), "--samples", "40", "--seed", "3").exit_code == 0


def test_a_strategy_book_is_built_described_and_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.book.builder.strategy_build.LIVE_NODES", 2)  # or this small game would need no book
    path = str(tmp_path / "a.book")
    done = build("--rows", "4", "--columns", "4", "--in-a-row", "3", "--strategy", "-o", path)
    assert done.exit_code == 0, done.output
    assert "strategy   of the first player, who wins in at most" in done.stdout
    shown = json.loads(book("info", path, "--json").stdout)
    assert (shown["kind"], shown["pv_depth"], shown["lines"]) == ("strategy", None, None)
    assert (
        book("check", path).stdout
        == f"{shown['positions']} of {shown['positions']} positions keep the outcome after every reply.\n"
    )
    found = open_book(Path(path))
    assert isinstance(found, StrategyFile)
    assert isinstance(found.book, StrategyBook)
    too_fast = dict.fromkeys(found.book.lost, 1)
    write_strategy(Path(path), found.game, too_fast, live_nodes=2, source="nobody")
    checked = book("check", path)
    assert checked.exit_code == 1
    assert re.search(r"Wrong: [XO.]{16} lost in 1 plies\n", checked.stderr)


def test_a_strategy_book_of_a_draw_is_built_described_and_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.book.builder.holding_build.LIVE_HOLDING_NODES", 10)
    path = str(tmp_path / "a.book")
    done = build("--rows", "6", "--columns", "6", "--in-a-row", "5", "--holding", "-o", path)
    assert done.exit_code == 0, done.output
    assert "strategy   of the second player, who holds a draw" in done.stdout
    shown = json.loads(book("info", path, "--json").stdout)
    assert (shown["kind"], shown["pv_depth"], shown["lines"]) == ("strategy", None, None)
    count = shown["positions"]
    assert book("check", path).stdout == f"{count} of {count} positions keep the outcome after every reply.\n"
    found = open_book(Path(path))
    assert isinstance(found, StrategyFile)
    write_holding(Path(path), found.game, [(0b111 << 7, 1 | 1 << 30 | 1 << 35)], live_nodes=60, source="a test")
    checked = book("check", path)
    assert checked.exit_code == 1
    assert re.search(r"Wrong: [XO.]{36} held\n", checked.stderr)


def test_a_game_without_a_strategy_is_refused_and_leaves_nothing(tmp_path: Path) -> None:
    failed = build("tic-tac-toe", "--strategy", "-o", str(tmp_path / "a.book"))
    assert (failed.exit_code, "finds no win of the first player" in failed.stderr) == (1, True)
    failed = build("--rows", "5", "--columns", "5", "--in-a-row", "5", "--holding", "-o", str(tmp_path / "a.book"))
    assert (failed.exit_code, "needs no strategy book" in failed.stderr) == (1, True)
    failed = build("--rows", "4", "--columns", "4", "--in-a-row", "3", "--holding", "-o", str(tmp_path / "a.book"))
    assert (failed.exit_code, "cannot hold a draw by blocking" in failed.stderr) == (1, True)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["build", "qubic", "--strategy", "--plies", "3"], "leave out --plies and --pv-depth"),
        (["build", "qubic", "--holding", "--pv-depth", "3"], "leave out --plies and --pv-depth"),
        (["build", "qubic", "--holding", "--strategy"], "leave out --strategy or --holding"),
        (["build"], "Name a game of the catalogue"),
        (["build", "connect-four-5x4"], "Give --plies"),
        (["build", "conect-four", "--plies", "3"], "Did you mean connect-four?"),
        (["build", "tic-tac-toe", "--game", "tic-tac-toe", "--plies", "3"], "Name the game once"),
        (["info", "/nowhere.book"], "does not exist"),
    ],
)
def test_a_wrong_question_is_refused_in_words(args: list[str], said: str) -> None:
    assert said in refused("book", *args)


def test_what_keeps_a_book_from_being_written_is_named(tmp_path: Path) -> None:
    with locked(tmp_path / "a.book.parts"):
        failed = build("tic-tac-toe", "--plies", "2", "-o", str(tmp_path / "a.book"))
    assert (failed.exit_code, "Another build is using" in failed.stderr) == (2, True)
    failed = build("tic-tac-toe", "--plies", "2", "-o", "/proc/a.book")
    assert (failed.exit_code, "cannot be written to /proc/a.book" in failed.stderr) == (1, True)


def test_a_package_that_a_worker_lacks_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.book.builder.bitbully.PACKAGE", "no_such_package")
    monkeypatch.setattr("service.book.builder.build.find_spec", lambda _: True)
    monkeypatch.setattr("service.book.builder.bitbully.credit", lambda: "nobody")
    database.cache_clear()
    failed = build("connect-four", "-o", str(tmp_path / "a.book"))
    assert failed.exit_code == 1
    assert "A worker needs a package that is not installed: No module named 'no_such_package'" in failed.stderr


def test_a_file_that_is_no_book_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.book").write_bytes(b"nothing" * 9)
    for command in ("info", "check"):
        failed = book(command, str(tmp_path / "a.book"))
        assert (failed.exit_code, "is not a book" in failed.stderr) == (1, True)


def test_wrong_entries_are_shown_and_fail_the_check(tmp_path: Path) -> None:
    found = book_of(CONNECT_FOUR_5X4)
    layer = found.book.layers[-1]
    wrong = replace(layer, scores=memoryview(bytes(len(layer.scores))).cast("b"))
    altered = replace(found.book, layers=[*found.book.layers[:-1], wrong])
    write_book(tmp_path / "a.book", found.game, altered, found.source)
    checked = book("check", str(tmp_path / "a.book"), "--seed", "1")
    assert checked.exit_code == 1
    assert re.search(r"Wrong: [XO.]{20} score 0\n", checked.stderr)
    assert re.search(r"Error: \d+ of \d+ entries are wrong", checked.stderr)
