"""``label``: the values and all best moves of many positions, as JSON lines or CSV.

The positions are those of a file, or random ones, or all that play can reach.
"""

import csv
import json
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import AbstractContextManager, nullcontext
from functools import cache
from http import HTTPStatus
from itertools import islice
from pathlib import Path
from time import monotonic
from typing import IO, Any

import click

from service.cli import text
from service.cli.client import LIMITS, Reply, Request, client_at, read_answer, read_json, service_url
from service.cli.commands.executors import open_executor
from service.cli.options import game_of, game_options, limit_options, read_game, read_position, request_for
from service.cores import cores
from service.games.position import unfinished_positions
from service.settings import Settings

BATCH = 100
"""The maximum number of positions in one request, which share its limits."""

TIME_MS = 1000
"""The milliseconds for each position in a search by this process."""

MOST = 5_000_000
"""The maximum number of positions after the same number of plies: they are kept in memory while the next are found."""

COLUMNS = (
    *("position", "player", "outcome", "plies", "score", "move", "column", "name", "best_moves", "best_columns"),
    *("proven", "exact", "problem"),
)
"""The columns of CSV."""

Batch = Request | list[Request]
"""The positions of one request, or a request for random ones."""

Write = Callable[[Sequence[Mapping[str, Any]]], None]


@click.command()
@click.argument("file", type=click.File(encoding="utf-8"), required=False)
@click.option("--random", "count", type=click.IntRange(1), metavar="N", help="Draw N positions instead of a FILE.")
@click.option("--every", is_flag=True, help="Take every position of the game, one of each set of symmetric ones.")
@click.option("--plies-at-least", type=int, metavar="N", help="The least number of plies, without a FILE.")
@click.option("--plies-at-most", type=int, metavar="N", help="The greatest number of plies, without a FILE.")
@click.option("--seed", type=int, default=0, metavar="N", help="Seed of the first; each other has the next; 0.")
@game_options
@limit_options(f"by default {TIME_MS}", whose=f" for each position, shared by up to {BATCH}")
@click.option("--csv", "as_csv", is_flag=True, help="Write CSV instead of JSON lines.")
@click.option("--output", "-o", type=click.Path(dir_okay=False, path_type=Path), help="File; by default the output.")
@click.option("--workers", type=click.IntRange(1), metavar="N", help="Processes; by default one for each core.")
def label(  # noqa: PLR0913, they are the options
    *,
    file: IO[str] | None,
    count: int | None,
    every: bool,
    plies_at_least: int | None,
    plies_at_most: int | None,
    seed: int,
    as_csv: bool,
    output: Path | None,
    workers: int | None,
    **given: Any,
) -> None:
    """Write the best move, the value and all best moves of many positions, a line for each, in their order.

    The positions are those of FILE, one a line: JSON objects as for POST /best-move, or a board or moves as for
    best-move; - is standard input. Or --random draws them, or --every takes all unfinished positions that play can
    reach, by plies. After an interruption the same command with --output continues where it stopped.
    """
    if [file is None, count is None, not every].count(False) != 1:
        raise click.UsageError("Give a FILE of positions, --random N, or --every.")
    limit = {name: given[name] for name in LIMITS if given[name] is not None}
    if not service_url() and not limit.keys() & {"time_ms", "nodes"}:
        limit["time_ms"] = TIME_MS
    size, began, game = _batch_size(limit), monotonic(), read_game(given)
    done = _kept(output, size, head=as_csv)
    lines = [*filter(None, map(str.strip, file or ()))]
    if count is not None:
        wanted = {**game, "plies_at_least": plies_at_least, "plies_at_most": plies_at_most}
        batches: Iterator[Batch] = (
            {**wanted, "seed": seed + at, "count": min(size, count - at)} for at in range(done, count, size)
        )
    else:
        positions = _every(game, plies_at_least or 0, plies_at_most) if every else _positions(lines, given)
        positions = islice(positions, done, None)
        batches = iter(lambda: [*islice(positions, size)], [])
    wanted_field = "proven" if given["prove"] == "outcome" else "exact"
    labelled = unproven = 0
    with open_executor(workers, None) as executor, _opened(output) as out:
        write = _row_writer(out, head=not done) if as_csv else _line_writer(out)
        replies = _in_order(
            (executor.submit(_ask, service_url(), game, limit, batch) for batch in batches), 2 * (workers or cores())
        )
        length = None if every else count or len(lines)
        bar: Any = click.progressbar(replies, length, file=sys.stderr, show_pos=True)
        with bar:
            bar.update(done)
            for reply in replies:
                results = read_answer(reply)["results"]
                write(results)
                out.flush()
                labelled += len(results)
                unproven += sum(not result.get(wanted_field) for result in results)
                bar.update(len(results))
    rate = labelled / max(monotonic() - began, 0.001)
    unit = "position" if labelled == 1 else "positions"
    text.echo(f"{labelled:,} {unit}, {rate:,.0f} a second; {unproven:,} not proven.", err=True)


def _batch_size(limit: Mapping[str, Any]) -> int:
    """Return how many positions a request has: fewer than ``BATCH`` if a service would refuse their limits together.

    An interruption loses what is not written yet, which is less in a long search.
    """
    allowed = {"time_ms": Settings().max_time_ms, "nodes": Settings().max_nodes}
    sizes = [most // int(limit[name]) for name, most in allowed.items() if name in limit]
    return max(1, min([BATCH, *sizes]))


def _positions(lines: Iterable[str], given: Mapping[str, Any]) -> Iterator[Request]:
    """Yield the lines as positions of requests."""
    for line in lines:
        if not line.startswith("{"):
            yield read_position({**given, "position": line})
            continue
        try:
            yield {**read_game(given), **json.loads(line)}
        except ValueError as error:
            raise click.UsageError(f"{line!r} is not JSON: {error}.") from None


def _every(request: Request, least: int, most: int | None) -> Iterator[Request]:
    """Yield the unfinished positions after ``least`` to ``most`` plies. Ends the command if they are too many."""
    levels = unfinished_positions(game_of(request))
    for plies, level in enumerate(islice(levels, None if most is None else most + 1)):
        if plies >= least:
            yield from (request_for(position, request) for position in level)
        if len(level) > MOST and plies != most:
            raise click.UsageError(
                f"There are {len(level):,} positions after {plies} plies; end with --plies-at-most {plies}."
            )


_client = cache(client_at)


def _ask(url: str | None, game: Request, limit: Mapping[str, int | str], batch: Batch) -> Reply:
    """Return the reply about a batch of positions; first get them if it asks for random ones. Runs in a worker."""
    client = _client(url)
    if isinstance(batch, dict):
        sampled = client.ask("/random-positions", batch)
        if sampled.status != HTTPStatus.OK:
            return sampled
        batch = [
            {**game, "board": at["position"], "player": at["player"]} for at in read_json(sampled.body)["positions"]
        ]
    shared = {name: value * len(batch) if isinstance(value, int) else value for name, value in limit.items()} or None
    return client.ask("/best-moves", {"positions": batch, "limit": shared, "detail": "value", "best_moves": True})


def _in_order(replies: Iterator["Future[Reply]"], ahead: int) -> Iterator[Reply]:
    """Yield replies in the order of their requests, while up to ``ahead`` requests are under way."""
    waiting = deque(islice(replies, ahead))
    while waiting:
        yield waiting.popleft().result()
        waiting.extend(islice(replies, 1))


def _kept(output: Path | None, size: int, *, head: bool) -> int:
    """Return the number of labelled positions in a file, after cutting off an unfinished batch of this ``size``."""
    if output is None or not output.exists():
        return 0
    with output.open("rb+") as file:
        whole = max(0, sum(line.endswith(b"\n") for line in file) - head) // size * size
        file.seek(0)
        file.truncate(sum(map(len, islice(file, whole + head if whole else 0))))
    return whole


def _opened(output: Path | None) -> AbstractContextManager[IO[str]]:
    return nullcontext(sys.stdout) if output is None else output.open("a", encoding="utf-8")


def _line_writer(out: IO[str]) -> Write:
    return lambda results: out.writelines(f"{json.dumps(result, separators=(',', ':'))}\n" for result in results)


def _row_writer(out: IO[str], *, head: bool) -> Write:
    rows = csv.DictWriter(out, COLUMNS, extrasaction="ignore", lineterminator="\n")
    if head:
        rows.writeheader()
    return lambda results: rows.writerows({name: _cell(value) for name, value in each.items()} for each in results)


def _cell(value: object) -> object:
    """Return a value for CSV: lists separated by spaces, problems as sentences."""
    if isinstance(value, list):
        return " ".join(map(str, value))
    return value["detail"] if isinstance(value, dict) else value
