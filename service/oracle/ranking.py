"""All legal moves of a position, the best first, each with its worth and the reasons for it."""

from collections.abc import Mapping
from dataclasses import dataclass

from service.games.position import Position
from service.oracle.entry import WORTH, Bounds, Entry, Judged, ends
from service.oracle.reasons import Reason, reasons

Worths = Mapping[int, Entry | Bounds]
"""What is known of every legal move, for the player who makes it."""


@dataclass(frozen=True, slots=True)
class RankedMove(Judged):
    """A legal move; outcome, score and plies are for the player who makes it, counted from before the move.

    ``best``: it is proven that no move is better. ``pv`` begins with the move.
    """

    move: int
    known: Entry | Bounds
    best: bool
    reasons: tuple[Reason, ...]

    @property
    def pv(self) -> tuple[int, ...]:
        """The move and best play after it, as far as it is known."""
        return self.known.pv if isinstance(self.known, Entry) else (self.move,)


def rank(position: Position, known: Entry | Bounds, worths: Worths) -> tuple[RankedMove, ...]:
    """The legal moves by their worth; among equals by their index or, where that is not proven, as they look."""
    looks = () if isinstance(known, Entry) else (known.move, *(move for move, _, _ in known.scores))
    order = sorted(dict.fromkeys((*looks, *worths)), key=lambda move: _worth(worths[move]), reverse=True)
    return tuple(
        RankedMove(move, worths[move], _is_best(known, worths[move]), reasons(position, known, move, worths))
        for move in order
    )


def sharpened(known: Entry | Bounds, worths: Worths) -> Entry | Bounds:
    """What is known of a position after all of its moves have been looked at."""
    if isinstance(known, Entry):
        return known
    first = max(worths, key=lambda move: (_worth(worths[move]), move == known.move, -move))
    proven = {move: worth for move, worth in worths.items() if isinstance(worth, Entry)}
    if len(proven) == len(worths):
        best = proven[first]
        equals = tuple(move for move, worth in proven.items() if worth.score == best.score)
        return Entry(best.outcome, best.plies, best.score, equals, best.pv)
    least, most = (max((ends(worth)[end] for worth in worths.values()), key=WORTH.__getitem__) for end in (0, 1))
    return Bounds(least, most, first, known.scores)


def _worth(known: Entry | Bounds) -> tuple[int, int, int]:
    """Orders what is known: by the least outcome, by the greatest, and by the distance where it is known."""
    least, most = ends(known)
    return WORTH[least], WORTH[most], known.score if isinstance(known, Entry) else 0


def _is_best(known: Entry | Bounds, worth: Entry | Bounds) -> bool:
    return isinstance(known, Entry) and isinstance(worth, Entry) and worth.score == known.score
