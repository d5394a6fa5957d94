"""Every attack by its name."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from random import Random
from types import MappingProxyType

from loadtests.siege.attacks import bodies, clients
from loadtests.siege.attacks.target import Target, Wire, call, get, post

BURST_SECONDS = 7.5
"""The least time of a round that opens hundreds of connections at once: as long as in a siege of five minutes.

Other new connections wait until those were taken, some 200 ms. In a round of 2 s these few would be the p99 of all.
"""

Run = Callable[[Target], Awaitable[None]]
Request = Callable[[int], bytes]
"""Returns the request with a number."""


@dataclass(frozen=True, slots=True)
class Attack:
    """What is done to the server until the time of its target is over, told in a ``line``.

    ``settings`` replace those of the manifest. ``files`` is the most files that a worker may open, and ``seconds`` the
    least time of a round.
    """

    line: str
    run: Run
    settings: Mapping[str, str] = field(default_factory=dict)
    files: int | None = None
    seconds: float = 0


def _crowd(size: int, request: Request, leave_after: Callable[[int], float] | None = None) -> Run:
    """Have a crowd ask again and again; by default each waits for the answer."""
    return lambda target: target.crowd(
        size, lambda number: target.ask(request(number), leave_after=leave_after and leave_after(number))
    )


def _acting(size: int, act: Callable[[Target, int], Awaitable[None]]) -> Run:
    return lambda target: target.crowd(size, partial(act, target))


def _together(size: int, request: Request) -> Run:
    return lambda target: target.together(size, lambda number: target.ask(request(number)))


def _unread(size: int, request: bytes) -> Run:
    async def ask(wire: Wire) -> None:
        await wire.send(request)
        await wire.read_nothing()

    return lambda target: target.stay(size, ask)


def _behind_a_search(size: int, request: bytes) -> Run:
    slow = post("/best-move", {"game": "qubic", "moves": [0, 21, 5], "limit": {"time_ms": 5000}})

    async def ask(wire: Wire) -> None:
        await wire.send(slow + request)
        await wire.replies()

    return lambda target: target.stay(size, ask)


STREAM = {"game": "five-in-a-row-6x6", "moves": [0], "limit": {"time_ms": 60_000}}
BATCH = {"positions": [bodies.FAULTY] * bodies.MOST_POSITIONS}

ATTACKS: Mapping[str, Attack] = MappingProxyType(
    {
        "pipeline": Attack(
            "Send tiny requests on one connection as fast as they are taken, and read what comes.",
            lambda target: target.stay(1, clients.flood),
        ),
        "pipeline-40": Attack(
            "Send 400 KB of tiny requests behind a search on each of 40 connections.",
            _behind_a_search(40, get("/x") * 11_000),
        ),
        "repeated-headers": Attack(
            "Send a header twice with two values, then ask the same plainly and compare the answer with the truth.",
            _acting(4, clients.poison),
        ),
        "hosts": Attack(
            "Ask for every kind of page under foreign, repeated and broken hosts; no answer may name the host.",
            _acting(8, clients.ask_under_foreign_host),
        ),
        "puzzles": Attack("Ask for puzzles that are never found, 24 at once.", _crowd(24, bodies.puzzle)),
        "own-rules": Attack(
            "Ask about 1,000 boards with rules of their own in a batch, 24 at once, and wait for the answers.",
            _crowd(24, bodies.own_rules),
        ),
        "own-rules-left": Attack(
            "Send the same batches, and leave after a second.", _crowd(24, bodies.own_rules, lambda _: 1.0)
        ),
        "families": Attack(
            "Ask about 100 games of families of up to 200,000 states in a batch, 3 at once.",
            _together(3, partial(bodies.families, bodies.MEDIUM, 100)),
        ),
        "unread-batches": Attack(
            "Ask about 1,000 boards with a fault in every cell in a batch, 24 at once, and read no answer.",
            _unread(24, post("/best-moves", BATCH)),
        ),
        "unread-pages": Attack(
            "Ask for the contract again and again on 40 connections, and never read it.",
            _unread(40, get("/openapi.json") * 400),
        ),
        "unread-streams": Attack(
            "Ask for streams of searches of a minute, 40 at once, and never read them.",
            _unread(40, post("/analysis/stream", STREAM)),
        ),
        "equal": Attack(
            "Ask for the same hard search, 600 at once.",
            _together(600, lambda _: post("/best-move", bodies.HARD)),
            seconds=BURST_SECONDS,
        ),
        "equal-mcp": Attack(
            "Call a tool of /mcp for the same hard search, 600 at once.",
            _together(600, lambda number: call("tools/call", number, name="best_move", arguments=bodies.HARD)),
            seconds=BURST_SECONDS,
        ),
        "own-games": Attack(
            "Ask about games with 1,024 lines of their own, a different one each time.", _crowd(8, bodies.own_lines)
        ),
        "mixed": Attack(
            "Ask for analyses, reviews, proofs and streams of many games, and leave before the answer.",
            _crowd(32, bodies.any_search, lambda number: Random(str(number)).random() / 2),
        ),
        "slashes": Attack(
            "Ask under long paths of slashes, a different one each time.",
            _crowd(16, lambda number: get(f"{'/' * 15_000}best-move?moves=1&seed={number}")),
        ),
        "resources": Attack("List and read the resources of /mcp, 40 at once.", _acting(40, clients.read_resource)),
        "pictures": Attack("Ask for pictures of random positions, 300 at once.", _crowd(300, bodies.picture)),
        "silent": Attack(
            "Hold 300 silent and 150 slow connections, and see whether requests that arrive in two parts are answered.",
            clients.hold_silent_and_slow,
            files=200,
        ),
        "large-families": Attack(
            "Ask about 300 games of families of up to 11 million states in a batch.",
            _together(1, partial(bodies.families, bodies.LARGE, 300)),
            {"MAX_POSITIONS": "20000000"},
        ),
    }
)
"""The attacks in their order; those with settings of their own, which need another server, are last."""
