"""The wheel holds what the service needs, compiled where that can be, and serves from wherever it is unpacked."""

import shutil
import sys
import sysconfig
import zipfile
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from service.book.paths import PACKAGED
from service.kernel.search import KERNEL
from service.picture.png import FONTS
from tests import support
from tests.deploy.solved import assert_connect_four_is_solved
from tests.programs import run
from tests.support import IN_CI, ROOT, Server, need

pytestmark = [pytest.mark.verify, pytest.mark.xdist_group("wheel")]

COMPILED_PACKAGES = ("kernel", "families")
PARTS_OF_A_PAGE = {".css", ".html", ".js", ".svg"}


@dataclass(frozen=True)
class Wheel:
    """A wheel that was built and unpacked: how its kernel should run, its files, where they came from and are now."""

    kernel: str
    names: list[str]
    source: Path
    folder: Path


def copy_of_the_repository(folder: Path) -> Path:
    """The folder, filled with the files that are under version control, and nothing that a build has left here."""
    listed = run(need("git"), "ls-files", "-z")
    for name in filter(None, listed.stdout.split("\0")):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, folder / name, follow_symlinks=False)
    return folder


def build(source: Path, **changes: str) -> Path:
    """The wheel of a source tree, with its documentation."""
    for module in (["mkdocs", "build", "--strict"], ["build", "--wheel", "--no-isolation"]):
        done = run(sys.executable, "-m", *module, cwd=source, seconds=300, environment=changes)
        assert done.returncode == 0, done.stderr
    (wheel,) = (source / "dist").iterdir()
    return wheel


def sources(root: Path, package: str, *suffixes: str) -> list[Path]:
    """The sources of the modules in a package, with the files of their C types."""
    return [path for path in (root / "service" / package).iterdir() if path.suffix in (suffixes or (".py", ".pxd"))]


def compiler_in_a_hurry(folder: Path) -> str:
    """A compiler that optimises nothing, whatever it is told."""
    script = folder / "gcc"
    script.write_text(f'#!/bin/sh\nexec {need("gcc")} "$@" -O0\n')
    script.chmod(0o755)
    return str(script)


COMPILED = pytest.param(
    "compiled",
    marks=pytest.mark.skipif(KERNEL != "compiled" and not IN_CI, reason="there was no compiler to compile the kernel"),
)


@pytest.fixture(scope="module", params=[COMPILED, "interpreted"])
def wheel(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Wheel:
    """The wheel that a machine with a compiler builds, and the one that a machine without any does."""
    kernel: str = request.param
    source = copy_of_the_repository(tmp_path_factory.mktemp("source"))
    compiler = compiler_in_a_hurry(source.parent) if kernel == "compiled" else need("false")
    folder = tmp_path_factory.mktemp("unpacked")
    with zipfile.ZipFile(build(source, CC=compiler)) as archive:
        archive.extractall(folder)
        return Wheel(kernel, archive.namelist(), source, folder)


@pytest.mark.parametrize(
    "name",
    [
        *(str(path.relative_to(ROOT / "service")) for folder in COMPILED_PACKAGES for path in sources(ROOT, folder)),
        "openapi.yaml",
        "py.typed",
        *(f"book/data/{path.name}" for path in (ROOT / "service/book/data").iterdir()),
        *(f"picture/fonts/{path.name}" for path in FONTS.iterdir()),
        *(f"web/{path.name}" for path in (ROOT / "service/web").iterdir() if path.suffix in PARTS_OF_A_PAGE),
    ],
)
def test_the_wheel_holds_what_is_not_compiled(wheel: Wheel, name: str) -> None:
    assert f"service/{name}" in wheel.names
    assert (wheel.folder / "service" / name).read_bytes() == (wheel.source / "service" / name).read_bytes()


def test_the_wheel_holds_the_documentation(wheel: Wheel) -> None:
    guide = {name.removeprefix("service/guide/") for name in wheel.names if name.startswith("service/guide/")}
    pages = {str(page.relative_to(wheel.source / "docs")) for page in (wheel.source / "docs").rglob("*.md")}
    assert {name for name in guide if name.endswith(".html")} == {f"{page.removesuffix('.md')}.html" for page in pages}
    assert {"assets/extra.css", "assets/extra.js", "assets/icon.svg", "search/search_index.json"} <= guide
    assert not [name for name in guide if "/lunr/" in name or name.endswith((".map", ".xml", ".gz"))]


def test_the_wheel_holds_every_module_of_the_service(wheel: Wheel) -> None:
    modules = {str(path.relative_to(wheel.source)) for path in (wheel.source / "service").rglob("*.py")}
    assert {name for name in wheel.names if name.endswith(".py")} == modules


def test_the_wheel_holds_the_compiled_kernel_if_there_was_a_compiler(wheel: Wheel) -> None:
    extensions = {name for name in wheel.names if name.endswith((".so", ".pyd"))}
    typed = {path.with_suffix("") for folder in COMPILED_PACKAGES for path in sources(wheel.source, folder, ".pxd")}
    modules = {str(path.relative_to(wheel.source)) for path in typed} - {"service/kernel/bits"}
    assert {"service/kernel/search", "service/families/wild"} <= modules
    kernel = {f"{name}{sysconfig.get_config_var('EXT_SUFFIX')}" for name in modules | {"service/kernel/_cython"}}
    assert extensions == (kernel if wheel.kernel == "compiled" else set())


def test_the_wheel_holds_nothing_that_only_its_making_needed(wheel: Wheel) -> None:
    assert not [name for name in wheel.names if name.endswith((".c", ".h", ".o"))]
    assert not [name for name in wheel.names if name.endswith(".png") and not name.startswith("service/guide/")]
    assert {name.split("/")[0].split("-")[0] for name in wheel.names} == {"service", "move_oracle"}


def test_the_wheel_holds_every_licence(wheel: Wheel) -> None:
    (about,) = {name.split("/")[0] for name in wheel.names if ".dist-info/" in name}
    others = [*PACKAGED.glob("LICENSE-*"), *FONTS.glob("LICENSE-*")]
    licences = {"LICENSE", *(str(path.relative_to(ROOT)) for path in others)}
    assert len(licences) == 3
    assert {f"{about}/licenses/{licence}" for licence in licences} <= set(wheel.names)


def test_the_wheel_serves_where_it_is_unpacked_and_tells_its_kernel(
    wheel: Wheel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(support, "ROOT", wheel.folder)  # where the server starts, and so what it imports
    with Server(workers=1, BOOKS="") as server:
        answer = httpx.post(f"{server.url}/best-move", json={"board": "O.XX.X.OO"})
        assert (answer.status_code, answer.json()["move"]) == (200, 4)
        told = [httpx.get(f"{server.url}{route}").json()["kernel"] for route in ("/version", "/readyz")]
        assert told == [wheel.kernel] * 2
        assert_connect_four_is_solved(server.url)
        assert httpx.get(f"{server.url}/position.png").headers["content-type"] == "image/png"
        assert "<title>Move Oracle</title>" in httpx.get(f"{server.url}/guide/").text
        assert server.stop() == 0
    (ready,) = [line["message"] for line in server.log() if " is ready at " in line["message"]]
    assert ready.endswith(f"; kernel: {wheel.kernel}")
