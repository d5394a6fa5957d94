"""The bots of the examples read what people type, play as well as can be with a real server, and do without one."""

import random
import re
import sys
from types import SimpleNamespace

import pytest

from examples import connectx, textboard
from examples.textboard import Chat, reply
from service.games.families.lines import OPPONENT, PLAYERS, LinePosition, Player, line_position
from tests.programs import run
from tests.redis_cache.stores import always, impostor
from tests.support import ROOT, Server
from tests.worlds import small, verdict

pytestmark = pytest.mark.verify


@pytest.fixture(autouse=True)
def _oracle(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connectx, "ORACLE", server.url)
    monkeypatch.setattr(textboard, "ORACLE", server.url)


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
    environment = {"MOVE_ORACLE": server.url, "PYTHONUTF8": "1"}
    typed = "new\n5\nX O X\n. . .\n. . O\n\n5\n"
    done = run(sys.executable, ROOT / "examples/textboard.py", environment=environment, typed=typed)
    assert done.stderr == ""
    assert done.stdout.startswith(textboard.HELP)
    assert "I play O on 1. Holds the draw." in done.stdout
    assert done.stdout.endswith("That is my game. Another? Say new.\n")


def shown(position: LinePosition, seconds: float) -> tuple[SimpleNamespace, SimpleNamespace]:
    """Return the position as Kaggle shows it to an agent: player 1 began, and is X."""
    game = position.game
    board, mark = [".XO".index(mark) for mark in str(position)], ".XO".index(position.player)
    configuration = SimpleNamespace(rows=game.rows, columns=game.columns, inarow=game.in_a_row, actTimeout=seconds)
    return SimpleNamespace(board=board, mark=mark), configuration


def by_agent(position: LinePosition, seconds: float = 20.0) -> int:
    """Return the cell that the agent's mark takes."""
    column = connectx.agent(*shown(position, seconds))
    return {position.game.column_of(cell): cell for cell in position.legal_moves}[column]


@pytest.mark.parametrize("player", PLAYERS)
def test_against_every_opponent_the_agent_gets_what_best_play_promises(player: Player) -> None:
    first = line_position(small(3, 4, 3, gravity=True), 0, 0, "X")
    ends, waiting = set[Player | None](), {first}
    while waiting:
        position = waiting.pop()
        if position.status != "in_progress":
            ends.add(position.winner)
        elif position.player == player:
            waiting.add(position.play(by_agent(position)))
        else:
            waiting |= {position.play(move) for move in position.legal_moves}
    promised = verdict(first).outcome * (1 if player == "X" else -1)
    assert min(0 if winner is None else 1 if winner == player else -1 for winner in ends) == promised


def test_without_its_oracle_the_agent_wins_if_it_can(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connectx, "ORACLE", "http://127.0.0.1:9")
    for seed in range(8):
        dice, position = random.Random(seed), line_position(small(4, 5, 3, gravity=True), 0, 0, "X")
        while position.status == "in_progress":
            players = (position.player, OPPONENT[position.player])
            wins, threats = (position.game.completions(position, player) for player in players)
            if wins or len(threats) == 1:
                assert by_agent(position, 0.25) in (wins or threats)
            position = position.play(dice.choice(position.legal_moves))


BROKEN = (
    b"hello\r\n",
    b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n<html>",
    b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]",
    b"HTTP/1.1 422 Unprocessable Content\r\nContent-Length: 2\r\n\r\n{}",
    b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n",
)
"""What a server may say to a request that is of no use."""


def test_a_broken_service_is_told_or_replaced_by_looking_a_move_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    empty = line_position(small(6, 7, 4, gravity=True), 0, 0, "X")
    for said in BROKEN:
        with impostor(always(said)) as url:
            for bot in (connectx, textboard):
                monkeypatch.setattr(bot, "ORACLE", url.replace("redis", "http"))
            text, chat = reply("5", Chat("." * 9, "X"))
            assert text.startswith("I cannot reach my oracle"), said
            assert chat == Chat("." * 9, "X")
            assert by_agent(empty, 2.0) == 38, said
