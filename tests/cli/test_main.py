"""The program itself: help, version, colours, and the service that it starts."""

import os
import re
import shlex
import sys
from pathlib import Path

import click
import pytest

from service import __version__
from service.cli.main import COMMANDS
from service.families.catalogue import FAMILY_GAMES
from service.games.catalogue import CATALOGUE
from tests.cli.terminal import refused, run, said
from tests.programs import run as execute
from tests.support import ROOT, need, sampled

LINES = (ROOT / "docs" / "command-line.md").read_text().splitlines()
ON_THE_PATH = {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}


def test_help_needs_neither_the_framework_nor_the_kernel() -> None:
    script = (
        "import sys; from service.cli.main import cli; cli(['--help'], standalone_mode=False);"
        "print(sorted({name.split('.')[0] for name in sys.modules} & {'flask', 'pydantic', 'cython', 'yaml'}))"
    )
    assert execute(sys.executable, "-c", script).stdout.endswith("\n[]\n")


def test_help_lists_every_command_and_each_has_its_own() -> None:
    listed = said("--help")
    for command in COMMANDS:
        assert f"\n  {command} " in listed
        assert f"move-oracle {command} " in said(command, "--help")


def test_the_version_is_told() -> None:
    assert said("--version") == f"move-oracle {__version__}\n"


def test_colour_is_for_terminals_that_want_it() -> None:
    assert "\033[" in run("best-move", "O.XX.X.OO", colour=True).stdout
    assert "\033[" not in run("best-move", "O.XX.X.OO", colour=True, NO_COLOR="1").stdout
    assert "\033[" not in said("best-move", "O.XX.X.OO")


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


@pytest.mark.parametrize("command", COLOURED[: sampled(2, len(COLOURED))])
def test_the_option_before_or_behind_a_command_turns_colours_on_and_off(command: str) -> None:
    for choice in (["--color", "always", *command.split()], [*command.split(), "--color", "always"]):
        assert "\033[" in run(*choice).stdout
        assert "\033[" in run(*choice, NO_COLOR="1").stdout
    for choice in (["--color", "never", *command.split()], [*command.split(), "--color", "never"]):
        assert "\033[" not in run(*choice, colour=True).stdout
    assert "\033[" in run("--color", "never", *command.split(), "--color", "always").stdout
    assert "\033[" not in run(*command.split(), "--color", "auto").stdout
    assert "\033[" in run(*command.split(), "--color", "auto", colour=True).stdout


@pytest.mark.parametrize("command", COLOURED)
def test_every_command_obeys_the_option(command: str) -> None:
    assert "\033[" in run(*command.split(), "--color", "always").stdout
    assert "\033[" not in run("--color", "never", *command.split(), colour=True).stdout


def test_a_colour_does_not_change_what_is_said() -> None:
    assert click.unstyle(run("analysis", "O.XX.X.OO", "--color", "always").stdout) == said("analysis", "O.XX.X.OO")


def test_marks_the_last_move_and_a_completed_line_differ_in_colour() -> None:
    chosen = run("best-move", "X...O....", "--color", "always").stdout
    assert click.style("X", fg="cyan") in chosen
    assert click.style("O", fg="magenta") in chosen
    assert click.style("[·]", fg="green", bold=True) in chosen
    won = run("best-move", "XXXOO....", "--color", "always").stdout
    assert won.count(click.style("[X]", fg="cyan", bold=True, reverse=True)) == 3


def complete(*typed: str) -> list[str]:
    """What a shell is told that the last word may become."""
    words = shlex.join(["move-oracle", *typed])
    done = run(_MOVE_ORACLE_COMPLETE="bash_complete", COMP_WORDS=words, COMP_CWORD=str(len(typed)))
    return [line.partition(",")[2] for line in done.stdout.splitlines()]


@pytest.mark.parametrize(
    ("typed", "completed"),
    [
        (["be"], ["best-move"]),
        (["best-move", "--game", "connect-four-"], [name for name in CATALOGUE if "connect-four-" in name]),
        (["play", "-g", ""], [*CATALOGUE, *FAMILY_GAMES]),
        (["play", "-g", "pic"], ["picaria"]),
        (["games", "qu"], ["qubic"]),
        (["book", "build", "t"], [name for name in CATALOGUE if name.startswith("t")]),
        (["tablebase", "build", "pic"], ["picaria"]),
        (["book", "ch"], ["check"]),
        (["play", "--as", "b"], ["both"]),
        (["analysis", "--color", "n"], ["never"]),
    ],
)
def test_a_shell_completes_commands_games_and_choices(typed: list[str], completed: list[str]) -> None:
    assert complete(*typed) == completed


def test_the_documented_line_sets_bash_up() -> None:
    line = next(line for line in LINES if "=bash_source" in line)
    done = execute(need("bash"), "-c", f"{line}\ncomplete -p move-oracle", environment=ON_THE_PATH)
    assert re.fullmatch(r"complete .*-F _move_oracle_completion move-oracle\n", done.stdout), done


@pytest.mark.parametrize(("shell", "registers"), [("zsh", "compdef _move_oracle"), ("fish", "complete --no-files")])
def test_other_shells_are_sent_a_program_of_their_own(shell: str, registers: str) -> None:
    variable = next(re.search(r"_MOVE_ORACLE_COMPLETE=\w+", line) for line in LINES if f"={shell}_source" in line)
    assert variable
    name, _, value = variable[0].partition("=")
    assert registers in run(colour=False, **{name: value}).stdout


@pytest.mark.parametrize(
    ("option", "value", "complaint"),
    [("--port", "70000", "PORT='70000'"), ("--workers", "0", "WEB_CONCURRENCY='0'"), ("--threads", "x", "'--threads'")],
)
def test_serve_refuses_what_the_service_cannot_use(option: str, value: str, complaint: str) -> None:
    assert complaint in refused("serve", option, value)
