"""Headers that every response carries."""

from service.edge.message import Headers

POLICY = b"content-security-policy"

NO_PAGE = (POLICY, b"default-src 'none'; frame-ancestors 'none'")
"""The content policy of responses that are no pages: they may load nothing. Pages have policies of their own."""

SECURITY = [(b"x-content-type-options", b"nosniff"), (b"referrer-policy", b"no-referrer")]
"""Browsers must not guess the type of a response, and must not send a referrer."""

EXPOSED = b"ETag, Retry-After, Server-Timing, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-ID"
"""The headers that pages of other origins may read beside the default ones."""


def common_headers(cors_origin: str) -> Headers:
    """Return the headers of every response. Pages of ``cors_origin`` may read it: ``*``: any, ``none``: none."""
    if cors_origin == "none":
        return SECURITY
    allowed = (b"access-control-allow-origin", cors_origin.encode())
    return [*SECURITY, allowed, (b"access-control-expose-headers", EXPOSED)]
