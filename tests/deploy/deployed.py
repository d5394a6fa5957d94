"""What the files of ``deploy/`` may name of the service: its settings, its metrics, its routes."""

import re
from dataclasses import fields

from service.app import create_app
from service.settings import Settings
from tests.contract import CONTRACT
from tests.support import ROOT

DEPLOY = ROOT / "deploy"

SETTINGS = {setting.metadata["variable"] for setting in fields(Settings)}

ROUTES = set(CONTRACT["paths"])

GRACEFUL_SECONDS = Settings().graceful_timeout


def exported_metrics() -> set[str]:
    """The name of every sample that the service exports, those of histograms included."""
    text = create_app(Settings()).test_client().get("/metrics").get_data(as_text=True)
    names = set[str]()
    for name, kind in re.findall(r"^# TYPE (\S+) (\S+)$", text, re.MULTILINE):
        names |= {f"{name}_{end}" for end in ("bucket", "count", "sum")} if kind == "histogram" else {name}
    return names


def named_metrics(text: str) -> set[str]:
    """Every name in a text that is one of a metric of the service."""
    return set(re.findall(r"\bmove_oracle_\w+", text))
