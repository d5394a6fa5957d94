"""Malicious requests: a table of known attacks."""

from collections.abc import Mapping
from types import MappingProxyType

from tests.contract import assert_matches
from tests.wire import JSON, Reply, chunked, head, post, post_chunked, request

BODY = b'{"board":"X...O...."}'
CHUNKED = {**JSON, "Host": "localhost", "Transfer-Encoding": "chunked"}
TEN_MEGABYTES = 10 << 20


def assert_refused(reply: Reply, status: int) -> None:
    """Fails unless the reply is a problem document of this status, as the contract has it."""
    assert (reply.status, reply.headers["content-type"]) == (status, "application/problem+json"), reply
    assert_matches("Problem", reply.json())
    assert reply.json()["status"] == status


def _posted(headers: str, body: bytes = BODY) -> bytes:
    """A POST whose headers, after the usual ones, are exactly these."""
    return (
        head("POST", "/best-move", {**JSON, "Host": "localhost"})[:-2] + f"{headers}\r\n\r\n".encode("latin-1") + body
    )


def _got(headers: bytes) -> bytes:
    return b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n" + headers + b"\r\n\r\n"


NOT_HTTP: Mapping[str, tuple[int, bytes]] = MappingProxyType(
    {
        "a TLS handshake": (400, b"\x16\x03\x01\x02\x00\x01\x00\r\n\r\n"),
        "the preface of HTTP/2": (400, b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
        "HTTP/9.9": (400, b"GET /healthz HTTP/9.9\r\n\r\n"),
        "HTTP/0.9": (400, b"GET /healthz\r\n\r\n"),
        "a method in lower case": (400, b"get /healthz HTTP/1.1\r\n\r\n"),
        "a method that is no word": (400, b"GE(T /healthz HTTP/1.1\r\n\r\n"),
        "an empty path": (400, b"GET  HTTP/1.1\r\n\r\n"),
        "a path without its slash": (400, b"GET healthz HTTP/1.1\r\n\r\n"),
        "a null byte in the path": (400, b"GET /best\x00move HTTP/1.1\r\n\r\n"),
        "raw UTF-8 in the path": (400, "GET /é HTTP/1.1\r\n\r\n".encode()),
        "a path that is too long": (431, request("GET", "/" + "a" * 20_000)),
        "a query that is too long": (431, request("GET", "/best-move?board=" + "." * 20_000)),
        "lines that end with a bare line feed": (400, b"GET /healthz HTTP/1.1\nHost: localhost\n\n"),
        "a header without a colon": (400, _got(b"Nonsense")),
        "a space before the colon": (400, _got(b"Accept : */*")),
        "a null byte in a header": (400, _got(b"Accept: \x00")),
        "a folded header": (400, _got(b"Accept: a,\r\n b")),
        "a header that is too large": (431, request("GET", "/healthz", {"Accept": "a" * 20_000})),
        "too many headers": (431, request("GET", "/healthz", {f"X-{number}": "" for number in range(5000)})),
        "a negative length": (400, _posted("Content-Length: -1")),
        "a length with a sign": (400, _posted("Content-Length: +21")),
        "a length that is no number": (400, _posted("Content-Length: many")),
        "a length in superscript": (400, _posted("Content-Length: \xb2\xb9")),
        "a length that no machine can count": (400, _posted("Content-Length: " + "9" * 5000)),
        "the same length twice": (400, _posted("Content-Length: 21\r\nContent-Length: 21")),
        "two lengths": (400, _posted("Content-Length: 21\r\nContent-Length: 20")),
        "a length and chunks": (400, _posted("Content-Length: 21\r\nTransfer-Encoding: chunked", chunked([BODY]))),
        "an unknown transfer coding": (400, _posted("Transfer-Encoding: braille")),
        "chunks that are not the last coding": (400, _posted("Transfer-Encoding: chunked, gzip", chunked([BODY]))),
        "chunks in chunks": (400, _posted("Transfer-Encoding: chunked, chunked", chunked([BODY]))),
        "chunks in HTTP/1.0": (400, head("POST", "/best-move", CHUNKED).replace(b"/1.1", b"/1.0") + chunked([BODY])),
        "a chunk of no size": (400, head("POST", "/best-move", CHUNKED) + b"\r\n" + BODY),
        "a chunk of size zz": (400, head("POST", "/best-move", CHUNKED) + b"zz\r\n" + BODY),
        "a chunk of negative size": (400, head("POST", "/best-move", CHUNKED) + b"-15\r\n" + BODY),
        "a chunk longer than its size": (400, head("POST", "/best-move", CHUNKED) + b"5\r\n" + BODY + b"\r\n0\r\n\r\n"),
        "a trailer without a colon": (400, post_chunked([BODY])[:-2] + b"Nonsense\r\n\r\n"),
        "a trailer that is a length": (400, post_chunked([BODY])[:-2] + b"Content-Length: 21\r\n\r\n"),
    }
)
"""What breaks the rules of HTTP, with the status that says so."""

CUT_SHORT: Mapping[str, bytes] = MappingProxyType(
    {
        "a body of which half came": post(BODY)[: -len(BODY) // 2],
        "a long body of which little came": _posted("Content-Length: 5000"),
        "a body that lacks only blanks at its end": _posted("Content-Length: 23"),
        "a chunk of which half came": head("POST", "/best-move", CHUNKED) + b"15\r\n" + BODY[:10],
        "chunks without the last": post_chunked([BODY]).removesuffix(b"0\r\n\r\n"),
    }
)
"""Requests whose sender ends before the end that was announced."""

ODD_TARGETS: Mapping[str, tuple[int, str, str]] = MappingProxyType(
    {
        "an absolute URL": (200, "GET", "http://elsewhere.example/best-move?board=X...O...."),
        "an absolute URL without a path": (400, "GET", "http://elsewhere.example"),
        "two slashes at the start": (404, "GET", "//best-move?board=X...O...."),
        "a slash at the end": (404, "GET", "/best-move/?board=X...O...."),
        "capitals": (404, "GET", "/Best-Move"),
        "an encoded null": (404, "GET", "/best-move%00"),
        "overlong UTF-8": (404, "GET", "/%c0%ae%c0%ae/%c0%af"),
        "half a surrogate pair": (404, "GET", "/%ed%a0%80"),
        "a walk upwards": (404, "GET", "/docs/%2e%2e%2f%2e%2e%2fetc%2fpasswd"),
        "a walk upwards from the page": (404, "GET", "/page/%2e%2e%2f%2e%2e%2fetc%2fpasswd"),
        "a semicolon": (404, "GET", "/best-move;board=X...O...."),
        "the whole server": (404, "OPTIONS", "*"),
        "a tunnel": (400, "CONNECT", "localhost:80"),
    }
)
"""Targets that are HTTP and yet unusual: the status that each gets, its method, and it."""
