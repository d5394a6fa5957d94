"""Check a certificate of POST /proof: python3 check_proof.py proof.jsonl, or with the file on standard input.

The exit code is 0 if the claim holds, else 1. It reads line by line, and keeps only positions that still need an entry,
so the file can be larger than memory. Cells are bits: ``own`` of a claim's holder, ``other`` of the opponent.
"""

import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import product
from typing import Any

SIZE, CELL, FLAG = "([1-9]|[1-5][0-9]|6[0-4])", "([0-9]|[1-5][0-9]|6[0-3])", "(true|false)"
LISTS = rf"\[(\[{CELL}(,{CELL})*\](,\[{CELL}(,{CELL})*\])*)?\]"
GRID = (
    f'"rows":{SIZE},"columns":{SIZE},"layers":{SIZE},"in_a_row":{SIZE},"gravity":{FLAG},"misere":{FLAG},'
    f'"wrap":({FLAG}|"cylinder"|"moebius")'
)
RULES = f'({GRID}|"cells":{SIZE},"misere":{FLAG},"lines":{LISTS})'
POSITION = '"position":"[XO.]+","player":"[XO]","outcome":"(win|draw|loss)"'
HEADER = f'{{"certificate":2,{RULES},{POSITION},"symmetries":{LISTS}}}\n?'


def _moved(marks: int, image: Sequence[int]) -> int:
    return sum(1 << to for cell, to in enumerate(image) if marks >> cell & 1)


def _grid(shape: list[int], in_a_row: int, *, wrap: bool | str) -> Iterator[set[int]]:
    sizes = [[999] * 3, shape, *[[999, 999, shape[2]]] * 2][[False, True, "cylinder", "moebius"].index(wrap)]
    for start, step in product(product(*map(range, shape)), product((-1, 0, 1), repeat=3)):
        path = [[p + i * d for p, d in zip(start, step, strict=True)] for i in range(in_a_row)]
        path = [[z, shape[1] - 1 - y if wrap == "moebius" and x // shape[2] % 2 else y, x] for z, y, x in path]
        cells = {(z % sizes[0] * shape[1] + y % sizes[1]) * shape[2] + x % sizes[2] for z, y, x in path}
        if len(cells) == in_a_row and all(p % s < most for p, s, most in zip(path[-1], sizes, shape, strict=True)):
            yield cells


class Claim:
    """That the holder gets at least a win, or at least a draw, with an entry for each position that takes one.

    ``_open`` are the positions that the entries so far lead to, by their number of marks. Each still needs an entry.
    """

    def __init__(self, header: dict[str, Any], holder: str, at_least: str) -> None:
        shape = [header.get(name, 1) for name in ("layers", "rows", "columns")]
        self._cells: int = header.get("cells") or shape[0] * shape[1] * shape[2]
        self._require(0 < self._cells <= 64, "the board must have 1 to 64 cells")
        self._full: int = (1 << self._cells) - 1
        falls: bool = header.get("gravity", False)
        self._drop: int = (shape[2] if shape[0] == 1 else shape[1] * shape[2]) if falls else self._cells
        tops = range(self._drop if falls else 0)
        self._columns = [[1 << c for c in range(self._cells - self._drop + top, -1, -self._drop)] for top in tops]
        lines = header["lines"] if "lines" in header else _grid(shape, header["in_a_row"], wrap=header["wrap"])
        self._lines: set[int] = {sum(1 << cell for cell in set(line)) for line in lines}
        self._require(all(0 < line <= self._full for line in self._lines), "a line leaves the board")
        self._images = [range(self._cells), *header["symmetries"]]
        self._require(max(len(self._lines), len(self._images)) <= 1025, "there are too many lines or symmetries")
        self._require(all(map(self._keeps_rules, self._images)), "a symmetry changes the rules")
        self._part: Callable[[int, int], int] = cache(self._byte_image)
        self._signs, self._wins = holder + "XO".replace(holder, ""), at_least == "win"
        self._misere: bool = header["misere"]
        self._breaks = not self._wins and not self._misere and not falls
        self._open = dict[int, set[tuple[int, int]]]()

    def _require(self, holds: object, why: str, own: int = -1, other: int = 0) -> None:
        if not holds:
            marks = [self._signs[other >> c & 1] if (own | other) >> c & 1 else "." for c in range(self._cells)]
            raise ValueError(why if own < 0 else f"In {''.join(marks)}, {why}")

    def _keeps_rules(self, image: Sequence[int]) -> bool:
        falls = all(image[cell + self._drop] == image[cell] + self._drop for cell in range(self._cells - self._drop))
        permutes = falls and sorted(image) == [*range(self._cells)]
        return permutes and {_moved(line, image) for line in self._lines} == self._lines

    def _byte_image(self, number: int, byte: int) -> int:
        return _moved(byte, self._images[number])

    def _image(self, marks: int, number: int) -> int:
        return sum(self._part(number, marks & 255 << shift) for shift in range(0, self._cells, 8))

    def _masks(self, board: str) -> tuple[int, int]:
        self._require(len(board) == self._cells and set(board) <= set("XO."), f"{board} is not a board of this game")
        own, other = (sum(1 << cell for cell, mark in enumerate(board) if mark == sign) for sign in self._signs)
        return own, other

    def _has_line(self, marks: int) -> bool:
        return any(line & marks == line for line in self._lines)

    def _playable(self, taken: int) -> int:
        """Return the empty cells at the bottom or above a mark; without gravity all empty cells."""
        return self._full & ~taken & (taken >> self._drop | ~(self._full >> self._drop))

    def _completing(self, marks: int, taken: int) -> int:
        """Return the cells in which these marks complete a line by the next move."""
        found = 0
        for line in self._lines:
            missing = line & ~marks
            if not missing & (missing - 1):
                found |= missing
        return found & self._playable(taken)

    def begin(self, board: str, player: str) -> None:
        """Begin to check the claim for a position."""
        own, other = self._masks(board)
        ended = [self._has_line(own), self._has_line(other)]
        if any(ended):
            return self._require(ended == [not self._misere, self._misere], "the holder has not won", own, other)
        return (self._check_turn if player == self._signs[0] else self._check_replies)(own, other)

    def take(self, board: str, played: int | list[int], pairs: Sequence[tuple[int, int]] = ()) -> None:
        """Check the entry of an open position: what the holder plays, perhaps after threats, perhaps with pairs."""
        own, other = self._masks(board)
        marks = (own | other).bit_count()
        self.end(marks)
        waiting, before = self._open.get(marks, set()), len(self._open.get(marks, ()))
        for number in range(len(self._images)):
            waiting.discard((self._image(own, number), self._image(other, number)))
        self._require(len(waiting) < before, "an entry is not needed", own, other)
        self._check_entry(own, other, played if isinstance(played, list) else [played], pairs)

    def end(self, marks: int = 65) -> None:
        """Check that no position with fewer than so many marks is still open."""
        for earlier in [count for count in self._open if count < marks]:
            own, other = min(self._open.pop(earlier), default=(-1, 0))
            self._require(own < 0, "there is no entry", own, other)

    def _check_turn(self, own: int, other: int) -> None:
        """Check a position with the holder to move: it is settled, or an entry has to keep the claim."""
        wins_now = not self._misere and self._completing(own, own | other)
        if not wins_now and not self._is_settled(own, other, 1):
            self._open.setdefault((own | other).bit_count(), set()).add((own, other))

    def _check_entry(self, own: int, other: int, cells: list[int], pairs: Sequence[tuple[int, int]]) -> None:
        for ply, cell in enumerate(cells):
            possible = self._playable(own | other) >> cell & 1
            self._require(possible, f"nobody can play {cell}", own, other)
            completes = self._has_line(own | 1 << cell)
            forced = completes and not self._misere and not self._completing(other, own | other)
            self._require(forced if ply % 2 else not completes, f"{cell} ends the game or is not forced", own, other)
            own, other = (own, other | 1 << cell) if ply % 2 else (own | 1 << cell, other)
        self._require(len(cells) % 2, "the holder does not move", own, other)
        if not pairs:
            return self._check_replies(own, other)
        paired, masks = [cell for pair in pairs for cell in pair], [1 << one | 1 << two for one, two in pairs]
        apart = len(set(paired)) == len(paired) and all(self._playable(own | other) >> cell & 1 for cell in paired)
        stopped = all(line & own or any(line & pair == pair for pair in masks) for line in self._lines)
        return self._require(self._breaks and apart and stopped, "the pairs do not stop every line", own, other)

    def _check_replies(self, own: int, other: int) -> None:
        if not self._is_settled(own, other, 2) and not self._follows_up(own, other):
            ends, playable = self._completing(other, own | other), self._playable(own | other)
            self._require(self._misere or not ends, f"the opponent wins by {ends.bit_length() - 1}", own, other)
            for cell in range(self._cells):
                if (playable & ~ends) >> cell & 1:
                    self._check_turn(own, other | 1 << cell)

    def _is_settled(self, own: int, other: int, factor: int) -> bool:
        """Return whether the board is full, or too few lines are left to lose by (Erdős and Selfridge, 1973)."""
        is_full = own | other == self._full
        self._require(not self._wins or not is_full, "this is a draw", own, other)
        if self._wins or is_full:
            return is_full
        left = [line & ~other for line in self._lines if not line & (other if self._misere else own)]
        risk = factor * sum(1 << 64 - line.bit_count() for line in left)
        return not left or (self._breaks and risk < 1 << 64)

    def _follows_up(self, own: int, other: int) -> bool:
        """Return whether under gravity the holder can always answer in the same column, and that is enough.

        A column ends where the holder's answers in it complete a line; any other needs an even number of empty cells.
        """
        theirs, ours, wins = other, own, not self._wins
        if self._misere or not self._columns:
            return False
        for column in self._columns:
            free, here = [cell for cell in column if not (own | other) & cell], own
            for below, above in zip(free[::2], free[1::2], strict=False):
                theirs, here = theirs | below, here | above
                if self._has_line(here):
                    wins = True
                    break
            else:
                if len(free) % 2:
                    return False
            ours |= here
        return not self._has_line(theirs) and (wins or self._has_line(ours))


def check(lines: Iterable[str]) -> str:
    """Return what the certificate in these lines proves. Raises ValueError if it does not."""
    unread = iter(lines)
    first = next(unread, "")
    if '"family":' in first:
        raise ValueError("this certificate is about a family of games, which check_family_proof.py checks")
    if not re.fullmatch(HEADER, first):
        raise ValueError("this is no header of this version of the format")
    header = json.loads(first)
    player, opponent = header["player"], "XO".replace(header["player"], "")
    winners = {"win": [(player, "win")], "loss": [(opponent, "win")], "draw": [(player, "draw"), (opponent, "draw")]}
    wanted = [{"holder": holder, "at_least": least} for holder, least in winners[header["outcome"]]]
    claims: list[Claim] = []
    for line in map(json.loads, unread):
        if not isinstance(line, dict):
            claims[-1].take(*line)
            continue
        if line not in wanted[len(claims) :][:1]:
            raise ValueError("the claims do not make the outcome")
        if claims:
            claims[-1].end()
        claims.append(Claim(header, **line))
        claims[-1].begin(header["position"], player)
    if len(claims) < len(wanted):
        raise ValueError("the claims do not make the outcome")
    claims[-1].end()
    return ", ".join(f"{name} {value}" for name, value in header.items() if name != "symmetries")


if __name__ == "__main__":
    try:
        with open(sys.argv[1] if sys.argv[1:] else 0, encoding="utf-8") as text:  # noqa: PTH123, 0 is standard input
            sys.stdout.write(f"The claim holds: {check(text)}.\n")
    except (OSError, LookupError, TypeError, ValueError, AttributeError) as error:
        sys.exit(f"The claim does not hold: {error if isinstance(error, ValueError) else repr(error)}.")
