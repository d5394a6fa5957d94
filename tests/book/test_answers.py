"""Answers out of a book are those that a search gives, only sooner."""

import random
from collections.abc import Iterator
from functools import cache
from operator import attrgetter
from pathlib import Path

import httpx
import pytest

from service.engine.oracle import Analysis, BestMove, MoveChoice, Oracle
from service.engine.result import RANK, Bounds, ends
from service.engine.work.limit import Limit
from service.explain.ranking import rank
from service.explain.reasons import reason
from service.games.catalogue import CONNECT_FOUR_5X4, LINE_GAMES
from service.games.families.lines import PLAYERS, LineGame, LinePosition, line_position, position_after
from service.settings import Settings
from tests.api.test_operations import numbers
from tests.book.books import LINES, MISERE, book_of, write_at
from tests.edge_client import EdgeClient
from tests.programs import run
from tests.support import GUNICORN, HUNG_SECONDS, Server
from tests.worlds import play_at_random, proof

ANSWERED = (CONNECT_FOUR_5X4, LINE_GAMES["tic-tac-toe-3d"], LINE_GAMES["tic-tac-toe-4x4"], MISERE, LINES)
ASKED = {"game": "connect-four-5x4", "moves": [2]}


def booked() -> Oracle:
    """A new oracle with the books of these games."""
    return Oracle(books={game.digest: book_of(game).book for game in ANSWERED})


@cache
def bookless() -> Oracle:
    return Oracle()


@pytest.fixture(scope="module")
def books(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("books")
    for number, game in enumerate(ANSWERED):
        write_at(folder / f"{number}.book", game)
    return folder


def some_positions(game: LineGame, count: int = 60) -> Iterator[LinePosition]:
    """The empty board, and positions from games played at random, of up to twelve marks."""
    dice = random.Random(game.id)
    yield line_position(game, 0, 0, "X")
    for number in range(count):
        yield play_at_random(game, dice, dice.randrange(13), PLAYERS[number % 2])


def told(found: BestMove | Analysis) -> object:
    """All of an answer but where it was found."""
    if isinstance(found, Analysis):
        return told(found.best), rank(found), found.threats
    return found.position, found.known, found.move, found.pv, reason(found)


def limited(nodes: int) -> Limit:
    return Limit(HUNG_SECONDS, nodes)


@pytest.mark.verify
@pytest.mark.parametrize("game", ANSWERED, ids=attrgetter("id"))
def test_answers_with_and_without_a_book_are_the_same_and_so_are_other_choices(game: LineGame) -> None:
    oracle = booked()
    for number, position in enumerate(some_positions(game)):
        assert told(oracle.best_move(position)) == told(bookless().best_move(position))
        assert told(oracle.analyse(position)) == told(bookless().analyse(position))
        for choice in (MoveChoice(number), MoveChoice(number, 40), MoveChoice(hardest=True)):
            one, other = (each.best_move(position, choice) for each in (oracle, bookless()))
            assert not other.proven or told(one) == told(other)


@pytest.mark.parametrize(
    ("columns", "source"),
    [
        ([], "book"),
        ([2], "book"),
        ([2, 2], "book"),
        ([2, 2, 1, 0, 2, 1], "book"),
        ([2, 2, 1, 0, 2, 1, 4, 4, 0, 1], "search"),
    ],
    ids=str,
)
def test_positions_of_few_marks_are_answered_by_the_book_and_of_others_best_play_is_searched_for(
    columns: list[int], source: str
) -> None:
    position = line_position(CONNECT_FOUR_5X4, 0, 0, "X")
    for column in columns:
        position = position.play(max(move for move in position.legal_moves if move % 5 == column))
    answer = booked().best_move(position)
    assert (answer.source, len(answer.pv)) == (source, answer.plies)
    if len(columns) < 2:
        assert (answer.nodes, booked().analyse(position).nodes) == (0, 0)


def test_over_http_books_are_told_of_counted_and_used_for_the_same_rules_written_as_lines(books: Path) -> None:
    client, without = EdgeClient(Settings(books=str(books))), EdgeClient(Settings())
    version, found = client.get("/version").get_json()["books"], book_of(CONNECT_FOUR_5X4)
    assert [book["game"] for book in version] == [game.id for game in ANSWERED]
    about = {"kind": "scores", "positions": found.positions, "source": found.source, "checksum": found.checksum}
    assert version[0] == {"game": "connect-four-5x4", "plies": 8, "pv_depth": 2, **about}
    answer = client.post("/best-move", json=ASKED)
    assert answer.data == without.post("/best-move", json=ASKED).data
    assert numbers(client)['move_oracle_answers_total{game="connect-four-5x4",outcome="draw",source="book"}'] == 1
    lines = {"cells": 16, "lines": LINE_GAMES["tic-tac-toe-4x4"].lines}
    by_lines = client.post("/best-move", json={"board": "." * 5 + "X" + "." * 10, "game": lines})
    assert [each.headers["Server-Timing"].split(";")[0] for each in (answer, by_lines)] == ["book", "book"]
    one, other = (each.get("/best-move?game=connect-four-5x4&moves=2&nodes=1") for each in (client, without))
    assert "immutable" in one.headers["Cache-Control"]
    assert other.headers["Cache-Control"] == "no-store"


def test_with_a_book_fewer_nodes_prove_an_answer_and_it_is_the_answer_that_more_nodes_prove() -> None:
    for moves in ((), (11,), (16, 19)):  # the last is a board that play cannot reach
        x, o = (sum(1 << cell for cell in moves[side::2]) for side in (0, 1))
        position = line_position(CONNECT_FOUR_5X4, x, o, PLAYERS[len(moves) % 2])
        assert told(booked().analyse(position)) == told(bookless().analyse(position))
    empty = line_position(CONNECT_FOUR_5X4, 0, 0, "X")
    assert not bookless().best_move(empty, limit=limited(1)).proven
    assert told(booked().best_move(empty, limit=limited(1))) == told(bookless().best_move(empty))
    assert told(booked().analyse(empty, limit=limited(1))) == told(bookless().analyse(empty))


def test_law_1_an_answer_within_few_nodes_does_not_depend_on_what_was_asked_before() -> None:
    position = position_after(CONNECT_FOUR_5X4, (17, 12, 16, 15, 7, 11, 19))
    fresh, warm = booked(), booked()
    for limit in (limited(10_000), Limit(HUNG_SECONDS)):
        warm.analyse(position, limit=limit)
    for nodes in (1, 10, 100, 1000, 3000):
        for ask in (Oracle.best_move, Oracle.analyse):
            one, other = (told(ask(oracle, position, limit=limited(nodes))) for oracle in (fresh, warm))
            assert one == other


def test_what_a_book_says_of_a_position_is_not_said_of_a_move_that_is_not_proven_to_keep_it() -> None:
    oracle, dice, unproven = booked(), random.Random(3), 0
    for _ in range(300):
        position = play_at_random(CONNECT_FOUR_5X4, dice, book_of(CONNECT_FOUR_5X4).plies)
        best = oracle.best_move(position, limit=limited(4))
        if not isinstance(best.known, Bounds) or best.move is None:
            continue
        unproven += 1
        after = proof(bookless().best_move(position.play(best.move))).outcome
        assert RANK[ends(best.known)[0]] <= -RANK[after], reason(best)
    assert unproven > 20


@pytest.mark.verify
def test_a_server_with_a_broken_book_does_not_start_and_all_workers_answer_from_a_whole_one(
    books: Path, tmp_path: Path
) -> None:
    (tmp_path / "broken.book").write_bytes(b"\x00" * 1000)
    done = run(*GUNICORN, environment={"BOOKS": str(tmp_path), "PORT": "0"})
    assert done.returncode != 0
    assert f"move-oracle: {tmp_path / 'broken.book'} is not a book of Move Oracle." in done.stderr
    assert "Traceback" not in done.stderr
    with Server(workers=2, BOOKS=str(books)) as server:
        for _ in range(8):
            answer = httpx.post(f"{server.url}/best-move", json=ASKED, headers={"Connection": "close"})
            assert answer.headers["Server-Timing"].split(";")[0] in ("book", "cache")
