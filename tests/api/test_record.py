"""Games so far: lists of moves and strings of columns lead to the same positions, and every fault has its place."""

import json
from typing import Any

import pytest
from flask.testing import FlaskClient

from service.api.problems import Problem
from service.api.record import read_moves
from service.app import create_app
from service.explain.names import move_name
from service.games.catalogue import CATALOGUE, CONNECT_FOUR, QUBIC, TIC_TAC_TOE
from service.games.game import Game, grid, hand_written
from service.games.position import Position
from service.settings import Settings
from tests.contract import validator

FALLING_CUBE = grid(id="falling", name="Falling", rules="", rows=2, columns=2, layers=2, in_a_row=2, gravity=True)
DROP = grid(id="drop", name="Drop", rules="", rows=3, columns=2, in_a_row=3, gravity=True)
NINE = grid(id="nine", name="Nine", rules="", rows=2, columns=9, in_a_row=4, gravity=True)
TEN = grid(id="ten", name="Ten", rules="", rows=2, columns=10, in_a_row=4, gravity=True)
WIDE = grid(id="wide", name="Wide", rules="", rows=1, columns=40, in_a_row=4)
SEVEN = hand_written(id="seven", name="Seven", rules="", cells=7, lines=[[0, 1, 2], [0, 3, 4], [0, 5, 6]])
FALLS = " Marks fall, so a move names only its column."


def move_faults(moves: list[int | str]) -> list[tuple[str, str]]:
    with pytest.raises(Problem) as caught:
        read_moves(TIC_TAC_TOE, moves, None)
    return [(error.pointer, error.code) for error in caught.value.errors]


def test_moves_lead_to_a_position() -> None:
    position = read_moves(TIC_TAC_TOE, [4, 0, 8], None)
    assert (str(position), position.player) == ("O...X...X", "O")


def test_no_moves_are_the_empty_board() -> None:
    position = read_moves(TIC_TAC_TOE, [], None)
    assert (str(position), position.player) == (".........", "X")


@pytest.mark.parametrize(("player", "shown"), [("X", "X...O...O"), ("O", "O...X...X")])
def test_the_player_to_move_tells_who_began(player: Any, shown: str) -> None:
    position = read_moves(TIC_TAC_TOE, [4, 0, 8], player)
    assert (str(position), position.player) == (shown, player)


def test_moves_may_end_the_game() -> None:
    assert read_moves(TIC_TAC_TOE, [0, 3, 1, 4, 2], None).status == "won"


def test_every_illegal_move_is_named_by_its_index() -> None:
    assert move_faults([4, 4, 9, 0, 0]) == [
        ("/moves/1", "occupied-cell"),
        ("/moves/2", "no-such-cell"),
        ("/moves/4", "occupied-cell"),
    ]


@pytest.mark.parametrize(
    ("game", "move", "expected"),
    [
        (TIC_TAC_TOE, 64, ("no-such-cell", "There is no cell 64; Tic-tac-toe has cells 0 to 8.")),
        (TIC_TAC_TOE, -1, ("no-such-cell", "There is no cell -1; Tic-tac-toe has cells 0 to 8.")),
        (TIC_TAC_TOE, 10**40, ("no-such-cell", f"There is no cell 1{'0' * 20}...; Tic-tac-toe has cells 0 to 8.")),
        (QUBIC, 64, ("no-such-cell", "There is no cell 64; Qubic has cells 0 to 63.")),
        (CONNECT_FOUR, 7, ("no-such-column", "There is no column 7; Connect Four has columns 0 to 6.")),
        (TIC_TAC_TOE, "d1", ("no-such-cell", 'There is no cell "d1"; Tic-tac-toe has cells a1 to c3.')),
        (TIC_TAC_TOE, "b", ("no-such-cell", 'There is no cell "b"; Tic-tac-toe has cells a1 to c3.')),
        (TIC_TAC_TOE, "1:b2", ("no-such-cell", 'There is no cell "1:b2"; Tic-tac-toe has cells a1 to c3.')),
        (QUBIC, "b2", ("no-such-cell", 'There is no cell "b2"; Qubic has cells 1:a1 to 4:d4.')),
        (SEVEN, "b2", ("no-such-cell", 'There is no cell "b2"; Seven has cells cell 0 to cell 6.')),
        (CONNECT_FOUR, "h", ("no-such-column", 'There is no column "h"; Connect Four has columns a to g.' + FALLS)),
        (CONNECT_FOUR, "d1", ("no-such-column", 'There is no column "d1"; Connect Four has columns a to g.' + FALLS)),
        (FALLING_CUBE, "2:a1", ("no-such-column", 'There is no column "2:a1"; Falling has columns a1 to b2.' + FALLS)),
    ],
    ids=str,
)
def test_a_move_that_is_not_there_is_named_with_the_range_of_the_game(
    game: Game, move: int | str, expected: tuple[str, str]
) -> None:
    with pytest.raises(Problem) as caught:
        read_moves(game, [move], None)
    assert [(error.pointer, error.code, error.detail) for error in caught.value.errors] == [("/moves/0", *expected)]
    assert caught.value.kind == "impossible-position"


def test_a_name_is_repeated_in_the_error_as_it_was_written() -> None:
    with pytest.raises(Problem) as caught:
        read_moves(TIC_TAC_TOE, ["b2", "B2", "cell\u00e9"], None)
    assert [error.detail for error in caught.value.errors] == [
        "Cell B2 is already marked.",
        'There is no cell "cell\\u00e9"; Tic-tac-toe has cells a1 to c3.',
    ]


def test_moves_after_the_end_are_refused_once() -> None:
    assert move_faults([0, 3, 1, 4, 2, 5, 6]) == [("/moves/5", "played-after-the-end")]


def test_under_gravity_a_move_is_a_column_and_marks_its_lowest_empty_cell() -> None:
    assert str(read_moves(DROP, [0, 0, 1], None)) == "..O.XX"
    assert str(read_moves(FALLING_CUBE, [3, 3, 0], None)) == "...OX..X"


def test_a_full_column_and_one_that_is_not_there_are_named_by_the_index_of_the_move() -> None:
    with pytest.raises(Problem) as caught:
        read_moves(DROP, [0, 0, 0, 0, 2, 1], None)
    assert [(error.pointer, error.code, error.detail) for error in caught.value.errors] == [
        ("/moves/3", "full-column", "Column 0 is full."),
        ("/moves/4", "no-such-column", "There is no column 2; Drop has columns 0 to 1."),
    ]


# Names


NAMED = [
    (TIC_TAC_TOE, [4, 0, 8], ["b2", "a1", "c3"]),
    (TIC_TAC_TOE, [4, 0, 8], ["B2", 0, " c3 "]),
    (TIC_TAC_TOE, [2, 6], ["c1", "a3"]),
    (QUBIC, [0, 21, 63], ["1:a1", "2:b2", "4:D4"]),
    (QUBIC, [16, 4], ["2:a1", "1:a2"]),
    (CONNECT_FOUR, [3, 3, 2], ["d", "D", "c"]),
    (CONNECT_FOUR, [3, 3, 2], ["column 4", "Column  4", 2]),
    (TEN, [9, 0], ["j", "column 1"]),
    (FALLING_CUBE, [3, 3, 0], ["b2", "b2", "a1"]),
    (SEVEN, [6, 0], ["cell 6", "cell 0"]),
    (WIDE, [25, 26, 27], ["z1", "aa1", "bb1"]),
]


@pytest.mark.parametrize(("game", "moves", "names"), NAMED, ids=str)
@pytest.mark.parametrize("player", [None, "X", "O"])
def test_names_are_the_moves_that_they_name(game: Game, moves: list[int], names: list[int | str], player: Any) -> None:
    expected, named = (read_moves(game, record, player) for record in (moves, names))
    assert (named.x, named.o, named.player) == (expected.x, expected.o, expected.player)
    assert validator("Moves").is_valid(names)


@pytest.mark.parametrize(("game", "moves", "names"), NAMED, ids=str)
@pytest.mark.parametrize("player", [None, "X", "O"])
@pytest.mark.parametrize("between", [",", ", ", " ", "\n"])
def test_names_may_be_one_string(
    game: Game, moves: list[int], names: list[int | str], player: Any, between: str
) -> None:
    if not all(isinstance(name, str) for name in names):
        return
    text = between.join(map(str, names))
    expected, named = (read_moves(game, record, player) for record in (moves, text))
    assert (named.x, named.o, named.player) == (expected.x, expected.o, expected.player)
    assert validator("Moves").is_valid(text)


def test_every_move_of_every_game_is_read_by_the_name_that_answers_give_it() -> None:
    for game in [*CATALOGUE.values(), TEN, SEVEN, WIDE]:
        for cell in Position(game, 0, 0, "X").legal_moves:
            name = move_name(game, cell)
            by_name = name.removeprefix(f"{game.layers}:") if game.drop else name
            assert read_moves(game, [by_name], None).x == 1 << cell


def test_a_name_of_a_string_that_cannot_be_played_is_named_by_its_place() -> None:
    kind, errors = refusal(TIC_TAC_TOE, "b2 b2, d4")
    assert (kind, errors) == (
        "impossible-position",
        [
            ("/moves", "occupied-cell", "moves[1]: Cell b2 is already marked."),
            ("/moves", "no-such-cell", 'moves[2]: There is no cell "d4"; Tic-tac-toe has cells a1 to c3.'),
        ],
    )
    _, errors = refusal(DROP, "a a a a")
    assert errors == [("/moves", "full-column", "moves[3]: Column a is full.")]


@pytest.mark.parametrize("game", [TIC_TAC_TOE, QUBIC, CONNECT_FOUR, FALLING_CUBE, TEN], ids=lambda game: game.id)
def test_an_empty_string_has_no_moves_in_any_game(game: Game) -> None:
    assert read_moves(game, "", None) == Position(game, 0, 0, "X")


# Strings of columns


@pytest.mark.parametrize(
    ("game", "string", "moves"),
    [
        (CONNECT_FOUR, "", []),
        (CONNECT_FOUR, "4", [3]),
        (CONNECT_FOUR, "44455", [3, 3, 3, 4, 4]),
        (CONNECT_FOUR, "1727", [0, 6, 1, 6]),
        (NINE, "19", [0, 8]),
        (DROP, "112", [0, 0, 1]),
    ],
    ids=str,
)
@pytest.mark.parametrize("player", [None, "X", "O"])
def test_a_string_of_columns_is_the_list_of_them_counted_from_one(
    game: Game, string: str, moves: list[int], player: Any
) -> None:
    by_string, by_list = (read_moves(game, record, player) for record in (string, moves))
    assert (by_string.x, by_string.o, by_string.player) == (by_list.x, by_list.o, by_list.player)
    assert validator("Moves").is_valid(string)
    assert validator("Moves").is_valid(moves)


def refusal(game: Game, moves: str) -> tuple[str, list[tuple[str, str, str]]]:
    """The kind of the problem with a string of columns, and its errors."""
    with pytest.raises(Problem) as caught:
        read_moves(game, moves, None)
    return caught.value.kind, [(error.pointer, error.code, error.detail) for error in caught.value.errors]


@pytest.mark.parametrize(
    ("moves", "code", "detail"),
    [
        ("4480", "no-such-column", "moves[2]: There is no column 8; Connect Four has columns 1 to 7."),
        ("0", "no-such-column", "moves[0]: There is no column 0; Connect Four has columns 1 to 7."),
        ("4444441", None, None),
        ("4444444", "full-column", "moves[6]: Column 4 is full."),
        ("12121213", "played-after-the-end", "moves[7]: The game was over before this move."),
    ],
)
def test_a_move_of_a_string_that_cannot_be_played_is_named_by_its_place(
    moves: str, code: str | None, detail: str | None
) -> None:
    if code is None:
        assert read_moves(CONNECT_FOUR, moves, None).player == "O"
        return
    kind, errors = refusal(CONNECT_FOUR, moves)
    assert (kind, errors[0]) == ("impossible-position", ("/moves", code, detail))


@pytest.mark.parametrize(
    "character", ["a", " ", ",", "-", "+", ".", "\u0663", "\u00b2", "\U0001d7d2", "\ud800", "\x00"]
)
def test_what_is_no_digit_is_named_by_its_place(character: str) -> None:
    kind, errors = refusal(CONNECT_FOUR, f"44{character}4{character}")
    detail = f"{json.dumps(character)} is not a digit; Connect Four has columns 1 to 7."
    named = [("/moves", "no-digit", f"moves[{place}]: {detail}") for place in (2, 4)]
    assert (kind, errors) == ("invalid-request", named)
    assert not validator("Moves").is_valid(f"44{character}")


@pytest.mark.parametrize(
    ("game", "why", "instead"),
    [
        (
            TIC_TAC_TOE,
            "Tic-tac-toe has no gravity, so its moves are not columns.",
            'cells, or as names such as "a1, b1"',
        ),
        (QUBIC, "Qubic has no gravity, so its moves are not columns.", 'cells, or as names such as "1:a1, 1:b1"'),
        (
            FALLING_CUBE,
            "Falling has 2 layers; a string of columns is for games with one.",
            'columns, or as names such as "a1, b1"',
        ),
        (TEN, "Ten has 10 columns; a string of columns is for at most 9.", 'columns, or as names such as "a, b"'),
    ],
    ids=lambda value: getattr(value, "id", ""),
)
@pytest.mark.parametrize("moves", ["1", "40", "4,0", " ", "b2b3"])
def test_a_game_whose_moves_are_no_digits_takes_no_string_of_digits(
    game: Game, why: str, instead: str, moves: str
) -> None:
    detail = f"{why} Give moves as a list of {instead}."
    assert refusal(game, moves) == ("invalid-request", [("/moves", "no-column-string", detail)])


# The routes


LIMIT = {"nodes": 2000}
GAME = {"game": "connect-four", "limit": LIMIT}


@pytest.mark.parametrize("route", ["/best-move", "/analysis", "/review"])
@pytest.mark.parametrize(
    ("string", "moves"), [("44455", [3, 3, 3, 4, 4]), ("4", [3]), ("", []), ("1212121", [0, 1] * 3 + [0])]
)
def test_a_string_and_a_list_have_the_same_answer_to_the_byte(
    client: FlaskClient, route: str, string: str, moves: list[int]
) -> None:
    by_string, by_list = (client.post(route, json={**GAME, "moves": record}) for record in (string, moves))
    assert by_string.status_code == by_list.status_code == 200
    assert by_string.data == by_list.data


def test_what_was_found_for_a_list_is_not_searched_for_again_for_a_string() -> None:
    client = create_app(Settings()).test_client()
    sources = [
        client.post("/best-move", json={"game": "connect-four-5x5", "moves": moves})
        .headers["Server-Timing"]
        .split(";")[0]
        for moves in ([2, 2, 2, 3, 1], "33342")
    ]
    assert sources == ["search", "cache"]


def test_the_positions_of_a_batch_may_be_strings(client: FlaskClient) -> None:
    positions = [{**GAME, "moves": record} for record in ("443", [3, 3, 2], "448", "443")]
    results = client.post("/best-moves", json={"positions": positions}).get_json()["results"]
    assert results[0] == results[1] == results[3]
    (error,) = results[2]["problem"]["errors"]
    assert (error["pointer"], error["code"]) == ("/positions/2/moves", "no-such-column")


@pytest.mark.parametrize("route", ["/best-move", "/analysis"])
@pytest.mark.parametrize(("drops", "moves"), [("3", "2"), ("332", "2,2,1"), ("", "")])
def test_a_query_has_the_string_in_drops_and_the_same_answer_and_etag(
    client: FlaskClient, route: str, drops: str, moves: str
) -> None:
    by_string = client.get(route, query_string={"game": "connect-four-5x4", "drops": drops})
    by_list = client.get(route, query_string={"game": "connect-four-5x4", "moves": moves})
    assert by_string.status_code == 200
    assert (by_string.data, by_string.headers["ETag"]) == (by_list.data, by_list.headers["ETag"])
    again = {"If-None-Match": by_list.headers["ETag"]}
    assert (
        client.get(route, query_string={"game": "connect-four-5x4", "drops": drops}, headers=again).status_code == 304
    )


def test_a_number_in_moves_is_a_list_of_one_as_ever(client: FlaskClient) -> None:
    answer = client.get("/best-move?game=connect-four-5x4&moves=3").get_json()
    assert answer["position"].index("X") == 18
    refused = client.get("/best-move?game=connect-four-5x4&moves=33").get_json()
    assert [(error["pointer"], error["code"]) for error in refused["errors"]] == [("/moves/0", "no-such-column")]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("drops=448", ("/drops", "no-such-column", "drops[2]: There is no column 8; Connect Four has columns 1 to 7.")),
        ("drops=4,4", ("/drops", "no-digit", 'drops[1]: "," is not a digit; Connect Four has columns 1 to 7.')),
        ("drops=4&moves=3", ("/drops", "conflicting-field", "Give moves or drops, not both.")),
        (f"drops=4&board={'.' * 42}", ("/drops", "conflicting-field", "Give board or drops, not both.")),
        ("drops=4&drops=4", ("/drops", "repeated-field", "drops is given more than once.")),
        (f"drops={'1' * 65}", ("/drops", "too-long", "drops must have at most 64 characters.")),
    ],
)
def test_a_fault_of_drops_is_named_by_that_parameter(
    client: FlaskClient, query: str, expected: tuple[str, str, str]
) -> None:
    refused = client.get(f"/best-move?game=connect-four&{query}")
    (error, *_) = refused.get_json()["errors"]
    assert (refused.status_code, (error["pointer"], error["code"], error["detail"])) == (422, expected)


NO_MOVES = 'moves must be a list of moves, a string of columns, or a string of names such as "b2 a1".'
NO_MOVE = 'moves.0 must be a number counted from 0, or a name such as "b2".'


@pytest.mark.parametrize("route", ["/best-move", "/analysis", "/review"])
@pytest.mark.parametrize(
    ("moves", "expected"),
    [
        (4, ("/moves", "wrong-type", NO_MOVES)),
        ({"0": 4}, ("/moves", "wrong-type", NO_MOVES)),
        (["4"], ("/moves/0", "wrong-type", NO_MOVE)),
        ([4.5], ("/moves/0", "wrong-type", NO_MOVE)),
        ([True], ("/moves/0", "wrong-type", NO_MOVE)),
        ([["d"]], ("/moves/0", "wrong-type", NO_MOVE)),
        (["d" * 17], ("/moves/0", "too-long", "moves.0 must have at most 16 characters.")),
        ("d " * 257, ("/moves", "too-long", "moves must have at most 512 characters.")),
        ("1" * 65, ("/moves", "too-long", "moves must have at most 64 characters.")),
        ([0] * 65, ("/moves", "too-long", "moves must have at most 64 entries.")),
    ],
    ids=lambda value: str(value)[:12],
)
def test_moves_of_another_form_are_refused(
    client: FlaskClient, route: str, moves: object, expected: tuple[str, str, str]
) -> None:
    refused = client.post(route, json={**GAME, "moves": moves})
    (error, *_) = refused.get_json()["errors"]
    assert (refused.status_code, (error["pointer"], error["code"], error["detail"])) == (422, expected)


def test_a_string_in_moves_of_a_query_is_shown_the_way_to_drops(client: FlaskClient) -> None:
    (error,) = client.get("/best-move?game=connect-four&moves=44455").get_json()["errors"]
    assert error["pointer"] == "/moves/0"
    there = "There is no column 44455; Connect Four has columns 0 to 6."
    assert error["detail"] == f"{there} Give a string of columns as drops."
    (error,) = client.post("/best-move", json={**GAME, "moves": [44455]}).get_json()["errors"]
    assert error["detail"] == there


def test_drops_are_no_field_of_a_body(client: FlaskClient) -> None:
    (error,) = client.post("/best-move", json={**GAME, "drops": "4"}).get_json()["errors"]
    assert (error["pointer"], error["code"]) == ("/drops", "unknown-field")


# Columns in answers


def columns(game: Game, cells: list[int]) -> list[int]:
    return [cell % game.columns for cell in cells]


FALLING = [game for game in CATALOGUE.values() if game.has_columns]


@pytest.mark.parametrize("game", FALLING, ids=lambda game: game.id)
@pytest.mark.parametrize("moves", ["", "3", "3132415", "121212"])
def test_wherever_an_answer_names_moves_it_names_their_columns(client: FlaskClient, game: Game, moves: str) -> None:
    asked = {"game": game.id, "moves": moves, "limit": LIMIT}
    answer, review = (client.post(route, json=asked).get_json() for route in ("/analysis", "/review"))
    best = client.post("/best-move", json=asked).get_json()
    for told in (answer, best, *answer["moves"]):
        assert told["pv_columns"] == columns(game, told["pv"])
    assert answer["threat_columns"] == {player: columns(game, cells) for player, cells in answer["threats"].items()}
    assert len(answer["moves"]) == game.columns
    assert [ply["column"] for ply in review["plies"]] == [int(digit) - 1 for digit in moves]
    assert all(ply["best_columns"] == columns(game, ply["best_moves"]) for ply in review["plies"])


def test_a_game_that_is_over_has_empty_columns(client: FlaskClient) -> None:
    answer = client.post("/analysis", json={"game": "connect-four", "moves": "1212121"}).get_json()
    assert (answer["status"], answer["column"], answer["pv_columns"]) == ("won", None, [])
    assert answer["threat_columns"] == {"X": [], "O": []}


@pytest.mark.parametrize(
    "asked",
    [
        {"moves": [4]},
        {"game": {"rows": 2, "columns": 2, "layers": 2, "in_a_row": 2, "gravity": True}, "moves": [3]},
    ],
    ids=["no gravity", "layers"],
)
def test_where_a_move_is_no_column_nothing_is_added(client: FlaskClient, asked: dict[str, Any]) -> None:
    for route in ("/best-move", "/analysis", "/review"):
        answer = client.post(route, json=asked).data
        assert not any(added in answer for added in (b"pv_columns", b"threat_columns", b"best_columns"))
