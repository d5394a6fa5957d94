"""What many tests share: an application in this process, and a real server.

With the books of the package and without those that this environment may have: tests say what they know. And with
interrupts, which a shell takes from what it starts in the background: programs that are started here would not hear
them either.
"""

import os
import signal
from collections.abc import Iterator

import pytest

from service.book import paths
from service.settings import Settings
from tests.edge_client import EdgeClient
from tests.support import ROOT, Server

os.environ["BOOKS"] = str(paths.PACKAGED)
os.environ["XDG_CACHE_HOME"] = str(ROOT / ".pytest_cache" / "home")  # tables are made once for all tests
paths.HOME = ROOT / "no books"

if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


LONGEST = (
    "web/test_docs.py",
    "web/test_guide.py",
    "web/test_embed.py",
    "web/test_outages.py",
    "web/test_instant.py",
    "families/test_reference.py",
    "api/test_fuzz.py",
    "server/test_lifecycle.py",
    "docs/test_examples.py",
    "loadtests/test_proofs.py",
    "web/test_learn.py",
    "web/test_rules.py",
    "web/test_languages.py",
    "kernel/test_sanitized.py",
    "server/test_long_searches.py",
    "kernel/test_forced_wins.py",
    "api/test_families.py",
    "web/test_solver.py",
    "deploy/test_wheel.py",
    "web/test_offline.py",
    "web/test_families.py",
    "api/test_stream.py",
    "examples/test_check_proof.py",
    "api/test_rate_limit.py",
    "server/test_faults.py",
)
"""The files of tests that take longest: they come first, so that every core is busy to the end."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the longest files first and leave the others in their order."""
    places = {ROOT / "tests" / name: place for place, name in enumerate(LONGEST)}
    items.sort(key=lambda item: places.get(item.path, len(places)))


@pytest.fixture(scope="session")
def client() -> EdgeClient:
    return EdgeClient(Settings())


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """A gunicorn of two workers on a free port, for tests that leave it as they found it."""
    with Server() as running:
        yield running
