"""``tree`` and ``stats`` show values and counts that plain minimax confirms."""

import json
import re
import time
from collections.abc import Iterator
from typing import Any

import pytest

from service.games.catalogue import CATALOGUE
from service.games.position import OPPONENT, Player
from tests.cli.terminal import said
from tests.worlds import OUTCOME_NAMES, read_position, verdict

LARGE = ("--rows", "8", "--columns", "8", "--in-a-row", "5")

TREE = """\
X to move
├─ b2  win in 1 ply *
├─ b1  loss in 2 plies
│  ├─ b2  win in 1 ply *
│  └─ a3  win in 1 ply *
└─ a3  loss in 2 plies
   ├─ b2  win in 1 ply *
   └─ b1  loss in 2 plies
"""


def test_a_tree_has_the_value_of_every_move_and_marks_the_best() -> None:
    assert said("tree", "O.XX.X.OO").split("\n\n")[1] == TREE


def test_a_tree_is_cut_where_it_is_told() -> None:
    lines = said("tree", "--depth", "1", "--width", "2").splitlines()[8:]
    assert lines == ["├─ a1  draw *", "├─ b1  draw *", "└─ … 7 more moves"]


def test_a_tree_as_json_has_the_worth_of_every_move() -> None:
    tree = json.loads(said("tree", "O.XX.X.OO", "--json"))
    assert (tree["position"], tree["player"]) == ("O.XX.X.OO", "X")
    assert tree["moves"][0] == {
        "move": 4,
        "outcome": "win",
        "score": 9,
        "plies": 1,
        "proven": True,
        "exact": True,
        "best": True,
        "position": "O.XXXX.OO",
        "moves": [],
    }
    assert [reply["move"] for reply in tree["moves"][2]["moves"]] == [4, 1]


@pytest.mark.parametrize("game", ["tic-tac-toe", "misere-tic-tac-toe"])
def test_every_value_in_a_tree_is_what_plain_minimax_finds(game: str) -> None:
    tree = json.loads(said("tree", "-g", game, "-m", "0,4", "--depth", "3", "--json"))
    branches = list(flattened(tree["moves"], "O"))
    assert len(branches) > 7 + 7 * 6
    for branch, mover in branches:
        worth = verdict(read_position(branch["position"], mover, CATALOGUE[game]))
        assert (branch["outcome"], branch["plies"]) == (OUTCOME_NAMES[-worth.outcome], worth.plies + 1)


def flattened(branches: list[Any], mover: Player) -> Iterator[tuple[Any, Player]]:
    """Every branch of a tree in JSON, with the player who is to move below it."""
    for branch in branches:
        yield branch, mover
        yield from flattened(branch["moves"], OPPONENT[mover])


def test_a_tree_of_a_finished_game_says_so() -> None:
    assert said("tree", "XXXOO....").endswith("The game is over.\n")


def test_a_tree_says_what_is_not_proven() -> None:
    lines = said("tree", *LARGE, "--depth", "1", "--nodes", "10", "--width", "3").splitlines()
    assert lines[-1] == "└─ … 61 more moves"
    assert all("not proven, ≈ " in line for line in lines[-4:-1])


def test_a_deep_tree_is_cut_when_its_time_is_over() -> None:
    used = time.process_time()
    shown = said("tree", "--depth", "9", "--time-ms", "300")
    assert time.process_time() - used < 4
    assert shown.endswith("\n\nThe time ended before the tree was complete; raise --time-ms.\n")
    assert json.loads(said("tree", "--depth", "9", "--time-ms", "300", "--json"))["complete"] is False
    assert json.loads(said("tree", "--depth", "9", "XOXOXO...", "--json"))["complete"] is True


def test_the_stats_are_those_of_the_textbooks() -> None:
    shown = said("stats").splitlines()
    assert re.fullmatch(r"plain minimax +549,946 +549,945 +9 +1.87 +0 +0 +[\d.,]+", shown[-3])
    assert re.fullmatch(r"alpha-beta +20,866 +20,865 +9 +1.68 +4,856 +0 +[\d.,]+", shown[-2])
    assert re.fullmatch(r"the kernel, \w+ +19 +- +- +- +- +0 +[\d.,]+", shown[-1])


def test_the_stats_say_where_a_search_was_given_up() -> None:
    shown = said("stats", "-g", "tic-tac-toe-4x4", "--most", "1000").splitlines()
    assert re.fullmatch(r"plain minimax +> 1,000( +-){5} +[\d.,]+", shown[-3])
    searches = json.loads(said("stats", "-g", "qubic", "--most", "50", "--json"))["searches"]
    assert [(search["complete"], search["nodes"]) for search in searches] == [(False, None)] * 3


def test_the_stats_as_json_have_the_published_branches() -> None:
    counted = json.loads(said("stats", "-m", "1,0,2", "--json"))
    assert (counted["position"], counted["player"]) == ("OXX......", "O")
    assert counted["searches"][0]["branches"] == 1_228
    assert counted["searches"][2]["branches"] is None
