"""The log: one JSON object a line on standard output, from the service and from its server alike."""

import json
import logging
from datetime import UTC, datetime
from typing import Any


class JsonFormatter(logging.Formatter):
    """Time, level, logger and message of a record, the ``fields`` it was given, and its traceback if it has one."""

    def format(self, record: logging.LogRecord) -> str:
        """One line; control characters and anything outside ASCII are escaped, so nobody can forge a line."""
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **getattr(record, "fields", {}),
        }
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str)


def log_config(level: str) -> dict[str, Any]:
    """The configuration of ``logging``: everything from ``level`` upwards, as JSON lines on standard output."""
    to_stdout = {"level": level.upper(), "handlers": ["stdout"]}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"json": {"()": JsonFormatter}},
        "handlers": {"stdout": {"class": "logging.StreamHandler", "formatter": "json", "stream": "ext://sys.stdout"}},
        "root": to_stdout,
        "loggers": {
            "gunicorn.error": {**to_stdout, "propagate": False},
            "gunicorn.access": {**to_stdout, "propagate": False},
        },
    }
