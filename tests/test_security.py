"""What SECURITY.md says is so: what it names exists, and what is installed is what it lists."""

import re
import tomllib

import pytest

from service.api.routes.best_moves import MAX_ANSWER_BYTES, MAX_MORE_ERRORS, MAX_OWN_GAMES
from service.edge.admission.bodies import MAX_HELD_BYTES
from service.edge.app import CALLS_WAITING
from service.picture.png import DRAW_SECONDS
from service.redis_cache import FAILURES, REST_SECONDS, WAIT_SECONDS
from tests.support import ROOT

TEXT = (ROOT / "SECURITY.md").read_text()
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
WORD = r"[A-Za-z0-9][A-Za-z0-9.-]*"


def locked() -> dict[str, str]:
    """Every package of the lock file, with what stands beside it: version, condition and hashes."""
    text = (ROOT / "requirements.lock").read_text()
    return dict(re.findall(rf"^({WORD})(==.*(?:\n .*)*)", text, re.MULTILINE))


def test_every_defence_is_shown_in_a_test_and_every_file_that_is_named_is_there() -> None:
    rows = re.findall(r"^\| (?!somebody|package|---)([^`].*) \|$", TEXT, re.MULTILINE)
    assert len(rows) > 20
    assert [row for row in rows if not re.search(r"\(tests/(\w+/)?test_\w+\.py\)", row.rsplit("|", 1)[1])] == []
    assert [name for name in re.findall(r"\]\(([^)]+)\)", TEXT) if not (ROOT / name).is_file()] == []


def test_the_numbers_that_are_promised_are_those_of_the_service() -> None:
    assert FAILURES == 3
    for promised in (
        f"at most {MAX_ANSWER_BYTES >> 20} MiB, {MAX_MORE_ERRORS} further errors and {MAX_OWN_GAMES} games by their",
        f"share {MAX_HELD_BYTES >> 20} MiB",
        f"and {CALLS_WAITING} for each call of `/mcp`",
        f"ends after at most {DRAW_SECONDS:.0f} s",
        f"costs {1000 * WAIT_SECONDS:.0f} ms per look-up, and after three failures nothing for {REST_SECONDS:.0f} s",
    ):
        assert promised in TEXT


def test_every_package_that_the_service_asks_for_has_its_reason() -> None:
    asked = [re.match(WORD, requirement)[0] for requirement in PROJECT["project"]["dependencies"]]  # type: ignore[index]
    assert re.findall(r"^\| `([a-z0-9-]+)` \| \S", TEXT, re.MULTILINE) == asked
    assert re.search(r"^(\d+) packages that the service asks for, (\d+) with all", TEXT, re.MULTILINE).groups() == (  # type: ignore[union-attr]
        str(len(asked)),
        str(len(locked())),
    )


@pytest.mark.parametrize("name", sorted(path.name for path in ROOT.glob("requirements*.lock")))
def test_everything_that_is_installed_is_pinned_by_hashes_and_by_no_address(name: str) -> None:
    text = (ROOT / name).read_text()
    pins = re.findall(rf"^{WORD}(?:\[.+\])?==.*(?:\n .*)*", text, re.MULTILINE)
    assert pins
    assert all("--hash=sha256:" in pin for pin in pins)
    assert re.findall(r"^(?![ #]).+$", text, re.MULTILINE) == [pin.split("\n", 1)[0] for pin in pins]
    assert "://" not in text
