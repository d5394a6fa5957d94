"""Probes, version and metrics."""

import os
import platform
import re
import shutil
import sys
from pathlib import Path

import pytest

from service import __version__
from service.games.catalogue import CATALOGUE
from service.kernel.alpha_beta.search import KERNEL
from service.settings import Settings
from tests.edge_client import EdgeClient
from tests.programs import run


def test_the_service_is_alive_and_ready(client: EdgeClient) -> None:
    assert client.get("/healthz").get_json() == {"status": "ok"}
    ready = client.get("/readyz").get_json()
    assert ready == {"status": "ready", "kernel": KERNEL, "games": list(CATALOGUE)}
    for path in ("/healthz", "/readyz", "/version", "/metrics"):
        assert client.get(path).headers["Cache-Control"] == "no-store"


LIMITS = {
    "max_body_bytes": 2048,
    "default_time_ms": 7,
    "max_time_ms": 8,
    "max_nodes": 9,
    "max_searches": 3,
    "max_queued": 0,
}


def test_the_version_tells_what_runs_and_its_limits() -> None:
    client = EdgeClient(Settings(**LIMITS, books="none", tablebases="none"))  # type: ignore[arg-type]
    runs = {"version": __version__, "kernel": KERNEL, "python": platform.python_version()}
    fixed = {"max_cells": 64, "max_lines": 1024, "max_batch": 1000, "shared_tables": False, "books": []}
    assert client.get("/version").get_json() == {**runs, **LIMITS, **fixed}
    for limit, status in [("time_ms=8", 200), ("time_ms=9", 422), ("nodes=9", 200), ("nodes=10", 422)]:
        assert client.get(f"/best-move?board=.........&{limit}").status_code == status


def test_the_version_and_the_log_tell_whether_the_folder_of_tables_can_be_used(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "open").mkdir()
    (tmp_path / "open").chmod(0o777)
    refused = {"file": "cannot be made: File exists", "open": "can be written by other users"}
    for name, shared in {"new": True, "file": False, "open": False}.items():
        caplog.clear()
        folder = tmp_path / name
        told = EdgeClient(Settings(tablebases=str(folder))).get("/version").get_json()
        assert told["shared_tables"] is shared
        reasons = [message.partition("for TABLEBASES cannot be used: ")[2] for message in caplog.messages]
        assert reasons == ([] if shared else [f"{folder} {refused[name]}"])


def numbers(client: EdgeClient) -> dict[str, float]:
    """Every sample of /metrics by its name and labels."""
    text = client.get("/metrics").get_data(as_text=True)
    samples = re.findall(r"^(move_oracle_\S+) (\S+)$", text, re.MULTILINE)
    return {name: float(value) for name, value in samples}


def counted(client: EdgeClient, name: str) -> dict[str, float]:
    """The samples of one metric by their labels."""
    prefix = f"move_oracle_{name}"
    return {key.removeprefix(prefix): value for key, value in numbers(client).items() if key.startswith(prefix)}


def test_answers_are_counted_by_game_source_and_outcome_and_requests_by_method_route_and_status() -> None:
    client = EdgeClient(Settings())
    assert numbers(client)[f'move_oracle_build_info{{kernel="{KERNEL}",version="{__version__}"}}'] == 1
    for asked in ("GET /games/go", "GET /nothing", "BREW /nothing", "PUT /games", "POST /best-move"):
        method, path = asked.split()
        client.open(path, method=method)
    labels = [
        *('"GET",route="/games/{id}",status="404"', '"GET",route="(none)",status="404"'),
        *('"other",route="(none)",status="404"', '"other",route="(none)",status="405"'),
        '"POST",route="/best-move",status="400"',
    ]
    found = counted(client, "request_seconds_count")
    assert found.pop('{method="GET",route="/metrics",status="200"}') > 0
    assert found == {f"{{method={label}}}": 1 for label in labels}
    for board in (".........", ".........", "XX.OO...."):
        client.get(f"/best-move?board={board}")
    assert counted(client, "answers_total") == {
        '{game="tic-tac-toe",outcome="draw",source="table"}': 1,
        '{game="tic-tac-toe",outcome="draw",source="cache"}': 1,
        '{game="tic-tac-toe",outcome="win",source="table"}': 1,
    }


def test_entries_of_the_shared_cache_are_counted_by_result() -> None:
    client = EdgeClient(Settings(cache_url="redis://127.0.0.1:1"))
    for plies in range(4):
        client.get(f"/best-move?game=tic-tac-toe-4x4&moves={','.join(map(str, range(plies + 1)))}")
    expected = {"hit": 0, "miss": 0, "invalid": 0, "kept": 0, "failed": 3, "skipped": 1}
    found = counted(client, "shared_cache_total")
    assert found == {f'{{result="{result}"}}': number for result, number in expected.items()}


def test_the_metrics_tell_how_full_the_tables_are_and_what_the_process_takes(tmp_path: Path) -> None:
    client = EdgeClient(Settings(tablebases=str(tmp_path), table_mb=1))
    before = numbers(client)
    assert (before["move_oracle_table_fill_ratio"], before["move_oracle_tablebases_bytes"]) == (0, 0)
    client.get("/best-move?game=achi&moves=4")
    client.get("/best-move?game=connect-four-6x5&time_ms=200")
    after = numbers(client)
    assert 0 < after["move_oracle_table_fill_ratio"] <= 1
    assert after["move_oracle_tablebases_bytes"] == sum(path.stat().st_size for path in tmp_path.iterdir()) > 0
    text = client.get("/metrics").get_data(as_text=True)
    assert re.search(rf'^process_resident_memory_bytes{{pid="{os.getpid()}"}} \d', text, re.MULTILINE)
    shutil.rmtree(tmp_path)
    assert numbers(client)["move_oracle_tablebases_bytes"] == 0


@pytest.mark.verify
def test_without_a_shared_cache_its_client_is_not_even_imported() -> None:
    code = "import sys, service.wsgi; print('redis' in sys.modules)"
    for url, imported in (("", "False"), ("redis://127.0.0.1:1", "True")):
        assert run(sys.executable, "-c", code, environment={"CACHE_URL": url}).stdout.strip() == imported
