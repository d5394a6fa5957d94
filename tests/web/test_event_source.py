"""The ``EventSource`` of a browser follows an analysis, and stops at its end."""

from typing import Any

import pytest
from playwright.sync_api import Page

from tests.support import HUNG_SECONDS
from tests.web.page import Open

pytestmark = pytest.mark.verify

FOLLOW = """
query => {
  window.heard = [];
  window.source = new EventSource(`/analysis?${query}`);
  for (const type of ["progress", "result", "problem", "error"])
    source.addEventListener(type, ({ data, lastEventId }) => heard.push({ type, data, lastEventId }));
}
"""

CLOSED = "() => source.readyState === EventSource.CLOSED"


def follow(page: Page, query: str, until: str) -> list[dict[str, Any]]:
    """What an ``EventSource`` has heard, once the condition ``until`` holds."""
    page.evaluate(FOLLOW, query)
    page.wait_for_function(until, timeout=HUNG_SECONDS * 1000)
    heard: list[dict[str, Any]] = page.evaluate("heard")
    return heard


def test_a_source_that_nobody_closes_connects_once_more_and_stops(open_page: Open) -> None:
    page, statuses = open_page("/docs"), list[int]()
    page.on("response", lambda response: statuses.append(response.status) if "/analysis" in response.url else None)
    *progress, result, again, last = follow(page, "game=qubic&moves=1,21&nodes=1500000", CLOSED)
    assert {event["type"] for event in progress} <= {"progress"}
    assert (result["type"], result["lastEventId"], again["type"], last["type"]) == ("result", "end", "error", "error")
    assert statuses == [200, 204]


def test_a_kept_answer_is_no_stream_and_a_stream_no_answer(open_page: Open) -> None:
    """In the cache of the browser, where an answer of the same address stays for a year."""
    page = open_page("/docs")
    read = """accept => fetch("/analysis?board=X..O.....", { headers: { accept } })
        .then(reply => reply.headers.get("content-type"))"""
    types = [page.evaluate(read, accept) for accept in ("application/json", "text/event-stream", "application/json")]
    assert [found.partition(";")[0] for found in types] == ["application/json", "text/event-stream", "application/json"]
    assert follow(page, "board=X..O.....", "() => heard.length > 0")[0]["type"] == "result"
