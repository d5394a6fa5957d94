"""The compiled search: sound when it is stopped, when its table is torn, and when games share one."""

import random
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from itertools import product
from operator import attrgetter
from typing import Any

import pytest

from service.games.families.lines import LineGame
from service.kernel import bits
from service.kernel.alpha_beta import search as compiled
from service.kernel.alpha_beta.search import POLL_NODES, WIN_ESTIMATE, Search, Stopped
from service.kernel.rules import Rules, make_rules
from tests.interpreted import interpreted_search
from tests.support import HUNG_SECONDS, IN_CI, wait_until
from tests.worlds import memory, near_the_end, rules_of, score_from_the_start, small

INTERPRETED = interpreted_search()


@pytest.mark.skipif(compiled.KERNEL != "compiled" and not IN_CI, reason="there was no compiler to compile the kernel")
def test_the_kernel_is_compiled() -> None:
    assert compiled.KERNEL == "compiled"
    assert INTERPRETED.KERNEL == "interpreted"


def test_games_that_share_a_table_are_never_confused() -> None:
    games = [small(3, 3, 3), small(3, 3, 3, misere=True), small(3, 3, 3, wrap=True), small(3, 3, 2)]
    shared = memory()
    for _ in range(2):
        scores = [Search(rules_of(game), shared).score(0, 0) for game in games]
        assert scores == [Search(rules_of(game), memory()).score(0, 0) for game in games]


SIZES = [*product(range(1, 9), range(1, 9)), *((1, cells) for cells in (31, 32, 33, 63, 64)), (33, 1), (64, 1)]


@pytest.mark.verify
@pytest.mark.parametrize("length", [1, 2, 3, 4, 8, 64])
@pytest.mark.parametrize("flags", [{}, {"gravity": True}, {"misere": True}, {"wrap": True}], ids=str)
def test_boards_of_every_size_are_searched_alike_compiled_or_not(length: int, flags: dict[str, Any]) -> None:
    for rows, columns in [size for size in SIZES if length <= max(size)]:
        rules, found = rules_of(small(rows, columns, length, **flags)), list[object]()
        for kernel in (compiled, INTERPRETED):
            search, score = kernel.Search(rules, memory(8), limit=40), None
            with suppress(Stopped):
                score = search.score(0, 0)
            found.append(
                (score, search.nodes, kernel.Search(rules, memory(8)).estimate(0, 0, 1, -WIN_ESTIMATE, WIN_ESTIMATE))
            )
        assert found[0] == found[1], (rows, columns)


WORD = 1 << 64

MIX = 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
MIX_OTHERWISE = 0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53
"""The factors of both steps that mix a key."""


def key_of(rules: Rules, mine: int, theirs: int, marks: int | None = None) -> tuple[int, int]:
    """The key and the check bits of a position, as if it had so many marks."""
    table = INTERPRETED.Table(INTERPRETED.Board(rules), memory(2), rules.key_seeds)
    key: tuple[int, int] = table.key_of(mine, theirs, (mine | theirs).bit_count() if marks is None else marks)
    return key


def unshifted(word: int, by: int) -> int:
    """The word whose ``word ^ word >> by`` this is."""
    found = word
    for _ in range(64 // by):
        found = word ^ found >> by
    return found


def unmixed(word: int, shifts: tuple[int, int, int], factors: tuple[int, int]) -> int:
    """What goes into a step of shifts and factors that makes this word."""
    for shift, factor in zip(reversed(shifts), (*reversed(factors), 1), strict=True):
        word = unshifted(word, shift) * pow(factor, -1, WORD) % WORD
    return word


def same_key(ours: Rules, theirs: Rules, position: tuple[int, int]) -> tuple[int, int]:
    """The masks that have in the other game the key of a position of ours, for somebody who knows all seeds."""
    marks = 2 * (position[0] | position[1]).bit_count()
    mine, other = position
    first = unmixed(bits.mix(mine ^ ours.key_seeds[marks]), (30, 27, 31), MIX)
    second = unmixed(bits.mix_otherwise(other ^ ours.key_seeds[marks + 1]), (33, 33, 33), MIX_OTHERWISE)
    return first ^ theirs.key_seeds[marks], second ^ theirs.key_seeds[marks + 1]


def test_nobody_can_choose_a_position_that_is_taken_for_one_of_another_game() -> None:
    # A client that knows the seeds can solve for the masks that have the key of a given position.
    ours, theirs = (make_rules(64, [[0, 1, cell]]) for cell in (2, 3))
    position = 0b0110, 0b1001
    chosen = same_key(ours, theirs, position)
    assert key_of(theirs, *chosen, marks=4) == key_of(ours, *position)
    ours, theirs = ours.with_secret(b"known to nobody"), theirs.with_secret(b"known to nobody")
    assert key_of(theirs, *chosen, marks=4) != key_of(ours, *position)
    assert ours.key_seeds != ours.with_secret(b"another").key_seeds
    assert len({*ours.key_seeds, *theirs.key_seeds}) == 4 * 65


def fault() -> bool:
    raise KeyboardInterrupt


ASKS: tuple[Callable[[Search], object], ...] = (
    lambda search: search.score(0, 0),
    lambda search: search.estimate(0, 0, 9, -2 * WIN_ESTIMATE, 2 * WIN_ESTIMATE),
    lambda search: search.forced_win(0, 0, 1_000_000, to_move=True),
)


@pytest.mark.parametrize(
    ("told", "ends_with", "nodes"),
    [
        pytest.param({"limit": 1000}, Stopped, range(1000, 1001), id="its limit of nodes"),
        pytest.param({"poll": lambda: True}, Stopped, range(POLL_NODES + 1), id="its poll"),
        pytest.param({"poll": fault}, KeyboardInterrupt, range(POLL_NODES + 1), id="a fault of its poll"),
    ],
)
def test_a_search_ends_soon_after_it_is_told_to_and_passes_faults_on(
    told: dict[str, Any], ends_with: type[BaseException], nodes: range
) -> None:
    for kernel, ask in product((compiled, INTERPRETED), ASKS):
        search = kernel.Search(rules_of(small(8, 8, 5)), memory(), **told)
        with pytest.raises(ends_with):
            ask(search)
        assert search.nodes in nodes


def test_a_search_that_was_stopped_leaves_a_sound_table() -> None:
    game, shared = small(5, 5, 4, gravity=True), memory(8)
    for limit in range(50, 1000, 50):
        with pytest.raises(Stopped):
            Search(rules_of(game), shared, limit=limit).bound(0, 0, 0, 1)
    for position in near_the_end(game, empties=6, count=30):
        score = Search(rules_of(game), shared).score(*position.state)
        assert score == score_from_the_start(position)


@pytest.mark.skipif(compiled.KERNEL != "compiled", reason="plain Python holds the lock of the interpreter")
def test_a_search_goes_on_while_another_thread_holds_the_lock_of_the_interpreter() -> None:
    search = Search(rules_of(small(8, 8, 5)), memory(), limit=1_000_000)
    interval = sys.getswitchinterval()

    def run() -> None:
        with suppress(Stopped):
            search.score(0, 0)

    thread = threading.Thread(target=run)
    thread.start()
    wait_until(lambda: search.nodes)
    sys.setswitchinterval(1000)  # from here on nobody takes the lock from this thread
    try:
        enough, deadline = min(1_000_000, search.nodes + 100_000), time.monotonic() + HUNG_SECONDS
        while search.nodes < enough and time.monotonic() < deadline:
            pass
        assert search.nodes >= enough
    finally:
        sys.setswitchinterval(interval)
        thread.join()


@pytest.mark.parametrize(
    "game",
    [small(3, 3, 3), small(3, 3, 3, misere=True), small(3, 3, 3, wrap=True), small(4, 4, 4)],
    ids=attrgetter("id"),
)
def test_torn_entries_of_the_table_are_not_believed(game: LineGame) -> None:
    dice, shared = random.Random(game.id), memory(8)
    expected = Search(rules_of(game), memory()).score(0, 0)
    for _ in range(20):
        assert Search(rules_of(game), shared).score(0, 0) == expected
        for _ in range(200):
            word = dice.randrange(len(shared))
            shared[word] ^= 1 << dice.randrange(64)
