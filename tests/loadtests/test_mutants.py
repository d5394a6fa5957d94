"""The table of faults holds: what each changes is in its file, and the test that must find it is there."""

from loadtests.mutants.table import MUTANTS
from tests.support import ROOT


def test_each_of_ten_mutants_changes_what_is_there_and_names_a_test_that_is() -> None:
    assert len({mutant.name for mutant in MUTANTS}) == 10
    for mutant in MUTANTS:
        assert mutant.text() != (ROOT / mutant.file).read_text()
        path, _, name = mutant.test.partition("::")
        assert f"def {name}(" in (ROOT / path).read_text(), mutant.name
