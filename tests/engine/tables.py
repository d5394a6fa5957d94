"""What the tests of tables share."""

from service.engine.tables.family_table import FamilyTable
from service.engine.tables.tablebases import Tablebases
from service.games.game import Game
from tests.support import HUNG_SECONDS


def found(tables: Tablebases, game: Game) -> FamilyTable:
    """The table of a game, however long it takes to make it."""
    table = tables.find(game, lambda made: made.result(HUNG_SECONDS))
    assert table is not None
    return table
