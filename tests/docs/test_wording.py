"""The check of docstrings and comments finds its phrases, and none of them in the product."""

import runpy
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.support import ROOT

WORDING: dict[str, Any] = runpy.run_path(str(ROOT / "docs/wording.py"))
Prose = Iterator[tuple[int, str]]

findings: Callable[[Prose], Iterator[tuple[int, str, str]]] = WORDING["findings"]
prose: Callable[[str], Prose] = WORDING["prose"]
script_prose: Callable[[str], Prose] = WORDING["script_prose"]


@pytest.mark.parametrize(
    ("source", "phrase"),
    [
        ('"""Return so many items."""', "so many"),
        ('def f():\n    """Wait.\n\n    Whoever\n    waits is told.\n    """', "Whoever"),
        ('LIMIT = 1\n"""Only the order of moves hangs on it."""', "hangs on"),
        ("x = 1  # nobody waits", "nobody"),
        ("# what there\n# is to say\nx = 1", "what there is"),
        ('x = "nobody"', None),
        ('"""Return ``plies`` items, at most ``most``."""', None),
    ],
)
def test_phrases_are_found_in_docstrings_and_comments_alone(source: str, phrase: str | None) -> None:
    assert [found for _, found, _ in findings(prose(source))][:1] == ([] if phrase is None else [phrase])


@pytest.mark.parametrize(
    ("source", "phrase"),
    [
        ("let x; // what is told", "told"),
        ("/** Shows it to\n * whoever asks. */", "whoever"),
        ('fetch("https://nobody.example"); // the oracle', None),
    ],
)
def test_phrases_are_found_in_comments_of_scripts(source: str, phrase: str | None) -> None:
    assert [found for _, found, _ in findings(script_prose(source))][:1] == ([] if phrase is None else [phrase])


def test_the_product_has_none_of_the_phrases() -> None:
    WORDING["main"]()
