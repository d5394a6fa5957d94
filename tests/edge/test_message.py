"""What the edge reads of a request: the address of the client, and its id."""

from typing import Any

import pytest

from service.edge.message import EdgeRequest


def read(headers: list[tuple[bytes, bytes]], trusted_proxies: int = 0, client: Any = ("10.0.0.9", 1)) -> EdgeRequest:
    scope = {"method": "GET", "path": "/", "query_string": b"", "headers": headers, "client": client}
    return EdgeRequest(scope, 0.0, trusted_proxies)


@pytest.mark.parametrize(
    ("proxies", "lines", "client"),
    [
        (0, [b"192.0.2.1"], "10.0.0.9"),
        (1, [b"192.0.2.1"], "192.0.2.1"),
        (1, [b"192.0.2.1, 198.51.100.7"], "198.51.100.7"),  # the left one is what the client itself has sent
        (2, [b"192.0.2.1, 198.51.100.7"], "192.0.2.1"),
        (2, [b"192.0.2.1", b" 198.51.100.7 "], "192.0.2.1"),
        (2, [b"192.0.2.1"], "10.0.0.9"),  # fewer entries than proxies: the request did not pass them all
        (1, [], "10.0.0.9"),
        (1, [b""], "10.0.0.9"),
    ],
)
def test_the_client_is_the_one_that_the_outermost_trusted_proxy_has_seen(
    proxies: int, lines: list[bytes], client: str
) -> None:
    assert read([(b"x-forwarded-for", line) for line in lines], proxies).client == client


def test_a_client_on_a_unix_socket_has_no_address() -> None:
    assert read([], client=None).client == ""


def test_an_id_of_visible_ascii_is_taken_over_and_any_other_replaced_by_a_new_one() -> None:
    for given in (b"a", b"~!\"'\\{}", b"x" * 128):
        assert read([(b"x-request-id", given)]).id == given
    made = {read([(b"x-request-id", given)]).id for given in (b"", b"a b", b"a\r\nb", b"\x7f", b"\xe9", b"x" * 129)}
    assert [len(each) for each in made] == [16] * 6
    assert all(int(each, 16) for each in made)
