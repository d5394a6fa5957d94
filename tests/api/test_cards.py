"""``/position.png``: the card of any position that ``/position.svg`` draws by its address."""

from io import BytesIO

import pytest
from PIL import Image

from service.engine.slots import Overloaded
from service.picture import png
from service.settings import Settings
from tests.edge_client import EdgeClient
from tests.support import some

FOREVER = "public, max-age=31536000, immutable"

QUERIES = [
    "",
    "moves=4,0,8",
    "moves=4,0,8,2",
    "moves=4,0,8&theme=dark",
    "moves=0,1,3,4,6",
    "game=connect-four&drops=44455",
    "game=connect-four&drops=4445",
    "game=qubic&moves=0,1&time_ms=1",
    "game=wrapped-tic-tac-toe&moves=4",
    "rows=4&columns=3&in_a_row=3&wrap=true&moves=0",
    "rows=4&columns=3&in_a_row=3&gravity=true&moves=0",
    "moves=4,0&show=best,evaluation",
    "game=tapatan&moves=4,0,3,5,1,7,3>6",
    "game=numerical-tic-tac-toe&moves=5@4",
    "game=pop-out-4x4&moves=d1,d2&show=best,evaluation",
    "family=notakto&boards=2&misere=false&moves=0.4",
]


@pytest.fixture(scope="module")
def own() -> EdgeClient:
    return EdgeClient(Settings())


@pytest.mark.parametrize("query", some(QUERIES, 4))
def test_a_card_is_an_image_that_can_be_kept_for_ever(own: EdgeClient, query: str) -> None:
    response = own.get(f"/position.png?{query}")
    assert (response.status_code, response.mimetype) == (200, "image/png")
    assert response.headers["Cache-Control"] == FOREVER
    assert Image.open(BytesIO(response.data)).size == (1200, 630)
    again = own.get(f"/position.png?{query}", headers={"If-None-Match": response.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    assert again.headers["ETag"] == response.headers["ETag"]
    head = own.head(f"/position.png?{query}")
    assert (head.status_code, head.data) == (200, b"")
    assert head.headers["Content-Length"] == str(len(response.data))


def test_cards_of_different_positions_differ(own: EdgeClient) -> None:
    assert len({own.get(f"/position.png?{query}").data for query in QUERIES}) == len(QUERIES)


def test_the_same_card_has_the_same_bytes_however_it_is_asked_for(own: EdgeClient) -> None:
    first = own.get("/position.png?board=X...O....&theme=auto").data
    assert own.get("/position.png?board=X../.O./...&show=&theme=light").data == first
    assert EdgeClient(Settings()).get("/position.png?board=X...O....").data == first


@pytest.mark.parametrize(
    "query",
    ["moves=4,0&show=best&tie_break=random", "game=connect-four-6x5&moves=3&show=evaluation&nodes=100"],
)
def test_a_card_that_may_be_another_next_time_is_not_kept(own: EdgeClient, query: str) -> None:
    assert own.get(f"/position.png?{query}").headers["Cache-Control"] == "no-store"


def test_a_service_that_has_no_room_to_draw_says_when_to_ask_again(
    own: EdgeClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: bytes) -> bytes:
        raise Overloaded(1)

    known = own.get("/position.png?moves=8").data
    monkeypatch.setattr(png, "draw", refuse)
    response = own.get("/position.png?moves=7")
    assert (response.status_code, response.headers["Retry-After"]) == (503, "1")
    assert response.headers["Cache-Control"] == "no-store"
    assert response.get_json()["detail"] == "All search slots and places in the queue are taken; try again in 1 s."
    assert own.get("/position.png?moves=8").data == known
    assert own.get("/position.svg?moves=7").status_code == 200


def test_only_get_draws_cards(own: EdgeClient) -> None:
    response = own.post("/position.png", json={"moves": [4]})
    assert response.status_code == 405
    assert set(response.headers["Allow"].split(", ")) == {"GET", "HEAD", "OPTIONS"}
