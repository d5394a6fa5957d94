"""Random rules of the families, and the positions of their games with the values of the reference."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any

from loadtests.hunt.family_rules import RULES, Graph, Rules, State, TooManyStates, Value, graph_of, solve

MOST_STATES = 12_000
"""States that the hunt solves at once: all of a small game, or those after a late position of a large one."""

SMALL, LARGE = 9, 64
"""Cells of the largest board of a small game and of a large one."""

LOOPS = frozenset({"vanishing", "morris", "pop-out"})
"""Families in which a position can come again, so the service needs a table for each game."""

BACK = range(1, 8)
"""Plies from the end of a random game to the late position of a large one."""

Parameters = Mapping[str, Any]


@dataclass(frozen=True, eq=False)
class Game:
    """Positions of a game of a family: the state after each move, and the value of each state.

    They are all that play can reach after the ``opening``, the names of moves.
    """

    family: str
    parameters: Parameters
    rules: Rules
    graph: Graph
    opening: tuple[str, ...] = ()

    @property
    def request(self) -> dict[str, Any]:
        """Return the rules as a request states them."""
        return {"family": self.family, **self.parameters}

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
        opposite = {"win": "loss", "draw": "draw", "loss": "win"}
        found = ((move, self.values[after]) for move, after in self.graph[state].items())
        return {move: (opposite[value], None if plies is None else plies + 1) for move, (value, plies) in found}


def draw_game(dice: Random) -> Game:
    """Return a random small game, or the late positions of a random large one."""
    while True:
        family = dice.choice([*RULES])
        large = family not in LOOPS and (family == "numerical" or dice.random() < 0.5)
        parameters = DRAWN[family](dice, LARGE if large else SMALL)
        rules = RULES[family](**parameters)
        opening = late_opening(rules, dice) if large else ()
        with suppress(TooManyStates):
            return Game(family, parameters, rules, graph_of(rules, opening, MOST_STATES), opening)


def late_opening(rules: Rules, dice: Random) -> tuple[str, ...]:
    """Return the moves of a random game without the last ones."""
    state, moves = rules.start, []
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
    if game.family == "vanishing" or game.parameters.get("points") not in (None, SMALL):
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


def _flag(dice: Random, name: str) -> dict[str, Any]:
    return dice.choice(({}, {name: True}, {name: False}))


def _choice(dice: Random, name: str, *values: object) -> dict[str, Any]:
    return dice.choice(({}, {name: dice.choice(values)}))


def _wild(dice: Random, most: int) -> dict[str, Any]:
    return _board(dice, most) | _flag(dice, "misere")


def _order_and_chaos(dice: Random, most: int) -> dict[str, Any]:
    return _board(dice, most) | _choice(dice, "first", "order", "chaos")


def _notakto(dice: Random, most: int) -> dict[str, Any]:
    boards = dice.randint(1, 3)
    return {"boards": boards} | _board(dice, most // boards) | _flag(dice, "misere")


def _numerical(dice: Random, _most: int) -> dict[str, Any]:
    return _flag(dice, "misere")


def _vanishing(dice: Random, most: int) -> dict[str, Any]:
    removes = _choice(dice, "remove", "before", "before-closed", "after")
    return _board(dice, most) | {"marks": dice.randint(1, 4)} | removes | _flag(dice, "misere")


def _morris(dice: Random, _most: int) -> dict[str, Any]:
    points = dice.choice((9, 9, 13))
    moves = ("orthogonal", "diagonals", "fly", *(["king"] if points == 9 else []))
    return (
        {"points": points, "marks": dice.randint(1, 3 if points == 9 else 2)}
        | _choice(dice, "moves", *moves)
        | _flag(dice, "diagonals_win")
        | _choice(dice, "stuck", "loss", "draw")
        | _choice(dice, "centre", "open", "not-first", "closed")
    )


def _pop_out(dice: Random, most: int) -> dict[str, Any]:
    return _board(dice, most) | _choice(dice, "both", "mover-wins", "draw", "opponent-wins")


def _exactly(dice: Random, most: int) -> dict[str, Any]:
    return _board(dice, most) | _flag(dice, "misere")


DRAWN = {
    "wild": _wild,
    "order-and-chaos": _order_and_chaos,
    "notakto": _notakto,
    "numerical": _numerical,
    "vanishing": _vanishing,
    "morris": _morris,
    "pop-out": _pop_out,
    "exactly": _exactly,
}
