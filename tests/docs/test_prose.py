"""The prose is short and plain."""

import re
from pathlib import Path

import pytest

from tests.docs.pages import INCLUDED, PAGES, README, name, passages, sentences, words

README_LINES = 180
SENTENCE_WORDS = 35

PROSE = [*PAGES, *(page for page in INCLUDED if page.exists() and page.name != "CHANGELOG.md")]

BANNED = {
    "honest that": "Say what is marked, and how.",
    "holds? against": "Compare with, or verify.",
    "in so many words": "Leave it out.",
    "(?:anybody|nobody|somebody|whoever) who": "Name the client, the operator or the reader.",
    "a great many": "Give the number.",
    "as ever": "Leave it out.",
    "knows nothing of": "Say what it lacks.",
    "makes? up for": "Say what changes.",
    "mend(?:s|ed)?": "Fix.",
    "so many \\w+ and no more": "Give the limit.",
    "turns? into": "Becomes, or is converted to.",
    "what (?:is|was) not \\w+ is": "Name the subject.",
    "who asks?": "A client that requests.",
    "whoever": "A client, an operator or a reader that.",
    "whosoever": "A client, an operator or a reader that.",
}
"""Phrasings that make a reader stop, each with what to write instead."""


def test_the_readme_is_short() -> None:
    assert len(README.read_text().splitlines()) <= README_LINES


@pytest.mark.parametrize("page", PROSE, ids=name)
def test_no_sentence_is_long(page: Path) -> None:
    assert [found for found in sentences(page.read_text()) if words(found) > SENTENCE_WORDS] == []


@pytest.mark.parametrize("page", PROSE, ids=name)
def test_no_phrasing_is_a_riddle(page: Path) -> None:
    found = {
        passage: advice
        for phrase, advice in BANNED.items()
        for passage in passages(page.read_text())
        if re.search(rf"\b(?:{phrase})\b", passage, re.IGNORECASE)
    }
    assert found == {}


@pytest.mark.parametrize("page", [page for page in PROSE if page != README], ids=name)
def test_a_page_has_one_title_and_begins_with_it(page: Path) -> None:
    text = page.read_text()
    assert re.match(r"(?:---\n.*?\n---\n)?(?:# \S|--8<-- )", text, re.DOTALL)


EXAMPLE = """
# A title that is no sentence

One two [three](a/b.md#c). `four five`
six: seven eight!

- nine **ten**
  eleven.
- twelve

| cell one | cell two |
|---|---|
| `a \\| b` | c |

```sh
not a sentence
```
"""


def test_the_sentences_of_a_page_are_found() -> None:
    assert sentences(EXAMPLE) == [
        "One two three.",
        "code six: seven eight!",
        "nine ten eleven.",
        "twelve",
        "cell one",
        "cell two",
        "code",
        "c",
    ]
    assert words("It has 35 words - or so.") == 6
