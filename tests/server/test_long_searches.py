"""Long searches behind a real server: they end with their client, and quick answers do not wait for them."""

import signal
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import pytest

from tests.server.searches import DEEP, asked, wait_for
from tests.support import HOUR_MS, HUNG_SECONDS, Server
from tests.wire import Connection, Reply

pytestmark = pytest.mark.verify


@contextmanager
def searching(server: Server, *paths: str) -> Iterator[list[Connection]]:
    """Clients that each wait for a long search, once all run."""
    with ExitStack() as stack:
        clients = [stack.enter_context(Connection(server.port, silence=HUNG_SECONDS)) for _ in paths]
        for client, path in zip(clients, paths, strict=True):
            client.send(asked(path))
        wait_for(server, running=len(paths))
        yield clients


def is_unproven(reply: Reply) -> bool:
    """Whether an answer says that it is not proven; one that would be a certificate then is a problem."""
    unproven = b'"type": "/problems/unproven"' if reply.status == 422 else b'"proven":false'
    return reply.status in (200, 422) and unproven in reply.body


@pytest.mark.parametrize("path", DEEP)
def test_a_search_ends_when_its_client_leaves_or_is_reset(wide: Server, path: str) -> None:
    with searching(wide, path) as (client,):
        if path == "/best-move":
            client.reset()
    wait_for(wide, running=0)


def test_a_client_that_only_sends_no_more_gets_what_is_proven_until_then(wide: Server) -> None:
    with searching(wide, "/best-move") as (client,):
        client.finish()
        assert is_unproven(client.reply())


def test_searches_are_cut_off_in_time_when_the_service_is_stopped() -> None:
    room = {"MAX_SEARCHES": f"{len(DEEP)}", "MAX_TIME_MS": HOUR_MS}
    with Server(workers=1, GRACEFUL_TIMEOUT="10", **room) as server, searching(server, *DEEP) as clients:
        server.process.send_signal(signal.SIGTERM)
        assert [is_unproven(client.reply()) for client in clients] == [True] * len(DEEP)
