"""``tablebase``: build and list the complete tables of games of families, and write the rules atlas."""

import json
import os
from pathlib import Path
from time import monotonic

import click
from pydantic import TypeAdapter, ValidationError

from service.api.read.question import no_such_game
from service.api.wire.rules import FamilyRules, game_by_rules
from service.book import paths
from service.cli import text
from service.cli.background import Call
from service.cli.colour import color_option
from service.cli.options import complete_family_game, json_option
from service.cli.progress import StatusLine
from service.cores import cores
from service.engine.atlas import solve_atlas
from service.engine.tables.family_table import build, read_rules, read_table, write_table
from service.engine.tables.table_folder import SUFFIX, table_folder, table_path
from service.engine.tables.tablebases import MOST_STATES
from service.games.atlas import Rules, atlas_rules, read_atlas
from service.games.catalogue import LINE_GAMES, STATE_GAMES, game_called
from service.games.game import Game
from service.games.position import Position
from service.kernel.states.graph import TooLargeError
from service.kernel.states.retrograde import TooLongError
from service.settings import InvalidSetting, Settings

BYTES_TO_BUILD = 160
"""Bytes of memory per position up to symmetry while a table is made: more than any of the atlas takes, 47 to 138."""

MOST_THREADS = 64

MOST = 4_000_000_000
"""The maximum number of positions: they are numbered with 32 bits."""


@click.group()
def tablebase() -> None:
    """Build and list complete tables of games of families; write the rules atlas."""


@tablebase.command("build")
@click.argument("game", metavar="GAME", shell_complete=complete_family_game)
@click.option(
    "--most",
    type=click.IntRange(1, MOST),
    default=MOST_STATES,
    show_default=True,
    metavar="N",
    help="Most positions up to symmetry.",
)
@click.option(
    "--output", "-o", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE", help="File to write instead."
)
@click.option(
    "--threads", type=click.IntRange(1, MOST_THREADS), metavar="N", help="Threads that work; by default one per core."
)
@color_option()
def build_command(*, game: str, most: int, output: Path | None, threads: int | None) -> None:
    """Build the table of GAME, an id of the catalogue or its rules as JSON.

    The service uses the table however large the game is. It is made in the memory of this machine, which has to have
    up to 160 bytes for each position up to symmetry.
    """
    wanted = _game(game)
    path = output or table_path(paths.HOME, wanted)
    began = monotonic()
    data = _build(wanted, most, threads or cores())
    seconds = monotonic() - began
    try:
        write_table(path, data)
    except OSError as error:
        raise click.ClickException(f"The table cannot be written to {path}: {error}.") from None
    table = read_table(wanted, path)
    if table is None:
        raise click.ClickException(f"The table in {path} cannot be read again.")
    outcome, plies = table.known_value(Position(wanted))
    found = outcome if plies is None else f"{outcome} in {text.count(plies, 'ply', 'plies')}"
    text.echo(
        text.facts(
            [
                ("file", str(path)),
                ("value", f"{found} for the first player"),
                ("positions", f"{table.states:,} up to symmetry"),
                ("size", f"{table.bytes:,} bytes"),
                ("time", f"{seconds:.1f} s"),
            ]
        )
    )


@tablebase.command("list")
@json_option
@color_option()
def list_command(*, as_json: bool) -> None:
    """List the tables that the service finds: those built beforehand and those that its workers have made."""
    places = filter(None, (paths.HOME, table_folder(_settings().tablebases)))
    found = [row for place in places for path in sorted(place.glob(f"*{SUFFIX}")) if (row := _row(path))]
    if as_json:
        text.echo(json.dumps(found))
        return
    if not found:
        text.echo("There are no tables.")
        return
    head = ["game", "positions", "bytes", "file"]
    rows = [[str(row["game"]), f"{row['positions']:,}", f"{row['bytes']:,}", str(row["file"])] for row in found]
    text.echo(text.table([head, *rows], right=[False, True, True]))


@tablebase.command()
@click.option("--again", is_flag=True, help="Solve the games that the atlas has too, which takes some minutes.")
@click.option(
    "--output", "-o", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE", help="File to write instead."
)
def atlas(*, again: bool, output: Path | None) -> None:
    """Solve the games that the rules atlas lacks, and print values and sizes of all of them as JSON."""
    everything = list(atlas_rules())
    known = [] if again else read_atlas()
    status, began = StatusLine(), monotonic()

    def report(rules: Rules) -> None:
        status.show(
            f"{everything.index(rules) + 1} of {len(everything)}, {monotonic() - began:.0f} s: {_written(rules)}"
        )

    entries = [json.dumps(entry) for entry in solve_atlas(everything, known, report)]
    status.clear()
    found = "[\n " + ",\n ".join(entries) + "\n]"
    if output is None:
        text.echo(found)
    else:
        output.write_text(f"{found}\n", encoding="utf-8")


def _settings() -> Settings:
    try:
        return Settings.from_environment(os.environ)
    except InvalidSetting as error:
        raise click.UsageError(str(error)) from None


def _game(named: str) -> Game:
    """Return the game with this id or with these rules as JSON; end the command if there is none."""
    if not named.lstrip().startswith("{"):
        game = game_called(named)
        if game is None:
            raise click.UsageError(text.advice(no_such_game(named)))
        if game.id in LINE_GAMES:
            raise click.UsageError(f"{game.id} is a line game, which needs no table.")
        return game
    try:
        rules: FamilyRules = TypeAdapter(FamilyRules).validate_json(named)
        return game_by_rules(rules)
    except ValidationError as error:
        faults = "; ".join(": ".join(map(str, (*fault["loc"], fault["msg"]))) for fault in error.errors())
        raise click.UsageError(f"The rules cannot be read: {faults}.") from None
    except ValueError as error:
        raise click.UsageError(str(error)) from None


def _build(game: Game, most: int, threads: int) -> bytearray:
    """Make the table beside this thread, and show the elapsed time on a terminal."""
    if game.states > most:
        raise click.ClickException(_too_large(f"has about {game.states:,}", game.states))
    status, began = StatusLine(), monotonic()

    def show() -> None:
        status.show(f"Building, {monotonic() - began:.0f} s, at most about {game.states:,} positions")

    try:
        return Call(lambda: build(game, most, threads=threads)).result(show)
    except TooLargeError:
        raise click.ClickException(_too_large(f"has more than {most:,}", 2 * most)) from None
    except TooLongError as error:
        raise click.ClickException(f"The game has no table: {error}.") from None
    except MemoryError:
        raise click.ClickException("This machine has not enough memory for the table.") from None
    finally:
        status.clear()


def _too_large(has: str, needed: int) -> str:
    gigabytes = needed * BYTES_TO_BUILD / 1e9
    return (
        f"The game {has} positions up to symmetry; --most {needed} allows more. To make the table takes up to "
        f"{gigabytes:.1f} GB of memory."
    )


def _row(path: Path) -> dict[str, object] | None:
    """Return the description of the table in a file; None if the file is no table."""
    found = read_rules(path)
    if found is None:
        return None
    rules, positions = found
    ids = (game.id for game in STATE_GAMES.values() if {"family": game.family, **game.parameters} == rules)
    game = next(ids, _written(rules))
    return {"game": game, "rules": rules, "positions": positions, "bytes": path.stat().st_size, "file": str(path)}


def _written(rules: Rules) -> str:
    return json.dumps(rules, separators=(",", ":"))
