"""``deploy/compose.yaml`` is what the specification takes, and fits the image, the service and the other files."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft7Validator

from service.settings import Settings
from tests.deploy.deployed import DEPLOY, ROUTES, most_threads, settings_that_fit
from tests.deploy.image import said
from tests.programs import run
from tests.support import need

DCLINT = "dclint@3.1.0"
"""The package that carries the JSON schema of the Compose specification."""

COMPOSE: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
ORACLE, NGINX, VALKEY = (SERVICES[name] for name in ("oracle", "nginx", "valkey"))
ENVIRONMENT = {name: re.sub(r"\$\{\w+:-(.*)\}", r"\1", value) for name, value in ORACLE["environment"].items()}
"""The environment of the service where the shell sets no variable."""

NGINX_CONF = (DEPLOY / "nginx.conf").read_text()
MEBIBYTE = {"m": 1, "g": 1024}


def megabytes(size: str) -> int:
    return int(size[:-1]) * MEBIBYTE[size[-1]]


def seconds(duration: str) -> int:
    return int(duration.removesuffix("s"))


@pytest.fixture(scope="module")
def settings() -> Settings:
    """The settings of the service, which fit its container."""
    memory, shared_memory = (megabytes(ORACLE[name]) for name in ("mem_limit", "shm_size"))
    return settings_that_fit(ENVIRONMENT, memory=memory, shared_memory=shared_memory, cores=ORACLE["cpus"])


@pytest.mark.verify
def test_the_file_is_what_the_specification_takes(tmp_path: Path) -> None:
    installed = run(need("npm"), "install", "--silent", "--no-save", "--prefix", tmp_path, DCLINT)
    assert installed.returncode == 0, installed.stderr
    schema = json.loads((tmp_path / "node_modules/dclint/schemas/compose.schema.json").read_text())
    Draft7Validator.check_schema(schema)
    faults = [f"{error.json_path}: {error.message}" for error in Draft7Validator(schema).iter_errors(COMPOSE)]
    assert faults == []


@pytest.mark.parametrize("name", SERVICES)
def test_a_container_has_no_rights_that_it_does_not_need_and_names_nothing_that_is_not_there(name: str) -> None:
    service = SERVICES[name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert not {"cap_add", "privileged"} & service.keys()
    assert service["networks"]
    assert set(service["networks"]) <= set(COMPOSE["networks"])
    assert set(service.get("depends_on", {})) <= set(SERVICES)
    for volume in service.get("volumes", []):
        source, _, mode = volume.split(":") if volume.count(":") == 2 else (*volume.split(":"), "")
        assert source in COMPOSE["volumes"] or ((DEPLOY / source).exists() and mode == "ro"), source


def test_what_is_not_built_here_is_pinned_to_a_whole_version_and_every_container_has_a_health_check() -> None:
    assert [name for name, service in SERVICES.items() if "build" in service] == ["oracle"]
    assert said("HEALTHCHECK")
    for service in (service for service in SERVICES.values() if "build" not in service):
        assert re.search(r":v?\d+\.\d+\.\d+(-[a-z]+)?$", service["image"])
        assert {"test", "interval", "timeout", "retries"} <= set(service["healthcheck"])
    (url,) = [word for word in NGINX["healthcheck"]["test"] if word.startswith("http")]
    assert url.removeprefix("http://127.0.0.1:8080") in ROUTES


def test_only_nginx_is_open_to_other_machines_and_trusted_by_the_service() -> None:
    published = {name: service["ports"] for name, service in SERVICES.items() if "ports" in service}
    assert published.pop("nginx") == ["8080:8080"]
    assert all(port.startswith("127.0.0.1:") for ports in published.values() for port in ports)
    assert "oracle" not in published
    assert "listen 8080 " in NGINX_CONF
    assert (ENVIRONMENT["PUBLIC_URL"], ENVIRONMENT["TRUSTED_PROXIES"]) == ("http://localhost:8080", "1")
    assert "proxy_set_header X-Forwarded-For $remote_addr;" in NGINX_CONF
    assert f"server oracle:{Settings().port} " in NGINX_CONF


def test_the_cache_can_be_reached_by_the_service_alone_keeps_nothing_on_a_disk_and_forgets_the_least_used() -> None:
    assert [name for name, service in SERVICES.items() if "cache" in service["networks"]] == ["oracle", "valkey"]
    assert COMPOSE["networks"]["cache"] == {"internal": True}
    assert ENVIRONMENT["CACHE_URL"] == "redis://valkey:6379"
    options = dict(zip(VALKEY["command"][1::2], VALKEY["command"][2::2], strict=True))
    assert (options["--save"], options["--appendonly"], options["--maxmemory-policy"]) == ("", "no", "allkeys-lru")
    assert megabytes(options["--maxmemory"].removesuffix("b")) < megabytes(VALKEY["mem_limit"])


def test_nginx_finds_the_folder_it_writes_and_room_for_what_it_keeps() -> None:
    assert [mount.split(":")[0] for mount in NGINX["tmpfs"]] == ["/tmp"]
    written = re.findall(r"^ *(?:pid|proxy_cache_path|\w+_temp_path) (\S+?);?(?: .*)?$", NGINX_CONF, re.MULTILINE)
    assert len(written) == 7
    assert all(Path(path).parent == Path("/tmp") for path in written)
    (kept,) = re.findall(r"max_size=(\d+)m", NGINX_CONF)
    (room,) = re.findall(r"size=(\d+)m", NGINX["tmpfs"][0])
    assert int(kept) < int(room) < megabytes(NGINX["mem_limit"])


def test_a_container_has_time_enough_to_stop(settings: Settings) -> None:
    assert settings.graceful_timeout == Settings().graceful_timeout
    assert seconds(ORACLE["stop_grace_period"]) > settings.graceful_timeout
    (shutdown,) = re.findall(r"^worker_shutdown_timeout (\d+)s;", NGINX_CONF, re.MULTILINE)
    assert seconds(NGINX["stop_grace_period"]) > int(shutdown) > settings.max_time_ms / 1000


def test_no_thread_is_refused_and_the_comment_shows_how_many_there_can_be(settings: Settings) -> None:
    assert ORACLE["pids_limit"] > most_threads(settings)
    assert f"the health check: {most_threads(settings)} in all." in (DEPLOY / "compose.yaml").read_text()
