"""Malicious requests: tables of known attacks, and of what two readers of HTTP could read differently."""

from collections.abc import Mapping
from types import MappingProxyType

from tests.contract import assert_matches
from tests.wire import JSON, Reply, chunked, request

BODY = b'{"board":"X...O...."}'
CHUNKED = {**JSON, "Host": "localhost", "Transfer-Encoding": "chunked"}


def assert_refused(reply: Reply, status: int) -> None:
    """Fails unless the reply is a problem document of this status, as the contract has it."""
    assert (reply.status, reply.headers["content-type"]) == (status, "application/problem+json"), reply
    assert_matches("ProblemDocument", reply.json())
    assert reply.json()["status"] == status


def ask(first_line: str, *headers: str, of: str = "outer", body: bytes = b"") -> bytes:
    """A request with exactly these headers, a Host, and the id by which its answer is known."""
    lines = [first_line, "Host: localhost", f"X-Request-ID: {of}", *headers]
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + body


FOLLOWING = ask("GET /healthz HTTP/1.1", "Connection: close", of="following")
"""What somebody else might have sent on the same connection."""

HIDDEN = ask("GET /healthz HTTP/1.1", of="hidden")
"""A whole request inside another, which is never answered."""

LENGTH = f"Content-Length: {len(BODY)}"
IN_CHUNKS = chunked([BODY])
BY_CHUNKS = "Transfer-Encoding: chunked"


def outer(*headers: str, body: bytes, method: str = "POST", target: str = "/best-move") -> bytes:
    """A question to the service, with these headers and after them exactly this."""
    return ask(f"{method} {target} HTTP/1.1", f"Content-Type: {JSON['Content-Type']}", *headers, body=body)


def _hiding(*headers: str) -> bytes:
    """A question of which one reader takes the chunks for the body, another what it says in its headers."""
    return outer(*headers, body=b"0\r\n\r\n" + HIDDEN)


def _chunks(first: bytes, *, rest: bytes = b"\r\n0\r\n\r\n") -> bytes:
    """A chunked question whose first chunk is announced by these bytes, and what comes after its data."""
    return outer(BY_CHUNKS, body=first + BODY + rest + HIDDEN)


def _trailing(*trailers: str) -> bytes:
    """A chunked question with these trailers."""
    lines = "".join(f"{trailer}\r\n" for trailer in trailers)
    return outer(BY_CHUNKS, body=b"15\r\n" + BODY + b"\r\n0\r\n" + lines.encode("latin-1") + b"\r\n")


def _got(headers: bytes) -> bytes:
    return b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n" + headers + b"\r\n\r\n"


REFUSED: Mapping[str, bytes] = MappingProxyType(
    {
        # What is no HTTP, or no HTTP/1.
        "a TLS handshake": b"\x16\x03\x01\x02\x00\x01\x00\r\n\r\n",
        "the preface of HTTP/2 with its headers": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + HIDDEN,
        "HTTP/9.9": b"GET /healthz HTTP/9.9\r\n\r\n",
        "HTTP/0.9": b"GET /healthz\r\n\r\n",
        "an answer instead of a question": b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n" + HIDDEN,
        # First lines.
        "a method that is no word": b"GE(T /healthz HTTP/1.1\r\n\r\n",
        "a null byte in the path": b"GET /best\x00move HTTP/1.1\r\n\r\n",
        "a carriage return in the target": ask("GET /healthz\rX-Odd: HTTP/1.1"),
        # Lines of headers.
        "lines that end with a bare line feed": b"GET /healthz HTTP/1.1\nHost: localhost\n\n",
        "a bare line feed at the end of the headers": b"GET /healthz HTTP/1.1\r\nHost: localhost\n\r\n" + HIDDEN,
        "a space before the first header": b"GET /healthz HTTP/1.1\r\n X-Odd: 1\r\nHost: localhost\r\n\r\n",
        "a header without a colon": _got(b"Nonsense"),
        "a space before the colon": _got(b"Accept : */*"),
        "a folded header": _got(b"Accept: a,\r\n b"),
        # Two ways to tell where the body ends.
        "a length for one reader, chunks for another": _hiding("Content-Length: 5", BY_CHUNKS),
        "a length of nothing, and chunks": _hiding("Content-Length: 0", BY_CHUNKS),
        "two lengths, of which one hides": outer(LENGTH, "content-length: 0", body=HIDDEN),
        "two lengths in one": outer("Content-Length: 21, 21", body=BODY + HIDDEN),
        "the same length twice": outer(LENGTH, LENGTH, body=BODY),
        "an offer of another protocol": outer("Connection: Upgrade", "Upgrade: h2c", LENGTH, body=BODY),
        "chunks in HTTP/1.0": outer(BY_CHUNKS, body=IN_CHUNKS).replace(b"/1.1", b"/1.0"),
        # Codings that only some take for chunks.
        "xchunked": _hiding("Transfer-Encoding: xchunked"),
        "chunked after a bare line feed": _hiding("X-Odd: 1\nTransfer-Encoding: chunked"),
        "chunked after a fold": _hiding("Transfer-Encoding:", "\tchunked"),
        "chunked twice": _hiding(BY_CHUNKS, BY_CHUNKS),
        "chunked before gzip in one line": _hiding("Transfer-Encoding: chunked, gzip"),
        "a space before the colon of the coding": _hiding("Transfer-Encoding : chunked"),
        # Numbers that only some can read.
        "a length with a sign": outer("Content-Length: +21", body=BODY),
        "a length in superscript": outer("Content-Length: \xb2\xb9", body=BODY),
        "a length in hexadecimal": outer("Content-Length: 0x15", body=BODY + HIDDEN),
        "a length that does not fit into 64 bits": outer("Content-Length: 18446744073709551616", body=HIDDEN),
        "a chunk in the notation of C": _chunks(b"0x15\r\n"),
        "a chunk with a sign": _chunks(b"+15\r\n"),
        "a chunk larger than any memory": _chunks(b"fffffffffffffffff\r\n"),
        "a chunk whose size does not end": _chunks(b"0" * 20_000),
        "a chunk with a line feed in its extension": _chunks(b"15;a\nb\r\n"),
        "a chunk that a bare line feed ends": _chunks(b"15\r\n", rest=b"\n0\r\n\r\n"),
        # Trailers that would be headers.
        "a length in a trailer": _trailing("Content-Length: 5"),
        "chunks in a trailer": _trailing(BY_CHUNKS),
    }
)
"""What nobody can be sure to read as it was meant, or what is no HTTP: refused with 400."""

TOO_LARGE: Mapping[str, bytes] = MappingProxyType(
    {
        "a path": request("GET", "/" + "a" * 20_000),
        "a header": request("GET", "/healthz", {"Accept": "a" * 20_000}),
        "many headers": request("GET", "/healthz", {f"X-{number}": "" for number in range(5000)}),
    }
)
"""Heads that are refused with 431."""

IN_A_BODY = f"Content-Length: {len(HIDDEN)}"

ANSWERED: Mapping[str, tuple[int, bytes]] = MappingProxyType(
    {
        # A request within the body of another is nothing but data.
        "a request as the body of a question": (400, outer(IN_A_BODY, body=HIDDEN)),
        "a request as a chunk": (400, outer(BY_CHUNKS, body=chunked([HIDDEN, HIDDEN]))),
        "a request in a body that nobody reads": (200, outer(IN_A_BODY, body=HIDDEN, method="GET", target="/games")),
        "a request in the body of a wrong method": (405, outer(IN_A_BODY, body=HIDDEN, method="PUT")),
        "a request in a body of the wrong type": (
            415,
            ask("POST /best-move HTTP/1.1", "Content-Type: text/html", IN_A_BODY, body=HIDDEN),
        ),
        "a request in a long body that is refused unread": (
            413,
            outer(f"Content-Length: {len(HIDDEN) << 15}", body=HIDDEN * (1 << 15)),
        ),
        # What is unusual, but can be read in one way only.
        "a length with zeros in front": (200, outer("Content-Length: 0021", body=BODY)),
        "chunks that Flask reads": (200, outer(BY_CHUNKS, body=IN_CHUNKS, target="/analysis")),
        "chunks in capitals": (200, outer("TRANSFER-ENCODING: CHUNKED", body=IN_CHUNKS)),
        "a chunk with zeros in front": (200, outer(BY_CHUNKS, body=b"0" * 50 + IN_CHUNKS)),
        "a last chunk of many zeros": (200, outer(BY_CHUNKS, body=b"15\r\n" + BODY + b"\r\n0000\r\n\r\n")),
        "chunks with extensions": (200, outer(BY_CHUNKS, body=b'15;a=b;c="d;e"\r\n' + BODY + b"\r\n0;f\r\n\r\n")),
        "trailers that change nothing": (200, _trailing("X-Request-ID: hidden", "Content-Type: text/html", "X-Odd: 1")),
        "a trailer that ends the connection": (200, _trailing("Connection: close")),
        "headers that only look like framing": (
            200,
            outer("Content_Length: 5", "Transfer_Encoding: chunked", LENGTH, body=BODY),
        ),
        "an absolute URL of elsewhere": (200, ask("GET http://elsewhere.example/version HTTP/1.1")),
        "an offer of HTTP/2": (
            200,
            ask("GET /games HTTP/1.1", "Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAMA"),
        ),
        "a connection that names other headers": (
            200,
            outer("Connection: keep-alive, Content-Length, Host", LENGTH, body=BODY),
        ),
        "an expectation, with the body at once": (200, outer("Expect: 100-continue", LENGTH, body=BODY)),
        "an empty line first": (200, b"\r\n" + ask("GET /games HTTP/1.1")),
    }
)
"""What has one meaning and one answer, by its status; a request hidden in it has none."""

ODD_TARGETS: Mapping[str, tuple[int, str, str]] = MappingProxyType(
    {
        "an absolute URL": (200, "GET", "http://elsewhere.example/best-move?board=X...O...."),
        "two slashes at the start": (404, "GET", "//best-move?board=X...O...."),
        "capitals": (404, "GET", "/Best-Move"),
        "an encoded null": (404, "GET", "/best-move%00"),
        "overlong UTF-8": (404, "GET", "/%c0%ae%c0%ae/%c0%af"),
        "a walk upwards": (404, "GET", "/docs/%2e%2e%2f%2e%2e%2fetc%2fpasswd"),
        "a semicolon": (404, "GET", "/best-move;board=X...O...."),
        "the whole server": (404, "OPTIONS", "*"),
        "a tunnel": (400, "CONNECT", "localhost:80"),
    }
)
"""Targets that are HTTP and yet unusual: the status that each gets, its method, and it."""
