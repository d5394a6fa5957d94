"""Games played at random on whatever build of the kernel is imported, every answer printed.

It is a program, ``python -m tests.sanitized``, since whatever is found by a build with every check ends the process: a
shift too far, an overflow or an index beyond an array of C by the sanitizer's hand, an index beyond a view by
``end_the_process``.
"""

import os
import random
import sys
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import cycle, islice, product
from typing import NoReturn

from service.games.game import MAX_CELLS
from service.kernel.alpha_beta.search import POLL_NODES, WON, Search, Stopped
from service.kernel.rules import MAX_LINE, Rules, make_rules
from tests.worlds import memory, rules_of, small

DONE = "done\n"
"""What the program writes if it comes to its end."""

Position = tuple[int, int]
"""The marks of the player to move, and those of the other one."""


# The games.

SIZES = range(1, 9)
SHAPES = [*product((2, 3, 4), repeat=3), (2, 4, 8), (2, 8, 4), (8, 2, 4)]
STRIPS = (1, 2, 3, 5, 8, 31, 32, 33, 63, 64)


def rectangles(*, gravity: bool = False, misere: bool = False) -> Iterator[Rules]:
    """Boards of every size, with lines from a single cell to longer than the board."""
    for rows, columns, length in product(SIZES, SIZES, (1, 2, 3, 4, 5, 8)):
        if length <= max(rows, columns) or length == 4:
            yield rules_of(small(rows, columns, length, gravity=gravity, misere=misere))


def wrapped() -> Iterator[Rules]:
    """Boards whose edges meet, which have up to 512 symmetries."""
    for rows, columns, length in product((2, 3, 5, 8), (3, 4, 6, 8), (3, 5)):
        odd = rows % 2 == 1
        yield rules_of(small(rows, columns, length, wrap=True, gravity=columns == 6, misere=odd))


def spatial() -> Iterator[Rules]:
    """Boards of several layers."""
    for (layers, rows, columns), length, gravity in product(SHAPES, (2, 3, 4), (False, True)):
        if length <= max(layers, rows, columns):
            yield rules_of(small(rows, columns, length, layers=layers, gravity=gravity, misere=rows == 3))


def strips() -> Iterator[Rules]:
    """Boards of one row or one column, with lines up to the whole of it."""
    for cells, length, gravity, misere in product(STRIPS, (2, 3, 4, 64), (False, True), (False, True)):
        for rows, columns in ((1, cells), (cells, 1)):
            yield rules_of(small(rows, columns, min(length, cells), gravity=gravity, misere=misere))


def written_by_hand() -> Iterator[Rules]:
    """None to hundreds of lines, from a single cell to the whole board, in mirrored pairs, on boards of any size."""
    dice = random.Random(64)
    for cells, count, longest in product((1, 7, 9, 33, 63, 64, 64), (0, 1, 20, 300), (1, 4, 9, MAX_LINE)):
        most = min(longest, cells)
        lengths = [dice.randint(min(most, 3), most) if dice.random() < 0.9 else most for _ in range(count)]
        lines = [sorted(dice.sample(range(cells), length)) for length in lengths]
        mirror = [*reversed(range(cells))]
        lines += [sorted(mirror[cell] for cell in line) for line in lines]
        drop = dice.choice([0, 0, *(drop for drop in (1, 5, 8) if drop < cells)])
        yield make_rules(cells, lines, drop=drop, misere=dice.random() < 0.3, symmetries=[] if drop else [mirror])


FAMILIES: dict[str, Callable[[], Iterable[Rules]]] = {
    "rectangles": rectangles,
    "gravity": lambda: rectangles(gravity=True),
    "misere": lambda: rectangles(misere=True),
    "wrapped": wrapped,
    "spatial": spatial,
    "strips": strips,
    "written by hand": written_by_hand,
}


# The play.

LAST_CELLS = 6
"""Positions with no more empty cells are searched to the end, whatever it takes."""

LIMITS = (5, 30, 120, POLL_NODES + 10), (300, 300, 300, 1)
"""The nodes that the others get, and how often; the last number lets the search ask whether to stop."""

ESTIMATE_DEPTH, ESTIMATE_NODES = 2, 40
"""How far the estimator looks."""


def play(family: str, positions: int) -> None:
    """Prints so many positions and what the kernel says of them.

    One small table serves all games, so that it is full.
    """
    dice, games = random.Random(family), [*FAMILIES[family]()]
    table = memory(8)
    for rules, position in islice(positions_at_random(games, dice), positions):
        sys.stdout.write(f"{position} in {rules.digest.hex()}: {said(rules, position, table, dice)}\n")


def positions_at_random(games: Sequence[Rules], dice: random.Random) -> Iterator[tuple[Rules, Position]]:
    """Every position of games played at random from their beginning to their end, one of each in turn."""
    for rules in cycle(games):
        judge = Search(rules, memory(1))
        mine = theirs = 0
        yield rules, (mine, theirs)
        while judge.ended(mine, theirs) is None:
            mine, theirs = theirs, mine | 1 << dice.choice(judge.moves(mine, theirs))
            yield rules, (mine, theirs)


def said(rules: Rules, position: Position, table: memoryview, dice: random.Random) -> tuple[object, ...]:
    """All that the kernel says of a position, None where it was stopped.

    That is mostly the exact score, now and then a bound within a window taken at random; and an estimate.
    """
    near_the_end = rules.cells - (position[0] | position[1]).bit_count() <= LAST_CELLS
    (limit,) = (0,) if near_the_end else dice.choices(*LIMITS)
    window = sorted(dice.sample(range(-rules.cells - 1, rules.cells + 2), 2)) if dice.random() < 0.3 else None
    search = Search(rules, table, poll=lambda: False, limit=limit)
    about = search.ended(*position), search.decided(*position), search.moves(*position)
    ask = partial(search.bound, *position, *window) if window else partial(search.score, *position)
    estimator = Search(rules, table, limit=ESTIMATE_NODES)
    estimate = partial(estimator.estimate, *position, ESTIMATE_DEPTH, -2 * WON, 2 * WON)
    return limit, window, *about, unless_stopped(ask), search.nodes, unless_stopped(estimate)


def unless_stopped(ask: Callable[[], int]) -> int | None:
    """The answer, None where the search was stopped."""
    try:
        return ask()
    except Stopped:
        return None


# Faults made on purpose, by which the checks are checked.

SOUND = rules_of(small(4, 4, 4))

FAULTS = {
    "an index beyond a view": (replace(SOUND, weights=SOUND.weights[:8]), "IndexError('Out of bounds"),
    "an index beyond an array of C": (
        replace(
            SOUND, patterns=1, fours=0, lengths=array("i", [128]), offsets=array("i", [0] * 128), starts=array("Q", [1])
        ),
        "index 7 out of bounds",
    ),
    "a shift too far": (
        replace(SOUND, fours=0, offsets=array("i", [offset or MAX_CELLS for offset in SOUND.offsets])),
        "shift exponent 64 is too large",
    ),
    "an overflow": (replace(SOUND, weights=array("i", [2**31 - 1] * 16)), "signed integer overflow"),
}
"""Broken rules, each with what is said about it."""


def provoke(fault: str) -> None:
    """Searches a game whose rules are broken."""
    rules, _ = FAULTS[fault]
    Search(rules, memory(), limit=1000).bound(1, 0, -1, 1)


# The process.


def end_the_process(fault: "sys.UnraisableHookArgs") -> NoReturn:
    """Says where the fault was. A C function of the kernel cannot raise: without this it would return 0 and go on."""
    sys.stderr.write(f"{fault.object}: {fault.exc_value!r}\n")
    sys.stderr.flush()
    os._exit(3)


def main(command: str, what: str, positions: str = "0") -> None:
    """``play FAMILY POSITIONS`` or ``provoke FAULT``."""
    sys.unraisablehook = end_the_process
    if command == "play":
        play(what, int(positions))
    else:
        provoke(what)
    sys.stdout.write(DONE)


if __name__ == "__main__":
    main(*sys.argv[1:])
