"""A game as arrays of integers, which are all that the kernel knows."""

from service.games.game import Game
from service.kernel.rules import Rules, make_rules


def lay_out(game: Game) -> Rules:
    """Return the rules of a game as arrays for the search. It takes some milliseconds, so keep them."""
    return make_rules(
        game.cells,
        game.lines,
        drop=game.drop,
        misere=game.misere,
        symmetries=game.symmetries,
        automorphisms=game.automorphisms,
    )
