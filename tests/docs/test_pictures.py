"""The pictures in the documentation are those that the service draws."""

from pathlib import Path

import pytest

from tests.docs.pages import DOCS
from tests.edge_client import EdgeClient

PICTURES = {
    "connect-four.svg": "/position.svg?game=connect-four&drops=4445526&size=240",
    "tic-tac-toe.svg": "/position.svg?moves=4,0,8&show=best,evaluation&size=240",
}


def test_every_picture_in_the_folder_is_known() -> None:
    assert {path.name for path in Path(DOCS / "assets/pictures").iterdir()} == set(PICTURES)


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_what_the_service_draws(client: EdgeClient, name: str) -> None:
    assert (DOCS / "assets/pictures" / name).read_bytes() == client.get(PICTURES[name]).data
