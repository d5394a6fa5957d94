"""The bots of ``tests/recipes`` play whole games by a real server, and stay legal and kind where it cannot help."""

import http.client
import random
import re
import runpy
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Thread
from types import SimpleNamespace

import pytest

from service.games.catalogue import TIC_TAC_TOE
from service.games.game import Game
from service.games.position import OPPONENT, PLAYERS, Player, Position
from tests.recipes import connectx, textboard
from tests.recipes.textboard import Chat, reply
from tests.support import ROOT, Server
from tests.worlds import reachable, small, verdict

AGENT_FILE, CHAT_FILE = ROOT / "tests/recipes/connectx.py", ROOT / "tests/recipes/textboard.py"
UNHURRIED, HURRIED = 20.0, 0.25
NOWHERE = "http://127.0.0.1:9"

Mover = Callable[[Position], int]
each_player = pytest.mark.parametrize("player", PLAYERS)


@pytest.fixture(autouse=True)
def _oracle(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connectx, "ORACLE", server.url)
    monkeypatch.setattr(textboard, "ORACLE", server.url)


@contextmanager
def listener(said: bytes | None) -> Iterator[str]:
    """A server that says these bytes to everybody, or that takes connections and never says anything."""
    with socket.create_server(("127.0.0.1", 0)) as door:

        def answer() -> None:
            while said is not None:
                try:
                    connection, _ = door.accept()
                except OSError:
                    return
                with connection, connection.makefile("rb") as request:
                    request.read(int(http.client.parse_headers(request)["Content-Length"]) if request.readline() else 0)
                    connection.sendall(said)

        Thread(target=answer, daemon=True).start()
        yield f"http://127.0.0.1:{door.getsockname()[1]}"
        if said is not None:
            door.shutdown(socket.SHUT_RDWR)


# ConnectX


def connect(rows: int, columns: int, in_a_row: int) -> Game:
    return small(rows, columns, in_a_row, gravity=True)


def start(game: Game) -> Position:
    return Position(game, 0, 0, "X")


def shown(position: Position, seconds: float = UNHURRIED) -> tuple[SimpleNamespace, SimpleNamespace]:
    """The position as Kaggle shows it to an agent: player 1 began, and is X."""
    game = position.game
    board, mark = [".XO".index(mark) for mark in str(position)], ".XO".index(position.player)
    configuration = SimpleNamespace(rows=game.rows, columns=game.columns, inarow=game.in_a_row, actTimeout=seconds)
    return SimpleNamespace(board=board, mark=mark), configuration


def dropped(position: Position, column: int) -> int:
    """The cell that a mark dropped into this column takes."""
    return {position.game.column_of(cell): cell for cell in position.legal_moves}[column]


def by_agent(position: Position) -> int:
    return dropped(position, connectx.agent(*shown(position)))


def in_a_hurry(position: Position) -> int:
    return dropped(position, connectx.agent(*shown(position, HURRIED)))


def by_chance(seed: int) -> Mover:
    dice = random.Random(seed)
    return lambda position: dice.choice(position.legal_moves)


def by_a_beginner(seed: int) -> Mover:
    """One who looks a move ahead, and now and then at nothing at all."""
    dice = random.Random(seed)

    def move(position: Position) -> int:
        if dice.random() < 0.3:
            return dice.choice(position.legal_moves)
        return dropped(position, connectx.look_one_move_ahead(*shown(position)))

    return move


def played(game: Game, movers: dict[Player, Mover]) -> Position:
    """The end of a game; every move of it was legal."""
    position = start(game)
    while position.status == "in_progress":
        position = position.play(movers[position.player](position))
    return position


@each_player
@pytest.mark.parametrize("size", [(6, 7, 4), (4, 5, 4), (5, 5, 4), (3, 3, 3), (7, 8, 4), (8, 8, 5), (4, 9, 3)])
def test_the_agent_beats_chance_or_draws_on_every_size(size: tuple[int, int, int], player: Player) -> None:
    for seed in range(3):
        end = played(connect(*size), {player: in_a_hurry, OPPONENT[player]: by_chance(seed)})
        assert end.winner != OPPONENT[player]


@pytest.mark.parametrize("size", [(4, 5, 4), (5, 5, 4)])
def test_the_agent_draws_with_itself_where_best_play_draws(size: tuple[int, int, int]) -> None:
    assert played(connect(*size), {"X": by_agent, "O": by_agent}).status == "drawn"


@each_player
@pytest.mark.parametrize("size", [(4, 5, 4), (5, 5, 4)])
def test_the_agent_does_not_lose_a_drawn_board_to_one_who_looks_a_move_ahead(
    size: tuple[int, int, int], player: Player
) -> None:
    for seed in range(4):
        end = played(connect(*size), {player: by_agent, OPPONENT[player]: by_a_beginner(seed)})
        assert end.winner != OPPONENT[player]


@each_player
@pytest.mark.parametrize("size", [(3, 3, 3), (3, 4, 3), (4, 3, 3)])
def test_against_every_opponent_the_agent_gets_what_best_play_promises(
    size: tuple[int, int, int], player: Player
) -> None:
    game = connect(*size)
    ends: set[Player | None] = set()
    waiting = {start(game)}
    while waiting:
        position = waiting.pop()
        if position.status != "in_progress":
            ends.add(position.winner)
        elif position.player == player:
            waiting.add(position.play(by_agent(position)))
        else:
            waiting |= {position.play(move) for move in position.legal_moves}
    promised = verdict(start(game)).outcome * (1 if player == "X" else -1)
    assert min(0 if winner is None else 1 if winner == player else -1 for winner in ends) == promised


def pressing(game: Game, games: int) -> Iterator[Position]:
    """From games by chance, every position in which somebody would complete a line now."""
    for seed in range(games):
        dice, position = random.Random(seed), start(game)
        while position.status == "in_progress":
            if position.completions("X") or position.completions("O"):
                yield position
            position = position.play(dice.choice(position.legal_moves))


@pytest.mark.parametrize("helped", [True, False], ids=["by the oracle", "by itself"])
@pytest.mark.parametrize("size", [(6, 7, 4), (4, 5, 3)])
def test_the_agent_wins_if_it_can_and_else_blocks(
    size: tuple[int, int, int], *, helped: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not helped:
        monkeypatch.setattr(connectx, "ORACLE", NOWHERE)
    for position in pressing(connect(*size), 8):
        wins, threats = position.completions(position.player), position.completions(OPPONENT[position.player])
        move = in_a_hurry(position)
        if wins:
            assert move in wins
        elif not lost(position):
            assert move in threats


def lost(position: Position) -> bool:
    """Whether the opponent completes a line next, whatever is played."""
    nexts = [position.play(move) for move in position.legal_moves]
    return all(after.completions(after.player) for after in nexts)


@each_player
def test_without_a_service_the_agent_plays_on_by_itself(player: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connectx, "ORACLE", NOWHERE)
    for seed in range(5):
        assert played(connect(6, 7, 4), {player: by_agent, OPPONENT[player]: by_chance(seed)}).status != "in_progress"


def test_when_the_service_stops_in_the_middle_of_a_game_the_game_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    position = start(connect(4, 5, 4))
    with Server(workers=1) as stopping:
        monkeypatch.setattr(connectx, "ORACLE", stopping.url)
        for _ in range(4):
            position = position.play(by_agent(position))
    while position.status == "in_progress":
        position = position.play(by_agent(position))
    assert position.occupied.bit_count() > 7


def test_the_agent_does_not_wait_for_a_service_that_is_late(monkeypatch: pytest.MonkeyPatch) -> None:
    with listener(None) as url:
        monkeypatch.setattr(connectx, "ORACLE", url)
        began = time.monotonic()
        assert connectx.agent(*shown(start(connect(6, 7, 4)), seconds=2)) == 3
        assert 1 < time.monotonic() - began < 2


def test_an_answer_that_takes_all_its_time_is_not_late() -> None:
    position = start(connect(6, 7, 4))
    began = time.monotonic()
    assert connectx.ask_oracle(*shown(position, seconds=2)) in range(7)
    assert time.monotonic() - began > 1


@pytest.mark.parametrize(
    "said",
    [
        b"",
        b"hello\r\n",
        b"HTTP/1.1 200 OK\r\n\r\n<html>",
        b"HTTP/1.1 200 OK\r\n\r\n{}",
        b"HTTP/1.1 200 OK\r\n\r\n[]",
        b'HTTP/1.1 200 OK\r\n\r\n{"column": null}',
        b"HTTP/1.1 422 Unprocessable Content\r\n\r\n{}",
        b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\n\r\n",
    ],
)
def test_whatever_a_broken_service_says_both_bots_keep_calm(said: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    with listener(said) as url:
        monkeypatch.setattr(connectx, "ORACLE", url)
        monkeypatch.setattr(textboard, "ORACLE", url)
        assert by_agent(start(connect(6, 7, 4))) == 38
        text, chat = reply("5", Chat("." * 9, "X"))
    assert text.startswith("I cannot reach my oracle")
    assert chat == Chat("." * 9, "X")


def test_on_a_board_too_large_for_the_service_the_agent_plays_by_itself() -> None:
    configuration = SimpleNamespace(rows=9, columns=9, inarow=4, actTimeout=2)
    board = [0] * 72 + [1, 1, 1, 0, 2, 2, 0, 2, 0]
    assert connectx.agent(SimpleNamespace(board=board, mark=1), configuration) == 3
    assert connectx.agent(SimpleNamespace(board=board, mark=2), configuration) == 6


def test_the_agent_is_what_kaggle_takes_from_the_file() -> None:
    functions = [value for value in runpy.run_path(str(AGENT_FILE)).values() if callable(value)]
    assert functions[-1].__name__ == "agent"


# The text board

FORMATS = {
    "dots": "X O X\n. X .\nO . .",
    "no spaces": "xox\n.x.\no..",
    "hyphens": "X O X\n- X -\nO - -",
    "underscores": "X_O_X".replace("_", "") + "\n_X_\nO__",
    "an empty row of hyphens": "X-X\nO-O\n---",
    "bars": "X|O|X\n |X| \nO| | ",
    "bars and rules": "X | O | X\n---------\n  | X |  \n---------\nO |   |  ",
    "bars and crosses": "X | O | X\n--+---+--\n4 | X | 6\n--+---+--\nO | 8 | 9",
    "a box": "+---+---+---+\n| X | O | X |\n+---+---+---+\n|   | X |   |\n+---+---+---+\n| O |   |   |\n+---+---+---+",
    "drawn lines": "X │ O │ X\n──┼───┼──\n  │ X │\n──┼───┼──\nO │   │",
    "a table": "| X | O | X |\n|:-:|:-:|:-:|\n|   | X |   |\n| O |   |   |",
    "numbers": "XOX\n4X6\nO89",
    "numbers from 0": "X O X\n3 X 5\nO 7 8",
    "zeros for O": "X 0 X\n. X .\n0 . .",
    "slashes": "XOX/.X./O..",
    "one line": "XOX.X.O..",
    "emoji": "❌⭕❌\n⬜❌⬜\n⭕⬜⬜",
    "emoji with selectors": "✖️⭕️✖️\n⬜️✖️⬜️\n⭕️⬜️⬜️",
    "keycaps": "❌⭕❌\n4️⃣❌6️⃣\n⭕8️⃣9️⃣",
    "Cyrillic": "\u0425\u041e\u0425\n.\u0445.\n\u043e..",
    "code": "```\nX O X\n. X .\nO . .\n```",
    "words around it": "Hi! What would you do here?\n\nX O X\n. X .\nO . .\n\nI am stuck.",
}


@pytest.mark.parametrize("message", FORMATS.values(), ids=FORMATS.keys())
def test_boards_are_read_as_people_type_them(message: str) -> None:
    expected = "X.XO.O..." if message.startswith("X-X") else "XOX.X.O.."
    assert textboard.read_board(message) == expected


@pytest.mark.parametrize(
    ("message", "board"),
    [
        ("0 1 2\n3 4 5\n6 7 8", "........."),
        ("0 1 2\n3 X 5\n6 7 8", "....X...."),
        ("0 X .\n. . .\n. . .", "OX......."),
        ("0 X 3\n4 5 6\n7 8 9", "OX......."),
        (" | | \n | | \n | | ", "........."),
        ("-|-|-\n-----\n-|X|-\n-----\n-|-|-", "....X...."),
        ("---\nXO.\n...\n...\n---", "XO......."),
    ],
)
def test_what_could_be_read_in_two_ways_is_read_as_it_was_meant(message: str, board: str) -> None:
    assert textboard.read_board(message) == board


def test_the_bot_reads_every_board_that_it_draws() -> None:
    for position in reachable(TIC_TAC_TOE):
        assert textboard.read_board(textboard.drawn(str(position))) == str(position)


@pytest.mark.parametrize(
    "message", ["", "hello", "what is this?", "...", "x", "no\nnonsense", "either/or", "😀", "\x00"]
)
def test_to_anything_else_the_bot_says_what_it_understands(message: str) -> None:
    chat = Chat("X........", "O")
    assert reply(message, chat) == (textboard.HELP, chat)


@pytest.mark.parametrize(
    "message", ["XO\n..", "X O X O\n. . . .\n. . . .\n. . . .", "X|O|X\nXX|O|.\n.|.|.", "===\n===\n==="]
)
def test_a_board_of_another_size_is_refused_with_help(message: str) -> None:
    text, chat = reply(message, None)
    assert text == f"That looks like a board, but not like three rows of three cells. {textboard.HELP}"
    assert chat is None


def test_a_board_that_cannot_be_gets_every_reason_in_the_words_of_the_service() -> None:
    chat = Chat("X........", "O")
    text, kept = reply("XXX\nXX.\nOOO", chat)
    assert text.startswith("I am afraid that board cannot come up in a game. X has 5 marks and O has 3; ")
    assert "listed in errors" not in text
    assert kept == chat


def test_a_pasted_board_is_played_on_for_whoever_is_to_move() -> None:
    text, chat = reply("Your turn:\nX|O|X\n-+-+-\n.|.|.\n-+-+-\n_|_|O", None)
    assert text == (
        "I play X on 7. Makes a fork, threatening the left column and the diagonal from the top right: "
        "wins in 3 plies against any defence.\n"
        "X | O | X\n--+---+--\n4 | 5 | 6\n--+---+--\nX | 8 | O\nYour move."
    )
    assert chat == Chat("XOX...X.O", "O")
    text, chat = reply("5", chat)
    assert text.startswith("I play X on 4. Completes the left column.")
    assert text.endswith("That is my game. Another? Say new.")
    assert chat is None


def test_a_pasted_game_that_o_began_stays_the_persons_who_has_o() -> None:
    _, chat = reply("O..\n...\n...", None)
    assert chat is not None
    assert chat.person == "O"
    _, chat = reply(str(chat.board.index(".") + 1), chat)
    assert chat is not None
    assert (chat.board.count("X"), chat.board.count("O"), chat.person) == (2, 2, "O")


def test_a_finished_board_is_told_as_such() -> None:
    text, chat = reply("XXX\nOO.\n...", None)
    assert text.startswith("The game is over. X has completed the top row and won.\nX | X | X")
    assert chat is None


@pytest.mark.parametrize(("message", "person"), [("new", "X"), ("New game!", "X"), ("new x", "X"), ("new O", "O")])
def test_new_begins_a_game_with_the_mark_that_the_person_wants(message: str, person: str) -> None:
    _, chat = reply(message, Chat("X........", "O"))
    assert chat is not None
    assert chat.person == person
    assert chat.board.count("X") == (person == "O")


@pytest.mark.parametrize("message", ["3", "3.", "play 3", "I take 3", "cell 3", "3️⃣"])
def test_a_number_is_a_move(message: str) -> None:
    _, chat = reply(message, Chat("." * 9, "X"))
    assert chat is not None
    assert chat.board[2] == "X"
    assert chat.board.count("O") == 1


@pytest.mark.parametrize("number", ["1", "0", "10", "77"])
def test_a_cell_that_is_not_free_is_refused_and_the_free_ones_named(number: str) -> None:
    chat = Chat("X...O....", "X")
    text, kept = reply(number, chat)
    assert text.startswith(f"{number} is not free. You can have 2, 3, 4, 6, 7, 8, 9.\nX | 2 | 3")
    assert kept == chat


def test_a_number_without_a_game_is_told_how_to_begin_one() -> None:
    assert reply("5", None) == (f"We have no game going on. {textboard.HELP}", None)


@pytest.mark.parametrize("person", PLAYERS)
def test_nobody_beats_the_bot(person: Player) -> None:
    """Every sequence of moves a person can play; the bot's answers come through whole messages."""
    _, begun = reply(f"new {person}", None)
    assert begun is not None
    waiting, met, ends = [begun], {begun}, set()
    while waiting:
        chat = waiting.pop()
        for number in [number for number, mark in enumerate(chat.board, 1) if mark == "."]:
            text, after = reply(str(number), chat)
            if after is None:
                ends.update(re.findall("That is my game|a draw", text, re.IGNORECASE) or [text])
            elif after not in met:
                met.add(after)
                waiting.append(after)
    assert "That is my game" in ends
    assert ends <= {"That is my game", "A draw", "a draw"}


def test_two_bots_that_pass_boards_to_each_other_draw() -> None:
    text, chat = reply(textboard.drawn("." * 9), None)
    while chat is not None:
        text, chat = reply(text, None)
    assert text.endswith("A draw. Another? Say new.")


def test_the_chat_in_the_terminal_takes_boards_and_numbers(server: Server) -> None:
    done = subprocess.run(
        [sys.executable, CHAT_FILE],
        input="new\n5\nX O X\n. . .\n. . O\n\n5\n",
        env={"MOVE_ORACLE": server.url, "PYTHONUTF8": "1"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=20,
        check=True,
    )
    assert done.stderr == ""
    assert done.stdout.startswith(textboard.HELP)
    assert "I play O on 1. Holds the draw." in done.stdout
    assert done.stdout.endswith("That is my game. Another? Say new.\n")
