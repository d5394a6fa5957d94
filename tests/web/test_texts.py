"""The texts of the page: those of the document in the table, the same keys in every language, and none elsewhere."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any, get_args

import pytest

from service.explain.reason import Code
from service.games.catalogue import CATALOGUE, LINE_GAMES, STATE_GAMES
from service.web.page import FRAME, KEPT, LESSON, PAGE, source, source_names
from tests.edge_client import EdgeClient
from tests.web.page import InNode

LANGUAGES = ["de"]
"""Those beside English."""

KINDS = """async (languages) => {
  const names = (text) => (/^\\(\\{([^}]*)\\}\\)/.exec(String(text))?.[1] ?? "").split(",").map(name => name.trim());
  const leaf = (text) => typeof text === "function" ? names(text).sort() : text;
  const kind = (text) => typeof text === "object" ? kinds(text) : leaf(text);
  const kinds = (table) => Object.fromEntries(Object.entries(table).map(([key, text]) => [key, kind(text)]));
  const tables = {};
  for (const language of languages) tables[language] = kinds((await import(`./texts_${language}.js`))[language]);
  return tables;
}"""
"""JavaScript that tells the tables: strings as they are, functions as the names of their values."""

DRAWN = (
    *("sentence", "turn-note"),
    *("status", "game-name", "rules", "first-player", "second-player", "skill-value", "new-name"),
)
"""Elements whose text is written with the match, which therefore has no key."""

NAMES = ("Move Oracle", "English", "Deutsch", "Alpha", "Beta", "Minimax")
"""Texts that are the same in every language."""


@pytest.fixture(scope="module")
def tables(in_node: InNode) -> dict[str, dict[str, Any]]:
    return dict(in_node(KINDS, ["en", *LANGUAGES]))


class Texts(HTMLParser):
    """Collects the texts of a document: by their keys, and those that have none."""

    VOID = ("meta", "link", "input", "img", "path", "line", "rect", "circle", "br")
    UNREAD = ("noscript", "kbd", "script", "style")

    def __init__(self, document: str) -> None:
        super().__init__()
        self.by_key, self.without = dict[str, str](), list[str]()
        self._open = list[tuple[str, dict[str, str | None]]]()
        self.feed(document)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = dict(attrs)
        for key, attribute in (("data-label", "aria-label"), ("data-empty", "data-none")):
            if key in told:
                self.by_key[str(told[key])] = str(told[attribute])
            elif attribute in told:
                self.without.append(str(told[attribute]))
        if tag not in self.VOID:
            self._open.append((tag, told))

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        text = data.strip()
        _, told = self._open[-1] if self._open else ("", {})
        if text and told.get("data-text"):
            self.by_key[str(told["data-text"])] = text
        elif text and told.get("id") not in DRAWN and not any(tag in self.UNREAD for tag, _ in self._open):
            self.without.append(text)


def flat(table: dict[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the texts of a table by their keys, those of groups after a dot."""
    for key, text in table.items():
        if isinstance(text, dict):
            yield from flat(text, f"{before}{key}.")
        else:
            yield f"{before}{key}", text


@pytest.mark.parametrize("document", [PAGE, FRAME, LESSON])
def test_every_text_of_the_document_has_a_key_and_is_what_the_table_says(tables: dict[str, Any], document: str) -> None:
    texts = Texts(source(document).decode())
    told = dict(flat(tables["en"]))
    assert texts.by_key
    assert texts.by_key == {key: told.get(key) for key in texts.by_key}
    without = [text for text in texts.without if re.search("[A-Za-z]{2}", text) and text not in NAMES]
    assert without == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_is_translated_with_the_same_values(tables: dict[str, Any], language: str) -> None:
    english, other = (dict(flat(tables[each])) for each in ("en", language))
    kinds, others = (
        {key: text if isinstance(text, list) else "text" for key, text in table.items() if not of_service(key)}
        for table in (english, other)
    )
    assert kinds == others
    assert all(text or isinstance(text, list) for text in other.values())
    same = {key for key, text in english.items() if text == other[key] and isinstance(text, str)}
    assert same == {"api", "analyse", "system", "players.Chaos", "parameters.misere.name"}


def of_service(key: str) -> bool:
    """Whether the service says it, so that the English table leaves it to the service."""
    return key.startswith(("games", "families", "parameters", "reasons", "lines"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_the_service_announces_is_translated(tables: dict[str, Any], client: EdgeClient, language: str) -> None:
    table = tables[language]
    assert {name: set(game) for name, game in table["games"].items()} == {name: {"name", "rules"} for name in CATALOGUE}
    assert table["reasons"].keys() == set(get_args(Code))
    players = {player for game in STATE_GAMES.values() for player in game.players}
    assert players - {"X", "O"} == table["players"].keys()
    announced = client.get("/games").get_json()["families"]
    assert table["families"].keys() == {"lines", *(family["family"] for family in announced)}
    for family in announced:
        own = table["families"][family["family"]]
        assert own["name"]
        assert own["about"]
        for parameter in family["parameters"]:
            told = own.get("parameters", {}).get(parameter["name"]) or table["parameters"][parameter["name"]]
            assert told["name"]
            assert told["about"]
            words = {str(choice).lower() for choice in parameter["choices"] or () if isinstance(choice, str | bool)}
            assert words - {"true", "false"} <= told.get("choices", {}).keys(), parameter["name"]


def test_the_english_table_says_what_the_service_says(tables: dict[str, Any]) -> None:
    for name, told in tables["en"]["games"].items():
        assert told == {"name": LINE_GAMES[name].name, "rules": LINE_GAMES[name].rules}
    assert not tables["en"]["reasons"]


def test_every_text_that_is_used_is_in_the_table(tables: dict[str, Any]) -> None:
    told = " ".join(source(name).decode() for name in (*source_names(), PAGE, FRAME, LESSON) if "texts_" not in name)
    used = {*re.findall(r"(?<!/)\btexts\.(\w+)", told), *re.findall(r'data-(?:text|label|empty)="([\w.]+)"', told)}
    assert used
    assert used - {key for key, _ in flat(tables["en"])} - set(tables["en"]) == set()


def test_every_language_is_a_file_of_both_pages_and_a_choice_of_the_settings() -> None:
    for language in LANGUAGES:
        for document in (PAGE, FRAME):
            assert f'<meta name="texts-{language}" content="/page/texts_{language}.js">' in source(document).decode()
            assert f"texts_{language}.js" in KEPT[document]
        assert f'name="language" value="{language}"' in source(PAGE).decode()
    assert {name for name in source_names() if name.startswith("texts_")} == {
        f"texts_{each}.js" for each in ("en", *LANGUAGES)
    }
