"""Answers about games of families: proven by the table, the same wherever it comes from, and honest without it."""

from collections.abc import Iterator
from contextlib import nullcontext
from functools import reduce
from pathlib import Path
from random import Random
from statistics import mean
from threading import Event

import pytest

from service.engine.certificates.certificate import Unsupported
from service.engine.oracle import Analysis, Oracle
from service.engine.result import WORTH, Bounds, ProvenResult, nothing_known
from service.engine.skill import looks_best, sight
from service.engine.tables.family_table import UnreachableError, build
from service.engine.tables.table_folder import TableFolder
from service.engine.tables.tablebases import Tablebases
from service.engine.work.limit import Limit
from service.engine.work.progress import Progress
from service.explain.ranking import rank
from service.games.catalogue import STATE_GAMES
from service.games.families.exactly import ExactlyGame
from service.games.families.morris import MorrisGame
from service.games.families.notakto import NotaktoGame
from service.games.families.pop_out import PopOutGame
from service.games.families.vanishing import VanishingGame
from service.games.families.wild import WildGame
from service.games.game import Game
from service.games.position import Position, read_position
from service.kernel.states.retrograde import TooLargeError
from tests.engine.tables import found
from tests.games.games import each_solved_game, oracle, positions, table_of
from tests.support import sampled

SAMPLED = sampled(4, 40)
SOON = Limit(0.01)
"""No table is made so soon."""

SKILLS = (0, 30, 60, 90, 99)


def sample(game: Game) -> tuple[Position, ...]:
    return positions(game)[:: 1 + len(positions(game)) // SAMPLED]


def proven(known: object) -> ProvenResult:
    assert isinstance(known, ProvenResult)
    return known


def analyses(game: Game) -> Iterator[Analysis]:
    """Analyses of unfinished positions."""
    return (oracle().analyse(position) for position in sample(game) if position.legal_moves)


@each_solved_game
def test_a_seed_draws_one_of_the_best_moves_and_always_the_same(game: Game) -> None:
    for analysis in analyses(game):
        position, best = analysis.best.position, proven(analysis.known).best_moves
        drawn = [oracle().best_move(position, seed=seed) for seed in range(8)]
        assert all(answer.move in best and answer.pv[0] == answer.move for answer in drawn)
        assert drawn == [oracle().best_move(position, seed=seed) for seed in range(8)]
        assert [answer.seed for answer in drawn] == list(range(8))
    start = oracle().best_move(Position(game))
    drawn_from = proven(start.known).best_moves
    if len(drawn_from) < 10:
        assert {oracle().best_move(start.position, seed=seed).move for seed in range(100)} == {*drawn_from}


@each_solved_game
def test_the_moves_that_look_best_get_no_worse_the_further_a_player_sees(game: Game) -> None:
    for analysis in analyses(game):
        values = {move: proven(value) for move, value in analysis.move_values.items()}
        worth = [
            mean(WORTH[values[move].outcome] for move in looks_best(values, plies, game.most_plies))
            for plies in range(20)
        ]
        assert worth == sorted(worth)
        best = {move for move in values if values[move].score == proven(analysis.known).score}
        if analysis.best.outcome == "win":
            assert set(looks_best(values, analysis.best.plies or 0, game.most_plies)) == best


def test_a_player_of_more_skill_sees_as_far_at_least() -> None:
    for seed in range(300):
        sights = [sight(skill, Random(seed))[1] for skill in range(100)]
        assert sights == sorted(sights)
    assert len({sight(50, Random(seed))[1] for seed in range(300)}) > 3


@each_solved_game
def test_a_skill_answers_with_a_move_of_its_own_and_what_that_leads_to(game: Game) -> None:
    for analysis in analyses(game):
        position = analysis.best.position
        for skill in SKILLS:
            answer = oracle().best_move(position, seed=1, skill=skill)
            assert answer.move is not None
            assert (answer.skill, answer.seed) == (skill, 1)
            assert proven(answer.known).score == proven(analysis.move_values[answer.move]).score
            assert oracle().analyse(position, seed=1, skill=skill).best == answer


@each_solved_game
def test_the_answer_is_the_same_with_a_table_just_made_from_memory_and_from_its_file(
    game: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    places = [Tablebases(), Tablebases(TableFolder(tmp_path))]
    made = [Oracle(tablebases=tables) for tables in places]
    first = [answers(oracle, game) for oracle in made]
    assert list(tmp_path.glob("*.table"))
    monkeypatch.setattr("service.engine.tables.tablebases.build", lambda *_: pytest.fail("the table was made again"))
    again = [answers(oracle, game) for oracle in (*made, Oracle(tablebases=Tablebases(TableFolder(tmp_path))))]
    assert all(each == first[0] for each in (*first, *again))


def answers(oracle: Oracle, game: Game) -> list[Analysis]:
    return [oracle.analyse(position, seed=seed, skill=skill) for position in sample(game)[::4] for seed, skill in DRAWS]


DRAWS = [(None, None), (1, None), (1, 40)]


def test_a_line_that_comes_back_to_its_beginning_by_a_slower_win_goes_on_to_its_end() -> None:
    position = read_position(PopOutGame(rows=4, columns=1, in_a_row=2, both="opponent-wins"), ".OXO", "O")
    best, slower = sorted(map(proven, oracle().analyse(position).move_values.values()), key=lambda value: len(value.pv))
    assert (best.plies, len(best.pv)) == (1, 1)
    assert (slower.outcome, slower.plies, len(slower.pv)) == ("win", 5, 5)


def test_a_finished_position_of_a_game_that_is_too_large_for_a_table_has_an_analysis() -> None:
    position = read_position(NotaktoGame(rows=2, columns=2, in_a_row=2), "XX..")
    analysis = Oracle(tablebases=Tablebases(most=1)).analyse(position)
    assert (analysis.best.outcome, analysis.best.plies, analysis.move_values) == ("win", 0, {})


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[Event]:
    """Tables are made only once this is set."""
    go = Event()

    def build_later(game: Game, most: int, _poll: object) -> bytearray:
        go.wait(60)
        return build(game, most)

    monkeypatch.setattr("service.engine.tables.tablebases.build", build_later)
    yield go
    go.set()


@pytest.mark.parametrize("skill", [None, 40])
def test_nothing_is_known_while_the_table_is_made_and_all_of_it_afterwards(held: Event, skill: int | None) -> None:
    oracle, position = Oracle(), Position(STATE_GAMES["achi"])
    waiting = oracle.analyse(position, seed=1, skill=skill, limit=SOON)
    first = position.legal_moves[0]
    assert waiting.best.known == waiting.known == nothing_known(position, first)
    assert (waiting.best.move, waiting.best.pv, waiting.best.source) == (first, (first,), "table")
    assert (waiting.best.seed, waiting.best.skill, waiting.best.outcome) == (None, None, "unknown")
    assert all(isinstance(value, Bounds) for value in waiting.move_values.values())
    assert not waiting.complete
    held.set()
    assert oracle.analyse(position).complete


def played(game: Game, *moves: int) -> Position:
    return reduce(Position.play, moves, Position(game))


ENDS = [
    (STATE_GAMES["three-mens-morris"], "XXXOO....", True),
    (PopOutGame(rows=3, columns=3, in_a_row=3), "X..XXXOOO", False),
    (PopOutGame(rows=3, columns=3, in_a_row=3), ".O..O..OO", True),
    (WildGame(rows=3, columns=4, in_a_row=3), "XXX.........", True),
]


@pytest.mark.parametrize(("game", "board", "reachable"), ENDS)
def test_nothing_is_proven_of_a_board_that_may_have_ended_without_play_until_the_table_is_made(
    held: Event, game: Game, board: str, *, reachable: bool
) -> None:
    oracle, position = Oracle(), read_position(game, board)
    best, analysis = oracle.best_move(position, limit=SOON), oracle.analyse(position, limit=SOON)
    for answer in best, analysis.best:
        assert (answer.outcome, answer.proven, answer.exact) == ("unknown", False, False)
        assert (answer.move, answer.pv) == (None, ())
    assert not analysis.complete
    assert rank(analysis) == ()
    held.set()
    if reachable:
        assert (oracle.best_move(position).outcome, oracle.analyse(position).complete) == ("loss", True)
    else:
        for ask in oracle.best_move, oracle.analyse:
            with pytest.raises(UnreachableError):
                ask(position)


@pytest.mark.parametrize(
    ("position", "outcome", "move"),
    [
        pytest.param(
            played(STATE_GAMES["three-mens-morris"], 0, 3, 1, 4, 2), "loss", None, id="a game that has ended"
        ),
        pytest.param(
            read_position(ExactlyGame(rows=3, columns=4, in_a_row=3), "XX..OO......", "X"), "unknown", 2,
            id="a board that play may not lead to",
        ),
    ],
)  # fmt: skip
def test_without_a_table_what_play_has_ended_is_known_and_no_win_of_a_board(
    held: Event, position: Position, outcome: str, move: int | None
) -> None:
    answer = Oracle().best_move(position, limit=SOON)
    assert not held.is_set()
    assert (answer.outcome, answer.move) == (outcome, move)
    assert (answer.plies, answer.score, answer.pv) == ((0, -127, ()) if move is None else (None, None, (move,)))


def test_a_search_that_is_followed_says_that_nothing_is_known() -> None:
    position = Position(STATE_GAMES["achi"])
    step = Progress(position).now()
    assert (step.known, step.move, step.moves) == (nothing_known(position), None, 9)
    progress = Progress(position)
    assert Oracle().best_move(position, limit=Limit(60, progress=progress)).exact
    assert progress.now() == step


def test_a_game_with_too_many_positions_is_refused_before_anything_is_made() -> None:
    oracle = Oracle(tablebases=Tablebases(most=50))
    with pytest.raises(TooLargeError):
        oracle.best_move(Position(VanishingGame(rows=2, columns=3, marks=2)))


@pytest.mark.parametrize(
    ("game", "text", "reached"),
    [
        (VanishingGame(rows=2, columns=3, marks=3), "X0-1/O2", True),
        (PopOutGame(rows=3, columns=3, in_a_row=3), "......XXO", True),
        (PopOutGame(rows=3, columns=3, in_a_row=3), "XXXXXOOXO", False),
        (MorrisGame(centre="not-first"), "O...X....", False),
    ],
)
def test_a_position_is_answered_by_every_method_if_play_leads_to_it(game: Game, text: str, *, reached: bool) -> None:
    position = read_position(game, text, "X" if game.family == "morris" else "O")
    for seed, skill in DRAWS:
        for ask in (oracle().best_move, oracle().analyse):
            with nullcontext() if reached else pytest.raises(UnreachableError):
                ask(position, seed=seed, skill=skill)


def test_there_is_no_certificate_for_a_family() -> None:
    found = Oracle().certify(Position(STATE_GAMES["notakto"]))
    assert (found.found, found.nodes) == (Unsupported("notakto"), 0)


def test_tables_that_were_not_asked_for_longest_are_dropped() -> None:
    games = [NotaktoGame(), NotaktoGame(in_a_row=2), NotaktoGame(rows=2, columns=4)]
    states = [table_of(game).states for game in games]
    tables = Tablebases(most=sum(states) - 1)
    first, second = (found(tables, game) for game in games[:2])
    assert found(tables, games[0]) is first
    last = found(tables, games[2])
    assert found(tables, games[0]) is first
    assert found(tables, games[2]) is last
    assert found(tables, games[1]) is not second


def test_a_table_that_could_not_be_made_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    game, tables = NotaktoGame(), Tablebases()
    with monkeypatch.context() as broken:
        broken.setattr("service.engine.tables.tablebases.build", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            found(tables, game)
    assert found(tables, game).states
