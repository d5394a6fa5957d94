"""What many tests share: an application in this process, and a real server."""

from collections.abc import Iterator

import pytest
from flask.testing import FlaskClient

from service.app import create_app
from service.settings import Settings
from tests.support import Server


@pytest.fixture(scope="session")
def client() -> FlaskClient:
    return create_app(Settings()).test_client()


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """A gunicorn of two workers on a free port, for tests that leave it as they found it."""
    with Server() as running:
        yield running
