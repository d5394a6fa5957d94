"""What a chat bot does when the oracle says no: waits, shortens the question, or tells the player what is wrong.

Run ``python examples/patient_bot.py "X...O...."`` beside ``make serve``. It needs the standard library alone. A bot
on Discord or Slack has three seconds to acknowledge a command and must never show a traceback. ``reply`` returns one
line of text for every case: an answer, a fault of the player (4xx), a busy service (429, 503), no service at all.
"""

import http.client
import json
import os
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from typing import Any

ORACLE = os.environ.get("MOVE_ORACLE", "http://localhost:8000")
SECONDS = 2.5
"""How long a player waits at most, retries included."""

RETRIED = (429, 503)
"""Statuses with a ``Retry-After`` header, in seconds: over the rate limit, or all search slots taken."""


def ask(board: str, seconds: float) -> dict[str, Any]:
    """Return the answer of ``POST /best-move``. Let a search take half of the time that is left."""
    body = json.dumps({"board": board, "limit": {"time_ms": max(1, int(500 * seconds))}}).encode()
    request = urllib.request.Request(f"{ORACLE}/best-move", body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=seconds) as response:
        answer: dict[str, Any] = json.load(response)
        return answer


def reply(board: str, sleep: Callable[[float], None] = time.sleep) -> str:
    """Return what the bot says to a board that a player has typed."""
    try:
        return patient_reply(board, sleep)
    except (OSError, LookupError, TypeError, ValueError, http.client.HTTPException):  # too slow, or not an oracle
        return "I cannot reach my oracle. Please try again later."


def patient_reply(board: str, sleep: Callable[[float], None]) -> str:
    """Return the answer or the fault in words; wait while the service is busy and the player has time."""
    deadline = time.monotonic() + SECONDS
    while True:
        try:
            return told(ask(board, max(0.1, deadline - time.monotonic())))
        except urllib.error.HTTPError as refusal:
            with refusal:
                wait = seconds_to_wait(refusal)
                if wait is None:
                    return fault(refusal)
            if time.monotonic() + wait > deadline:
                return f"I am busy. Please try again in {wait:.0f} s."
            sleep(wait)


def told(answer: dict[str, Any]) -> str:
    """Return an answer in words; a finished game has no move."""
    if answer["move"] is None:
        return str(answer["reason"])
    return f"{answer['player']} plays {'abc'[answer['column']]}{answer['row'] + 1}. {answer['reason']}"


def seconds_to_wait(refusal: urllib.error.HTTPError) -> float | None:
    """Return the seconds after which to ask again, or None if asking again cannot help."""
    return float(refusal.headers.get("Retry-After", 1)) if refusal.code in RETRIED else None


def fault(refusal: urllib.error.HTTPError) -> str:
    """Return what is wrong with the board, from the problem document."""
    if refusal.code >= http.HTTPStatus.INTERNAL_SERVER_ERROR:
        return "My oracle has a fault. Please tell its operator."
    problem = json.load(refusal)
    return " ".join(["I cannot play that.", *(error["detail"] for error in problem.get("errors", [problem]))])


if __name__ == "__main__":
    print(reply(sys.argv[1] if len(sys.argv) > 1 else "........."))
