"""Games that are answered by tables of all their states: the same wherever the table comes from, and honest without."""

from collections.abc import Iterator
from contextlib import nullcontext
from functools import reduce
from pathlib import Path
from statistics import mean
from threading import Event

import pytest

from service.engine.oracle import Analysis, MoveChoice, Oracle
from service.engine.result import RANK, Bounds, nothing_known
from service.engine.skill import looks_best
from service.engine.tables.family_table import UnreachableError, build
from service.engine.tables.table_folder import TableFolder
from service.engine.tables.tablebases import Tablebases
from service.engine.work.limit import Limit
from service.explain.ranking import rank
from service.games.catalogue import STATE_GAMES
from service.games.families.exactly import ExactlyGame
from service.games.families.notakto import NotaktoGame
from service.games.families.pop_out import PopOutGame
from service.games.families.wild import WildGame
from service.games.game import Game
from service.games.position import Position, read_position
from tests.games.games import SOLVED, each, oracle, positions
from tests.support import sampled
from tests.worlds import proven

SOON = Limit(0.01)
"""No table is made so soon."""

DRAWS = [(None, None), (1, None), (1, 40)]


def sample(game: Game) -> list[Position]:
    """Unfinished positions."""
    return [each for each in positions(game) if each.legal_moves][:: 1 + len(positions(game)) // sampled(4, 40)]


def answers(oracle: Oracle, game: Game) -> list[Analysis]:
    return [
        oracle.analyse(position, MoveChoice(seed, skill)) for position in sample(game)[::4] for seed, skill in DRAWS
    ]


@each(SOLVED)
def test_the_moves_that_look_best_get_no_worse_the_further_a_player_sees_and_a_skill_answers_with_one(
    game: Game,
) -> None:
    for analysis in map(oracle().analyse, sample(game)):
        position, values = analysis.best.position, {move: proven(at) for move, at in analysis.move_values.items()}
        seen = [looks_best(values, plies, game.most_plies) for plies in range(20)]
        worth = [mean(RANK[values[move].outcome] for move in moves) for moves in seen]
        assert worth == sorted(worth)
        for skill in (0, 60, 99):
            answer = oracle().best_move(position, MoveChoice(1, skill))
            assert answer.move is not None
            assert (answer.skill, answer.seed) == (skill, 1)
            assert proven(answer.known).score == values[answer.move].score
            assert oracle().analyse(position, MoveChoice(1, skill)).best == answer


@each(SOLVED)
def test_law_1_the_answer_is_the_same_with_a_table_just_made_from_memory_and_from_its_file(
    game: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = [Oracle(tablebases=Tablebases()), Oracle(tablebases=Tablebases(TableFolder(tmp_path)))]
    first = [answers(oracle, game) for oracle in made]
    monkeypatch.setattr("service.engine.tables.tablebases.build", lambda *_: pytest.fail("the table was made again"))
    again = [answers(oracle, game) for oracle in (*made, Oracle(tablebases=Tablebases(TableFolder(tmp_path))))]
    assert all(each == first[0] for each in (*first, *again))


def test_a_line_that_comes_back_to_its_beginning_by_a_slower_win_goes_on_to_its_end() -> None:
    position = read_position(PopOutGame(rows=4, columns=1, in_a_row=2, both="opponent-wins"), ".OXO", "O")
    best, slower = sorted(map(proven, oracle().analyse(position).move_values.values()), key=lambda value: len(value.pv))
    assert (best.plies, len(best.pv)) == (1, 1)
    assert (slower.outcome, slower.plies, len(slower.pv)) == ("win", 5, 5)


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[Event]:
    """Tables are made only once this is set."""
    go = Event()

    def build_later(game: Game, most: int, _poll: object, _threads: int) -> bytearray:
        go.wait(60)
        return build(game, most)

    monkeypatch.setattr("service.engine.tables.tablebases.build", build_later)
    yield go
    go.set()


@pytest.mark.parametrize("skill", [None, 40])
def test_nothing_is_known_while_the_table_is_made_and_all_of_it_afterwards(held: Event, skill: int | None) -> None:
    oracle, position = Oracle(), Position(STATE_GAMES["achi"])
    waiting = oracle.analyse(position, MoveChoice(1, skill), limit=SOON)
    best, first = waiting.best, position.legal_moves[0]
    assert best.known == waiting.known == nothing_known(position, first)
    assert (best.move, best.pv, best.source, best.seed, best.skill) == (first, (first,), "table", None, None)
    assert all(isinstance(value, Bounds) for value in waiting.move_values.values())
    assert not waiting.complete
    held.set()
    assert oracle.analyse(position).complete


@pytest.mark.parametrize(
    ("game", "board", "reachable"),
    [
        (STATE_GAMES["three-mens-morris"], "XXXOO....", True),
        (PopOutGame(rows=3, columns=3, in_a_row=3), "X..XXXOOO", False),
        (PopOutGame(rows=3, columns=3, in_a_row=3), ".O..O..OO", True),
        (WildGame(rows=3, columns=4, in_a_row=3), "XXX.........", True),
    ],
)
def test_nothing_is_proven_of_a_board_that_may_have_ended_without_play_until_the_table_is_made(
    held: Event, game: Game, board: str, *, reachable: bool
) -> None:
    oracle, position = Oracle(), read_position(game, board)
    best, analysis = oracle.best_move(position, limit=SOON), oracle.analyse(position, limit=SOON)
    for answer in best, analysis.best:
        assert (answer.outcome, answer.exact, answer.move, answer.pv) == ("unknown", False, None, ())
    assert (analysis.complete, rank(analysis)) == (False, ())
    held.set()
    for ask in oracle.best_move, lambda position: oracle.analyse(position).best:
        with nullcontext() if reachable else pytest.raises(UnreachableError):
            assert ask(position).outcome == "loss"


def test_without_a_table_what_play_has_ended_is_known_and_no_win_of_a_board(held: Event) -> None:
    ended = reduce(Position.play, (0, 3, 1, 4, 2), Position(STATE_GAMES["three-mens-morris"]))
    given = read_position(ExactlyGame(rows=3, columns=4, in_a_row=3), "XX..OO......", "X")
    known, unknown = (Oracle().best_move(position, limit=SOON) for position in (ended, given))
    assert not held.is_set()
    assert (known.outcome, known.move, known.plies, known.score, known.pv) == ("loss", None, 0, -127, ())
    assert (unknown.outcome, unknown.move, unknown.plies, unknown.score, unknown.pv) == ("unknown", 2, None, None, (2,))


@pytest.mark.parametrize(
    ("moves", "outcome", "move", "plies"),
    [
        ((0, 3, 1, 4), "win", 2, 1),  # X completes the top row
        ((8, 3, 1, 4), "unknown", 5, None),  # X has to block, after which nothing is known
        ((5, 8, 6, 0, 4), "loss", 1, 2),  # O cannot block both lines
    ],
)
def test_without_a_table_ends_within_two_plies_are_found_where_play_can_go_on(
    held: Event, moves: tuple[int, ...], outcome: str, move: int, plies: int | None
) -> None:
    position = reduce(Position.play, moves, Position(STATE_GAMES["three-mens-morris"]))
    answer, analysis = Oracle().best_move(position, limit=SOON), Oracle().analyse(position, limit=SOON)
    assert not held.is_set()
    assert (answer.outcome, answer.move, answer.plies) == (outcome, move, plies)
    assert (analysis.best.outcome, analysis.best.move) == (outcome, move)


LOOPING = {name: game for name, game in SOLVED.items() if game.loops}


@each(LOOPING)
def test_what_is_proven_without_a_table_is_what_the_table_says(game: Game, request: pytest.FixtureRequest) -> None:
    asked = [at for at in [*sample(game), *positions(game)[-60:]] if at.legal_moves and at.reached]
    by_table = list(map(oracle().analyse, asked))
    request.getfixturevalue("held")
    waiting = Oracle()
    without = [waiting.analyse(position, limit=SOON) for position in asked]
    for early, whole in zip(without, by_table, strict=True):
        assert not early.best.proven or early.known == whole.known, str(whole.best.position)
        for move, value in early.move_values.items():
            assert isinstance(value, Bounds) or value == whole.move_values[move], str(whole.best.position)
    assert any(early.best.proven for early in without) or game.parameters.get("misere")


def test_a_finished_position_of_a_game_that_is_too_large_for_a_table_has_an_analysis() -> None:
    position = read_position(NotaktoGame(rows=2, columns=2, in_a_row=2), "XX..")
    analysis = Oracle(tablebases=Tablebases(most=1)).analyse(position)
    assert (analysis.best.outcome, analysis.best.plies, analysis.move_values) == ("win", 0, {})
