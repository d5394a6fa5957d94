"""One JSON object a line, whatever is logged."""

import json
import logging
import sys

from service.log import JsonFormatter, log_config


def formatted(message: str, **extra: object) -> dict[str, object]:
    record = logging.makeLogRecord({"name": "service", "levelname": "INFO", "msg": message, **extra})
    line = JsonFormatter().format(record)
    assert "\n" not in line
    read: dict[str, object] = json.loads(line)
    return read


def test_a_record_is_a_line_with_its_fields() -> None:
    line = formatted("Hello", fields={"status": 200})
    assert (line["level"], line["logger"], line["message"], line["status"]) == ("info", "service", "Hello", 200)
    assert str(line["time"]).endswith("+00:00")


def test_nobody_can_forge_a_line() -> None:
    assert formatted('a\n{"level": "error"}\u2028')["message"] == 'a\n{"level": "error"}\u2028'


def test_a_traceback_is_part_of_the_line() -> None:
    try:
        int("broken")
    except ValueError:
        line = formatted("Oh", exc_info=sys.exc_info())
    assert "ValueError: invalid literal" in str(line["exception"])


def test_what_json_cannot_say_is_logged_as_text() -> None:
    assert formatted("Hello", fields={"path": ValueError("x")})["path"] == "x"


def test_every_logger_writes_from_the_level_asked_for() -> None:
    config = log_config("warning")
    assert config["root"]["level"] == "WARNING"
    assert {logger["level"] for logger in config["loggers"].values()} == {"WARNING"}
