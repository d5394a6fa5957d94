"""The Dockerfile says what it should, and the image that it builds works as promised.

The second half takes a minute and has to be root, so it runs only where ``IMAGE_PROOF=1``.
"""

import json
import os
import re
import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from service.settings import Settings
from tests.deploy.container import Container, Image
from tests.deploy.image import DOCKERFILE, FINAL, STAGES, build, context_files, said
from tests.deploy.solved import assert_connect_four_is_solved
from tests.support import IN_CI, ROOT, free_port, need

FIRST_CURL = b'{"board":["O",1,"X","X",4,"X",6,"O","O"]}'

LACKING_BYTECODE = """
import os, sys
import gunicorn.app.wsgiapp, http.client
import service.asgi, service.edge.rate_limit, service.gunicorn_conf, service.mcp.server, service.redis_cache
cached = {name: getattr(module, "__cached__", None) for name, module in sys.modules.items()}
print([name for name, path in cached.items() if path and not os.path.exists(path)])
"""
"""Python that prints which modules of a start, or of a health check, would have to be compiled."""

ENGINE_STOP_SECONDS = 10
"""How long an engine waits, unless told otherwise, before it kills what it has asked to stop."""


def test_all_stages_have_the_same_base_pinned_by_version() -> None:
    bases = {DOCKERFILE[index].arguments.split()[0] for index in STAGES}
    assert len(STAGES) == 3
    assert len(bases) == 1
    assert re.fullmatch(r"python:\d+\.\d+\.\d+-slim-[a-z]+", bases.pop())


def test_threads_do_not_each_keep_the_memory_that_they_freed() -> None:
    set_to = [word for each in FINAL if each.keyword == "ENV" for word in each.arguments.split()]
    assert {"MALLOC_ARENA_MAX=2", "MALLOC_MMAP_THRESHOLD_=131072"} <= {*set_to}


def test_the_final_stage_installs_nothing_and_takes_only_the_virtual_environment() -> None:
    assert said("COPY") == "--from=builder /opt/venv /opt/venv"
    assert not re.search(r"\b(apt|apt-get|pip|gcc|cc|make)\b", said("RUN"))


def test_the_service_does_not_run_as_root() -> None:
    assert said("USER") == "10001:10001"


def test_signals_reach_the_server() -> None:
    assert said("STOPSIGNAL") == "SIGTERM"
    assert json.loads(said("CMD"))[0] == "gunicorn"


def test_the_exposed_port_is_the_default_of_the_service() -> None:
    assert said("EXPOSE") == str(Settings().port)
    assert [True for instruction in FINAL if f"PORT={said('EXPOSE')}" in instruction.arguments.split()]


def test_there_is_a_health_check_that_gives_up_in_time() -> None:
    assert re.search(r"--timeout=[1-5]s .*CMD \[.*/healthz.*\]", said("HEALTHCHECK"))


def test_only_what_the_image_is_built_from_is_sent_to_the_engine() -> None:
    sent = context_files(ROOT)
    tops = {path.split("/")[0] for path in sent if not path.endswith(".md")}
    assert tops == {
        "LICENSE",
        "docs",
        "mkdocs.yml",
        "openapi.yaml",
        "pyproject.toml",
        "requirements-docs.lock",
        "requirements.lock",
        "service",
        "setup.py",
    }
    assert not [path for path in sent if "__pycache__" in path or path.startswith("service/guide/")]


@pytest.fixture(scope="module")
def image() -> Iterator[Image]:
    """The image, built as the Dockerfile says."""
    if os.environ.get("IMAGE_PROOF") != "1":
        pytest.skip("IMAGE_PROOF=1 builds the image and starts it; it takes a minute and has to be root")
    need("debootstrap")
    if os.geteuid() != 0:
        (pytest.fail if IN_CI else pytest.skip)("an image without an engine has to be built by root")
    with tempfile.TemporaryDirectory() as directory:
        yield build(ROOT, Path(directory))


@pytest.fixture(scope="module")
def container(image: Image) -> Iterator[Container]:
    """The image, running; for tests that leave it as they found it."""
    with Container(image) as running:
        yield running


def test_the_container_answers_the_first_question(container: Container) -> None:
    response = httpx.post(f"{container.url}/best-move", content=FIRST_CURL)
    assert (response.status_code, response.json()["move"], response.json()["outcome"]) == (200, 4, "win")


def test_the_container_holds_the_documentation(container: Container) -> None:
    page = httpx.get(f"{container.url}/guide/")
    assert (page.status_code, "<title>Move Oracle</title>" in page.text) == (200, True)


def test_the_container_has_connect_four_solved(container: Container) -> None:
    assert_connect_four_is_solved(container.url)


def test_the_container_listens_at_every_address(container: Container) -> None:
    assert httpx.get(f"http://127.0.0.2:{container.port}/healthz").json()["status"] == "ok"


def test_the_container_counts_its_requests(container: Container) -> None:
    assert "move_oracle_request_seconds_count" in httpx.get(f"{container.url}/metrics").text


def test_the_container_holds_the_contract_of_the_repository(container: Container) -> None:
    assert httpx.get(f"{container.url}/openapi.yaml").content == (ROOT / "openapi.yaml").read_bytes()


def test_every_process_of_the_container_belongs_to_the_user(container: Container) -> None:
    owners = "import os, glob; print({os.stat(p)[4:6] for p in glob.glob('/proc/[0-9]*')})"
    assert container.execute(["python", "-c", owners]).stdout.strip() == "{(10001, 10001)}"


@pytest.mark.parametrize("directory", ["/", "/tmp", "/var/tmp", "/run", "/dev", "/opt/venv"])
def test_the_container_cannot_write(container: Container, directory: str) -> None:
    assert "cannot touch" in container.execute(["touch", f"{directory}/x"]).stderr


def test_the_health_check_succeeds(container: Container) -> None:
    assert container.check_health() == 0


def test_the_health_check_needs_no_proxy(container: Container) -> None:
    assert container.check_health(http_proxy=f"http://127.0.0.1:{free_port()}") == 0


def test_the_health_check_fails_when_no_server_listens(container: Container) -> None:
    assert container.check_health(PORT=str(free_port())) == 1


def test_the_health_check_fails_in_time_when_no_answer_comes(container: Container) -> None:
    with socket.create_server(("127.0.0.1", 0)) as mute:
        assert container.check_health(PORT=str(mute.getsockname()[1])) == 1


@pytest.mark.parametrize("program", ["gcc", "cc", "c++", "clang", "tcc", "make", "ld"])
def test_the_image_has_no_compiler(image: Image, program: str) -> None:
    assert image.find("python")
    assert image.find(program) is None


def test_the_image_holds_nothing_that_only_the_build_needed(image: Image) -> None:
    packages = {path.name for path in image.path("/opt/venv").glob("lib/python3*/site-packages/*")}
    assert "service" in packages
    assert not packages & {"mkdocs", "pip", "setuptools", "wheel"}
    assert not image.path("/src").exists()
    assert not image.path("/root/.cache").exists()


def test_a_start_finds_everything_compiled(container: Container) -> None:
    found = container.execute(["python", "-c", LACKING_BYTECODE])
    assert found.stdout == "[]\n", found.stderr


def test_an_idle_client_does_not_keep_the_container_from_stopping(image: Image) -> None:
    with Container(image) as container, httpx.Client() as idle:
        idle.get(f"{container.url}/healthz")
        container.ask_to_stop()
        assert container.wait(ENGINE_STOP_SECONDS) == 0


def test_a_request_that_has_begun_is_answered_before_the_container_stops(image: Image) -> None:
    with Container(image) as container, socket.create_connection(("127.0.0.1", container.port), timeout=10) as client:
        client.sendall(b"POST /best-move HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % len(FIRST_CURL))
        container.ask_to_stop()
        client.sendall(FIRST_CURL)
        assert client.recv(1024).startswith(b"HTTP/1.1 200 ")
        assert container.wait(ENGINE_STOP_SECONDS) == 0
