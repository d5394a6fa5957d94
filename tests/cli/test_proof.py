"""``move-oracle proof``: a certificate on standard output, found here or by a service."""

import pytest
from flask.testing import FlaskClient

from tests.certificates import holds_in_python
from tests.cli.terminal import refused, run, said
from tests.support import Server


@pytest.mark.parametrize("arguments", ["", "XX..O....", "-g tic-tac-toe-3d -m 13", "--rows 4 --columns 4 --in-a-row 3"])
def test_a_certificate_is_printed_as_it_is_and_holds(arguments: str) -> None:
    assert holds_in_python(said("proof", *arguments.split()))


def test_the_certificate_is_the_body_that_the_service_answers(client: FlaskClient) -> None:
    answer = client.post("/proof", json={"board": "XX..O....", "player": "O", "limit": {"nodes": 5000}})
    assert run("proof", "XX..O....", "--player", "o", "--nodes", "5000").stdout_bytes == answer.data


def test_a_service_gives_the_same_certificate(server: Server) -> None:
    arguments = ("proof", "-g", "connect-four", "-m", "44444432266665512")
    assert run("--url", server.url, *arguments).stdout_bytes == run(*arguments).stdout_bytes


def test_what_has_no_certificate_is_told_on_standard_error() -> None:
    assert "The outcome is not proven within the limit" in refused("proof", "-g", "qubic", "-m", "1", "--nodes", "100")
    assert "X has 4 marks" in refused("proof", "XXXX.....")
