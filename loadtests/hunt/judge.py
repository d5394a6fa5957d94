"""What an answer claims, held against the values of the reference or against other answers to the same question."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from loadtests.hunt.games import Board, Game
from loadtests.hunt.reference import Reference, Value, Values, best_of

Answer = Mapping[str, Any]

ORDER = {"loss": -1, "draw": 0, "win": 1}
KEPT = {"best": 1.0, "slower": 0.9}
STEP = 0.5

PLY_NODES, MOST_MOVES = 20_000, 9
"""What the reference spends on a ply of a review, and the most legal moves of one that it looks at."""


def judge_best_move(reference: Reference, board: Board, values: Values, answer: Answer) -> Iterator[str]:
    """Yield what is wrong about an answer of ``/best-move``, or about the same fields of ``/analysis``."""
    best = best_of(values)
    yield from judge_place(board, answer)
    yield from _judge_value(board.game, best, answer)
    if answer["move"] not in values:
        yield f"move {answer['move']} is not legal"
    elif len(answer["pv"]) == answer["plies"]:
        first = min(move for move, value in values.items() if value == best)
        if answer["move"] != first:
            yield f"move {answer['move']} is not {first}, the lowest of the best"
        yield from _judge_line(reference, board, answer["pv"], best)
    elif ORDER[values[answer["move"]].outcome] < ORDER[_ends(answer)[0]]:
        yield f"move {answer['move']} does not keep the {_ends(answer)[0]} that is claimed"


def judge_analysis(reference: Reference, board: Board, values: Values, answer: Answer) -> Iterator[str]:
    """Yield what is wrong about an answer of ``/analysis``."""
    yield from judge_best_move(reference, board, values, answer)
    best, ranked = best_of(values), answer["moves"]
    if sorted(move["move"] for move in ranked) != sorted(values):
        yield "the moves are not the legal ones, each once"
        return
    if ranked[0]["move"] != answer["move"]:
        yield f"the first of the moves is {ranked[0]['move']}, not {answer['move']}"
    flags = [move["best"] for move in ranked]
    if flags != sorted(flags, reverse=True):
        yield "a move that is best stands behind one that is not"
    for move in ranked:
        value = values[move["move"]]
        yield from (f"move {move['move']}: {wrong}" for wrong in judge_place(board, move))
        yield from (f"move {move['move']}: {wrong}" for wrong in _judge_value(board.game, value, move))
        if len(move["pv"]) == move["plies"]:
            yield from (f"move {move['move']}: {wrong}" for wrong in _judge_line(reference, board, move["pv"], value))
        if (move["best"] and value != best) or (move["exact"] and answer["exact"] and move["best"] != (value == best)):
            yield f"move {move['move']}: best is {move['best']}, it is worth {value} of {best}"


def judge_review(reference: Reference, boards: Sequence[Board], answer: Answer) -> Iterator[str]:
    """Yield what is wrong about a review of the game that went through ``boards``, where the reference can tell."""
    kept: dict[str, list[float]] = {"X": [], "O": []}
    solved = True
    for board, ply in zip(boards, answer["plies"], strict=True):
        values = reference.values(board, PLY_NODES) if len(board.legal_moves()) <= MOST_MOVES else None
        if values is None:
            solved = False
            continue
        yield from (f"ply {ply['ply']}: {wrong}" for wrong in _judge_ply(board.game, values, ply))
        kept[ply["player"]].append(_kept(values, ply["move"]))
    if solved and answer["proven"]:
        for player, parts in kept.items():
            accuracy = round(100 * sum(parts) / len(parts), 1) if parts else None
            if answer["accuracy"][player] != accuracy:
                yield f"accuracy of {player} is {answer['accuracy'][player]}, not {accuracy}"


def judge_place(board: Board, answer: Answer) -> Iterator[str]:
    """Yield what is wrong about the coordinates of a move."""
    game, move = board.game, answer["move"]
    if (answer["row"], answer["column"]) != (move // game.columns % game.rows, move % game.columns):
        yield f"cell {move} is not in row {answer['row']} and column {answer['column']}"
    layer = None if game.layers == 1 else move // (game.rows * game.columns)
    if answer.get("layer") != layer:
        yield f"cell {move} is in layer {layer}, not {answer.get('layer')}"


def contradictions(answers: Sequence[Answer]) -> Iterator[str]:
    """Yield how answers to one question exclude each other."""
    for one in answers:
        for other in answers:
            if len(one["pv"]) == one["plies"] and len(other["pv"]) == other["plies"] and one["pv"] != other["pv"]:
                yield f"{_claim(one)} here, {_claim(other)} there"
            if one["proven"]:
                value = Value(one["outcome"], one["plies"]) if one["exact"] else None
                yield from _outside(one["outcome"], value, other)


def _ends(answer: Answer) -> tuple[str, str]:
    """Return the least and the greatest outcome that an answer leaves open."""
    return (answer["outcome"],) * 2 if answer["proven"] else (answer["at_least"], answer["at_most"])


def _outside(outcome: str, value: Value | None, answer: Answer) -> Iterator[str]:
    """Yield how an answer excludes an outcome, or a value with its distance."""
    least, most = _ends(answer)
    if not ORDER[least] <= ORDER[outcome] <= ORDER[most]:
        yield f"from {least} to {most}, but it is a {outcome}"
    elif value is not None and answer["proven"] and not answer["exact"]:
        nearest, farthest = answer["plies_at_least"], answer["plies_at_most"]
        if not nearest <= value.plies <= farthest:
            yield f"a {outcome} in {nearest} to {farthest} plies, but it is one in {value.plies}"


def _judge_value(game: Game, value: Value, answer: Answer) -> Iterator[str]:
    if answer["proven"] and answer["outcome"] == "unknown":
        yield "proven, but unknown"
    if not answer["proven"] and not -1 <= answer["estimate"] <= 1:
        yield f"the estimate is {answer['estimate']}"
    if not answer["exact"]:
        yield from _outside(value.outcome, value, answer)
        return
    score = ORDER[value.outcome] * (game.cells + 1 - value.plies)
    if (answer["outcome"], answer["plies"], answer["score"]) != (value.outcome, value.plies, score):
        yield f"{_claim(answer)}, but it is {value.outcome} in {value.plies}, score {score}"


def _claim(answer: Answer) -> str:
    return f"{answer['outcome']} in {answer['plies']}, score {answer['score']}, by {answer['pv']}"


def _judge_line(reference: Reference, board: Board, line: Sequence[int], value: Value) -> Iterator[str]:
    """Yield what is wrong about a line of play that should be worth ``value``."""
    if len(line) != value.plies:
        yield f"a line of {len(line)} plies, not {value.plies}"
    for ply, move in enumerate(line):
        if move not in board.legal_moves():
            yield f"ply {ply} of the line, {move}, is not legal"
            return
        values = reference.values(board)
        if values is None:  # a win at once was seen at sight; what else there is would take too long
            return
        if values[move] != value:
            yield f"ply {ply} of the line, {move}, is worth {values[move]}, not {value}"
        if board.game.completes(board.mine | 1 << move, move):
            return
        board = board.play(move)
        opposite = {"win": "loss", "draw": "draw", "loss": "win"}
        value = Value(opposite[value.outcome], value.plies - 1)


def _judge_ply(game: Game, values: Values, ply: Answer) -> Iterator[str]:
    best, value = best_of(values), values[ply["move"]]
    for name, true in (("before", best), ("after", value)):
        if ply[f"outcome_{name}"] not in ("unknown", true.outcome):
            yield f"outcome_{name} is {ply[f'outcome_{name}']}, not {true.outcome}"
        score = ORDER[true.outcome] * (game.cells + 1 - true.plies)
        if ply[f"score_{name}"] not in (None, score):
            yield f"score_{name} is {ply[f'score_{name}']}, not {score}"
    verdict = _verdict(values, ply["move"])
    if ply["verdict"] not in ("unknown", verdict):
        yield f"the verdict is {ply['verdict']}, not {verdict}"
    if ply["verdict"] == "mistake":
        better = [move for move in ply["best_moves"] if ORDER[values[move].outcome] > ORDER[value.outcome]]
        if not better or better != ply["best_moves"] or not ply["gave_away"]:
            yield f"a mistake whose remedies are {ply['best_moves']}, and that gave away {ply['gave_away']}"


def _verdict(values: Values, move: int) -> str:
    best, value = best_of(values), values[move]
    return "mistake" if value.outcome != best.outcome else "best" if value == best else "slower"


def _kept(values: Values, move: int) -> float:
    lost = ORDER[best_of(values).outcome] - ORDER[values[move].outcome]
    return KEPT.get(_verdict(values, move), 1 - STEP * lost)
