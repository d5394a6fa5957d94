"""Run a load test or a benchmark: ``python -m loadtests COMMAND``."""

from importlib import import_module

import click

COMMANDS = {
    "load": "loadtests.users.load:load",
    "soak": "loadtests.users.load:soak",
    "faults": "loadtests.faults.command",
    "siege": "loadtests.siege.command",
    "million": "loadtests.bench.million",
    "bench": "loadtests.bench.command",
    "mcp": "loadtests.bench.mcp",
    "bench-connect-four": "loadtests.connect_four",
    "search": "loadtests.search.solve",
    "proofs": "loadtests.proofs",
    "strength": "loadtests.strength.command",
    "hunt": "loadtests.hunt.command",
    "mutants": "loadtests.mutants.command",
}
"""The modules that define each command, imported only when asked for: locust patches the standard library."""


class Commands(click.Group):
    """The table of commands as a group of click."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """List the names in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import a command."""
        if cmd_name not in COMMANDS:
            return None
        module, _, name = COMMANDS[cmd_name].partition(":")
        command: click.Command = getattr(import_module(module), name or "command")
        return command


@click.command(cls=Commands, context_settings={"show_default": True})
def main() -> None:
    """Load tests, benchmarks and fault injection. Each command exits with 1 if a check or a budget fails."""


if __name__ == "__main__":
    main(prog_name="python -m loadtests")
