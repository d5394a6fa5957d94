"""The wheel holds what the service needs, compiled, and serves from wherever it is unpacked."""

import shutil
import sys
import zipfile
from pathlib import Path
from typing import NamedTuple

import httpx
import pytest

from service.book.paths import PACKAGED
from service.picture.png import FONTS
from tests import support
from tests.deploy.deployed import assert_connect_four_is_solved
from tests.deploy.test_clean_install import LOCKED, WITHOUT_NETWORK, done, pip
from tests.programs import run, written
from tests.support import ROOT, Server, need

pytestmark = pytest.mark.verify

COMPILED_PACKAGES = ("kernel", "games")
BUILD_SECONDS = 540
"""More than a build takes on a busy machine."""

PARTS_OF_A_PAGE = {".css", ".html", ".js", ".svg"}


class Wheel(NamedTuple):
    """A wheel that was built and unpacked: the names of its files, where they came from and are now."""

    file: Path
    names: set[str]
    source: Path
    folder: Path


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Wheel:
    """The wheel of what is under version control, and of the documentation; nothing that a build has left here.

    ``test_clean_install.py`` has the wheel of a machine without a compiler.
    """
    source, folder, built = (tmp_path_factory.mktemp(name) for name in ("source", "unpacked", "built"))
    for name in filter(None, written(need("git"), "ls-files", "-z").split("\0")):
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, source / name, follow_symlinks=False)
    written(sys.executable, "-m", "mkdocs", "build", "--strict", cwd=source, seconds=BUILD_SECONDS)
    hurried = built / "gcc"
    hurried.write_text(f'#!/bin/sh\nexec {need("gcc")} "$@" -O0\n')
    hurried.chmod(0o755)
    options = ["--wheel", "--no-isolation", "--outdir", str(built / "dist")]
    written(sys.executable, "-m", "build", *options, cwd=source, seconds=BUILD_SECONDS, CC=str(hurried))
    (made,) = (built / "dist").iterdir()
    with zipfile.ZipFile(made) as archive:
        archive.extractall(folder)
        return Wheel(made, set(archive.namelist()), source, folder)


def under(root: Path, folder: str, suffixes: set[str] | None = None) -> set[str]:
    """The paths of the files below a folder of the service, from ``root`` on, of all kinds or of these."""
    files = (path for path in (root / "service" / folder).rglob("*") if path.is_file())
    return {str(path.relative_to(root)) for path in files if suffixes is None or path.suffix in suffixes}


def test_the_wheel_holds_what_is_not_compiled(wheel: Wheel) -> None:
    expected = {
        *(name for package in COMPILED_PACKAGES for name in under(ROOT, package, {".h", ".py", ".pxd"})),
        *("move_oracle/py.typed", "service/openapi.yaml", "service/py.typed"),
        *(under(ROOT, "book/data") | under(ROOT, "picture/fonts") | under(ROOT, "web", PARTS_OF_A_PAGE)),
    }
    assert expected <= wheel.names
    assert [name for name in expected if (wheel.folder / name).read_bytes() != (wheel.source / name).read_bytes()] == []
    sources = under(wheel.source, "", {".py"}) | {"move_oracle/__init__.py"}
    assert {name for name in wheel.names if name.endswith(".py")} == sources


def test_the_wheel_holds_the_documentation(wheel: Wheel) -> None:
    guide = {name.removeprefix("service/guide/") for name in wheel.names if name.startswith("service/guide/")}
    pages = {str(page.relative_to(wheel.source / "docs")) for page in (wheel.source / "docs").rglob("*.md")}
    assert {name for name in guide if name.endswith(".html")} == {f"{page.removesuffix('.md')}.html" for page in pages}
    assert {"assets/extra.css", "assets/extra.js", "assets/icon.svg", "search/search_index.json"} <= guide
    assert not [name for name in guide if "/lunr/" in name or name.endswith((".map", ".xml", ".gz"))]


def test_the_wheel_holds_the_compiled_kernel(wheel: Wheel) -> None:
    typed = {name for package in COMPILED_PACKAGES for name in under(wheel.source, package, {".pxd"})}
    in_c = {"service/kernel/bits", "service/kernel/patterns", "service/kernel/scheduling"}
    modules = {name.removesuffix(".pxd") for name in typed} - in_c | {"service/kernel/_cython"}
    assert {"service/kernel/alpha_beta/search", "service/games/rules/wild"} <= modules
    kernel = {f"{name}.abi3.so" for name in modules}
    assert {name for name in wheel.names if name.endswith((".so", ".pyd"))} == kernel


def test_the_wheel_holds_every_licence_and_nothing_that_only_its_making_needed(wheel: Wheel) -> None:
    (about,) = {name.split("/")[0] for name in wheel.names if ".dist-info/" in name}
    others = [*PACKAGED.glob("LICENSE-*"), *FONTS.glob("LICENSE-*")]
    licences = {"LICENSE", *(str(path.relative_to(ROOT)) for path in others)}
    assert len(licences) == 3
    assert {f"{about}/licenses/{licence}" for licence in licences} <= wheel.names
    assert not [name for name in wheel.names if name.endswith((".c", ".o"))]
    assert not [name for name in wheel.names if name.endswith(".png") and not name.startswith("service/guide/")]
    assert {name.split("/")[0].split("-")[0] for name in wheel.names} == {"service", "move_oracle"}


@pytest.mark.parametrize("version", ["3.11", "3.12", "3.13", "3.14"])
def test_the_wheel_answers_in_each_python_without_network_or_compiler(
    wheel: Wheel, tmp_path: Path, version: str
) -> None:
    python, packages = tmp_path / "environment/bin/python", tmp_path / "packages"
    this = shutil.which(f"python{version}")
    if this is None or run(this, "-m", "venv", "--without-pip", python.parent.parent).returncode:
        pytest.skip(f"there is no Python {version}")
    done(*pip(python), "download", "-q", "-d", packages, *LOCKED)
    install = (*WITHOUT_NETWORK, *pip(python), "install", "-q", "--no-index", "--find-links", packages)
    done(*install, *LOCKED)
    done(*install, "--no-deps", wheel.file)
    ended = run(python.with_name("move-oracle"), "best-move", "O.XX.X.OO", cwd=tmp_path, environment={"PATH": ""})
    assert (ended.returncode, ended.stderr) == (0, "")  # an interpreted search is told of
    assert "b2" in ended.stdout


def test_the_wheel_serves_where_it_is_unpacked_and_tells_its_kernel(
    wheel: Wheel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(support, "ROOT", wheel.folder)  # where the server starts, and so what it imports
    with Server(workers=1, BOOKS="") as server:
        answer = httpx.post(f"{server.url}/best-move", json={"board": "O.XX.X.OO"})
        assert (answer.status_code, answer.json()["move"]) == (200, 4)
        told = [httpx.get(f"{server.url}{route}").json()["kernel"] for route in ("/version", "/readyz")]
        assert told == ["compiled"] * 2
        assert_connect_four_is_solved(server.url)
        assert httpx.get(f"{server.url}/position.png").headers["content-type"] == "image/png"
        assert "<title>Move Oracle</title>" in httpx.get(f"{server.url}/guide/").text
        (ready,) = [line["message"] for line in server.log() if " is ready at " in line["message"]]
        assert ready.endswith("; kernel: compiled")
