"""The games that can be named. A new one is a new entry: everything else follows from the data."""

from collections.abc import Mapping
from types import MappingProxyType

from service.games.game import Game, Value, grid

TIC_TAC_TOE = grid(
    id="tic-tac-toe",
    name="Tic-tac-toe",
    rules="Players mark empty cells in turn; the first to own three in a row wins.",
    rows=3,
    columns=3,
    in_a_row=3,
    value=Value(outcome="draw", plies=9, source="Solved completely by this service when it starts."),
)

MISERE_TIC_TAC_TOE = grid(
    id="misere-tic-tac-toe",
    name="Misère tic-tac-toe",
    rules="Players mark empty cells in turn; the first to own three in a row loses.",
    rows=3,
    columns=3,
    in_a_row=3,
    misere=True,
    value=Value(outcome="draw", plies=9, source="Solved completely by this service when it starts."),
)

CATALOGUE: Mapping[str, Game] = MappingProxyType({game.id: game for game in (TIC_TAC_TOE, MISERE_TIC_TAC_TOE)})
"""Every game by its id, in the order in which ``GET /games`` lists them."""

DEFAULT_GAME = TIC_TAC_TOE
