"""Rate limits: how many questions each client may ask in a time.

Imported only if a limit is set, as the library takes several megabytes. It counts in a fixed window
that begins with a client's first question. What is counted costs work: probes, pages, documents and the
pre-flights of browsers are constant, so to refuse them would cost as much as to answer them. A batch counts
as one question, because its positions share one limit: it may not search longer than a single one.
"""

from contextlib import suppress
from http import HTTPMethod
from ipaddress import IPv6Address, ip_address, ip_network
from math import ceil
from time import time
from typing import Any

from flask import Flask, Response, request
from flask_limiter import Limiter, RateLimitExceeded, RequestLimit
from limits.errors import StorageError

from service.api.problems import Problem, problem_response

FREE = frozenset({"documents", "operations"})
"""The blueprints whose routes are not counted."""

IPV6_NETWORK = 64
"""Bits of an IPv6 address that count: the rest is for everybody to choose who has such an address."""

PATIENCE_SECONDS = 0.25
"""So long does a request wait for Redis, to connect and to hear; then the worker counts by itself for a while."""


def limit_rate(app: Flask, rate: str, storage: str) -> Limiter:
    """Has ``app`` refuse, with 429, what a client asks beyond ``rate``; counted at the URL ``storage``.

    While the storage cannot be reached each worker counts by itself, and looks again ever more seldom, at
    least every 32 seconds: no request fails for it.
    """
    limiter = Limiter(
        client,
        app=app,
        application_limits=[rate],
        application_limits_exempt_when=_is_free,
        storage_uri=storage,
        storage_options=_options(storage),
        key_prefix="move-oracle",
        in_memory_fallback_enabled=True,
        swallow_errors=True,
    )

    def refuse(_: RateLimitExceeded) -> Response:
        breached = limiter.current_limit
        assert breached is not None  # noqa: S101, the library has just refused by it
        return problem_response(too_many_requests(breached))

    app.register_error_handler(RateLimitExceeded, refuse)
    return limiter


def client() -> str:
    """Who asks: the address, of IPv6 the network, of whoever is in front of the trusted proxies."""
    address = request.remote_addr or ""
    try:
        parsed = ip_address(address)
    except ValueError:  # a socket of Unix, or what a proxy puts there
        return address or "unknown"
    if isinstance(parsed, IPv6Address):
        parsed = parsed.ipv4_mapped or ip_network((parsed, IPV6_NETWORK), strict=False).network_address
    return str(parsed)


def too_many_requests(breached: RequestLimit) -> Problem:
    """The problem of a client that has used up a limit, with the seconds until it may ask again."""
    seconds: float = breached.limit.get_expiry()  # the whole window, should the storage fail just now
    with suppress(StorageError):
        seconds = breached.window.reset_time - time()
    wait = max(1, ceil(seconds))
    headers = {
        "Retry-After": str(wait),
        "X-RateLimit-Limit": str(breached.limit.amount),
        "X-RateLimit-Remaining": "0",
        "X-RateLimit-Reset": str(ceil(time()) + wait),
    }
    detail = f"The limit is {breached.limit} for each client; the next request is taken in {wait} s."
    return Problem("too-many-requests", detail, headers=headers)


def _is_free() -> bool:
    return request.blueprint in FREE or request.method == HTTPMethod.OPTIONS


def _options(storage: str) -> dict[str, Any]:
    """What the client of Redis is told: to give up soon, and not to try again for seconds, as it would by itself."""
    if storage.startswith("memory:"):
        return {}
    from redis.backoff import NoBackoff  # noqa: PLC0415, only a fleet needs it
    from redis.retry import Retry  # noqa: PLC0415

    return {
        "socket_connect_timeout": PATIENCE_SECONDS,
        "socket_timeout": PATIENCE_SECONDS,
        "retry": Retry(NoBackoff(), 1),
        "wrap_exceptions": True,
    }
