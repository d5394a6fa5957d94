"""The chat bot for tic-tac-toe reads boards as people type them and plays with a real server."""

import re
import subprocess
import sys

import pytest

from examples import textboard
from examples.textboard import Chat, reply
from service.games.families.lines import PLAYERS, Player
from tests.examples.conftest import BROKEN, listener
from tests.support import HUNG_SECONDS, ROOT, Server

BOARDS = {
    "XOX.X.O..": (
        "X O X\n. X .\nO . .",
        "xox\n_x_\no__",
        "X|O|X\n |X| \nO| | ",
        "X | O | X\n--+---+--\n4 | X | 6\n--+---+--\nO | 8 | 9",
        "+---+---+---+\n| X | O | X |\n+---+---+---+\n|   | X |   |\n+---+---+---+\n| O |   |   |\n+---+---+---+",
        "| X | O | X |\n|:-:|:-:|:-:|\n|   | X |   |\n| O |   |   |",
        "XOX/.X./O..",
        "❌⭕❌\n4️⃣❌6️⃣\n⭕8️⃣9️⃣",
        "```\nX 0 X\n. X .\n0 . .\n```",
        "Hi! What would you do here?\n\nX O X\n. X .\nO . .\n\nI am stuck.",
    ),
    # What could be read in two ways.
    ".........": ("0 1 2\n3 4 5\n6 7 8", " | | \n | | \n | | "),
    "....X....": ("0 1 2\n3 X 5\n6 7 8", "-|-|-\n-----\n-|X|-\n-----\n-|-|-"),
    "OX.......": ("0 X .\n. . .\n. . .", "0 X 3\n4 5 6\n7 8 9"),
    "X.XO.O...": ("X-X\nO-O\n---",),
    "XO.......": ("---\nXO.\n...\n...\n---",),
}


def test_boards_are_read_as_people_type_them() -> None:
    found = {board: [textboard.read_board(message) for message in messages] for board, messages in BOARDS.items()}
    assert found == {board: [board] * len(messages) for board, messages in BOARDS.items()}


def test_to_anything_else_the_bot_says_what_it_understands() -> None:
    chat = Chat("X........", "O")
    for message in ("", "what is this?", "...", "x", "no\nnonsense", "either/or", "😀", "\x00"):
        assert reply(message, chat) == (textboard.HELP, chat), message
    for message in ("XO\n..", "X O X O\n. . . .\n. . . .\n. . . .", "X|O|X\nXX|O|.\n.|.|.", "===\n===\n==="):
        text = f"That looks like a board, but not like three rows of three cells. {textboard.HELP}"
        assert reply(message, None) == (text, None), message


def test_a_pasted_board_is_played_on_for_the_player_to_move() -> None:
    text, chat = reply("Your turn:\nX|O|X\n-+-+-\n.|.|.\n-+-+-\n_|_|O", None)
    assert text == (
        "I play X on 7. Makes a fork, threatening the left column and the diagonal from the top right: "
        "wins in 3 plies against any defence.\n"
        "X | O | X\n--+---+--\n4 | 5 | 6\n--+---+--\nX | 8 | O\nYour move."
    )
    assert chat == Chat("XOX...X.O", "O")
    text, chat = reply("XXX\nOO.\n...", None)
    assert text.startswith("The game is over. X has completed the top row and won.\nX | X | X")
    assert chat is None


def test_a_number_that_is_not_free_is_refused_with_those_that_are() -> None:
    begun = Chat("X...O....", "X")
    text, kept = reply("10", begun)
    assert text.startswith("10 is not free. You can have 2, 3, 4, 6, 7, 8, 9.\nX | 2 | 3")
    assert kept == begun
    assert reply("5", None) == (f"We have no game going on. {textboard.HELP}", None)


@pytest.mark.parametrize("person", PLAYERS)
def test_no_sequence_of_moves_beats_the_bot(person: Player) -> None:
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


def test_the_chat_in_the_terminal_takes_boards_and_numbers(server: Server) -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "examples/textboard.py"],
        input="new\n5\nX O X\n. . .\n. . O\n\n5\n",
        env={"MOVE_ORACLE": server.url, "PYTHONUTF8": "1"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=HUNG_SECONDS,
        check=True,
    )
    assert done.stderr == ""
    assert done.stdout.startswith(textboard.HELP)
    assert "I play O on 1. Holds the draw." in done.stdout
    assert done.stdout.endswith("That is my game. Another? Say new.\n")


def test_a_broken_service_is_told_and_nothing_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    for said in BROKEN:
        with listener(said) as url:
            monkeypatch.setattr(textboard, "ORACLE", url)
            text, chat = reply("5", Chat("." * 9, "X"))
        assert text.startswith("I cannot reach my oracle"), said
        assert chat == Chat("." * 9, "X")
