"""The README's commands work and print what it says they print."""

import re
import subprocess

import pytest

from tests.support import ROOT, Server, need

README = (ROOT / "README.md").read_text()
MAKEFILE = (ROOT / "Makefile").read_text()

EXAMPLES = re.findall(r"^```console\n\$ (.+?)\n(.*?)^```", README, re.MULTILINE | re.DOTALL)


def test_the_readme_has_examples() -> None:
    assert len(EXAMPLES) >= 3


@pytest.mark.parametrize(("command", "printed"), EXAMPLES)
def test_an_example_prints_what_the_readme_says(server: Server, command: str, printed: str) -> None:
    need("curl")
    local = command.replace("localhost:8000", server.url).replace("curl ", "curl --silent --show-error ")
    done = subprocess.run(["bash", "-c", local], capture_output=True, text=True, timeout=20, check=True)
    assert done.stdout == printed.rstrip("\n")


def test_the_javascript_example_works(server: Server) -> None:
    (example,) = re.findall(r"^```js\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
    script = example.replace("http://localhost:8000", server.url) + "console.log(move, reason);"
    done = subprocess.run(
        [need("node"), "--input-type=module", "--eval", script], capture_output=True, text=True, timeout=20, check=True
    )
    assert done.stdout == "1 Holds the draw.\n"


def test_every_make_command_that_the_readme_names_exists() -> None:
    named = set(re.findall(r"(?:`|^)make ([a-z]+)", README, re.MULTILINE))
    assert named <= set(re.findall(r"^([a-z]+):", MAKEFILE, re.MULTILINE))


def test_every_command_of_the_makefile_that_people_use_is_in_the_readme() -> None:
    offered = set(re.findall(r"^([a-z]+):.*## ", MAKEFILE, re.MULTILINE)) - {"help", "clean"}
    assert offered <= set(re.findall(r"(?:`|^)make ([a-z]+)", README, re.MULTILINE))


def test_every_file_that_the_readme_links_to_exists() -> None:
    for path in re.findall(r"\]\(([^)#]+)\)", README):
        assert (ROOT / path).exists(), path


def test_the_entry_shown_for_a_new_game_is_the_one_in_the_catalogue() -> None:
    (entry,) = re.findall(r"^```python\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
    catalogue = (ROOT / "service/games/catalogue.py").read_text()
    assert entry.rstrip().removesuffix(")").rstrip() in catalogue
