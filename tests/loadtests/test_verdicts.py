"""A benchmark that misses a budget, and a siege that an attack breaks, say which and fail."""

import sys
from collections import Counter
from dataclasses import replace

import pytest

from loadtests.budgets import BUDGETS, Budget, Verdicts
from loadtests.siege.manifest import Bounds
from loadtests.siege.meters import Usage
from loadtests.siege.rounds import Round, Siege
from loadtests.siege.strike import Report
from loadtests.siege.verdict import failures
from loadtests.siege.watch import Readings, Seen
from tests.programs import run

CALM = Usage(container=100, worker=50, anonymous=60, threads=8, sockets=3)
QUICK = Readings(Seen([2, 3], [1, 2]), Seen([2, 3], [1, 2]))
HELD = Round(CALM, CALM, Report(Counter({"200": 9})), QUICK, unrecovered=[], replaced=0)
BOUNDS = Bounds(memory_mb=768, threads=21)


def broken(*rounds: Round, allowance: float = 1, errors: tuple[str, ...] = ()) -> list[str]:
    return failures(Siege("puzzles", list(rounds), list(errors)), BOUNDS, allowance)


WORSE = {
    "siege memory": replace(HELD, peak=replace(CALM, container=800)),
    "siege threads": replace(HELD, peak=replace(CALM, threads=22)),
    "siege growth": replace(HELD, after=replace(CALM, anonymous=100)),
    "siege workers": replace(HELD, replaced=1),
    "there were still 3 sockets": replace(HELD, unrecovered=["3 sockets"]),
    "attackers, 1 of 1 faults: status 500": replace(HELD, report=Report(wrong=["status 500"])),
    "other clients, 1 of 1 faults: lost": replace(HELD, readings=Readings(Seen(faults=["lost"]))),
}


def test_what_one_round_breaks_is_named() -> None:
    assert broken(HELD, HELD) == []
    for named, worse in WORSE.items():
        (sentence,) = broken(HELD, worse)
        assert sentence.startswith("puzzles: ")
        assert named in sentence
    assert broken(HELD, errors=("Unhandled error",)) == ["puzzles: the log, 1 of 1 faults: Unhandled error"]


def test_a_budget_includes_its_bound_an_allowance_loosens_it_and_a_missed_one_is_named(
    capsys: pytest.CaptureFixture[str],
) -> None:
    at_most, at_least, verdicts = Budget("", 2), Budget("", 3, at_least=True), Verdicts()
    assert [at_most.holds(figure) for figure in (2.0, 2.01)] == [True, False]
    assert [at_least.loosened(3).holds(figure) for figure in (1.0, 0.99)] == [True, False]
    assert (verdicts.judge("seen", 3.5), verdicts.show()) == (">= 3x met", 0)
    assert (verdicts.judge("start", 1.7), verdicts.show()) == ("<= 1.5 s MISSED", 1)
    assert f"missed budget 'start': {BUDGETS['start'].what} is 1.7, must be <= 1.5 s" in capsys.readouterr().out


@pytest.mark.verify
def test_a_server_holds_out_and_is_measured_in_a_row_for_each_attack() -> None:
    attacks = ["repeated-headers", "slashes"]
    command = [sys.executable, "-m", "loadtests", "siege", "--seconds", "2", "--allowance", "1000", "--only"]
    done = run(*command, ",".join(attacks))
    assert done.returncode == 0, done.stdout + done.stderr
    assert [line.split()[1] for line in done.stdout.splitlines() if line.startswith("| ")][2:] == attacks
