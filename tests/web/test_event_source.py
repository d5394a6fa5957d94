"""The ``EventSource`` of a browser follows an analysis, and stops at its end."""

import pytest

from tests.support import HUNG_SECONDS
from tests.web.page import Open

pytestmark = pytest.mark.verify

FOLLOW = """
query => {
  window.heard = [];
  window.source = new EventSource(`/analysis/stream?${query}`);
  for (const type of ["progress", "result", "problem", "error"])
    source.addEventListener(type, ({ data, lastEventId }) => heard.push({ type, data, lastEventId }));
}
"""

CLOSED = "() => source.readyState === EventSource.CLOSED"


def test_a_source_that_nobody_closes_connects_once_more_and_stops(open_page: Open) -> None:
    page, statuses = open_page("/docs"), list[int]()
    page.on("response", lambda response: statuses.append(response.status) if "/analysis" in response.url else None)
    page.evaluate(FOLLOW, "game=qubic&moves=1,21&nodes=1500000")
    page.wait_for_function(CLOSED, timeout=HUNG_SECONDS * 1000)
    *progress, result, again, last = page.evaluate("heard")
    assert {event["type"] for event in progress} <= {"progress"}
    assert (result["type"], result["lastEventId"], again["type"], last["type"]) == ("result", "end", "error", "error")
    assert statuses == [200, 204]
