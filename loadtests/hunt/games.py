"""Random games of every kind, and their positions with the values of the reference."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from random import Random
from typing import Any

from examples.check_family_proof import RULES, Rules, State
from loadtests.hunt.lines import LINE_GAMES, draw_board, neighbours
from loadtests.hunt.solving import Graph, TooManyStates, Value, graph_of, solve

MOST_STATES = 12_000
"""States that the hunt solves at once: all of a small game, or those after a late position of a large one."""

SMALL, LARGE = 9, 64
"""Cells of the largest board of a small game and of a large one."""

LARGEST_OF_NEIGHBOURS = 36
"""Cells of the largest board of Col and Snort."""

LOOPS = frozenset({"vanishing", "morris", "pop-out", "dao", "quixo", "teeko", "mills"})
"""Families in which a position can come again, so the service needs a table for each game.

Quixo on boards larger than 2x2 and Teeko on boards larger than 3x3 have more states than the hunt solves at once.
"""

TOO_LARGE = frozenset({"dao", "mills"})
"""Those of them of which the hunt solves no game."""

BACK = range(1, 8)
"""Plies from the end of a random game to the late position of a large one."""

OPPOSITE = {"win": "loss", "draw": "draw", "loss": "win"}

EMPTIES, NEIGHBOURS = range(4, 9), 11
"""Empty cells of a late position of a game of lines, and the positions beside it that are asked, too."""

Parameters = Mapping[str, Any]


@dataclass(frozen=True, eq=False)
class Game:
    """Positions of a game: the state after each move, and the value of each state.

    They are all that play can reach after the ``opening``, the names of moves; in games of lines also those after other
    ``roots``. ``family`` is the kind of a game of lines.
    """

    family: str
    parameters: Parameters
    rules: Rules
    graph: Graph
    opening: tuple[str, ...] = ()
    roots: tuple[State, ...] = ()

    @property
    def is_of_lines(self) -> bool:
        """Whether it is a game of lines."""
        return self.family not in RULES

    @property
    def has_estimates(self) -> bool:
        """Whether results are estimated where they are not proven."""
        return self.is_of_lines or self.family == "ultimate"

    @property
    def request(self) -> Parameters:
        """Return the rules as a request states them."""
        return self.parameters if self.is_of_lines else {"family": self.family, **self.parameters}

    @cached_property
    def values(self) -> dict[State, Value]:
        """The value of each state for the player to move."""
        return solve(self.rules, self.graph)

    @cached_property
    def states(self) -> list[State]:
        """All states, in the order in which they were found; the first is the one after the opening."""
        return [*self.graph]

    @cached_property
    def boards(self) -> set[tuple[str, str]]:
        """Text and player to move of every state."""
        return {(self.rules.text(state), self.player(state)) for state in self.graph}

    def player(self, state: State) -> str:
        """Return the name of the player to move."""
        return self.rules.players[state[-1]]

    def move_values(self, state: State) -> dict[str, Value]:
        """Return what each move is worth to the player who makes it: outcome and plies to the end."""
        found = ((move, self.values[after]) for move, after in self.graph[state].items())
        return {move: (OPPOSITE[value], None if plies is None else plies + 1) for move, (value, plies) in found}


def draw_game(dice: Random) -> Game:
    """Return a random small game of a family, or the late positions of a random large one."""
    while True:
        family = dice.choice([family for family in RULES if family not in TOO_LARGE])
        large = family not in LOOPS and (family in ("numerical", "ultimate") or dice.random() < 0.5)
        parameters = _parameters(dice, family, LARGE if large else SMALL)
        rules = RULES[family](**parameters)
        opening = late_opening(rules, dice) if large else ()
        root = reduce(rules.after, opening, rules.start)
        with suppress(TooManyStates):
            return Game(family, parameters, rules, graph_of(rules, root, most=MOST_STATES), opening)


def draw_line_game(dice: Random, kind: str) -> Game:
    """Return the late positions of a random game of lines: one, and as many like it as can be solved at once."""
    while True:
        drawn = LINE_GAMES[kind](dice)
        if not drawn.lines:
            continue
        rules = replace(drawn, players=dice.choice((("X", "O"), ("O", "X"))))
        board, opening = draw_board(dice, rules, dice.choice(EMPTIES) + (2 if rules.drop else 0))
        if rules.result(board) is not None:
            continue
        for roots in (neighbours(dice, rules, board, NEIGHBOURS), [board]):
            with suppress(TooManyStates):
                return Game(
                    kind, rules.request, rules, graph_of(rules, *roots, most=MOST_STATES), opening, tuple(roots)
                )


def late_opening(rules: Rules, dice: Random) -> tuple[str, ...]:
    """Return the moves of a random game without the last ones."""
    state, moves = rules.start, list[str]()
    while rules.result(state) is None:
        moves.append(dice.choice(rules.moves(state)))
        state = rules.after(state, moves[-1])
    return tuple(moves[: -dice.choice(BACK)])


def changed(dice: Random, text: str) -> str:
    """Return the text of a board with one or two of its signs replaced by others of the same text."""
    signs = [*text]
    for _ in range(dice.randint(1, 2)):
        place = dice.randrange(len(signs))
        if signs[place].isalnum() or signs[place] == ".":
            signs[place] = dice.choice([sign for sign in text if sign.isalnum() or sign == "."])
    return "".join(signs)


def mirrored(game: Game, text: str) -> str | None:
    """Return the text of the mirror image from left to right; None for boards that are not written row by row."""
    columns = 3 if game.family in ("morris", "numerical") else game.parameters.get("columns", 3)
    if (
        game.family in ("vanishing", "ultimate")
        or game.parameters.get("points") not in (None, SMALL)
        or "cells" in game.parameters
    ):
        return None
    boards = text.split("/")
    rows = [[board[at : at + columns] for at in range(0, len(board), columns)] for board in boards]
    return "/".join("".join(row[::-1] for row in board) for board in rows)


def line_of(game: Game, dice: Random, most: int) -> Iterator[tuple[State, str]]:
    """Yield the states and moves of random play after the opening, of at most ``most`` plies."""
    state = game.states[0]
    for _ in range(most):
        moves = game.graph[state]
        if not moves:
            return
        move = dice.choice([*moves])
        yield state, move
        state = moves[move]


def _board(dice: Random, most: int) -> dict[str, Any]:
    while True:
        rows, columns = dice.randint(1, 8), dice.randint(1, 8)
        if 2 <= rows * columns <= most:
            return {"rows": rows, "columns": columns, "in_a_row": dice.randint(1, max(rows, columns))}


FLAG = (False, True)
OPTIONS: Mapping[str, Mapping[str, tuple[object, ...]]] = {
    "wild": {"misere": FLAG},
    "order-and-chaos": {"first": ("order", "chaos"), "overlines": (True, False)},
    "notakto": {"misere": FLAG},
    "numerical": {"misere": FLAG},
    "vanishing": {"remove": ("before", "before-closed", "after"), "misere": FLAG},
    "morris": {"diagonals_win": FLAG, "stuck": ("loss", "draw"), "centre": ("open", "not-first", "closed")},
    "pop-out": {"both": ("mover-wins", "draw", "opponent-wins")},
    "exactly": {"misere": FLAG},
    "neighbours": {"apart": ("own", "other"), "misere": FLAG},
    "quixo": {},
    "teeko": {"squares": ("small", "all"), "centre": ("open", "not-first", "closed")},
    "ultimate": {"finished": ("closed", "open"), "full_board": ("draw", "most-boards"), "misere": FLAG},
}
"""The values of each parameter that may be left out."""


def _parameters(dice: Random, family: str, most: int) -> dict[str, Any]:
    """Draw the rules of a game of at most that number of cells."""
    options = {name: dice.choice(values) for name, values in OPTIONS[family].items() if dice.random() < 0.7}
    if family in ("numerical", "ultimate"):
        return options
    if family == "quixo":
        return {"side": 2}
    if family == "teeko":
        return {"side": 3, **options}
    if family == "morris":
        points = dice.choice((9, 9, 13))
        moves = ("orthogonal", "diagonals", "fly", "king")[: 4 if points == 9 else 3]
        marks = dice.randint(1, 3 if points == 9 else 2)
        return {"points": points, "marks": marks, "moves": dice.choice(moves), **options}
    if family == "neighbours":
        board = _board(dice, min(most, LARGEST_OF_NEIGHBOURS))
        return {"rows": board["rows"], "columns": board["columns"], **options}
    boards = dice.randint(1, 3) if family == "notakto" else 1
    own = {"notakto": {"boards": boards}, "vanishing": {"marks": dice.randint(1, 4)}}
    return _board(dice, most // boards) | own.get(family, {}) | options
