"""The log: one JSON object a line on standard output, from the service and from its server alike."""

import json
import logging
import select
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, TextIO

MAX_MESSAGE = 300
"""Characters of a message: what clients send gets into messages, and a line should stay short."""

PATIENCE_SECONDS = 0.1
"""How long a message waits for a reader of the log who has fallen behind, before it is dropped."""

_encode = json.JSONEncoder(default=str).encode  # json.dumps would make a new encoder for every line


def json_line(seconds: float, level: str, logger: str, message: str, fields: Mapping[str, Any]) -> str:
    """One line; control characters and anything outside ASCII are escaped, so that nobody can forge a line."""
    time = datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")
    return _encode({"time": time, "level": level, "logger": logger, "message": message[:MAX_MESSAGE], **fields})


class JsonFormatter(logging.Formatter):
    """Time, level, logger and message of a record, the ``fields`` it was given, and its traceback if it has one."""

    def format(self, record: logging.LogRecord) -> str:
        """The record as a line."""
        fields = dict(getattr(record, "fields", {}))
        if record.exc_info:
            fields["exception"] = self.formatException(record.exc_info)
        return json_line(record.created, record.levelname.lower(), record.name, record.getMessage(), fields)


def takes_more(stream: int, seconds: float = 0) -> bool:
    """Whether a file, a pipe or a terminal takes another line within so many seconds, and who writes need not wait."""
    return bool(select.select([], [stream], [], seconds)[1])


class PatientHandler(logging.StreamHandler[TextIO]):
    """Writes messages, but not where the reader of a pipe has stopped to read: it would stop the service too."""

    _patience = PATIENCE_SECONDS

    def emit(self, record: logging.LogRecord) -> None:
        """Writes a message, or drops it; after one that was dropped the next do not wait."""
        with suppress(ValueError, OSError):  # a stream that is no file, or that is closed
            takes = takes_more(self.stream.fileno(), self._patience)
            self._patience = PATIENCE_SECONDS if takes else 0
            if not takes:
                return
        super().emit(record)


def log_config(level: str) -> dict[str, Any]:
    """The configuration of ``logging``: everything from ``level`` upwards, as JSON lines on standard output."""
    to_stdout = {"level": level.upper(), "handlers": ["stdout"]}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"json": {"()": JsonFormatter}},
        "handlers": {
            "stdout": {"class": "service.log.PatientHandler", "formatter": "json", "stream": "ext://sys.stdout"}
        },
        "root": to_stdout,
        "loggers": {
            "gunicorn.error": {**to_stdout, "propagate": False},
            "gunicorn.access": {**to_stdout, "propagate": False},
            "flask-limiter": {"level": "WARNING"},  # or each refusal would have a second line
        },
    }
