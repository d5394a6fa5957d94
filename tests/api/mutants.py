"""Requests to every route, and what becomes of them when their bytes are changed, moved, lost or framed anew.

Each mutant depends on its seed and its number alone, so that one can be made again without those before it.
"""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from tests.hostile import BODY
from tests.wire import JSON, chunked, request
from tests.worlds import WIDE

HEAD_END = b"\r\n\r\n"


def _posted(path: str, document: object, accept: str = "application/json") -> bytes:
    return request("POST", path, {**JSON, "Accept": accept}, json.dumps(document).encode())


def _got(*paths: str) -> list[bytes]:
    return [request("GET", path) for path in paths]


SEARCHED = {"game": WIDE, "moves": [3, 3, 3], "limit": {"nodes": 300}}
LINES = b'{"board": "X...O...."}\n{"board": "?"}\n'
FLAT = {"rows": 3, "columns": 4, "in_a_row": 3, "misere": True}

CORPUS: tuple[bytes, ...] = (
    request("POST", "/best-move", JSON, BODY),
    _posted("/best-move", SEARCHED),
    _posted("/best-move", {"board": [["X", 1, 2], ["O", 4, 5], [6, 7, 8]], "tie_break": "random", "seed": 7}),
    _posted("/best-move", {"game": FLAT, "moves": [], "skill": 9, "seed": 1, "limit": {"nodes": 300}}),
    _posted("/best-move", {"board": ["X..", ".O.", "..."], "player": "x"}),
    _posted("/best-move", {"board": [1, 0, 0, 0, 2, 0, 0, 0, 0]}),
    _posted("/best-move", {"board": "🔴⬜⬜/⬜🟡⬜/⬜⬜⬜"}),
    _posted("/best-move", {"moves": ["b2", 0, "C3"]}),
    request("POST", "/best-move", {**JSON, "Content-Type": "text/plain;charset=UTF-8"}, b"{}"),
    _posted("/analysis", {"board": "X...O...."}),
    _posted("/analysis/stream", SEARCHED, accept="application/x-ndjson"),
    _posted("/best-moves", {"positions": [{"board": "X...O...."}, {"board": "?"}, SEARCHED]}),
    request("POST", "/best-moves/lines?detail=value", {**JSON, "Content-Type": "application/x-ndjson"}, LINES),
    _posted("/review", {"moves": [0, 4, 8, 2, 6], "first_player": "X"}),
    _posted("/review/stream", {"moves": [0, 4, 8, 2, 6]}, accept="text/event-stream"),
    _posted("/proof", {"board": "X...O....", "limit": {"nodes": 1000}}),
    request("GET", "/analysis/stream?board=X...O....", {"Accept": "text/event-stream", "Last-Event-ID": "1"}),
    *_got("/best-move?board=X...O....", "/best-move?rows=4&columns=3&in_a_row=3&nodes=300&moves=0,1"),
    _posted("/review", {"game": "connect-four-5x4", "moves": "332", "limit": {"nodes": 300}}),
    *_got("/best-move?game=connect-four&drops=44455&nodes=300", "/best-move?game=connect-four-6x5&drops=44&nodes=300"),
    *_got("/position.svg?moves=4,0&show=best,evaluation&theme=dark", "/puzzles?seed=1&plies=3&solution=true"),
    *_got("/position.png?moves=4,0"),
    _posted("/position.svg", {"game": "connect-four", "moves": "4453", "size": 64}),
    _posted("/random-position", {"game": "connect-four", "plies_at_least": 8, "plies_at_most": 12, "seed": 7}),
    _posted("/random-positions", {"game": "connect-four", "count": 2, "seed": 7}),
    *_got("/best-move", "/best-move?moves=b2,a1"),
    *_got("/analysis?board=XX./OO./...&player=X", "/games", "/games/qubic", "/problems", "/problems/not-found"),
    *_got("/healthz", "/readyz", "/version", "/metrics", "/openapi.yaml", "/openapi.json", "/docs", "/docs/docs.js"),
    *_got("/", "/embed", "/learn", "/page/main.js", "/page/move-oracle.js"),
    request("HEAD", "/best-move?board=X...O...."),
    request("OPTIONS", "/best-move"),
    request("GET", "/best-move?board=X...O....", {"If-None-Match": "*", "X-Request-ID": "a", "Accept": "*/*"}),
)
"""Ordinary requests to every route."""

VARYING = (b"/metrics", b"/readyz", b"x-ndjson", b"event-stream")
"""Parts of requests whose replies change with time."""

TELLING = tuple(data for data in CORPUS if not any(mark in data for mark in VARYING))
"""Requests whose replies are always the same."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """Bytes to send, cut into ``pieces``; ``originals`` are the whole requests that they still are, if they are any."""

    pieces: tuple[bytes, ...]
    originals: tuple[bytes, ...] = ()

    @property
    def data(self) -> bytes:
        """All of it."""
        return b"".join(self.pieces)


def mutant(seed: int, number: int) -> Mutant:
    """The mutant of this number: three of four are damaged, the others only framed in another way."""
    random = Random(f"{seed} {number}")
    return _damaged(random) if random.random() < 0.75 else _reframed(random)


def _damaged(random: Random) -> Mutant:
    data = b"".join(random.choice(CORPUS) for _ in range(random.choice([1, 1, 1, 2, 3])))
    if random.random() < 0.3:
        data = _in_chunks(random, data) or data
    for _ in range(random.choice([1, 1, 2, 3, 8])):
        data = random.choice(DAMAGES)(random, data)
    return Mutant(_pieces(random, data))


def _reframed(random: Random) -> Mutant:
    """The same requests in pieces, in chunks, behind one another, their headers written in another way."""
    originals = tuple(random.choice(TELLING) for _ in range(random.choice([1, 2, 3, 6])))
    written = [random.choice(FRAMES)(random, data) or data for data in originals]
    return Mutant(_pieces(random, b"".join(written)), originals)


def _pieces(random: Random, data: bytes) -> tuple[bytes, ...]:
    cuts = sorted(random.randrange(len(data) + 1) for _ in range(random.choice([0, 0, 1, 2, 5])))
    return tuple(data[start:end] for start, end in zip([0, *cuts], [*cuts, len(data)], strict=True))


def _flip(random: Random, data: bytes) -> bytes:
    at = random.randrange(len(data))
    return data[:at] + bytes([data[at] ^ 1 << random.randrange(8)]) + data[at + 1 :]


def _insert(random: Random, data: bytes) -> bytes:
    at = random.randrange(len(data) + 1)
    return data[:at] + random.choice([*WORDS, random.randbytes(random.randint(1, 8))]) + data[at:]


def _delete(random: Random, data: bytes) -> bytes:
    at = random.randrange(len(data))
    return data[:at] + data[at + random.choice([1, 1, 2, 5, 40]) :] or b"G"


def _truncate(random: Random, data: bytes) -> bytes:
    return data[: random.randint(1, len(data))]


def _duplicate(random: Random, data: bytes) -> bytes:
    start, end = sorted(random.randrange(len(data) + 1) for _ in range(2))
    return data[:end] + data[start:end] * random.choice([1, 1, 3]) + data[end:]


def _splice(random: Random, data: bytes) -> bytes:
    other = random.choice(CORPUS)
    return data[: random.randint(1, len(data))] + other[random.randrange(len(other)) :]


def _number(random: Random, data: bytes) -> bytes:
    """Puts another number in the place of one."""
    found = list(re.finditer(rb"\d+", data))
    if not found:
        return data
    chosen = random.choice(found)
    return data[: chosen.start()] + random.choice(NUMBERS) + data[chosen.end() :]


def _header(random: Random, data: bytes) -> bytes:
    """Adds a header that is about the framing of messages."""
    line_end = data.find(b"\r\n") + 2
    return data[:line_end] + random.choice(FRAMING) + b"\r\n" + data[line_end:]


DAMAGES: tuple[Callable[[Random, bytes], bytes], ...] = (
    *(_flip, _flip, _insert, _insert, _delete, _truncate, _duplicate, _splice, _number, _header),
)
NUMBERS = (b"0", b"-1", b"1", b"9", b"00", b"+5", b"0x10", b"1e9", b"65536", b"4294967296", b"9" * 30, b"", b"\xb2")
FRAMING = (
    *(b"Content-Length: 5", b"Content-Length: 0", b"Transfer-Encoding: chunked", b"Transfer-Encoding: identity"),
    *(b"Transfer-Encoding : chunked", b"Expect: 100-continue", b"Connection: close", b"Connection: keep-alive"),
    *(b"Connection: Upgrade\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__", b"Trailer: Content-Length", b"TE: x"),
    *(b"Content-Encoding: gzip", b"X: " + b"a" * 9000, b"Host: b", b"Host:", b" folded", b"Keep-Alive: timeout=0"),
)
WORDS = (
    *(b"\r\n", b"\n", b"\r", b"\r\n\r\n", b"\x00", b" ", b"\t", b":", b"%", b"%00", b"%ff", b"/", b"?", b"#"),
    *(b"HTTP/1.0", b"HTTP/2.0", b"0\r\n\r\n", b"\xef\xbb\xbf", b"\xff", b"\\u0000", b'"', b"[", b"{", b"null"),
)


def _in_chunks(random: Random, data: bytes) -> bytes | None:
    """The request with its body in chunks; None if it has none."""
    head, _, body = data.partition(HEAD_END)
    if not body or (length := re.search(rb"Content-Length: \d+", head)) is None:
        return None
    parts = [piece for piece in _pieces(random, body) if piece]
    return head.replace(length[0], b"Transfer-Encoding: chunked", 1) + HEAD_END + chunked(parts)


def _in_other_letters(random: Random, data: bytes) -> bytes:
    """The names of headers in any case, any blanks around their values."""
    head, _, body = data.partition(HEAD_END)
    first, *headers = head.split(b"\r\n")
    pairs = [header.split(b": ", 1) for header in headers]
    blanks = [b"", b" ", b"\t", b"   "]
    lines = [
        random.choice([name.upper(), name.lower()]) + b":" + random.choice(blanks) + value + random.choice(blanks)
        for name, value in pairs
    ]
    return b"\r\n".join([first, *random.sample(lines, len(lines))]) + HEAD_END + body


FRAMES: tuple[Callable[[Random, bytes], bytes | None], ...] = (lambda *_: None, _in_chunks, _in_other_letters)
