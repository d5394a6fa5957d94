"""Commands ask the application in this process or a service at a URL, with the same result."""

import json
import re
import socket
from threading import Thread

import pytest
from click.testing import Result

from tests.cli.pseudo_terminal import PseudoTerminal
from tests.cli.terminal import refused, run
from tests.support import ROOT, Server

NOT_OURS = "The server there is not Move Oracle"


@pytest.mark.parametrize("arguments", ["best-move O.XX.X.OO", "best-move --json XX", "games", "tree -m 4 --depth 1"])
def test_a_running_service_is_asked_instead_and_gives_the_same(server: Server, arguments: str) -> None:
    here, there = run(*arguments.split()), run("--url", server.url, *arguments.split())
    assert (there.exit_code, there.stdout_bytes, there.stderr) == (here.exit_code, here.stdout_bytes, here.stderr)


def test_it_says_so_where_no_service_runs() -> None:
    done = run("--url", "http://127.0.0.1:9", "games")
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr == "Error: No service answers at http://127.0.0.1:9: Connection refused.\n"


@pytest.mark.parametrize("url", ["", "ftp://host", "file:///etc/passwd", "http://", "host name", "http://host?a=b"])
def test_what_is_no_url_of_a_service_is_refused(url: str) -> None:
    assert "is not a URL such as http://localhost:8000." in refused("--url", url, "games")


def test_a_connection_is_not_waited_for_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.cli.client.CONNECT_SECONDS", 0.2)
    with socket.create_server(("127.0.0.1", 0), backlog=0) as full, socket.create_connection(full.getsockname()):
        done = run("--url", f"http://127.0.0.1:{full.getsockname()[1]}", "games")
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr.endswith(": timed out.\n")


def test_an_answer_is_waited_for_longer_than_a_connection(monkeypatch: pytest.MonkeyPatch, server: Server) -> None:
    monkeypatch.setattr("service.cli.client.CONNECT_SECONDS", 0.2)
    done = run("--url", server.url, "best-move", "-g", "qubic", "-m", "1", "--time-ms", "1000")
    assert (done.exit_code, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("command", "answer", "complaint"),
    [
        ("games", b"HTTP/1.0 200 OK\r\n\r\n<p>A page</p>", NOT_OURS),
        ("solve", b"HTTP/1.0 200 OK\r\n\r\n[]", NOT_OURS),
        ("games", b'HTTP/1.0 404 Not Found\r\nContent-Type: application/json\r\n\r\n{"detail": "Not Found"}', NOT_OURS),
        ("solve", b"HTTP/1.0 502 Bad Gateway\r\n\r\n<p>A page</p>", "it answers 502 and no problem document"),
        ("games", b"HTTP/1.0 200 OK\r\nContent-Length: 99\r\n\r\n{", "No service answers at"),
        ("solve", b"nonsense\r\n\r\n", "No service answers at"),
    ],
)
def test_it_says_so_where_something_else_answers(command: str, answer: bytes, complaint: str) -> None:
    done = asked(answer, command)
    assert (done.exit_code, done.stdout) == (1, "")
    assert complaint in done.stderr


def asked(answer: bytes, *command: str) -> Result:
    """What a command does whose service answers with these bytes."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        Thread(target=answer_once, args=(listener, answer), daemon=True).start()
        return run("--url", f"http://127.0.0.1:{listener.getsockname()[1]}", *command, colour=True)


def answer_once(listener: socket.socket, answer: bytes) -> None:
    """Answers the first who connects with these bytes, and goes when the other has gone."""
    connection, _ = listener.accept()
    with connection:
        connection.sendall(answer)
        connection.shutdown(socket.SHUT_WR)
        while connection.recv(65536):
            pass


HOSTILE = "\x1b]0;renamed\x07 \x1b[2J\r\x08 \x9b31m \x7f \u202egnp.exe\u2066"
"""Text that would name a terminal's window, clear it, go back on its line, and turn the text around."""

HARMLESS = "\ufffd]0;renamed\ufffd \ufffd[2J\ufffd\ufffd \ufffd31m \ufffd \ufffdgnp.exe\ufffd"


def answered(document: object, status: str = "200 OK", kind: str = "application/json") -> bytes:
    return f"HTTP/1.0 {status}\r\nContent-Type: {kind}\r\n\r\n".encode() + json.dumps(document).encode()


PROBLEM = {"type": "about:blank", "title": "No", "status": 422, "detail": HOSTILE}

UNKNOWN = {"outcome": "unknown", "at_least": "loss", "at_most": "win", "estimate": 0}
PROGRESS = {"depth": 1, "nodes": 1, "move": None, "settled": 0, "moves": 9, **UNKNOWN}

DECIDED = {"position": "XXXOO....", "player": "O", "status": "won", "move": None, "reason": HOSTILE}


@pytest.mark.parametrize(
    ("command", "answer"),
    [
        ("best-move", answered(DECIDED)),
        ("games", answered(PROBLEM, "422 Unprocessable", "application/problem+json")),
        ("solve", answered({"problem": {**PROBLEM, "errors": [{"pointer": "/board", "detail": HOSTILE}]}}) + b"\n"),
        ("games", f"{HOSTILE}\r\n\r\n".encode("latin-1", "replace")),
    ],
)
def test_nothing_that_a_server_says_controls_the_terminal(command: str, answer: bytes) -> None:
    done = asked(answer, command)
    printed = done.stdout + done.stderr
    assert HARMLESS[:20] in printed
    assert not re.search(r"[\x00-\x09\x0b-\x1a\x1c-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]|\x1b(?!\[\d+m)", printed)


@pytest.mark.verify
def test_json_controls_no_terminal_and_stays_as_it_is_elsewhere() -> None:
    answer = answered({}).removesuffix(b"{}") + json.dumps(DECIDED, ensure_ascii=False).encode()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        for _ in range(2):
            Thread(target=answer_once, args=(listener, answer), daemon=True).start()
        arguments = ("--url", f"http://127.0.0.1:{listener.getsockname()[1]}", "best-move", "--json")
        assert run(*arguments).stdout == f"{json.dumps(DECIDED, ensure_ascii=False)}\n"
        with PseudoTerminal(*arguments) as terminal:
            assert terminal.end() == 0
            assert "\ufffd31m" in terminal.output
            assert not set("\x9b\x7f\u202e\u2066") & set(terminal.output)


def test_text_is_printed_in_one_place() -> None:
    found = [path.name for path in (ROOT / "service/cli").rglob("*.py") if "click.echo(" in path.read_text()]
    assert sorted(found) == ["main.py", "progress.py", "text.py"]  # an end of a line, the status line, and the place


def test_a_search_that_breaks_off_is_no_answer() -> None:
    done = asked(answered({"progress": PROGRESS}) + b"\n", "solve")
    assert (done.exit_code, done.stdout) == (1, "")
    assert "The connection closed before the answer was complete" in done.stderr


def test_settings_hold_for_a_command_but_the_rate_limit_and_a_bad_one_is_named() -> None:
    done = run("tree", "XX..O....", "--depth", "2", RATE_LIMIT="1 per day")
    assert (done.exit_code, done.stderr) == (0, "")
    done = run("games", TABLE_MB="much")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "TABLE_MB='much': must be a whole number" in done.stderr
