"""``deploy/compose.yaml`` is what the specification takes, and fits the image, the service and the other files."""

import json
import re
from typing import Any

import pytest
import yaml
from jsonschema_rs import Draft7Validator

from service.settings import Settings
from tests.deploy.deployed import DEPLOY, most_threads, settings_that_fit
from tests.typescript import installed

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


@pytest.mark.verify
def test_the_file_is_what_the_specification_takes() -> None:
    schema = json.loads((installed(DCLINT) / "dclint/schemas/compose.schema.json").read_text())
    assert [f"{error.instance_path}: {error.message}" for error in Draft7Validator(schema).iter_errors(COMPOSE)] == []


@pytest.mark.parametrize("name", SERVICES)
def test_a_container_has_no_rights_that_it_does_not_need_and_names_nothing_that_is_not_there(name: str) -> None:
    service = SERVICES[name]
    rights = {"read_only": True, "cap_drop": ["ALL"], "security_opt": ["no-new-privileges:true"]}
    assert rights.items() <= service.items()
    assert not {"cap_add", "privileged"} & service.keys()
    assert set() < set(service["networks"]) <= set(COMPOSE["networks"])
    assert set(service.get("depends_on", {})) <= set(SERVICES)
    for volume in service.get("volumes", []):
        source, _, mode = volume.split(":") if volume.count(":") == 2 else (*volume.split(":"), "")
        assert source in COMPOSE["volumes"] or ((DEPLOY / source).exists() and mode == "ro"), source
    if name != "oracle":  # what is not built here
        assert re.search(r":v?\d+\.\d+\.\d+(-[a-z]+)?$", service["image"])
        assert {"test", "interval", "timeout", "retries"} <= set(service["healthcheck"])


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


def test_nginx_has_room_for_what_it_keeps() -> None:
    (kept,) = re.findall(r"max_size=(\d+)m", NGINX_CONF)
    (room,) = re.findall(r"^/tmp:.*size=(\d+)m", NGINX["tmpfs"][0])
    assert int(kept) < int(room) < megabytes(NGINX["mem_limit"])


def test_the_service_has_threads_enough_and_each_container_time_to_stop() -> None:
    memory, shared_memory = (megabytes(ORACLE[name]) for name in ("mem_limit", "shm_size"))
    settings = settings_that_fit(ENVIRONMENT, memory=memory, shared_memory=shared_memory, cores=ORACLE["cpus"])
    assert settings.graceful_timeout == Settings().graceful_timeout
    assert seconds(ORACLE["stop_grace_period"]) > settings.graceful_timeout
    (shutdown,) = re.findall(r"^worker_shutdown_timeout (\d+)s;", NGINX_CONF, re.MULTILINE)
    assert seconds(NGINX["stop_grace_period"]) > int(shutdown) > settings.max_time_ms / 1000
    assert ORACLE["pids_limit"] > most_threads(settings)
