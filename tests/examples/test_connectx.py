"""The agent for ConnectX plays whole games with a real server, and legal ones where the server cannot help."""

import random
import runpy
from collections.abc import Iterator
from types import SimpleNamespace

import pytest

from examples import connectx
from service.games.families.lines import OPPONENT, PLAYERS, LineGame, LinePosition, Player, line_position
from tests.examples.conftest import BROKEN, listener
from tests.support import ROOT
from tests.worlds import small, verdict

pytestmark = pytest.mark.verify

UNHURRIED = 20.0


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


@pytest.mark.parametrize("player", PLAYERS)
def test_against_every_opponent_the_agent_gets_what_best_play_promises(player: Player) -> None:
    first = start(3, 4, 3)
    ends, waiting = set[Player | None](), {first}
    while waiting:
        position = waiting.pop()
        if position.status != "in_progress":
            ends.add(position.winner)
        elif position.player == player:
            waiting.add(position.play(by_agent(position)))
        else:
            waiting |= {position.play(move) for move in position.legal_moves}
    promised = verdict(first).outcome * (1 if player == "X" else -1)
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


def test_without_its_oracle_the_agent_wins_if_it_can_and_else_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connectx, "ORACLE", "http://127.0.0.1:9")
    for position in pressing(small(4, 5, 3, gravity=True), 4):
        wins = position.game.completions(position, position.player)
        if wins or not is_lost(position):
            threats = position.game.completions(position, OPPONENT[position.player])
            assert by_agent(position, 0.25) in (wins or threats)


def test_a_broken_service_is_replaced_by_looking_a_move_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    for said in BROKEN:
        with listener(said) as url:
            monkeypatch.setattr(connectx, "ORACLE", url)
            assert by_agent(start(6, 7, 4)) == 38, said


def test_the_agent_is_what_kaggle_takes_from_the_file() -> None:
    functions = [value for value in runpy.run_path(str(ROOT / "examples/connectx.py")).values() if callable(value)]
    assert functions[-1].__name__ == "agent"
