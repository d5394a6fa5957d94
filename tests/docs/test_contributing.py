"""The change that CONTRIBUTING.md shows is the one that was made, and a small one."""

import re
from collections.abc import Iterator

from tests.support import ROOT

MOST_LINES = 60
SHOWN = re.search(r"```diff\n(.+?)```", (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"), re.DOTALL)


def shown() -> str:
    assert SHOWN is not None
    return SHOWN[1]


def pieces() -> Iterator[tuple[str, str, str]]:
    """Each change of a file: the file, the lines that were there before, and those that are now."""
    for part in shown().split("+++ ")[1:]:
        file, _, changes = part.partition("\n")
        for change in changes.split("@@\n")[1:]:
            lines = change.splitlines()
            before, after = ("\n".join(line[1:] for line in lines if line[0] == sign) for sign in "-+")
            yield file, before, after


def test_the_change_is_small() -> None:
    assert len(shown().splitlines()) <= MOST_LINES


def test_all_that_the_change_adds_is_there_and_what_it_replaces_is_not() -> None:
    found = list(pieces())
    assert len({file for file, *_ in found}) >= 5
    for file, before, after in found:
        text = (ROOT / file).read_text(encoding="utf-8")
        assert f"{after}\n" in text
        assert not before or f"{before}\n" not in text
