"""Order and Chaos: both players write X or O; Order wants a line of equal marks, Chaos a full board without one.

Order wins by any line, also if Chaos completes it.
"""

from typing import Unpack

from service.games.boards.geometry import Geometry
from service.games.families.wild import EitherMark, boards_of_either_mark
from service.games.parameters import Parameter, board_size
from service.games.rules.wild import OrderAndChaos
from service.games.states import Named


class OrderAndChaosGame(EitherMark):
    """Order and Chaos; ``first`` is the player who begins."""

    family = "order-and-chaos"
    title = "Order and Chaos"
    about = "Order wants a line of equal marks, Chaos a full board without one."
    PARAMETERS = (
        *board_size(4, 4, 4),
        Parameter(
            name="first",
            values=("order", "chaos"),
            default="order",
            about="The player who begins.",
            choices="FirstSide",
        ),
    )
    players = ("Order", "Chaos")

    def __init__(
        self,
        *,
        rows: int,
        columns: int,
        in_a_row: int,
        first: str = "order",
        **named: Unpack[Named],
    ) -> None:
        geometry = Geometry(rows, columns, in_a_row)
        super().__init__(
            rules=f"Both players write X or O, as they like; Order wins if there are ever {in_a_row} alike in a row, "
            "Chaos if the board is full without that.",
            rows=rows,
            columns=columns,
            parameters={"rows": rows, "columns": columns, "in_a_row": in_a_row, "first": first},
            play=OrderAndChaos(geometry.compiled(), first == "chaos"),
            states=boards_of_either_mark(geometry),
            **named,
        )
        if first == "chaos":
            self.players = ("Chaos", "Order")
        self._lines = geometry.lines
