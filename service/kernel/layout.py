"""Games carried over to the kernel, which knows integers only."""

from service.games.game import Game
from service.kernel.rules import Rules, make_rules


def lay_out(game: Game) -> Rules:
    """The rules of a game as the search wants them; takes some milliseconds, so keep them."""
    return make_rules(game.cells, game.lines, drop=game.drop, misere=game.misere, symmetries=game.symmetries)
