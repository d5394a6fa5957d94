"""``book``: builds books of solved positions, says what is in them, and holds them against the kernel."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any, TypeVar

import click

from service.book.bitbully import MARKS
from service.book.build import MOST_BEGINNINGS, Plan, build, make_plan
from service.book.check import Checker, Sample
from service.book.file import BookFile, InvalidBook, read_book, write_book
from service.book.paths import HOME, SUFFIX
from service.book.work import OtherWork, Work, claimed
from service.cli import words
from service.cli.book_crew import crew
from service.cli.options import game_options, json_option, read_game
from service.cli.positions import game_of
from service.games.catalogue import CATALOGUE
from service.games.game import Game
from service.games.position import Position

Thing = TypeVar("Thing")
file_argument = click.argument("file", type=click.Path(path_type=Path, dir_okay=False, exists=True))


@click.group()
def book() -> None:
    """Books of solved positions, which answer without a search."""


@book.command("build")
@click.argument("id", metavar="GAME", required=False)
@game_options
@click.option("--plies", type=click.IntRange(0, 64), metavar="N", help="Marks of the largest positions; see above.")
@click.option(
    "--lined",
    type=click.IntRange(0, 64),
    metavar="N",
    help=f"Marks of the largest positions whose best play is kept to the end; by default {MOST_BEGINNINGS:,} "
    "positions at most.",
)
@click.option("--output", "-o", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE", help="Where it goes.")
@click.option("--scheduler", metavar="ADDRESS", help="A Dask scheduler whose workers do the work.")
@click.option("--workers", type=click.IntRange(1), metavar="N", help="Processes here; by default one for each core.")
def build_command(  # noqa: PLR0913, the options
    *,
    id: str | None,
    plies: int | None,
    lined: int | None,
    output: Path | None,
    scheduler: str | None,
    workers: int | None,
    **given: Any,
) -> None:
    """Build the book of GAME, an id of the catalogue, or of the game with these rules.

    Its scores are found by search, which for many plies takes long; those of connect-four up to 12 plies, the default
    there, come from the package bitbully-databases if that is installed. Interrupted, the same command goes on where
    it was. By default the book goes where the service looks for books.
    """
    began = monotonic()
    plan = _plan(_game(id, given), plies, lined)
    path = output or HOME / f"{_name(plan.game)}{SUFFIX}"
    try:
        work = path.with_name(path.name + ".parts")
        with crew(workers, scheduler) as hands, claimed(work):
            parts = Work(work, plan.data(), hands, watch)
            write_book(path, plan.game, build(plan, parts), plan.source)
            parts.remove()
    except OtherWork as error:
        raise click.UsageError(str(error)) from None
    except ModuleNotFoundError as error:
        raise click.ClickException(f"A worker lacks what it needs: {error}.") from None
    except OSError as error:
        raise click.ClickException(f"The book cannot be written to {path}: {error}.") from None
    click.echo(f"{path}\n\n{words.facts([*_facts(read_book(path), path), ('time', f'{monotonic() - began:.0f} s')])}")


@book.command()
@file_argument
@json_option
def info(*, file: Path, as_json: bool) -> None:
    """What the book in FILE holds."""
    found = _open(file)
    if as_json:
        click.echo(json.dumps(_data(found)))
        return
    click.echo(words.facts(_facts(found, file)))


@book.command()
@file_argument
@click.option("--samples", type=click.IntRange(0), default=50, show_default=True, metavar="N", help="Of each kind.")
@click.option("--seed", type=int, metavar="N", help="Makes the draw repeatable.")
def check(*, file: Path, samples: int, seed: int | None) -> None:
    """Hold scores and lines of the book in FILE, drawn at random, against the kernel; fails if one is wrong."""
    found = _open(file)
    checker = Checker(found, Random(seed))  # noqa: S311, chance that guards nothing
    kinds = {"last": checker.last, "before": checker.before, "lines": checker.lines}
    tried = {kind: list(watch(kind, draw(samples), total=samples)) for kind, draw in kinds.items()}
    wrong = [sample for kind in tried.values() for sample in kind if not sample.right]
    for sample in wrong:
        click.echo(f"Wrong: {_board(sample, found.game)} {sample.about}", err=True)
    if wrong:
        raise click.ClickException(f"{len(wrong)} of {sum(map(len, tried.values()))} entries are wrong.")
    last, before, lines = map(len, tried.values())
    click.echo(f"{last} scores of the last layer, {before} of the layers before it and {lines} lines hold.")


def watch(label: str, things: Iterator[Thing], *, total: int, done: int = 0) -> Iterator[Thing]:
    """The same things, counted on standard error: a bar on a terminal, else a word at the beginning."""
    began, count = monotonic(), 0
    with click.progressbar(
        length=total, label=f"{label:<6}", file=sys.stderr, show_pos=True, item_show_func=lambda rate: rate
    ) as bar:
        bar.update(done, "")
        for thing in things:
            yield thing
            count += 1
            bar.update(1, f"{words.short(count / max(monotonic() - began, 0.001))}/s")


def _game(id: str | None, given: dict[str, Any]) -> Game:
    """The game to be built for, which must be named once."""
    if id is not None and given["game"] is not None:
        raise click.UsageError("Name the game once: as an argument or with --game.")
    request = read_game({**given, "game": id or given["game"]})
    if not request:
        raise click.UsageError("Which game? Name one of the catalogue, such as connect-four, or give its rules.")
    return game_of(request)


def _plan(game: Game, plies: int | None, lined: int | None) -> Plan:
    plan = make_plan(game, MARKS if plies is None else plies, lined)
    if plies is None and not plan.from_database:
        needs = "pip install 'move-oracle[connect-four]' for 12 plies, or say how many to search for with --plies."
        raise click.UsageError(f"Of how many --plies? For Connect Four, {needs}")
    return plan


def _name(game: Game) -> str:
    """The name of a book's file: the id of the game, and of one outside the catalogue what tells its rules apart."""
    return game.id if game.id in CATALOGUE else f"{game.id}-{game.digest.hex()[:12]}"


def _open(file: Path) -> BookFile:
    try:
        return read_book(file)
    except InvalidBook as error:
        raise click.ClickException(str(error)) from None


def _data(found: BookFile) -> dict[str, Any]:
    return {
        "game": found.game.id,
        "plies": found.plies,
        "lined": found.book.lined,
        "positions": found.positions,
        "lines": found.lines,
        "source": found.source,
        "checksum": found.checksum,
    }


def _facts(found: BookFile, file: Path) -> list[tuple[str, str]]:
    return [
        ("game", found.game.id),
        ("positions", f"{found.positions:,} of up to {words.count(found.plies, 'mark', 'marks')}"),
        ("lines", f"{found.lines:,}, for all positions of up to {words.count(found.book.lined, 'mark', 'marks')}"),
        ("source", found.source),
        ("checksum", found.checksum),
        ("size", f"{file.stat().st_size:,} bytes"),
    ]


def _board(sample: Sample, game: Game) -> str:
    """The board of a sample, ``X`` to move."""
    return str(Position(game, sample.mine, sample.theirs, "X"))
