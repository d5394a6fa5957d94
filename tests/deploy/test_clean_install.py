"""An installation without network: what the lock names is all that the wheel needs, in an environment of its own."""

import shutil
import sys
from functools import partial
from pathlib import Path

import httpx
import pytest

from service import __version__
from service.cli.client import INTERPRETED
from tests import support
from tests.programs import run, written
from tests.support import IN_CI, ROOT, Server, need

pytestmark = pytest.mark.verify

SECONDS = 400
"""For downloads and installations."""

WITHOUT_NETWORK = ("unshare", "--map-root-user", "--net")
OWN = shutil.ignore_patterns(".*", "*.so", "*.egg-info", "__pycache__", "build", "dist", "guide")
"""What a build has left here, and environments."""

LOCKED = ("--no-deps", "--require-hashes", "-r", str(ROOT / "requirements.lock"))


done = partial(written, seconds=SECONDS)
"""Return what a program wrote that has to succeed."""


def pip(python: Path | str = sys.executable) -> tuple[str | Path, ...]:
    """The command that installs for an interpreter."""
    return sys.executable, "-m", "pip", "--python", python


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the packages of the lock, and the wheel of the service, as without a compiler."""
    folder = tmp_path_factory.mktemp("wheels")
    downloaded = run(*pip(), "download", "-q", "-d", folder, *LOCKED, seconds=SECONDS)
    if downloaded.returncode:
        (pytest.fail if IN_CI else pytest.skip)(f"the packages are not to be had: {downloaded.stderr[-500:]}")
    source = tmp_path_factory.mktemp("source") / "copy"
    shutil.copytree(ROOT, source, symlinks=True, ignore=OWN)
    done(*pip(), "wheel", "-q", "--no-deps", "--no-build-isolation", "--no-index", "-w", folder, source, COMPILE="no")
    return folder


@pytest.fixture(scope="module")
def python(wheels: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of an environment that holds the lock and the wheel, installed where there is no network."""
    need(WITHOUT_NETWORK[0])
    environment = tmp_path_factory.mktemp("clean")
    done(sys.executable, "-m", "venv", "--without-pip", environment)
    python = environment / "bin/python"
    install = (*pip(python), "install", "-q", "--no-compile", "--no-index", "--find-links", wheels)
    done(*WITHOUT_NETWORK, *install, *LOCKED)
    done(*WITHOUT_NETWORK, *install, "--no-deps", "move-oracle")
    return python


def test_the_lock_names_all_that_the_service_and_its_extras_need(python: Path) -> None:
    assert done(*pip(python), "check") == "No broken requirements found.\n"
    modules = (
        "service.asgi, service.cli.main, service.mcp.server, service.redis_cache, service.edge.admission.rate_limit"
    )
    done(python, "-I", "-c", f"import {modules}")


def test_the_command_the_library_and_the_service_answer_from_anywhere(
    python: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended = run(python.with_name("move-oracle"), "best-move", "O.XX.X.OO", cwd=tmp_path)
    assert (ended.returncode, ended.stderr) == (0, f"{INTERPRETED}\n")
    assert "b2" in ended.stdout
    library = 'import move_oracle; print(move_oracle.best_move("O.XX.X.OO")["move"])'
    assert done(python, "-I", "-c", library) == "4\n"
    monkeypatch.setattr(support, "ROOT", tmp_path)
    server = Server(workers=1)
    server.command[0] = str(python)
    with server:
        answer = httpx.post(f"{server.url}/best-move", json={"board": "O.XX.X.OO"}).json()
        assert (answer["move"], answer["outcome"]) == (4, "win")
        told = httpx.get(f"{server.url}/version").json()
        assert (told["version"], told["kernel"]) == (__version__, "interpreted")
