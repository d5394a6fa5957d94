"""A benchmark that misses a budget says which one and fails."""

import pytest

from loadtests.bench import command as bench
from loadtests.budgets import BUDGETS, Budget, Verdicts


@pytest.mark.parametrize(
    ("budget", "figure", "holds"),
    [
        (Budget("", 2), 2.0, True),
        (Budget("", 2), 2.01, False),
        (Budget("", 3, at_least=True), 3.0, True),
        (Budget("", 3, at_least=True), 2.99, False),
        (Budget("", 2).loosened(3), 6.0, True),
        (Budget("", 3, at_least=True).loosened(3), 1.0, True),
        (Budget("", 3, at_least=True).loosened(3), 0.99, False),
    ],
)
def test_a_budget_includes_its_bound(budget: Budget, figure: float, holds: bool) -> None:  # noqa: FBT001
    assert budget.holds(figure) is holds


def test_a_missed_budget_is_named_and_fails(capsys: pytest.CaptureFixture[str]) -> None:
    verdicts = Verdicts()
    assert verdicts.judge("seen", 3.5) == ">= 3x met"
    assert verdicts.show() == 0
    assert verdicts.judge("start", 1.7) == "<= 1.5 s MISSED"
    assert verdicts.show() == 1
    assert f"missed budget 'start': {BUDGETS['start'].what} is 1.7, must be <= 1.5 s" in capsys.readouterr().out


@pytest.mark.parametrize(("arguments", "code"), [([], 1), (["--allowance", "5"], 1), (["--allowance", "6"], 0)])
def test_the_benchmark_exits_as_its_budgets_say(
    monkeypatch: pytest.MonkeyPatch, arguments: list[str], code: int
) -> None:
    monkeypatch.setattr(bench, "require", lambda _program: None)
    monkeypatch.setattr(bench, "all_answers", dict)
    monkeypatch.setattr(bench, "PARTS", {"start": lambda _options, verdicts: verdicts.judge("start", 9.0)})
    with pytest.raises(SystemExit) as ended:
        bench.command(arguments, standalone_mode=False)
    assert ended.value.code == code
