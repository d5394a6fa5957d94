"""Pictures of positions, as SVG and as PNG: of any position that other routes take, and how long they may be kept."""

from base64 import b64encode
from hashlib import sha256
from io import BytesIO
from xml.etree import ElementTree as ET

import pytest
from PIL import Image

from service.engine.work.slots import Overloaded
from service.picture import png
from service.settings import Settings
from tests.contract import faults
from tests.edge_client import EdgeClient, assert_kept
from tests.support import some

SVG = "{http://www.w3.org/2000/svg}"


def words(body: bytes) -> str:
    """The description of a picture."""
    return ET.fromstring(body).findtext(f"{SVG}desc") or ""


KEPT = [
    *("board=X...O....", "moves=4,0,8", "game=connect-four&drops=44455", "game=qubic&moves=0,1&time_ms=1"),
    *("rows=4&columns=3&in_a_row=3&wrap=true&moves=0", "moves=0,1,3,4,6&theme=light", "board=X...O....&show="),
    *("game=connect-four&drops=4&tie_break=random", "game=vanishing-tic-tac-toe&board=X0-4/O8-2"),
    *("family=vanishing&remove=after&moves=4,0,8", "game=tapatan&moves=4,0,3&show=best,evaluation"),
    *("moves=4,0&show=best&show=evaluation", "moves=4,0&show=best&tie_break=random&seed=3"),
]
NOT_KEPT = [
    *("game=tapatan&moves=4,0,3&show=best&tie_break=random", "moves=4,0&show=best&tie_break=random"),
    *("moves=4,0&show=evaluation&skill=20", "game=connect-four-6x5&moves=3&show=best&nodes=100"),
    "game=connect-four-6x5&moves=3&show=evaluation&nodes=100",
]


def test_law_1_what_is_proven_and_not_drawn_can_be_kept_for_ever_and_is_the_same_on_another_service(
    client: EdgeClient,
) -> None:
    cold = EdgeClient(Settings())
    for query in KEPT:
        kept = assert_kept(client, f"/position.svg?{query}")
        client.get(f"/position.svg?{query}&show=best,evaluation")
        assert kept.mimetype == "image/svg+xml"
        assert client.get(f"/position.svg?{query}").data == cold.get(f"/position.svg?{query}").data == kept.data
    for query in NOT_KEPT * 2:
        assert client.get(f"/position.svg?{query}").headers["Cache-Control"] == "no-store", query


def test_the_best_move_and_the_value_are_those_of_the_other_routes(client: EdgeClient) -> None:
    query = "game=connect-four-5x4&drops=332"
    answer = client.get(f"/best-move?{query}").get_json()
    said = words(client.get(f"/position.svg?{query}&show=best,evaluation").data)
    assert f"The best move is column {answer['column'] + 1}." in said
    assert f"O {'wins' if answer['outcome'] == 'win' else 'loses'} in {answer['plies']} plies." in said
    assert "best" not in words(client.get(f"/position.svg?{query}&show=evaluation").data)
    assert "wins" not in words(client.get(f"/position.svg?{query}&show=best").data)

    asked = {"game": "wild-tic-tac-toe", "moves": ["X4", "O0"]}
    answer = client.post("/best-move", json=asked).get_json()
    said = words(client.post("/position.svg", json={**asked, "show": ["best", "evaluation"]}).data)
    assert "The last move writes O into a1." in said
    assert f"The best move writes {answer['mark']} into " in said
    assert f"First wins in {answer['plies']} plies." in said


def test_only_the_style_sheet_of_the_picture_itself_applies_to_it(client: EdgeClient) -> None:
    for theme in ["light", "dark", "auto"] * 2:  # from Flask, and from the response cache
        response = client.get(f"/position.svg?moves=4,0&theme={theme}&show=best")
        style = ET.fromstring(response.data).findtext(f"{SVG}style") or ""
        own = b64encode(sha256(style.encode()).digest()).decode()
        policy = f"default-src 'none'; style-src 'sha256-{own}'; frame-ancestors 'none'"
        assert response.headers.getlist("Content-Security-Policy") == [policy]


FAULTY = {
    "board=XXXX.....": ("/board", "mark-count"),
    "game=go": ("/game", "unknown-game"),
    "moves=4&theme=red": ("/theme", "not-a-choice"),
    "moves=4&show=best,worst": ("/show/1", "not-a-choice"),
    "moves=4&colour=red": ("/colour", "unknown-field"),
    "moves=4&theme=dark&theme=light": ("/theme", "repeated-field"),
    "game=tapatan&moves=4,4": ("/moves/1", "occupied-cell"),
}
SIZES = {f"moves=4&size={size}": ("/size", "out-of-range") for size in (63, 4097)}


@pytest.mark.parametrize("form", ["svg", "png"])
def test_a_faulty_request_has_a_problem_and_no_picture(client: EdgeClient, form: str) -> None:
    for query, expected in {**FAULTY, **SIZES}.items():
        response = client.get(f"/position.{form}?{query}")
        assert response.status_code in (404, 422)
        assert response.mimetype == "application/problem+json"
        assert faults(response.get_json()) == [expected], query


CARDS = [
    *("", "moves=4,0,8", "moves=4,0,8&theme=dark", "moves=0,1,3,4,6", "moves=4,0&show=best,evaluation"),
    *("game=connect-four&drops=44455", "game=qubic&moves=0,1&time_ms=1", "game=tapatan&moves=4,0,3,5,1,7,3>6"),
    *("rows=4&columns=3&in_a_row=3&wrap=true&moves=0", "game=pop-out-4x4&moves=d1,d2&show=best,evaluation"),
    "family=notakto&boards=2&misere=false&moves=0.4",
]


def test_a_card_is_an_image_of_its_own_that_can_be_kept_for_ever(client: EdgeClient) -> None:
    cards = some(CARDS, 4)
    found = set()
    for query in cards:
        response = assert_kept(client, f"/position.png?{query}")
        assert response.mimetype == "image/png"
        assert Image.open(BytesIO(response.data)).size == (1200, 630)
        head = client.head(f"/position.png?{query}")
        assert (head.status_code, head.data, head.headers["Content-Length"]) == (200, b"", str(len(response.data)))
        found.add(response.data)
    assert len(found) == len(cards)


def test_an_image_with_a_size_shows_the_picture_in_that_size_and_no_card(client: EdgeClient) -> None:
    for query in ("board=X...O....&size=300", "game=connect-four&drops=44455&show=best&size=64"):
        response = assert_kept(client, f"/position.png?{query}")
        assert max(Image.open(BytesIO(response.data)).size) == int(query.rpartition("=")[2])
        other = client.get(f"/position.png?{query}&theme=dark").data
        assert response.data == client.get(f"/position.png?{query}&theme=light").data != other


def test_the_same_card_has_the_same_bytes_however_it_is_asked_for(client: EdgeClient) -> None:
    first = client.get("/position.png?board=X...O....&theme=auto").data
    assert client.get("/position.png?board=X../.O./...&show=&theme=light").data == first
    assert EdgeClient(Settings()).get("/position.png?board=X...O....").data == first


def test_a_service_that_has_no_room_to_draw_says_when_to_ask_again(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: bytes) -> bytes:
        raise Overloaded(1)

    own = EdgeClient(Settings())
    known = own.get("/position.png?moves=8").data
    monkeypatch.setattr(png, "draw", refuse)
    response = own.get("/position.png?moves=7")
    assert (response.status_code, response.headers["Retry-After"]) == (503, "1")
    assert response.headers["Cache-Control"] == "no-store"
    assert own.get("/position.png?moves=8").data == known
    assert own.get("/position.svg?moves=7").status_code == 200
