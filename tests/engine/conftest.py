"""A clock that tests of the engine advance."""

import pytest

from tests.engine.slots import Clock


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The clock of limits and of slots."""
    clock = Clock()
    monkeypatch.setattr("service.engine.work.slots.monotonic", clock)
    monkeypatch.setattr("service.engine.work.limit.monotonic", clock)
    return clock
