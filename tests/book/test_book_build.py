"""Books are the same whoever builds them, nothing that was done is lost, and what is wrong in one is found."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from distributed import Client, LocalCluster

from service.book.bitbully import database
from service.book.book import Book, Layer
from service.book.build import build, make_plan
from service.book.file import read_book, write_book
from service.book.tasks import Task
from service.book.work import OtherWork, Work, alone, claimed
from service.cli.book_crew import crew
from service.cli.main import cli
from service.games.catalogue import CATALOGUE, CONNECT_FOUR, CONNECT_FOUR_5X4, CONNECT_FOUR_5X5, QUBIC, TIC_TAC_TOE
from tests.books import book_of, build_at, plan_of, unseen
from tests.support import ROOT, UNMEASURED

SLOW = ("connect-four-5x5", "--plies", "8", "--lined", "1")
SECONDS = 120


@pytest.fixture(scope="module")
def alone_built(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The slow book as one process makes it."""
    path = tmp_path_factory.mktemp("alone") / "a.book"
    assert run("build", *SLOW, "--workers", "1", "-o", str(path)).exit_code == 0
    return path.read_bytes()


def run(*args: str, **environment: str) -> Result:
    return CliRunner().invoke(cli, ["book", *args], env={"COLUMNS": "80", **environment}, prog_name="move-oracle")


def start(path: Path, *args: str) -> subprocess.Popen[str]:
    """A build in a process of its own."""
    command = [sys.executable, "-m", "service", "book", "build", *SLOW, "-o", str(path), *args]
    environment = {**os.environ, **UNMEASURED}
    pipe = subprocess.PIPE
    return subprocess.Popen(
        command, cwd=ROOT, env=environment, stderr=pipe, stdout=pipe, text=True, start_new_session=True
    )


def parts(path: Path) -> list[Path]:
    return sorted(path.with_name(path.name + ".parts").glob("leaves-??????"))


def wait_for_parts(path: Path, count: int) -> None:
    for _ in range(20 * SECONDS):
        if len(parts(path)) >= count:
            return
        time.sleep(0.05)
    pytest.fail("nothing was done")


def workers_of(process: int) -> list[int]:
    """The processes that Dask has started for a build."""
    children = [
        int(child)
        for task in Path(f"/proc/{process}/task").iterdir()
        for child in (task / "children").read_text().split()
    ]
    return [child for child in children if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes()]


@pytest.mark.skipif(sys.platform != "linux", reason="processes are found in /proc")
def test_a_worker_that_is_killed_loses_nothing(tmp_path: Path, alone_built: bytes) -> None:
    path = tmp_path / "a.book"
    with start(path, "--workers", "2") as building:
        wait_for_parts(path, 2)
        before = len(parts(path))
        victim = workers_of(building.pid)[0]
        os.kill(victim, signal.SIGKILL)
        said = building.communicate(timeout=SECONDS)
    assert building.returncode == 0, said
    assert before < 100  # there was much to do yet
    assert path.read_bytes() == alone_built


def test_a_build_that_is_killed_goes_on_where_it_was(tmp_path: Path, alone_built: bytes) -> None:
    path = tmp_path / "a.book"
    with start(path, "--workers", "1") as building:
        wait_for_parts(path, 3)
        building.kill()
    done = {part: part.stat().st_mtime_ns for part in parts(path)}
    assert not path.exists()
    with start(path, "--workers", "2") as building:
        wait_for_parts(path, len(done) + 1)
        assert {part: part.stat().st_mtime_ns for part in done} == done
        said = building.communicate(timeout=SECONDS)
    assert building.returncode == 0, said
    assert path.read_bytes() == alone_built
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.book"]


@pytest.mark.parametrize("workers", ["1", "2"])
def test_an_interrupted_build_ends_quietly(tmp_path: Path, workers: str) -> None:
    path = tmp_path / "a.book"
    with start(path, "--workers", workers) as building:
        wait_for_parts(path, 1)
        os.killpg(building.pid, signal.SIGINT)  # as a terminal does
        _, said = building.communicate(timeout=SECONDS)
    assert building.returncode == 130
    assert "Traceback" not in said, said
    assert len(parts(path)) >= 1


def test_where_interrupts_are_ignored_a_build_ignores_them_too() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with crew(2, None):
            assert signal.getsignal(signal.SIGINT) == signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)


class Interrupted(Exception):
    """What ends a build here."""


def test_only_what_is_missing_is_done_when_a_build_begins_again(tmp_path: Path) -> None:
    plan, done = plan_of(CONNECT_FOUR_5X4), list[int]()

    def counted(tasks: Sequence[Task]) -> Iterator[tuple[int, bytes]]:
        done.append(len(tasks))
        return alone(tasks)

    def tired(tasks: Sequence[Task]) -> Iterator[tuple[int, bytes]]:
        for index in reversed(range(len(tasks))):  # the last first: any order will do
            if index == len(tasks) - 4:
                raise Interrupted
            yield index, tasks[index].run()

    with suppress(Interrupted):
        build(plan, Work(tmp_path / "work", plan.data(), tired, unseen))
    (tmp_path / "work" / "leaves-000000.new").write_bytes(b"torn")
    (tmp_path / "work" / "leaves-000001").write_bytes(b"torn too")
    build(plan, Work(tmp_path / "work", plan.data(), counted, unseen))
    whole = len(list((tmp_path / "work").glob("leaves-??????")))
    assert done[0] == whole - 3
    build(plan, Work(tmp_path / "work", plan.data(), counted, unseen))
    assert done[2:] == [0, 0]


def test_two_builds_of_the_same_file_do_not_get_in_each_others_way(tmp_path: Path, alone_built: bytes) -> None:
    path = tmp_path / "a.book"
    with start(path, "--workers", "1") as building:
        wait_for_parts(path, 1)
        refused = run("build", *SLOW, "--workers", "1", "-o", str(path))
        said = building.communicate(timeout=SECONDS)
    assert (refused.exit_code, "Another build is at work" in refused.stderr) == (2, True)
    assert building.returncode == 0, said
    assert path.read_bytes() == alone_built


def test_a_folder_is_free_again_when_its_build_has_ended(tmp_path: Path) -> None:
    for _ in range(2):
        with suppress(Interrupted), claimed(tmp_path):
            with pytest.raises(OtherWork), claimed(tmp_path):
                pass
            raise Interrupted


def test_beginnings_of_another_book_are_left_alone(tmp_path: Path) -> None:
    plan, other = make_plan(CONNECT_FOUR_5X4, 3), make_plan(CONNECT_FOUR_5X4, 4)
    Work(tmp_path / "work", plan.data(), alone, unseen)
    with pytest.raises(OtherWork, match="holds the beginnings of another book"):
        Work(tmp_path / "work", other.data(), alone, unseen)
    (tmp_path / "a.book.parts").mkdir()
    (tmp_path / "a.book.parts" / "plan.json").write_text("{}")
    refused = run("build", "connect-four-5x4", "--plies", "3", "-o", str(tmp_path / "a.book"))
    assert (refused.exit_code, "remove it" in refused.stderr) == (2, True)


def test_the_workers_of_a_scheduler_build_the_same_book(tmp_path: Path) -> None:
    with (
        LocalCluster(n_workers=1, threads_per_worker=2, processes=True, dashboard_address="127.0.0.1:0") as cluster,  # type: ignore[no-untyped-call]
        crew(None, cluster.scheduler_address) as hands,
    ):
        assert hands is not alone
        found = build_at(tmp_path / "a.book", CONNECT_FOUR_5X4, hands)
    assert found.checksum == book_of(CONNECT_FOUR_5X4).checksum


def test_two_local_workers_build_the_same_book_and_both_work(tmp_path: Path) -> None:
    with crew(2, None) as hands:
        found = build_at(tmp_path / "a.book", CONNECT_FOUR_5X4, hands)
        client = Client.current()  # type: ignore[no-untyped-call]
        assert len(client.run(os.getpid)) == 2
    assert found.checksum == book_of(CONNECT_FOUR_5X4).checksum


def test_a_scheduler_that_does_not_answer_is_named(tmp_path: Path) -> None:
    refused = run("build", *SLOW, "--scheduler", "tcp://127.0.0.1:1", "-o", str(tmp_path / "a.book"))
    assert refused.exit_code == 1
    assert "No Dask scheduler answers at tcp://127.0.0.1:1" in refused.stderr


def test_a_scheduler_that_goes_away_ends_the_build_in_words(tmp_path: Path) -> None:
    with (
        LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address="127.0.0.1:0") as cluster,  # type: ignore[no-untyped-call]
        start(tmp_path / "a.book", "--scheduler", cluster.scheduler_address) as building,
    ):
        wait_for_parts(tmp_path / "a.book", 1)
        cluster.close()
        _, said = building.communicate(timeout=SECONDS)
    assert building.returncode == 1
    assert "Error: The Dask cluster is lost" in said  # beside what Dask itself logs


def test_without_dask_one_process_does_it_all_and_several_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.cli.book_crew.find_spec", lambda _: None)
    with crew(None, None) as hands:
        assert hands is alone
    refused = run("build", *SLOW, "--workers", "2", "-o", os.devnull)
    assert (refused.exit_code, "pip install 'move-oracle[book]'" in refused.stderr) == (2, True)


def test_what_a_worker_lacks_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.book.bitbully.PACKAGE", "no_such_package")
    monkeypatch.setattr("service.book.build.find_spec", lambda _: True)
    monkeypatch.setattr("service.book.bitbully.credit", lambda: "nobody")
    database.cache_clear()
    refused = run("build", "connect-four", "-o", str(tmp_path / "a.book"), "--workers", "1")
    assert refused.exit_code == 1
    assert "A worker lacks what it needs: No module named 'no_such_package'" in refused.stderr


def test_the_command_says_what_it_has_built(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "a.book"
    done = run("build", "connect-four-5x4", "--plies", "4", "--lined", "2", "-o", str(path), "--workers", "1")
    assert done.exit_code == 0
    assert done.stdout.startswith(f"{path}\n\n  game       connect-four-5x4\n")
    assert re.search(
        r"positions  [\d,]+ of up to 4 marks\n  lines      [\d,]+, for all positions of up to 2", done.stdout
    )
    assert [line.split()[0] for line in done.stderr.splitlines()] == ["leaves", "layers", "lines"]
    shown = json.loads(run("info", str(path), "--json").stdout)
    assert (shown["game"], shown["plies"], shown["lined"]) == ("connect-four-5x4", 4, 2)
    assert shown["checksum"] == read_book(path).checksum
    assert run("info", str(path)).stdout in done.stdout + "\n"


def test_rules_of_any_kind_make_a_book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.cli.book.HOME", tmp_path)
    for rules in (
        ["--rows", "3", "--columns", "4", "--in-a-row", "3", "--gravity", "--misere", "--plies", "5"],
        ["--lines", "[[0,1,2],[2,3,4],[0,3,5]]", "--plies", "20"],
        ["--game", "tic-tac-toe", "--plies", "9"],
    ):
        assert run("build", *rules, "--workers", "1").exit_code == 0
    names = sorted(path.name for path in tmp_path.iterdir())
    assert [re.sub(r"-[0-9a-f]{12}", "", name) for name in names] == ["custom.book", "custom.book", "tic-tac-toe.book"]
    for name in names:
        assert run("check", str(tmp_path / name), "--samples", "40", "--seed", "3").exit_code == 0


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["build"], "Which game?"),
        (["build", "connect-four-5x4"], "Of how many --plies?"),
        (["build", "conect-four", "--plies", "3"], "Did you mean connect-four?"),
        (["build", "tic-tac-toe", "--game", "tic-tac-toe", "--plies", "3"], "Name the game once"),
        (["build", "tic-tac-toe", "--rows", "3", "--plies", "3"], "not both"),
        (["info", "/nowhere.book"], "does not exist"),
    ],
)
def test_a_wrong_question_is_refused_in_words(args: list[str], said: str) -> None:
    refused = run(*args)
    assert refused.exit_code == 2
    assert said in refused.stderr


def test_where_the_book_cannot_be_written_that_is_said() -> None:
    refused = run("build", "tic-tac-toe", "--plies", "2", "-o", "/proc/a.book", "--workers", "1")
    assert refused.exit_code == 1
    assert "cannot be written to /proc/a.book" in refused.stderr


def test_a_layer_of_which_nothing_is_known_has_nothing_to_check(tmp_path: Path) -> None:
    path = str(tmp_path / "a.book")
    rules = ["--rows", "1", "--columns", "3", "--in-a-row", "1", "--plies", "2"]  # over after one move
    assert run("build", *rules, "--workers", "1", "-o", path).exit_code == 0
    assert run("check", path, "--samples", "5").stdout.startswith("0 scores of the last layer, 5 of the layers before")


def test_a_file_that_is_no_book_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.book").write_bytes(b"nothing" * 9)
    for command in ("info", "check"):
        refused = run(command, str(tmp_path / "a.book"))
        assert (refused.exit_code, "it is no book" in refused.stderr) == (1, True)


def test_the_usual_book_has_lines_for_about_as_many_positions_in_every_game() -> None:
    lined = {game.id: make_plan(game, 12).lined for game in (CONNECT_FOUR, TIC_TAC_TOE, CONNECT_FOUR_5X5, QUBIC)}
    assert lined == {"connect-four": 6, "tic-tac-toe": 8, "connect-four-5x5": 7, "qubic": 2}
    assert make_plan(CATALOGUE["tic-tac-toe"], 12).plies == 9


def spoiled(book: Book, marks: int) -> Book:
    """The book with every score of a layer one too high."""
    layer = book.layers[marks]
    wrong = bytes(score + 1 & 255 if abs(score) < 100 else score & 255 for score in layer.scores)
    layers = list(book.layers)
    layers[marks] = Layer(layer.shapes, memoryview(wrong).cast("b"))
    return Book(book.slots, layers, book.lines, book.lined)


@pytest.mark.parametrize("marks", range(9))
def test_wrong_scores_are_found_in_every_layer(tmp_path: Path, marks: int) -> None:
    path, found = tmp_path / "a.book", book_of(CONNECT_FOUR_5X4)
    write_book(path, found.game, spoiled(found.book, marks), found.source)
    wrong = run("check", str(path), "--samples", "200", "--seed", "1")
    assert wrong.exit_code == 1
    assert re.search(r"Wrong: [XO.]{20} score -?\d+\n", wrong.stderr)
    assert re.search(r"Error: \d+ of [\d]+ entries are wrong", wrong.stderr)


def test_a_wrong_line_is_found(tmp_path: Path) -> None:
    path, found = tmp_path / "a.book", book_of(CONNECT_FOUR_5X4)
    path.write_bytes(b"")
    write_book(path, found.game, found.book, found.source)
    assert run("check", str(path)).exit_code == 0
    lines = found.book.lines
    turned = memoryview(bytes(lines.moves[lines.length :]) + bytes(lines.moves[: lines.length]))
    wrong_lines = type(lines)(lines.masks, turned, lines.length)
    write_book(path, found.game, Book(found.book.slots, found.book.layers, wrong_lines, 2), found.source)
    wrong = run("check", str(path), "--samples", "100")
    assert (wrong.exit_code, "line [" in wrong.stderr) == (1, True)
