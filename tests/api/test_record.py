"""Games so far: lists of moves, names and strings of columns lead to the same positions; every fault has its place."""

import json
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from flask.testing import FlaskClient

from service.api.problems import Problem
from service.api.read.notation import read_position
from service.api.wire.requests import BestMoveRequest
from service.app import create_app
from service.explain.names import move_name
from service.games.catalogue import CONNECT_FOUR, LINE_GAMES, QUBIC, TIC_TAC_TOE
from service.games.families.lines import PLAYERS, LineGame, grid, hand_written, line_position
from service.settings import Settings
from tests.api.test_boards import GAMES, played
from tests.contract import validator

FALLING_CUBE = grid(id="falling", name="Falling", rules="", rows=2, columns=2, layers=2, in_a_row=2, gravity=True)
DROP = grid(id="drop", name="Drop", rules="", rows=3, columns=2, in_a_row=3, gravity=True)
NINE = grid(id="nine", name="Nine", rules="", rows=2, columns=9, in_a_row=4, gravity=True)
TEN = grid(id="ten", name="Ten", rules="", rows=2, columns=10, in_a_row=4, gravity=True)
WIDE = grid(id="wide", name="Wide", rules="", rows=1, columns=40, in_a_row=4)
SEVEN = hand_written(id="seven", name="Seven", rules="", cells=7, lines=[[0, 1, 2], [0, 3, 4], [0, 5, 6]])


def written(game: LineGame, moves: list[int]) -> Iterator[object]:
    """Yield the moves in every form."""
    indices = [move % game.drop if game.drop else move for move in moves]
    last, first = dict[int, str](), dict[int, str]()
    for name, index in game.spellings.items():
        last[index] = name
        first.setdefault(index, name)
    for names in (last, first):
        named = [names[index] for index in indices]
        yield from (indices, named, [name.upper() for name in named], [float(index) for index in indices])
        yield [name if ply % 2 else index for ply, (index, name) in enumerate(zip(indices, named, strict=True))]
        yield from (", ".join(named), " ".join(named), "\n".join(named), ",".join(named).upper())
    if game.has_columns:
        yield "".join(str(index + 1) for index in indices)


@pytest.mark.parametrize("name", GAMES)
def test_every_form_of_a_game_is_in_the_contract_and_leads_to_the_same_position(name: str) -> None:
    for first, plies in product(PLAYERS, (1, 4)):
        position, record = played(GAMES[name], first, plies)
        for moves in written(GAMES[name], record):
            for player in (position.player, position.player.lower()):
                found = read_position(
                    GAMES[name], moves=BestMoveRequest.model_validate({"moves": moves}).moves, player=player
                )
                assert (*found.game.masks(found), found.player) == (*position.game.masks(position), position.player), (
                    moves
                )
            assert validator("Moves").is_valid(moves), moves


@pytest.mark.parametrize(
    ("game", "moves", "shown"),
    [
        (TIC_TAC_TOE, [], "........."),
        (TIC_TAC_TOE, [4, 0, 8], "O...X...X"),
        (TIC_TAC_TOE, ["B2", 0, " c3 "], "O...X...X"),
        (TIC_TAC_TOE, [0, 3, 1, 4, 2], "XXXOO...."),
        (DROP, [0, 0, 1], "..O.XX"),
        (DROP, "112", "..O.XX"),
        (FALLING_CUBE, [3, 3, 0], "...OX..X"),
        (FALLING_CUBE, ["b2", "b2", "a1"], "...OX..X"),
        (CONNECT_FOUR, ["column 4", "Column  4", 2], "." * 31 + "O" + "." * 5 + "XX..."),
        (NINE, "19", "." * 9 + "X.......O"),
        (TEN, ["j", "column 1"], "." * 10 + "O........X"),
        (SEVEN, ["cell 6", "cell 0"], "O.....X"),
        (WIDE, "z1 aa1 bb1", "." * 25 + "XOX" + "." * 12),
        *((game, "", "." * game.cells) for game in (QUBIC, CONNECT_FOUR, FALLING_CUBE, TEN)),
    ],
    ids=str,
)
def test_moves_lead_to_a_position_and_the_player_to_move_tells_who_began(
    game: LineGame, moves: Any, shown: str
) -> None:
    position = read_position(game, moves=moves)
    other = read_position(game, moves=moves, player="XO".replace(position.player, ""))
    assert str(position) == shown
    assert str(other) == str(position).translate(str.maketrans("XO", "OX"))
    assert validator("Moves").is_valid(moves)


def test_every_move_of_every_game_is_read_by_the_name_that_answers_give_it() -> None:
    for game in [*LINE_GAMES.values(), TEN, SEVEN, WIDE]:
        for cell in line_position(game, 0, 0, "X").legal_moves:
            name = move_name(game, cell)
            by_name = name.removeprefix(f"{game.layers}:") if game.drop else name
            assert read_position(game, moves=[by_name]).words[1] == 1 << cell


def refusal(game: LineGame, moves: Any) -> tuple[str, list[str]]:
    """The kind of the problem with a game so far, and where each error is, its code, and its sentence."""
    with pytest.raises(Problem) as caught:
        read_position(game, moves=moves)
    return caught.value.kind, [f"{error.pointer} {error.code}: {error.detail}" for error in caught.value.errors]


CELL = "/moves/0 no-such-cell: There is no cell"
COLUMN = "/moves/0 no-such-column: There is no column"
FALLS = "Marks fall, so a move names only its column."
PLACE = "/moves no-such-column: moves[2]: There is no column"


@pytest.mark.parametrize(
    ("game", "moves", "errors"),
    [
        (TIC_TAC_TOE, [64], [f"{CELL} 64; Tic-tac-toe has cells 0 to 8."]),
        (TIC_TAC_TOE, [-1], [f"{CELL} -1; Tic-tac-toe has cells 0 to 8."]),
        (TIC_TAC_TOE, [10**40], [f"{CELL} 1{'0' * 20}...; Tic-tac-toe has cells 0 to 8."]),
        (QUBIC, [64], [f"{CELL} 64; Qubic has cells 0 to 63."]),
        (CONNECT_FOUR, [7], [f"{COLUMN} 7; Connect Four has columns 0 to 6."]),
        *((TIC_TAC_TOE, [name], [f'{CELL} "{name}"; Tic-tac-toe has cells a1 to c3.']) for name in ("d1", "b", "1:b2")),
        (TIC_TAC_TOE, ["cell\u00e9"], [f'{CELL} "cell\\u00e9"; Tic-tac-toe has cells a1 to c3.']),
        (QUBIC, ["b2"], [f'{CELL} "b2"; Qubic has cells 1:a1 to 4:d4.']),
        (SEVEN, ["b2"], [f'{CELL} "b2"; Seven has cells cell 0 to cell 6.']),
        *(
            (CONNECT_FOUR, [name], [f'{COLUMN} "{name}"; Connect Four has columns a to g. {FALLS}'])
            for name in ("h", "d1")
        ),
        (FALLING_CUBE, ["2:a1"], [f'{COLUMN} "2:a1"; Falling has columns a1 to b2. {FALLS}']),
        (
            TIC_TAC_TOE,
            [4, "B2", 9, 0, 0],
            [
                "/moves/1 occupied-cell: Cell B2 is already marked.",
                "/moves/2 no-such-cell: There is no cell 9; Tic-tac-toe has cells 0 to 8.",
                "/moves/4 occupied-cell: Cell 0 is already marked.",
            ],
        ),
        (
            DROP,
            [0, 0, 0, 0, 2, 1],
            [
                "/moves/3 full-column: Column 0 is full.",
                "/moves/4 no-such-column: There is no column 2; Drop has columns 0 to 1.",
            ],
        ),
        (
            TIC_TAC_TOE,
            "b2 b2, d4",
            [
                "/moves occupied-cell: moves[1]: Cell b2 is already marked.",
                '/moves no-such-cell: moves[2]: There is no cell "d4"; Tic-tac-toe has cells a1 to c3.',
            ],
        ),
        (TIC_TAC_TOE, [0, 3, 1, 4, 2, 5, 6], ["/moves/5 played-after-the-end: The game was over before this move."]),
        (DROP, "a a a a", ["/moves full-column: moves[3]: Column a is full."]),
        (CONNECT_FOUR, "448", [f"{PLACE} 8; Connect Four has columns 1 to 7."]),
        (CONNECT_FOUR, "440", [f"{PLACE} 0; Connect Four has columns 1 to 7."]),
        (CONNECT_FOUR, "4444444", ["/moves full-column: moves[6]: Column 4 is full."]),
        (CONNECT_FOUR, "12121213", ["/moves played-after-the-end: moves[7]: The game was over before this move."]),
    ],
    ids=str,
)
def test_a_move_that_cannot_be_played_is_named_with_its_place_and_the_range_of_the_game(
    game: LineGame, moves: Any, errors: list[str]
) -> None:
    assert refusal(game, moves) == ("impossible-position", errors)


def test_what_is_no_digit_is_named_by_its_place() -> None:
    for character in ("a", " ", ",", "-", "+", ".", "\u0663", "\u00b2", "\U0001d7d2", "\ud800", "\x00"):
        detail = f"{json.dumps(character)} is not a digit; Connect Four has columns 1 to 7."
        named = [f"/moves no-digit: moves[{place}]: {detail}" for place in (2, 4)]
        assert refusal(CONNECT_FOUR, f"44{character}4{character}") == ("invalid-request", named)


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
def test_a_game_whose_moves_are_no_digits_takes_no_string_of_digits(game: LineGame, why: str, instead: str) -> None:
    for moves in ("1", "40", "4,0", " ", "b2b3"):
        error = f"/moves no-column-string: {why} Give moves as a list of {instead}."
        assert refusal(game, moves) == ("invalid-request", [error])


# The routes

GAME: dict[str, Any] = {"game": "connect-four", "limit": {"nodes": 2000}}


def test_what_was_found_for_a_list_is_not_searched_for_again_for_a_string() -> None:
    client = create_app(Settings()).test_client()
    answers = [
        client.post("/best-move", json={"game": "connect-four-5x5", "moves": m}) for m in ([2, 2, 2, 3, 1], "33342")
    ]
    assert [answer.headers["Server-Timing"].partition(";")[0] for answer in answers] == ["search", "cache"]


def test_the_positions_of_a_batch_may_be_strings(client: FlaskClient) -> None:
    positions = [{**GAME, "moves": record} for record in ("443", [3, 3, 2], "448", "443")]
    results = client.post("/best-moves", json={"positions": positions}).get_json()["results"]
    assert results[0] == results[1] == results[3]
    (error,) = results[2]["problem"]["errors"]
    assert (error["pointer"], error["code"]) == ("/positions/2/moves", "no-such-column")


def test_a_query_has_the_string_in_drops_and_the_same_answer_and_etag(client: FlaskClient) -> None:
    query = "game=connect-four-5x4"
    for drops, moves in (("3", "2"), ("332", "2,2,1"), ("", "")):
        by_string, by_list = (client.get(f"/best-move?{query}&{how}") for how in (f"drops={drops}", f"moves={moves}"))
        assert by_string.status_code == 200
        assert (by_string.data, by_string.headers["ETag"]) == (by_list.data, by_list.headers["ETag"])


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("drops=448", "/drops no-such-column: drops[2]: There is no column 8; Connect Four has columns 1 to 7."),
        ("drops=4,4", '/drops no-digit: drops[1]: "," is not a digit; Connect Four has columns 1 to 7.'),
        ("drops=4&moves=3", "/drops conflicting-field: Give moves or drops, not both."),
        (f"drops=4&board={'.' * 42}", "/drops conflicting-field: Give board or drops, not both."),
        ("drops=4&drops=4", "/drops repeated-field: drops is given more than once."),
        (f"drops={'1' * 65}", "/drops too-long: drops must have at most 64 characters."),
        ("moves=33", f"{COLUMN} 33; Connect Four has columns 0 to 6. Give a string of columns as drops."),
    ],
)
def test_a_fault_of_drops_is_named_by_that_parameter(client: FlaskClient, query: str, expected: str) -> None:
    refused = client.get(f"/best-move?game=connect-four&{query}")
    (error, *_) = refused.get_json()["errors"]
    assert (refused.status_code, f"{error['pointer']} {error['code']}: {error['detail']}") == (422, expected)


NO_MOVES = (
    '/moves wrong-type: moves must be a list of moves, a string of columns, or a string of names such as "b2 a1".'
)
NO_MOVE = '/moves/0 wrong-type: moves.0 must be a number counted from 0, or a name such as "b2".'


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"moves": 4}, NO_MOVES),
        ({"moves": {"0": 4}}, NO_MOVES),
        *(({"moves": [move]}, NO_MOVE) for move in ("4", 4.5, True, ["d"])),
        ({"moves": ["d" * 17]}, "/moves/0 too-long: moves.0 must have at most 16 characters."),
        ({"moves": "d " * 257}, "/moves too-long: moves must have at most 512 characters."),
        ({"moves": "1" * 65}, "/moves too-long: moves must have at most 64 characters."),
        ({"moves": [0] * 65}, "/moves too-long: moves must have at most 64 entries."),
        ({"moves": [44]}, f"{COLUMN} 44; Connect Four has columns 0 to 6."),
        ({"moves": [3], "board": "." * 42}, "/moves conflicting-field: Give board or moves, not both."),
    ],
    ids=lambda value: str(value)[:20],
)
def test_moves_of_another_form_are_refused(client: FlaskClient, fields: dict[str, Any], expected: str) -> None:
    refused = client.post("/best-move", json={**GAME, **fields})
    (error, *_) = refused.get_json()["errors"]
    assert (refused.status_code, f"{error['pointer']} {error['code']}: {error['detail']}") == (422, expected)
    if "board" not in fields:
        assert client.post("/review", json={**GAME, **fields}).get_json()["errors"][0] == error


# Columns in answers


def test_wherever_an_answer_names_moves_it_names_their_columns(client: FlaskClient) -> None:
    for game in (game for game in LINE_GAMES.values() if game.has_columns):
        for moves in ("", "3132415"):
            asked = {"game": game.id, "moves": moves, "limit": {"nodes": 500}}
            best, answer, review = (
                client.post(route, json=asked).get_json() for route in ("/best-move", "/analysis", "/review")
            )
            for told in (answer, best, *answer["moves"]):
                assert told["pv_columns"] == [cell % game.columns for cell in told["pv"]]
            for player, cells in answer["threats"].items():
                assert answer["threat_columns"][player] == [cell % game.columns for cell in cells]
            assert len(answer["moves"]) == game.columns
            for ply, digit in zip(review["plies"], moves, strict=True):
                assert ply["column"] == int(digit) - 1
                assert ply["best_columns"] == [cell % game.columns for cell in ply["best_moves"]]


def test_where_there_are_no_moves_or_no_columns_none_are_named(client: FlaskClient) -> None:
    answer = client.post("/analysis", json={"game": "connect-four", "moves": "1212121"}).get_json()
    assert (answer["status"], answer["column"], answer["pv_columns"]) == ("won", None, [])
    assert answer["threat_columns"] == {"X": [], "O": []}
    layered = {"rows": 2, "columns": 2, "layers": 2, "in_a_row": 2, "gravity": True}
    for asked in ({"moves": [4]}, {"game": layered, "moves": [3]}):
        for route in ("/best-move", "/analysis", "/review"):
            text = client.post(route, json=asked).data
            assert not any(added in text for added in (b"pv_columns", b"threat_columns", b"best_columns"))
