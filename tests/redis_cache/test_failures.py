"""A Redis that fails, hangs, lies or is not there costs little, and no answer depends on it."""

import logging
import socket
import threading
from contextlib import closing
from itertools import count
from random import Random

import pytest

from service.engine.oracle import Oracle
from service.redis_cache import FAILURES
from tests.redis_cache.cache import EMPTY, Cache, Entries
from tests.redis_cache.stores import Serve, Store, always, drip, impostor, say_nothing
from tests.support import HUNG_SECONDS


def assert_fails_softly(cache: Cache, entries: Entries) -> None:
    """Fails each time, and answers all the same."""
    for _ in range(5):
        assert cache.find() is None
        cache.keep(entries, all_best=False)
    assert cache.results["failed"] == 5 * (1 + len(entries))
    assert set(cache.results) == {"failed"}
    assert Oracle(shared=cache).best_move(EMPTY).known == entries[EMPTY]


IMPOSTORS: dict[str, Serve] = {
    "silence": say_nothing,
    "drops": drip,
    "hangs up": lambda connection: connection.close(),
    "http": always(b"HTTP/1.1 400 Bad Request\r\n\r\n"),
    "noise": always(Random(3).randbytes(4096)),
    "bad number": always(b"*1\r\n:abc\r\n"),
    "too many": always(b"*3\r\n$1\r\na\r\n$1\r\na\r\n$1\r\na\r\n"),
    "loading": always(b"-LOADING Redis is loading the dataset in memory\r\n"),
    "no password": always(b"-NOAUTH Authentication required.\r\n"),
}


@pytest.mark.parametrize("serve", IMPOSTORS.values(), ids=IMPOSTORS)
def test_a_server_that_is_no_redis_delays_and_spoils_nothing(serve: Serve, entries: Entries) -> None:
    with impostor(serve) as url:
        assert_fails_softly(Cache(url), {position: entries[position] for position in (EMPTY, EMPTY.play(0))})


def test_nothing_goes_on_reading_an_answer_that_never_ends() -> None:
    begun, ended = threading.Semaphore(0), threading.Semaphore(0)

    def serve(connection: socket.socket) -> None:
        begun.release()
        with closing(connection):
            try:
                drip(connection)
            finally:
                ended.release()

    with impostor(serve) as url:
        cache = Cache(url, rest=HUNG_SECONDS)
        for _ in range(FAILURES):
            assert cache.find() is None
        while begun.acquire(blocking=False):
            assert ended.acquire(timeout=HUNG_SECONDS)


def test_a_redis_that_is_not_there_has_no_tls_or_another_password_fails_softly_and_no_password_is_logged(
    empty_board: Entries, caplog: pytest.LogCaptureFixture
) -> None:
    with Store(password="hunter3") as guarded:
        logins = [guarded.url.replace("//", f"//{login}") for login in ("", ":wrong@", "somebody:hunter2@")]
        nowhere = ("redis://127.0.0.1:1", "redis://no-such-host.invalid:6379", "unix:///no/such/socket")
        for url in (*logins, *nowhere, guarded.url.replace("redis:", "rediss:")):
            caplog.clear()
            with caplog.at_level(logging.INFO):
                assert_fails_softly(Cache(url), empty_board)
            assert "The shared cache fails" in caplog.text
            assert "hunter" not in caplog.text
            assert "wrong@" not in caplog.text
        right = Cache(guarded.url.replace("//", "//:hunter3@") + "/3")
        assert right.find_surely() is None
        assert right.results["miss"] == 1


def test_a_full_redis_can_still_be_read(entries: Entries, empty_board: Entries) -> None:
    with Store() as full:
        Cache(full.url).keep_surely(empty_board)
        full.client.config_set("maxmemory", "1")
        cache = Cache(full.url, rest=HUNG_SECONDS * 10)
        for _ in range(FAILURES + 1):
            assert cache.find_surely() == entries[EMPTY]
            cache.keep({EMPTY.play(0): entries[EMPTY.play(0)]}, all_best=False)
        assert cache.results["failed"] > FAILURES
        assert cache.results["hit"] > FAILURES
        assert len(cache.results) == 2


def test_the_breaker_opens_rests_and_recovers_without_help(
    empty_board: Entries, caplog: pytest.LogCaptureFixture
) -> None:
    with Store() as store, caplog.at_level(logging.INFO):
        Cache(store.url).keep_surely(empty_board)
        looks = count()  # the clock of the breaker moves on with each look at it
        cache = Cache(store.url, rest=150, clock=lambda: next(looks))
        assert cache.find_surely() == empty_board[EMPTY]
        store.freeze()
        for _ in range(FAILURES):
            assert cache.find() is None
        assert cache.results["failed"] >= FAILURES
        before = cache.results["skipped"]
        assert [cache.find() for _ in range(100)] == [None] * 100
        assert cache.results["skipped"] == before + 100
        store.thaw()
        assert cache.find_surely() == empty_board[EMPTY]
        store.stop()
        for _ in range(FAILURES):
            assert cache.find() is None
        store.start()
        assert cache.find_surely() is None
        assert cache.find() is None
    opened = [record for record in caplog.messages if record.startswith("The shared cache fails")]
    closed = [record for record in caplog.messages if record == "The shared cache answers again"]
    assert len(opened) == len(closed) >= 2
