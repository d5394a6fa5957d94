"""The pages at /, /learn and /docs and their files: self-hosted, under strict policies."""

import gzip
import json
import re
from html import unescape
from io import BytesIO
from urllib.parse import urlencode

import pytest
from flask.testing import FlaskClient
from PIL import Image

from service.settings import Settings
from service.web.page import service_worker
from tests.edge_client import EdgeClient, assert_kept
from tests.support import ROOT

WEB = ROOT / "service/web"
OTHERS = {"docs.css", "docs.js", "service-worker.js", "move-oracle.js"}
PUBLIC_URL = "https://example.org:8443/oracle"


@pytest.fixture(scope="module")
def public() -> EdgeClient:
    """A client of a service that knows at which address the page is reached."""
    return EdgeClient(Settings(public_url=PUBLIC_URL))


def told(client: FlaskClient | EdgeClient, query: str) -> dict[str, str]:
    """What the page of a link tells chats, by property."""
    page = client.get(f"/?{query}").get_data(as_text=True)
    found = re.findall(r'<meta (?:property|name)="((?:og|twitter):[^"]+)" content="([^"]*)">', page)
    return {name: unescape(content) for name, content in found}


SERVED = {".css", ".js", ".svg", ".webmanifest", ".woff2"}
FILES = {
    "/": {
        *("main.js", "page.css", "words/texts_de.js"),
        *("analyse/study.js", "words/values.js", "words/reasons.js", "parts.css"),  # those of a link to a game
    },
    "/embed": {"embed.js", "page.css", "parts.css", "embed.css", "words/texts_de.js"},
    "/learn": {"learn.js", "page.css", "learn.css", "words/texts_de.js"},
}


def test_a_page_loads_few_files_that_are_here_and_that_browsers_keep_for_good_and_is_small(client: FlaskClient) -> None:
    for path, names in FILES.items():
        page = client.get(path).get_data(as_text=True)
        files = set(re.findall(r'(?:src|href|content)="(/page/[^"]*)"', page)) - {"/page/app.webmanifest"}
        assert {re.sub(r"\.[0-9a-f]{16}\.", ".", file) for file in files} == {f"/page/{name}" for name in names}
        for file in files:
            assert_kept(client, file)
        asked = [path, *files, "/games"]
        assert sum(len(client.get(each, headers={"Accept-Encoding": "gzip"}).data) for each in asked) <= 100_000
    for path in (*FILES, "/docs"):
        page = client.get(path).get_data(as_text=True)
        linked = re.findall(r'(?:src|href)="(/[^"]*)"', page)
        assert {client.get(file).status_code for file in linked if not file.startswith("/guide/")} == {200}
        assert "//" not in re.sub(r"<!--.*?-->", "", page)


NOT_SERVED = [
    *("docs.js", "docs.css", "index.html", "screenshot.png", "__init__.py", "main.0123456789abcdef.js"),
    *("%2e%2e%2fapp.py", "..%2fapp.py"),
]


def test_every_source_of_the_page_is_served_and_nothing_else_is(client: FlaskClient) -> None:
    written = {str(path.relative_to(WEB)) for path in WEB.rglob("*") if path.suffix in SERVED}
    assert "rules/line.js" in written
    for name in written - OTHERS:
        assert client.get(f"/page/{name}").get_data() == (WEB / name).read_bytes()
    for name in NOT_SERVED:
        assert client.get(f"/page/{name}").status_code == 404, name


@pytest.mark.parametrize("path", ["/?game=qubic", "/openapi.yaml", "/games", "/page/main.js", "/docs/swagger-ui.css"])
def test_a_document_is_compressed_for_who_asks(client: FlaskClient, path: str) -> None:
    plain, packed, refused = (
        client.get(path, headers={"Accept-Encoding": encoding})
        for encoding in ("identity", "br, gzip;q=0.5", "gzip;q=0, deflate")
    )
    assert not {"Content-Encoding"} & {*plain.headers.keys(), *refused.headers.keys()}
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.data) == plain.data == refused.data
    assert len(packed.data) < len(plain.data) / 2
    assert plain.headers["ETag"] != packed.headers["ETag"]
    given = {"Accept-Encoding": "gzip", "If-None-Match": packed.headers["ETag"]}
    again = client.get(path, headers=given)
    assert again.status_code == 304
    assert [response.headers["Vary"] for response in (plain, packed, again)] == ["Accept-Encoding"] * 3


MIMETYPES = {
    **dict.fromkeys(["/", "/embed", "/learn", "/docs"], "text/html"),
    **dict.fromkeys(["/page/main.js", "/page/move-oracle.js", "/docs/docs.js"], "text/javascript"),
    **dict.fromkeys(["/page/page.css", "/docs/docs.css", "/docs/swagger-ui.css"], "text/css"),
    "/page/icon.svg": "image/svg+xml",
    "/docs/favicon-32x32.png": "image/png",
    "/openapi.json": "application/json",
}


def test_a_document_is_asked_for_again_with_its_etag(client: FlaskClient) -> None:
    for path, mimetype in MIMETYPES.items():
        assert assert_kept(client, path, "public, no-cache").mimetype == mimetype, path


def test_a_new_release_takes_the_place_of_the_kept_page(client: FlaskClient) -> None:
    text = client.get("/page/service-worker.js").get_data(as_text=True)
    pages = {path: client.get(path).data for path in ("/", "/learn")}
    assert service_worker(pages).decode() == text
    for path, page in pages.items():
        other = service_worker({**pages, path: page + b"<!-- changed -->"}).decode()
        assert text.splitlines()[1:] == other.splitlines()[1:]
        assert text.splitlines()[0] != other.splitlines()[0]


def test_the_worker_may_keep_the_whole_site_and_load_nothing_else(client: FlaskClient) -> None:
    response = client.get("/page/service-worker.js")
    assert response.headers["Service-Worker-Allowed"] == "/"
    assert response.headers["Cache-Control"] == "public, no-cache"
    policy = "default-src 'none'; connect-src 'self'; frame-ancestors 'none'"
    assert response.headers["Content-Security-Policy"] == policy
    kept = json.loads(response.get_data(as_text=True).splitlines()[1].removeprefix("const FILES = ").removesuffix(";"))
    loaded = ["/", "/learn"]
    for path in loaded:
        found = re.findall(rb"/page/[\w/]+\.[0-9a-f]{16}\.\w+", client.get(path).data)
        loaded.extend(name.decode() for name in dict.fromkeys(found) if name.decode() not in loaded)
    assert {*loaded} == {*kept}


AROUND = ",".join(["0,1,2,3,4,5", *["4>6,5>8,6>4,8>5"] * 15, "4>6"])
"""A game of 67 plies that goes round."""

PICTURES = {
    "game=connect-four&drops=443&you=both": "game=connect-four&drops=443",
    "game=connect-four&drops=44352&ply=3": "game=connect-four&drops=443",
    "game=tic-tac-toe&moves=4,0&ply=0": "game=tic-tac-toe",
    "rows=4&columns=5&in_a_row=4&wrap=true&moves=7": "rows=4&columns=5&in_a_row=4&wrap=true&moves=7",
    "game=tic-tac-toe&board=X...O....&player=X&moves=2,1": "game=tic-tac-toe&board=XOX.O....&player=X",
    "game=tic-tac-toe&board=X...O....&player=X&moves=2,1&ply=1": "game=tic-tac-toe&board=X.X.O....&player=O",
    f"game=connect-four-5x4&board={'.' * 15}X....&player=O&drops=11": (
        "game=connect-four-5x4&board=.....X....O....X....&player=O"
    ),
    "game=notakto-2&moves=0.4,1.3&ply=1&you=both": "game=notakto-2&moves=0.4",
    f"game=tapatan&moves={AROUND}&ply=66": f"game=tapatan&{urlencode({'moves': AROUND.rpartition(',')[0]})}",
    "game=vanishing-tic-tac-toe&moves=4,0&hints=values": "game=vanishing-tic-tac-toe&moves=4%2C0",
}
"""Links by their queries, and those of their pictures."""

NO_PICTURES = [
    *("cells=7&lines=0-1-2&moves=1", "game=go&moves=4", "game=notakto&moves=4,4", "moves=4,4", "rows=99", ""),
    "board=X........&moves=0",
]


def test_a_link_unfolds_with_the_picture_of_its_position_and_one_without_promises_none(public: EdgeClient) -> None:
    found = {query: told(public, query)["og:image"] for query in PICTURES}
    assert found == {query: f"{PUBLIC_URL}/position.png?{picture}" for query, picture in PICTURES.items()}
    for query in NO_PICTURES:
        properties = told(public, query)
        assert properties["og:title"] == "Move Oracle: play, analyse, review"
        assert not [name for name in properties if name.startswith(("og:image", "twitter"))]


PARTS, LIMITS = "/page/parts", "/version"
AHEAD = {
    (): ["", "game=tic-tac-toe", "game=connect-four", "player=X", "game=nonsense"],
    (PARTS,): ["moves=4&you=both", "moves=0,3,1,4,2", "moves=4&hints=", "hints=values&game=nonsense"],
    (PARTS, LIMITS): ["moves=4", "hints=values", "you=both&hints=values", "moves=0,3,1,4,2&ply=3"],
}
"""What browsers are told to load ahead, with the queries of links."""


def test_a_link_has_loaded_ahead_what_its_page_uses_and_nothing_else(client: FlaskClient) -> None:
    def ahead(query: str) -> tuple[str, ...]:
        page = re.sub("<!--.*?-->", "", client.get(f"/?{query}").get_data(as_text=True), flags=re.DOTALL)
        return tuple(re.findall('<link rel="?preload"? [^>]*href="?(/page/parts|/version)', page))

    for loaded, queries in AHEAD.items():
        assert {query: ahead(query) for query in queries} == dict.fromkeys(queries, loaded)


def test_a_link_unfolds_with_a_large_card_and_its_game_in_words(public: EdgeClient, client: FlaskClient) -> None:
    address, words = f"{PUBLIC_URL}/position.png?game=connect-four&drops=443", "Connect Four: O to move"
    properties = told(public, "game=connect-four&drops=443&you=both&x=%22%3E")
    assert properties == {
        "og:title": words,
        "og:url": f"{PUBLIC_URL}/?game=connect-four&drops=443&you=both&x=%22%3E",
        "og:image": address,
        "og:image:type": "image/png",
        "og:image:width": "1200",
        "og:image:height": "630",
        "og:image:alt": words,
        "twitter:card": "summary_large_image",
        "twitter:image": address,
        "twitter:image:alt": words,
    }
    image = Image.open(BytesIO(public.get(address.removeprefix(PUBLIC_URL)).data))
    assert image.size == (1200, 630)
    assert told(client, "game=connect-four&drops=443") == {"og:title": words}  # its address is not known
