"""The joint catalogue: line games first, then the games of families."""

from collections.abc import Mapping
from types import MappingProxyType

from service.families.catalogue import FAMILY_GAMES
from service.families.game import FamilyGame
from service.games.catalogue import CATALOGUE
from service.games.game import Game

ALL_GAMES: Mapping[str, Game | FamilyGame] = MappingProxyType({**CATALOGUE, **FAMILY_GAMES})
"""Every game that has a name, by its id, in the order in which ``GET /games`` lists them."""
