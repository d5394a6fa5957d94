"""How a book is filled: the last layer is solved, position by position, and from it follow those with fewer marks."""

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, partial

from service.book.book import UNKNOWN, Layer
from service.book.slots import Slots, choices, positions, width
from service.games.game import Game
from service.kernel.layout import lay_out
from service.kernel.memory import private_memory
from service.kernel.search import Search

Score = Callable[[int, int], int | None]
"""The exact score of an unfinished position that is not won by the next move; None if it is not known."""


class Layers:
    """The layers of a game's book: their shapes, and the scores on them."""

    def __init__(self, game: Game) -> None:
        rules = lay_out(game)
        self.slots = Slots(rules)
        self._search = Search(rules, private_memory(1))

    def shapes(self, plies: int) -> list[list[int]]:
        """The shapes of every layer up to this number of marks, each layer ascending."""
        found = [[0]]
        for _ in range(plies):
            found.append(sorted({shape for below in found[-1] for _, shape in self._grown(below)}))
        return found

    def leaves(self, shapes: Iterable[int], score: Score) -> bytes:
        """The scores on some shapes, a byte each, asking ``score`` where a look at the board does not tell."""
        look = partial(self._leaf, score=score)
        return bytes(look(*masks) & 255 for shape in shapes for masks in positions(shape))

    def below(self, shapes: Sequence[int], after: Layer) -> Layer:
        """The layer on these shapes, by the one with a mark more."""
        places = {shape: place for place, shape in enumerate(after.shapes)}
        scores = b"".join(self._scores(shape, places, after) for shape in shapes)
        return make_layer(shapes, scores)

    def _grown(self, shape: int) -> Iterator[tuple[int, int]]:
        """The moves on a shape, each with the shape that it leads to."""
        for move in self._search.moves(shape, 0):
            yield move, self.slots.canonical(shape | 1 << move, 0)[0]

    def _leaf(self, mine: int, theirs: int, score: Score) -> int:
        if self._search.ended(theirs, mine):
            return UNKNOWN  # the player to move has a line already, so nobody would
        found = self._search.decided(mine, theirs)
        if found is None:
            found = score(mine, theirs)
        return UNKNOWN if found is None else found

    def _scores(self, shape: int, places: dict[int, int], after: Layer) -> bytes:
        """The scores of all slots of a shape; of one of whose moves anything is unknown, nothing is known."""
        ways = [self._after(shape, move, places, after) for move in self._search.moves(shape, 0)]
        # What is worst for the other player. A byte holds 128, the negative of UNKNOWN, as UNKNOWN.
        best = (-min(worths) for worths in zip(*ways, strict=True))
        both = zip(map(self._ended, positions(shape)), best, strict=True)
        return bytes((worth if ended is None else ended) & 255 for ended, worth in both)

    def _ended(self, masks: tuple[int, int]) -> int | None:
        """The score of a position that is finished, or that nobody would come to; None if the game goes on."""
        mine, theirs = masks
        return UNKNOWN if self._search.ended(theirs, mine) else self._search.ended(mine, theirs)

    def _after(self, shape: int, move: int, places: dict[int, int], after: Layer) -> list[int]:
        """For every slot of a shape, the score after the move, for the player who would go on."""
        marked = shape | 1 << move
        child, _ = self.slots.canonical(marked, 0)
        ways = (self.slots.canonical(marked, 1 << cell)[1] for cell in range(shape.bit_length()) if shape >> cell & 1)
        order = tuple((child & image - 1).bit_count() for image in ways)
        slots = width(len(order) + 1)
        start = places[child] * slots
        scores = after.scores[start : start + slots].tolist()
        return [scores[slot] for slot in _turned(order)]


@lru_cache(1 << 14)
def _turned(order: tuple[int, ...]) -> tuple[int, ...]:
    """For every slot of a shape, that of what follows a move; ``order`` tells the places that its marks get there."""
    slots = {sum(1 << place for place in chosen): slot for slot, chosen in enumerate(choices(len(order) + 1))}
    everything = sum(1 << place for place in order)
    bits = [1 << place for place in order]
    return tuple(slots[everything - sum(bits[index] for index in chosen)] for chosen in choices(len(order)))


def make_layer(shapes: Iterable[int], scores: bytes) -> Layer:
    """The layer with these shapes and scores."""
    return Layer(memoryview(array("Q", shapes)), memoryview(scores).cast("b"))
