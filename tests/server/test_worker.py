"""The worker's loop: slow, silent and greedy clients, each with its own share and no more."""

import json
import os
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress

import pytest

from service.server.worker import Worker
from tests.support import ROOT, Server
from tests.wire import JSON, Connection, chunked, exchange, head, post, post_chunked, request

BODY = b'{"board":"X...O...."}'
CROWD = 12
"""More than the threads of a worker."""

PATIENCE = 2
ASKED = 20
"""Large answers that a greedy client asks for: more than the system takes off the server's hands."""

MANY = json.dumps({"positions": [{"board": "X...O...."}] * 1000}).encode()


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with Server(workers=1, THREADS="2", CLIENT_TIMEOUT=str(PATIENCE)) as running:
        yield running


def answers(server: Server) -> bool:
    """Whether those who neither need a thread nor those who do have to wait."""
    return [exchange(server.port, data).status for data in (post(BODY), request("GET", "/healthz"))] == [200, 200]


def test_requests_in_one_packet_are_answered_in_order(server: Server) -> None:
    boards = [b"X........", b"XO.......", b".X.......", b"....X...."]
    quick = [post(b'{"board":"%b"}' % board) for board in boards]
    slow = [request("GET", f"/best-move?board={board.decode()}") for board in boards]
    with Connection(server.port) as connection:
        connection.send(b"".join(one for pair in zip(quick, slow, strict=True) for one in pair))
        positions = [connection.reply().json()["position"].encode() for _ in range(8)]
    assert positions == [board for board in boards for _ in range(2)]


@pytest.mark.parametrize("data", [post(BODY), post_chunked([BODY[:5], BODY[5:]])], ids=["length", "chunks"])
def test_a_request_can_come_byte_by_byte_and_another_after_it(server: Server, data: bytes) -> None:
    with Connection(server.port) as connection:
        for _ in range(2):
            for place in range(len(data)):
                connection.send(data[place : place + 1])
            assert connection.reply().json()["position"] == "X...O...."


def test_a_body_that_is_waited_for_is_asked_for_once(server: Server) -> None:
    data = post(BODY, {"Expect": "100-continue"})
    with Connection(server.port) as connection:
        connection.send(data[: -len(BODY)])
        assert connection.interim() == 100
        connection.send(BODY[:4])
        time.sleep(0.1)
        connection.send(BODY[4:])
        assert connection.reply().json()["position"] == "X...O...."


def test_a_body_that_has_come_already_is_not_asked_for(server: Server) -> None:
    assert exchange(server.port, post(BODY, {"Expect": "100-continue"})).status == 200


SLOW = {
    "no byte": b"",
    "half a head": post(BODY)[:40],
    "half a body": post(BODY)[:-4],
    "half a chunk": head("POST", "/best-move", {**JSON, "Host": "a", "Transfer-Encoding": "chunked"}) + b"15\r\n{",
    "a body half as long as any may be": post(b" " * (1 << 20))[: 1 << 19],
}


@pytest.mark.parametrize("name", SLOW)
def test_slow_requests_keep_nobody_waiting(server: Server, name: str) -> None:
    crowd = [Connection(server.port) for _ in range(CROWD)]
    for connection in crowd:
        connection.send(SLOW[name])
    assert answers(server)
    for connection in crowd:
        connection.close()


@pytest.mark.parametrize("name", [name for name in SLOW if name != "no byte"])
def test_a_request_that_does_not_arrive_in_time_is_given_up_with_a_problem_document(server: Server, name: str) -> None:
    with Connection(server.port) as connection:
        connection.send(SLOW[name])
        reply = connection.reply()
        assert (reply.status, reply.json()["status"], reply.headers["connection"]) == (408, 408, "close")
        assert connection.is_closed()


def test_a_request_that_drips_is_given_up_in_time_all_the_same(server: Server) -> None:
    with Connection(server.port) as connection:
        began = time.monotonic()
        for place in range(PATIENCE * 20):
            connection.send(post(BODY)[place : place + 1])
            time.sleep(0.1)
            if time.monotonic() - began > PATIENCE + 1.5:
                break
        assert connection.reply().status == 408


def test_answers_that_nobody_reads_keep_nobody_waiting_and_are_given_up(server: Server) -> None:
    greedy = [small_window(server.port) for _ in range(CROWD)]
    for connection in greedy:
        connection.settimeout(0.1)
        with suppress(TimeoutError):  # the server reads no further than it is read
            connection.sendall(request("POST", "/best-moves", JSON, MANY) * ASKED)
    time.sleep(1)
    assert answers(server)
    time.sleep(PATIENCE + 2)
    assert [read_whole(connection) for connection in greedy] == [False] * CROWD
    assert answers(server)


def small_window(port: int) -> socket.socket:
    """A connection whose client takes little in advance."""
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.connect(("127.0.0.1", port))
    return connection


def read_whole(connection: socket.socket) -> bool:
    """Whether all that was asked for comes, read at last, before the connection ends."""
    received = 0
    connection.settimeout(10)
    with connection, suppress(ConnectionResetError):
        while received < ASKED * 280_000 and (data := connection.recv(65536)):
            received += len(data)
    return received >= ASKED * 280_000


def test_an_answer_is_had_whole_by_a_client_that_reads_slowly(server: Server) -> None:
    connection = small_window(server.port)
    connection.sendall(request("POST", "/best-moves", {**JSON, "Connection": "close"}, MANY))
    received = b""
    while data := connection.recv(20_000):
        received += data
        time.sleep(0.02)
    _, _, body = received.partition(b"\r\n\r\n")
    assert len(json.loads(body)["results"]) == 1000


def test_who_asks_for_nothing_makes_room_for_others() -> None:
    with Server(workers=1, THREADS="2", GUNICORN_CMD_ARGS="--worker-connections 20") as server:
        kept = Connection(server.port)
        assert kept.ask(post(BODY)).status == 200
        silent = [Connection(server.port) for _ in range(40)]
        assert answers(server)
        assert kept.is_closed()
        assert sum(connection.is_closed() for connection in silent[:18]) == 18
        for connection in silent:
            connection.close()


def test_what_follows_the_end_of_a_chunked_body_is_the_next_request(server: Server) -> None:
    with Connection(server.port) as connection:
        connection.send(post_chunked([BODY]) + request("GET", "/healthz"))
        assert connection.reply().json()["position"] == "X...O...."
        assert connection.reply().json() == {"status": "ok"}


def test_a_chunked_body_that_is_too_long_is_refused_and_ends_the_connection(server: Server) -> None:
    data = head("POST", "/best-move", {**JSON, "Host": "a", "Transfer-Encoding": "chunked"})
    with Connection(server.port) as connection:
        reply = connection.ask(data + chunked([b" " * 65536] * 17))
        assert (reply.status, reply.headers["connection"]) == (413, "close")
        assert connection.is_closed()


def test_a_body_in_as_many_chunks_as_there_can_be_takes_no_longer_than_others(server: Server) -> None:
    with Connection(server.port) as connection:
        assert connection.ask(post_chunked([BODY, *[b" "] * 150_000])).json()["position"] == "X...O...."


LEFT = {
    "before the body that it wants to be asked for": post(BODY, {"Expect": "100-continue"})[: -len(BODY)],
    "in the middle of a body": post(BODY)[:-4],
    "before an answer at once": post(BODY),
    "before a large answer": request("POST", "/best-moves", JSON, MANY),
    "before it hears what is wrong": b"NONSENSE\r\n\r\n",
}


@pytest.mark.parametrize("name", LEFT)
def test_a_client_that_leaves_ends_no_worker_and_is_no_error(name: str) -> None:
    with Server(workers=1, THREADS="2") as server:
        for _ in range(20):
            leave(server.port, LEFT[name])
        assert answers(server)
        assert server.stop() == 0
    assert [line["message"] for line in server.log() if line["level"] in ("error", "critical")] == []


def leave(port: int, data: bytes) -> None:
    """Sends the data, and resets the connection before anything can be answered."""
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        connection.sendall(data)


class Faulty(Worker):
    """A worker that fails where a client is not HTTP."""

    def _refuse(self, *_: object) -> None:
        raise LookupError("a fault nobody thought of")


def test_a_fault_of_the_loop_ends_one_connection_and_not_the_worker() -> None:
    choice = f"--worker-class {Faulty.__module__}.{Faulty.__qualname__}"
    with Server(workers=1, GUNICORN_CMD_ARGS=choice) as server, Connection(server.port) as kept:
        assert kept.ask(post(BODY)).status == 200
        with Connection(server.port) as connection:
            connection.send(b"NONSENSE\r\n\r\n")
            assert connection.is_closed()
        assert kept.ask(post(BODY)).status == 200
        assert server.stop() == 0
    (fault,) = [line for line in server.log() if line["level"] == "error"]
    assert "a fault nobody thought of" in fault["exception"]


def test_a_certificate_is_not_passed_over_in_silence() -> None:
    command = [sys.executable, "-m", "gunicorn", "-c", "python:service.gunicorn_conf", "service.wsgi:app"]
    command += ["--certfile", "/etc/hostname", "--keyfile", "/etc/hostname"]
    environment = {**os.environ, "PORT": "0"}
    done = subprocess.run(command, check=False, env=environment, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.returncode != 0
    assert "speaks no TLS" in done.stdout + done.stderr
