"""Clients that do more than ask: they hold connections, or compare what they get with the truth."""

import asyncio
import json
from functools import lru_cache
from itertools import permutations

from loadtests.positions.questions import UNSEEN, Question, other_questions
from loadtests.siege.attacks.target import Target, Wire, call, get, post

ASK = post("/best-move", {"board": "X...O...."})

SLOW_SECONDS = 0.5
"""Between two bytes of a slow request."""

LATE_SECONDS = 0.2
"""Between the head of an honest request and its body."""

PATIENCE_SECONDS = 5
"""After which an honest client gives up."""

MOST_CUT = 0.1
"""The part of the honest requests that may be cut off: 0 of 360 were, beside two other busy processes."""

PIECE, PIECES = get("/x") * 4000, 400
"""Tiny requests, and how often they are sent on one connection at most."""

FOREIGN = "evil.example"

HOSTS = (
    FOREIGN,
    f"{FOREIGN}:8443",
    f"localhost\r\nHost: {FOREIGN}",
    f"{FOREIGN}\r\nHost: localhost",
    f'x"><script src="//{FOREIGN}">',
    f"{FOREIGN}\\@localhost",
    f"{FOREIGN}/..",
    f"localhost\r\nX-Forwarded-Host: {FOREIGN}",
    f"localhost\r\nX-Forwarded-Prefix: //{FOREIGN}",
    f"localhost\r\nForwarded: host={FOREIGN};proto=https",
    "xn--a",
    "xn--" + "a" * 80,
    "[::1",
    "\xe9",
    "a" * 300,
    "",
)

BOARD = "board=X...O...."
PAGES = (
    *("/?game=connect-four&drops=44", f"/?{BOARD}", "/", "/embed", "/docs", "/openapi.yaml", "/openapi.json", "/games"),
    *(f"/best-move?{BOARD}", f"/position.svg?{BOARD}", "/version", "/nothing", "/mcp"),
)

REPEATED = {
    "Accept": ("application/json", "application/json;q=0.1", "application/x-ndjson", "text/event-stream"),
    "Content-Type": ("application/json", "text/plain", "application/x-ndjson"),
    "Accept-Encoding": ("identity", "gzip", "br"),
    "If-None-Match": ('"x"', "*"),
    "X-Request-ID": ("a", "b"),
    "Origin": ("https://a.example", "https://b.example"),
    "X-HTTP-Method-Override": ("GET", "DELETE"),
}
"""Headers that could decide an answer, with values of which two are sent."""

PAIRS = [
    (f"{name}: {one}", f"{name}: {other}")
    for name, values in REPEATED.items()
    for one, other in permutations(values, 2)
]

PLAIN_ASKS = 4
"""Plain requests after each that is to poison: enough to reach every worker."""

questions = lru_cache(other_questions)
QUESTIONS = 100


async def flood(wire: Wire) -> None:
    """Send tiny requests as fast as they are taken, and read what comes."""
    reading = asyncio.create_task(wire.replies())
    try:
        for _ in range(PIECES):
            await wire.send(PIECE)
        await wire.wait()
    finally:
        reading.cancel()


async def hold_silent_and_slow(target: Target) -> None:
    """Hold 300 silent and 150 slow connections, and see whether requests that arrive in two parts are answered."""
    async with asyncio.TaskGroup() as group:
        group.create_task(target.stay(300, Wire.wait))
        group.create_task(target.stay(150, _send_slowly))
        group.create_task(target.crowd(4, lambda _: _ask_in_two_parts(target)))
    honest, cut = target.outcomes["200"], target.outcomes["cut off"]
    if cut > MOST_CUT * (honest + cut):
        target.wrong.append(f"of {honest + cut} requests whose body came after {LATE_SECONDS} s {cut} were cut off")


async def read_resource(target: Target, number: int) -> None:
    """List the resources of /mcp and read one."""
    reply = await target.ask(call("resources/list", number))
    if reply is not None and reply.status == 200:
        listed = json.loads(reply.body)["result"]["resources"]
        await target.ask(call("resources/read", number, uri=listed[number % len(listed)]["uri"]))


async def ask_under_foreign_host(target: Target, number: int) -> None:
    """Ask for a page under another host, which no answer may name; a refusal may."""
    host, page = HOSTS[number % len(HOSTS)], PAGES[number // len(HOSTS) % len(PAGES)]
    reply = await target.ask(get(page, host=host), leave_after=PATIENCE_SECONDS)
    if reply is not None and reply.status < 400 and FOREIGN in f"{reply.headers} {reply.body.decode(errors='replace')}":
        target.wrong.append(f"{page} under the host {host!r} names it")


async def poison(target: Target, number: int) -> None:
    """Send a header twice with two values, then ask the same plainly and compare the answer with the truth."""
    question: Question = questions(QUESTIONS)[number % QUESTIONS]
    body, headers = question.body + f"{number:b}".translate(UNSEEN).encode(), PAIRS[number % len(PAIRS)]
    await target.ask(post(question.path, body, *headers), leave_after=PATIENCE_SECONDS)
    for _ in range(PLAIN_ASKS):
        reply = await target.ask(post(question.path, body), leave_after=PATIENCE_SECONDS)
        if reply is not None and (reply.status, reply.body) != (200, question.answer):
            got = f"{reply.headers.get('content-type')} {reply.body[:60]!r}"
            target.wrong.append(f"after {' and '.join(headers)} a plain request got {got}")


async def _send_slowly(wire: Wire) -> None:
    for byte in ASK[:-1]:
        await wire.send(bytes([byte]))
        await asyncio.sleep(SLOW_SECONDS)
    await wire.wait()


async def _ask_in_two_parts(target: Target) -> None:
    head, body = ASK.split(b"\r\n\r\n")
    try:
        async with asyncio.timeout(PATIENCE_SECONDS), target.connection(head + b"\r\n\r\n") as wire:
            await asyncio.sleep(LATE_SECONDS)
            await wire.send(body)
            await wire.reply()
    except (OSError, asyncio.IncompleteReadError):
        target.outcomes["cut off"] += 1
