"""Ultimate tic-tac-toe: endings solved by other programs, and what is particular to positions of nine boards."""

import json
import random
import re
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import islice, product
from math import exp, prod
from pathlib import Path
from typing import Any

import pytest

from examples.check_family_proof import Ultimate
from loadtests.hunt.solving import Graph, best, graph_of, solve
from service.engine.oracle import MoveChoice
from service.engine.result import ProvenResult
from service.engine.work.limit import Limit
from service.explain.drawing import draw
from service.games.families.ultimate import UltimateGame
from service.games.game import DRAWN, ONGOING, UnreadableError
from service.games.position import Position, read_position
from service.kernel.bounds import WIN_ESTIMATE
from service.kernel.memory import private_memory
from service.kernel.states.family import START, State
from service.kernel.states.family_search import FamilySearch
from tests.games.games import oracle
from tests.support import sampled

ENDINGS: list[dict[str, Any]] = json.loads(Path(__file__).with_name("ultimate_endings.json").read_text())
"""Late positions with the values that two programs written apart have found."""

RULES: list[dict[str, Any]] = [
    {"finished": finished, "full_board": full_board, "misere": misere}
    for finished, full_board, misere in product(("closed", "open"), ("draw", "most-boards"), (False, True))
]


EVERY = 2 * WIN_ESTIMATE
"""More than every value of a look-ahead."""


def boards(*filled: str) -> str:
    """The text of nine boards of which these are the first."""
    return "/".join([*filled, *["." * 9] * (9 - len(filled))])


def faults(text: str, game: UltimateGame | None = None, player: str | None = None) -> list[str]:
    """The codes of what is wrong with a position."""
    with pytest.raises(UnreadableError) as caught:
        read_position(game or UltimateGame(), text, player)
    return [violation.code for violation in caught.value.violations]


@pytest.mark.parametrize("ending", ENDINGS, ids=range(len(ENDINGS)))
def test_endings_have_the_values_and_best_moves_that_other_programs_have_found(ending: Mapping[str, Any]) -> None:
    position = read_position(UltimateGame(full_board=ending["full_board"]), ending["position"], ending["player"])
    answer = oracle().best_move(position, MoveChoice(1))
    assert (answer.outcome, answer.plies, answer.exact) == (ending["outcome"], ending["plies"], True)
    assert isinstance(answer.known, ProvenResult)
    names = [position.game.move_name(move) for move in answer.known.best_moves]
    assert sorted(map(str, names)) == sorted(ending["best_moves"])


def random_endings(rules: Ultimate, dice: random.Random, most: int) -> Iterator[tuple[Any, list[str]]]:
    """Yield the late states of random games with up to so many open cells, and the moves that led there."""
    while True:
        state, played, left = rules.start, list[str](), dice.randint(1, most)
        while rules.result(state) is None and open_cells(rules, state) > left:
            played.append(dice.choice(rules.moves(state)))
            state = rules.after(state, played[-1])
        if rules.result(state) is None:
            yield state, played


def open_cells(rules: Ultimate, state: Any) -> int:
    """How many cells can still be marked."""
    return sum(board.count(".") for number, board in enumerate(state[0]) if rules.is_open(state[0], state[1], number))


def assert_same_as_brute_force(parameters: Mapping[str, Any], seed: int, count: int, most: int) -> None:
    game, rules = UltimateGame(**parameters), Ultimate(**parameters)
    endings = random_endings(rules, random.Random(seed), most)
    for _ in range(count):
        state, played = next(endings)
        graph: Graph = graph_of(rules, state)
        values = solve(rules, graph)
        position = Position(game)
        for name in played:
            position = position.play(game.moves_by_name[name])
        assert str(position) == rules.text(state)
        answer = oracle().best_move(position, MoveChoice(1))
        assert isinstance(answer.known, ProvenResult)
        assert (answer.outcome, answer.plies) == values[state], str(position)
        names = {str(game.move_name(move)) for move in answer.known.best_moves}
        assert names == best({name: values[after] for name, after in graph[state].items()}), str(position)


@pytest.mark.parametrize("parameters", RULES, ids=lambda rules: "-".join(map(str, rules.values())))
def test_random_endings_are_the_same_by_brute_force(parameters: Mapping[str, Any]) -> None:
    assert_same_as_brute_force(parameters, 1, 6, 9)


@pytest.mark.verify
@pytest.mark.parametrize("parameters", RULES, ids=lambda rules: "-".join(map(str, rules.values())))
def test_longer_endings_are_the_same_by_brute_force(parameters: Mapping[str, Any]) -> None:
    assert_same_as_brute_force(parameters, 2, sampled(3, 625), sampled(12, 14))


OPEN = UltimateGame(finished="open")


@pytest.mark.parametrize("full_board", ["draw", "most-boards"])
def test_the_first_player_wins_in_43_plies_where_boards_stay_open(full_board: str) -> None:
    answer = oracle().best_move(Position(UltimateGame(finished="open", full_board=full_board)), MoveChoice(1))
    assert (answer.outcome, answer.plies_bounds[1], answer.move) == ("win", 43, OPEN.moves_by_name["4.4"])


@pytest.mark.parametrize("seed", range(20))
def test_a_random_defence_of_open_boards_loses_in_43_plies(seed: int) -> None:
    rules, dice = Ultimate(finished="open"), random.Random(seed)
    for _ in range(sampled(1, 500)):
        state, position, most = rules.start, Position(OPEN), 43
        while rules.result(state) is None:
            answer = oracle().best_move(position, MoveChoice(1), limit=Limit(10, outcome=True))
            assert answer.outcome == ("loss" if position.turn else "win"), str(position)
            assert answer.plies_bounds[1] <= most
            assert answer.move is not None
            name = dice.choice(rules.moves(state)) if position.turn else str(OPEN.move_name(answer.move))
            state, position, most = rules.after(state, name), position.play(OPEN.moves_by_name[name]), most - 1
        assert (rules.result(state), position.turn) == ("loss", 1)


def test_a_guided_search_finds_no_more_for_the_first_player_than_there_is() -> None:
    found = set[bool]()
    for _, played in islice(random_endings(Ultimate(finished="open"), random.Random(5), 14), sampled(60, 3000)):
        position = Position(OPEN)
        for name in played:
            position = position.play(OPEN.moves_by_name[name])
        searches = [FamilySearch(OPEN.play, OPEN.most_plies, private_memory(10_000)) for _ in range(2)]
        searches[0].keep_to_guide()
        guided, full = (search.bound(*position.state, -100, 100) * (-1) ** position.turn for search in searches)
        assert guided <= full, str(position)
        found.add(guided < full)
    assert found == {False, True}


LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


@cache
def chances(board: str) -> tuple[float, float]:
    """How likely X and O win a small board, if the marks that follow are random but sensible."""
    for row in LINES:
        if (owner := {board[cell] for cell in row}) in ({"X"}, {"O"}):
            return float(owner == {"X"}), float(owner == {"O"})
    free = [cell for cell in range(9) if board[cell] == "."]
    if not free:
        return 0.0, 0.0
    found = [0.0, 0.0]
    for player in "XO":
        after = [chances(board[:cell] + player + board[cell + 1 :]) for cell in free]
        weights = [exp(x - o if player == "X" else o - x) for x, o in after]
        for side in (0, 1):
            likely = sum(weight * then[side] for weight, then in zip(weights, after, strict=True)) / sum(weights)
            found[side] += 0.95 * likely / 2
    return found[0], found[1]


def estimate(game: UltimateGame, state: State) -> float:
    """The estimate of a state, from the text of the position with X to move."""
    small, place, *_ = str(Position(game, state)).split(";")
    owned = [marks >> 81 & 511 for marks in state]
    facts = list[tuple[int, ...]]()
    for cell, board in enumerate(small.split("/")):
        owners = tuple(float(marks >> cell & 1) for marks in owned)
        facts.append(tuple(round(255 * chance**1.25) for chance in (owners if any(owners) else chances(board))))
    found = 0.0
    for row in LINES:
        here = place == "*" or int(place) in row
        found += (7 if here else 4) * prod(facts[cell][0] for cell in row)
        found -= (3 if here else 5) * prod(facts[cell][1] for cell in row)
    return -found / 128 if game.parameters["misere"] else found / 128


@pytest.mark.parametrize("parameters", RULES, ids=lambda rules: "-".join(map(str, rules.values())))
def test_an_estimate_is_that_of_its_definition(parameters: dict[str, Any]) -> None:
    game, dice = UltimateGame(**parameters), random.Random(7)
    for _ in range(sampled(40, 1000)):
        states = [START]
        while moves := game.play.legal_moves(states[-1]):
            states.append(game.play.after(states[-1], dice.choice(moves)))
        state = dice.choice(states[:-1])
        assert game.play.order_key_of(state) == pytest.approx(estimate(game, state), abs=1)


def looked_ahead(game: UltimateGame, state: State, depth: int, left: int) -> int:
    """The estimate by a search of ``depth`` plies, without windows, order or memory."""
    result = game.play.result_of(state)
    if result != ONGOING:
        return (result - DRAWN) * (WIN_ESTIMATE + left + 1)
    if not depth:
        return game.play.order_key_of(state)
    after = (game.play.after(state, move) for move in game.play.legal_moves(state))
    return max(-looked_ahead(game, child, depth - 1, left - 1) for child in after)


@pytest.mark.parametrize("parameters", RULES, ids=lambda rules: "-".join(map(str, rules.values())))
def test_a_look_ahead_is_that_of_every_move_in_turn(parameters: dict[str, Any]) -> None:
    game, dice = UltimateGame(**parameters), random.Random(3)
    game.play.margin = 0  # nothing is cut off that is only probable
    search = FamilySearch(game.play, game.most_plies, private_memory(10_000))
    values = set[int]()
    for number in range(sampled(12, 200)):
        states = [state := START]
        while moves := game.play.legal_moves(state):
            states.append(state := game.play.after(state, dice.choice(moves)))
        state = dice.choice(states[-5:] if number % 2 else states)
        for depth in range(4 if len(game.play.legal_moves(state)) <= 9 else 2):
            value = looked_ahead(game, state, depth, game.play.remaining_of(state))
            for alpha, beta in ((-EVERY, EVERY), (value - 1, value), (value, value + 1)):
                found = search.estimate(*state, depth, alpha, beta)
                assert found == value or (found <= alpha if value <= alpha else found >= beta if value >= beta else 0)
            values.add(value)
    assert max(values) > WIN_ESTIMATE > max(abs(value) for value in values if abs(value) < WIN_ESTIMATE) > 0


def test_cuts_of_a_look_ahead_that_are_only_probable_change_its_value_by_no_more_than_their_margin() -> None:
    game, dice = UltimateGame(), random.Random(5)
    margin = game.play.margin

    def estimate(depth: int, alpha: int, beta: int) -> tuple[int, int]:
        """The value of a look-ahead without memory of others, and its nodes."""
        search = FamilySearch(game.play, game.most_plies, private_memory(10_000))
        return search.estimate(*state, depth, alpha, beta), search.nodes

    for _ in range(sampled(4, 60)):
        state = START
        for _ in range(dice.randint(10, 40)):
            moves = game.play.legal_moves(state)
            state = game.play.after(state, dice.choice(moves)) if moves else START
        value = looked_ahead(game, state, 4, game.play.remaining_of(state))
        assert abs(estimate(4, -EVERY, EVERY)[0] - value) <= margin
        for alpha in (value - 2 * margin, value + 2 * margin):
            assert (estimate(4, alpha, alpha + 1)[0] > alpha) == (value > alpha)
        far = value + 20 * margin
        assert estimate(4, far, far + 1)[1] <= estimate(2, -EVERY, EVERY)[1] + 1, "nothing was cut off"


def test_the_rules_are_those_of_the_reference() -> None:
    for number, parameters in enumerate(RULES):
        game, rules, dice = UltimateGame(**parameters), Ultimate(**parameters), random.Random(number)
        state, position = rules.start, Position(game)
        while rules.result(state) is None:
            assert str(position) == rules.text(state)
            assert {str(game.move_name(move)) for move in position.legal_moves} == set(rules.moves(state))
            name = dice.choice(rules.moves(state))
            state, position = rules.after(state, name), position.play(game.moves_by_name[name])
        winners = {"win": position.player, "loss": position.opponent}
        assert not position.legal_moves
        assert position.winner == winners.get(str(rules.result(state)))


def test_the_board_to_play_in_need_not_be_told_where_the_last_move_can_only_lead_to_one() -> None:
    game = UltimateGame()
    assert str(read_position(game, boards("....X...."))) == f"{boards('....X....')};4"
    assert str(read_position(game, "." * 81)) == f"{boards()};*"
    assert faults(boards("X...O....", "..X......")) == ["ambiguous"]
    assert str(read_position(game, f"{boards('X...O....', '..X......')};2")).endswith(";2")


def test_a_won_board_that_a_move_leads_to_leaves_the_choice_of_the_board_free() -> None:
    game = UltimateGame()
    won = boards("XXX......", "O........", "O........", "O........")
    assert str(read_position(game, won)) == f"{won};*"
    assert read_position(game, won).legal_moves[:3] == (10, 11, 12)
    assert str(read_position(UltimateGame(finished="open"), f"{won};0")).endswith(";0")


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        (f"{boards('X........')};9", ["unreadable-position"]),
        (f"{boards('X........')};", ["unreadable-position"]),
        (f"{boards('X........')};1", ["unreachable-position"]),
        (f"{boards('X........')};*", ["unreachable-position"]),
        (f"{boards('XX.......')};0", ["mark-count"]),
        (f"{boards('XXX......', 'OOO......')};1", ["unreachable-position"]),
        (f"{boards('XXXXXX...', 'OO.OO.O.O')};0", ["no-last-move"]),
        (f"{boards('XXXOOO...')};*", ["two-winners"]),
        (f"{boards('X' * 8)};0", ["board-size"]),
        (f"{boards('?........')};0", ["unknown-mark"]),
        (
            f"{boards('XXX......', 'XXX......', 'XXX......', *['O........'] * 5, 'OOOO.....')};*",
            ["played-after-the-end"],
        ),
    ],
)
def test_what_is_no_position_is_refused_with_every_fault(text: str, codes: list[str]) -> None:
    assert faults(text) == codes


def test_owners_are_told_where_both_players_have_a_line_on_an_open_board() -> None:
    game = UltimateGame(finished="open")
    both = boards("XXXOOO...")
    assert faults(f"{both};3", game) == ["ambiguous"]
    position = read_position(game, f"{both};3;O........")
    assert str(position) == f"{both};3;O........"
    assert read_position(game, f"{both};3;X........") != position


def test_an_illegal_move_has_every_fault() -> None:
    position = read_position(UltimateGame(), f"{boards('XXX......', 'O.O......', '..O......')};2")
    found = [fault.detail for fault in position.game.move_faults(position.state, position.turn, 0)]
    assert found == ["cell 0 is already marked", "board 0 is finished", "X has to play on board 2"]


def test_the_end_is_told_by_boards() -> None:
    won = "XXX......"
    text = f"{boards(won, won, won, 'OO.OO.O..', 'OO.O.....')};*"
    position = read_position(UltimateGame(), text)
    assert (position.status, position.winner) == ("won", "X")
    assert position.game.end(position.state, position.turn) == "X has boards 1, 2 and 3 in a row"


def test_a_drawing_is_a_square_of_boards_that_says_who_has_won_them_and_where_to_play() -> None:
    position = read_position(UltimateGame(), f"{boards('XXX......', 'O.O......', '..O......')};2")
    drawn = draw(position, columns=200).splitlines()
    assert [re.split("  +", line) for line in drawn if line.startswith("board")] == [
        ["board 1: X has won", "board 2", "board 3: play here"],
        ["board 4", "board 5", "board 6"],
        ["board 7", "board 8", "board 9"],
    ]
