"""The layers of a book: the last is solved position by position, each lower one is derived from the one above."""

from array import array
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

from service.book.book import UNKNOWN, Layer
from service.book.indexing import Symmetries, choices, positions, positions_per_shape
from service.games.families.lines import LineGame
from service.kernel.alpha_beta.search import Search
from service.kernel.memory import private_memory

Score = Callable[[int, int], int | None]
"""Returns the exact score of an unfinished position that the next move does not win; None if it is not known."""


class LayerBuilder:
    """Finds the shapes of a game's layers and the scores of their positions."""

    def __init__(self, game: LineGame) -> None:
        rules = game.lay_out()
        self.symmetries = Symmetries(rules)
        self._search = Search(rules, private_memory(1))

    def shapes(self, plies: int) -> list[list[int]]:
        """Return the shapes of each layer up to ``plies`` marks, each layer in ascending order."""
        layers = [[0]]
        for _ in range(plies):
            layers.append(sorted({self._grown(shape, move) for shape in layers[-1] for move in self._moves(shape)}))
        return layers

    def solve(self, shapes: Iterable[int], score: Score) -> bytes:
        """Return the scores on some shapes, a byte each; call ``score`` only where the board does not decide."""
        return bytes(self._solve(*masks, score) & 255 for shape in shapes for masks in positions(shape))

    def below(self, shapes: Sequence[int], above: Layer) -> Layer:
        """Return the layer with these shapes, derived from the layer with one more mark."""
        indices = {shape: index for index, shape in enumerate(above.shapes)}
        return make_layer(shapes, b"".join(self._derived(shape, indices, above) for shape in shapes))

    def _moves(self, shape: int) -> list[int]:
        return self._search.moves(shape, 0)

    def _grown(self, shape: int, move: int) -> int:
        """Return the canonical shape after a move."""
        return self.symmetries.canonical(shape | 1 << move, 0)[0]

    def _solve(self, mine: int, theirs: int, score: Score) -> int:
        if self._search.ended(theirs, mine):
            return UNKNOWN  # the player to move has a line already, so the position cannot arise
        found = self._search.decided(mine, theirs)
        if found is None:
            found = score(mine, theirs)
        return UNKNOWN if found is None else found

    def _derived(self, shape: int, indices: dict[int, int], above: Layer) -> bytes:
        """Return the scores on a shape; a position with a move of unknown value is unknown."""
        scores_after = [self._after(shape, move, indices, above) for move in self._moves(shape)]
        # The minimum for the other player. A byte holds 128, the negative of UNKNOWN, as UNKNOWN.
        best = (-min(scores) for scores in zip(*scores_after, strict=True))
        both = zip(map(self._ended, positions(shape)), best, strict=True)
        return bytes((score if ended is None else ended) & 255 for ended, score in both)

    def _ended(self, masks: tuple[int, int]) -> int | None:
        """Return the score of a position that is finished or cannot arise; None for any other."""
        mine, theirs = masks
        return UNKNOWN if self._search.ended(theirs, mine) else self._search.ended(mine, theirs)

    def _after(self, shape: int, move: int, indices: dict[int, int], above: Layer) -> list[int]:
        """Return the score after a move, for the opponent, of every position on a shape."""
        marked = shape | 1 << move
        child = self._grown(shape, move)
        cells = (cell for cell in range(shape.bit_length()) if shape >> cell & 1)
        images = (self.symmetries.canonical(marked, 1 << cell)[1] for cell in cells)
        order = tuple((child & image - 1).bit_count() for image in images)
        count = positions_per_shape(len(order) + 1)
        start = indices[child] * count
        scores = above.scores[start : start + count].tolist()
        return [scores[index] for index in _ranks_after(order)]


@lru_cache(1 << 14)
def _ranks_after(order: tuple[int, ...]) -> tuple[int, ...]:
    """Return the rank after a move of every position on a shape.

    ``order`` maps the marks of the old shape to those of the new one. After the move it is the opponent's turn, who
    owns the marks that are not chosen.
    """
    ranks = {sum(1 << index for index in chosen): rank for rank, chosen in enumerate(choices(len(order) + 1))}
    bits = [1 << index for index in order]
    return tuple(ranks[sum(bits) - sum(bits[index] for index in chosen)] for chosen in choices(len(order)))


def make_layer(shapes: Iterable[int], scores: bytes) -> Layer:
    """Return the layer with these shapes and scores."""
    return Layer(memoryview(array("Q", shapes)), memoryview(scores).cast("b"))
