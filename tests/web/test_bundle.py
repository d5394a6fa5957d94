"""The modules of the page in few files: each once, after what it imports, with names of its own."""

import os
import re
from pathlib import Path

import pytest

from service.games.catalogue import FAMILIES
from service.web.bundle import bundled
from service.web.minified import with_brotli
from service.web.page import page_files, source, source_names
from tests.programs import run
from tests.support import Server, need
from tests.web.page import Open

MODULES = {
    "main": """import { twice } from "./numbers.js";
import { often } from "./more/said.js";
import * as words from "./words.js";
const own = 1;
words.later().then((found) => console.log(words.said(twice(own)), found, words.named, often("more")));
export const later = async () => {
  const [{ list }, { most }] = await Promise.all([import("./more/list.js"), import("./more/most.js")]);
  console.log(list(2), most(2), await import("./more/most.js").then(({ count }) => count()));
};
""",
    "numbers": """// Numbers.
const own = 2;

/** Twice as much. */
export function twice(number) {
  return own * number;
}
""",
    "more/said": """import { twice } from "../numbers.js";
import { ending } from "./ending.js";
export const often = (text) => `${text} ${twice(1)}${ending}`;
""",
    "more/ending": 'export const ending = "!";\n',
    "more/list": """import { twice } from "../numbers.js";
import { counted } from "./counted.js";
export const list = (most) => { counted.push("list"); return [1, 2].map((each) => most * twice(each)).join(); };
""",
    "more/most": """import { counted } from "./counted.js";
import { list } from "./list.js";
import { ending } from "./own/ending.js";
export const most = (number) => list(number) + ending;
export const count = () => counted.length;
""",
    "more/own/ending": 'export const ending = "?";\n',
    "more/counted": "export const counted = [];\n",
    "words": """import { twice } from "./numbers.js";
export const said = (text) => `${text} ${new Said().text}`;
export const named = "import";
export async function later() { return twice(4); }
export class Said { text = "said"; }
""",
}


def test_modules_in_few_files_do_what_they_do_apart(tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text('{"type": "module"}')
    texts = bundled("main", MODULES, f"{tmp_path}/{{}}.js")
    for name, text in texts.items():
        (tmp_path / f"{name}.js").parent.mkdir(exist_ok=True)
        (tmp_path / f"{name}.js").write_text(text)
    (tmp_path / "start.js").write_text('import { later } from "./main.js";\nlater();\n')
    done = run(need("node"), tmp_path / "start.js")
    assert done.stdout == "2 said 8 import more 2!\n4,8 4,8? 2\n", done.stderr
    assert [*texts] == ["main", "more/list", "more/most", "more/counted"]
    assert sum(text.count("return own * number;") for text in texts.values()) == 1


@pytest.mark.parametrize(
    ("name", "source", "told"),
    [
        ("numbers", 'import { said } from "./words.js";\n', "main -> numbers -> words -> numbers"),
        ("words", 'import { lost } from "./lost.js";\n', "There is no module lost, which words imports"),
        ("words", 'import whole from "./numbers.js";\n', "words.js: cannot join this: import whole from"),
        ("words", "export let changing = 1;\n", "words.js: cannot join this: export let changing"),
        ("words", 'const later = import("./numbers.js");\n', "numbers is to be imported later"),
        ("words", 'const later = import("./lost.js");\n', "There is no module lost"),
    ],
)
def test_modules_that_cannot_be_joined_are_refused(name: str, source: str, told: str) -> None:
    with pytest.raises(ValueError, match=re.escape(told)):
        bundled("main", {**MODULES, name: source}, "/{}.js")


def test_no_module_but_its_own_names_a_family() -> None:
    family = re.compile(rf"""["'`](?:{"|".join(FAMILIES)})["'`]""")
    modules = [
        name for name in source_names() if name.endswith(".js") and not name.startswith(("rules/", "words/texts_"))
    ]
    assert {name for name in modules if family.search(source(name).decode())} == set()


@pytest.mark.verify
def test_the_first_view_takes_few_requests_and_bytes_and_can_be_installed(open_page: Open, server: Server) -> None:
    if with_brotli(page_files().page) is None:
        assert not os.environ.get("CI"), "make has not run service.web.build"
        pytest.skip("The pages are as they were written; run python -m service.web.build.")
    page, asked, loaded = open_page("about:blank"), dict[str, str](), dict[str, float]()
    network = page.context.new_cdp_session(page)
    network.send("Network.enable")
    network.on("Network.requestWillBeSent", lambda each: asked.update({each["requestId"]: each["request"]["url"]}))
    network.on("Network.loadingFinished", lambda each: loaded.update({each["requestId"]: each["encodedDataLength"]}))
    page.goto(server.url, wait_until="networkidle")
    page.locator(".cell").first.wait_for()
    sizes = [size for name, size in loaded.items() if not asked[name].startswith("data:")]
    assert len(sizes) == 3
    assert 20_000 < sum(sizes) < 41_500  # compressed, headers among them
    errors = network.send("Page.getInstallabilityErrors")["installabilityErrors"]
    assert {error["errorId"] for error in errors} <= {"in-incognito"}
