"""Calls in threads of their own: an interrupt may come at any moment."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from threading import Event, Thread
from types import FrameType
from typing import TYPE_CHECKING

import pytest

from service.cli import background
from service.cli.background import Call

if TYPE_CHECKING:
    from _typeshed import TraceFunction

SECONDS = 5


class Looked(Exception):
    """The caller has looked at the call."""


def look() -> None:
    raise Looked


@contextmanager
def interrupt_at(line: int) -> Iterator[None]:
    """Raise KeyboardInterrupt in this thread at a line of Python, counted from 0."""
    lines = count()

    def trace(_frame: FrameType, event: str, _arg: object) -> "TraceFunction":
        if event == "line" and next(lines) == line:
            raise KeyboardInterrupt
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        yield
    finally:
        sys.settrace(before)


def ends_after_interrupt_at(line: int) -> bool:
    """Interrupt a caller while its call runs, and let the call end; return whether the caller was interrupted."""
    may_end, answers = Event(), list[bool]()
    call = Call(lambda: may_end.wait(SECONDS))
    interrupted = False
    try:
        with interrupt_at(line):
            call.result(look)
    except KeyboardInterrupt:
        interrupted = True
    except Looked:
        pass
    may_end.set()
    reader = Thread(target=lambda: answers.append(call.result(lambda: None)), daemon=True)
    reader.start()
    reader.join(SECONDS)
    assert answers == [True], line
    return interrupted


def test_a_call_ends_whenever_its_caller_was_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background, "LOOK_SECONDS", 0.001)
    line = 0
    while ends_after_interrupt_at(line):
        line += 1
    assert line > 1
