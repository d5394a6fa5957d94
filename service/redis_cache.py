"""Proven entries in a Redis or a Valkey, shared by many instances of the service.

A value is bytes: a seal, the outcome, the number of best moves, the best moves, the principal variation. It is accepted
only if the seal fits key and value, so that torn values and those of other positions are ignored; and only if it is
possible by the rules of the game. With a secret, a writer who does not know it cannot forge a seal; without one, the
Redis must be as trusted as the service itself.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from hashlib import blake2b
from typing import Literal, TypeVar

from redis import BlockingConnectionPool, Redis

from service.breaker import Breaker
from service.engine.cache.shared import can_be_true
from service.engine.result import RANK, ProvenResult, make_proven_result
from service.games.position import Position

VERSION = 1
"""Part of every key. Increment it when the encoding of values changes, or what an entry promises, such as the order of
best moves: instances of both versions share a Redis while a fleet is updated."""

SEAL_BYTES, HEAD_BYTES = 16, 2
KEPT_SECONDS = 30 * 24 * 3600
"""Entries never become wrong, but they may never be read again."""

WAIT_SECONDS = 0.05
"""The maximum seconds that an answer waits for Redis, for names, connections, handshakes and replies together."""

CONNECTIONS = 4
"""The connections of a process. A request takes a fraction of a millisecond, so threads seldom wait for one."""

FAILURES, REST_SECONDS = 3, 5.0
"""The failures in a row after which Redis is not asked, and the seconds for which it is not."""

Result = Literal["hit", "miss", "kept", "invalid", "failed", "skipped"]
"""The result of reading or writing an entry."""

Count = Callable[[Result, int], None]

Answer = TypeVar("Answer")

log = logging.getLogger("service")


class RedisCache:
    """A shared cache at the ``url`` of a Redis, which may be unreachable at any time.

    Values are sealed with the ``secret``. ``count`` is called with a result and the number of entries that had it.
    Connections and threads are made when they are first needed, so a process may fork before that.
    """

    def __init__(self, url: str, secret: str, count: Count, breaker: Breaker | None = None) -> None:
        pool = BlockingConnectionPool.from_url(
            url,
            max_connections=CONNECTIONS,
            timeout=WAIT_SECONDS,
            socket_timeout=WAIT_SECONDS,
            socket_connect_timeout=WAIT_SECONDS,
            protocol=2,  # needs fewer round trips to connect than version 3, whose features are not needed here
            driver_info=None,
        )
        self._redis = Redis(connection_pool=pool)
        # Socket timeouts apply to a single read, and not to resolving names. A thread can be abandoned.
        self._threads = ThreadPoolExecutor(CONNECTIONS, "redis")
        self._seal_key = blake2b(secret.encode()).digest()
        self._count = count
        self._breaker = breaker or Breaker(FAILURES, REST_SECONDS)

    def look_up(self, positions: Sequence[Position], *, all_best: bool) -> Sequence[ProvenResult | None]:
        """Return the plausible entry of each position; None for a position without one."""
        keys = [_key(position, all_best=all_best) for position in positions]
        values = self._ask(lambda: self._read(keys), len(keys)) if keys else None
        if values is None:
            return [None] * len(keys)
        return [self._open(*kept, all_best=all_best) for kept in zip(positions, keys, values, strict=True)]

    def keep(self, entries: Mapping[Position, ProvenResult], *, all_best: bool) -> None:
        """Keep the entries for ``KEPT_SECONDS``, or until Redis evicts them."""
        values = {_key(position, all_best=all_best): _pack(entry) for position, entry in entries.items()}
        if self._ask(lambda: self._write(values), len(values)):
            self._count("kept", len(values))

    def _ask(self, question: Callable[[], Answer], entries: int) -> Answer | None:
        """Return the answer of Redis; None if it failed or the breaker is open."""
        if not self._breaker.allows():
            self._count("skipped", entries)
            return None
        future = None
        try:
            future = self._threads.submit(question)
            answer = future.result(WAIT_SECONDS)
        except Exception as error:  # noqa: BLE001, the answer can be found without Redis
            if future is not None:
                future.cancel()
            self._fail(error, entries)
            return None
        if self._breaker.succeeded():
            log.info("The shared cache answers again")
        return answer

    def _fail(self, error: Exception, entries: int) -> None:
        self._count("failed", entries)
        if self._breaker.failed():
            log.warning("The shared cache fails; the next attempt is in %g s: %r", REST_SECONDS, error)
        if self._breaker.is_open:
            self._redis.connection_pool.disconnect()  # ends abandoned threads that still read

    def _read(self, keys: Sequence[str]) -> Sequence[object]:
        values = self._redis.mget(keys)
        if not isinstance(values, list) or len(values) != len(keys):
            raise TypeError("the server is not Redis")
        return values

    def _write(self, values: Mapping[str, bytes]) -> bool:
        pipeline = self._redis.pipeline(transaction=False)
        for key, value in values.items():
            pipeline.set(key, self._seal(key, value) + value, ex=KEPT_SECONDS)
        return all(pipeline.execute())

    def _open(self, position: Position, key: str, value: object, *, all_best: bool) -> ProvenResult | None:
        """Return the entry in a value; None if it is invalid."""
        entry = None
        if isinstance(value, bytes) and value[:SEAL_BYTES] == self._seal(key, value[SEAL_BYTES:]):
            entry = _unpack(value[SEAL_BYTES:], position.game.most_plies)
        if entry is not None and not can_be_true(position, entry, all_best=all_best):
            entry = None
        self._count("hit" if entry else "miss" if value is None else "invalid", 1)
        return entry

    def _seal(self, key: str, value: bytes) -> bytes:
        return blake2b(key.encode() + value, key=self._seal_key, digest_size=SEAL_BYTES).digest()


def _key(position: Position, *, all_best: bool) -> str:
    game, (first, second) = position.game.digest.hex(), position.state
    return f"move-oracle:{VERSION}:{game}:{first:x}:{second:x}:{'every' if all_best else 'first'}"


def _pack(entry: ProvenResult) -> bytes:
    return bytes((RANK[entry.outcome] + 1, len(entry.best_moves), *entry.best_moves, *entry.pv))


def _unpack(value: bytes, most_plies: int) -> ProvenResult | None:
    """Return the entry; its score follows from the outcome and the length of the principal variation."""
    if len(value) < HEAD_BYTES or value[0] not in (0, 1, 2):
        return None
    outcome, best, moves = value[0] - 1, value[1], value[HEAD_BYTES:]
    return make_proven_result(most_plies, outcome, tuple(moves[:best]), tuple(moves[best:]))
