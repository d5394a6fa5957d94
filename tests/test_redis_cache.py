"""Entries in a real Redis: what was kept is found, what cannot be believed is ignored, and failures cost little."""

import logging
import random
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from itertools import count
from pathlib import Path

import pytest

from service.breaker import Breaker
from service.engine.oracle import Oracle
from service.engine.result import ProvenResult
from service.games.position import Position
from service.redis_cache import CONNECTIONS, FAILURES, KEPT_SECONDS, RedisCache
from tests.stores import Serve, Store, always, drip, impostor, say_nothing
from tests.support import HUNG_SECONDS
from tests.worlds import proof, small

GAME = small(4, 5, 4)
EMPTY = Position(GAME, 0, 0, "X")
HUNG = HUNG_SECONDS


class Cache(RedisCache):
    """A cache that counts what becomes of its entries, and whose breaker rests for a moment only."""

    def __init__(
        self, url: str, secret: str = "", rest: float = 0.0, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.results: Counter[str] = Counter()
        super().__init__(url, secret, self._note, Breaker(FAILURES, rest, clock))

    def _note(self, result: str, entries: int) -> None:
        self.results[result] += entries

    def find(self, position: Position = EMPTY, *, every: bool = False) -> ProvenResult | None:
        (entry,) = self.look_up([position], every=every)
        return entry


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with Store(tmp_path_factory.mktemp("redis")) as store:
        yield store


@pytest.fixture
def store(running: Store) -> Store:
    running.client.flushall()
    return running


@pytest.fixture(scope="module")
def entries() -> dict[Position, ProvenResult]:
    """Proven entries of the empty board and of each position after one move."""
    oracle = Oracle()
    positions = [EMPTY, *(EMPTY.play(move) for move in EMPTY.legal_moves)]
    return {position: proof(oracle.best_move(position)) for position in positions}


def keep(store: Store, entries: dict[Position, ProvenResult]) -> None:
    """Keeps them, however busy the machine is."""
    deadline = time.monotonic() + HUNG
    cache = Cache(store.url)
    while cache.results["kept"] < len(entries):
        assert time.monotonic() < deadline
        cache.keep(entries, every=False)


def found(cache: Cache, position: Position = EMPTY) -> ProvenResult | None:
    """What the cache has; a busy machine may make it wait too long now and then, so it is asked until it answers."""
    deadline = time.monotonic() + HUNG
    while True:
        before = cache.results["failed"] + cache.results["skipped"]
        entry = cache.find(position)
        if cache.results["failed"] + cache.results["skipped"] == before:
            return entry
        assert time.monotonic() < deadline


def test_what_one_instance_keeps_another_finds(store: Store, entries: dict[Position, ProvenResult]) -> None:
    keep(store, entries)
    other = Cache(store.url)
    assert {position: found(other, position) for position in entries} == entries
    assert other.results["hit"] == len(entries)
    assert len(store.kept()) == len(entries)


def test_what_nobody_has_kept_is_missed(store: Store, entries: dict[Position, ProvenResult]) -> None:
    cache = Cache(store.url)
    assert found(cache) is None
    assert cache.results["miss"] == 1
    keep(store, {EMPTY: entries[EMPTY]})
    assert cache.find(every=True) is None
    assert found(cache, Position(small(4, 5, 4, misere=True), 0, 0, "X")) is None


def test_x_and_o_and_like_named_games_share_entries(store: Store, entries: dict[Position, ProvenResult]) -> None:
    keep(store, {EMPTY: entries[EMPTY]})
    assert found(Cache(store.url), Position(small(4, 5, 4), 0, 0, "O")) == entries[EMPTY]


def test_nothing_is_asked_where_no_position_is_given(store: Store) -> None:
    cache = Cache(store.url)
    assert cache.look_up([], every=False) == []
    assert not cache.results


def test_keys_name_a_version_and_expire(store: Store, entries: dict[Position, ProvenResult]) -> None:
    keep(store, {EMPTY: entries[EMPTY]})
    (key,) = store.kept()
    assert key == f"move-oracle:1:{GAME.digest.hex()}:0:0:first".encode()
    assert 0 < store.client.ttl(key) <= KEPT_SECONDS


def test_only_those_who_know_the_secret_are_believed(store: Store, entries: dict[Position, ProvenResult]) -> None:
    keep(store, {EMPTY: entries[EMPTY]})
    for secret in ("sesame", "x" * 1000):
        cache = Cache(store.url, secret)
        assert found(cache) is None
        assert cache.results["invalid"] == 1
        (key,), before = store.kept(), store.client.get(store.kept()[0])
        while not cache.results["kept"]:
            cache.keep({EMPTY: entries[EMPTY]}, every=False)
        assert store.client.get(key) != before
        assert found(Cache(store.url, secret)) == entries[EMPTY]
        assert found(Cache(store.url)) is None


def spoil_with_noise(store: Store, keys: list[bytes]) -> None:
    dice = random.Random(1)
    for key in keys:
        store.client.set(key, dice.randbytes(dice.randint(0, 80)))


def truncate(store: Store, keys: list[bytes]) -> None:
    for length, key in enumerate(keys):
        value = store.client.get(key)
        assert isinstance(value, bytes)
        store.client.set(key, value[: min(length, len(value) - 1)])


def extend(store: Store, keys: list[bytes]) -> None:
    for key in keys:
        store.client.append(key, b"\0")


def rotate(store: Store, keys: list[bytes]) -> None:
    values = [store.client.get(key) for key in keys]
    for key, value in zip(keys, [*values[1:], values[0]], strict=True):
        assert isinstance(value, bytes)
        store.client.set(key, value)


def flip_a_bit(store: Store, keys: list[bytes]) -> None:
    dice = random.Random(2)
    for key in keys:
        value = store.client.get(key)
        assert isinstance(value, bytes)
        spoilt = bytearray(value)
        spoilt[dice.randrange(len(spoilt))] ^= 1 << dice.randrange(8)
        store.client.set(key, bytes(spoilt))


def enlarge(store: Store, keys: list[bytes]) -> None:
    for key in keys:
        store.client.set(key, b"[" * 100_000)


@pytest.mark.parametrize("spoil", [spoil_with_noise, truncate, extend, rotate, flip_a_bit, enlarge])
def test_spoilt_values_are_counted_and_ignored(
    store: Store, entries: dict[Position, ProvenResult], spoil: Callable[[Store, list[bytes]], None]
) -> None:
    keep(store, entries)
    spoil(store, store.kept())
    cache = Cache(store.url)
    assert [found(cache, position) for position in entries] == [None] * len(entries)
    assert cache.results["invalid"] == len(entries)
    answer = Oracle(shared=cache).best_move(EMPTY)
    assert (answer.known, answer.source) == (entries[EMPTY], "search")


def test_values_of_another_type_are_missed_and_replaced(store: Store, entries: dict[Position, ProvenResult]) -> None:
    keep(store, {EMPTY: entries[EMPTY]})
    (key,) = store.kept()
    spoils: list[Callable[[], object]] = [
        lambda: store.client.rpush(key, "a", "b"),
        lambda: store.client.hset(key, "a", "b"),
        lambda: store.client.sadd(key, "a"),
        lambda: store.client.zadd(key, {"a": 1}),
    ]
    for spoil in spoils:
        store.client.delete(key)
        spoil()
        cache = Cache(store.url)
        assert found(cache) is None
        while not cache.results["kept"]:
            cache.keep({EMPTY: entries[EMPTY]}, every=False)
        assert found(cache) == entries[EMPTY]


@pytest.mark.parametrize(
    "packed",
    [
        b"",
        b"\1",
        b"\1\1",
        b"\1\1\0",
        b"\3\1\0\0",
        b"\1\377\0\0",
        b"\1\1\0\0",
        b"\1\0\0",
        b"\1\1\377\377",
        b"\0\1\0\0\1",
    ],
)
def test_a_value_with_a_right_seal_that_the_rules_don_t_allow_is_ignored(store: Store, packed: bytes) -> None:
    cache = Cache(store.url)
    key = f"move-oracle:1:{GAME.digest.hex()}:0:0:first"
    store.client.set(key, cache._seal(key, packed) + packed)  # noqa: SLF001
    assert found(cache) is None
    assert cache.results["invalid"] == 1


def test_a_value_that_promises_another_outcome_than_its_line_is_ignored(
    store: Store, entries: dict[Position, ProvenResult]
) -> None:
    cache, entry = Cache(store.url), entries[EMPTY]
    assert entry.outcome == "draw"
    packed = bytes((2, 1, *entry.best_moves, *entry.pv))
    key = f"move-oracle:1:{GAME.digest.hex()}:0:0:first"
    store.client.set(key, cache._seal(key, packed) + packed)  # noqa: SLF001
    assert found(cache) is None
    assert cache.results["invalid"] == 1


def assert_fails_softly(cache: Cache, entries: dict[Position, ProvenResult]) -> None:
    """Fails each time, within a bound, and answers all the same."""
    for _ in range(5):
        started = time.monotonic()
        assert cache.find() is None
        cache.keep(entries, every=False)
        assert time.monotonic() - started < HUNG
    assert cache.results["failed"] == 5 * (1 + len(entries))
    assert set(cache.results) == {"failed"}
    assert Oracle(shared=cache).best_move(EMPTY).known == entries[EMPTY]


@pytest.mark.parametrize(
    "serve",
    [
        say_nothing,
        drip,
        lambda connection: connection.close(),
        always(b"HTTP/1.1 400 Bad Request\r\n\r\n"),
        always(random.Random(3).randbytes(4096)),
        always(b"*1\r\n:abc\r\n"),
        always(b"*-5\r\n"),
        always(b"*3\r\n$1\r\na\r\n$1\r\na\r\n$1\r\na\r\n"),
        always(b"+OK\r\n"),
        always(b"$-1\r\n"),
        always(b"-LOADING Redis is loading the dataset in memory\r\n"),
        always(b"-NOAUTH Authentication required.\r\n"),
    ],
    ids=["silence", "drops", "hangs-up", "http", "noise", "bad-number", "bad-length", "too-many", "no-list", "nil",
         "loading", "no-password"],
)  # fmt: skip
def test_a_server_that_is_no_redis_delays_and_spoils_nothing(
    serve: Serve, entries: dict[Position, ProvenResult]
) -> None:
    with impostor(serve) as url:
        assert_fails_softly(Cache(url), {EMPTY: entries[EMPTY], EMPTY.play(0): entries[EMPTY.play(0)]})


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
        cache = Cache(url, rest=HUNG)
        for _ in range(FAILURES):
            assert cache.find() is None
        while begun.acquire(blocking=False):
            assert ended.acquire(timeout=HUNG)


def test_a_server_that_answers_with_other_values_is_not_believed() -> None:
    with impostor(always(b"*1\r\n:17\r\n")) as url:
        cache = Cache(url)
        assert found(cache) is None
        assert cache.results["invalid"] == 1


@pytest.mark.parametrize(
    "url",
    ["redis://127.0.0.1:1", "redis://no-such-host.invalid:6379", "unix:///no/such/socket", "rediss://127.0.0.1:1"],
)
def test_a_redis_that_is_not_there_fails_softly(url: str, entries: dict[Position, ProvenResult]) -> None:
    assert_fails_softly(Cache(url), {EMPTY: entries[EMPTY]})


def test_a_plain_redis_where_tls_is_expected_fails_softly(store: Store, entries: dict[Position, ProvenResult]) -> None:
    assert_fails_softly(Cache(store.url.replace("redis:", "rediss:")), {EMPTY: entries[EMPTY]})


@pytest.mark.parametrize("login", ["", ":wrong@", "somebody:hunter2@"])
def test_a_wrong_password_fails_softly_and_is_not_logged(
    tmp_path: Path, entries: dict[Position, ProvenResult], login: str, caplog: pytest.LogCaptureFixture
) -> None:
    with Store(tmp_path, password="hunter3") as guarded:
        with caplog.at_level(logging.INFO):
            assert_fails_softly(Cache(guarded.url.replace("//", f"//{login}")), {EMPTY: entries[EMPTY]})
        assert "The shared cache fails" in caplog.text
        assert "hunter" not in caplog.text
        assert "wrong@" not in caplog.text
        right = Cache(guarded.url.replace("//", "//:hunter3@") + "/3")
        assert found(right) is None
        assert right.results["miss"] == 1


def test_a_full_redis_can_still_be_read(tmp_path: Path, entries: dict[Position, ProvenResult]) -> None:
    with Store(tmp_path) as full:
        keep(full, {EMPTY: entries[EMPTY]})
        full.client.config_set("maxmemory", "1")
        cache = Cache(full.url, rest=HUNG * 10)
        for _ in range(FAILURES + 1):
            assert found(cache) == entries[EMPTY]
            cache.keep({EMPTY.play(0): entries[EMPTY.play(0)]}, every=False)
        assert cache.results["failed"] > FAILURES
        assert cache.results["hit"] > FAILURES
        assert len(cache.results) == 2


def test_the_breaker_opens_rests_and_recovers_without_help(
    tmp_path: Path, entries: dict[Position, ProvenResult], caplog: pytest.LogCaptureFixture
) -> None:
    with Store(tmp_path) as store, caplog.at_level(logging.INFO):
        keep(store, {EMPTY: entries[EMPTY]})
        looks = count()  # the clock of the breaker moves on with each look at it
        cache = Cache(store.url, rest=150, clock=lambda: next(looks))
        assert found(cache) == entries[EMPTY]
        store.freeze()
        for _ in range(FAILURES):
            assert cache.find() is None
        assert cache.results["failed"] >= FAILURES
        before = cache.results["skipped"]
        assert [cache.find() for _ in range(100)] == [None] * 100
        assert cache.results["skipped"] == before + 100
        store.thaw()
        assert found(cache) == entries[EMPTY]
        store.stop()
        for _ in range(FAILURES):
            assert cache.find() is None
        store.start()
        assert found(cache) is None
        assert cache.find() is None
    opened = [record for record in caplog.messages if record.startswith("The shared cache fails")]
    closed = [record for record in caplog.messages if record == "The shared cache answers again"]
    assert len(opened) == len(closed) >= 2


def test_many_threads_share_few_connections(store: Store, entries: dict[Position, ProvenResult]) -> None:
    keep(store, entries)
    cache = Cache(store.url)
    before = int(store.client.info("clients")["connected_clients"])
    with ThreadPoolExecutor(16) as threads:
        positions = [*entries] * 30
        answers = list(threads.map(lambda position: found(cache, position), positions))
    assert answers == [entries[position] for position in positions]
    assert int(store.client.info("clients")["connected_clients"]) <= before + CONNECTIONS
