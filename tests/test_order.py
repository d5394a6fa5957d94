"""The order in which the tests run."""

import pytest

from tests.conftest import LONGEST
from tests.support import ROOT


def test_the_longest_files_exist_and_are_listed_once() -> None:
    assert [name for name in LONGEST if not (ROOT / "tests" / name).is_file()] == []
    assert len({*LONGEST}) == len(LONGEST)


def test_the_longest_files_come_first(request: pytest.FixtureRequest) -> None:
    found = [*dict.fromkeys(item.path for item in request.session.items)]
    longest = [path for name in LONGEST if (path := ROOT / "tests" / name) in found]
    assert found[: len(longest)] == longest
