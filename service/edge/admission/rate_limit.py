"""Rate limits: how many requests each client may send in a fixed window of time.

Only requests that cost work count. Probes, pages, documents and pre-flights of browsers do not: a refusal would cost as
much as the answer. The page of a link does count, because it is made for its position. A batch counts as one request:
its positions share one limit.
"""

import asyncio
import logging
import re
from ipaddress import IPv6Address, IPv6Network, ip_address
from math import ceil
from time import time

from limits import RateLimitItem, parse_many
from limits.aio.storage import Storage as SharedStorage
from limits.aio.strategies import FixedWindowRateLimiter as SharedRateLimiter
from limits.errors import ConfigurationError
from limits.storage import MemoryStorage, storage_from_string
from limits.strategies import FixedWindowRateLimiter

from service.api.problems import Problem
from service.breaker import Breaker
from service.edge.message import EdgeRequest
from service.settings import STORAGE, InvalidSetting

FREE = frozenset(
    {
        "",
        "page",
        "embed",
        "learn",
        "guide",
        "openapi.yaml",
        "openapi.json",
        "docs",
        "problems",
        "healthz",
        "readyz",
        "version",
        "metrics",
    }
)
"""First parts of the paths that are not counted."""

IPV6_NETWORK = 64
"""The bits of an IPv6 address that identify a client, who can choose the others."""

WITH_PORT = re.compile(r"\[([0-9A-Fa-f:.]+)\](?::\d*)?|([0-9.]+):\d*")
"""An address in the form of some proxies: IPv6 in brackets, and with the port of the client."""

UNKNOWN = "unknown"
"""The client of all requests without a readable address: from a Unix socket, or a proxy that hides addresses."""

WAIT_SECONDS = 0.25
"""The seconds that a request waits for Redis; after that the worker counts by itself."""

FAILURES, REST_SECONDS = 1, 5.0
"""The failures in a row after which Redis is not asked, and the seconds for which it is not."""

log = logging.getLogger("service")


class RateLimit:
    """Limits such as ``100 per minute; 1000 per day``, counted in memory or in a Redis.

    While Redis does not answer, each worker counts by itself; requests do not fail.
    """

    def __init__(self, rates: str, storage: str) -> None:
        self._items = parse_many(rates)
        self._memory = FixedWindowRateLimiter(MemoryStorage())
        self._shared = None if storage == "memory://" else SharedRateLimiter(_shared_storage(storage))
        self._breaker = Breaker(FAILURES, REST_SECONDS)

    async def refusal(self, request: EdgeRequest) -> Problem | None:
        """Count a request; return the problem if the client has used up a limit, else None."""
        if _is_free(request):
            return None
        client = network(request.client)
        if self._shared is not None and self._breaker.allows():
            try:
                refusal = await asyncio.wait_for(self._count_in(self._shared, client), WAIT_SECONDS)
            except Exception as error:  # noqa: BLE001, a failed count must not fail the request
                if self._breaker.failed():
                    log.warning("The storage of rate limits fails; each worker counts on its own: %r", error)
            else:
                if self._breaker.succeeded():
                    log.info("The storage of rate limits answers again")
                return refusal
        return self._count_here(client)

    async def _count_in(self, limiter: SharedRateLimiter, client: str) -> Problem | None:
        for item in self._items:
            if not await limiter.hit(item, client):
                return too_many_requests(item, (await limiter.get_window_stats(item, client)).reset_time)
        return None

    def _count_here(self, client: str) -> Problem | None:
        for item in self._items:
            if not self._memory.hit(item, client):
                return too_many_requests(item, self._memory.get_window_stats(item, client).reset_time)
        return None


def _is_free(request: EdgeRequest) -> bool:
    path = request.path.lstrip("/")  # more slashes do not exempt a path; "OPTIONS *" has none
    is_link = not path and bool(request.query)
    return request.method == "OPTIONS" or (path.partition("/")[0] in FREE and not is_link)


def network(client: str) -> str:
    """Return the address to count, without its port; for IPv6 the network."""
    with_port = WITH_PORT.fullmatch(client)
    try:
        parsed = ip_address((with_port[1] or with_port[2]) if with_port else client)
    except ValueError:
        return UNKNOWN
    if isinstance(parsed, IPv6Address):
        parsed = parsed.ipv4_mapped or IPv6Network((int(parsed), IPV6_NETWORK), strict=False).network_address
    return str(parsed)


def too_many_requests(item: RateLimitItem, reset: float) -> Problem:
    """Return the problem of a client whose limit resets at the Unix time ``reset``."""
    wait = max(1, ceil(reset - time()))
    headers = {
        "Retry-After": str(wait),
        "X-RateLimit-Limit": str(item.amount),
        "X-RateLimit-Remaining": "0",
        "X-RateLimit-Reset": str(ceil(time()) + wait),
    }
    return Problem(
        "too-many-requests",
        f"The limit is {item} for each client; try again in {wait} s.",
        headers=headers,
    )


def _shared_storage(url: str) -> SharedStorage:
    """Return the storage at a URL. Raises InvalidSetting without the URL, which may contain a password."""
    try:
        storage = storage_from_string(
            f"async+{url}",
            implementation="redispy",
            key_prefix="move-oracle",
            socket_connect_timeout=WAIT_SECONDS,
            socket_timeout=WAIT_SECONDS,
        )
    except (ConfigurationError, ValueError):
        raise InvalidSetting(f"RATE_LIMIT_STORAGE=...: {STORAGE}") from None
    assert isinstance(storage, SharedStorage)  # noqa: S101, the prefix of the URL implies it
    return storage
