"""An agent for Kaggle's ConnectX that asks Move Oracle, for boards of up to 64 cells.

Needs the standard library alone, and a service that it can reach: ``make serve``, or MOVE_ORACLE=http://somewhere:8000.
In a notebook: ``kaggle_environments.make("connectx").run([agent, "negamax"])``. Kaggle takes the last function of a
file for the agent, so ``agent`` stays at the end. If the service is late or cannot be reached, or does not take the
board, the agent looks one move ahead by itself: it wins if it can, blocks if it must, and else plays near the middle.
"""

import http.client
import json
import os
import urllib.request
from typing import Any

ORACLE = os.environ.get("MOVE_ORACLE", "http://localhost:8000")
SEARCH, PATIENCE = 0.6, 0.85
"""The parts of the time for a move after which the search ends, and after which the agent waits no longer."""

MARKS = ".XO"
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


def ask_oracle(observation: Any, configuration: Any) -> int:
    """Return the oracle's column. Raises OSError, KeyError or ValueError if there is no usable answer."""
    seconds = getattr(configuration, "actTimeout", 2)
    question = {
        "game": {
            "rows": configuration.rows,
            "columns": configuration.columns,
            "in_a_row": configuration.inarow,
            "gravity": True,
        },
        "board": "".join(MARKS[mark] for mark in observation.board),
        "player": MARKS[observation.mark],  # player 1 is X and began, so the counts agree
        "limit": {"time_ms": int(1000 * seconds * SEARCH)},
    }
    request = urllib.request.Request(
        f"{ORACLE}/best-move", json.dumps(question).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=seconds * PATIENCE) as response:
        return int(json.load(response)["column"])


def completes_a_line(board: list[int], column: int, mark: int, configuration: Any) -> bool:
    """Whether this mark, dropped into a column that is not full, completes a line."""
    rows, columns = configuration.rows, configuration.columns
    row = max(row for row in range(rows) if board[row * columns + column] == 0)

    def run(down: int, right: int) -> int:
        length, y, x = 0, row + down, column + right
        while 0 <= y < rows and 0 <= x < columns and board[y * columns + x] == mark:
            length, y, x = length + 1, y + down, x + right
        return length

    return any(run(down, right) + 1 + run(-down, -right) >= configuration.inarow for down, right in DIRECTIONS)


def look_one_move_ahead(observation: Any, configuration: Any) -> int:
    """Return a column that wins now, else one that stops a win, else the open column nearest to the middle."""
    board, mark, middle = observation.board, observation.mark, (configuration.columns - 1) / 2
    playable = [column for column in range(configuration.columns) if board[column] == 0]
    playable.sort(key=lambda column: abs(column - middle))
    for owner in (mark, 3 - mark):
        for column in playable:
            if completes_a_line(board, column, owner, configuration):
                return column
    return playable[0]


def agent(observation: Any, configuration: Any) -> int:
    """Return the column to play."""
    try:
        column = ask_oracle(observation, configuration)
    except (OSError, http.client.HTTPException, LookupError, TypeError, ValueError):
        return look_one_move_ahead(observation, configuration)
    return column
