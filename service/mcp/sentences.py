"""Answers as one or two sentences, which a model can repeat."""

from collections.abc import Mapping
from typing import Any

from service.api.problems import GAMES_LISTED
from service.games.notation.moves import joined

Answer = Mapping[str, Any]
ROLES = frozenset({"first", "second", "odd", "even"})
"""Players whose name is no noun."""

VERBS = {"win": "wins", "draw": "draws", "loss": "loses"}

SCALE = "on a scale from -1 for a loss to 1 for a win"


def best_move(answer: Answer) -> str:
    """Return the best move and its value."""
    if answer["status"] != "in_progress":
        return str(answer["reason"])
    chosen = f"{answer['name']}, {_value(answer)}. {answer['reason']}"
    if "skill" in answer:
        return f"At skill {answer['skill']} {_who(answer['player'])} plays {chosen}"
    return f"Best for {_who(answer['player'])} is {chosen}"


def analysis(answer: Answer) -> str:
    """Return the best move, and the outcomes of the legal moves."""
    if not answer["moves"]:
        return best_move(answer)
    found = [move["outcome"] for move in answer["moves"]]
    counts = [
        f"{found.count(outcome)} {word}"
        for outcome, word in {"win": "win", "draw": "draw", "loss": "lose", "unknown": "not proven"}.items()
        if outcome in found
    ]
    return f"{best_move(answer)} Of {_count(len(found), 'legal move')}: {joined(counts)}."


def comparison(answer: Answer) -> str:
    """Return the outcomes of the moves, best first."""
    listed = [f"{move['name']} {_leads_to(move)}" for move in answer["moves"]]
    first, *others = answer["moves"]
    better = "" if first["best"] else f" {_better(first, answer, 'all of these' if others else 'that')}"
    return f"For {_who(answer['player'])}, best first: {'; '.join(listed)}.{better}"


def explanation(answer: Answer) -> str:
    """Return the reasons for the value of a move."""
    if not answer["moves"]:
        return str(answer["reason"])
    move = answer["moves"][0]
    why = " ".join(reason["detail"] for reason in move["reasons"])
    rank = "No move is better." if move["best"] else _better(move, answer)
    name = move["name"]
    return f"{_capital(name) if ' ' in name else name} {_leads_to(move)} for {_who(answer['player'])}: {why} {rank}"


def _better(move: Answer, answer: Answer, than: str = "") -> str:
    """Return the better move, or the better-looking one if that is not proven."""
    best = answer["name"]
    if move["name"] == best:
        return "No better move was found."
    verb = "looks" if "unknown" in (move["outcome"], answer["outcome"]) else "is"
    return f"Better than {than} {verb} {best}." if than else f"Better {verb} {best}, {_value(answer)}."


def review(answer: Answer) -> str:
    """Return the end of a game, the quality of play and the turning point."""
    shares = [
        f"{_who(player)} {'was not judged' if share is None else f'kept {share:g} % of what there was'}"
        for player, share in answer["accuracy"].items()
    ]
    return f"{_standing(answer)} {_capital(joined(shares))}. {_turn(answer)}"


def puzzles(answer: Answer) -> str:
    """Return the questions of puzzles, with their solutions if requested."""
    return " ".join(_puzzle(puzzle) for puzzle in answer["puzzles"])


def catalogue(answer: Answer) -> str:
    """Return the ids of all games."""
    ids = [game["id"] for game in answer["games"]]
    return f"There are {len(ids)} games, and any other is given by its rules: {', '.join(ids)}."


def rules(answer: Answer) -> str:
    """Return the rules of a game and its value."""
    size = "x".join(str(answer[side]) for side in ("rows", "columns", "layers") if answer.get(side, 1) > 1)
    board = f" on {size}" if size and size not in answer["name"] else ""
    return f"{answer['name']}{board}: {answer['rules']} {answer['best_play'] or 'Its value is not known.'}"


def problem(document: Answer) -> str:
    """Return every fault of a call, with a tool in place of a request."""
    details = [error["detail"] for error in document.get("errors", ())] or [document["detail"]]
    return " ".join(dict.fromkeys(details)).replace(GAMES_LISTED, "The tool list_games lists the games.")


def _who(player: str) -> str:
    return f"the {player} player" if player in ROLES else player


def _value(known: Answer) -> str:
    """Return a value as a noun: ``a proven win in 3 plies``."""
    if known["outcome"] == "unknown":
        return f"not proven within the limit{_estimate(known, '; the estimate is {}')}"
    return f"a proven {known['outcome']}{_distance(known)}"


def _leads_to(known: Answer) -> str:
    """Return a value as a verb: ``wins in 3 plies``."""
    if known["outcome"] == "unknown":
        return f"is not proven{_estimate(known, ' (estimate {})')}"
    return f"{VERBS[known['outcome']]}{_distance(known)}"


def _estimate(known: Answer, words: str) -> str:
    """Return the estimate in words; an empty text in games without estimates."""
    return words.format(f"{known['estimate']:+z.2f} {SCALE}") if "estimate" in known else ""


def _distance(known: Answer) -> str:
    if known["outcome"] == "draw":
        return ""
    if known["plies"] is not None:
        return f" in {_count(known['plies'], 'ply', 'plies')}"
    least, most = known["plies_at_least"], known["plies_at_most"]
    return f" in {_count(most, 'ply', 'plies')}" if least == most else f" in {least} to {most} plies"


def _standing(answer: Answer) -> str:
    if answer["status"] == "won":
        return f"{_capital(_who(answer['winner']))} has won."
    if answer["status"] == "drawn":
        return "The game is drawn."
    return f"The game goes on; {_who(answer['player'])} is to move."


def _turn(answer: Answer) -> str:
    ply = answer["turning_point"]
    if ply is None:
        return "Neither player made a mistake." if answer["proven"] else "No mistake was found within the limit."
    move = answer["plies"][ply - 1]
    return f"The game turned at ply {ply}, when {_who(move['player'])} chose {move['name']}: {move['reason']}"


def _puzzle(puzzle: Answer) -> str:
    solution = puzzle["solution"]
    solved = "" if solution is None else f" Solution: {solution['name']}. {solution['reason']}"
    return f'{puzzle["game"]}, "{puzzle["position"]}". {puzzle["question"]}{solved}'


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number} {one if number == 1 else many or f'{one}s'}"


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]
