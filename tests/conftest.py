"""What many tests share: an application in this process, and a real server.

With the books of the package and without those that this environment may have: tests say what they know. And with
interrupts, which a shell takes from what it starts in the background: programs that are started here would not hear
them either.
"""

import os
import signal
import time
from collections.abc import Iterator
from random import Random

import pytest

from service.book import paths
from service.settings import Settings
from tests.edge_client import EdgeClient
from tests.support import HOUR, HOUR_MS, ROOT, THOROUGH, Server

os.environ["BOOKS"] = str(paths.PACKAGED)
os.environ["XDG_CACHE_HOME"] = str(ROOT / ".pytest_cache" / "home")  # tables are made once for all tests
paths.HOME = ROOT / "no books"

if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


MOST_SECONDS = 3
"""The processor time that a test may take in ``make test``, in which most take a hundredth of it."""

IS_MEASURED = not THOROUGH and "COVERAGE_PROCESS_CONFIG" not in os.environ
"""Whether that is checked: not where tests take all their cases, nor where each line of them is counted."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Fail a test that takes too long for ``make test``, by the processor time of its thread.

    Tables of families are made in another one, by the test that asks for them first.
    """
    start = time.thread_time()
    yield
    seconds = time.thread_time() - start
    is_quick = item.get_closest_marker("verify") is None
    if IS_MEASURED and is_quick and seconds > MOST_SECONDS:
        pytest.fail(f"it took {seconds:.1f} s of processor time: give it fewer cases, or mark it as verify")


ORDER = os.environ.get("ORDER", "")
"""If it is given, the seed of a random order of folders, of the files in each, and of the tests in each of these."""


def pytest_report_header() -> list[str]:
    return [f"order: ORDER={ORDER} repeats it"] if ORDER else []


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Shuffle, and leave together what shares a fixture that takes long to set up."""
    if ORDER:
        items.sort(key=lambda item: [drawn(place) for place in (item.path.parent, item.path, item.nodeid)])


def drawn(place: object) -> float:
    """Return a number that hangs on the place and the seed alone, so that all processes draw the same."""
    return Random(f"{ORDER} {place}").random()


@pytest.fixture(scope="session")
def client() -> EdgeClient:
    return EdgeClient(Settings())


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """A gunicorn of two workers on a free port, for tests that leave it as they found it."""
    with Server() as running:
        yield running


@pytest.fixture(scope="session")
def narrow() -> Iterator[Server]:
    """A server with one thread, which a search may occupy for an hour."""
    with Server(workers=1, THREADS="1", MAX_TIME_MS=HOUR_MS) as running:
        yield running


@pytest.fixture(scope="session")
def wide() -> Iterator[Server]:
    """A server with four threads, whose searches and clients may take an hour."""
    with Server(workers=1, THREADS="4", MAX_TIME_MS=HOUR_MS, CLIENT_TIMEOUT=HOUR) as running:
        yield running
