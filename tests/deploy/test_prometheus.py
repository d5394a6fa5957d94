"""Alerts, dashboard and scrape configuration: right in themselves, and about metrics that there are."""

import json
import re
import subprocess
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
import yaml

from service.metrics import BUCKETS
from service.settings import Settings
from tests.deploy.deployed import DEPLOY, exported_metrics
from tests.programs import run
from tests.support import HUNG_SECONDS, Server, free_port, need, wait_until

pytestmark = pytest.mark.verify

FOLDER = DEPLOY / "prometheus"
CONFIG: dict[str, Any] = yaml.safe_load((FOLDER / "prometheus.yml").read_text())
RULES: list[dict[str, Any]] = [
    rule for group in yaml.safe_load((FOLDER / "alerts.yml").read_text())["groups"] for rule in group["rules"]
]
CASES: list[dict[str, Any]] = [
    case
    for test in yaml.safe_load((FOLDER / "alerts.test.yml").read_text())["tests"]
    for case in test["alert_rule_test"]
]
DASHBOARD: dict[str, Any] = json.loads((DEPLOY / "grafana/dashboards/move-oracle.json").read_text())
PANELS: list[dict[str, Any]] = DASHBOARD["panels"]
SOURCE = yaml.safe_load((DEPLOY / "grafana/provisioning/datasources/prometheus.yml").read_text())["datasources"][0]
PROVIDER = yaml.safe_load((DEPLOY / "grafana/provisioning/dashboards/files.yml").read_text())["providers"][0]

SERVICES = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]
QUERIES = [target["expr"].replace("$__rate_interval", "1m") for panel in PANELS for target in panel["targets"]]


def test_promtool_finds_no_fault() -> None:
    for arguments in ("check config prometheus.yml", "check rules alerts.yml", "test rules alerts.test.yml"):
        done = run(need("promtool"), *arguments.split(), cwd=FOLDER)
        assert done.returncode == 0, done.stdout + done.stderr


def test_every_alert_is_proven_to_fire_and_to_stay_silent() -> None:
    for alert in {rule["alert"] for rule in RULES}:
        assert {bool(case.get("exp_alerts")) for case in CASES if case["alertname"] == alert} == {True, False}, alert


def test_alerts_and_dashboard_are_about_metrics_that_the_service_exports_the_dashboard_about_all() -> None:
    alerts = "".join((FOLDER / name).read_text() for name in ("alerts.yml", "alerts.test.yml"))
    alerted, shown = ({*re.findall(r"\bmove_oracle_\w+", text)} for text in (alerts, " ".join(QUERIES)))
    exported = exported_metrics()
    assert len(alerted) >= 5
    assert alerted | shown <= exported
    left = {name for name in exported - shown if name.startswith("move_") and not name.endswith("_created")}
    assert left == {"move_oracle_request_seconds_sum"}
    bounds = re.findall(r"> (0\.\d+)$", "\n".join(rule["expr"] for rule in RULES), re.MULTILINE)
    assert bounds
    assert {float(bound) for bound in bounds} <= set(BUCKETS)  # else the histogram could not tell


def test_dashboard_and_source_are_where_compose_puts_them_and_prometheus_asks_the_service() -> None:
    grafana = SERVICES["grafana"]
    mounted = {volume.split(":")[1]: volume.split(":")[0] for volume in grafana["volumes"]}
    dashboards = PROVIDER["options"]["path"]
    assert (DEPLOY / mounted[dashboards] / "move-oracle.json").exists()
    assert (DEPLOY / mounted["/etc/grafana/provisioning"] / "datasources").is_dir()
    home = grafana["environment"]["GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH"]
    assert (home, SOURCE["url"]) == (f"{dashboards}/move-oracle.json", "http://prometheus:9090")
    (job,) = CONFIG["scrape_configs"]
    (names,) = job["dns_sd_configs"]
    assert set(names["names"]) <= set(SERVICES)
    assert (names["port"], job.get("metrics_path", "/metrics")) == (Settings().port, "/metrics")


@pytest.fixture(scope="module")
def prometheus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """A Prometheus that has scraped a real server a few times, with the files as they stand but for addresses."""
    folder, port = tmp_path_factory.mktemp("prometheus"), free_port()
    often = {"scrape_interval": "200ms", "evaluation_interval": "200ms", "scrape_timeout": "200ms"}
    with Server(CACHE_URL="redis://127.0.0.1:1") as server:  # away, which is counted too
        (folder / "alerts.yml").symlink_to(FOLDER / "alerts.yml")
        job = {**CONFIG["scrape_configs"][0], "static_configs": [{"targets": [f"127.0.0.1:{server.port}"]}]}
        del job["dns_sd_configs"]
        changed = {**CONFIG, "global": {**CONFIG["global"], **often}, "scrape_configs": [job]}
        (folder / "prometheus.yml").write_text(yaml.safe_dump(changed))
        places = (f"--config.file={folder}/prometheus.yml", f"--storage.tsdb.path={folder}/data")
        command = [need("prometheus"), *places, f"--web.listen-address=127.0.0.1:{port}"]
        process = subprocess.Popen(["setpriv", "--pdeathsig", "TERM", *command])  # pytest shows what it writes
        try:
            with httpx.Client(base_url=f"http://127.0.0.1:{port}/api/v1") as client:
                for board in ("X...O....", "X...O....", "XX.OO....", "XXXX....."):
                    httpx.post(f"{server.url}/best-move", json={"board": board})
                httpx.post(f"{server.url}/best-move", json={"game": "tic-tac-toe-4x4", "moves": []})
                wait_until(lambda: query(client, "count_over_time(up[1m]) >= 3"))
                yield client
        finally:
            process.terminate()
            process.wait(HUNG_SECONDS)


def query(client: httpx.Client, expression: str) -> list[Any]:
    """The samples that an expression finds, none while Prometheus starts; fails if it cannot read it."""
    try:
        reply = client.get("/query", params={"query": expression})
    except httpx.TransportError:
        return []
    if reply.status_code == 503:
        return []
    assert reply.status_code == 200, reply.text
    found: list[Any] = reply.json()["data"]["result"]
    return found


def test_prometheus_scrapes_a_real_service_every_panel_of_the_dashboard_shows_something_and_no_alert_fires(
    prometheus: httpx.Client,
) -> None:
    (answered,) = query(prometheus, 'sum(move_oracle_answers_total{game="tic-tac-toe"})')
    assert answered["value"][1] == "3"
    assert [expression for expression in QUERIES if not query(prometheus, expression)] == []
    groups = prometheus.get("/rules").json()["data"]["groups"]
    rules = {rule["name"]: rule for group in groups for rule in group["rules"]}
    assert set(rules) == {rule["alert"] for rule in RULES}
    assert {name: rule["health"] for name, rule in rules.items() if rule["health"] not in ("ok", "unknown")} == {}
    assert {name for name, rule in rules.items() if rule["state"] == "firing"} == set()
