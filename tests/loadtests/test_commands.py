"""The load tests are one package: its commands, the start of the service, and the file for locust."""

import re
import sys
from pathlib import Path

import pytest

from loadtests.__main__ import COMMANDS
from loadtests.servers.processes import start_command
from tests.programs import run
from tests.support import ROOT

pytestmark = pytest.mark.verify


def printed(*command: str | Path) -> str:
    done = run(sys.executable, *command)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_help_describes_every_command() -> None:
    text = printed("-m", "loadtests", "--help")
    assert re.findall(r"^  ([a-z-]+)  +\S", text[text.index("Commands:") :], re.MULTILINE) == list(COMMANDS)


def test_every_make_target_runs_a_command_that_exists() -> None:
    named = re.findall(r"python -m loadtests ([a-z-]+)", (ROOT / "Makefile").read_text())
    beside_benches = {"load", "soak", "faults", "siege", "million", "hunt", "strength", "proofs"}
    assert beside_benches | {"bench", "bench-connect-four"} <= set(named)
    assert set(named) <= set(COMMANDS)


def test_locust_finds_its_users_in_the_file() -> None:
    users = printed("-m", "locust", "-f", "loadtests/locustfile.py", "--list").split()
    assert {"OpeningUser", "PositionUser", "AnalysisUser", "LargerGameUser", "InvalidUser"} <= set(users)


def test_a_profile_counts_functions_and_files_of_the_service() -> None:
    text = printed("-m", "loadtests", "profile")
    (functions, files, calls) = map(
        int,
        re.search(r"^(\d+) Python functions .* in (\d+) files, (\d+) calls", text, re.MULTILINE).groups(),  # type: ignore[union-attr]
    )
    assert calls >= functions >= files > 10
    assert "engine/oracle.py" in text


@pytest.mark.parametrize(("files", "application"), [(["wsgi.py"], "wsgi"), (["wsgi.py", "asgi.py"], "asgi")])
def test_a_checkout_is_started_behind_its_edge_if_it_has_one(
    tmp_path: Path, files: list[str], application: str
) -> None:
    (tmp_path / "service").mkdir()
    for name in files:
        (tmp_path / "service" / name).touch()
    assert start_command(tmp_path)[-1] == f"service.{application}:app"


def test_a_checkout_runs_in_its_own_environment_if_it_has_one(tmp_path: Path) -> None:
    assert start_command(tmp_path)[0] == sys.executable
    own = tmp_path / ".venv" / "bin" / "python"
    own.parent.mkdir(parents=True)
    own.touch()
    assert start_command(tmp_path)[:2] == [str(own), str(own.with_name("gunicorn"))]
