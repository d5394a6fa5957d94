"""Values of games by the plain rules of ``examples/check_family_proof.py``.

They are found by following the moves back from the ends (``solve``), or forward for a few plies (``decided``).
"""

from collections import defaultdict, deque
from math import inf

from examples.check_family_proof import Rules, State

Value = tuple[str, int | None]
"""The outcome for the player to move and the plies to the end; None for a draw."""

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
    """The names of the best of moves, each with the value of the state that it leads to; draws end all alike."""
    for outcome, choose in (("loss", min), ("draw", max), ("win", max)):
        found = {move: plies or 0 for move, (value, plies) in moves.items() if value == outcome}
        if found:
            end = choose(found.values())
            return {move for move, plies in found.items() if plies == end}
    return set()


def decided(rules: Rules, state: State, depth: int, memory: dict[tuple[State, int], Value | None]) -> Value | None:
    """The value of a state if it is won or lost within that number of plies; None if it is not."""
    key, outcome = (state, depth), rules.result(state)
    if outcome is not None or depth == 0:
        return (outcome, 0) if outcome in ("win", "loss") else None
    if key not in memory:
        found = [decided(rules, rules.after(state, move), depth - 1, memory) for move in rules.moves(state)]
        lost, won = ([value[1] or 0 for value in found if value and value[0] == end] for end in ("loss", "win"))
        memory[key] = ("win", 1 + min(lost)) if lost else ("loss", 1 + max(won)) if len(won) == len(found) else None
    return memory[key]
