"""What an answer about a game of a family claims, compared with the values of the reference."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from loadtests.hunt.family_games import LOOPS, Game
from loadtests.hunt.family_rules import State, Value, best

Answer = Mapping[str, Any]

ORDER = {"loss": -1, "draw": 0, "win": 1}
OPPOSITE = {"win": "loss", "draw": "draw", "loss": "win"}
STATUS = {None: "in_progress", "draw": "drawn", "win": "won", "loss": "won"}


def judge_best_move(game: Game, state: State, answer: Answer) -> Iterator[str]:
    """Yield what is wrong about an answer of ``/best-move``, or about the same fields of ``/analysis``."""
    value = game.values[state]
    yield from _judge_position(game, state, answer)
    yield from _judge_value(game, value, answer)
    if not game.graph[state]:
        if answer["move"] is not None or answer["pv"]:
            yield "a move is given, but the game is over"
        return
    name = str(answer["name"])
    values = game.move_values(state)
    if name not in values:
        yield f"the move {name} is not legal"
    elif answer["exact"]:
        if name not in best({move: game.values[after] for move, after in game.graph[state].items()}):
            yield f"the move {name} is worth {values[name]}, the position {value}"
        yield from judge_line(game, state, answer["pv"], value)
    elif ORDER[values[name][0]] < ORDER[_ends(answer)[0]]:
        yield f"the move {name} does not keep the {_ends(answer)[0]} that is claimed"


def judge_analysis(game: Game, state: State, answer: Answer) -> Iterator[str]:
    """Yield what is wrong about an answer of ``/analysis``."""
    yield from judge_best_move(game, state, answer)
    values, ranked = game.move_values(state), answer["moves"]
    if sorted(str(move["name"]) for move in ranked) != sorted(values):
        yield "the moves are not the legal ones, each once"
        return
    if ranked and ranked[0]["name"] != answer["name"]:
        yield f"the first of the moves is {ranked[0]['name']}, not {answer['name']}"
    for move in ranked:
        name = str(move["name"])
        yield from (f"move {name}: {wrong}" for wrong in _judge_value(game, values[name], move))
        if move["exact"]:
            yield from (f"move {name}: {wrong}" for wrong in judge_line(game, state, move["pv"], values[name]))
            if answer["exact"] and move["best"] != (values[name] == game.values[state]):
                yield f"move {name}: best is {move['best']}, it is worth {values[name]} of {game.values[state]}"


def judge_review(game: Game, played: Sequence[tuple[State, str]], answer: Answer) -> Iterator[str]:
    """Yield what is wrong about the last plies of a review, which were ``played`` after the opening of the game."""
    for (state, move), ply in zip(played, answer["plies"][len(game.opening) :], strict=True):
        truth = {"before": game.values[state], "after": game.move_values(state)[move]}
        for name, (outcome, plies) in truth.items():
            if ply[f"outcome_{name}"] not in ("unknown", outcome):
                yield f"ply {ply['ply']}: outcome_{name} is {ply[f'outcome_{name}']}, not {outcome} in {plies}"
        same = truth["before"][0] == truth["after"][0]
        if "unknown" not in (ply["verdict"], ply["outcome_before"]) and (ply["verdict"] == "mistake") == same:
            yield f"ply {ply['ply']}: the verdict of {truth} is {ply['verdict']}"


def judge_line(game: Game, state: State, line: Sequence[object], value: Value) -> Iterator[str]:
    """Yield what is wrong about a line of play that should be worth ``value``."""
    outcome, plies = value
    if plies is not None and len(line) != plies:
        yield f"a line of {len(line)} plies, not {plies}"
    for ply, move in enumerate(map(str, line)):
        values = game.move_values(state)
        if move not in values:
            yield f"ply {ply} of the line, {move}, is not legal"
            return
        if values[move] != (outcome, plies):
            yield f"ply {ply} of the line, {move}, is worth {values[move]}, not {outcome} in {plies}"
            return
        state, outcome, plies = game.graph[state][move], OPPOSITE[outcome], None if plies is None else plies - 1
    if game.graph[state] and game.family not in LOOPS:
        yield "the line stops before the game ends"


def _judge_position(game: Game, state: State, answer: Answer) -> Iterator[str]:
    result = game.rules.result(state)
    text, player = game.rules.text(state), game.player(state)
    if (answer["position"], answer["player"], answer["status"]) != (text, player, STATUS[result]):
        yield f"the position is {answer['position']}, {answer['player']} to move, {answer['status']}"
    other = next(name for name in game.rules.players if name != player)
    winner = {"win": player, "loss": other}.get(str(result))
    if answer["winner"] != winner:
        yield f"the winner is {answer['winner']}, not {winner}"


def _judge_value(game: Game, value: Value, answer: Answer) -> Iterator[str]:
    outcome, plies = value
    least, most = _ends(answer)
    if answer["proven"] != (least == most):
        yield f"proven is {answer['proven']}, with outcomes from {least} to {most}"
    if not ORDER[least] <= ORDER[outcome] <= ORDER[most]:
        yield f"from {least} to {most}, but it is a {outcome} in {plies}"
    elif answer["exact"] and outcome != "draw" and answer["plies"] != plies:
        yield f"a {outcome} in {answer['plies']} plies, but it is one in {plies}"
    elif answer["proven"] and not answer["exact"] and plies is not None and not _is_within(plies, answer):
        yield f"from {answer['plies_at_least']} to {answer['plies_at_most']} plies, but it is {outcome} in {plies}"
    if answer.get("repetition") and (game.family not in LOOPS or outcome != "draw"):
        yield "a repetition is claimed"


def _is_within(plies: int, answer: Answer) -> bool:
    least, most = answer["plies_at_least"], answer["plies_at_most"]
    return (least is None or least <= plies) and (most is None or plies <= most)


def _ends(answer: Answer) -> tuple[str, str]:
    """Return the least and the greatest outcome that an answer leaves open."""
    return (answer["outcome"],) * 2 if answer["outcome"] != "unknown" else (answer["at_least"], answer["at_most"])
