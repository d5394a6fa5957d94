"""``proof``: a certificate of the outcome of a position, for a file that another program can check."""

from http import HTTPStatus
from typing import Any

import click

from service.cli.client import open_client, print_body, read_answer
from service.cli.commands.answers import POSITION_HELP
from service.cli.exit_codes import INTERRUPTED
from service.cli.options import PositionCommand, limit_options, position_options, read_request
from service.cli.progress import ask

PROOF_HELP = f"""Print a certificate of the outcome of a position, which anyone can check.
{POSITION_HELP}
    A certificate is lines of JSON. Keep it in a file, and check it with examples/check_proof.py, or with
    examples/check_family_proof.py for a game of a family:

    move-oracle proof XX..O.... > proof.jsonl && python3 examples/check_proof.py proof.jsonl
"""


@click.command(cls=PositionCommand, help=PROOF_HELP)
@position_options
@limit_options("by default 5000")
def proof(**given: Any) -> None:
    """Print the certificate of a position."""
    request = read_request(given)
    reply = ask(open_client(), "/proof", request)
    if reply.status >= HTTPStatus.BAD_REQUEST:
        read_answer(reply)
    print_body(reply.body)
    if reply.interrupted:
        click.get_current_context().exit(INTERRUPTED)
