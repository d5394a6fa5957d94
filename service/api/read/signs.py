"""The signs of a board: all accepted spellings of a mark of X, a mark of O, and an empty cell."""

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from service.api.problems import shortened

X_SIGNS = ("X", "x", "\N{MULTIPLICATION SIGN}", "✕", "R", "r", "❌", "✖", "🔴", "🟥")
O_SIGNS = ("O", "o", "○", "Y", "y", "⭕", "🟡", "🟨", "🔵", "🟦")
EMPTY_SIGNS = ("", " ", ".", "-", "_", "+", "·", "⬜", "⬛", "⚪", "⚫")

SIGNS: Mapping[str, str] = MappingProxyType(
    dict.fromkeys(X_SIGNS, "X") | dict.fromkeys(O_SIGNS, "O") | dict.fromkeys(EMPTY_SIGNS, ".")
)
"""The contents of a cell by its sign."""

SQUARES = ("⬜", "⬛")
"""Signs of an empty cell that mean two players if both are on one board."""

DISCS = ("⚪", "⚫")
"""Signs of an empty cell that mean a player if any other sign of an empty cell is on the board."""

NUMBERS: Mapping[float, str] = MappingProxyType({1: "X", -1: "O", 2: "O", 0: "."})
"""The contents of a cell by its number, where that is not the index of the cell."""

EMOJI = "".join(sign for sign in SIGNS if ord(sign[:1] or " ") > ord("·"))
SELECTOR = re.compile(f"([{EMOJI}])\ufe0f")
"""An emoji and the variation selector that keyboards add."""

HOW_TO_WRITE = (
    "write X or O for a mark (or R and Y, ❌ and ⭕, 🔴 and 🟡), "
    'and null, "", " ", ".", "-", "_", "+", ⬜ or the cell\'s own index for an empty cell'
)

USE_LETTERS = "Write X and O for marks, and null or . for an empty cell."


class Fault(NamedTuple):
    """A fault of a cell, or of the whole board if ``cell`` is None."""

    cell: int | None
    code: str
    detail: str


def without_selectors(text: str) -> str:
    """Return a text whose emoji are single characters, without variation selectors."""
    return text if text.isascii() else SELECTOR.sub(r"\1", text)


def read_cells(contents: Sequence[object], marks: str) -> tuple[str, list[Fault]]:
    """Return the contents of the cells, each one of the ``marks`` or ``.``, and every fault.

    If the marks are no digits, a number is a sign, or the index of its own cell if that is empty; all numbers of a
    board are read in one way.
    """
    if marks.isdigit():
        return _read_digits(contents, marks)
    signs = [_sign(content) for content in contents]
    numbers = {cell: sign for cell, sign in enumerate(signs) if isinstance(sign, int | float)}
    faults = [
        Fault(cell, "unknown-mark", f"Cell {cell} contains {shown(contents[cell])}; {HOW_TO_WRITE}.")
        for cell, sign in enumerate(signs)
        if sign is None
    ]
    faults += _number_faults(numbers, {sign for sign in signs if isinstance(sign, str)})
    faults += _double_signs(signs)
    are_indices = all(number == cell for cell, number in numbers.items())
    numeric: Mapping[float, str] = {} if are_indices else NUMBERS
    held = [SIGNS[sign] if isinstance(sign, str) else numeric.get(sign or 0, ".") for sign in signs]
    return "".join(held), faults


def _read_digits(contents: Sequence[object], marks: str) -> tuple[str, list[Fault]]:
    """Return a character for each cell, and the contents that are no digits."""
    cells, faults = [], []
    for cell, content in enumerate(contents):
        text = content if isinstance(content, str) else "." if content is None else shown(content)
        held = "." if text == "0" or without_selectors(text) in EMPTY_SIGNS else text
        if len(held) != 1 or held not in f"{marks}.":
            write = f"write a digit from {marks[0]} to {marks[-1]}, or null, 0 or . for an empty cell"
            faults.append(Fault(cell, "unknown-mark", f"Cell {cell} contains {shown(content)}; {write}."))
        cells.append(held)
    return "".join(cells), faults


def shown(value: object) -> str:
    """Return a value as JSON, cut to fit into a sentence; of a list or an object only its kind."""
    if isinstance(value, list | dict):
        return "a list" if isinstance(value, list) else "an object"
    return shortened(json.dumps(value))


def _sign(content: object) -> str | float | None:
    """Return the sign in a cell, in upper case, or the number; None if it is neither."""
    if content is None:
        return ""
    if isinstance(content, int | float) and not isinstance(content, bool):
        return content
    if not isinstance(content, str):
        return None
    sign = without_selectors(content)
    if len(sign) == 1 and sign in "0123456789":
        return int(sign)
    return sign.upper() if sign in SIGNS else None


def _number_faults(numbers: Mapping[int, float], signs: set[str]) -> Iterator[Fault]:
    """Yield the faults that leave the numbers ambiguous; ``signs`` are those of the cells without a number."""
    contents = {SIGNS[sign] for sign in signs}
    marks = contents - {"."}
    values = set(numbers.values())
    are_indices = all(number == cell for cell, number in numbers.items())
    if are_indices and (marks or values <= {0} or not values <= set(NUMBERS)):
        return
    if wrong := _wrong_numbers(numbers, marks):
        yield from (Fault(cell, "wrong-index", _why_no_number(cell, numbers[cell], marks)) for cell in wrong)
    elif are_indices:
        detail = "The numbers can be the indices of empty cells, or marks: 1 for X, -1 or 2 for O."
        yield Fault(None, "ambiguous", f"{detail} {USE_LETTERS}")
    elif not values <= ({0} if marks else set(NUMBERS)):
        detail = "Some numbers are the indices of empty cells, others are signs: 1 for X, -1 or 2 for O, 0 for empty."
        yield Fault(None, "ambiguous", f"{detail} {USE_LETTERS}")
    elif {-1, 2} <= values:
        yield Fault(None, "ambiguous", f"The board has both -1 and 2, which are two signs for O. {USE_LETTERS}")
    elif 0 in values and "." in contents and "O" not in contents | {NUMBERS[value] for value in values}:
        detail = "0 can be an empty cell, or a mark of O beside the other empty cells."
        yield Fault(None, "ambiguous", f"{detail} {USE_LETTERS}")


def _wrong_numbers(numbers: Mapping[int, float], marks: set[str]) -> list[int]:
    """Return the cells with a meaningless number: any but their index, if the numbers are likely to be indices."""
    misplaced = [cell for cell, number in numbers.items() if number != cell]
    wrong = [cell for cell in misplaced if numbers[cell] not in ({0} if marks else NUMBERS)]
    return misplaced if 2 * len(wrong) > len(numbers) else wrong


def _why_no_number(cell: int, number: float, marks: set[str]) -> str:
    if marks:
        return (
            f"Cell {cell} contains {shown(number)}; the only number allowed beside X and O is {cell}, its index, "
            "if it is empty, or 0 for every empty cell."
        )
    return (
        f"Cell {cell} contains {shown(number)}; a number is {cell}, its index, if it is empty; "
        "or 1 for X, -1 or 2 for O, and 0 for an empty cell."
    )


def _double_signs(signs: Sequence[str | float | None]) -> Iterator[Fault]:
    """Yield a fault for each player with two signs, which may stand for two players."""
    used: defaultdict[str, dict[str, None]] = defaultdict(dict)
    empty = EMPTY_SIGNS if any(disc in signs for disc in DISCS) else SQUARES
    for sign in signs:
        if isinstance(sign, str) and (SIGNS[sign] != "." or sign in empty):
            used[SIGNS[sign]][sign or "null"] = None
    for content, found in used.items():
        if len(found) > 1:
            what = "an empty cell" if content == "." else content
            names = " and ".join(found)
            detail = f"The board has {names}, which are both signs for {what}, or for two players. {USE_LETTERS}"
            yield Fault(None, "ambiguous", detail)
