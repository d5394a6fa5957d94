"""Connect Four as an environment of Gymnasium, in which the oracle is the opponent: for training, without a server.

Needs ``move-oracle`` and ``gymnasium``. ``skill`` is the opponent's, from 0 (random) to 100 (perfect): begin low. The
observation has 1 for the agent's discs and -1 for the opponent's, from the top row down; an action is a column. The
reward is 1 for a win, -1 for a loss or a full column, and 0 for everything else.
"""

from typing import Any

import gymnasium
import numpy as np

import move_oracle

ROWS, COLUMNS = 6, 7


class ConnectFourEnv(gymnasium.Env[Any, Any]):
    """The agent plays X. Who begins is drawn anew for each game."""

    observation_space = gymnasium.spaces.Box(-1, 1, (ROWS, COLUMNS), np.int8)
    action_space = gymnasium.spaces.Discrete(COLUMNS)

    def __init__(self, skill: int = 60) -> None:
        self.skill = skill
        self.board = "." * ROWS * COLUMNS

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin a game, with the opponent's first move if that begins."""
        super().reset(seed=seed, options=options)
        self.board = "." * ROWS * COLUMNS
        if self.np_random.integers(2):
            self._reply()
        return self._observed(), {}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Drop a disc of the agent, then one of the opponent unless the game is over."""
        empty = self.board[int(action) :: COLUMNS].count(".")
        if not empty:
            return self._observed(), -1.0, True, False, {}
        cell = (empty - 1) * COLUMNS + int(action)
        self.board = f"{self.board[:cell]}X{self.board[cell + 1 :]}"
        status, winner = self._reply()
        reward = 0.0 if winner is None else 1.0 if winner == "X" else -1.0
        return self._observed(), reward, status != "in_progress", False, {}

    def _reply(self) -> tuple[str, str | None]:
        """Let the opponent move. Return how the game stands then, and who has won."""
        seed = int(self.np_random.integers(2**31))
        answer = move_oracle.best_move(self.board, game="connect-four", player="O", skill=self.skill, seed=seed)
        if answer["status"] != "in_progress":
            return answer["status"], answer["winner"]
        self.board = answer["next_position"]
        return answer["next_status"], "O" if answer["next_status"] == "won" else None

    def _observed(self) -> Any:
        marks = [".XO".index(mark) for mark in self.board]
        return np.array([0, 1, -1], np.int8)[marks].reshape(ROWS, COLUMNS)
