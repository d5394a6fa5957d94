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
    "kernel/test_sanitized.py",
    "api/test_fuzz.py",
    "server/test_faults.py",
    "docs/test_examples.py",
    "server/test_lifecycle.py",
    "deploy/test_wheel.py",
    "api/test_stream.py",
    "kernel/test_forced_wins.py",
    "server/test_long_searches.py",
    "cli/test_families.py",
    "families/test_search.py",
    "deploy/test_nginx.py",
    "api/test_families.py",
    "api/test_rate_limit.py",
    "api/test_fuzz_bytes.py",
    "cli/test_requests.py",
    "api/test_generated_clients.py",
    "deploy/test_fleet.py",
)
"""The files of tests that take the most processor time: they come first, so that every core is busy to the end."""


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
