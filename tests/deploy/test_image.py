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
from tests.deploy.deployed import assert_connect_four_is_solved
from tests.deploy.image import DOCKERFILE, FINAL, STAGES, build, context_files, said
from tests.support import IN_CI, ROOT, free_port, need

FIRST_CURL = b'{"board":["O",1,"X","X",4,"X",6,"O","O"]}'

LACKING_BYTECODE = """
import os, sys
import gunicorn.app.wsgiapp, http.client
import service.asgi, service.edge.admission.rate_limit, service.gunicorn_conf, service.mcp.server, service.redis_cache
cached = {name: getattr(module, "__cached__", None) for name, module in sys.modules.items()}
print([name for name, path in cached.items() if path and not os.path.exists(path)])
"""
"""Python that prints which modules of a start, or of a health check, would have to be compiled."""


def test_all_stages_have_the_same_base_pinned_by_version() -> None:
    (base,) = {DOCKERFILE[index].arguments.split()[0] for index in STAGES}
    assert len(STAGES) == 3
    assert re.fullmatch(r"python:\d+\.\d+\.\d+-slim-[a-z]+", base)


def test_the_final_stage_takes_only_the_virtual_environment_and_runs_the_server_without_rights() -> None:
    assert said("COPY") == "--from=builder /opt/venv /opt/venv"
    assert not re.search(r"\b(apt|apt-get|pip|gcc|cc|make)\b", said("RUN"))
    assert said("USER") == "10001:10001"
    assert (said("STOPSIGNAL"), json.loads(said("CMD"))[0]) == ("SIGTERM", "gunicorn")
    assert re.search(r"--timeout=[1-5]s .*CMD \[.*/healthz.*\]", said("HEALTHCHECK"))
    variables = {word for each in FINAL if each.keyword == "ENV" for word in each.arguments.split()}
    assert said("EXPOSE") == str(Settings().port)
    # Threads shall not each keep the memory that they freed.
    assert {f"PORT={said('EXPOSE')}", "MALLOC_ARENA_MAX=2", "MALLOC_MMAP_THRESHOLD_=131072"} <= variables


def test_only_what_the_image_is_built_from_is_sent_to_the_engine() -> None:
    sent = context_files(ROOT)
    tops = {path.split("/")[0] for path in sent if not path.endswith(".md")}
    assert tops == {
        "LICENSE",
        "docs",
        "mkdocs.yml",
        "move_oracle",
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


def test_the_container_serves_all_that_the_service_has_at_every_address(container: Container) -> None:
    response = httpx.post(f"{container.url}/best-move", content=FIRST_CURL)
    assert (response.status_code, response.json()["move"], response.json()["outcome"]) == (200, 4, "win")
    assert_connect_four_is_solved(container.url)
    assert "<title>Move Oracle</title>" in httpx.get(f"{container.url}/guide/").text
    assert httpx.get(f"{container.url}/openapi.yaml").content == (ROOT / "openapi.yaml").read_bytes()
    assert "move_oracle_request_seconds_count" in httpx.get(f"{container.url}/metrics").text
    assert httpx.get(f"http://127.0.0.2:{container.port}/healthz").json()["status"] == "ok"


def test_every_process_of_the_container_belongs_to_the_user_and_nothing_was_left_to_compile(
    container: Container,
) -> None:
    owners = "import os, glob; print({os.stat(p)[4:6] for p in glob.glob('/proc/[0-9]*')})"
    assert container.execute(["python", "-c", owners]).stdout.strip() == "{(10001, 10001)}"
    found = container.execute(["python", "-c", LACKING_BYTECODE])
    assert found.stdout == "[]\n", found.stderr


def test_the_container_cannot_write(container: Container) -> None:
    for directory in ("/", "/tmp", "/var/tmp", "/run", "/dev", "/opt/venv"):
        assert "cannot touch" in container.execute(["touch", f"{directory}/x"]).stderr, directory


def test_the_health_check_asks_the_server_without_a_proxy_and_fails_in_time(container: Container) -> None:
    assert container.check_health() == 0
    assert container.check_health(http_proxy=f"http://127.0.0.1:{free_port()}") == 0
    assert container.check_health(PORT=str(free_port())) == 1
    with socket.create_server(("127.0.0.1", 0)) as mute:
        assert container.check_health(PORT=str(mute.getsockname()[1])) == 1


def test_the_image_has_no_compiler_and_nothing_that_only_the_build_needed(image: Image) -> None:
    assert image.find("python")
    assert not [name for name in ("gcc", "cc", "c++", "clang", "tcc", "make", "ld") if image.find(name)]
    packages = {path.name for path in image.path("/opt/venv").glob("lib/python3*/site-packages/*")}
    assert {"move_oracle", "service"} <= packages
    assert not packages & {"mkdocs", "pip", "setuptools", "wheel"}
    assert not image.path("/src").exists()


def test_a_container_stops_in_time_though_a_client_is_idle_and_answers_a_request_that_has_begun(image: Image) -> None:
    with Container(image) as container, httpx.Client() as idle:
        idle.get(f"{container.url}/healthz")
        with socket.create_connection(("127.0.0.1", container.port), timeout=10) as client:
            client.sendall(b"POST /best-move HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % len(FIRST_CURL))
            assert container.stop(first=lambda: client.sendall(FIRST_CURL)) == 0
            assert client.recv(1024).startswith(b"HTTP/1.1 200 ")
