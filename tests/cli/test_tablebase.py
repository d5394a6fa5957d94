"""``tablebase`` builds tables that the service uses, lists them, and writes the rules atlas."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.book import paths
from service.engine.atlas import digest_of
from service.engine.tables.family_table import read_table
from service.engine.tables.table_folder import TableFolder, table_path
from service.engine.tables.tablebases import Tablebases
from service.games.atlas import Entry, Rules
from service.games.catalogue import STATE_GAMES
from service.games.families.vanishing import VanishingGame
from tests.cli.terminal import refused, run, said
from tests.engine.tables import found

ACHI = STATE_GAMES["achi"]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where tables are built."""
    monkeypatch.setattr(paths, "HOME", tmp_path / "home")
    monkeypatch.setenv("TABLEBASES", str(tmp_path / "tables"))
    return tmp_path / "home"


def test_a_table_is_built_where_the_service_finds_it(home: Path) -> None:
    shown = said("tablebase", "build", "achi")
    path = table_path(home, ACHI)
    assert str(path) in shown
    assert "win in 11 plies for the first player" in shown
    assert f"{path.stat().st_size:,} bytes" in shown
    assert f"{found(Tablebases(most=1, built=home), ACHI).states:,} up to symmetry" in shown


def test_any_number_of_threads_builds_the_same_file(tmp_path: Path) -> None:
    files = {threads: tmp_path / f"{threads}.table" for threads in (1, 3)}
    for threads, file in files.items():
        said("tablebase", "build", "dao", "--threads", str(threads), "-o", str(file))
    assert files[1].read_bytes() == files[3].read_bytes()
    assert "is not in the range 1<=x<=64" in refused("tablebase", "build", "dao", "--threads", "0")


def test_rules_as_json_are_built_into_the_file_that_is_named_if_it_can_be_written(tmp_path: Path) -> None:
    file = tmp_path / "own.table"
    shown = said("tablebase", "build", '{"family": "vanishing", "marks": 2}', "-o", str(file))
    assert "draw for the first player" in shown
    assert read_table(VanishingGame(marks=2), file) is not None
    failed = run("tablebase", "build", "achi", "-o", str(file / "achi.table"))
    assert (failed.exit_code, "cannot be written" in failed.stderr) == (1, True)


def test_a_game_that_is_too_large_is_refused_with_what_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    done = run("tablebase", "build", "pop-out-5x4", "--most", "1000000")
    assert done.exit_code == 1
    assert "has about 14,329,471 positions up to symmetry; --most 14329471 allows more" in done.stderr
    assert "2.3 GB of memory" in done.stderr
    monkeypatch.setattr(STATE_GAMES["vanishing-tic-tac-toe"], "states", 10)
    assert "has more than 20 positions" in run("tablebase", "build", "vanishing-tic-tac-toe", "--most", "20").stderr


@pytest.mark.parametrize(
    ("game", "reason"),
    [
        ("chess", "There is no game chess. move-oracle games lists the games."),
        ("Connect 4", "connect-four is a line game, which needs no table."),
        ("qubic", "qubic is a line game, which needs no table."),
        ('{"family": "wild"}', "wild: rows: Field required"),
        ('{"family": "wild", "rows": 3, "columns": 3, "in_a_row": 4}', "No line of 4 cells fits"),
        ("{", "The rules cannot be read"),
    ],
)
def test_what_is_no_game_of_a_family_is_refused(game: str, reason: str) -> None:
    assert reason in refused("tablebase", "build", game)


def test_tables_are_listed_with_their_games_and_sizes(home: Path, tmp_path: Path) -> None:
    assert said("tablebase", "list") == "There are no tables.\n"
    said("tablebase", "build", "achi")
    found(Tablebases(TableFolder(tmp_path / "tables")), VanishingGame(marks=2))
    (home / "damaged.table").write_text("no table")
    _, *lines = said("tablebase", "list").splitlines()
    assert len(lines) == 2
    assert lines[0].startswith("achi")
    assert lines[1].startswith('{"family":"vanishing"')
    listed = json.loads(said("tablebase", "list", "--json"))
    assert listed[0]["game"] == "achi"
    assert listed[0]["bytes"] == table_path(home, ACHI).stat().st_size
    assert listed[1]["rules"]["marks"] == 2


def told(entry: Entry) -> tuple[Rules, str, int]:
    return entry["rules"], entry["outcome"], entry["plies"]


def test_the_atlas_solves_what_it_lacks_and_is_printed_as_its_file_is(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    few: list[Rules] = [{"family": "notakto", "boards": 1}, {"rows": 3, "columns": 3, "in_a_row": 3, "wrap": "moebius"}]

    def rules() -> Iterator[Rules]:
        yield from few

    monkeypatch.setattr("service.cli.commands.tablebase.atlas_rules", rules)
    kept = {"digest": digest_of(few[0]), "outcome": "kept", "plies": 0}
    monkeypatch.setattr("service.cli.commands.tablebase.read_atlas", lambda: [kept, {**kept, "digest": "older"}])
    assert [told(entry) for entry in json.loads(said("tablebase", "atlas"))] == [
        (few[0], "kept", 0),
        (few[1], "win", 5),
    ]
    file = tmp_path / "atlas.json"
    assert said("tablebase", "atlas", "--again", "--output", str(file)) == ""
    assert [told(entry) for entry in json.loads(file.read_text())] == [(few[0], "win", 6), (few[1], "win", 5)]
