"""``solve``: a position with all its moves, however long it takes."""

from typing import Any

import click

from service.cli import words
from service.cli.answers import analysed
from service.cli.meter import Meter
from service.cli.options import PositionCommand, json_option, limit_options, position_options, read_request
from service.cli.positions import EMPTY_BOARD, game_of
from service.cli.replies import print_body, refuse
from service.cli.services import LONGEST_MS, find_service, read_json, service_url


@click.command(cls=PositionCommand)
@position_options
@limit_options("by default as long as it takes")
@json_option
def solve(*, as_json: bool, **given: Any) -> None:
    """Solve a game from its empty board, or from POSITION, until the value of every move is proven.

    It takes what it takes, unless there is a limit. How far it is, is told on standard error. With --json the last
    line of the stream of POST /analysis is printed.
    """
    request = read_request(given, default=EMPTY_BOARD)
    if service_url() is None:
        request.setdefault("limit", {"time_ms": LONGEST_MS})
    service, meter, last = find_service(), Meter(), b"{}"
    line: dict[str, Any] = {}
    try:
        for last in service.stream("/analysis", request):
            line = read_json(last)
            if "progress" in line:
                meter.show(line["progress"])
    finally:
        meter.clear()
    if not line or "progress" in line:
        raise click.ClickException("The search broke off: the connection closed before the answer was complete.")
    if "result" not in line:
        refuse(line.get("problem", line))
    if as_json:
        print_body(last)
        return
    click.echo(f"{analysed(line['result'], game_of(request))}\n\n{words.facts(meter.total(service.searched))}")
