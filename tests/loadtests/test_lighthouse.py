"""What Lighthouse reports about the page becomes figures with budgets."""

from typing import Any

import pytest

from loadtests import lighthouse
from loadtests.budgets import BUDGETS, Verdicts

REQUESTS = [{"transferSize": size} for size in (3000, 8000, 39000, 0)]


def report(performance: float, shift: float) -> dict[str, Any]:
    scores = {"performance": performance, "accessibility": 1, "best-practices": 0.96}
    return {
        "lighthouseVersion": "12",
        "categories": {name: {"score": score} for name, score in scores.items()},
        "audits": {
            "network-requests": {"details": {"items": REQUESTS}},
            "cumulative-layout-shift": {"numericValue": shift},
        },
    }


def test_figures_count_what_was_sent_and_have_budgets() -> None:
    figures = lighthouse.figures_of(report(0.97, 0))
    assert figures == {
        "page performance": 97,
        "page accessibility": 100,
        "page best-practices": 96,
        "page layout shift": 0,
        "page requests": 3,
        "page kilobytes": 50,
    }
    assert set(figures) <= set(BUDGETS)


@pytest.mark.parametrize(
    ("performance", "shift", "missed"),
    [(0.97, 0, []), (0.94, 0, ["page performance"]), (1, 0.001, ["page layout shift"])],
)
def test_the_first_view_must_keep_its_budgets(performance: float, shift: float, missed: list[str]) -> None:
    verdicts = Verdicts()
    lighthouse.show_view("first visit", "/", report(performance, shift), verdicts)
    assert [sentence.split("'")[1] for sentence in verdicts.missed] == missed


def test_other_views_are_shown_without_budgets() -> None:
    verdicts = Verdicts()
    lighthouse.show_view("own rules", "/?rows=4", report(0.1, 1), verdicts)
    assert verdicts.missed == []
