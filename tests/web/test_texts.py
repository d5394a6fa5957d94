"""The texts of the page: those of the document in the table, the same keys in every language, and none elsewhere."""

import re
from collections.abc import Iterator
from html import unescape
from typing import Any, get_args

import httpx
import pytest

from service.explain.statements import Code
from service.games.catalogue import CATALOGUE, LINE_GAMES, STATE_GAMES
from service.web.page import FRAME, KEPT, LESSON, MISSING, PAGE, source, source_names
from tests.support import Server
from tests.web.page import InNode

LANGUAGES = ["de"]
"""Those beside English."""

KINDS = """async (languages) => {
  const names = (text) => (/^\\(\\{([^}]*)\\}\\)/.exec(String(text))?.[1] ?? "").split(",").map(name => name.trim());
  const leaf = (text) => typeof text === "function" ? names(text).sort() : text;
  const kind = (text) => typeof text === "object" ? kinds(text) : leaf(text);
  const kinds = (table) => Object.fromEntries(Object.entries(table).map(([key, text]) => [key, kind(text)]));
  const tables = {};
  const { lesson } = await import("./learn/texts_en.js");
  const { parts } = await import("./words/parts_en.js");
  for (const language of languages) {
    const added = language === "en" ? { lesson, ...parts } : {};
    tables[language] = kinds({ ...added, ...(await import(`./words/texts_${language}.js`))[language] });
  }
  return tables;
}"""
"""JavaScript that tells the tables: strings as they are, functions as the names of their values."""

DOCUMENTS = (PAGE, FRAME, LESSON, MISSING)

DRAWN = (
    *("sentence", "turn-note"),
    *("status", "game-name", "rules", "first-player", "second-player", "new-name", "new-chooser-name"),
)
"""Elements whose text is written with the match, which therefore has no key."""

NAMES = ("Move Oracle", "English", "Deutsch", "Alpha", "Beta", "Minimax")
"""Texts that are the same in every language."""


@pytest.fixture(scope="module")
def tables(in_node: InNode) -> dict[str, dict[str, Any]]:
    """The tables by language; that of English with the texts that stand in documents alone."""
    found = dict(in_node(KINDS, ["en", *LANGUAGES]))
    found["en"] = {key: text for document in DOCUMENTS for key, text in alone(document).items()} | found["en"]
    return found


def alone(document: str) -> dict[str, str]:
    return {key: text for key, text in texts_of(source(document).decode())[0].items() if "." not in key}


TAG = re.compile(r"<([^>]*)>([^<]*)")
UNREAD = re.compile(r"<(noscript|kbd(?=>)|script|style)\b.*?</\1>", re.DOTALL)


def texts_of(document: str) -> tuple[dict[str, str], list[str]]:
    """Return the texts of a document: by their keys, and those that have none."""
    by_key, without = dict[str, str](), list[str]()
    for tag, after in TAG.findall(UNREAD.sub("", document)):
        told = dict(re.findall(r'([\w-]+)="([^"]*)"', tag)) | {"text": unescape(after).strip()}
        for key, text in (("data-text", "text"), ("data-label", "aria-label"), ("data-empty", "data-none")):
            if key in told:
                by_key[told[key]] = unescape(told[text])
            elif told.get(text) and told.get("id") not in DRAWN:
                without.append(told[text])
    return by_key, [text for text in without if re.search("[A-Za-z]{2}", text) and text not in NAMES]


def flat(table: dict[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the texts of a table by their keys, those of groups after a dot."""
    for key, text in table.items():
        if isinstance(text, dict):
            yield from flat(text, f"{before}{key}.")
        else:
            yield f"{before}{key}", text


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_text_of_the_document_has_a_key_and_is_what_the_table_says(tables: dict[str, Any], document: str) -> None:
    by_key, without = texts_of(source(document).decode())
    told = dict(flat(tables["en"]))
    assert by_key
    assert by_key == {key: told.get(key) for key in by_key}
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
    assert same == {"api", "analyse", "system", "players.Chaos", "parameters.misere.name", "games.qubic.name"}


def of_service(key: str) -> bool:
    """Whether the service says it, so that the English table leaves it to the service."""
    return key.startswith(("games", "families", "parameters", "reasons", "lines"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_the_service_announces_is_translated(tables: dict[str, Any], server: Server, language: str) -> None:
    table = tables[language]
    assert {name: set(game) for name, game in table["games"].items()} == {name: {"name", "rules"} for name in CATALOGUE}
    assert table["reasons"].keys() == set(get_args(Code))
    players = {player for game in STATE_GAMES.values() for player in game.players}
    assert players - {"X", "O"} == table["players"].keys()
    announced = httpx.get(f"{server.url}/games").json()["families"]
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
    names = [name for name in source_names() if name.endswith(".js") and "texts_" not in name]
    told = " ".join(source(name).decode() for name in (*names, *DOCUMENTS))
    used = {*re.findall(r"(?<!/)\btexts\.(\w+)", told), *re.findall(r'data-(?:text|label|empty)="([\w.]+)"', told)}
    assert used
    assert used - {key for key, _ in flat(tables["en"])} - set(tables["en"]) == set()


def test_every_language_is_a_file_of_both_pages_and_a_choice_of_the_settings() -> None:
    for language in LANGUAGES:
        for document in (PAGE, FRAME):
            assert (
                f'<meta name="texts-{language}" content="/page/words/texts_{language}.js">' in source(document).decode()
            )
            assert f"words/texts_{language}.js" in KEPT[document]
        assert f'name="language" value="{language}"' in source(PAGE).decode()
    assert {name for name in source_names() if name.startswith("words/texts_")} == {
        f"words/texts_{each}.js" for each in ("en", *LANGUAGES)
    }
