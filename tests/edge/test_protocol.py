"""Limits of time and size for clients, over real connections to a worker that waits a second for each."""

import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress

import pytest

from service.edge.protocol import MAX_HEAD_BYTES, SPARE_FILES
from tests.hostile import BODY, CHUNKED, assert_refused
from tests.isolation import with_open_files
from tests.support import Server
from tests.wire import JSON, Connection, NoReply, Reply, chunked, exchange, head, post, post_chunked, request

pytestmark = pytest.mark.verify

SECONDS = 60.0
"""Ample for a connection to be closed whose client has a second, and less than idle ones are kept."""

HEALTHZ = request("GET", "/healthz")
NODES = b'{"game":"qubic","moves":[1],"limit":{"nodes":100000}}'
"""A question that keeps the service busy for a moment."""


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with Server(workers=1, CLIENT_TIMEOUT="1") as running:
        yield running
        assert running.stop() == 0
    assert [line.get("exception", line) for line in running.log() if line["level"] in ("error", "critical")] == []


UNFINISHED = {
    "a request line": HEALTHZ[:8],
    "headers": HEALTHZ[:-2],
    "a body": post(BODY)[:-1],
    "a chunk": post_chunked([BODY])[:-20],
    "no last chunk": post_chunked([BODY])[:-5],
    "a second request": HEALTHZ + post(BODY)[:-1],
}


def last_reply(connection: Connection, data: bytes) -> Reply:
    """Return the reply to the last of the requests, which is the unfinished one."""
    connection.send(data)
    if data.startswith(HEALTHZ):
        assert connection.reply().status == 200
    return connection.reply()


@pytest.mark.parametrize("name", UNFINISHED)
def test_a_request_that_does_not_arrive_in_time_is_refused(server: Server, name: str) -> None:
    with Connection(server.port, silence=SECONDS) as connection:
        assert_refused(last_reply(connection, UNFINISHED[name]), 408)
        assert connection.is_closed()


DRIBBLE = {"a body": b"", "a second request": b"", "no last chunk": b"0"}
"""What is sent bit by bit, where just any byte would make the request whole or wrong."""


@pytest.mark.parametrize("name", UNFINISHED)
def test_a_byte_now_and_then_does_not_buy_time(server: Server, name: str) -> None:
    deadline = time.monotonic() + SECONDS
    with Connection(server.port, silence=0.2) as connection:
        connection.send(UNFINISHED[name])
        with suppress(OSError):
            while time.monotonic() < deadline:
                connection.send(DRIBBLE.get(name, b"a"))
                with suppress(TimeoutError):
                    if connection.is_closed():
                        break
    assert time.monotonic() < deadline


@pytest.mark.parametrize("name", UNFINISHED)
def test_a_request_whose_client_sends_no_more_is_refused_at_once(server: Server, name: str) -> None:
    with Connection(server.port) as connection:
        if name == "a second request":
            connection.send(HEALTHZ)
            connection.reply()
        assert_refused(connection.ask(UNFINISHED[name].removeprefix(HEALTHZ), finish=True), 400)
        assert connection.is_closed()


def test_a_whole_request_whose_client_sends_no_more_is_answered(server: Server) -> None:
    with Connection(server.port) as connection:
        assert connection.ask(post(NODES), finish=True).status == 200
        assert connection.is_closed()


def test_a_client_that_never_reads_is_cut_off(server: Server) -> None:
    batch = request("POST", "/best-moves", JSON, b'{"positions":[%b]}' % b",".join([BODY] * 1000))
    with Connection(server.port, silence=SECONDS) as deaf, pytest.raises(ConnectionError):
        deaf.send(batch * 1000)


@pytest.mark.parametrize("sent", [b"", b"\r\n" * 3])
def test_a_connection_that_never_asks_is_closed_as_soon_as_a_request_would_be_refused(
    server: Server, sent: bytes
) -> None:
    with Connection(server.port, silence=SECONDS) as connection:
        connection.send(sent)
        assert connection.is_closed()


def test_a_request_that_arrives_while_another_is_answered_has_its_time(server: Server) -> None:
    with Connection(server.port) as connection:
        data = post(BODY)
        connection.send(post(NODES) + data[:-5])
        assert connection.reply().status == 200
        connection.send(data[-5:])
        assert connection.reply().status == 200


def test_what_breaks_the_rules_behind_a_request_is_refused_after_its_answer(server: Server) -> None:
    with Connection(server.port) as connection:
        connection.send(post(NODES) + b"NONSENSE\r\n\r\n" + HEALTHZ)
        assert connection.reply().status == 200
        assert_refused(connection.reply(), 400)
        assert connection.is_closed()


def sized(size: int) -> bytes:
    """Return a request with so many bytes of target and headers."""
    fixed = len("/gamesHostlocalhostX-Odd")
    return request("GET", "/games", {"X-Odd": "a" * (size - fixed)})


def test_the_largest_head_is_read_and_one_byte_more_refused(server: Server) -> None:
    with Connection(server.port) as connection:
        assert connection.ask(sized(MAX_HEAD_BYTES)).status == 200
        assert_refused(connection.ask(sized(MAX_HEAD_BYTES + 1)), 431)
        assert connection.is_closed()


def test_a_head_without_end_is_refused_before_its_end(server: Server) -> None:
    with Connection(server.port) as connection:
        connection.send(b"GET / HTTP/1.1\r\nX-Odd: ")
        assert_refused(connection.ask(b"a" * (2 * MAX_HEAD_BYTES)), 431)


def test_many_requests_in_one_packet_are_no_large_head(server: Server) -> None:
    asked = sized(9000)
    with Connection(server.port) as connection:
        connection.send(asked * 4 + asked[:-50])
        assert [connection.reply().status for _ in range(4)] == [200] * 4
        assert connection.ask(asked[-50:]).status == 200


def test_trailers_say_nothing_about_the_request(server: Server) -> None:
    trailers = b"X-Request-ID: trailer\r\nContent-Type: text/html\r\n"
    data = head("POST", "/best-move", {**CHUNKED, "X-Request-ID": "head"}) + chunked([BODY])[:-2] + trailers + b"\r\n"
    with Connection(server.port) as connection:
        for _ in range(2):
            reply = connection.ask(data)
            assert (reply.status, reply.headers["x-request-id"]) == (200, "head")


def test_a_trailer_that_ends_the_connection_is_answered_so(server: Server) -> None:
    with Connection(server.port) as connection:
        reply = connection.ask(post_chunked([BODY])[:-2] + b"Connection: close\r\n\r\n")
        assert (reply.status, reply.headers["connection"]) == (200, "close")
        assert connection.is_closed()


def test_blanks_around_the_value_of_a_header_do_not_belong_to_it(server: Server) -> None:
    with Connection(server.port) as connection:
        reply = connection.ask(request("GET", "/healthz", {"X-Request-ID": " \t mine\t  "}))
    assert reply.headers["x-request-id"] == "mine"


@pytest.mark.parametrize("path", ["/best-move", "/analysis", "/best-moves"])
def test_a_body_in_chunks_is_read_by_every_route(server: Server, path: str) -> None:
    body = b'{"positions":[%b]}' % BODY if path == "/best-moves" else BODY
    framed = head("POST", path, CHUNKED) + chunked([body[:7], body[7:]])
    with Connection(server.port) as connection:
        assert connection.ask(framed).body == connection.ask(request("POST", path, JSON, body)).body


def test_an_offer_of_another_protocol_is_passed_over_and_refused_in_front_of_a_body(server: Server) -> None:
    offer = {"Connection": "Upgrade", "Upgrade": "h2c"}
    for refused, data in ((False, request("GET", "/healthz", offer)), (True, post(BODY, offer))):
        with Connection(server.port) as connection:
            reply = connection.ask(data)
            if refused:
                assert_refused(reply, 400)
            assert (reply.status, connection.is_closed()) == (400 if refused else 200, True)


def test_a_client_is_told_to_go_on_with_its_body(server: Server) -> None:
    start, body = post(BODY, {"Expect": "100-continue"}).split(b"\r\n\r\n")
    with Connection(server.port) as connection:
        connection.send(start + b"\r\n\r\n")
        assert connection.interim() == 100
        connection.send(body)
        assert connection.reply().status == 200


def test_a_connection_that_is_idle_for_long_makes_room_for_a_new_one() -> None:
    server, room = Server(workers=1), 16
    server.command = [*with_open_files(SPARE_FILES + room), *server.command]
    with server, ExitStack() as stack:
        connections = [stack.enter_context(Connection(server.port)) for _ in range(room)]
        for each in [*connections, connections[0]]:
            assert each.ask(post(BODY)).status == 200
        assert exchange(server.port, post(BODY)).status == 200
        assert connections[0].ask(post(BODY)).status == 200
        assert sum(is_ended(each) for each in connections[1:]) == 1


def is_ended(connection: Connection) -> bool:
    """Return whether the server no longer answers on a connection."""
    try:
        return connection.ask(post(BODY)).status != 200
    except (OSError, NoReply):
        return True
