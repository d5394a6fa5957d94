"""The program itself: help, version, colours, and the service that it starts."""

import shlex
import sys

import click
import pytest

from service import __version__
from service.cli.main import COMMANDS
from service.games.catalogue import LINE_GAMES, STATE_GAMES
from tests.cli.terminal import refused, run, said
from tests.programs import run as execute


def test_help_needs_neither_the_framework_nor_the_kernel() -> None:
    script = (
        "import sys; from service.cli.main import cli; cli(['--help'], standalone_mode=False);"
        "print(sorted({name.split('.')[0] for name in sys.modules} & {'flask', 'pydantic', 'cython', 'yaml'}))"
    )
    assert execute(sys.executable, "-c", script).stdout.endswith("\n[]\n")


def test_help_lists_every_command_and_each_has_its_own_and_the_version_is_told() -> None:
    listed = said("--help")
    for command in COMMANDS:
        assert f"\n  {command} " in listed
        assert f"move-oracle {command} " in said(command, "--help")
    assert said("--version") == f"move-oracle {__version__}\n"


COLOURED = [
    "best-move O.XX.X.OO",
    "analysis O.XX.X.OO",
    "review 0,4,8",
    "tree XX..O.... --depth 1",
    "stats XX.OO....",
    "solve XX.OO....",
    "play XX.OO.... --as none",
    "games",
]


@pytest.mark.parametrize("command", COLOURED)
def test_every_command_obeys_the_option(command: str) -> None:
    assert "\033[" in run(*command.split(), "--color", "always").stdout
    assert "\033[" not in run("--color", "never", *command.split(), colour=True).stdout


@pytest.mark.parametrize(
    ("before", "behind", "terminal", "coloured"),
    [
        ([], [], {"colour": True}, True),
        ([], [], {"colour": True, "NO_COLOR": "1"}, False),
        ([], [], {}, False),
        (["--color", "always"], [], {"NO_COLOR": "1"}, True),
        ([], ["--color", "always"], {"NO_COLOR": "1"}, True),
        ([], ["--color", "never"], {"colour": True}, False),
        (["--color", "never"], ["--color", "always"], {}, True),
        ([], ["--color", "auto"], {}, False),
        ([], ["--color", "auto"], {"colour": True}, True),
    ],
    ids=str,
)
def test_colour_is_for_terminals_that_want_it_and_where_the_option_says_so(
    before: list[str], behind: list[str], terminal: dict[str, bool | str], *, coloured: bool
) -> None:
    shown = run(*before, "best-move", "O.XX.X.OO", *behind, **terminal).stdout  # type: ignore[arg-type]
    assert ("\033[" in shown) == coloured


def test_marks_the_last_move_and_a_completed_line_differ_in_colour() -> None:
    chosen = run("best-move", "X...O....", "--color", "always").stdout
    assert click.style("X", fg="cyan") in chosen
    assert click.style("O", fg="magenta") in chosen
    assert click.style("[·]", fg="green", bold=True) in chosen
    won = run("best-move", "XXXOO....", "--color", "always").stdout
    assert won.count(click.style("[X]", fg="cyan", bold=True, reverse=True)) == 3


@pytest.mark.parametrize(
    ("typed", "completed"),
    [
        ("be", ["best-move"]),
        ("best-move --game connect-four-", [name for name in LINE_GAMES if "connect-four-" in name]),
        ("play -g ", [*LINE_GAMES, *STATE_GAMES]),
        ("games qub", ["qubic"]),
        ("book build t", [name for name in LINE_GAMES if name.startswith("t")]),
        ("tablebase build pic", ["picaria"]),
        ("book ch", ["check"]),
        ("play --as b", ["both"]),
        ("analysis --color n", ["never"]),
    ],
)
def test_a_shell_completes_commands_games_and_choices(typed: str, completed: list[str]) -> None:
    words = typed.split(" ")
    line = shlex.join(["move-oracle", *words])
    done = run(_MOVE_ORACLE_COMPLETE="bash_complete", COMP_WORDS=line, COMP_CWORD=str(len(words)))
    assert [line.partition(",")[2] for line in done.stdout.splitlines()] == completed


@pytest.mark.parametrize(
    ("option", "value", "complaint"),
    [("--port", "70000", "PORT='70000'"), ("--workers", "0", "WEB_CONCURRENCY='0'"), ("--threads", "x", "'--threads'")],
)
def test_serve_refuses_what_the_service_cannot_use(option: str, value: str, complaint: str) -> None:
    assert complaint in refused("serve", option, value)
