"""Answers out of a book are those that a search gives, byte for byte, only sooner."""

import json
import random
import re
from collections.abc import Iterator
from operator import attrgetter
from pathlib import Path
from typing import Any

import httpx
import pytest
from flask.testing import FlaskClient

from service.app import create_app
from service.engine.limit import Limit
from service.engine.oracle import Oracle
from service.engine.result import WORTH, Bounds, ends
from service.explain.reasons import reason
from service.games.catalogue import CATALOGUE, CONNECT_FOUR_5X4
from service.games.game import Game
from service.games.position import PLAYERS, Position
from service.settings import Settings
from tests.api.test_operations import numbers
from tests.book.books import LINES, MISERE, book_of, build_at
from tests.cli.processes import MOVE_ORACLE
from tests.edge_client import EdgeClient
from tests.engine.test_shared import Fleet
from tests.programs import run
from tests.support import GUNICORN, Server
from tests.worlds import play_at_random, proof

ANSWERED = (CONNECT_FOUR_5X4, CATALOGUE["tic-tac-toe-3d"], CATALOGUE["tic-tac-toe-4x4"], MISERE, LINES)

each_answered_game = pytest.mark.parametrize("game", ANSWERED, ids=attrgetter("id"))


@pytest.fixture(scope="module")
def books(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("books")
    for number, game in enumerate(ANSWERED):
        build_at(folder / f"{number}.book", game)
    return folder


@pytest.fixture(scope="module")
def booked(books: Path) -> FlaskClient:
    return create_app(Settings(books=str(books))).test_client()


@pytest.fixture(scope="module")
def bookless() -> FlaskClient:
    return create_app(Settings()).test_client()


def rules(game: Game) -> object:
    """A game as a request names it."""
    if game.id in CATALOGUE:
        return game.id
    if game.in_a_row is None:
        return {"cells": game.cells, "lines": game.lines}
    return {"rows": 3, "columns": 5, "in_a_row": 3, "gravity": True, "misere": True}


def question(position: Position, **more: object) -> dict[str, Any]:
    return {"board": str(position), "player": position.player, "game": rules(position.game), **more}


def some_positions(game: Game, count: int = 60) -> Iterator[Position]:
    """The empty board, and positions from games played at random, of up to twelve marks."""
    dice = random.Random(game.id)
    yield Position(game, 0, 0, "X")
    for number in range(count):
        yield play_at_random(game, dice, dice.randrange(13), PLAYERS[number % 2])


@pytest.mark.verify
@each_answered_game
@pytest.mark.parametrize("path", ["/best-move", "/analysis"])
def test_answers_with_and_without_a_book_are_the_same_to_the_byte(
    booked: FlaskClient, bookless: FlaskClient, game: Game, path: str
) -> None:
    for position in some_positions(game):
        one, other = (client.post(path, json=question(position)) for client in (booked, bookless))
        assert one.status_code == 200
        assert one.data == other.data


@pytest.mark.verify
@each_answered_game
def test_moves_left_to_chance_are_the_same_too(booked: FlaskClient, bookless: FlaskClient, game: Game) -> None:
    for number, position in enumerate(some_positions(game, 30)):
        for more in ({"tie_break": "random", "seed": number}, {"skill": 40, "seed": number}):
            one, other = (client.post("/best-move", json=question(position, **more)) for client in (booked, bookless))
            if other.get_json()["proven"]:
                assert one.data == other.data


def test_positions_of_few_marks_are_answered_by_the_book_alone(booked: FlaskClient) -> None:
    for moves in ([], [2], [2, 2]):
        answer = booked.post("/best-move", json={"game": "connect-four-5x4", "moves": moves})
        assert re.fullmatch(r"(book|cache);dur=[\d.]+", answer.headers["Server-Timing"])
        assert len(answer.get_json()["pv"]) == answer.get_json()["plies"] == 20 - len(moves)
    answer = booked.post("/analysis", json={"game": "connect-four-5x4", "moves": [1]})
    assert re.fullmatch(r"book;dur=[\d.]+", answer.headers["Server-Timing"])
    assert len(answer.get_json()["moves"]) == 5


def test_of_other_positions_the_book_knows_the_score_and_only_best_play_is_searched_for(booked: FlaskClient) -> None:
    for moves, source in (([2, 2, 1, 0, 2, 1], "book"), ([2, 2, 1, 0, 2, 1, 4, 4, 0, 1], "search")):
        answer = booked.post("/best-move", json={"game": "connect-four-5x4", "moves": moves})
        assert re.fullmatch(rf'{source};dur=[\d.]+(;desc="\d+ nodes")?', answer.headers["Server-Timing"])


def test_what_a_book_answered_is_counted(books: Path) -> None:
    client = EdgeClient(Settings(books=str(books)))
    client.post("/best-move", json={"game": "connect-four-5x4", "moves": []})
    name = 'move_oracle_answers_total{game="connect-four-5x4",outcome="draw",source="book"}'
    assert numbers(client)[name] == 1


def test_the_version_tells_of_every_book(booked: FlaskClient) -> None:
    told = booked.get("/version").get_json()["books"]
    assert [book["game"] for book in told] == [game.id for game in ANSWERED]
    found = book_of(CONNECT_FOUR_5X4)
    assert told[0] == {
        "game": "connect-four-5x4",
        "kind": "scores",
        "plies": 8,
        "lined": 2,
        "positions": found.positions,
        "source": found.source,
        "checksum": found.checksum,
    }


def test_the_same_rules_written_as_lines_are_answered_by_the_book_of_the_game(booked: FlaskClient) -> None:
    game = CATALOGUE["tic-tac-toe-4x4"]
    asked = {"board": "." * 5 + "X" + "." * 10, "game": {"cells": 16, "lines": game.lines}}
    answer = booked.post("/best-move", json=asked)
    assert answer.headers["Server-Timing"].startswith("book;")
    assert answer.get_json()["outcome"] == "draw"


def test_with_a_book_fewer_nodes_prove_an_answer_and_it_is_the_answer_that_more_nodes_prove(
    booked: FlaskClient, bookless: FlaskClient
) -> None:
    asked = {"game": "connect-four-5x4", "moves": []}
    little = {**asked, "limit": {"nodes": 1}}
    assert bookless.post("/best-move", json=little).get_json()["proven"] is False
    assert booked.post("/best-move", json=little).data == bookless.post("/best-move", json=asked).data
    assert booked.post("/analysis", json=little).data == bookless.post("/analysis", json=asked).data


def test_browsers_and_proxies_keep_the_same_proven_answer_from_both_and_no_unproven_one(
    booked: FlaskClient, bookless: FlaskClient
) -> None:
    for moves in ("", "&moves=2,2", "&moves=2,2,1,0,2,1"):
        one, other = (
            client.get(f"/best-move?game=connect-four-5x4{moves or '&moves='}") for client in (booked, bookless)
        )
        assert one.headers["ETag"] == other.headers["ETag"]
    one, other = (client.get("/best-move?game=connect-four-5x4&moves=2&nodes=1") for client in (booked, bookless))
    assert "immutable" in one.headers["Cache-Control"]
    assert other.headers["Cache-Control"] == "no-store"


def test_what_services_with_and_without_a_book_share_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.engine.shared.COSTLY_NODES", 0)
    books = {CONNECT_FOUR_5X4.digest: book_of(CONNECT_FOUR_5X4).book}
    shared = [Fleet(), Fleet()]
    services = [Oracle(shared=shared[0], books=books), Oracle(shared=shared[1])]
    for position in some_positions(CONNECT_FOUR_5X4):
        for limit in (Limit(60), Limit(60, 2_000)):
            for oracle in services:
                oracle.analyse(position, limit=limit)
    both = shared[0].kept.keys() & shared[1].kept.keys()
    assert both
    assert all(shared[0].kept[key] == shared[1].kept[key] for key in both)


def test_an_answer_within_few_nodes_does_not_hang_on_what_was_asked_before(books: Path) -> None:
    asked = {"game": "connect-four-5x4", "moves": [2, 2, 1, 0, 2, 1, 4]}
    fresh, warm = (create_app(Settings(books=str(books))).test_client() for _ in range(2))
    for nodes in (10_000, None):
        warm.post("/analysis", json={**asked, "limit": {"nodes": nodes}} if nodes else asked)
    for nodes in (1, 10, 100, 1000, 3000):
        limited = {**asked, "limit": {"nodes": nodes}}
        for path in ("/best-move", "/analysis"):
            assert fresh.post(path, json=limited).data == warm.post(path, json=limited).data


def test_what_is_not_proven_in_time_is_still_no_more_than_what_is_known() -> None:
    book = book_of(CONNECT_FOUR_5X4).book
    oracle, whole = Oracle(books={CONNECT_FOUR_5X4.digest: book}), Oracle()
    for position in some_positions(CONNECT_FOUR_5X4):
        known = oracle.best_move(position, limit=Limit(60, 5)).known
        truth = proof(whole.best_move(position))
        if isinstance(known, Bounds):
            assert known.least <= truth.score <= known.greatest
        else:
            assert known.pv == truth.pv


def test_what_a_book_says_of_a_position_is_not_said_of_a_move_that_is_not_proven_to_keep_it() -> None:
    found, dice, unproven = book_of(CONNECT_FOUR_5X4), random.Random(3), 0
    oracle, judge = Oracle(books={CONNECT_FOUR_5X4.digest: found.book}), Oracle()
    for _ in range(300):
        position = play_at_random(CONNECT_FOUR_5X4, dice, found.plies)
        best = oracle.best_move(position, limit=Limit(60, 4))
        if not isinstance(best.known, Bounds) or best.move is None:
            continue
        unproven += 1
        after = proof(judge.best_move(position.play(best.move))).outcome
        assert WORTH[ends(best.known)[0]] <= -WORTH[after], reason(best)
    assert unproven > 20


def test_a_position_that_play_cannot_reach_is_answered_all_the_same(booked: FlaskClient, bookless: FlaskClient) -> None:
    asked = {"game": "connect-four-5x4", "board": "...........X....X..."}
    assert booked.post("/analysis", json=asked).data == bookless.post("/analysis", json=asked).data


@pytest.mark.verify
def test_a_server_with_a_broken_book_does_not_start_and_says_why(tmp_path: Path) -> None:
    (tmp_path / "broken.book").write_bytes(b"\x00" * 1000)
    done = run(*GUNICORN, environment={"BOOKS": str(tmp_path), "PORT": "0"})
    assert done.returncode != 0
    assert f"move-oracle: {tmp_path / 'broken.book'} is not a book of Move Oracle." in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.verify
def test_all_workers_of_a_server_answer_from_the_book(books: Path) -> None:
    with Server(workers=2, BOOKS=str(books)) as server:
        for _ in range(8):
            moves = {"game": "connect-four-5x4", "moves": [1, 3]}
            answer = httpx.post(f"{server.url}/best-move", json=moves, headers={"Connection": "close"})
            assert answer.headers["Server-Timing"].split(";")[0] in ("book", "cache")
            assert answer.json()["plies"] == 18


@pytest.mark.verify
def test_a_fresh_install_proves_the_moves_of_connect_four_on_the_command_line() -> None:
    command = [*MOVE_ORACLE, "best-move", "--game", "connect-four", "--moves", "444", "--nodes", "1", "--json"]
    answer = json.loads(run(*command, environment={"BOOKS": ""}).stdout)
    assert (answer["proven"], answer["outcome"], answer["plies"]) == (True, "loss", 38)


@pytest.mark.verify
def test_the_command_line_uses_the_books_too(books: Path, tmp_path: Path) -> None:
    command = [*MOVE_ORACLE, "best-move", "--game", "connect-four-5x4", "--moves", "2", "--nodes", "1", "--json"]
    assert '"proven":true' in run(*command, environment={"BOOKS": str(books)}).stdout
    missing = run(*command, environment={"BOOKS": str(tmp_path / "missing.book")})
    assert (missing.returncode, missing.stdout) == (2, "")
    assert "missing.book cannot be read" in missing.stderr
