"""Games made on request: grids by their rules, and games by their lines."""

from functools import lru_cache

from service.games.boards.grid import Line, Wrap
from service.games.catalogue import LINE_GAMES
from service.games.families.lines import LineGame, grid, hand_written

CUSTOM = "custom"
"""The id of every game that is not in the catalogue."""

NAME = "this game"

MOST_GRIDS, MOST_BY_LINES = 64, 16
"""The number of games cached for later requests: grids, and games by their lines.

A grid takes up to 0.2 MB, a game of a thousand lines up to 0.6 MB.
"""

GridKey = tuple[int, int, int, int, bool, bool, Wrap]

_BY_RULES: dict[GridKey, LineGame] = {
    (game.rows, game.columns, game.in_a_row or 0, game.layers, game.gravity, game.misere, game.wrap): game
    for game in LINE_GAMES.values()
}


@lru_cache(MOST_GRIDS)
def grid_by_rules(  # noqa: PLR0913, the rules have that many
    *, rows: int, columns: int, in_a_row: int, layers: int, gravity: bool, misere: bool, wrap: Wrap
) -> LineGame:
    """Return the game with these rules, from the catalogue, the cache, or made now."""
    return _BY_RULES.get((rows, columns, in_a_row, layers, gravity, misere, wrap)) or grid(
        id=CUSTOM,
        name=NAME,
        rules=f"The first with {in_a_row} in a row {'loses' if misere else 'wins'}.",
        rows=rows,
        columns=columns,
        in_a_row=in_a_row,
        layers=layers,
        gravity=gravity,
        misere=misere,
        wrap=wrap,
    )


@lru_cache(MOST_BY_LINES)
def game_by_lines(*, cells: int, lines: tuple[Line, ...], misere: bool) -> LineGame:
    """Return the game on ``cells`` cells with exactly these lines, from the cache or made now."""
    return hand_written(
        id=CUSTOM,
        name=NAME,
        rules=f"The first with a complete line {'loses' if misere else 'wins'}.",
        cells=cells,
        lines=lines,
        misere=misere,
    )
