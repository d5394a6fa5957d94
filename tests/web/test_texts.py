"""The texts of the page: those of the document in the table, the same keys in every language, and none elsewhere."""

import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, get_args

import pytest

from service.explain.reason import Code
from service.families.catalogue import FAMILY_GAMES
from service.games.catalogue import CATALOGUE
from service.web.page import FRAME, KEPT, LESSON, PAGE, source
from tests.programs import run
from tests.support import need

WEB = Path(__file__).parents[2] / "service" / "web"
LANGUAGES = ["de"]
"""Those beside English."""

OF_SERVICE = ("games", "reasons", "lines")
"""Groups for what the service says, which the English table leaves to the service."""

KINDS = """
const names = (text) => (/^\\(\\{([^}]*)\\}\\)/.exec(String(text))?.[1] ?? "").split(",").map(name => name.trim());
const kind = (text) => typeof text === "object" ? kinds(text) : typeof text === "function" ? names(text).sort() : text;
const kinds = (table) => Object.fromEntries(Object.entries(table).map(([key, text]) => [key, kind(text)]));
const tables = {};
for (const language of process.argv.slice(1)) {
  tables[language] = kinds((await import(`file://${process.env.WEB}/texts_${language}.js`))[language]);
}
console.log(JSON.stringify(tables));
"""
"""JavaScript that tells the tables: strings as they are, functions as the names of their values."""

DRAWN = (
    *("sentence", "turn-note"),
    *("status", "game-name", "rules", "first-player", "second-player", "skill-value", "new-name"),
)
"""Elements whose text is written with the match, which therefore has no key."""

NAMES = ("Move Oracle", "English", "Deutsch", "Alpha", "Beta", "Minimax")
"""Texts that are the same in every language."""


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    folder = tmp_path_factory.mktemp("web")
    for name in ["numbers", *(f"texts_{language}" for language in ["en", *LANGUAGES])]:
        (folder / f"{name}.js").write_bytes(source(f"{name}.js"))
    (folder / "package.json").write_text('{"type": "module"}')
    script = KINDS.replace("process.env.WEB", json.dumps(str(folder)))
    told: dict[str, dict[str, Any]] = json.loads(
        run(need("node"), "--input-type=module", "--eval", script, "--", "en", *LANGUAGES).stdout
    )
    return told


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
def test_the_document_says_in_english_what_the_table_says(tables: dict[str, Any], document: str) -> None:
    texts = Texts(source(document).decode())
    told = dict(flat(tables["en"]))
    assert texts.by_key
    assert texts.by_key == {key: told.get(key) for key in texts.by_key}


@pytest.mark.parametrize("document", [PAGE, FRAME, LESSON])
def test_every_text_of_the_document_has_a_key(document: str) -> None:
    told = [text for text in Texts(source(document).decode()).without if re.search("[A-Za-z]{2}", text)]
    assert [text for text in told if text not in NAMES] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_same_texts_of_the_same_values(tables: dict[str, Any], language: str) -> None:
    english, other = (
        {key: text if isinstance(text, list) else "text" for key, text in flat(tables[each])}
        for each in ("en", language)
    )
    assert {key: kind for key, kind in other.items() if not key.startswith(OF_SERVICE)} == {
        key: kind for key, kind in english.items() if not key.startswith(OF_SERVICE)
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_is_translated(tables: dict[str, Any], language: str) -> None:
    texts = dict(flat(tables[language]))
    assert all(texts[key] or isinstance(texts[key], list) for key in texts)
    same = {key for key, text in flat(tables["en"]) if text == texts[key] and isinstance(text, str)}
    assert same == {"api", "analyse", "system", "players.Chaos"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_game_reason_and_player_of_the_service_is_translated(tables: dict[str, Any], language: str) -> None:
    table = tables[language]
    assert table["games"].keys() == {*CATALOGUE, *FAMILY_GAMES}
    assert all(set(game) == {"name", "rules"} for game in table["games"].values())
    assert table["reasons"].keys() == set(get_args(Code))
    players = {player for game in FAMILY_GAMES.values() for player in game.players}
    assert players - {"X", "O"} == table["players"].keys()


def test_the_english_table_says_what_the_service_says(tables: dict[str, Any]) -> None:
    for name, told in tables["en"]["games"].items():
        assert told == {"name": CATALOGUE[name].name, "rules": CATALOGUE[name].rules}
    assert not tables["en"]["reasons"]


def modules() -> dict[str, str]:
    """Return the modules of the page by name, without the tables."""
    names = [path.name for path in WEB.glob("*.js")]
    others = ("texts_", "service-worker", "move-oracle", "docs")
    return {name: source(name).decode() for name in names if not name.startswith(others)}


def test_every_text_is_used(tables: dict[str, Any]) -> None:
    told = " ".join([*modules().values(), *(source(page).decode() for page in (PAGE, FRAME, LESSON))])
    keys = {key for key, _ in flat(tables["en"])} | set(tables["en"])
    used = set(re.findall(r"(?<!/)\btexts\.(\w+)", told)) | set(re.findall(r"\bwords\.(fromTo|pop)\b", told))
    used |= set(re.findall(r'data-(?:text|label|empty)="([\w.]+)"', told))
    used |= {"letters"} if "{ letters } = texts" in told else set()
    assert {key for key in keys if key not in used and key.partition(".")[0] not in used} == set()
    assert {key for key in used if key not in keys} == set()


TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|"(?P<string>(?:[^"\\\n]|\\.)*)"|[`{}]', re.DOTALL)
PART = re.compile(r"(?P<text>(?:[^`$\\]|\\.|\$(?!\{))*)(?P<end>`|\$\{)", re.DOTALL)
UNSHOWN = re.compile(
    r"(?:\b(?:class|className|rel|from|as)\W*|classList\.\w+\(|\.(?:querySelector(?:All)?|closest|matches)\(|(?:matchMedia|label)\()$"
)
"""What stands before classes, selectors and names of modules; `label` takes a class first."""

WORDS = re.compile(r"[a-z]{2,},? [A-Za-z]{2,}|^ ?[A-Z][a-z]+\W* ?$|[A-Z][a-z]+ [a-z]|^ [a-z]{2,}(?: |$)")
NOT_TEXTS = ("Accept", "Content-Type", "Retry-After", "X-Kept", "Enter", "Home", "End", "Order", "Chaos")
"""Names of headers, keys and players, as programs write them."""


def literals(module: str) -> Iterator[str]:
    """Yield the strings of a module, and the texts of templates without what is filled in."""
    at, braces = 0, list[int]()
    while found := TOKEN.search(module, at):
        at = found.end()
        shown = UNSHOWN.search(module[max(0, found.start() - 40) : found.start()]) is None
        if found["string"] is not None and shown:
            yield found["string"]
        if found[0] == "{" and braces:
            braces[-1] += 1
        if found[0] == "}" and braces:
            braces[-1] -= 1
        if found[0] == "`" or (found[0] == "}" and braces and braces[-1] < 0):
            if found[0] == "}":
                braces.pop()
            part = PART.match(module, at)
            assert part is not None
            at = part.end()
            if part["end"] != "`":
                braces.append(0)
            if shown:
                yield part["text"]


def is_for_people(text: str) -> bool:
    """Return whether somebody is to read a text: it has two words, or one that begins with a capital letter."""
    return WORDS.search(text) is not None and text not in NOT_TEXTS


@pytest.mark.parametrize("name", sorted(modules()))
def test_no_other_module_has_a_text_for_people(name: str) -> None:
    assert [text for text in literals(modules()[name]) if is_for_people(text)] == []


def test_a_text_for_people_is_found() -> None:
    module = 'say("Undo", `Layer ${layer ? `${layer} of all` : "the only one"} again`, `x ${y}`); // A comment'
    found = [text for text in literals(module) if is_for_people(text)]
    assert found == ["Undo", "Layer ", " of all", "the only one", " again"]


def test_every_language_is_a_file_of_both_pages_and_a_choice_of_the_settings() -> None:
    for language in LANGUAGES:
        for document in (PAGE, FRAME):
            assert f'<meta name="texts-{language}" content="/page/texts_{language}.js">' in source(document).decode()
            assert f"texts_{language}.js" in KEPT[document]
        assert f'name="language" value="{language}"' in source(PAGE).decode()
    assert {path.stem for path in WEB.glob("texts_*.js")} == {f"texts_{each}" for each in ("en", *LANGUAGES)}
