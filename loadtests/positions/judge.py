"""Answers compared with an independent source: plain minimax, and the rules of ``tic_tac_toe``."""

from collections.abc import Iterator, Mapping
from typing import Any

from loadtests.positions.remembering import Remembering
from loadtests.positions.tic_tac_toe import LINES, MISERE, Position
from service.kernel.alpha_beta.reference import Verdict

GAME = "tic-tac-toe"
OUTCOMES = {1: "win", 0: "draw", -1: "loss"}


def _solved(*, misere: bool) -> Remembering:
    """Return a reference that has solved every position already."""
    reference = Remembering(9, LINES, misere)
    reference.solve([None] * 9)
    return reference


REFERENCES = {game: _solved(misere=misere) for game, misere in MISERE.items()}


def verdict(position: Position, game: str) -> Verdict:
    """Return what the reference says about a position."""
    seen_by_player = {position.player: True, ".": None}
    return REFERENCES[game].solve([seen_by_player.get(mark, False) for mark in position.board])


def errors_of_answer(position: Position, game: str, answer: Mapping[str, Any]) -> list[str]:
    """List everything wrong with an answer of ``/best-move``."""
    known = verdict(position, game)
    return [
        *_wrong_members(answer, _required_fields(position, game, known)),
        *([] if answer.get("reason") else ["there is no reason"]),
        *_wrong_move(answer, known),
        *_wrong_line(answer, position),
        *_wrong_pv(answer, position, game),
    ]


def _required_fields(position: Position, game: str, known: Verdict) -> dict[str, object]:
    """Return the fields of the answer that have one right value."""
    best = min(known.best, default=None)
    after = None if best is None else position.play(best)
    return {
        "game": game,
        "position": position.board,
        "player": position.player,
        "status": position.status,
        "winner": position.winner(game),
        "move": best,
        "row": None if best is None else best // 3,
        "column": None if best is None else best % 3,
        "outcome": OUTCOMES[known.outcome],
        "score": known.outcome * (10 - known.plies),
        "plies": known.plies,
        "proven": True,
        "exact": True,
        "next_position": None if after is None else after.board,
        "next_status": None if after is None else after.status,
    }


def _wrong_move(answer: Mapping[str, Any], known: Verdict) -> Iterator[str]:
    move = answer.get("move")
    if move not in (known.best or {None}):
        yield f"move {move!r} is none of the best, {sorted(known.best)}"


def _wrong_line(answer: Mapping[str, Any], position: Position) -> Iterator[str]:
    """Yield if the line is none of those that the last move completed."""
    line = answer.get("winning_line", "missing")
    completed = [list(cells) for cells in position.lines]
    if line not in completed and (completed or line is not None):
        yield f"winning_line is {line!r}; completed are {completed}"


def _wrong_pv(answer: Mapping[str, Any], position: Position, game: str) -> Iterator[str]:
    """Yield if the line does not start with the move, is not best at every ply, or does not end as promised."""
    pv = answer.get("pv")
    if not isinstance(pv, list) or pv[:1] != [move for move in [answer.get("move")] if move is not None]:
        yield f"pv {pv!r} does not start with the move"
        return
    for ply, move in enumerate(pv):
        best = verdict(position, game).best
        if move not in best:
            yield f"pv {pv} plays {move!r} at ply {ply}, where {sorted(best)} are best"
            return
        position = position.play(move)
    if position.status == "in_progress" or len(pv) != answer.get("plies"):
        yield f"pv {pv} does not end the game after {answer.get('plies')!r} plies"


def errors_of_problem(document: Mapping[str, Any], *, status: int, kind: str, code: str | None) -> list[str]:
    """List everything wrong with a problem document that should be of this ``kind`` and name this ``code``."""
    found = [*_wrong_members(document, {"type": f"/problems/{kind}", "status": status})]
    found += [f"{name} is no text" for name in ("title", "detail") if not _is_text(document.get(name))]
    errors = document.get("errors", [])
    if not all(_is_text(error.get(name)) for error in errors for name in ("code", "detail")):
        found.append("an error without a code or detail")
    if code is not None and code not in [error.get("code") for error in errors]:
        found.append(f"no error with the code {code}, but {[error.get('code') for error in errors]}")
    return found


def _wrong_members(document: Mapping[str, Any], must_be: Mapping[str, object]) -> Iterator[str]:
    return (
        f"{name} is {document.get(name)!r}, not {value!r}"
        for name, value in must_be.items()
        if document.get(name) != value
    )


def _is_text(value: object) -> bool:
    return isinstance(value, str) and value != ""
