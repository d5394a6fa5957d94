"""A perfect policy for the board games of PettingZoo: connect_four_v3 and tictactoe_v3, without a server.

Run ``python examples/pettingzoo_policy.py`` where ``move-oracle`` and ``pettingzoo[classic]`` are installed: the oracle
plays Connect Four against random moves. Elsewhere call ``act`` wherever an environment wants an action.
"""

from typing import Any

import move_oracle

GAMES = {(6, 7): "connect-four", (3, 3): "tic-tac-toe"}
"""The games by rows and columns."""


def act(observation: Any, skill: int = 100, seed: int = 0) -> int:
    """Return the action of the agent that observes: a column of Connect Four, or a cell of tic-tac-toe.

    ``observation["observation"]`` has two planes, the marks of this agent and those of the other. A skill below 100
    makes mistakes, which the seed repeats.
    """
    planes = observation["observation"]
    board = ["".join("X" if mine else "O" if theirs else "." for mine, theirs in row) for row in planes]
    game = GAMES[len(board), len(board[0])]
    answer = move_oracle.best_move(board, game=game, player="X", skill=skill, seed=seed)
    action = answer["column"] if game == "connect-four" else answer["move"]
    assert isinstance(action, int), answer["reason"]  # None once the game is over
    return action


def play(env: Any, agent: str) -> float:
    """Play a game with random moves against the agent, and return the agent's reward."""
    env.reset(seed=7)
    for name in env.possible_agents:
        env.action_space(name).seed(7)  # the moves of the random player, which the environment does not seed
    total = 0.0
    for name in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        total += reward if name == agent else 0
        if terminated or truncated:
            env.step(None)
        elif name == agent:
            env.step(act(observation))
        else:
            env.step(env.action_space(name).sample(observation["action_mask"]))
    return total


if __name__ == "__main__":
    from pettingzoo.classic import connect_four_v3

    print(play(connect_four_v3.env(), "player_1"))
