"""What an answer claims, compared with the values of the reference or with other answers to the same question."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from examples.check_family_proof import State
from loadtests.hunt.games import LOOPS, OPPOSITE, Game
from loadtests.hunt.solving import Value, best

Answer = Mapping[str, Any]

ORDER = {"loss": -1, "draw": 0, "win": 1}
STATUS = {None: "in_progress", "draw": "drawn", "win": "won", "loss": "won"}


def judge_best_move(game: Game, state: State, answer: Answer) -> Iterator[str]:
    """Yield what is wrong about an answer of ``/best-move``, or about the same fields of ``/analysis``."""
    value, values = game.values[state], game.move_values(state)
    yield from _judge_position(game, state, answer)
    yield from _judge_value(game, value, answer)
    if not values:
        if answer["move"] is not None or answer["pv"]:
            yield "a move is given, but the game is over"
        return
    name = name_of(answer)
    if name not in values:
        yield f"the move {name} is not legal"
    elif _has_whole_line(game, answer):
        right = best({move: game.values[after] for move, after in game.graph[state].items()})
        if name not in right or (game.is_of_lines and int(name) != min(map(int, right))):
            yield f"the move {name} is worth {values[name]}, the position {value}; best are {sorted(right)}"
        yield from judge_line(game, state, answer["pv"], value)
    elif ORDER[values[name][0]] < ORDER[_ends(answer)[0]]:
        yield f"the move {name} does not keep the {_ends(answer)[0]} that is claimed"


def judge_analysis(game: Game, state: State, answer: Answer) -> Iterator[str]:
    """Yield what is wrong about an answer of ``/analysis``."""
    yield from judge_best_move(game, state, answer)
    values, ranked = game.move_values(state), answer["moves"]
    if sorted(map(name_of, ranked)) != sorted(values):
        yield "the moves are not the legal ones, each once"
        return
    if ranked and name_of(ranked[0]) != name_of(answer):
        yield f"the first of the moves is {name_of(ranked[0])}, not {name_of(answer)}"
    flags = [move["best"] for move in ranked]
    if flags != sorted(flags, reverse=True):
        yield "a move that is best stands behind one that is not"
    for move in ranked:
        name, is_best = name_of(move), values[name_of(move)] == game.values[state]
        yield from (f"move {name}: {wrong}" for wrong in _judge_value(game, values[name], move))
        if _has_whole_line(game, move):
            yield from (f"move {name}: {wrong}" for wrong in judge_line(game, state, move["pv"], values[name]))
        if move["exact"] and answer["exact"] and move["best"] != is_best:
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


def contradictions(answers: Sequence[Answer]) -> Iterator[str]:
    """Yield how answers to one question about a game of lines exclude each other."""
    for one in answers:
        if one["proven"]:
            for other in answers:
                yield from _outside((one["outcome"], one["plies"]), other)


def name_of(move: Answer) -> str:
    """Return the name of a move as the reference has it, with which its line begins."""
    return str(next(iter(move["pv"]), None))


def _has_whole_line(game: Game, answer: Answer) -> bool:
    return answer["exact"] and (not game.is_of_lines or len(answer["pv"]) == answer["plies"])


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
    estimate = answer.get("estimate", 0)
    if not answer["proven"] and ("estimate" in answer) != game.has_estimates:
        yield f"there is {'no' if game.has_estimates else 'an'} estimate"
    elif estimate is not None and not -1 <= estimate <= 1:
        yield f"the estimate is {estimate}"
    yield from _outside(value, answer)
    if answer["exact"] and game.is_of_lines and plies is not None:
        score = ORDER[outcome] * (game.rules.cells + 1 - plies)  # type: ignore[attr-defined]
        if answer["score"] != score:
            yield f"the score is {answer['score']}, not {score}"
    if answer.get("repetition") and (game.family not in LOOPS or outcome != "draw"):
        yield "a repetition is claimed"


def _outside(value: Value, answer: Answer) -> Iterator[str]:
    """Yield how an answer excludes a value, of which the plies may be unknown."""
    outcome, plies = value
    least, most = _ends(answer)
    if not ORDER[least] <= ORDER[outcome] <= ORDER[most]:
        yield f"from {least} to {most}, but it is a {outcome} in {plies}"
    elif answer["proven"] and plies is not None:
        names = ("plies", "plies") if answer["exact"] else ("plies_at_least", "plies_at_most")
        nearest, farthest = (answer[name] for name in names)
        if (nearest is not None and plies < nearest) or (farthest is not None and farthest < plies):
            yield f"a {outcome} in {nearest} to {farthest} plies, but it is one in {plies}"


def _ends(answer: Answer) -> tuple[str, str]:
    """Return the least and the greatest outcome that an answer leaves open."""
    return (answer["outcome"],) * 2 if answer["outcome"] != "unknown" else (answer["at_least"], answer["at_most"])
