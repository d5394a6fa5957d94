"""``book``: build, describe and verify books of solved positions."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any

import click

from service.book.builder.bitbully import MARKS, PACKAGE
from service.book.builder.build import MAX_STARTS, Plan, build, make_plan
from service.book.builder.check import Checker, Sample, check_strategy
from service.book.builder.checkpoints import Checkpoints
from service.book.builder.holding_build import LIVE_HOLDING_NODES, build_holding, holding_plan, holding_source
from service.book.builder.strategy_build import LIVE_NODES, NoStrategy, build_strategy, plan_data, strategy_source
from service.book.file import BookFile, InvalidBook, write_book
from service.book.paths import HOME, SUFFIX
from service.book.strategy import HoldingBook
from service.book.strategy_file import AnyBookFile, StrategyFile, open_book, write_holding, write_strategy
from service.cli import text
from service.cli.colour import color_option
from service.cli.commands.executors import open_checkpoints, scheduler_option, show_progress, workers_option
from service.cli.options import complete_line_game, game_options, line_game_of, read_game
from service.games.catalogue import LINE_GAMES
from service.games.families.lines import LineGame, line_position

file_argument = click.argument("file", type=click.Path(path_type=Path, dir_okay=False, exists=True))


@click.group()
def book() -> None:
    """Build, describe and verify books of solved positions, which answer without a search."""


@book.command("build")
@click.argument("id", metavar="GAME", required=False, shell_complete=complete_line_game)
@game_options
@click.option("--plies", type=click.IntRange(0, 64), metavar="N", help="Largest number of marks of a position.")
@click.option(
    "--pv-depth",
    type=click.IntRange(0, 64),
    metavar="N",
    help=f"Largest number of marks of a position with its line of best play; by default for {MAX_STARTS:,} lines at "
    "most.",
)
@click.option(
    "--strategy", is_flag=True, help="Build a strategy book instead: the moves by which the first player wins."
)
@click.option(
    "--holding", is_flag=True, help="Build a strategy book of a draw: the replies by which the second player holds it."
)
@click.option("--output", "-o", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE", help="File to write.")
@scheduler_option
@workers_option
@color_option()
def build_command(  # noqa: PLR0913, the options
    *,
    id: str | None,
    plies: int | None,
    pv_depth: int | None,
    strategy: bool,
    holding: bool,
    output: Path | None,
    scheduler: str | None,
    workers: int | None,
    **given: Any,
) -> None:
    """Build the book of GAME, an id of the catalogue, or of the game with these rules.

    The scores are found by search, which takes long for many plies. Those of connect-four up to 12 plies, the default
    there, come from the package bitbully-databases if it is installed. After an interruption the same command
    continues where it stopped. By default the book is written where the service looks for books.
    """
    began = monotonic()
    game = _game(id, given)
    if (strategy or holding) and (plies is not None or pv_depth is not None):
        raise click.UsageError("A strategy book is as deep as it has to be; leave out --plies and --pv-depth.")
    if strategy and holding:
        raise click.UsageError("A strategy book is of a win or of a draw; leave out --strategy or --holding.")
    if holding:
        work = _holding_work(game)
    else:
        work = _strategy_work(game) if strategy else _score_work(_plan(game, plies, pv_depth))
    path = output or HOME / f"{_name(game)}{SUFFIX}"
    with open_checkpoints(path, work.plan, workers, scheduler) as checkpoints:
        try:
            work.write(path, checkpoints)
        except NoStrategy as error:
            checkpoints.remove()
            raise click.ClickException(str(error)) from None
    text.echo(f"{path}\n\n{text.facts([*_facts(open_book(path), path), ('time', f'{monotonic() - began:.0f} s')])}")


@book.command()
@file_argument
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@color_option()
def info(*, file: Path, as_json: bool) -> None:
    """Describe the book in FILE."""
    found = _open(file)
    if as_json:
        text.echo(json.dumps(_data(found)))
        return
    text.echo(text.facts(_facts(found, file)))


@book.command()
@file_argument
@click.option(
    "--samples", type=click.IntRange(0), default=50, show_default=True, metavar="N", help="Entries of each kind."
)
@click.option("--seed", type=int, metavar="N", help="Seed of the random sample.")
def check(*, file: Path, samples: int, seed: int | None) -> None:
    """Verify a random sample of the scores and lines in FILE with the kernel; fails if one is wrong."""
    found = _open(file)
    if not isinstance(found, BookFile):
        _check_strategy(found, samples, seed)
        return
    checker = Checker(found, Random(seed))  # noqa: S311, no secret depends on it
    kinds = {"last": checker.last, "before": checker.before, "lines": checker.lines}
    tried = {kind: list(show_progress(kind, draw(samples), samples)) for kind, draw in kinds.items()}
    wrong = [sample for kind in tried.values() for sample in kind if not sample.right]
    for sample in wrong:
        text.echo(f"Wrong: {_board(sample, found.game)} {sample.entry}", err=True)
    if wrong:
        raise click.ClickException(f"{len(wrong)} of {sum(map(len, tried.values()))} entries are wrong.")
    last, before, lines = map(len, tried.values())
    text.echo(f"{last} scores of the last layer, {before} of the layers before it and {lines} lines are correct.")


def _check_strategy(found: StrategyFile, samples: int, seed: int | None) -> None:
    random = Random(seed)  # noqa: S311, no secret depends on it
    checked = list(show_progress("moves", check_strategy(found, samples, random), min(samples, found.positions)))
    wrong = [sample for sample in checked if not sample.right]
    for sample in wrong:
        text.echo(f"Wrong: {_board(sample, found.game)} {sample.entry}", err=True)
    if wrong:
        raise click.ClickException(f"{len(wrong)} of {len(checked)} positions are wrong.")
    text.echo(f"{len(checked)} of {found.positions} positions keep the outcome after every reply.")


def _game(id: str | None, given: dict[str, Any]) -> LineGame:
    """Return the game to build for; it must be given exactly once."""
    if id is not None and given["game"] is not None:
        raise click.UsageError("Name the game once: as an argument or with --game.")
    request = read_game({**given, "game": id or given["game"]})
    if not request:
        raise click.UsageError("Name a game of the catalogue, such as connect-four, or give its rules.")
    return line_game_of(request)


@dataclass(frozen=True, slots=True)
class _Work:
    """A build: the data of its tasks, the executor that runs them, and the function that writes the file."""

    plan: Mapping[str, Any]
    write: Callable[[Path, Checkpoints], None]


def _score_work(plan: Plan) -> _Work:
    def write(path: Path, checkpoints: Checkpoints) -> None:
        write_book(path, plan.game, build(plan, checkpoints), plan.source)

    return _Work(plan.data(), write)


def _holding_work(game: LineGame) -> _Work:
    def write(path: Path, checkpoints: Checkpoints) -> None:
        held = build_holding(game, checkpoints)
        write_holding(path, game, held, live_nodes=LIVE_HOLDING_NODES, source=holding_source())

    return _Work(holding_plan(game), write)


def _strategy_work(game: LineGame) -> _Work:
    def write(path: Path, checkpoints: Checkpoints) -> None:
        lost = build_strategy(game, checkpoints)
        write_strategy(path, game, lost, live_nodes=LIVE_NODES, source=strategy_source())

    return _Work(plan_data(game), write)


def _plan(game: LineGame, plies: int | None, pv_depth: int | None) -> Plan:
    plan = make_plan(game, MARKS if plies is None else plies, pv_depth)
    if plies is None and not plan.from_database:
        default = f"connect-four has a default of {MARKS} after pip install {PACKAGE.replace('_', '-')}."
        raise click.UsageError(f"Give --plies, the largest number of marks of a position; {default}")
    return plan


def _name(game: LineGame) -> str:
    """Return the file name of a book: the id of the game; outside the catalogue, also a digest of the rules."""
    return game.id if game.id in LINE_GAMES else f"{game.id}-{game.digest.hex()[:12]}"


def _open(file: Path) -> AnyBookFile:
    try:
        return open_book(file)
    except InvalidBook as error:
        raise click.ClickException(str(error)) from None


def _data(found: AnyBookFile) -> dict[str, Any]:
    has_scores = isinstance(found, BookFile)
    return {
        "game": found.game.id,
        "kind": "scores" if has_scores else "strategy",
        "plies": found.plies,
        "pv_depth": found.book.pv_depth if has_scores else None,
        "positions": found.positions,
        "lines": found.lines if isinstance(found, BookFile) else None,
        "source": found.source,
        "checksum": found.checksum,
    }


def _facts(found: AnyBookFile, file: Path) -> list[tuple[str, str]]:
    return [
        ("game", found.game.id),
        ("positions", f"{found.positions:,} of up to {text.count(found.plies, 'mark', 'marks')}"),
        *_kind_facts(found),
        ("source", found.source),
        ("checksum", found.checksum),
        ("size", f"{file.stat().st_size:,} bytes"),
    ]


def _kind_facts(found: AnyBookFile) -> list[tuple[str, str]]:
    if isinstance(found, BookFile):
        marks = text.count(found.book.pv_depth, "mark", "marks")
        return [("lines", f"{found.lines:,}, for all positions of up to {marks}")]
    if isinstance(found.book, HoldingBook):
        return [("strategy", "of the second player, who holds a draw")]
    return [("strategy", f"of the first player, who wins in at most {max(found.book.lost.values()) + 1} plies")]


def _board(sample: Sample, game: LineGame) -> str:
    """Return the board of a sample, ``X`` to move."""
    return str(line_position(game, sample.mine, sample.theirs, "X"))
