"""The search of games that are too large for a table: the scores of the table where there is one, else known ones."""

from pathlib import Path
from random import Random
from threading import Event
from typing import Any

import pytest

from loadtests.interpreted import interpreted_families
from service.engine import tablebases
from service.engine.family_table import build, write_table
from service.engine.limit import Limit
from service.engine.oracle import Oracle
from service.engine.result import ProvenResult
from service.engine.table_folder import table_path
from service.engine.tablebases import Tablebases
from service.families.catalogue import FAMILIES
from service.families.game import FamilyGame
from service.families.position import LOST, FamilyPosition
from service.kernel.family_search import FamilySearch
from service.kernel.memory import private_memory, shared_memory
from service.kernel.stopping import Stopped
from tests.families.test_values import table_of
from tests.support import sampled

INTERPRETED, _, INTERPRETED_SEARCH = interpreted_families()

SMALL: list[tuple[str, dict[str, Any]]] = [
    ("wild", {"rows": 3, "columns": 3, "in_a_row": 3}),
    ("wild", {"rows": 3, "columns": 3, "in_a_row": 3, "misere": True}),
    ("wild", {"rows": 2, "columns": 5, "in_a_row": 3}),
    ("order-and-chaos", {"rows": 3, "columns": 3, "in_a_row": 3}),
    ("order-and-chaos", {"rows": 2, "columns": 5, "in_a_row": 4, "first": "chaos"}),
    ("notakto", {}),
    ("notakto", {"boards": 2}),
    ("notakto", {"rows": 4, "columns": 4, "in_a_row": 4}),
    ("exactly", {"rows": 3, "columns": 4, "in_a_row": 3}),
    ("exactly", {"rows": 3, "columns": 4, "in_a_row": 3, "misere": True}),
    ("exactly", {"rows": 3, "columns": 4, "in_a_row": 2}),
    ("exactly", {"rows": 3, "columns": 4, "in_a_row": 2, "misere": True}),
    ("numerical", {}),
    ("numerical", {"misere": True}),
]

LARGE: list[tuple[str, dict[str, Any], str, int]] = [
    ("order-and-chaos", {"rows": 4, "columns": 5, "in_a_row": 4, "first": "chaos"}, "loss", 12),
    ("order-and-chaos", {"rows": 4, "columns": 5, "in_a_row": 4, "first": "order"}, "win", 11),
    ("order-and-chaos", {"rows": 5, "columns": 5, "in_a_row": 4, "first": "chaos"}, "loss", 10),
    ("order-and-chaos", {"rows": 5, "columns": 5, "in_a_row": 4, "first": "order"}, "win", 9),
    ("exactly", {"rows": 4, "columns": 5, "in_a_row": 3, "misere": True}, "loss", 19),
    ("exactly", {"rows": 4, "columns": 5, "in_a_row": 4}, "draw", 20),
    ("exactly", {"rows": 4, "columns": 5, "in_a_row": 4, "misere": True}, "draw", 20),
    ("exactly", {"rows": 5, "columns": 5, "in_a_row": 3}, "win", 5),
    ("exactly", {"rows": 5, "columns": 5, "in_a_row": 4}, "draw", 25),
    ("exactly", {"rows": 5, "columns": 5, "in_a_row": 5}, "draw", 25),
    ("exactly", {"rows": 5, "columns": 6, "in_a_row": 4}, "win", 11),
    ("exactly", {"rows": 6, "columns": 6, "in_a_row": 3}, "win", 5),
    ("exactly", {"rows": 6, "columns": 6, "in_a_row": 4}, "win", 11),
]
"""Values of empty boards by a program that shares no code with this one."""

ORDER_AND_CHAOS = FAMILIES["order-and-chaos"](rows=6, columns=6, in_a_row=5)  # type: ignore[call-arg]

SAMPLED = 60
MOST_MOVES = 6
"""Legal moves of the positions that the interpreted search is asked about."""


def game_of(family: str, parameters: dict[str, Any]) -> FamilyGame:
    return FAMILIES[family](**parameters)


def positions(game: FamilyGame, games: int) -> list[FamilyPosition]:
    """The unfinished positions of games at random."""
    chance, found = Random(1), []
    for _ in range(games):
        position = FamilyPosition(game)
        while position.legal_moves:
            found.append(position)
            position = position.play(chance.choice(position.legal_moves))
    return found


def score_of(search: Any, position: FamilyPosition) -> int:
    """The exact score, counted from the end of the game; it is within the range of all scores."""
    low, high = -position.game.cells - 1, position.game.cells + 1
    while low < high:
        alpha = (low + high) // 2
        found = search.bound(position.words, alpha, alpha + 1)
        low, high = (low, min(high, found)) if found <= alpha else (max(low, found), high)
    return low


def least_score(game: FamilyGame, position: FamilyPosition, outcome: str, plies: int | None) -> int:
    """The score of a proven outcome, counted from the end of the game."""
    if outcome == "draw" or plies is None:
        return 0
    score = game.play.remaining_of(position.words) + 1 - plies
    return score if outcome == "win" else -score


@pytest.mark.verify
@pytest.mark.parametrize(("family", "parameters"), SMALL)
def test_scores_are_those_of_the_table(family: str, parameters: dict[str, Any]) -> None:
    game = game_of(family, parameters)
    table = table_of(game)
    search = FamilySearch(game.play, game.cells, shared_memory(1))
    for position in positions(game, SAMPLED)[::2]:
        assert score_of(search, position) == least_score(game, position, *table.known_value(position))


@pytest.mark.verify
@pytest.mark.parametrize(("family", "parameters"), SMALL)
def test_what_needs_no_search_is_true(family: str, parameters: dict[str, Any]) -> None:
    game = game_of(family, parameters)
    table = table_of(game)
    for position in positions(game, SAMPLED)[::2]:
        score = least_score(game, position, *table.known_value(position))
        for alpha in range(-game.cells - 1, game.cells + 1):
            try:
                found = FamilySearch(game.play, game.cells, private_memory(0), limit=0).bound(
                    position.words, alpha, alpha + 1
                )
            except Stopped:
                continue
            assert score <= found if found <= alpha else score >= found


@pytest.mark.verify
@pytest.mark.parametrize(("family", "parameters"), SMALL)
def test_each_ply_leaves_one_less(family: str, parameters: dict[str, Any]) -> None:
    game = game_of(family, parameters)
    for position in positions(game, SAMPLED):
        left = {game.play.remaining_of(position.play(move).words) for move in position.legal_moves}
        assert left == {game.play.remaining_of(position.words) - 1}


@pytest.mark.verify
@pytest.mark.parametrize(("family", "parameters", "outcome", "plies"), LARGE)
def test_values_of_large_boards_are_the_known_ones(
    family: str, parameters: dict[str, Any], outcome: str, plies: int
) -> None:
    game = game_of(family, parameters)
    answer = Oracle(tablebases=Tablebases(most=1000)).best_move(FamilyPosition(game), limit=Limit(120))
    assert (answer.outcome, answer.plies, answer.source, answer.exact) == (outcome, plies, "search", True)
    assert answer.move == answer.pv[0]
    assert_line_leads_to(FamilyPosition(game), answer.pv, outcome, plies)


def assert_line_leads_to(position: FamilyPosition, line: tuple[int, ...], outcome: str, plies: int) -> None:
    assert len(line) == plies
    for move in line:
        assert move in position.legal_moves
        position = position.play(move)
    assert not position.legal_moves
    assert position.winner == {"draw": None, "win": position.game.players[0], "loss": position.game.players[1]}[outcome]


@pytest.mark.parametrize(("family", "parameters"), SMALL[:10])
def test_searched_answers_are_those_of_the_table(family: str, parameters: dict[str, Any]) -> None:
    game = game_of(family, parameters)
    solved, searched = Oracle(), Oracle(tablebases=Tablebases(most=1))
    for position in positions(game, sampled(3, 6)):
        known, found = solved.analyse(position), searched.analyse(position)
        assert found.best.source == "search"
        assert (found.best.move, found.best.pv) == (known.best.move, known.best.pv)
        assert found.move_values == known.move_values
        seeded, drawn = (oracle.best_move(position, seed=5) for oracle in (solved, searched))
        assert (drawn.move, drawn.score, drawn.pv) == (seeded.move, seeded.score, seeded.pv)
        weaker, weak = (oracle.best_move(position, seed=5, skill=30) for oracle in (solved, searched))
        assert (weak.move, weak.score, weak.pv) == (weaker.move, weaker.score, weaker.pv)


def test_a_table_that_was_built_ahead_is_used_however_large_the_game_is(tmp_path: Path) -> None:
    game = game_of(*SMALL[0])
    write_table(table_path(tmp_path, game), build(game, 10_000))
    oracle = Oracle(tablebases=Tablebases(most=1, built=tmp_path))
    assert oracle.best_move(FamilyPosition(game)).source == "table"
    assert oracle.best_move(FamilyPosition(game_of(*SMALL[1]))).source == "search"


def test_what_is_not_proven_within_the_limit_says_so_and_is_the_same_each_time() -> None:
    position = FamilyPosition(ORDER_AND_CHAOS)
    answers = [Oracle().analyse(position, limit=Limit(60, nodes=3000)) for _ in range(2)]
    assert answers[0] == answers[1]
    assert (answers[0].best.outcome, answers[0].best.proven, answers[0].complete) == ("unknown", False, False)
    assert answers[0].best.move in position.legal_moves
    assert answers[0].nodes <= 3000
    weak = Oracle().best_move(position, seed=1, skill=20, limit=Limit(60, nodes=3000))
    assert (weak.skill, weak.outcome, weak.pv) == (20, "unknown", (weak.move,))


@pytest.mark.parametrize("nodes", [150_000, 250_000])
def test_an_analysis_takes_nothing_back_that_the_best_move_had_proven(nodes: int) -> None:
    position = FamilyPosition(game_of("exactly", {"rows": 5, "columns": 5, "in_a_row": 4}))
    answer = Oracle().analyse(position, limit=Limit(60, nodes=nodes))
    assert (answer.best.outcome, answer.best.move) == ("draw", 12)


def test_until_the_table_is_made_a_win_at_once_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    position = FamilyPosition(game_of("exactly", {"rows": 3, "columns": 4, "in_a_row": 3}))
    for move in (0, 4, 1, 5):
        position = position.play(move)
    monkeypatch.setattr(tablebases, "build", lambda *_: Event().wait())
    oracle = Oracle()
    answers = oracle.best_move(position, limit=Limit(0.1)), oracle.analyse(position, limit=Limit(0.1)).best
    assert [(answer.outcome, answer.plies_bounds, answer.move) for answer in answers] == [("win", (1, 1), 2)] * 2


def test_the_end_of_a_game_that_is_too_large_is_proven() -> None:
    chance, position = Random(3), FamilyPosition(ORDER_AND_CHAOS)
    while len(position.legal_moves) > 16:
        after = [position.play(move) for move in position.legal_moves]
        position = chance.choice([each for each in after if each.legal_moves])
    answer = Oracle().best_move(position, limit=Limit(120))
    assert isinstance(answer.known, ProvenResult)
    assert answer.plies is not None


@pytest.mark.parametrize(
    ("family", "parameters"), [each for each in SMALL if each[0] != "notakto" and "misere" not in each[1]]
)
def test_every_move_that_wins_at_once_is_known_when_the_time_is_over(family: str, parameters: dict[str, Any]) -> None:
    oracle, won = Oracle(tablebases=Tablebases(most=1)), 0
    for position in positions(game_of(family, parameters), 20):
        wins = [move for move in position.legal_moves if position.play(move).result == LOST]
        if wins:
            answer = oracle.best_move(position, limit=Limit(seconds=0))
            assert isinstance(answer.known, ProvenResult)
            assert (answer.source, answer.pv) == ("search", (wins[0],))
            won += 1
    assert won


def test_a_search_stops_at_its_nodes_and_when_it_is_told_to() -> None:
    search = FamilySearch(ORDER_AND_CHAOS.play, 36, private_memory(1000), limit=500)
    with pytest.raises(Stopped):
        search.bound((0, 0), 0, 1)
    assert search.nodes == 500
    told = FamilySearch(ORDER_AND_CHAOS.play, 36, private_memory(1000), poll=lambda: True)
    with pytest.raises(Stopped):
        told.bound((0, 0), 0, 1)


def test_a_small_table_changes_no_score() -> None:
    game = game_of(*SMALL[0])
    for position in positions(game, 10):
        scores = {score_of(FamilySearch(game.play, game.cells, private_memory(n)), position) for n in (0, 100_000)}
        assert len(scores) == 1


@pytest.mark.verify
@pytest.mark.parametrize(("family", "parameters"), SMALL[::3])
def test_the_interpreted_search_visits_the_same_nodes(family: str, parameters: dict[str, Any]) -> None:
    game, plain = game_of(family, parameters), INTERPRETED.FAMILIES[family](**parameters)
    for position in [each for each in positions(game, 20) if len(each.legal_moves) <= MOST_MOVES][:12]:
        ours = FamilySearch(game.play, game.cells, private_memory(1000))
        theirs = INTERPRETED_SEARCH.FamilySearch(plain.play, game.cells, private_memory(1000))
        assert score_of(ours, position) == score_of(theirs, position)
        assert ours.nodes == theirs.nodes
