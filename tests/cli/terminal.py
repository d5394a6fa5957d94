"""Commands run in this process, as a terminal would run them."""

from click.testing import CliRunner, Result

from service.cli.main import cli


def run(*args: str, typed: str | None = None, colour: bool = False, **environment: str) -> Result:
    """What a command does in this process."""
    settings = {"COLUMNS": "80", **environment}
    return CliRunner().invoke(cli, args, input=typed, color=colour, env=settings, prog_name="move-oracle")


def said(*args: str, typed: str | None = None) -> str:
    """What a command prints that succeeds."""
    done = run(*args, typed=typed)
    assert (done.exit_code, done.stderr) == (0, "")
    return done.stdout


def refused(*args: str) -> str:
    """What a command says on standard error that is refused, without printing anything."""
    done = run(*args)
    assert (done.exit_code, done.stdout) == (2, "")
    return done.stderr
