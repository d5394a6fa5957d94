"""Check a certificate of POST /proof: python3 check_proof.py proof.jsonl, or with the file on standard input.

The exit code is 0 if the claim holds, else 1. Cells are bits: ``own`` of a claim's holder, ``other`` of the opponent.
"""

import json
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
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
HEADER = f'{{"certificate":1,{RULES},{POSITION},"symmetries":{LISTS}}}\n?'


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
    """That the holder gets at least a win, or at least a draw, with an entry for each position that takes one."""

    def __init__(self, header: dict[str, Any], holder: str, at_least: str) -> None:
        shape = [header.get(name, 1) for name in ("layers", "rows", "columns")]
        self._cells = header.get("cells") or shape[0] * shape[1] * shape[2]
        self._require(0 < self._cells <= 64, "the board must have 1 to 64 cells")
        self._drop = (shape[2] if shape[0] == 1 else shape[1] * shape[2]) if header.get("gravity") else self._cells
        lines = header["lines"] if "lines" in header else _grid(shape, header["in_a_row"], wrap=header["wrap"])
        self._lines = {sum(1 << cell for cell in set(line)) for line in lines}
        self._require(all(0 < line < 1 << self._cells for line in self._lines), "a line leaves the board")
        self._require(
            max(len(self._lines), len(header["symmetries"])) <= 1024, "there are too many lines or symmetries"
        )
        self._symmetries = [range(self._cells), *header["symmetries"]]
        self._require(all(map(self._keeps_rules, self._symmetries)), "a symmetry changes the rules")
        self._signs, self._wins, self._misere = holder + "XO".replace(holder, ""), at_least == "win", header["misere"]
        self._breaks = not self._wins and not self._misere and not header.get("gravity")
        self._upper = sum(1 << cell for cell in range(self._cells) if cell // self._drop % 2 == 0)
        self._entries, self._seen = dict[tuple[int, ...], tuple[Any, Any]](), set[tuple[int, ...]]()

    def _require(self, holds: object, why: str, own: int = -1, other: int = 0) -> None:
        if not holds:
            marks = [self._signs[other >> c & 1] if (own | other) >> c & 1 else "." for c in range(self._cells)]
            raise ValueError(why if own < 0 else f"In {''.join(marks)}, {why}")

    def _keeps_rules(self, image: Sequence[int]) -> bool:
        falls = all(image[cell + self._drop] == image[cell] + self._drop for cell in range(self._cells - self._drop))
        permutes = falls and sorted(image) == [*range(self._cells)]
        return permutes and {_moved(line, image) for line in self._lines} == self._lines

    def _masks(self, board: str) -> tuple[int, ...]:
        self._require(len(board) == self._cells and set(board) <= set("XO."), f"{board} is not a board of this game")
        return tuple(sum(1 << cell for cell, mark in enumerate(board) if mark == sign) for sign in self._signs)

    def _has_line(self, marks: int) -> bool:
        return any(line & marks == line for line in self._lines)

    def _moves(self, taken: int) -> list[int]:
        supported = (cell + self._drop >= self._cells or taken >> cell + self._drop & 1 for cell in range(self._cells))
        return [cell for cell, support in enumerate(supported) if support and not taken >> cell & 1]

    def add(self, board: str, played: int | list[int], pairs: Sequence[tuple[int, int]] = ()) -> None:
        """Add an entry: what the holder plays, perhaps after threats, and the pairs that answer all later moves."""
        self._require(self._masks(board) not in self._entries, f"{board} has two entries")
        self._entries[self._masks(board)] = played if isinstance(played, list) else [played], pairs

    def check(self, board: str, player: str) -> None:
        """Check the claim for a position."""
        own, other = self._masks(board)
        ended = [self._has_line(own), self._has_line(other)]
        if any(ended):
            return self._require(ended == [not self._misere, self._misere], "the holder has not won", own, other)
        return (self._check_turn if player == self._signs[0] else self._check_replies)(own, other)

    def _check_turn(self, own: int, other: int) -> None:
        """Check a position with the holder to move: it is settled, or has an entry that keeps the claim."""
        moves = self._moves(own | other)
        wins_now = not self._misere and any(self._has_line(own | 1 << cell) for cell in moves)
        if not wins_now and not self._is_settled(own, other, moves, 1):
            images = ((_moved(own, image), _moved(other, image)) for image in self._symmetries)
            found = next((image for image in images if image in self._entries), (own, other))
            self._require(found in self._entries, "there is no entry", own, other)
            if found not in self._seen:
                self._seen.add(found)
                self._check_entry(*found, *self._entries[found])

    def _check_entry(self, own: int, other: int, cells: list[int], pairs: Sequence[tuple[int, int]]) -> None:
        for ply, cell in enumerate(cells):
            moves, completes = self._moves(own | other), self._has_line(own | 1 << cell)
            self._require(cell in moves, f"nobody can play {cell}", own, other)
            forced = completes and not self._misere and not any(self._has_line(other | 1 << reply) for reply in moves)
            self._require(forced if ply % 2 else not completes, f"{cell} ends the game or is not forced", own, other)
            own, other = (own, other | 1 << cell) if ply % 2 else (own | 1 << cell, other)
        self._require(len(cells) % 2, "the holder does not move", own, other)
        if not pairs:
            return self._check_replies(own, other)
        paired, masks = [cell for pair in pairs for cell in pair], [1 << one | 1 << two for one, two in pairs]
        apart = len(set(paired)) == len(paired) and set(paired) <= set(self._moves(own | other))
        stopped = all(line & own or any(line & pair == pair for pair in masks) for line in self._lines)
        return self._require(self._breaks and apart and stopped, "the pairs do not stop every line", own, other)

    def _check_replies(self, own: int, other: int) -> None:
        moves = self._moves(own | other)
        if not self._is_settled(own, other, moves, 2) and not self._follows_up(own, other, moves):
            for cell in moves:
                if not self._has_line(other | 1 << cell):
                    self._check_turn(own, other | 1 << cell)
                else:
                    self._require(self._misere, f"the opponent wins by {cell}", own, other)

    def _is_settled(self, own: int, other: int, moves: list[int], factor: int) -> bool:
        """Return whether the board is full, or too few lines are left to lose by (Erdős and Selfridge, 1973)."""
        self._require(moves or not self._wins, "this is a draw", own, other)
        left = [line & ~other for line in self._lines if not line & (other if self._misere else own)]
        risk = factor * sum(1 << 64 - line.bit_count() for line in left)
        return not self._wins and (not moves or not left or (self._breaks and risk < 1 << 64))

    def _follows_up(self, own: int, other: int, moves: list[int]) -> bool:
        """Return whether under gravity the holder can always answer in the same column, and that is enough."""
        upper, lower = (cells & ~(own | other) for cells in (self._upper, (1 << self._cells) - 1 & ~self._upper))
        follows = not self._misere and not any(upper >> cell & 1 for cell in moves)
        return follows and not self._has_line(other | lower) and (not self._wins or self._has_line(own | upper))


def check(lines: Iterable[str]) -> str:
    """Return what the certificate in these lines proves. Raises ValueError if it does not."""
    first, *others = [*lines] or [""]
    if '"family":' in first:
        raise ValueError("this certificate is about a family of games, which check_family_proof.py checks")
    if not re.fullmatch(HEADER, first):
        raise ValueError("this is no header of this version of the format")
    header, *rest = map(json.loads, [first, *others])
    player, opponent = header["player"], "XO".replace(header["player"], "")
    winners = {"win": [(player, "win")], "loss": [(opponent, "win")], "draw": [(player, "draw"), (opponent, "draw")]}
    wanted = [{"holder": holder, "at_least": least} for holder, least in winners[header["outcome"]]]
    if [line for line in rest if isinstance(line, dict)] != wanted:
        raise ValueError("the claims do not make the outcome")
    claims: list[Claim] = []
    for line in rest:
        claims.append(Claim(header, **line)) if isinstance(line, dict) else claims[-1].add(*line)
    for claim in claims:
        claim.check(header["position"], player)
    return ", ".join(f"{name} {value}" for name, value in header.items() if name != "symmetries")


if __name__ == "__main__":
    try:
        with open(sys.argv[1] if sys.argv[1:] else 0, encoding="utf-8") as text:  # noqa: PTH123, 0 is standard input
            sys.stdout.write(f"The claim holds: {check(text)}.\n")
    except (OSError, LookupError, TypeError, ValueError, AttributeError) as error:
        sys.exit(f"The claim does not hold: {error if isinstance(error, ValueError) else repr(error)}.")
