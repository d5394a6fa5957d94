"""A page whose document comes in pieces: nothing that was painted moves when the rest is here."""

import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import httpx
import pytest
from playwright.sync_api import expect

from tests.support import Server
from tests.web.page import PHONE, SHIFTS, Open

pytestmark = pytest.mark.verify

PIECES, PAUSE_SECONDS = 20, 0.05
"""Into how many pieces a document is cut, and the pause after each: long enough to paint."""

PASSED_ON = ("Content-Type", "Content-Security-Policy")


@pytest.fixture
def slow(server: Server) -> Iterator[str]:
    """The address of a proxy that passes documents on piece by piece."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found = httpx.get(f"{server.url}{self.path}")
            self.send_response(found.status_code)
            for name in PASSED_ON:
                self.send_header(name, found.headers[name])
            self.end_headers()
            is_document = found.headers["Content-Type"].startswith("text/html")
            step = len(found.content) // PIECES if is_document else len(found.content)
            for start in range(0, len(found.content), step):
                self.wfile.write(found.content[start : start + step])
                time.sleep(PAUSE_SECONDS if is_document else 0)  # noqa: TID251, a slow network

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as proxy:
        Thread(target=proxy.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{proxy.server_port}"
        proxy.shutdown()


@pytest.mark.parametrize("path", ["/?game=connect-four&moves=3&you=both", "/learn", "/embed?controls=minimal"])
def test_nothing_moves_while_a_document_arrives(open_page: Open, slow: str, path: str) -> None:
    page = open_page(f"{slow}{path}", size=PHONE)
    expect(page.locator(".cell, #root button").first).to_be_attached()
    assert page.evaluate(SHIFTS) == 0
