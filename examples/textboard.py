"""A chat bot for tic-tac-toe: it reads boards as people type them, and lets Move Oracle choose and explain its moves.

Needs the standard library alone, and a service that it can reach: ``make serve``, or MOVE_ORACLE=http://somewhere:8000.
``python textboard.py`` is a chat in the terminal. In a real chat keep what ``reply`` returns for each channel and hand
it back with the next message; the bot has no other memory.
"""

import http.client
import json
import os
import re
import sys
import urllib.error
import urllib.request
from collections.abc import Callable
from typing import Any, NamedTuple

ORACLE = os.environ.get("MOVE_ORACLE", "http://localhost:8000")
SECONDS = 10
FIELDS = ("status", "position", "player", "move", "reason", "next_position", "next_status")

TYPED = {
    "X": "x×\u0425\u0445✕✖❌❎",  # noqa: RUF001 (and the letters of a Cyrillic keyboard)
    "O": "o\u041e\u043e○◯⭕🅾",
    ".": "-_+*·•?□▢◻◽⬜⬛🔲🔳",
    "|": "│┃¦",
    "": "\ufe0e\ufe0f\u20e3`",  # what makes a character an emoji, and a message code
}
MEANT = str.maketrans({character: meant for meant, typed in TYPED.items() for character in typed})
SEPARATOR = re.compile(r"[.|=:\s─━═┼╋╬├┤┬┴┌┐└┘]+")
ROW = re.compile(r"[XO.|\d\s]+")
LAYOUTS = ("rrr", "r-r-r", "-r-r-r-", "r-rr", "-rrr-")
"""How three rows and the lines between and around them follow each other."""

EMPTY = "." * 9
HELP = (
    "Send me three rows of X, O and dots, and I play for whoever is to move. "
    'Or say "new" to play X against me, "new O" to let me begin; then a number from 1 to 9 is your move.'
)


class Chat(NamedTuple):
    """A game that goes on: nine cells of ``X``, ``O`` and ``.``, and the mark of the person."""

    board: str
    person: str


class Refused(Exception):
    """What the person asks for cannot be done; the text says why."""


Ask = Callable[[dict[str, str]], dict[str, Any]]
Reply = tuple[str, Chat | None]


def ask_oracle(question: dict[str, str]) -> dict[str, Any]:
    """Return the answer of ``POST /best-move``. Raises Refused for an impossible board, OSError without an answer."""
    try:
        return post(question)
    except (http.client.HTTPException, LookupError, TypeError, ValueError) as error:
        raise ConnectionError("That was not the oracle") from error


def post(question: dict[str, str]) -> dict[str, Any]:
    """Post a question and return the fields of the answer. Raises whatever a faulty answer causes."""
    request = urllib.request.Request(
        f"{ORACLE}/best-move", json.dumps(question).encode(), {"Content-Type": "application/json"}
    )
    try:
        with urllib.request.urlopen(request, timeout=SECONDS) as response:
            answer = json.load(response)
            return {field: answer[field] for field in FIELDS}
    except urllib.error.HTTPError as error:
        if error.code != http.HTTPStatus.UNPROCESSABLE_ENTITY:
            raise
        faults = " ".join(fault["detail"] for fault in json.load(error)["errors"])
        raise Refused(f"I am afraid that board cannot come up in a game. {faults}") from None


def reply(message: str, chat: Chat | None, ask: Ask = ask_oracle) -> Reply:
    """Return the bot's reply to a message and the game after it; ``None`` while there is no game."""
    try:
        return understand(message, chat, ask)
    except Refused as refused:
        return str(refused), chat
    except OSError:
        return "I cannot reach my oracle just now. Nothing is lost: please say that again in a moment.", chat


def understand(message: str, chat: Chat | None, ask: Ask) -> Reply:
    """Return what ``reply`` returns. Raises Refused for what cannot be done, OSError without an answer."""
    said = message.translate(MEANT).strip(" .!\n").lower()
    if found := re.fullmatch(r"new(?: game)?(?: ([xo]))?", said):
        return begin((found[1] or "x").upper(), ask)
    if found := re.fullmatch(r"(?:(?:i )?(?:play|take|cell) )?(\d{1,2})", said):
        return play(int(found[1]), chat, ask)
    if board := read_board(message):
        return respond({"board": board}, ask)
    return HELP, chat


def begin(person: str, ask: Ask) -> Reply:
    """Start a new game, in which X begins."""
    if person == "O":
        return respond({"board": EMPTY, "player": "X"}, ask)
    return f"You are X. Where?\n{drawn(EMPTY)}", Chat(EMPTY, person)


def play(number: int, chat: Chat | None, ask: Ask) -> Reply:
    """Return the game after the person has marked the cell with this number and the bot has replied."""
    if chat is None:
        raise Refused(f"We have no game going on. {HELP}")
    free = [str(cell) for cell, mark in enumerate(chat.board, 1) if mark == "."]
    if str(number) not in free:
        raise Refused(f"{number} is not free. You can have {', '.join(free)}.\n{drawn(chat.board)}")
    board = chat.board[: number - 1] + chat.person + chat.board[number:]
    return respond({"board": board, "player": "O" if chat.person == "X" else "X"}, ask)


def respond(question: dict[str, str], ask: Ask) -> Reply:
    """Return the bot's move, its reason and the board after it; or how the game ended."""
    answer = ask(question)
    if answer["status"] != "in_progress":
        return f"The game is over. {answer['reason']}\n{drawn(answer['position'])}", None
    me, board = answer["player"], answer["next_position"]
    text = f"I play {me} on {answer['move'] + 1}. {numbered(answer['reason'])}\n{drawn(board)}"
    match answer["next_status"]:
        case "in_progress":
            return f"{text}\nYour move.", Chat(board, "O" if me == "X" else "X")
        case "won":
            return f"{text}\nThat is my game. Another? Say new.", None
        case _:
            return f"{text}\nA draw. Another? Say new.", None


def read_board(message: str) -> str | None:
    """Return the nine cells that a message shows, if any. Raises Refused for a board of another size."""
    lines = [line.translate(MEANT) for line in message.replace("/", "\n").splitlines()]
    lines = [line for line in lines if belongs_to_a_board(line)]
    if len(lines) == 1 and len(cells := read_cells(lines[0])) == len(EMPTY):
        return settle_numbers(cells)
    for layout in LAYOUTS:
        if found := read_rows(lines, layout):
            return settle_numbers(found)
    if len(lines) > 1:
        raise Refused(f"That looks like a board, but not like three rows of three cells. {HELP}")
    return None


def read_rows(lines: list[str], layout: str) -> list[str]:
    """Return the nine cells if the lines follow each other in this way; else none."""
    if len(lines) != len(layout):
        return []
    rows = [read_cells(line) for line, kind in zip(lines, layout, strict=True) if kind == "r"]
    separators = [line for line, kind in zip(lines, layout, strict=True) if kind == "-"]
    if any(len(row) != 3 for row in rows) or not all(map(SEPARATOR.fullmatch, separators)):
        return []
    return [cell for row in rows for cell in row]


def read_cells(line: str) -> list[str]:
    """Return the cells of a row; none if it is not a row."""
    if not ROW.fullmatch(line):
        return []
    if "|" not in line:
        return list("".join(line.split()))
    cells = [cell.strip() or "." for cell in re.sub(r"^\s*\|(.*\|.*\|.*)\|\s*$", r"\1", line).split("|")]
    return cells if all(len(cell) == 1 for cell in cells) else []


def settle_numbers(cells: list[str]) -> str:
    """Return the board with dots for the numbers of free cells; a 0 is an O unless cells are numbered from 0."""
    numbers = [(index, int(cell)) for index, cell in enumerate(cells) if cell.isdecimal()]
    from_zero = len(numbers) > 1 and all(index == number for index, number in numbers)
    return "".join("O" if cell == "0" and not from_zero else "." if cell.isdecimal() else cell for cell in cells)


def numbered(reason: str) -> str:
    """Return a reason with the numbers of the drawn board in place of names of cells such as ``c1``."""
    return re.sub(r"\b([abc])([123])\b", lambda cell: str("abc".index(cell[1]) + 3 * int(cell[2]) - 2), reason)


def drawn(board: str) -> str:
    """Draw the board, with the numbers of the free cells."""
    cells = [str(number) if mark == "." else mark for number, mark in enumerate(board, 1)]
    return "\n--+---+--\n".join(" | ".join(cells[row : row + 3]) for row in (0, 3, 6))


def belongs_to_a_board(line: str) -> bool:
    """Whether a line holds characters of boards and no others."""
    return bool(line.strip() and (ROW.fullmatch(line) or SEPARATOR.fullmatch(line)))


def main() -> None:
    """Chat in the terminal until the input ends; a board ends with an empty line."""
    chat: Chat | None = None
    message = ""
    print(HELP)
    for line in sys.stdin:
        message += line
        if line.strip() and belongs_to_a_board(line.translate(MEANT)) and not line.strip().isdecimal():
            continue
        text, chat = reply(message, chat)
        print(text)
        message = ""


if __name__ == "__main__":
    main()
