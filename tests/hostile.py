"""Malicious requests: a table of known attacks, and random ones drawn from a seed."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from random import Random
from types import MappingProxyType
from urllib.parse import quote

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
        "two slashes at the start": (200, "GET", "//best-move?board=X...O...."),
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


@dataclass(frozen=True)
class Hostile:
    """A request as it goes over the wire; ``finish`` says that its sender ends there, so that nobody waits for more."""

    method: str
    path: str
    data: bytes
    finish: bool = False


_FAR_TOO_MUCH = Hostile("POST", "/best-move", post(b" " * TEN_MEGABYTES))


def hostile_requests(seed: int, count: int) -> Iterator[Hostile]:
    """As many requests as asked for, the same ones for the same seed."""
    random = Random(seed)
    for _ in range(count):
        yield (_FAR_TOO_MUCH if random.random() < 1 / 500 else random.choice(KINDS)(random))


def _drawn_post(random: Random) -> Hostile:
    body = random.choice(BODIES)(random)
    return Hostile("POST", "/best-move", random.choice(FRAMES)(random, body))


def _drawn_cut(random: Random) -> Hostile:
    """A request of which only the beginning comes, at least its first line and headers."""
    whole = _drawn_post(random).data
    start = whole.index(b"\r\n\r\n") + 4
    return Hostile("POST", "/best-move", whole[: random.randint(start, len(whole))], finish=True)


def _drawn_query(random: Random) -> Hostile:
    query = "&".join(_drawn_parameter(random) for _ in range(random.randrange(4)))
    return Hostile("GET", "/best-move", request("GET", f"/best-move?{query}", _drawn_headers(random)))


def _drawn_question(random: Random) -> Hostile:
    """A query that most often has an answer, under a header that is none of its business."""
    method, player = random.choice(["GET", "GET", "HEAD"]), random.choice(["", "&player=X", "&tie_break=random&seed=1"])
    target = f"/best-move?board={_drawn_cells(random)}{player}"
    return Hostile(method, "/best-move", request(method, target, dict([random.choice(HEADERS)])))


def _drawn_parameter(random: Random) -> str:
    name, equals = random.choice([*FIELDS, "bord", ""]), random.choice(["=", "=", "=", ""])
    return name + equals + quote(_drawn_text(random), safe=random.choice(["", "/,;:&=+%"]))


def _drawn_target(random: Random) -> Hostile:
    path = "/" + quote(random.choice(["", "games/", "problems/", "docs/", "best-move"]) + _drawn_text(random), safe="/")
    method = random.choice(METHODS)
    return Hostile(method, path, request(method, path, _drawn_headers(random)))


KINDS = (_drawn_post, _drawn_post, _drawn_post, _drawn_cut, _drawn_question, _drawn_query, _drawn_target)


def _drawn_cells(random: Random) -> str:
    """Some moves of a game, played at random."""
    cells = list(".........")
    for ply, cell in enumerate(random.sample(range(9), random.randrange(10))):
        cells[cell] = "XO"[ply % 2]
    return "".join(cells)


def _drawn_board(random: Random) -> bytes:
    """A position in any notation, most often one that has an answer."""
    text = _drawn_cells(random)
    flat = [random.choice([None, "", cell]) if mark == "." else mark for cell, mark in enumerate(text)]
    notations = (text, flat, [flat[0:3], flat[3:6], flat[6:9]], f"{text[0:3]}/{text[3:6]}/{text[6:9]}")
    options = {name: random.choice(values) for name, values in OPTIONS.items() if random.random() < 0.3}
    return json.dumps({"board": random.choice(notations), **options}).encode()


def _drawn_mess(random: Random) -> bytes:
    """Marks, blanks and other things in any number: most often no position of any game."""
    cells = random.choices(CELLS[: random.choice([4, 8, len(CELLS)])], k=random.choice([0, 1, 8, 9, 9, 9, 10, 70]))
    return json.dumps({"board": cells}).encode()


def _drawn_moves(random: Random) -> bytes:
    moves = random.choices([*range(9), *range(9), -1, 9, 64, 4.0, 1e300], k=random.randrange(12))
    return json.dumps({"moves": moves, "player": random.choice(["X", "O", None])}).encode()


def _drawn_columns(random: Random) -> bytes:
    """A string of columns, most often one of a game, played at random."""
    digits = random.choices(
        [*"1234567", *"1234567", *random.choice(["", "089a,", "\u0663\ud800 "])], k=random.randrange(70)
    )
    game = random.choice(["connect-four", "connect-four", "connect-four-5x4", "qubic", None])
    return json.dumps({"moves": "".join(digits), "game": game, "limit": {"nodes": 100}}).encode()


def _drawn_fields(random: Random) -> bytes:
    """Known and unknown fields, with values of every type that JSON has, and some that it has not."""
    names = random.sample([*FIELDS, "limit", "", "__proto__", "a/~b"], random.randrange(4))
    return f"{{{','.join(f'{json.dumps(name)}: {random.choice(VALUES)}' for name in names)}}}".encode()


def _drawn_repetition(random: Random) -> bytes:
    name = random.choice(["board", "player", "game", "\\u0062oard"])
    return f'{{"board": ".........", "{name}": "X", "{name}": "X"}}'.encode()


def _drawn_depth(random: Random) -> bytes:
    depth = random.choice([10, 900, 1100, 5000, 30000])
    opening, closing = random.choice([("[", "]"), ('{"board":', "}"), ("[[],", "]")])
    return f'{{"board": {opening * depth}1{closing * depth * random.randrange(2)}}}'.encode()


def _drawn_bytes(random: Random) -> bytes:
    """No JSON at all, or no UTF-8."""
    return random.choice([*NO_UTF8, random.randbytes(random.randrange(200))])


def _drawn_mutant(random: Random) -> bytes:
    """A body that had an answer, until a few of its bytes were changed, lost, doubled or added."""
    body = bytearray(_drawn_board(random))
    for _ in range(random.randint(1, 4)):
        at = random.randrange(len(body) + 1)
        instead = random.choice([b"", b'"', b"\\", b"\x00", random.randbytes(1), bytes(body[at : at + 9])])
        body[at : at + random.randrange(3)] = instead
    return bytes(body)


def _drawn_large(random: Random) -> bytes:
    """A body around the limit of 65,536 bytes."""
    return BODY.ljust(random.choice([60_000, 1_048_575, 1_048_576, 1_048_577, 1_100_000, 2_000_000]))


BODIES: tuple[Callable[[Random], bytes], ...] = (
    *(_drawn_board, _drawn_board, _drawn_mess, _drawn_moves, _drawn_columns, _drawn_fields, _drawn_fields),
    *(_drawn_repetition, _drawn_depth, _drawn_bytes, _drawn_mutant, _drawn_mutant, _drawn_large),
)


def _with_length(random: Random, body: bytes) -> bytes:
    return post(body, _drawn_headers(random))


def _with_another_type(random: Random, body: bytes) -> bytes:
    return request("POST", "/best-move", {"Content-Type": random.choice(TYPES)}, body)


def _in_chunks(random: Random, body: bytes) -> bytes:
    parts = []
    while body:
        size = random.choice([1, 2, 7, 100, 5000, len(body)])
        parts.append(body[:size])
        body = body[size:]
    return post_chunked(parts)


def _in_odd_chunks(random: Random, body: bytes) -> bytes:
    """One chunk, its size in capitals with leading zeros and an extension; perhaps trailers."""
    extension = random.choice([b"", b";a", b';a="b;c"', b" ; a = b"])
    chunk = b"%04X%b\r\n%b\r\n" % (len(body), extension, body) if body else b""
    trailers = random.choice([b"", b"Expires: never\r\n"])
    return head("POST", "/best-move", CHUNKED) + chunk + b"0\r\n" + trailers + b"\r\n"


FRAMES = (_with_length, _with_length, _with_length, _with_another_type, _in_chunks, _in_odd_chunks)


def _drawn_headers(random: Random) -> dict[str, str]:
    """Mostly none; else one that is odd."""
    return dict([random.choice(HEADERS)]) if random.random() < 0.4 else {}


def _drawn_text(random: Random) -> str:
    return random.choice([*TEXTS, "X" * random.randrange(3000)])


METHODS = ("GET", "HEAD", "POST", "OPTIONS", "PUT", "DELETE", "PATCH", "TRACE", "BREW")
FIELDS = ("board", "moves", "player", "game", "tie_break", "seed")
OPTIONS: Mapping[str, list[object]] = MappingProxyType(
    {"game": ["misere-tic-tac-toe", "tic-tac-toe", None], "tie_break": ["first", "random"], "seed": [0, 7, 2**53 - 1]}
)
CELLS: tuple[object, ...] = (
    *("X", "O", ".", None, "x", "o", "", " ", "Z", "XO", "\u2169", "\u0000", "\ud800"),
    *(4, 4.0, -1, 1e400, 10**400, True, [], {}),
)
VALUES = (
    *("null", "true", "[]", "{}", "[[[]]]", '["X",["X"]]', "[1,2", '{"time_ms": 1}', "undefined", "'X'"),
    *("0", "-0", "-1", "1.5", "1e400", "01", "0x1", "9007199254740992", "9" * 400, "9" * 5000),
    *("NaN", "Infinity", "-Infinity", '""', '"X"', '"first"', '"tic-tac-toe"', '"........."', '"\\x41"'),
    *('"\\u0000"', '"\\ud800"', '"\\udfff\\ud800"', '"\x00"', '"\x7f"', '"\u202e\ufeff"', f'"{"X" * 300}"'),
)
"""Values as they stand in a body: some are no JSON."""

NO_UTF8 = (b"", b" ", b"\xff", b"\xc0\xaf", b"\xed\xa0\x80", b"\xef\xbb\xbf" + BODY, BODY.decode().encode("utf-16"))
TYPES = (
    *("text/plain", "application/xml", "multipart/form-data", "application/x-www-form-urlencoded", "*/*", "json"),
    *("application/json; charset=latin-1", "application/problem+json", "application/json, text/plain"),
    *("", ";", "\xff/"),
)
TEXTS = (
    *("X...O....", "X../.O./...", "XO" * 9, "4,0,8", "4,,x", "-1", "9" * 30, "tic-tac-toe", "random", "not-found"),
    *("docs.js", "../", "%", "", "\n", "\x00", "\u00e9", "\u0663", "\ud7ff"),
)
HEADERS = (
    *(("X-Request-ID", ""), ("X-Request-ID", "a" * 129), ("X-Request-ID", '"\\\xe9\t{'), ("User-Agent", "x" * 4000)),
    *(("If-None-Match", "*"), ("If-None-Match", '"x", W/"y'), ("Accept", "text/html"), ("Accept", "\xff")),
    *(("Accept-Encoding", "gzip, br;q=2"), ("Content-Encoding", "gzip"), ("Content-Language", "-"), ("TE", "x")),
    *(("Connection", "close"), ("Connection", "Upgrade, \xff"), ("Upgrade", "websocket"), ("Keep-Alive", "-1")),
    *(("Host", ""), ("Host", "a/b?c#d e"), ("Host", "[::1]:99999999"), ("Host", "\xe9"), ("Max-Forwards", "-1")),
    *(("Range", "bytes=0-0"), ("Range", "bytes=9-1"), ("If-Modified-Since", "yesterday"), ("Cookie", "a=\xff; $x")),
    *(("X-Forwarded-For", "::1, \xff"), ("X-Forwarded-Proto", "gopher"), ("X-Forwarded-Host", "evil.example/\\")),
    *(("Forwarded", 'for="_x;by='), ("Authorization", "Basic ????"), ("X-HTTP-Method-Override", "DELETE")),
    *(("Origin", "null"), ("Origin", "https://a\\b"), ("SCRIPT_NAME", "/other"), ("PATH_INFO", "/other")),
)
