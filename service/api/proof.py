"""``/proof``: the outcome of a position as a certificate that anyone can check, in lines of JSON."""

from collections.abc import Iterator, Sequence
from time import perf_counter
from typing import Literal, cast

from flask import Blueprint, Response, request
from pydantic_core import to_json
from typing_extensions import TypedDict

from service.api.notation import read_position
from service.api.problems import Error, Problem, faulty, pointer
from service.api.question import read_game, read_limit, reading_nodes
from service.api.reading import parse_body, read_body
from service.api.request_context import make_note, request_context
from service.api.requests import ProofRequest
from service.api.responses import NDJSON, NEVER, server_timing
from service.engine.certificate import MOST_ENTRIES, Certificate, Entry, Strategy, Unfinished, Unproven
from service.engine.limit import Effort
from service.engine.oracle import Oracle
from service.engine.result import Outcome, ends
from service.engine.slots import SearchSlots, reserve
from service.games.game import Game, Wrap
from service.games.position import Player, Position
from service.settings import Settings

LINE_NODES = 5
"""What it takes to write a line of a certificate."""


class GridHeader(TypedDict):
    """The first line of a certificate about a game on a grid: version of the format, rules, position and outcome.

    ``symmetries`` are those by which an entry serves for other positions: cell ``c`` goes to cell ``symmetry[c]``.
    """

    certificate: Literal[1]
    rows: int
    columns: int
    layers: int
    in_a_row: int
    gravity: bool
    misere: bool
    wrap: Wrap
    position: str
    player: Player
    outcome: Outcome
    symmetries: Sequence[Sequence[int]]


class LinesHeader(TypedDict):
    """The first line of a certificate about a game whose lines were written by hand."""

    certificate: Literal[1]
    cells: int
    misere: bool
    lines: Sequence[Sequence[int]]
    position: str
    player: Player
    outcome: Outcome
    symmetries: Sequence[Sequence[int]]


class ClaimLine(TypedDict):
    """The line before the entries of a strategy: who gets how much by it."""

    holder: Player
    at_least: Literal["win", "draw"]


def proof_routes(oracle: Oracle, settings: Settings, slots: SearchSlots | None) -> Blueprint:
    """Return the route, answered by ``oracle`` within the limits of the settings; long searches take ``slots``."""
    routes = Blueprint("proof", __name__)

    @routes.post("/proof")
    def post_proof() -> Response:
        wanted, client, started = parse_body(ProofRequest, read_body(request)), request_context(), perf_counter()
        position = read_position(wanted, read_game(wanted.game, pointer))
        limit = read_limit(wanted.limit, settings, client.must_stop, pointer)
        with reserve(slots, reading_nodes(wanted.game)) as slot:
            found, source, nodes = oracle.certify(position, limit=limit, slot=slot)
            lines = _written(found, Effort(limit, slot)) if isinstance(found, Certificate) else []
        outcome = "unknown" if isinstance(found, Unproven) else found.outcome
        complete = isinstance(found, Certificate)
        client.notes = {make_note(position.game.id, source, outcome, reproducible=complete, nodes=nodes): 1}
        if not isinstance(found, Certificate):
            raise _refusal(found, position)
        headers = {"Cache-Control": NEVER, "Server-Timing": server_timing(source, nodes, perf_counter() - started)}
        return Response(b"".join(lines), mimetype=NDJSON, headers=headers)

    return routes


def _written(certificate: Certificate, effort: Effort) -> list[bytes]:
    """Return the lines of a certificate. Raises Overloaded if there are many, and no room to write them."""
    lines: list[bytes] = []

    def steps() -> Iterator[int]:
        for line in certificate_lines(certificate):
            yield LINE_NODES
            lines.append(line)

    effort.work(steps())
    return lines


def _refusal(found: Unproven | Unfinished, position: Position) -> Problem:
    """Return the problem of a position for which there is no certificate within the limit."""
    kind, code = "certificate-too-large", "unfinished"
    if isinstance(found, Unproven):
        kind = code = "unproven"
        detail = f"The outcome is not proven within the limit: {_what_is_known(found, position.player)}."
    elif found.too_many:
        code = "too-large"
        detail = f"The outcome is proven, but its certificate needs more than {MOST_ENTRIES} entries, the most allowed."
    else:
        detail = (
            f"The outcome is proven, but its certificate had only grown to {found.entries} entries, of at most "
            f"{MOST_ENTRIES}, when the limit was reached."
        )
    higher = "Ask for" if code == "too-large" else "Give a higher limit, or ask for"
    return faulty(kind, [Error("", code, f"{detail} {higher} a position later in the game.")])


def _what_is_known(found: Unproven, player: Player) -> str:
    least, most = ends(found.known)
    if least == "draw":
        return f"{player} does not lose, but may not win"
    return "no result is ruled out yet" if most == "win" else f"{player} does not win, but may lose"


def certificate_lines(certificate: Certificate) -> Iterator[bytes]:
    """Yield the lines of a certificate, as the documentation describes them."""
    yield _line(_header(certificate))
    for strategy in certificate.strategies:
        yield _line(ClaimLine(holder=strategy.holder, at_least="win" if strategy.wins else "draw"))
        for masks, entry in strategy.entries.items():
            yield _line(_entry(strategy, certificate.position.game, masks, entry))


def _line(value: object) -> bytes:
    return to_json(value) + b"\n"


def _header(certificate: Certificate) -> GridHeader | LinesHeader:
    """Return the header, its fields in the order that the format has."""
    game, position = certificate.position.game, certificate.position
    fields = LinesHeader if game.in_a_row is None else GridHeader
    known = {
        "certificate": 1,
        "position": str(position),
        "player": position.player,
        "outcome": certificate.outcome,
        "symmetries": certificate.symmetries,
    }
    header = {name: known[name] if name in known else getattr(game, name) for name in fields.__annotations__}
    return cast("GridHeader | LinesHeader", header)


def _entry(strategy: Strategy, game: Game, masks: tuple[int, int], entry: Entry) -> list[object]:
    x, o = masks if strategy.holder == "X" else masks[::-1]
    board = str(Position(game, x, o, strategy.holder))
    played = entry.cells if len(entry.cells) > 1 else entry.cells[0]
    return [board, played, entry.pairs] if entry.pairs else [board, played]
