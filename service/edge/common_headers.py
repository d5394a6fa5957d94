"""Headers that every response carries."""

from service.edge.message import Headers

POLICY = b"content-security-policy"

NO_PAGE = (POLICY, b"default-src 'none'; frame-ancestors 'none'")
"""What a response may do that no browser needs to show as a page: nothing. The pages have policies of their own."""

SECURITY = [(b"x-content-type-options", b"nosniff"), (b"referrer-policy", b"no-referrer")]
"""Browsers do not guess the type of a response, and do not tell a link's target where it was followed."""

EXPOSED = b"ETag, Retry-After, Server-Timing, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-ID"
"""The headers that pages of other origins may read, beside those that they always may."""


def common_headers(cors_origin: str) -> Headers:
    """Return the headers of every response; pages of ``cors_origin`` may read it (``*``: all, ``none``: none)."""
    if cors_origin == "none":
        return SECURITY
    allowed = (b"access-control-allow-origin", cors_origin.encode())
    return [*SECURITY, allowed, (b"access-control-expose-headers", EXPOSED)]
