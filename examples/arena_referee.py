"""A referee for an arena of language models: reads their moves, sends faults back in words, and judges the game.

Run ``python examples/arena_referee.py`` where ``move-oracle`` is installed: two scripted players take the places of
models. A player is a function that takes a prompt and returns text. Its move is what it writes last, in any notation
that the API reads, such as ``b2``, ``center`` or ``column 4``.
"""

from collections.abc import Callable
from itertools import cycle
from typing import Any

import move_oracle

Player = Callable[[str], str]

CHANCES = 3
"""How often a player may answer before the game is lost by forfeit."""


def prompt(state: Any, rules: str, fault: str) -> str:
    """Return what a player is told: the rules, the position, and what was wrong with the last answer."""
    return f"{rules}\nYou are {state['player']}. The position is {state['position']}.\n{fault}Reply with your move."


def referee(players: dict[str, Player], game: str = "tic-tac-toe") -> dict[str, Any]:
    """Return the moves of a game, its winner, who forfeited it, and the accuracy of each player in percent."""
    rules = next(each["rules"] for each in move_oracle.games()["games"] if each["id"] == game)
    moves: list[int | str] = []
    state: Any = move_oracle.best_move(game=game)
    forfeited = None
    for name in cycle(players):
        if state["status"] != "in_progress" or forfeited:
            break
        fault = ""
        for _ in range(CHANCES):
            words = players[name](prompt(state, rules, fault)).split()
            said = words[-1].strip(".!*`") if words else ""
            try:
                state = move_oracle.best_move(game=game, moves=[*moves, said])
            except move_oracle.Problem as problem:
                fault = f"Not a legal move: {problem}\n"
            else:
                moves.append(said)
                break
        else:
            forfeited = name
    review = move_oracle.review(moves, game=game)
    return {"moves": moves, "winner": state["winner"], "forfeited": forfeited, "accuracy": review["accuracy"]}


if __name__ == "__main__":
    x, o = iter(["I take the center: b2", "a1", "c3", "a3", "b1"]), iter(["b2", "Sorry, c1.", "a2", "b3"])
    print(referee({"X": lambda _: next(x), "O": lambda _: next(o)}))
