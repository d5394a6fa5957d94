"""The masks of a board, each compared with what its lines say one by one."""

import random
from collections.abc import Iterator
from itertools import islice
from operator import attrgetter

import pytest

from service.games.boards.grid import mask, permute
from service.games.families.lines import LineGame
from tests.kernel.test_kernel import INTERPRETED
from tests.worlds import rules_of, small

GAMES = [
    small(6, 7, 4, gravity=True),
    small(8, 8, 4),
    small(4, 4, 4, layers=4),
    small(5, 5, 4, wrap=True),
    small(6, 6, 5),
    small(3, 3, 3),
]
each_game = pytest.mark.parametrize("game", GAMES, ids=attrgetter("id"))


def boards(game: LineGame) -> Iterator[tuple[int, int]]:
    """Random disjoint masks, of few marks and of many."""
    rng = random.Random(game.id)
    for _ in range(200):
        cells = rng.sample(range(game.cells), rng.randrange(game.cells))
        cut = rng.randrange(len(cells) + 1)
        yield mask(tuple(cells[:cut])), mask(tuple(cells[cut:]))


@each_game
def test_threats_live_cells_and_lines_are_those_that_the_lines_say_one_by_one(game: LineGame) -> None:
    board, lines = INTERPRETED.Board(rules_of(game)), [mask(line) for line in game.lines]
    for mine, theirs in boards(game):
        empty = board.full & ~(mine | theirs)
        missing = {line & ~mine for line in lines}
        assert board.threats(mine, empty) == sum(cell for cell in missing if cell.bit_count() == 1 and cell & empty)
        live = {cell for line in game.lines if not mask(line) & theirs for cell in line}
        assert board.live(theirs) == mask(tuple(live))
        assert bool(board.has_line(mine)) == (0 in missing)


@each_game
def test_all_symmetric_images_of_a_position_have_one_canonical_position(game: LineGame) -> None:
    board = INTERPRETED.Board(rules_of(game))
    for mine, theirs in islice(boards(game), 4):
        images = [(permute(mine, symmetry), permute(theirs, symmetry)) for symmetry in game.symmetries]
        assert {board.canonical(*image) for image in images} == {min(images)}
