"""``/proof``: a certificate of the outcome of a position."""

from collections.abc import Iterator
from time import perf_counter

from flask import Blueprint, Response, request

from service.api.read.http import read_body
from service.api.read.question import read_claim, reading_nodes
from service.api.read.reading import parse_body
from service.api.read.refusals import refusals
from service.api.request_context import make_note, request_context
from service.api.responses import NDJSON, NEVER, server_timing
from service.api.wire.requests import ProofRequest
from service.api.write.certificates import certificate_lines, no_certificate
from service.engine.certificates.certificate import Certificate, Unproven
from service.engine.oracle import Oracle
from service.engine.work.limit import Effort
from service.engine.work.slots import SearchSlots, reserve
from service.settings import Settings

LINE_NODES = 5
"""The nodes that a line of a certificate counts for."""


def proof_routes(oracle: Oracle, settings: Settings, slots: SearchSlots | None) -> Blueprint:
    """Return the route; ``oracle`` answers within the limits of the settings, long searches take ``slots``."""
    routes = Blueprint("proof", __name__)

    @routes.post("/proof")
    def post_proof() -> Response:
        reading, client, started = parse_body(ProofRequest, read_body(request)), request_context(), perf_counter()
        position, limit = read_claim(reading, settings, client.must_stop)
        with reserve(slots, reading_nodes(reading.wanted.game)) as slot, refusals(position.game):
            found, source, nodes = oracle.certify(position, limit=limit, slot=slot)
            lines = _written(found, Effort(limit, slot)) if isinstance(found, Certificate) else []
        outcome = "unknown" if isinstance(found, Unproven) else found.outcome
        complete = isinstance(found, Certificate)
        client.notes = {make_note(position.game.id, source, outcome, reproducible=complete, nodes=nodes): 1}
        if not isinstance(found, Certificate):
            raise no_certificate(found, position)
        headers = {"Cache-Control": NEVER, "Server-Timing": server_timing(source, nodes, perf_counter() - started)}
        return Response(b"".join(lines), mimetype=NDJSON, headers=headers)

    return routes


def _written(certificate: Certificate, effort: Effort) -> list[bytes]:
    """Return the lines of a certificate. Raises Overloaded if there are many and no slot is free to write them."""
    lines: list[bytes] = []

    def steps() -> Iterator[int]:
        for line in certificate_lines(certificate):
            yield LINE_NODES
            lines.append(line)

    effort.work(steps())
    return lines
