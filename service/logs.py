"""The log of the service and its server: one JSON object per line, on standard output."""

import atexit
import logging
import os
from contextlib import suppress
from queue import SimpleQueue
from threading import Thread
from typing import Any

from pythonjsonlogger.json import JsonFormatter

STANDARD_OUTPUT = 1

MAX_MESSAGE = 300
"""The maximum characters of a message: it can contain text from clients, and lines should stay short."""

MAX_WAITING = 10_000
"""The maximum number of lines in the queue of a stuck reader; further ones are dropped."""

ONE_WRITE = 4096
"""The maximum bytes that a pipe takes atomically, even if several processes write to it."""

CLOSE_SECONDS = 2.0
"""The seconds that an ending process waits until its last lines are read."""


class QueuedWriter:
    """Writes lines to a file descriptor in a thread, so that a stuck reader blocks only this thread.

    The thread starts with the first line, separately in each process, so a process may fork before or after that.
    """

    def __init__(self, descriptor: int = STANDARD_OUTPUT) -> None:
        self._descriptor = descriptor
        self._process = 0
        self._dropped = 0
        self._waiting = 0
        self._queue: SimpleQueue[list[bytes] | None] = SimpleQueue()

    def put(self, lines: list[bytes]) -> None:
        """Queue lines; drop them if the queue is full."""
        if self._process != os.getpid():
            self.start()
        if self._waiting + len(lines) > MAX_WAITING:
            self._dropped += len(lines)
            return
        if self._dropped:
            lines = [_dropped_line(self._dropped), *lines]
            self._dropped = 0
        self._waiting += len(lines)
        self._queue.put(lines)

    def close(self) -> None:
        """Wait a short time until the lines are written."""
        self._queue.put(None)
        self._thread.join(CLOSE_SECONDS)

    def start(self) -> None:
        """Start the thread of this process."""
        self._process, self._waiting, self._queue = os.getpid(), 0, SimpleQueue()
        self._thread = Thread(target=self._write, name="log", daemon=True)
        self._thread.start()
        atexit.register(self.close)

    def _write(self) -> None:
        while (lines := self._queue.get()) is not None:
            with suppress(OSError):  # the log has no reader any more
                for piece in _pieces(lines):
                    os.write(self._descriptor, piece)
            self._waiting -= len(lines)


def _pieces(lines: list[bytes]) -> list[bytes]:
    """Return the lines joined into pieces that a pipe takes atomically."""
    pieces, size = [[lines[0]]], len(lines[0])
    for line in lines[1:]:
        size += len(line)
        if size > ONE_WRITE:
            pieces.append([])
            size = len(line)
        pieces[-1].append(line)
    return [b"".join(piece) for piece in pieces]


class QueuedHandler(logging.Handler):
    """Formats records in the thread that logs them; a ``QueuedWriter`` writes them."""

    def __init__(self) -> None:
        super().__init__()
        self._writer = QueuedWriter()

    def emit(self, record: logging.LogRecord) -> None:
        """Queue the line of a record."""
        try:
            self._writer.put([self.format(record).encode() + b"\n"])
        except Exception:  # noqa: BLE001, as every handler does
            self.handleError(record)


class LineFormatter(JsonFormatter):
    """A record as JSON: time, level, logger, message, traceback if there is one, and the fields of ``extra``."""

    def __init__(self) -> None:
        super().__init__(
            "{levelname}{name}{message}",
            style="{",
            rename_fields={"levelname": "level", "name": "logger", "exc_info": "exception"},
            timestamp="time",
        )

    def process_log_record(self, log_data: dict[str, Any]) -> dict[str, Any]:
        """Write levels in lower case, times in milliseconds, and cut long messages."""
        data = super().process_log_record(log_data)
        head = {
            "time": data.pop("time").isoformat(timespec="milliseconds"),
            "level": data.pop("level").lower(),
            "logger": data.pop("logger"),
            "message": data.pop("message")[:MAX_MESSAGE],
        }
        return head | data


def _dropped_line(lines: int) -> bytes:
    record = logging.makeLogRecord(
        {
            "name": "service.log",
            "levelname": "WARNING",
            "msg": f"The log is read too slowly; {lines} lines were dropped",
        }
    )
    return LineFormatter().format(record).encode() + b"\n"


def log_config(level: str) -> dict[str, Any]:
    """Return the configuration of ``logging``: records from ``level`` upwards, as JSON lines on standard output."""
    to_stdout = {"level": level.upper(), "handlers": ["stdout"], "propagate": False}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"json": {"()": LineFormatter}},
        "handlers": {"stdout": {"()": QueuedHandler, "formatter": "json"}},
        "root": {"level": level.upper(), "handlers": ["stdout"]},
        # Its info lines repeat those of gunicorn.
        "loggers": {"gunicorn.error": to_stdout, "uvicorn.error": {**to_stdout, "level": "WARNING"}},
    }
