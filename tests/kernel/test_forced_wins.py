"""Threat-space search and proof-number search: no false win, zones that hold, compiled or not."""

from collections.abc import Sequence
from functools import cache
from operator import attrgetter
from typing import Any

import pytest

from service.games.families.lines import LineGame, LinePosition, line_position
from service.kernel.alpha_beta.search import Search
from tests.kernel.test_kernel import INTERPRETED
from tests.support import sampled
from tests.worlds import drawn_positions, memory, rules_of, score_from_the_start, small, verdict

pytestmark = pytest.mark.verify

GAMES = [
    small(3, 3, 3),
    small(4, 4, 4, wrap=True),
    small(4, 4, 3),
    small(5, 4, 4),
    small(3, 3, 3, layers=3),
    small(5, 5, 4),
]
each_game = pytest.mark.parametrize("game", GAMES, ids=attrgetter("id"))
EMPTIES = 7
"""Empty cells up to which the reference says what is true."""

NAMES = INTERPRETED.ProofNumbers.plies.__globals__
MANY = 1_000_000


def ask(position: LinePosition, nodes: int = MANY, *, to_move: bool = True) -> tuple[int, int] | None:
    """What is proven of a forced win of the player to move, or of the other one."""
    marks = position.state if to_move else (position.state[1], position.state[0])
    return Search(rules_of(position.game), memory()).forced_win(*marks, nodes, to_move=to_move)


def threats_of(game: LineGame) -> Any:
    """The interpreted threat-space search, which shows its zone."""
    board = INTERPRETED.Board(rules_of(game))
    return NAMES["ThreatSearch"](board, NAMES["Limits"](None, None, 1))


@cache
def late(game: LineGame, count: int, empties: int = EMPTIES) -> list[LinePosition]:
    """Positions near the end; few in 3-D, where most games end before, so that it takes long to draw one."""
    few = count // 6 if game.layers > 1 else count
    return [*drawn_positions(game, range(max(0, game.cells - empties), game.cells - 1), few)]


def wins_by_threats(game: LineGame, mine: int, theirs: int) -> bool:
    """Whether the player to move wins by nothing but threats, whatever the other one does: every move is tried."""
    empty = [cell for cell in range(game.cells) if not (mine | theirs) >> cell & 1]
    if completing(game, mine, empty):
        return True
    return any(
        completing(game, mine | 1 << gain, empty)
        and not completing(game, theirs, [cell for cell in empty if cell != gain])
        and all(wins_by_threats(game, mine | 1 << gain, theirs | 1 << reply) for reply in empty if reply != gain)
        for gain in empty
    )


def completing(game: LineGame, marks: int, empty: list[int]) -> bool:
    """Whether one more mark on an empty cell completes a line."""
    return any(
        mask & ~marks & 1 << cell and not mask & ~marks & ~(1 << cell) for mask in line_masks(game) for cell in empty
    )


@cache
def line_masks(game: LineGame) -> tuple[int, ...]:
    return tuple(sum(1 << cell for cell in line) for line in game.lines)


@each_game
def test_every_forced_win_is_one_and_no_slower_than_said_and_its_first_move_keeps_it(game: LineGame) -> None:
    found, warm = 0, Search(rules_of(game), memory())
    for position in late(game, sampled(150, 840)):
        again = [warm.forced_win(*position.state, MANY, to_move=True) for _ in range(2)]
        for to_move, proven in (
            (True, ask(position)),
            (False, ask(position, to_move=False)),
            *((True, w) for w in again),
        ):
            if proven:
                truth = verdict(position)
                assert truth.outcome == (1 if to_move else -1)
                assert truth.plies <= proven[0]
                assert not to_move or score_from_the_start(position.play(proven[1])) < 0
                found += 1
    assert found > 10


@each_game
def test_threats_find_every_win_by_threats_and_no_other(game: LineGame) -> None:
    search, shown, long = threats_of(game), Search(rules_of(game), memory()), 0
    for position in late(game, sampled(400, 1_000) if game.layers == 1 else sampled(150, 840)):
        masks, wins = position.state, wins_by_threats(game, *position.state)
        assert (search.plies(*masks, MANY) > 0) == wins
        moves = shown.winning_threats(*masks, MANY)
        assert bool(moves) == wins
        long += leaves_one_reply_each(position, moves)
    assert long or game.layers > 1  # where every late position is won at once


def leaves_one_reply_each(start: LinePosition, moves: Sequence[int]) -> bool:
    """Check the moves of a win by threats; return whether it is one that does not win at once."""
    game, now = start.game, start
    for number, move in enumerate(moves):
        if number % 2:  # the attacker would complete a line there, and the defender can complete none
            assert completing(game, now.state[1], [move])
            assert not completing(game, now.state[0], [*now.legal_moves])
        now = now.play(move)
    if not moves or now.status != "in_progress":
        return False
    assert score_from_the_start(now) < 0
    assert not completing(game, now.state[0], [*now.legal_moves])
    return True


@pytest.mark.parametrize("game", [small(4, 4, 4, wrap=True), small(5, 4, 4), small(5, 5, 4)], ids=attrgetter("id"))
def test_a_forced_win_holds_whatever_cell_outside_of_its_zone_the_defender_has(game: LineGame) -> None:
    search, held = threats_of(game), 0
    for position in late(game, sampled(150, 200), EMPTIES + 3):
        mine, theirs = position.state
        if search.plies(mine, theirs, MANY) > 1:
            for cell in position.legal_moves:
                more = theirs | 1 << cell
                if not search.zone >> cell & 1 and not any(mask & ~more == 0 for mask in line_masks(game)):
                    assert wins_by_threats(game, mine, more)
                    held += 1
    assert held > 3


def test_wins_are_found_that_start_without_a_threat_and_nothing_is_claimed_of_a_draw() -> None:
    for game in (small(5, 6, 4), small(6, 6, 4)):
        proven = ask(line_position(game, 0, 0, "X"))
        assert proven is not None
        assert proven[0] < game.cells
        assert proven[0] % 2 == 1
    for game in (small(3, 3, 3), small(4, 4, 4), small(5, 5, 4)):
        assert [ask(line_position(game, 0, 0, "X"), to_move=to_move) for to_move in (True, False)] == [None, None]


@each_game
def test_the_interpreted_search_for_forced_wins_visits_the_same_nodes(game: LineGame) -> None:
    for position in drawn_positions(game, range(game.cells // 3, game.cells // 2), 4):
        searches = [kernel(rules_of(game), memory()) for kernel in (Search, INTERPRETED.Search)]
        found = [search.forced_win(*position.state, 300, to_move=True) for search in searches]
        assert found[0] == found[1]
        assert searches[0].nodes == searches[1].nodes
