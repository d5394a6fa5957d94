"""The families, and their games that can be named."""

from collections.abc import Mapping
from types import MappingProxyType

from service.families.exactly import ExactlyGame
from service.families.game import FamilyGame
from service.families.morris import MorrisGame
from service.families.notakto import NotaktoGame
from service.families.numerical import NumericalGame
from service.families.order_and_chaos import OrderAndChaosGame
from service.families.pop_out import PopOutGame
from service.families.vanishing import VanishingGame
from service.families.wild import WildGame
from service.games.game import Value

FAMILIES: Mapping[str, type[FamilyGame]] = MappingProxyType(
    {
        game.family: game
        for game in (
            WildGame,
            NotaktoGame,
            OrderAndChaosGame,
            NumericalGame,
            VanishingGame,
            MorrisGame,
            PopOutGame,
            ExactlyGame,
        )
    }
)
"""Every family by its name."""


def _value(outcome: str, plies: int | None) -> Value:
    return Value(outcome, plies, "Solved by this service.")


FAMILY_GAMES: Mapping[str, FamilyGame] = MappingProxyType(
    {
        game.id: game
        for game in (
            WildGame(
                id="wild-tic-tac-toe",
                name="Wild tic-tac-toe",
                rows=3,
                columns=3,
                in_a_row=3,
                value=_value("win", 7),
            ),
            WildGame(
                id="misere-wild-tic-tac-toe",
                name="Misère wild tic-tac-toe",
                rows=3,
                columns=3,
                in_a_row=3,
                misere=True,
                value=_value("draw", 9),
            ),
            NotaktoGame(id="notakto", name="Notakto", value=_value("win", 6)),
            NotaktoGame(id="notakto-2", name="Notakto on two boards", boards=2, value=_value("loss", 11)),
            NotaktoGame(id="notakto-3", name="Notakto on three boards", boards=3, value=_value("win", 14)),
            NotaktoGame(id="treblecross", name="Treblecross", rows=1, columns=8, misere=False, value=_value("win", 5)),
            OrderAndChaosGame(
                id="order-and-chaos-4x4",
                name="Order and Chaos on 4x4",
                rows=4,
                columns=4,
                in_a_row=4,
                value=_value("win", 13),
            ),
            NumericalGame(id="numerical-tic-tac-toe", name="Numerical tic-tac-toe", value=_value("win", 9)),
            VanishingGame(id="vanishing-tic-tac-toe", name="Vanishing tic-tac-toe", value=_value("draw", None)),
            MorrisGame(id="three-mens-morris", name="Three men's morris", value=_value("win", 9)),
            MorrisGame(id="tapatan", name="Tapatan", moves="diagonals", stuck="draw", value=_value("win", 9)),
            MorrisGame(id="achi", name="Achi", marks=4, moves="diagonals", value=_value("win", 11)),
            MorrisGame(id="picaria", name="Picaria", points=13, moves="diagonals", value=_value("win", 5)),
            PopOutGame(id="pop-out-4x4", name="Pop-out Connect Four 4x4", rows=4, columns=4, value=_value("loss", 24)),
            PopOutGame(
                id="pop-out-5x4", name="Pop-out Connect Four 5x4", rows=4, columns=5, value=_value("draw", None)
            ),
            ExactlyGame(
                id="exactly-three-4x4",
                name="Exactly three in a row on 4x4",
                rows=4,
                columns=4,
                in_a_row=3,
                value=_value("win", 5),
            ),
        )
    }
)
"""Every game of a family that has a name, by its id."""
