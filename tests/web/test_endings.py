"""What the page says of a game that is over: who has completed what, and who has won, in every game."""

from random import Random

import pytest
from playwright.sync_api import expect

from service.engine.result import ProvenResult
from service.explain.reasons import reason_of
from service.games.families.lines import OPPONENT, LineGame
from service.games.position import Position
from tests.web.games import VARIANTS, AnyGame, contents, description, random_game
from tests.web.page import InNode, Visit
from tests.worlds import is_line

GAMES = 40
"""Random games of each set of rules."""

SAID = """async (asked) => {
  const { gameOf } = await import("./games.js");
  const { ended, status } = await import("./words.js");
  return asked.map(({ description, games }) => {
    const game = gameOf(description);
    return games.map((moves) => {
      const state = moves.reduce((before, move) => game.play(before, move), game.start());
      return [status({ game, state, you: "both", player: game.playerOf(state) }), ended(game, state)];
    });
  });
}"""
"""JavaScript that plays games by the page's own rules and tells what it says of their ends."""

SENTENCES = {
    "completed": "{mover} has completed {line}",
    "last board": "{mover} has completed a line on the last board",
    "both": "Both players have completed a line",
    "full": "Nobody has completed a line",
    "full and won": "The board is full without a line",
    "stuck": "{player} cannot move",
}

Ending = tuple[str, bool]
"""How a game ended, a key of SENTENCES, and whether the player has won who moved last."""


def cell_name(game: AnyGame, cell: int) -> str:
    if not isinstance(game, LineGame) and game.parameters.get("points") == 13:
        return str(cell)
    layers, rows = (game.layers, game.rows) if isinstance(game, LineGame) else (1, game.rows)
    layer, place = divmod(cell, rows * game.columns)
    return f"{f'{layer + 1}:' if layers > 1 else ''}{'abcdefgh'[place % game.columns]}{place // game.columns + 1}"


def line_of(position: Position) -> str:
    game, line = position.game, position.winning_line or ()
    has_columns = game.has_columns if isinstance(game, LineGame) else game.upright
    return f"{len(line)} in a row" if has_columns else ", ".join(cell_name(game, cell) for cell in line)


def mover_of(position: Position) -> str:
    """Return the player who moved last."""
    return position.opponent if not is_line(position) else OPPONENT[position.player]


def ending(position: Position) -> Ending:
    """Return how the rules have ended a game."""
    is_full = "." not in contents(position)
    has_won = position.winner == mover_of(position)
    if position.winning_line is not None:
        boards = position.game.boards if not isinstance(position.game, LineGame) else 1
        return ("last board" if boards > 1 else "completed", has_won)
    if position.winner is not None:
        return ("full and won" if is_full else "stuck", has_won)
    if not is_line(position) and position.game.line(position.words) is not None:
        return "both", False
    return ("full" if is_full else "stuck", False)


def begun(player: str) -> str:
    """Return the name of a player at the beginning of a sentence."""
    return player[0].upper() + player[1:]


def expected(position: Position) -> list[str]:
    """Return what the page is to say: who has won, and how the game ended."""
    kind, has_won = ending(position)
    mover, player = begun(mover_of(position)), begun(position.player)
    said = SENTENCES[kind].format(mover=mover, line=line_of(position), player=player)
    is_told = position.winner is not None and not (has_won and kind in {"completed", "last board"})
    so = f", so {position.winner} wins" if is_told else ""
    return [f"{begun(position.winner)} has won" if position.winner else "A draw", f"{said}{so}."]


def finished(name: str) -> list[tuple[list[int | str], Position]]:
    """Return the random games of a set of rules that ended: their moves, and the last position."""
    dice = Random(name)
    games = (random_game(VARIANTS[name], dice) for _ in range(GAMES))
    return [(moves, end) for moves, (*_, end) in games if not end.legal_moves]


@pytest.mark.verify
def test_the_end_of_a_game_is_told_by_its_rules(in_node: InNode) -> None:
    games = {name: finished(name) for name in VARIANTS}
    asked = [
        {"description": description(VARIANTS[name]), "games": [moves for moves, _ in ended]}
        for name, ended in games.items()
    ]
    for (name, ended), told in zip(games.items(), in_node(SAID, asked), strict=True):
        for (moves, end), said in zip(ended, told, strict=True):
            assert said == expected(end), (name, moves)
    seen = {ending(end) for ended in games.values() for _, end in ended}
    won = {
        (kind, has_won) for kind in ("completed", "last board", "full and won", "stuck") for has_won in (True, False)
    }
    assert seen == won | {("full", False), ("both", False)}


PROVEN = ProvenResult("draw", 0, 0, (), ())
FAMILIES = [name for name, game in VARIANTS.items() if not isinstance(game, LineGame)]


@pytest.mark.parametrize("name", FAMILIES)
def test_the_service_tells_the_end_by_the_rules_too(name: str) -> None:
    for _, end in finished(name):
        assert not is_line(end)
        said = reason_of(end, PROVEN, None).lower()
        kind, has_won = ending(end)
        opening = "the board is full" if kind.startswith("full") else SENTENCES[kind].partition("{line}")[0]
        assert said.startswith(opening.format(mover=mover_of(end), player=end.player).lower())
        if kind in {"completed", "last board"}:
            assert said.endswith("and won." if has_won else "and lost.")
        else:
            assert said.endswith(f"{end.winner} has won.".lower() if end.winner else "a draw.")


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("?game=notakto&moves=4,3,5&you=X", "First has completed a2, b2, c2, so second wins."),
        (
            "?game=misere-tic-tac-toe&board=XXXOO....&player=O&lang=de",
            "X hat a1, b1, c1 vollendet; damit gewinnt O.",
        ),
    ],
)
def test_the_player_is_named_who_completed_the_line(visit: Visit, query: str, said: str) -> None:
    page = visit(query)
    expect(page.locator("#story")).to_have_text(said)
    expect(page.locator("#said")).to_contain_text(said)
