"""``proof``: a certificate of the outcome of a position, for a file that another program can check.

With ``--output`` this machine or a Dask cluster builds it: level by level, each level in tasks whose results are kept.
"""

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, partial
from http import HTTPStatus
from itertools import count
from math import inf
from pathlib import Path
from time import monotonic
from typing import Any

import click

from service import __version__
from service.api.problems import Problem
from service.api.read.refusals import refusals
from service.api.write.certificates import claim_line, entry_line, header_line
from service.book.builder.checkpoints import Checkpoints
from service.book.file import InvalidBook
from service.cli import text
from service.cli.client import LIMITS, Request, open_client, print_body, read_answer, refuse, service_url
from service.cli.commands.answers import POSITION_HELP
from service.cli.commands.executors import open_checkpoints, scheduler_option, workers_option
from service.cli.exit_codes import INTERRUPTED
from service.cli.options import PositionCommand, limit_options, position_of, position_options, read_request
from service.cli.progress import ask
from service.engine.certificates.certificate import Entry, claims
from service.engine.certificates.strategy import Expansion
from service.engine.oracle import Oracle
from service.engine.result import Outcome, ends
from service.engine.work.limit import Effort, Limit
from service.games.position import Position
from service.kernel.states.family import State
from service.oracles import open_oracle
from service.settings import InvalidSetting, Settings

PARTS, MOST_IN_PART = 64, 500
"""The number of tasks of a level, and the maximum number of positions of a task; a large level has more tasks."""

PROOF_HELP = f"""Print a certificate of the outcome of a position, which anyone can check.
{POSITION_HELP}
    A certificate is lines of JSON. Keep it in a file, and check it with examples/check_proof.py, or with
    examples/check_family_proof.py for a game of a family:

    move-oracle proof XX..O.... > proof.jsonl && python3 examples/check_proof.py proof.jsonl

    With --output it may be of any size and take any time. After an interruption the same command continues where
    it stopped:

    move-oracle proof --game connect-four --output connect-four.jsonl
"""


@click.command(cls=PositionCommand, help=PROOF_HELP)
@position_options
@limit_options("by default 5000")
@click.option(
    "--output",
    "-o",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="File to build, without limit.",
)
@scheduler_option
@workers_option
def proof(*, output: Path | None, scheduler: str | None, workers: int | None, **given: Any) -> None:
    """Print the certificate of a position, or build the file of a certificate of any size."""
    request = read_request(given)
    if output is not None:
        if service_url() or any(given[name] is not None for name in LIMITS):
            raise click.UsageError("--output builds the file in this process and without a limit: leave out the other.")
        _build(output, request, workers, scheduler)
        return
    if scheduler or workers:
        raise click.UsageError("--scheduler and --workers build a file: name it by --output.")
    reply = ask(open_client(), "/proof", request)
    if reply.status >= HTTPStatus.BAD_REQUEST:
        read_answer(reply)
    print_body(reply.body)
    if reply.interrupted:
        click.get_current_context().exit(INTERRUPTED)


def _build(path: Path, request: Request, workers: int | None, scheduler: str | None) -> None:
    """Write the certificate of a position to a file, and say what is in it."""
    began, position, entries = monotonic(), position_of(request), 0
    outcome = _outcome(position)
    plan = {"version": __version__, "request": request, "outcome": outcome, "parts": [PARTS, MOST_IN_PART]}
    with open_checkpoints(path, plan, workers, scheduler) as checkpoints:
        unfinished = checkpoints.folder / "certificate"
        with unfinished.open("wb") as file:
            for line in _lines(position, outcome, request, checkpoints):
                file.write(line)
                entries += line.startswith(b"[")
        unfinished.replace(path)
    size, seconds = path.stat().st_size, monotonic() - began
    facts = {"outcome": outcome, "entries": f"{entries:,}", "size": f"{size:,} bytes", "time": f"{seconds:.0f} s"}
    text.echo(f"{path}\n\n{text.facts([*facts.items()])}")


def _outcome(position: Position) -> Outcome:
    """Return the proven outcome of a position; end the command if no table can have it."""
    text.echo("Proving the outcome ...", err=True)
    try:
        with refusals(position.game):
            known, _ = _oracle().lookup_or_search(position, Effort(Limit(inf, outcome=True)), all_best=False)
    except Problem as problem:
        refuse(problem.document())
    outcome, most = ends(known)
    if outcome != most:
        raise click.ClickException("The searches contradict each other, so the outcome is not proven.")
    return outcome


def _lines(position: Position, outcome: Outcome, request: Request, checkpoints: Checkpoints) -> Iterator[bytes]:
    """Yield the lines of a certificate; the tasks expand the positions of one level after the other."""
    yield header_line(position, outcome, symmetric=True)
    game, about, effort = position.game, json.dumps(request), Effort(Limit(inf))
    for holder, wins in claims(position, outcome):
        yield claim_line(holder, wins=wins)
        levels = count(1)

        def expand_all(states: Sequence[State]) -> Iterator[Expansion]:
            size = max(1, min(MOST_IN_PART, len(states) // PARTS))
            parts = [states[start : start + size] for start in range(0, len(states), size)]
            tasks = [partial(expand, about, holder, part, wins=wins) for part in parts]  # noqa: B023, called here
            for expanded in checkpoints.results(f"{holder}, level {next(levels)}", tasks):  # noqa: B023, as above
                yield from map(_read, json.loads(expanded))

        if position.legal_moves:
            turn = game.players.index(holder)
            builder = _oracle().strategy_builder(position, holder, effort, wins=wins)
            for state, entry in builder.entries(expand_all):
                yield entry_line(Position(game, state, turn), entry)


def expand(request: str, holder: str, states: Iterable[State], *, wins: bool) -> bytes:
    """Return the expansions of some positions of a strategy, as JSON. Runs in any process.

    The searches are new ones, so that the strategy does not depend on which process has which task.
    """
    effort = Effort(Limit(inf))
    builder = _oracle().strategy_builder(position_of(json.loads(request)), holder, effort, wins=wins)
    expanded = map(builder.expand, states)
    return json.dumps([(entry.moves, entry.pairs, after) for entry, after in expanded]).encode()


def _read(expanded: tuple[list[int], list[list[int]], list[list[int]]]) -> Expansion:
    moves, pairs, after = expanded
    entry = Entry(tuple(moves), tuple((one, two) for one, two in pairs))
    return Expansion(entry, [(own, other) for own, other in after])


@cache
def _oracle() -> Oracle:
    """Return the oracle of this process."""
    try:
        return open_oracle(Settings.from_environment(os.environ).for_one_user())
    except (InvalidSetting, InvalidBook) as error:
        raise click.UsageError(str(error)) from None
