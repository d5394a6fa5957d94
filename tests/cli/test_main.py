"""The program itself: help, version, colours, and the service that it starts."""

import sys

import pytest

from service import __version__
from service.cli.main import COMMANDS
from tests.cli.terminal import refused, run, said
from tests.programs import run as execute


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


@pytest.mark.parametrize(
    ("option", "value", "complaint"),
    [("--port", "70000", "PORT='70000'"), ("--workers", "0", "WEB_CONCURRENCY='0'"), ("--threads", "x", "'--threads'")],
)
def test_serve_refuses_what_the_service_cannot_use(option: str, value: str, complaint: str) -> None:
    assert complaint in refused("serve", option, value)
