"""``deploy/compose.yaml`` is what the specification takes, and fits the image, the service and the other files."""

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft7Validator

from service.settings import Settings
from tests.deploy.deployed import DEPLOY, GRACEFUL_SECONDS, ROUTES, SETTINGS, most_megabytes, most_threads
from tests.deploy.image import said
from tests.support import need

DCLINT = "dclint@3.1.0"
"""The package that carries the JSON schema of the Compose specification."""

COMPOSE: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
ENVIRONMENT = {
    name: re.sub(r"\$\{\w+:-(.*)\}", r"\1", value) for name, value in SERVICES["oracle"]["environment"].items()
}
"""The environment of the service where the shell sets no variable."""

NGINX_CONF = (DEPLOY / "nginx.conf").read_text()
MEBIBYTE = {"m": 1, "g": 1024}

each_service = pytest.mark.parametrize("name", SERVICES)


def megabytes(size: str) -> int:
    return int(size[:-1]) * MEBIBYTE[size[-1]]


def seconds(duration: str) -> int:
    return int(duration.removesuffix("s"))


@pytest.fixture(scope="module")
def schema(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The JSON schema of the Compose specification."""
    folder = tmp_path_factory.mktemp("compose")
    install = [need("npm"), "install", "--silent", "--no-save", "--prefix", str(folder), DCLINT]
    subprocess.run(install, check=True, timeout=120)
    found: dict[str, Any] = json.loads((folder / "node_modules/dclint/schemas/compose.schema.json").read_text())
    return found


@pytest.mark.verify
def test_the_file_is_what_the_specification_takes(schema: dict[str, Any]) -> None:
    Draft7Validator.check_schema(schema)
    faults = [f"{error.json_path}: {error.message}" for error in Draft7Validator(schema).iter_errors(COMPOSE)]
    assert faults == []


@each_service
def test_no_container_can_write_to_its_disk_or_gain_rights(name: str) -> None:
    service = SERVICES[name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert "cap_add" not in service
    assert "privileged" not in service


@each_service
def test_every_container_has_a_health_check(name: str) -> None:
    if "build" in SERVICES[name]:
        assert said("HEALTHCHECK")
    else:
        assert {"test", "interval", "timeout", "retries"} <= set(SERVICES[name]["healthcheck"])


@each_service
def test_every_image_that_is_not_built_here_is_pinned_to_a_whole_version(name: str) -> None:
    if "build" not in SERVICES[name]:
        assert re.search(r":v?\d+\.\d+\.\d+(-[a-z]+)?$", SERVICES[name]["image"])


@each_service
def test_every_file_that_is_mounted_is_here_and_cannot_be_written(name: str) -> None:
    for volume in SERVICES[name].get("volumes", []):
        source, _, mode = volume.split(":") if volume.count(":") == 2 else (*volume.split(":"), "")
        if source.startswith("."):
            assert (DEPLOY / source).exists(), source
            assert mode == "ro"
        else:
            assert source in COMPOSE["volumes"]


@each_service
def test_every_network_and_every_service_that_is_named_is_declared(name: str) -> None:
    assert set(SERVICES[name]["networks"]) <= set(COMPOSE["networks"])
    assert set(SERVICES[name].get("depends_on", {})) <= set(SERVICES)


def test_only_nginx_is_open_to_other_machines() -> None:
    published = {name: service["ports"] for name, service in SERVICES.items() if "ports" in service}
    assert published.pop("nginx") == ["8080:8080"]
    assert all(port.startswith("127.0.0.1:") for ports in published.values() for port in ports)
    assert "listen 8080 " in NGINX_CONF


def test_the_cache_can_be_reached_by_the_service_alone() -> None:
    assert [name for name, service in SERVICES.items() if "cache" in service["networks"]] == ["oracle", "valkey"]
    assert COMPOSE["networks"]["cache"] == {"internal": True}
    assert ENVIRONMENT["CACHE_URL"] == "redis://valkey:6379"


def test_the_cache_keeps_nothing_on_a_disk_and_forgets_the_least_used() -> None:
    options = dict(zip(SERVICES["valkey"]["command"][1::2], SERVICES["valkey"]["command"][2::2], strict=True))
    assert options["--save"] == ""
    assert options["--appendonly"] == "no"
    assert options["--maxmemory-policy"] == "allkeys-lru"
    assert megabytes(options["--maxmemory"].removesuffix("b")) < megabytes(SERVICES["valkey"]["mem_limit"])


def test_nginx_asks_the_service_at_its_port_and_finds_the_folder_it_writes() -> None:
    assert f"server oracle:{Settings().port} " in NGINX_CONF
    assert [mount.split(":")[0] for mount in SERVICES["nginx"]["tmpfs"]] == ["/tmp"]
    written = re.findall(r"^ *(?:pid|proxy_cache_path|\w+_temp_path) (\S+?);?(?: .*)?$", NGINX_CONF, re.MULTILINE)
    assert len(written) == 7
    assert all(Path(path).parent == Path("/tmp") for path in written)
    (kept,) = re.findall(r"max_size=(\d+)m", NGINX_CONF)
    (room,) = re.findall(r"size=(\d+)m", SERVICES["nginx"]["tmpfs"][0])
    assert int(kept) < int(room) < megabytes(SERVICES["nginx"]["mem_limit"])


def test_every_variable_of_the_service_is_one_of_its_settings_and_can_be_used() -> None:
    assert set(ENVIRONMENT) <= SETTINGS
    Settings.from_environment(ENVIRONMENT)


def test_the_service_knows_the_address_at_which_nginx_is_reached() -> None:
    (port,) = SERVICES["nginx"]["ports"]
    assert ENVIRONMENT["PUBLIC_URL"] == f"http://localhost:{port.partition(':')[0]}"


def test_a_container_has_time_enough_to_stop() -> None:
    settings = Settings.from_environment(ENVIRONMENT)
    assert settings.graceful_timeout == GRACEFUL_SECONDS
    assert seconds(SERVICES["oracle"]["stop_grace_period"]) > settings.graceful_timeout
    (shutdown,) = re.findall(r"^worker_shutdown_timeout (\d+)s;", NGINX_CONF, re.MULTILINE)
    assert seconds(SERVICES["nginx"]["stop_grace_period"]) > int(shutdown) > settings.max_time_ms / 1000


def test_the_memory_of_the_service_holds_its_table_and_its_workers() -> None:
    settings = Settings.from_environment(ENVIRONMENT)
    shared_memory = megabytes(SERVICES["oracle"]["shm_size"])
    assert megabytes(SERVICES["oracle"]["mem_limit"]) >= most_megabytes(settings, shared_memory)
    assert settings.workers == settings.max_searches == SERVICES["oracle"]["cpus"]


def test_no_thread_is_refused_and_the_comment_shows_how_many_there_can_be() -> None:
    most = most_threads(Settings.from_environment(ENVIRONMENT))
    assert SERVICES["oracle"]["pids_limit"] > most
    assert f"the health check: {most} in all." in (DEPLOY / "compose.yaml").read_text()


def test_the_tables_of_families_fit_where_the_workers_share_them() -> None:
    settings = Settings.from_environment(ENVIRONMENT)
    assert settings.tablebases.startswith("/dev/shm/")
    largest = 13 * settings.max_positions / 1_000_000  # megabytes of its file
    assert settings.tablebases_mb + largest < 64


def test_the_service_trusts_the_one_proxy_in_front_of_it() -> None:
    assert ENVIRONMENT["TRUSTED_PROXIES"] == "1"
    assert "ports" not in SERVICES["oracle"]
    assert "proxy_set_header X-Forwarded-For $remote_addr;" in NGINX_CONF


def test_health_is_asked_of_a_route_that_there_is() -> None:
    (url,) = [word for word in SERVICES["nginx"]["healthcheck"]["test"] if word.startswith("http")]
    assert url.removeprefix("http://127.0.0.1:8080") in ROUTES
