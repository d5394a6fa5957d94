"""The agent for ConnectX plays whole games with a real server, and legal ones where the server cannot help."""

import random
import runpy
import urllib.request
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from examples import connectx
from service.games.families.lines import OPPONENT, PLAYERS, LineGame, LinePosition, Player, line_position
from tests.examples.conftest import BROKEN, listener
from tests.support import ROOT, some
from tests.worlds import small, verdict

pytestmark = pytest.mark.verify

UNHURRIED, HURRIED = 20.0, 0.25
NOWHERE = "http://127.0.0.1:9"

Mover = Callable[[LinePosition], int]
each_player = pytest.mark.parametrize("player", PLAYERS)


def start(rows: int, columns: int, in_a_row: int) -> LinePosition:
    return line_position(small(rows, columns, in_a_row, gravity=True), 0, 0, "X")


def shown(position: LinePosition, seconds: float = UNHURRIED) -> tuple[SimpleNamespace, SimpleNamespace]:
    """Return the position as Kaggle shows it to an agent: player 1 began, and is X."""
    game = position.game
    board, mark = [".XO".index(mark) for mark in str(position)], ".XO".index(position.player)
    configuration = SimpleNamespace(rows=game.rows, columns=game.columns, inarow=game.in_a_row, actTimeout=seconds)
    return SimpleNamespace(board=board, mark=mark), configuration


def by_agent(position: LinePosition, seconds: float = UNHURRIED) -> int:
    """Return the cell that the agent's mark takes."""
    column = connectx.agent(*shown(position, seconds))
    return {position.game.column_of(cell): cell for cell in position.legal_moves}[column]


def in_a_hurry(position: LinePosition) -> int:
    return by_agent(position, HURRIED)


def by_chance(seed: int) -> Mover:
    dice = random.Random(seed)
    return lambda position: dice.choice(position.legal_moves)


def end(position: LinePosition, movers: dict[Player, Mover]) -> LinePosition:
    """Return the end of a game; every move of it was legal."""
    while position.status == "in_progress":
        position = position.play(movers[position.player](position))
    return position


@each_player
@pytest.mark.parametrize("size", some([(4, 5, 4), (6, 7, 4), (8, 8, 5)], 1))
def test_the_agent_does_not_lose_to_chance_on_any_size(size: tuple[int, int, int], player: Player) -> None:
    finished = end(start(*size), {player: in_a_hurry, OPPONENT[player]: by_chance(1)})
    assert finished.winner != OPPONENT[player]


@each_player
@pytest.mark.parametrize("size", some([(3, 4, 3), (3, 3, 3), (4, 3, 3)], 1))
def test_against_every_opponent_the_agent_gets_what_best_play_promises(
    size: tuple[int, int, int], player: Player
) -> None:
    ends: set[Player | None] = set()
    waiting = {start(*size)}
    while waiting:
        position = waiting.pop()
        if position.status != "in_progress":
            ends.add(position.winner)
        elif position.player == player:
            waiting.add(position.play(by_agent(position)))
        else:
            waiting |= {position.play(move) for move in position.legal_moves}
    promised = verdict(start(*size)).outcome * (1 if player == "X" else -1)
    assert min(0 if winner is None else 1 if winner == player else -1 for winner in ends) == promised


def pressing(game: LineGame, games: int) -> Iterator[LinePosition]:
    """Yield, from games played at random, the positions in which a player would complete a line now."""
    for seed in range(games):
        dice, position = random.Random(seed), line_position(game, 0, 0, "X")
        while position.status == "in_progress":
            if position.game.completions(position, "X") or position.game.completions(position, "O"):
                yield position
            position = position.play(dice.choice(position.legal_moves))


def is_lost(position: LinePosition) -> bool:
    """Whether the opponent completes a line next, whatever is played."""
    nexts = [position.play(move) for move in position.legal_moves]
    return all(after.game.completions(after, after.player) for after in nexts)


@pytest.mark.parametrize("helped", [True, False], ids=["by the oracle", "by itself"])
def test_the_agent_wins_if_it_can_and_else_blocks(*, helped: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not helped:
        monkeypatch.setattr(connectx, "ORACLE", NOWHERE)
    for position in pressing(small(4, 5, 3, gravity=True), 4):
        wins, threats = (
            position.game.completions(position, position.player),
            position.game.completions(position, OPPONENT[position.player]),
        )
        if wins:
            assert in_a_hurry(position) in wins
        elif not is_lost(position):
            assert in_a_hurry(position) in threats


def test_the_agent_does_not_wait_for_a_service_that_is_late(monkeypatch: pytest.MonkeyPatch) -> None:
    timeouts, opened = list[float](), urllib.request.urlopen

    def urlopen(request: urllib.request.Request, timeout: float) -> Any:
        timeouts.append(timeout)
        return opened(request, timeout=timeout)

    monkeypatch.setattr(urllib.request, "urlopen", urlopen)
    with listener(None) as url:
        monkeypatch.setattr(connectx, "ORACLE", url)
        assert connectx.agent(*shown(start(6, 7, 4), seconds=1)) == 3
    assert timeouts == [0.85]


def test_an_answer_that_takes_all_its_time_is_not_late() -> None:
    """No oracle proves this board in two seconds."""
    assert connectx.ask_oracle(*shown(start(6, 8, 4), seconds=2)) in range(8)


def test_a_broken_service_is_replaced_by_looking_a_move_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    for said in BROKEN:
        with listener(said) as url:
            monkeypatch.setattr(connectx, "ORACLE", url)
            assert by_agent(start(6, 7, 4)) == 38, said


def test_on_a_board_too_large_for_the_service_the_agent_plays_by_itself() -> None:
    configuration = SimpleNamespace(rows=9, columns=9, inarow=4, actTimeout=2)
    board = [0] * 72 + [1, 1, 1, 0, 2, 2, 0, 2, 0]
    assert connectx.agent(SimpleNamespace(board=board, mark=1), configuration) == 3
    assert connectx.agent(SimpleNamespace(board=board, mark=2), configuration) == 6


def test_the_agent_is_what_kaggle_takes_from_the_file() -> None:
    functions = [value for value in runpy.run_path(str(ROOT / "examples/connectx.py")).values() if callable(value)]
    assert functions[-1].__name__ == "agent"
