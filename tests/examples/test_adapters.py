"""The adapters of the library connect it with environments and models as these are documented."""

from collections.abc import Iterator
from typing import Any

import pytest

from examples import arena_referee, pettingzoo_policy
from examples.arena_referee import Player
from tests.support import need_package


class Environment:
    """Tic-tac-toe by the documented interface of PettingZoo, in which the random player marks the first free cell."""

    possible_agents = ("player_1", "player_2")

    def reset(self, seed: int) -> None:
        self.cells, self.turn, self.seeds = [0] * 9, 0, [seed]

    def seed(self, seed: int) -> None:
        self.seeds.append(seed)

    def agent_iter(self) -> Iterator[str]:
        while self.turn < 11:
            yield f"player_{1 + self.turn % 2}"
            self.turn += 1

    def won(self, mark: int) -> bool:
        lines = (range(3), range(3, 6), range(6, 9), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
        return any(all(self.cells[cell] == mark for cell in line) for line in lines)

    def last(self) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        mine, theirs = 1 + self.turn % 2, 2 - self.turn % 2
        rows = [[[cell == mine, cell == theirs] for cell in self.cells[row : row + 3]] for row in (0, 3, 6)]
        mask = [cell == 0 for cell in self.cells]
        over = self.won(mine) or self.won(theirs)
        return {"observation": rows, "action_mask": mask}, self.won(mine) - self.won(theirs), over, False, {}

    def step(self, action: int | None) -> None:
        if action is None:
            self.turn += 9
        else:
            assert self.cells[action] == 0
            self.cells[action] = 1 + self.turn % 2

    def action_space(self, _agent: str) -> "Environment":
        return self

    def sample(self, mask: list[bool]) -> int:
        return mask.index(True)


@pytest.mark.parametrize("agent", ["player_1", "player_2"])
def test_the_policy_of_pettingzoo_plays_legal_moves_and_does_not_lose(agent: str) -> None:
    assert pettingzoo_policy.play(Environment(), agent) >= 0


@pytest.mark.verify
@pytest.mark.parametrize("name", ["connect_four_v3", "tictactoe_v3"])
def test_the_policy_wins_in_pettingzoo_itself(name: str) -> None:
    environment = getattr(need_package("pettingzoo.classic"), name)
    assert [pettingzoo_policy.play(environment.env(), environment.env().possible_agents[at]) for at in (0, 1)] == [1, 1]


@pytest.mark.verify
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_the_environment_of_gymnasium_keeps_its_rules_and_the_opponent_wins() -> None:
    checker = need_package("gymnasium.utils.env_checker")
    from examples.gymnasium_opponent import ConnectFourEnv  # noqa: PLC0415, it needs the package

    environment = ConnectFourEnv(skill=100)
    checker.check_env(environment, skip_render_check=True)
    environment.reset(seed=1)
    rewards, over = list[float](), False
    while not over:
        _, reward, over, _, _ = environment.step(len(rewards) % 7)
        rewards.append(reward)
    assert rewards[-1] == -1


def scripted(*answers: str) -> tuple[Player, list[str]]:
    """Return a player that gives these answers, and the prompts that it gets."""
    prompts, left = list[str](), iter(answers)

    def player(prompt: str) -> str:
        prompts.append(prompt)
        return next(left)

    return player, prompts


def test_the_referee_explains_faults_and_judges_the_game() -> None:
    x, _ = scripted("I take the center!", "a1", "**c3**")
    o, prompts = scripted("b2", "Sorry, c1.", "a2")
    judged = arena_referee.referee({"X": x, "O": o})
    assert judged == {
        "moves": ["center", "c1", "a1", "a2", "c3"],
        "winner": "X",
        "forfeited": None,
        "accuracy": {"X": 100.0, "O": 75.0},
    }
    assert "Not a legal move: " in prompts[1]
    assert "already marked" in prompts[1]


def test_a_player_who_makes_no_legal_move_forfeits() -> None:
    x, prompts = scripted("pass", "", "d4")
    judged = arena_referee.referee({"X": x, "O": scripted()[0]}, "tic-tac-toe")
    assert (judged["forfeited"], judged["winner"], judged["moves"], len(prompts)) == ("X", None, [], 3)
