"""What the edge reads of a request: the address of the client, and its id."""

from typing import Any

import pytest

from service.edge.message import EdgeRequest, joined, split


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


@pytest.mark.parametrize("given", [b"a", b"~!\"'\\{}", b"x" * 128])
def test_an_id_of_visible_ascii_is_taken_over(given: bytes) -> None:
    assert read([(b"x-request-id", given)]).id == given


@pytest.mark.parametrize("given", [b"", b"a b", b"a\r\nb", b"\x7f", "é".encode(), b"x" * 129])
def test_any_other_id_is_replaced(given: bytes) -> None:
    made = read([(b"x-request-id", given)]).id
    assert len(made) == 16
    int(made, 16)


def test_ids_differ() -> None:
    assert len({read([]).id for _ in range(100)}) == 100


def test_joined_headers_can_be_split_again() -> None:
    headers = [(b"content-type", b"text/plain"), (b"x-odd", b"a: b"), (b"x-empty", b"")]
    assert split(joined(headers)) == headers
