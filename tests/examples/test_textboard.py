"""The chat bot for tic-tac-toe reads boards as people type them and plays with a real server."""

import re
import subprocess
import sys

import pytest

from examples import textboard
from examples.textboard import Chat, reply
from service.games.catalogue import TIC_TAC_TOE
from service.games.families.lines import PLAYERS, Player
from tests.examples.conftest import BROKEN, listener
from tests.support import HUNG_SECONDS, ROOT, Server
from tests.worlds import reachable

BOARDS = {
    "XOX.X.O..": (
        "X O X\n. X .\nO . .",
        "xox\n.x.\no..",
        "XOX\n_X_\nO__",
        "X|O|X\n |X| \nO| | ",
        "X | O | X\n---------\n  | X |  \n---------\nO |   |  ",
        "X | O | X\n--+---+--\n4 | X | 6\n--+---+--\nO | 8 | 9",
        "+---+---+---+\n| X | O | X |\n+---+---+---+\n|   | X |   |\n+---+---+---+\n| O |   |   |\n+---+---+---+",
        "X │ O │ X\n──┼───┼──\n  │ X │\n──┼───┼──\nO │   │",
        "| X | O | X |\n|:-:|:-:|:-:|\n|   | X |   |\n| O |   |   |",
        "X O X\n3 X 5\nO 7 8",
        "X 0 X\n. X .\n0 . .",
        "XOX/.X./O..",
        "XOX.X.O..",
        "✖️⭕️✖️\n⬜️✖️⬜️\n⭕️⬜️⬜️",
        "❌⭕❌\n4️⃣❌6️⃣\n⭕8️⃣9️⃣",
        "\u0425\u041e\u0425\n.\u0445.\n\u043e..",
        "```\nX O X\n. X .\nO . .\n```",
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


def test_the_bot_reads_every_board_that_it_draws() -> None:
    for position in reachable(TIC_TAC_TOE):
        assert textboard.read_board(textboard.drawn(str(position))) == str(position)


def test_to_anything_else_the_bot_says_what_it_understands() -> None:
    chat = Chat("X........", "O")
    for message in ("", "what is this?", "...", "x", "no\nnonsense", "either/or", "😀", "\x00"):
        assert reply(message, chat) == (textboard.HELP, chat), message
    for message in ("XO\n..", "X O X O\n. . . .\n. . . .\n. . . .", "X|O|X\nXX|O|.\n.|.|.", "===\n===\n==="):
        text = f"That looks like a board, but not like three rows of three cells. {textboard.HELP}"
        assert reply(message, None) == (text, None), message


def test_a_board_that_cannot_be_gets_every_reason_in_the_words_of_the_service() -> None:
    chat = Chat("X........", "O")
    text, kept = reply("XXX\nXX.\nOOO", chat)
    assert text.startswith("I am afraid that board cannot come up in a game. X has 5 marks and O has 3; ")
    assert "listed in errors" not in text
    assert kept == chat


def test_a_pasted_board_is_played_on_for_the_player_to_move() -> None:
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
    text, chat = reply("XXX\nOO.\n...", None)
    assert text.startswith("The game is over. X has completed the top row and won.\nX | X | X")
    assert chat is None


def test_reasons_name_cells_by_the_numbers_of_the_drawn_board() -> None:
    said, _ = reply("XX. OO. ...".replace(" ", "/"), None)
    assert said.startswith("I play X on 3. Completes the top row.")
    assert textboard.numbered("X answers with c1, blocks a3 and takes b2.") == "X answers with 3, blocks 7 and takes 5."


def test_new_begins_a_game_with_the_mark_that_the_person_wants() -> None:
    for message, person in (("new", "X"), ("New game!", "X"), ("new O", "O")):
        _, chat = reply(message, Chat("X........", "O"))
        assert chat is not None
        assert (chat.person, chat.board.count("X")) == (person, int(person == "O"))


def test_a_number_is_a_move_and_one_that_is_not_free_is_refused_with_those_that_are() -> None:
    for message in ("3", "3.", "I take 3", "3️⃣"):
        _, chat = reply(message, Chat("." * 9, "X"))
        assert chat is not None
        assert (chat.board[2], chat.board.count("O")) == ("X", 1)
    begun = Chat("X...O....", "X")
    for number in ("1", "0", "10"):
        text, kept = reply(number, begun)
        assert text.startswith(f"{number} is not free. You can have 2, 3, 4, 6, 7, 8, 9.\nX | 2 | 3")
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
