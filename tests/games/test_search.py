"""The search of games that are too large for a table: the scores of the table where there is one, else known ones."""

from random import Random
from threading import Event
from typing import Any

import pytest

from examples.check_family_proof import OrderAndChaos
from service.engine.oracle import MoveChoice, Oracle
from service.engine.result import ProvenResult
from service.engine.tables import tablebases
from service.engine.tables.tablebases import Tablebases
from service.engine.work.limit import Limit
from service.games.catalogue import FAMILIES, TIC_TAC_TOE_4X4
from service.games.game import LOST, Game
from service.games.position import Position
from service.kernel.alpha_beta.search import Search
from service.kernel.memory import private_memory, shared_memory
from service.kernel.states.family_search import FamilySearch
from service.kernel.stopping import Stopped
from tests.games.games import SMALL, Case, fact_name, few, game_of, name_of, oracle, positions, table_of
from tests.published import KNOWN
from tests.support import sampled, some

SEARCHED: list[Case] = [
    *((family, rules) for family, rules in SMALL if not FAMILIES[family].loops),
    ("notakto", {"boards": 2}),
    ("exactly", {"rows": 3, "columns": 4, "in_a_row": 2, "misere": True}),
    ("numerical", {}),
]
"""Games whose table tells what the search has to find."""

UNCOUNTED = [fact for fact in KNOWN if fact["family"] != "line" and not fact["positions"]]
"""What is known of games that are too large for a table."""

ORDER_AND_CHAOS = game_of("order-and-chaos", {"rows": 6, "columns": 6, "in_a_row": 5})


def unfinished(game: Game, most: int) -> list[Position]:
    """The unfinished positions of random games, a few of them."""
    return few([position for position in positions(game) if position.legal_moves], most)


def searching() -> Oracle:
    """An oracle that makes no tables."""
    return Oracle(tablebases=Tablebases(most=1))


def score_of(search: Any, position: Position) -> int:
    """The exact score, counted from the end of the game; it is within the range of all scores."""
    low, high = -position.game.cells - 1, position.game.cells + 1
    while low < high:
        alpha = (low + high) // 2
        found = search.bound(*position.state, alpha, alpha + 1)
        low, high = (low, min(high, found)) if found <= alpha else (max(low, found), high)
    return low


def least_score(position: Position, outcome: str, plies: int | None) -> int:
    """The score of a proven outcome, counted from the end of the game."""
    if outcome == "draw" or plies is None:
        return 0
    score = position.game.play.remaining_of(position.state) + 1 - plies
    return score if outcome == "win" else -score


@pytest.mark.verify
@pytest.mark.parametrize(("family", "rules"), SEARCHED, ids=name_of)
def test_scores_and_what_needs_no_search_are_those_of_the_table_and_each_ply_leaves_one_less(
    family: str, rules: dict[str, Any]
) -> None:
    game = game_of(family, rules)
    table = table_of(game)
    search = FamilySearch(game.play, game.cells, shared_memory(1))
    for position in unfinished(game, 200):
        score = least_score(position, *table.known_value(position))
        assert score_of(search, position) == score
        left = {game.play.remaining_of(position.play(move).state) for move in position.legal_moves}
        assert left == {game.play.remaining_of(position.state) - 1}
        for alpha in range(-game.cells - 1, game.cells + 1):
            at_once = FamilySearch(game.play, game.cells, private_memory(0), limit=0)
            try:
                found = at_once.bound(*position.state, alpha, alpha + 1)
            except Stopped:
                continue
            assert score <= found if found <= alpha else score >= found


@pytest.mark.verify
@pytest.mark.parametrize("fact", UNCOUNTED, ids=fact_name)
def test_values_of_large_boards_are_the_known_ones(fact: dict[str, Any]) -> None:
    position = Position(game_of(fact["family"], fact["rules"]))
    answer = Oracle(tablebases=Tablebases(most=1000)).best_move(position, limit=Limit(120))
    assert (answer.outcome, answer.plies, answer.source) == (fact["outcome"], fact["plies"], "search")
    assert (answer.exact, answer.move, len(answer.pv)) == (True, answer.pv[0], fact["plies"])


@pytest.mark.parametrize(("family", "rules"), some(SEARCHED[:-2], 5), ids=name_of)
def test_searched_answers_are_those_of_the_table(family: str, rules: dict[str, Any]) -> None:
    searched = searching()
    for position in unfinished(game_of(family, rules), sampled(20, 60)):
        known, found = oracle().analyse(position), searched.analyse(position)
        assert found.best.source in ("search", "cache")
        assert (found.best.move, found.best.pv) == (known.best.move, known.best.pv)
        assert found.move_values == known.move_values
        for skill in (None, 30):
            true, drawn = (each.best_move(position, MoveChoice(5, skill)) for each in (oracle(), searched))
            assert (drawn.move, drawn.score, drawn.pv) == (true.move, true.score, true.pv)


@pytest.mark.parametrize("nodes", [150_000, 250_000])
def test_an_analysis_takes_nothing_back_that_the_best_move_had_proven(nodes: int) -> None:
    position = Position(game_of("exactly", {"rows": 5, "columns": 5, "in_a_row": 4}))
    answer = Oracle().analyse(position, limit=Limit(60, nodes=nodes))
    assert (answer.best.outcome, answer.best.move) == ("draw", 12)


def test_until_the_table_is_made_a_win_at_once_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position(game_of("exactly", {"rows": 3, "columns": 4, "in_a_row": 3}))
    for move in (0, 4, 1, 5):
        position = position.play(move)
    monkeypatch.setattr(tablebases, "build", lambda *_: Event().wait())
    oracle = Oracle()
    answers = oracle.best_move(position, limit=Limit(0.1)), oracle.analyse(position, limit=Limit(0.1)).best
    assert [(answer.outcome, answer.plies_bounds, answer.move) for answer in answers] == [("win", (1, 1), 2)] * 2


@pytest.mark.parametrize(
    ("family", "rules"),
    [each for each in SEARCHED if each[0] != "notakto" and not {"misere", "overlines"} & each[1].keys()],
    ids=name_of,
)
def test_every_move_that_wins_at_once_is_known_when_the_time_is_over(family: str, rules: dict[str, Any]) -> None:
    oracle, won = searching(), 0
    for position in unfinished(game_of(family, rules), 100):
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
        search.bound(0, 0, 0, 1)
    assert search.nodes == 500
    told = FamilySearch(ORDER_AND_CHAOS.play, 36, private_memory(1000), poll=lambda: True)
    with pytest.raises(Stopped):
        told.bound(0, 0, 0, 1)


def test_games_share_a_table_and_torn_entries_fit_no_state() -> None:
    table, chance = private_memory(1000), Random(5)
    games = {game_of(*case): (chance.getrandbits(64), chance.getrandbits(64)) for case in SEARCHED[:5]}
    small = [(game, seeds, position) for game, seeds in games.items() for position in unfinished(game, 20)]
    for game, seeds, position in chance.sample(small, len(small)):
        alone = score_of(FamilySearch(game.play, game.cells, private_memory(100_000)), position)
        assert score_of(FamilySearch(game.play, game.cells, table, seeds=seeds), position) == alone
        for _ in range(100):  # as if others had written half of an entry
            table[chance.randrange(len(table))] = table[chance.randrange(len(table))]
    line = TIC_TAC_TOE_4X4.lay_out()
    assert Search(line, table).score(0, 0) == Search(line, private_memory(100_000)).score(0, 0)


@pytest.mark.parametrize(
    "parameters",
    [
        pytest.param({"rows": 6, "columns": 6, "in_a_row": 5, "overlines": False}, id="exactly five on 6x6"),
        pytest.param({"rows": 5, "columns": 5, "in_a_row": 5, "first": "chaos"}, id="five on 5x5, where Chaos begins"),
    ],
)
def test_chaos_holds_by_pairs_against_random_play_of_order(parameters: dict[str, Any]) -> None:
    """The rules of the hunt, which know nothing of pairs, say who has won in the end."""
    game, rules, oracle = game_of("order-and-chaos", parameters), OrderAndChaos(**parameters), searching()
    for seed in range(sampled(20, 1000)):
        dice, position, state = Random(seed), Position(game), rules.start
        while position.legal_moves:
            answer = oracle.best_move(position, limit=Limit(seconds=5, nodes=2000, outcome=True))
            assert answer.outcome == ("win" if position.player == "Chaos" else "loss")
            move = answer.move if position.player == "Chaos" else dice.choice(position.legal_moves)
            assert move is not None
            state, position = rules.after(state, str(game.move_name(move))), position.play(move)
        assert (rules.players[state[1]] == "Chaos") == (rules.result(state) == "win")
