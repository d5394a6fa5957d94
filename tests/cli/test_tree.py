"""``tree`` and ``stats`` show the value of every move and the counts of textbooks."""

import json
import re

from tests.cli.terminal import said

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
    tree = json.loads(said("tree", "O.XX.X.OO", "--json"))
    assert (tree["position"], tree["player"]) == ("O.XX.X.OO", "X")
    value = {"outcome": "win", "score": 9, "plies": 1, "proven": True, "exact": True, "best": True}
    assert tree["moves"][0] == {"move": 4, **value, "position": "O.XXXX.OO", "moves": []}
    assert [reply["move"] for reply in tree["moves"][2]["moves"]] == [4, 1]


def test_a_tree_is_cut_where_it_is_told() -> None:
    lines = said("tree", "--depth", "1", "--width", "2").splitlines()[8:]
    assert lines == ["├─ a1  draw *", "├─ b1  draw *", "└─ … 7 more moves"]


def test_a_tree_says_that_the_game_is_over_and_what_is_not_proven() -> None:
    assert said("tree", "XXXOO....").endswith("The game is over.\n")
    large = ("--rows", "8", "--columns", "8", "--in-a-row", "5", "--misere")
    lines = said("tree", *large, "--depth", "1", "--nodes", "10", "--width", "3").splitlines()
    assert lines[-1] == "└─ … 61 more moves"
    assert all("not proven, ≈ " in line for line in lines[-4:-1])


def test_a_deep_tree_is_cut_when_its_time_is_over() -> None:
    asked = ("tree", "--depth", "9", "--time-ms", "100")  # whole it would take minutes
    assert said(*asked).endswith("\n\nThe time ended before the tree was complete; raise --time-ms.\n")
    assert json.loads(said(*asked, "--json"))["complete"] is False
    assert json.loads(said("tree", "--depth", "9", "XOXOXO...", "--json"))["complete"] is True


def test_the_stats_are_those_of_the_textbooks() -> None:
    shown = said("stats").splitlines()
    assert re.fullmatch(r"plain minimax +549,946 +549,945 +9 +1.87 +0 +0 +[\d.,]+", shown[-3])
    assert re.fullmatch(r"alpha-beta +20,866 +20,865 +9 +1.68 +4,856 +0 +[\d.,]+", shown[-2])
    assert re.fullmatch(r"the kernel, \w+ +19 +- +- +- +- +0 +[\d.,]+", shown[-1])
    counted = json.loads(said("stats", "-m", "1,0,2", "--json"))
    assert (counted["position"], counted["player"]) == ("OXX......", "O")
    assert [counted["searches"][place]["branches"] for place in (0, 2)] == [1_228, None]


def test_the_stats_say_where_a_search_was_given_up() -> None:
    shown = said("stats", "-g", "tic-tac-toe-4x4", "--most", "1000").splitlines()
    assert re.fullmatch(r"plain minimax +> 1,000( +-){5} +[\d.,]+", shown[-3])
    searches = json.loads(said("stats", "-g", "qubic", "--most", "50", "--json"))["searches"]
    assert [(search["complete"], search["nodes"]) for search in searches] == [(False, None)] * 3
