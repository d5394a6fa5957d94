"""A reason for a move: a true statement about it, in words; and statements about unproven moves."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from service.engine.result import Outcome
from service.games.boards.grid import Line
from service.games.game import Deed

UNPROVEN: Mapping[tuple[Outcome, Outcome], str] = MappingProxyType(
    {
        ("loss", "win"): "the most promising move found; nothing is proven yet",
        ("draw", "win"): "holds the draw at least; whether it wins is not proven yet",
        ("loss", "draw"): "the most promising move found; no move wins, and whether one draws is not proven yet",
    }
)
"""The statement about the move chosen by a stopped search, by its least and its greatest possible outcome."""

UNCLEAR: Mapping[tuple[Outcome, Outcome], str] = MappingProxyType(
    {
        **UNPROVEN,
        ("loss", "win"): "what it leads to is not proven yet",
        ("loss", "draw"): "does not win; whether it draws is not proven yet",
    }
)
"""The statement about any other move, by its least and its greatest possible outcome."""

TABLE_IS_MADE = "not proven yet: the table of this game is still being made"
"""The statement about a move chosen before the table is ready."""

Code = Literal[
    "wins-now",
    "loses-now",
    "gives-win-now",
    "only-legal-move",
    "blocks",
    "makes-fork",
    "stops-fork",
    Deed,
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
    """A true statement about a move: a stable ``code``, a clause with the move as subject, and the lines involved.

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
