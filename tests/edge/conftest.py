"""Tests that are coroutines run in an event loop of asyncio."""

import pytest


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"
