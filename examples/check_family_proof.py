"""Check a certificate of POST /proof about a family of games: python3 check_family_proof.py proof.jsonl.

Without a file it reads standard input. The exit code is 0 if the claim holds, else 1. Certificates of line games are
for check_proof.py.

The rules of all families are here a second time, as slow and as plain as a person would play them: boards are texts and
lists, states are tuples that end with the player to move (0 for the one who began), moves have the names of answers.
"""

import json
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Sequence
from graphlib import CycleError, TopologicalSorter
from itertools import chain, groupby, pairwise, product
from typing import Any

Pairs = Sequence[tuple[int, int]]
State = tuple[Any, ...]


def edges_of(rows: int, columns: int) -> list[list[int]]:
    """All rows, columns and diagonals of a flat board, from edge to edge."""
    cells = {divmod(cell, columns): cell for cell in range(rows * columns)}
    return [
        [cells[at] for i in range(max(rows, columns)) if (at := (row + i * down, column + i * right)) in cells]
        for row, column in cells
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1))
        if (row - down, column - right) not in cells
    ]


def put(board: str, cell: int, sign: str) -> str:
    """The board with a sign in a cell."""
    return board[:cell] + sign + board[cell + 1 :]


class Rules:
    """The rules of a game; ``result`` is ``win``, ``loss`` or ``draw`` for the player to move, None if it is on.

    By default players mark an empty cell each, on one flat board.
    """

    players = ("X", "O")
    start: State
    lines: Sequence[Sequence[int]]

    def __init__(self, *, rows: int = 3, columns: int = 3, in_a_row: int = 3, misere: bool = False) -> None:
        self.rows, self.columns = rows, columns
        edges = edges_of(rows, columns)
        self.lines = [edge[at : at + in_a_row] for edge in edges for at in range(len(edge) - in_a_row + 1)]
        self.end = "win" if misere else "loss"
        self.start = ("." * (rows * columns), 0)

    def holds(self, board: str, sign: str) -> bool:
        return any(all(board[cell] == sign for cell in line) for line in self.lines)

    def moves(self, state: State) -> list[str]:
        return [str(cell) for cell, found in enumerate(state[0]) if found == "."]

    def after(self, state: State, move: str) -> State:
        return put(state[0], int(move), "XO"[state[1]]), 1 - state[1]

    def result(self, state: State) -> str | None:
        raise NotImplementedError

    def text(self, state: State) -> str:
        return str(state[0])

    def read(self, text: str, turn: int) -> State:
        """Return the state of a text. Raises ValueError if the board has another size."""
        if len(text) != len(self.start[0]):
            raise ValueError("this is no board of the game")
        return text, turn

    def image(self, state: State, symmetry: Sequence[int]) -> State:
        """Return the state with each cell moved to another."""
        raise ValueError("certificates of this family have no symmetries")

    def breaks_lines(self, state: State, pairs: Pairs) -> bool:
        """Return whether the player who is not to move wins by an answer in the same one of the pairs."""
        raise ValueError("certificates of this family have no pairs")

    def record(self, move: str) -> object:
        """Return a move as a record of a game writes it."""
        return move

    def plies_of_draw(self, _state: State) -> int | None:
        """Return after how many plies every draw from here ends; None where that depends on play."""
        return None


class Wild(Rules):
    """Both players write X or O."""

    players = ("first", "second")

    def moves(self, state: State) -> list[str]:
        return [f"{sign}{cell}" for cell in super().moves(state) for sign in "XO"]

    def after(self, state: State, move: str) -> State:
        return put(state[0], int(move[1:]), move[0]), 1 - state[1]

    def result(self, state: State) -> str | None:
        if self.holds(state[0], "X") or self.holds(state[0], "O"):
            return self.end
        return None if "." in state[0] else "draw"


class OrderAndChaos(Wild):
    """Order wants a line of equal marks, Chaos a full board without one.

    Without overlines only a full board is judged, and a longer line does not count.
    """

    def __init__(self, *, first: str = "order", overlines: bool = True, **board: Any) -> None:
        super().__init__(**board)
        self.overlines = overlines
        self.edges = edges_of(self.rows, self.columns)
        self.in_a_row = board["in_a_row"]
        self.players = ("Order", "Chaos") if first == "order" else ("Chaos", "Order")

    def has_line(self, marks: Iterable[str]) -> bool:
        """Whether a full row, column or diagonal with these marks has a line."""
        runs = [len([*group]) for _, group in groupby(marks)]
        return any(run == self.in_a_row or (self.overlines and run > self.in_a_row) for run in runs)

    def result(self, state: State) -> str | None:
        board, turn = state
        if self.overlines and (self.holds(board, "X") or self.holds(board, "O")):
            winner = "Order"
        elif "." in board:
            return None
        else:
            winner = "Order" if any(self.has_line(board[cell] for cell in edge) for edge in self.edges) else "Chaos"
        return "win" if self.players[turn] == winner else "loss"

    def breaks_lines(self, state: State, pairs: Pairs) -> bool:
        """Chaos makes the marks of a pair different, or equal where they are the ends of a row a cell too long."""
        board, turn = state
        cells = [cell for pair in pairs for cell in pair]
        is_sound = len({*cells}) == len(cells) == 2 * len(pairs) and all(board[cell] == "." for cell in cells)
        can_answer = self.players[turn] == "Order" and board.count(".") % 2 == 0
        return is_sound and can_answer and not any(self.can_have_line(edge, board, pairs) for edge in self.edges)

    def can_have_line(self, edge: Sequence[int], board: str, pairs: Pairs) -> bool:
        """Whether marks in the empty cells of a row, column or diagonal can make a line in spite of the pairs."""
        too_long = not self.overlines and len(edge) == self.in_a_row + 1
        inside = [(edge.index(one), edge.index(two)) for one, two in pairs if {one, two} <= {*edge}]
        equal = [too_long and {*pair} == {0, len(edge) - 1} for pair in inside]
        return any(
            self.has_line(marks)
            for marks in product(*("XO" if board[cell] == "." else board[cell] for cell in edge))
            if equal == [marks[one] == marks[two] for one, two in inside]
        )


class Notakto(Rules):
    """Both players write X; a board with a line is dead."""

    players = ("first", "second")

    def __init__(self, *, boards: int = 1, misere: bool = True, **board: Any) -> None:
        super().__init__(misere=misere, **board)
        self.start = ((self.start[0],) * boards, 0)

    def moves(self, state: State) -> list[str]:
        return [
            cell if len(state[0]) == 1 else f"{number}.{cell}"
            for number, board in enumerate(state[0])
            if not self.holds(board, "X")
            for cell in super(Notakto, self).moves((board,))
        ]

    def after(self, state: State, move: str) -> State:
        number, cell = map(int, f"0.{move}".split(".")[-2:])
        boards = list(state[0])
        boards[number] = put(boards[number], cell, "X")
        return tuple(boards), 1 - state[1]

    def result(self, state: State) -> str | None:
        return self.end if all(self.holds(board, "X") for board in state[0]) else None

    def text(self, state: State) -> str:
        return "/".join(state[0])

    def read(self, text: str, turn: int) -> State:
        boards = tuple(text.split("/"))
        if [*map(len, boards)] != [*map(len, self.start[0])]:
            raise ValueError("this is no board of the game")
        return boards, turn


class Numerical(Rules):
    """Odd digits against even ones; a line of three that adds up to 15 ends the game."""

    players = ("odd", "even")

    def moves(self, state: State) -> list[str]:
        digits = [digit for digit in ("13579", "2468")[state[1]] if digit not in state[0]]
        return [f"{digit}@{cell}" for cell in super().moves(state) for digit in digits]

    def after(self, state: State, move: str) -> State:
        digit, cell = move.split("@")
        return put(state[0], int(cell), digit), 1 - state[1]

    def result(self, state: State) -> str | None:
        lines = [[state[0][cell] for cell in line] for line in self.lines]
        if any("." not in line and sum(map(int, line)) == 15 for line in lines):
            return self.end
        return None if "." in state[0] else "draw"


class Vanishing(Rules):
    """A state is the cells of X and of O, the oldest first."""

    def __init__(self, *, marks: int = 3, remove: str = "before", **board: Any) -> None:
        super().__init__(**board)
        self.marks, self.remove = marks, remove
        self.start = ((), (), 0)

    def moves(self, state: State) -> list[str]:
        taken = [*state[0], *state[1]]
        own = state[state[2]]
        if self.remove == "before" and len(own) == self.marks:
            taken.remove(own[0])
        return [str(cell) for cell in range(self.rows * self.columns) if cell not in taken]

    def has_line(self, cells: tuple[int, ...]) -> bool:
        return any({*line} <= {*cells} for line in self.lines)

    def after(self, state: State, move: str) -> State:
        x, o, turn = state
        own = ((x, o)[turn]) + (int(move),)
        if len(own) > self.marks and not (self.remove == "after" and self.has_line(own)):
            own = own[1:]
        return (own, o, 1) if turn == 0 else (x, own, 0)

    def result(self, state: State) -> str | None:
        if self.has_line(state[1 - state[2]]):
            return self.end
        return None if self.moves(state) else "draw"

    def text(self, state: State) -> str:
        x, o = ("-".join(map(str, cells)) for cells in state[:2])
        return f"X{x}/O{o}"

    def read(self, text: str, turn: int) -> State:
        x, o = (tuple(map(int, re.findall(r"\d+", cells))) for cells in text.split("/"))
        return x, o, turn


SQUARE = "0-1 1-2 3-4 4-5 6-7 7-8 0-3 3-6 1-4 4-7 2-5 5-8"
THROUGH_THE_CENTRE = " 0-4 2-4 6-4 8-4"
AROUND_THE_CENTRE = " 1-3 1-5 3-7 5-7"
CROSSINGS = {9: (0, 1, 3, 4), 10: (1, 2, 4, 5), 11: (3, 4, 6, 7), 12: (4, 5, 7, 8)}
LARGE_LINES = "0-9-4 9-4-12 4-12-8 2-10-4 10-4-11 4-11-6 1-9-3 1-10-5 3-11-7 5-12-7"

MILLS = "0-1-2 2-9-15 13-14-15 0-6-13 3-4-5 5-8-12 10-11-12 3-7-10"
JOINTS = "1-4 6-7 8-9 11-14"
"""Two squares with a point in the middle of each side, and the lines that join them there."""


class Morris(Rules):
    """Pieces are placed on points, then moved along the lines of the board."""

    middle = 4

    def __init__(  # noqa: PLR0913, the rules have that many
        self,
        *,
        points: int = 9,
        marks: int = 3,
        moves: str = "orthogonal",
        diagonals_win: bool = True,
        stuck: str = "loss",
        centre: str = "open",
    ) -> None:
        super().__init__()
        self.marks, self.stuck, self.centre = marks, stuck, centre
        self.near: dict[int, set[int]] = defaultdict(set)
        drawn = SQUARE
        if points == 9 and moves in ("diagonals", "king"):
            drawn += THROUGH_THE_CENTRE + (AROUND_THE_CENTRE if moves == "king" else "")
        if points == 13 and moves == "diagonals":
            drawn += "".join(f" {crossing}-{point}" for crossing, four in CROSSINGS.items() for point in four)
        if moves == "fly":
            drawn = " ".join(f"{start}-{end}" for start in range(points) for end in range(start))
        for joined in drawn.split():
            start, end = map(int, joined.split("-"))
            self.near[start].add(end)
            self.near[end].add(start)
        if not diagonals_win or points == 13:
            self.lines = [line for line in self.lines if line not in ([0, 4, 8], [2, 4, 6])]
        if diagonals_win and points == 13:
            self.lines = [*self.lines, *([*map(int, line.split("-"))] for line in LARGE_LINES.split())]
        self.start = ("." * points, 0)

    def moves(self, state: State) -> list[str]:
        board, turn = state
        own = "XO"[turn]
        empty = [point for point, found in enumerate(board) if found == "."]
        if board.count(own) < self.marks:
            shut = self.centre == "closed" or (self.centre == "not-first" and len(empty) == len(board))
            return [str(point) for point in empty if not (shut and point == self.middle)]
        return [
            f"{point}>{end}"
            for point, found in enumerate(board)
            if found == own
            for end in empty
            if end in self.near[point]
        ]

    def after(self, state: State, move: str) -> State:
        board, turn = state
        *start, end = map(int, move.split(">"))
        for point in start:
            board = put(board, point, ".")
        return put(board, end, "XO"[turn]), 1 - turn

    def result(self, state: State) -> str | None:
        board, turn = state
        if self.holds(board, "OX"[turn]):
            return "loss"
        return None if self.moves(state) else self.stuck


class Teeko(Morris):
    """Four pieces each are placed, then moved to any cell beside; four in a row win, and the corners of a square."""

    def __init__(self, *, side: int = 5, squares: str = "small", centre: str = "open") -> None:
        Rules.__init__(self, rows=side, columns=side, in_a_row=4)
        self.marks, self.stuck, self.centre = 4, "loss", centre if side % 2 else "open"
        places = {(row, column): row * side + column for row in range(side) for column in range(side)}
        self.middle = side * side // 2
        self.near = {
            cell: {places.get((row + down, column + right), cell) for down in (-1, 0, 1) for right in (-1, 0, 1)}
            for (row, column), cell in places.items()
        }
        for row, column in places:
            for step in range(1, side if squares == "all" else 2):
                corners = [places.get((row + down, column + right)) for down in (0, step) for right in (0, step)]
                if None not in corners:
                    self.lines = [*self.lines, [corner for corner in corners if corner is not None]]


class PopOut(Rules):
    """A state is the columns, each from its lowest disc up."""

    def __init__(self, *, in_a_row: int = 4, both: str = "mover-wins", **board: Any) -> None:
        super().__init__(in_a_row=in_a_row, **board)
        self.both = both
        self.start = (("",) * self.columns, 0)

    def moves(self, state: State) -> list[str]:
        columns, turn = state
        drops = [f"d{number}" for number, column in enumerate(columns) if len(column) < self.rows]
        return drops + [f"p{number}" for number, column in enumerate(columns) if column[:1] == "XO"[turn]]

    def after(self, state: State, move: str) -> State:
        columns, turn = list(state[0]), state[1]
        number = int(move[1:])
        columns[number] = columns[number] + "XO"[turn] if move[0] == "d" else columns[number][1:]
        return tuple(columns), 1 - turn

    def result(self, state: State) -> str | None:
        board, turn = self.text(state), state[1]
        mine, theirs = (self.holds(board, sign) for sign in ("XO"[turn], "OX"[turn]))
        if mine and theirs:
            return {"mover-wins": "loss", "opponent-wins": "win", "draw": "draw"}[self.both]
        if mine or theirs:
            return "win" if mine else "loss"
        return None if self.moves(state) else "draw"

    def text(self, state: State) -> str:
        full = [column.ljust(self.rows, ".") for column in state[0]]
        return "".join(column[height] for height in reversed(range(self.rows)) for column in full)

    def read(self, text: str, turn: int) -> State:
        return tuple(text[column :: self.columns][::-1].rstrip(".") for column in range(self.columns)), turn


class Exactly(Rules):
    """A run of marks counts only if it has exactly the length of a line."""

    def __init__(self, *, in_a_row: int, **board: Any) -> None:
        super().__init__(in_a_row=in_a_row, **board)
        self.length, self.edges = in_a_row, edges_of(self.rows, self.columns)

    def result(self, state: State) -> str | None:
        board, mover, other = state[0], "OX"[state[1]], "XO"[state[1]]
        for edge in self.edges:
            if mover * self.length in "".join(board[cell] for cell in edge).replace(other, ".").split("."):
                return self.end
        return None if "." in board else "draw"


class Neighbours(Rules):
    """Col and Snort: a player may not mark a cell beside their own marks, or beside those of the other."""

    def __init__(self, *, apart: str = "own", **board: Any) -> None:
        super().__init__(**board)
        self.apart = apart
        places = [divmod(cell, self.columns) for cell in range(self.rows * self.columns)]
        self.beside = [
            [cell for cell, (down, right) in enumerate(places) if {abs(down - row), abs(right - column)} == {0, 1}]
            for row, column in places
        ]

    def moves(self, state: State) -> list[str]:
        board, turn = state
        shunned = "XO"[turn] if self.apart == "own" else "OX"[turn]
        return [
            cell for cell in super().moves(state) if shunned not in (board[near] for near in self.beside[int(cell)])
        ]

    def result(self, state: State) -> str | None:
        return None if self.moves(state) else self.end


class Mills(Rules):
    """Pieces are placed, then moved; three in a row on a side, a mill, take one of the other player.

    A state is the points, the pieces that X and O have in hand, and the player to move.
    """

    def __init__(self, *, marks: int = 6) -> None:
        super().__init__()
        self.start = ("." * 16, (marks, marks), 0)
        self.lines = [[*map(int, mill.split("-"))] for mill in MILLS.split()]
        self.near: dict[int, set[int]] = defaultdict(set)
        for line in [*self.lines, *([*map(int, joint.split("-"))] for joint in JOINTS.split())]:
            for start, end in pairwise(line):
                self.near[start].add(end)
                self.near[end].add(start)

    def moves(self, state: State) -> list[str]:
        board, hands, turn = state
        own = "XO"[turn]
        if hands[turn]:
            acts = [str(point) for point in range(16) if board[point] == "."]
        else:
            starts = [point for point in range(16) if board[point] == own]
            acts = [f"{start}>{end}" for start in starts for end in self.near[start] if board[end] == "."]
        return [f"{act}{taking}" for act in acts for taking in self.taking(state, act)]

    def in_mill(self, board: str, point: int) -> bool:
        """Whether the piece on a point stands in a mill."""
        return any(point in line and {board[each] for each in line} == {board[point]} for line in self.lines)

    def taking(self, state: State, act: str) -> list[str]:
        """The ways to go on after a piece was placed or moved: ``x`` and the point of each piece that it may take."""
        board, other = self.acted(state, act), "OX"[state[-1]]
        *_, end = map(int, act.split(">"))
        if not self.in_mill(board, end):
            return [""]
        pieces = [point for point in range(16) if board[point] == other]
        return [f"x{point}" for point in [one for one in pieces if not self.in_mill(board, one)] or pieces]

    def acted(self, state: State, act: str) -> str:
        """The board after a piece was placed or moved."""
        board, _, turn = state
        *start, end = map(int, act.split(">"))
        for point in start:
            board = put(board, point, ".")
        return put(board, end, "XO"[turn])

    def after(self, state: State, move: str) -> State:
        act, _, taken = move.partition("x")
        board, hands, turn = self.acted(state, act), [*state[1]], state[-1]
        hands[turn] -= ">" not in act
        return put(board, int(taken), ".") if taken else board, tuple(hands), 1 - turn

    def result(self, state: State) -> str | None:
        board, hands, turn = state
        left = board.count("XO"[turn]) + hands[turn]
        return None if left > 2 and self.moves(state) else "loss"

    def text(self, state: State) -> str:
        board, (x, o), _ = state
        return f"{board};{x}/{o}"

    def read(self, text: str, turn: int) -> State:
        board, hands = text.split(";")
        x, o = map(int, hands.split("/"))
        if len(board) != 16:
            raise ValueError("this is no board of the game")
        return board, (x, o), turn

    def image(self, state: State, symmetry: Sequence[int]) -> State:
        """Return the state with its pieces moved, by a symmetry that keeps the mills and the lines."""
        board, hands, turn = state
        near = {symmetry[start]: {symmetry[end] for end in ends} for start, ends in self.near.items()}
        mills = sorted(sorted(symmetry[point] for point in mill) for mill in self.lines)
        if near != self.near or mills != sorted(map(sorted, self.lines)):
            raise ValueError("a symmetry changes the rules")
        return "".join(board[symmetry.index(point)] for point in range(16)), hands, turn


class Dao(Rules):
    """Each player slides one of four pieces as far as it goes."""

    def __init__(self, *, trapped_wins: bool = True) -> None:
        self.trapped_wins = trapped_wins
        self.start = ("X..O.XO..OX.O..X", 0)

    def moves(self, state: State) -> list[str]:
        board, turn = state
        starts = [cell for cell, found in enumerate(board) if found == "XO"[turn]]
        return [f"{start}>{end}" for start in starts for end in self.ends(board, start)]

    def ends(self, board: str, start: int) -> list[int]:
        """The cells where a piece can stop."""
        found = []
        for down, right in ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)):
            row, column = divmod(start, 4)
            while {row + down, column + right} <= set(range(4)) and board[4 * (row + down) + column + right] == ".":
                row, column = row + down, column + right
            if 4 * row + column != start:
                found.append(4 * row + column)
        return found

    def after(self, state: State, move: str) -> State:
        start, end = map(int, move.split(">"))
        return put(put(state[0], start, "."), end, "XO"[state[1]]), 1 - state[1]

    def result(self, state: State) -> str | None:
        board, turn = state
        own, other = "XO"[turn], "OX"[turn]
        rows, columns = zip(*(divmod(cell, 4) for cell, found in enumerate(board) if found == other), strict=True)
        sides = max(rows) - min(rows), max(columns) - min(columns)
        filled = len({*rows}) * len({*columns}) == 4
        if filled and (0 in sides or sides in ((1, 1), (3, 3))):
            return "loss"
        corners = ((0, (1, 4, 5)), (3, (2, 6, 7)), (12, (8, 9, 13)), (15, (10, 11, 14)))
        trapped = any(
            board[corner] == own and {board[cell] for cell in around} == {other} for corner, around in corners
        )
        return "win" if trapped and self.trapped_wins else None


class Quixo(Rules):
    """A cube from the edge is taken and pushed in again, with the mark of the player who does so."""

    def __init__(self, *, side: int = 4) -> None:
        super().__init__(rows=side, columns=side, in_a_row=side)
        ranks = [[side * row + column for column in range(side)] for row in range(side)]
        self.ranks = [*ranks, *map(list, zip(*ranks, strict=True))]
        edge = {*self.ranks[0], *self.ranks[side - 1], *self.ranks[side], *self.ranks[-1]}
        self.takes = [
            (start, end) for start in edge for rank in self.ranks if start in rank for end in (rank[0], rank[-1])
        ]

    def moves(self, state: State) -> list[str]:
        board, turn = state
        return [f"{start}>{end}" for start, end in self.takes if start != end and board[start] != "OX"[turn]]

    def after(self, state: State, move: str) -> State:
        board, turn = state
        start, end = map(int, move.split(">"))
        (rank,) = [cells for cells in self.ranks if start in cells and end in cells]
        others = [board[cell] for cell in rank if cell != start]
        pushed = [*others, "XO"[turn]] if end == rank[-1] else ["XO"[turn], *others]
        for cell, mark in zip(rank, pushed, strict=True):
            board = put(board, cell, mark)
        return board, 1 - turn

    def result(self, state: State) -> str | None:
        board, turn = state
        return "win" if self.holds(board, "XO"[turn]) else "loss" if self.holds(board, "OX"[turn]) else None


class Ultimate(Rules):
    """A state is the nine boards, their owners, the board to play in or None, and the player to move."""

    def __init__(self, *, finished: str = "closed", full_board: str = "draw", misere: bool = False) -> None:
        super().__init__()
        self.closed, self.counts, self.misere = finished == "closed", full_board == "most-boards", misere
        self.start = ((".........",) * 9, ".........", None, 0)

    def is_open(self, boards: tuple[str, ...], owners: str, board: int) -> bool:
        """Whether somebody can play on a board."""
        return "." in boards[board] and not (self.closed and owners[board] != ".")

    def moves(self, state: State) -> list[str]:
        boards, owners, forced, _ = state
        return [
            f"{board}.{cell}"
            for board in range(9)
            if forced in (None, board) and self.is_open(boards, owners, board)
            for cell in range(9)
            if boards[board][cell] == "."
        ]

    def after(self, state: State, move: str) -> State:
        boards, owners, _, turn = state
        board, cell = map(int, move.split("."))
        marked = put(boards[board], cell, "XO"[turn])
        boards = (*boards[:board], marked, *boards[board + 1 :])
        if owners[board] == "." and self.holds(marked, "XO"[turn]):
            owners = put(owners, board, "XO"[turn])
        return boards, owners, cell if self.is_open(boards, owners, cell) else None, 1 - turn

    def result(self, state: State) -> str | None:
        boards, owners, _, turn = state
        own, other = "XO"[turn], "OX"[turn]
        ahead = self.holds(owners, own) - self.holds(owners, other)
        if not ahead and any(self.is_open(boards, owners, board) for board in range(9)):
            return None
        if not ahead and self.counts:
            ahead = owners.count(own) - owners.count(other)
        if not ahead:
            return "draw"
        return "win" if (ahead > 0) != self.misere else "loss"

    def text(self, state: State) -> str:
        boards, owners, forced, _ = state
        unclear = any(self.holds(board, "X") and self.holds(board, "O") for board in boards)
        rest = ";".join(["*" if forced is None else str(forced), *([owners] if unclear else [])])
        return f"{'/'.join(boards)};{rest}"

    def read(self, text: str, turn: int) -> State:
        cells, forced, *owners = text.split(";")
        boards = tuple(cells.split("/"))
        lined = ["X" if self.holds(board, "X") else "O" if self.holds(board, "O") else "." for board in boards]
        return boards, "".join([*owners, *lined][: 1 if owners else 9]), None if forced == "*" else int(forced), turn

    def image(self, state: State, symmetry: Sequence[int]) -> State:
        """Return the state with the nine boards moved, and the cells of each in the same way."""
        boards, owners, forced, turn = state
        source = [symmetry.index(place) for place in range(9)]
        if sorted(sorted(symmetry[cell] for cell in line) for line in self.lines) != sorted(map(sorted, self.lines)):
            raise ValueError("a symmetry changes the rules")
        boards, owners = (
            ["".join(board[cell] for cell in source) for board in boards],
            "".join(owners[cell] for cell in source),
        )
        return tuple(boards[board] for board in source), owners, None if forced is None else symmetry[forced], turn


RULES: dict[str, type[Rules]] = {
    "wild": Wild,
    "order-and-chaos": OrderAndChaos,
    "notakto": Notakto,
    "numerical": Numerical,
    "vanishing": Vanishing,
    "morris": Morris,
    "mills": Mills,
    "teeko": Teeko,
    "pop-out": PopOut,
    "exactly": Exactly,
    "neighbours": Neighbours,
    "dao": Dao,
    "quixo": Quixo,
    "ultimate": Ultimate,
}


class Claim:
    """The claim that the holder gets at least a win or a draw; an entry for each position with the holder to move."""

    def __init__(self, rules: Rules, symmetries: Sequence[Sequence[int]], holder: str, at_least: str) -> None:
        self.rules, self.symmetries = rules, symmetries
        self.turn, self.wins = rules.players.index(holder), {"win": True, "draw": False}[at_least]
        self.entries = dict[str, tuple[str, Pairs]]()

    def require(self, holds: object, why: str, state: State) -> None:
        if not holds:
            raise ValueError(f"In {self.rules.text(state)}, {why}")

    def add(self, text: str, move: str | int, pairs: Pairs = ()) -> None:
        """Add an entry: the holder's move, and the pairs that answer all later moves."""
        if text in self.entries:
            raise ValueError(f"{text} has two entries")
        self.entries[text] = str(move), pairs

    def check(self, start: State) -> None:
        """Follow the holder's moves and every reply. A holder who has to win must not come to a position twice."""
        following = dict[State, list[State]]()
        waiting = self.entered([start] if start[-1] == self.turn else self.replies(start))
        while waiting:
            state = waiting.pop()
            if state not in following:
                following[state] = self.entered(self.after_entry(state))
                waiting += following[state]
        if self.wins:
            TopologicalSorter(following).prepare()

    def is_over(self, state: State) -> bool:
        """Whether the game is over, and as it should be."""
        result, own = self.rules.result(state), "win" if state[-1] == self.turn else "loss"
        self.require(result in (None, own, None if self.wins else "draw"), "the claim fails", state)
        self.require(result or self.rules.moves(state), "nobody can move", state)
        return result is not None

    def replies(self, state: State) -> list[State]:
        return [] if self.is_over(state) else [self.rules.after(state, reply) for reply in self.rules.moves(state)]

    def entered(self, states: Iterable[State]) -> list[State]:
        """Return for each state that is not over itself, or its first image that has an entry."""
        return [self.with_entry(state) for state in states if not self.is_over(state)]

    def with_entry(self, state: State) -> State:
        images = (self.rules.image(state, symmetry) for symmetry in self.symmetries)
        found = next((each for each in chain([state], images) if self.rules.text(each) in self.entries), None)
        self.require(found, "there is no entry", state)
        return found or state

    def after_entry(self, state: State) -> list[State]:
        """Return the states after the holder's move and each reply; none if pairs answer them all."""
        move, pairs = self.entries[self.rules.text(state)]
        self.require(move in self.rules.moves(state), f"the holder cannot play {move}", state)
        after = self.rules.after(state, move)
        if not pairs:
            return self.replies(after)
        self.require(self.rules.breaks_lines(after, pairs), "the pairs do not break every line", state)
        return []


def check(lines: Iterable[str]) -> str:
    """Return what the certificate in these lines proves. Raises ValueError if it does not."""
    header, *rest = map(json.loads, [*lines] or ["null"])
    names = ["certificate", "family", "parameters", "position", "player", "outcome", "symmetries"]
    if not isinstance(header, dict) or [*header] != names or header["certificate"] != 2:
        raise ValueError("this is no header of a family in this version of the format")
    rules = RULES[header["family"]](**header["parameters"])
    turn = rules.players.index(header["player"])
    player, opponent = rules.players[turn], rules.players[1 - turn]
    start = rules.read(header["position"], turn)
    if rules.text(start) != header["position"]:
        raise ValueError("this is no position of the game")
    winners = {"win": [(player, "win")], "loss": [(opponent, "win")], "draw": [(player, "draw"), (opponent, "draw")]}
    wanted = [{"holder": holder, "at_least": least} for holder, least in winners[header["outcome"]]]
    if [line for line in rest if isinstance(line, dict)] != wanted:
        raise ValueError("the claims do not make the outcome")
    claims: list[Claim] = []
    for line in rest:
        if isinstance(line, dict):
            claims.append(Claim(rules, header["symmetries"], **line))
        else:
            claims[-1].add(*line)
    for claim in claims:
        claim.check(start)
    return ", ".join(f"{name} {value}" for name, value in header.items() if name != "symmetries")


if __name__ == "__main__":
    try:
        with open(sys.argv[1] if sys.argv[1:] else 0, encoding="utf-8") as text:  # noqa: PTH123, 0 is standard input
            sys.stdout.write(f"The claim holds: {check(text)}.\n")
    except CycleError:
        sys.exit("The claim does not hold: the holder can come to a position again, and so does not have to win.")
    except (OSError, LookupError, TypeError, ValueError, AttributeError) as error:
        sys.exit(f"The claim does not hold: {error if isinstance(error, ValueError) else repr(error)}.")
