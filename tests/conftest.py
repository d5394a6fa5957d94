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
paths.HOME = ROOT / "no books"

if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def client() -> EdgeClient:
    return EdgeClient(Settings())


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """A gunicorn of two workers on a free port, for tests that leave it as they found it."""
    with Server() as running:
        yield running
