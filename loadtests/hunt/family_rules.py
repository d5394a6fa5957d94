"""The rules of all families a second time, as slowly and as plainly as a person would play them.

Nothing here is shared with the service: boards are texts and lists, states are tuples that end with the player to move
(0 for the one who began), moves have the names of the notation. Values are found by following the moves back from the
ends (``solve``), or forward for a few plies (``decided``).
"""

from collections import defaultdict, deque
from collections.abc import Iterator
from math import inf
from typing import Any

State = tuple[Any, ...]
Value = tuple[str, int | None]
"""The outcome for the player to move and the plies to the end; None for a draw."""


def rows_of(rows: int, columns: int, length: int) -> list[list[int]]:
    """All lines of that length on a flat board."""
    found = []
    for row in range(rows):
        for column in range(columns):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                points = [(row + i * down, column + i * right) for i in range(length)]
                if all(0 <= r < rows and 0 <= c < columns for r, c in points):
                    found.append([r * columns + c for r, c in points])
    return found


def put(board: str, cell: int, sign: str) -> str:
    """The board with a sign in a cell."""
    return board[:cell] + sign + board[cell + 1 :]


def holds(board: str, lines: list[list[int]], sign: str) -> bool:
    """Whether a sign fills a line."""
    return any(all(board[cell] == sign for cell in line) for line in lines)


class Rules:
    """The rules of a game; ``result`` is ``win``, ``loss`` or ``draw`` for the player to move, None if it is on."""

    players = ("X", "O")
    start: State

    def moves(self, state: State) -> list[str]:
        """Return the names of the legal moves of a game that goes on."""
        raise NotImplementedError

    def after(self, state: State, move: str) -> State:
        """Return the state after a move."""
        raise NotImplementedError

    def result(self, state: State) -> str | None:
        """Return the outcome for the player to move; None while the game goes on."""
        raise NotImplementedError

    def text(self, state: State) -> str:
        """Return the board as requests and answers write it."""
        return str(state[0])

    def record(self, move: str) -> object:
        """Return a move as a record of a game writes it."""
        return move

    def plies_of_draw(self, _state: State) -> int | None:
        """Return after how many plies every draw from here ends; None where that depends on play."""
        return None


class Wild(Rules):
    """Both players write X or O."""

    players = ("first", "second")

    def __init__(self, *, rows: int, columns: int, in_a_row: int, misere: bool = False) -> None:
        self.lines = rows_of(rows, columns, in_a_row)
        self.misere = misere
        self.start = ("." * (rows * columns), 0)

    def moves(self, state: State) -> list[str]:
        return [f"{sign}{cell}" for cell, found in enumerate(state[0]) if found == "." for sign in "XO"]

    def after(self, state: State, move: str) -> State:
        return put(state[0], int(move[1:]), move[0]), 1 - state[1]

    def has_line(self, board: str) -> bool:
        return holds(board, self.lines, "X") or holds(board, self.lines, "O")

    def result(self, state: State) -> str | None:
        if self.has_line(state[0]):
            return "win" if self.misere else "loss"
        return None if "." in state[0] else "draw"


class OrderAndChaos(Wild):
    """Order wants a line of equal marks, Chaos a full board without one."""

    def __init__(self, *, rows: int, columns: int, in_a_row: int, first: str = "order") -> None:
        super().__init__(rows=rows, columns=columns, in_a_row=in_a_row)
        self.players = ("Order", "Chaos") if first == "order" else ("Chaos", "Order")

    def result(self, state: State) -> str | None:
        if self.has_line(state[0]):
            return "win" if self.players[state[1]] == "Order" else "loss"
        if "." in state[0]:
            return None
        return "win" if self.players[state[1]] == "Chaos" else "loss"


class Notakto(Rules):
    """Both players write X; a board with a line is dead."""

    players = ("first", "second")

    def __init__(
        self, *, boards: int = 1, rows: int = 3, columns: int = 3, in_a_row: int = 3, misere: bool = True
    ) -> None:
        self.end = "win" if misere else "loss"
        self.lines = rows_of(rows, columns, in_a_row)
        self.start = (("." * (rows * columns),) * boards, 0)

    def dead(self, board: str) -> bool:
        return holds(board, self.lines, "X")

    def moves(self, state: State) -> list[str]:
        return [
            str(cell) if len(state[0]) == 1 else f"{number}.{cell}"
            for number, board in enumerate(state[0])
            if not self.dead(board)
            for cell, found in enumerate(board)
            if found == "."
        ]

    def after(self, state: State, move: str) -> State:
        number, cell = map(int, f"0.{move}".split(".")[-2:])
        boards = list(state[0])
        boards[number] = put(boards[number], cell, "X")
        return tuple(boards), 1 - state[1]

    def result(self, state: State) -> str | None:
        return self.end if all(self.dead(board) for board in state[0]) else None

    def text(self, state: State) -> str:
        return "/".join(state[0])


class Numerical(Rules):
    """Odd digits against even ones; a line of three that adds up to 15 ends the game."""

    players = ("odd", "even")

    def __init__(self, *, misere: bool = False) -> None:
        self.lines = rows_of(3, 3, 3)
        self.misere = misere
        self.start = (".........", 0)

    def moves(self, state: State) -> list[str]:
        board, turn = state
        digits = [digit for digit in ("13579", "2468")[turn] if digit not in board]
        return [f"{digit}@{cell}" for cell, found in enumerate(board) if found == "." for digit in digits]

    def after(self, state: State, move: str) -> State:
        digit, cell = move.split("@")
        return put(state[0], int(cell), digit), 1 - state[1]

    def result(self, state: State) -> str | None:
        for line in self.lines:
            digits = [state[0][cell] for cell in line]
            if "." not in digits and sum(map(int, digits)) == 15:
                return "win" if self.misere else "loss"
        return None if "." in state[0] else "draw"


class Vanishing(Rules):
    """A state is the cells of X and of O, the oldest first."""

    def __init__(  # noqa: PLR0913, the rules have that many
        self,
        *,
        rows: int = 3,
        columns: int = 3,
        in_a_row: int = 3,
        marks: int = 3,
        remove: str = "before",
        misere: bool = False,
    ) -> None:
        self.lines = [set(line) for line in rows_of(rows, columns, in_a_row)]
        self.cells = rows * columns
        self.marks, self.remove, self.misere = marks, remove, misere
        self.start = ((), (), 0)

    def moves(self, state: State) -> list[str]:
        taken = [*state[0], *state[1]]
        own = state[state[2]]
        if self.remove == "before" and len(own) == self.marks:
            taken.remove(own[0])
        return [str(cell) for cell in range(self.cells) if cell not in taken]

    def has_line(self, cells: tuple[int, ...]) -> bool:
        return any(line.issubset(cells) for line in self.lines)

    def after(self, state: State, move: str) -> State:
        x, o, turn = state
        own = ((x, o)[turn]) + (int(move),)
        if len(own) > self.marks and not (self.remove == "after" and self.has_line(own)):
            own = own[1:]
        return (own, o, 1) if turn == 0 else (x, own, 0)

    def result(self, state: State) -> str | None:
        if self.has_line(state[1 - state[2]]):
            return "win" if self.misere else "loss"
        return None if self.moves(state) else "draw"

    def text(self, state: State) -> str:
        x, o = ("-".join(map(str, cells)) for cells in state[:2])
        return f"X{x}/O{o}"


SQUARE = "0-1 1-2 3-4 4-5 6-7 7-8 0-3 3-6 1-4 4-7 2-5 5-8"
THROUGH_THE_CENTRE = " 0-4 2-4 6-4 8-4"
AROUND_THE_CENTRE = " 1-3 1-5 3-7 5-7"
CROSSINGS = {9: (0, 1, 3, 4), 10: (1, 2, 4, 5), 11: (3, 4, 6, 7), 12: (4, 5, 7, 8)}
LARGE_LINES = "0-9-4 9-4-12 4-12-8 2-10-4 10-4-11 4-11-6 1-9-3 1-10-5 3-11-7 5-12-7"
CENTRE = 4


class Morris(Rules):
    """Pieces are placed on points, then moved along the lines of the board."""

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
        self.lines = rows_of(3, 3, 3)
        if not diagonals_win or points == 13:
            self.lines = [line for line in self.lines if line not in ([0, 4, 8], [2, 4, 6])]
        if diagonals_win and points == 13:
            self.lines += [[*map(int, line.split("-"))] for line in LARGE_LINES.split()]
        self.start = ("." * points, 0)

    def moves(self, state: State) -> list[str]:
        board, turn = state
        own = "XO"[turn]
        empty = [point for point, found in enumerate(board) if found == "."]
        if board.count(own) < self.marks:
            shut = self.centre == "closed" or (self.centre == "not-first" and len(empty) == len(board))
            return [str(point) for point in empty if not (shut and point == CENTRE)]
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
        if holds(board, self.lines, "OX"[turn]):
            return "loss"
        return None if self.moves(state) else self.stuck


class PopOut(Rules):
    """A state is the columns, each from its lowest disc up."""

    def __init__(self, *, rows: int, columns: int, in_a_row: int = 4, both: str = "mover-wins") -> None:
        self.rows, self.columns, self.both = rows, columns, both
        self.lines = rows_of(rows, columns, in_a_row)
        self.start = (("",) * columns, 0)

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
        mine, theirs = (holds(board, self.lines, sign) for sign in ("XO"[turn], "OX"[turn]))
        if mine and theirs:
            return {"mover-wins": "loss", "opponent-wins": "win", "draw": "draw"}[self.both]
        if mine or theirs:
            return "win" if mine else "loss"
        return None if self.moves(state) else "draw"

    def text(self, state: State) -> str:
        full = [column.ljust(self.rows, ".") for column in state[0]]
        return "".join(column[height] for height in reversed(range(self.rows)) for column in full)


class Exactly(Rules):
    """A run of marks counts only if it has exactly the length of a line."""

    def __init__(self, *, rows: int, columns: int, in_a_row: int, misere: bool = False) -> None:
        self.rows, self.columns, self.length, self.misere = rows, columns, in_a_row, misere
        longest = max(rows, columns)
        # Rows, columns and diagonals from edge to edge: a maximal run is a part of one between other signs.
        whole: list[list[int]] = []
        for length in range(longest, 0, -1):
            whole += [line for line in rows_of(rows, columns, length) if not self.inside(line, whole)]
        self.whole = whole
        self.start = ("." * (rows * columns), 0)

    @staticmethod
    def inside(line: list[int], longer: list[list[int]]) -> bool:
        """Whether a line is a part of another in its direction."""
        text = f",{','.join(map(str, line))},"
        return len(line) > 1 and any(text in f",{','.join(map(str, other))}," for other in longer)

    def moves(self, state: State) -> list[str]:
        return [str(cell) for cell, found in enumerate(state[0]) if found == "."]

    def after(self, state: State, move: str) -> State:
        return put(state[0], int(move), "XO"[state[1]]), 1 - state[1]

    def result(self, state: State) -> str | None:
        board, mover = state[0], "OX"[state[1]]
        other = "XO"[state[1]]
        for line in self.whole:
            runs = "".join(board[cell] for cell in line).replace(other, ".").split(".")
            if mover * self.length in runs:
                return "win" if self.misere else "loss"
        return None if "." in board else "draw"


class Neighbours(Rules):
    """Col and Snort: a player may not mark a cell beside their own marks, or beside those of the other."""

    def __init__(self, *, rows: int, columns: int, apart: str = "own", misere: bool = False) -> None:
        self.apart, self.misere = apart, misere
        places = [divmod(cell, columns) for cell in range(rows * columns)]
        self.beside = [
            [cell for cell, (down, right) in enumerate(places) if {abs(down - row), abs(right - column)} == {0, 1}]
            for row, column in places
        ]
        self.start = ("." * (rows * columns), 0)

    def moves(self, state: State) -> list[str]:
        board, turn = state
        shunned = "XO"[turn] if self.apart == "own" else "OX"[turn]
        return [
            str(cell)
            for cell, found in enumerate(board)
            if found == "." and shunned not in (board[near] for near in self.beside[cell])
        ]

    def after(self, state: State, move: str) -> State:
        return put(state[0], int(move), "XO"[state[1]]), 1 - state[1]

    def result(self, state: State) -> str | None:
        if self.moves(state):
            return None
        return "win" if self.misere else "loss"


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


RULES: dict[str, type[Rules]] = {
    "wild": Wild,
    "order-and-chaos": OrderAndChaos,
    "notakto": Notakto,
    "numerical": Numerical,
    "vanishing": Vanishing,
    "morris": Morris,
    "pop-out": PopOut,
    "exactly": Exactly,
    "neighbours": Neighbours,
    "dao": Dao,
}

Graph = dict[State, dict[str, State]]
"""For each state the state after each move; no moves where the game is over."""


class TooManyStates(Exception):
    """A game has more states than the graph may have."""


def graph_of(rules: Rules, *roots: State, most: float = inf) -> Graph:
    """Find all states that play can reach, by default from the start. Raises TooManyStates beyond ``most``."""
    found: Graph = {}
    waiting = [*reversed(roots or [rules.start])]
    while waiting:
        state = waiting.pop()
        if state in found:
            continue
        if len(found) == most:
            raise TooManyStates
        over = rules.result(state) is not None
        found[state] = {} if over else {move: rules.after(state, move) for move in rules.moves(state)}
        waiting.extend(found[state].values())
    return found


def solve(rules: Rules, graph: Graph) -> dict[State, Value]:
    """The value of each state: what is not decided in the end is a draw."""
    before: dict[State, list[State]] = defaultdict(list)
    open_moves: dict[State, int] = {}
    values: dict[State, Value] = {}
    for state, moves in graph.items():
        open_moves[state] = len(moves)
        for after in moves.values():
            before[after].append(state)
        outcome = None if moves else rules.result(state)
        if outcome in ("win", "loss"):
            values[state] = (outcome, 0)
    waiting = deque(values)
    while waiting:  # states come in the order of their distances
        state = waiting.popleft()
        outcome, plies = values[state]
        assert plies is not None
        for earlier in before[state]:
            open_moves[earlier] -= 1
            if earlier not in values and (outcome == "loss" or not open_moves[earlier]):
                values[earlier] = ("win" if outcome == "loss" else "loss", plies + 1)
                waiting.append(earlier)
    return {state: values.get(state, ("draw", rules.plies_of_draw(state))) for state in graph}


def best(moves: dict[str, Value]) -> set[str]:
    """The names of the best of moves, each with the value of the state that it leads to."""
    for outcome, choose in (("loss", min), ("draw", None), ("win", max)):
        found = {move: plies for move, (value, plies) in moves.items() if value == outcome}
        if found and choose is None:
            return set(found)
        if found and choose is not None:
            end = choose(plies for plies in found.values() if plies is not None)
            return {move for move, plies in found.items() if plies == end}
    return set()


def decided(rules: Rules, state: State, depth: int, memory: dict[tuple[State, int], Value | None]) -> Value | None:
    """The value of a state if it is won or lost within that number of plies; None if it is not."""
    key = state, depth
    if key not in memory:
        memory[key] = _decided(rules, state, depth, memory)
    return memory[key]


def _decided(rules: Rules, state: State, depth: int, memory: dict[tuple[State, int], Value | None]) -> Value | None:
    outcome = rules.result(state)
    if outcome is not None:
        return None if outcome == "draw" else (outcome, 0)
    if depth == 0:
        return None
    found = list(_after(rules, state, depth, memory))
    lost = [plies for outcome, plies in filter(None, found) if outcome == "loss" and plies is not None]
    if lost:
        return "win", 1 + min(lost)
    won = [plies for outcome, plies in filter(None, found) if outcome == "win" and plies is not None]
    return ("loss", 1 + max(won)) if len(won) == len(found) else None


def _after(
    rules: Rules, state: State, depth: int, memory: dict[tuple[State, int], Value | None]
) -> Iterator[Value | None]:
    for move in rules.moves(state):
        yield decided(rules, rules.after(state, move), depth - 1, memory)
