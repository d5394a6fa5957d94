"""A siege names every budget that an attack breaks, and fails."""

import sys
from collections import Counter
from dataclasses import replace

import pytest

from loadtests.siege.attacks.table import ATTACKS
from loadtests.siege.manifest import Bounds, read_manifest
from loadtests.siege.meters import Usage
from loadtests.siege.rounds import Round, Siege
from loadtests.siege.strike import Report
from loadtests.siege.verdict import HEAD, failures, row
from loadtests.siege.watch import Latencies, Readings, Seen
from tests.programs import run

CALM = Usage(container=100, anonymous=60, worker=50, threads=8, sockets=3)
QUICK = Readings(Seen(Latencies([2, 3]), Latencies([1, 2])), Seen(Latencies([2, 3]), Latencies([1, 2])))
HELD = Round(CALM, CALM, Report(Counter({"200": 9})), QUICK, unrecovered=[], replaced=0)
BOUNDS = Bounds(memory_mb=768, threads=21)


def broken(*rounds: Round, allowance: float = 1, errors: tuple[str, ...] = ()) -> list[str]:
    return failures(Siege("puzzles", list(rounds), list(errors)), BOUNDS, allowance)


def slow(ms: float, twin_ms: float = 2) -> Round:
    seen, twin = (Seen(Latencies([each]), Latencies([each])) for each in (ms, twin_ms))
    return replace(HELD, readings=Readings(seen, twin))


def test_an_attack_that_costs_nothing_is_held() -> None:
    siege = Siege("puzzles", [HELD, HELD], [])
    assert failures(siege, BOUNDS, 1) == []
    assert len(row(siege, held=True)) == len(HEAD)


@pytest.mark.parametrize(
    ("worse", "named"),
    [
        (replace(HELD, peak=replace(CALM, container=800)), "siege memory"),
        (replace(HELD, peak=replace(CALM, threads=22)), "siege threads"),
        (replace(HELD, after=replace(CALM, anonymous=100)), "siege growth"),
        (replace(HELD, replaced=1), "siege workers"),
        (replace(HELD, unrecovered=["3 sockets"]), "there were still 3 sockets"),
        (replace(HELD, report=Report(wrong=["status 500"])), "attackers, 1 of 1 faults: status 500"),
        (replace(HELD, readings=Readings(Seen(faults=["lost"]))), "other clients, 1 of 1 faults: lost"),
    ],
)
def test_what_one_round_breaks_is_named(worse: Round, named: str) -> None:
    (sentence,) = broken(HELD, worse)
    assert sentence.startswith("puzzles: ")
    assert named in sentence


def test_an_error_in_the_log_is_a_fault() -> None:
    assert broken(HELD, errors=("Unhandled error",)) == ["puzzles: the log, 1 of 1 faults: Unhandled error"]


def test_times_are_judged_by_the_better_round() -> None:
    assert broken(slow(700), HELD) == []
    assert len(broken(slow(700), slow(800))) == 3


def test_a_delay_of_the_machine_is_taken_off() -> None:
    assert broken(slow(700, twin_ms=690)) == []


def test_times_alone_may_exceed_their_budgets_by_the_allowance() -> None:
    assert broken(slow(110)) != []
    assert broken(slow(30), allowance=2) == []
    assert broken(replace(HELD, peak=replace(CALM, threads=22)), allowance=2) != []


def test_the_bounds_follow_from_the_manifest() -> None:
    manifest = read_manifest()
    few, many = (Bounds.of(manifest, {**manifest.environment, "THREADS": number}) for number in ("4", "8"))
    assert many.threads - few.threads == 8
    assert few.memory_mb == manifest.memory / 2**20


@pytest.mark.parametrize("name", ATTACKS)
def test_every_attack_says_in_a_line_what_it_does(name: str) -> None:
    assert ATTACKS[name].line.endswith(".")


def test_an_unknown_attack_is_refused_with_the_names_of_all() -> None:
    done = run(sys.executable, "-m", "loadtests", "siege", "--only", "sleeping,puzzles")
    assert done.returncode == 2
    assert all(name in done.stderr for name in ("sleeping is none of", *ATTACKS))


@pytest.mark.verify
def test_a_server_holds_out_and_is_measured_in_a_row_for_each_attack() -> None:
    done = run(
        sys.executable,
        "-m",
        "loadtests",
        "siege",
        "--seconds",
        "2",
        "--only",
        "repeated-headers,slashes",
        "--allowance",
        "1000",
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert [line.split()[1] for line in done.stdout.splitlines() if line.startswith("| ")][2:] == [
        "repeated-headers",
        "slashes",
    ]
