"""A reason for a move: something true about it, in words, and what there is to say where nothing is proven."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from service.engine.result import Outcome
from service.games.boards.grid import Line

UNPROVEN: Mapping[tuple[Outcome, Outcome], str] = MappingProxyType(
    {
        ("loss", "win"): "the most promising move found; nothing is proven yet",
        ("draw", "win"): "holds the draw at least; whether it wins is not proven yet",
        ("loss", "draw"): "the most promising move found; no move wins, and whether one draws is not proven yet",
    }
)
"""What to say of the move that a stopped search chose, by its least and its greatest outcome."""

UNCLEAR: Mapping[tuple[Outcome, Outcome], str] = MappingProxyType(
    {
        **UNPROVEN,
        ("loss", "win"): "what it leads to is not proven yet",
        ("loss", "draw"): "does not win; whether it draws is not proven yet",
    }
)
"""What to say of another move."""

TABLE_IS_MADE = "not proven yet: the table of this game is still being made"
"""What to say of the move that is chosen meanwhile."""

Code = Literal[
    "wins-now",
    "loses-now",
    "gives-win-now",
    "only-legal-move",
    "blocks",
    "makes-fork",
    "stops-fork",
    "only-move",
    "wins",
    "slower-win",
    "draws",
    "repeats",
    "gives-win-away",
    "gives-draw-away",
    "loses-slowest",
    "loses-faster",
    "loses",
    "unproven",
]


@dataclass(frozen=True, slots=True)
class MoveReason:
    """Something true about a move: a stable ``code``, a clause with the move as subject, and the lines it is about.

    For example ``blocks``, ``blocks the top row``.
    """

    code: Code
    words: str
    lines: tuple[Line, ...] = ()

    @property
    def sentence(self) -> str:
        """The reason as a sentence."""
        return sentence(self.words)


def sentence(words: str) -> str:
    """Return a clause as a sentence."""
    return f"{words[0].upper()}{words[1:]}."
