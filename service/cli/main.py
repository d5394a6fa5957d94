"""``move-oracle``: its commands. Each is imported only when it runs, so that help appears at once."""

import codecs
import re
import sys
from collections.abc import Mapping
from importlib import import_module
from io import TextIOWrapper
from types import MappingProxyType
from typing import Any

import click

from service import __version__
from service.cli.colour import color_option
from service.cli.exit_codes import INTERRUPTED

COMMANDS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "best-move": ("commands.answers", "Find the best move of a position, its score and the line of best play."),
        "analysis": ("commands.answers", "Rank every legal move of a position, best first."),
        "review": ("commands.answers", "Review a whole game: what was best, what each move gave away."),
        "proof": ("commands.proof", "Print a certificate of the outcome of a position, which anyone can check."),
        "play": ("game.play", "Play a game in the terminal."),
        "solve": ("commands.solve", "Solve a game or a position completely, however long it takes."),
        "label": ("commands.label", "Write the values and all best moves of many positions."),
        "tree": ("commands.tree", "Show the next plies as a tree, with the value of every move."),
        "stats": ("commands.stats", "Count the nodes that textbook searches and the kernel visit."),
        "book": ("commands.book", "Build, describe and verify books of solved positions."),
        "tablebase": (
            "commands.tablebase",
            "Build and list complete tables of games of families; write the rules atlas.",
        ),
        "games": ("commands.answers", "List the catalogue, or describe one game of it."),
        "serve": ("commands.serve", "Run the HTTP service."),
        "mcp": ("commands.mcp", "Answer a language model by MCP, over standard input and output."),
    }
)
"""The commands in the order of the help: the module of each in this package, and its summary."""

PLAIN: Mapping[str, str] = MappingProxyType(
    {"│": "|", "─": "-", "┼": "+", "├": "|", "└": "`", "·": ".", "…": "...", "è": "e"}
)
"""Substitutes for characters that a terminal cannot show."""

URL = re.compile(r"https?://[^/?#\s]+(/[^?#\s]*)?$", re.IGNORECASE)
"""The URL of a service, with or without a path."""

EPILOG = """\b
Examples:
  move-oracle best-move X...O....
  move-oracle best-move --game connect-four --moves 443 --time-ms 2000
  move-oracle play --game connect-four-5x4 --as O
  move-oracle tree --depth 2 XO..X....

\b
Completion in bash (zsh_source and fish_source in zsh and fish):
  eval "$(_MOVE_ORACLE_COMPLETE=bash_source move-oracle)"
"""


class Commands(click.Group):
    """The group of all commands; an interrupt ends one without a message."""

    def __init__(self, **attributes: Any) -> None:
        stand_ins = {name: click.Command(name) for name in COMMANDS}  # with whose names click guesses what was meant
        super().__init__(commands=stand_ins, **attributes)

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002, the signature is click's
        """Return the names of the commands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Return the command of this name, None if there is none."""
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"service.cli.{COMMANDS[cmd_name][0]}")
        command: click.Command = getattr(module, cmd_name.replace("-", "_"))
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write the summary of each command, without importing it."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, does) for name, (_, does) in COMMANDS.items()])

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; an interrupt ends it without a message, and messages contain no control characters."""
        try:
            return super().invoke(ctx)
        except click.ClickException as error:
            from service.cli.text import printable  # noqa: PLC0415, help does without it

            error.message = printable(error.message)  # type: ignore[misc]  # all kinds of errors print it
            raise
        except (KeyboardInterrupt, click.Abort):
            click.echo(err=True)
            ctx.exit(INTERRUPTED)


def _read_url(_: click.Context, __: click.Parameter, url: str | None) -> str | None:
    """Return the URL of a service; add http:// to a host and port."""
    whole = url if url is None or "://" in url else f"http://{url}"
    if whole is not None and not URL.match(whole):
        raise click.BadParameter(f"{url!r} is not a URL such as http://localhost:8000.")
    return whole


@click.group(cls=Commands, epilog=EPILOG, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="move-oracle", message="%(prog)s %(version)s")
@click.option(
    "--url",
    metavar="URL",
    callback=_read_url,
    help="Send requests to the service at this URL instead of searching here.",
)
@color_option("auto")
@click.pass_context
def cli(ctx: click.Context, url: str | None) -> None:
    """Find the best move, its exact score and the line of best play in tic-tac-toe and its relatives.

    Commands give the answers of the HTTP service; --json prints the bodies of its responses. The exit code is 0 for an
    answer, proven or not, and 2 for an invalid request.
    """
    ctx.obj = url


def replace_plainly(error: UnicodeError) -> tuple[str, int]:
    """Return the substitute for characters that a terminal cannot show, and the place after them."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(PLAIN.get(character, "?") for character in error.object[error.start : error.end]), error.end


def main() -> None:
    """Run the command line of this process."""
    codecs.register_error("plainly", replace_plainly)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="plainly")
    cli(prog_name="move-oracle")
