"""What the page says of a game that is over: who has completed what, and who has won, in every game and language."""

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from service.engine.result import ProvenResult
from service.explain.family_reasons import family_reason
from service.families.game import FamilyGame
from service.families.morris import MorrisGame
from service.families.order_and_chaos import OrderAndChaosGame
from service.families.position import AnyPosition, FamilyPosition
from service.games.game import Game
from service.games.position import OPPONENT, Position
from tests.web.page import Open, Visit
from tests.web.test_rules import FAMILY_VARIANTS, LINE_GAMES, line_description

GAMES = 40
"""Random games of each set of rules."""

MOST_PLIES = 70

FAMILIES: dict[str, FamilyGame] = {
    **FAMILY_VARIANTS,
    "order-moves-last": OrderAndChaosGame(rows=3, columns=3, in_a_row=3),
    "stuck-is-a-draw": MorrisGame(marks=4, moves="diagonals", stuck="draw"),
}

LANGUAGES = ("en", "de")

SAID = """async ({ description, games, language }) => {
  const { Game } = await import("/page/game.js");
  const { texts } = await import("/page/texts.js");
  const { ended, status } = await import("/page/words.js");
  const tables = await import(`/page/texts_${language}.js`);
  Object.assign(texts, tables[language]);
  const game = new Game(description);
  return games.map((moves) => {
    const state = moves.reduce((before, move) => game.rules.play(before, move), game.rules.start());
    return [status({ game, state, you: "both", player: game.playerOf(state) }), ended(game, state)];
  });
}"""
"""JavaScript that plays games by the page's own rules and tells what it says of their ends."""

PLAYERS = {
    "first": ("First", "Spieler 1"),
    "second": ("Second", "Spieler 2"),
    "odd": ("Odd", "Ungerade"),
    "even": ("Even", "Gerade"),
    "Order": ("Order", "Ordnung"),
}
"""The names of players at the beginning of a sentence, where they are not their signs."""

SENTENCES = {
    "completed": ("{0} has completed {1}", "{0} hat {1} vollendet"),
    "last board": ("{0} has completed a line on the last board", "{0} hat eine Linie auf dem letzten Brett vollendet"),
    "both": ("Both players have completed a line", "Beide haben eine Linie vollendet"),
    "full": ("Nobody has completed a line", "Niemand hat eine Linie vollendet"),
    "full and won": ("The board is full without a line", "Das Brett ist ohne Linie voll"),
    "stuck": ("{2} cannot move", "{2} kann nicht ziehen"),
}
SO_WINS = (", so {} wins", "; damit gewinnt {}")

Ending = tuple[str, bool]
"""How a game ended, a key of SENTENCES, and whether the player has won who moved last."""


def named(player: str, language: int) -> str:
    return PLAYERS[player][language] if player in PLAYERS else player


def spoken(player: str, language: int) -> str:
    name = named(player, language)
    return name if player in {"X", "O", "Order", "Chaos"} or language else name.lower()


def cell_name(game: Game | FamilyGame, cell: int) -> str:
    if isinstance(game, FamilyGame) and game.parameters.get("points") == 13:
        return str(cell)
    layers, rows = (game.layers, game.rows) if isinstance(game, Game) else (1, game.rows)
    layer, place = divmod(cell, rows * game.columns)
    return f"{f'{layer + 1}:' if layers > 1 else ''}{'abcdefgh'[place % game.columns]}{place // game.columns + 1}"


def has_columns(game: Game | FamilyGame) -> bool:
    return game.has_columns if isinstance(game, Game) else game.upright


def line_of(position: AnyPosition, line: tuple[int, ...], language: int) -> str:
    if has_columns(position.game):
        return f"{len(line)} {('in a row', 'in einer Reihe')[language]}"
    return ", ".join(cell_name(position.game, cell) for cell in line)


def mover_of(position: AnyPosition) -> str:
    """Return the player who moved last."""
    return position.opponent if isinstance(position, FamilyPosition) else OPPONENT[position.player]


def ending(position: AnyPosition) -> Ending:
    """Return how the rules have ended a game."""
    is_full = "." not in (position.contents if isinstance(position, FamilyPosition) else str(position))
    has_won = position.winner == mover_of(position)
    if position.winning_line is not None:
        boards = position.game.boards if isinstance(position.game, FamilyGame) else 1
        return ("last board" if boards > 1 else "completed", has_won)
    if position.winner is not None:
        return ("full and won" if is_full else "stuck", has_won)
    if isinstance(position, FamilyPosition) and position.game.line(position.words) is not None:
        return "both", False
    return ("full" if is_full else "stuck", False)


def expected(position: AnyPosition, language: int) -> list[str]:
    """Return what the page is to say: who has won, and how the game ended."""
    kind, has_won = ending(position)
    mover, winner = mover_of(position), position.winner
    told = line_of(position, position.winning_line, language) if position.winning_line else ""
    said = SENTENCES[kind][language].format(named(mover, language), told, named(position.player, language))
    is_told = winner is not None and not (has_won and kind in {"completed", "last board"})
    so = SO_WINS[language].format(spoken(str(winner), language)) if is_told else ""
    status = ("{} has won", "{} hat gewonnen")[language].format(named(str(winner), language))
    return [status if winner else ("A draw", "Remis")[language], f"{said}{so}."]


def finished(start: AnyPosition, dice: Random) -> Iterator[tuple[list[int | str], AnyPosition]]:
    """Yield random games that ended: their moves as the API writes them, and the last position."""
    for _ in range(GAMES):
        position, moves = start, list[int | str]()
        while position.legal_moves and len(moves) < MOST_PLIES:
            move = dice.choice(position.legal_moves)
            moves.append(written(position.game, move))
            position = position.play(move)
        if not position.legal_moves:
            yield moves, position


def written(game: Game | FamilyGame, move: int) -> int | str:
    if isinstance(game, FamilyGame):
        return game.move_name(move)
    return move % game.drop if game.drop else move


def description_of(game: Game | FamilyGame) -> Mapping[str, Any]:
    shape = {"id": game.id, "name": game.name, "rules": game.rules}
    if isinstance(game, Game):
        return shape | line_description(game)
    rules = {"family": game.family, "players": game.players, "parameters": game.parameters}
    return shape | {"rows": game.rows, "columns": game.columns} | rules


def check(page: Page, start: AnyPosition, dice: Random, language: int) -> set[Ending]:
    """Compare what the page says of the ends of random games with the rules; return the kinds of ends seen."""
    moves, ends = zip(*finished(start, dice), strict=True)
    asked = {"description": description_of(start.game), "games": list(moves), "language": LANGUAGES[language]}
    for played, said, end in zip(moves, page.evaluate(SAID, asked), ends, strict=True):
        assert said == expected(end, language), (start.game.name, played)
    return {ending(end) for end in ends}


@pytest.mark.verify
@pytest.mark.parametrize("language", range(len(LANGUAGES)), ids=LANGUAGES)
def test_the_end_of_a_line_game_is_told_by_its_rules(open_page: Open, language: int) -> None:
    page = open_page("/")
    seen = {
        kind
        for name, game in LINE_GAMES.items()
        for kind in check(page, Position(game, 0, 0, "X"), Random(name), language)
    }
    assert seen == {("completed", True), ("completed", False), ("full", False)}


@pytest.mark.verify
@pytest.mark.parametrize("language", range(len(LANGUAGES)), ids=LANGUAGES)
def test_the_end_of_a_game_of_a_family_is_told_by_its_rules(open_page: Open, language: int) -> None:
    page = open_page("/")
    seen = {
        kind for name, game in FAMILIES.items() for kind in check(page, FamilyPosition(game), Random(name), language)
    }
    won = {(kind, has_won) for kind in ("completed", "last board", "full and won") for has_won in (True, False)}
    assert seen == won | {("stuck", True), ("stuck", False), ("full", False), ("both", False)}


PROVEN = ProvenResult("draw", 0, 0, (), ())


@pytest.mark.parametrize("name", FAMILIES)
def test_the_service_tells_the_end_by_the_rules_too(name: str) -> None:
    for _, end in finished(FamilyPosition(FAMILIES[name]), Random(name)):
        assert isinstance(end, FamilyPosition)
        said = family_reason(end, PROVEN, None, best=True).lower()
        kind, has_won = ending(end)
        opening = "the board is full" if kind.startswith("full") else SENTENCES[kind][0].partition("{1}")[0]
        assert said.startswith(opening.format(mover_of(end), "", end.player).lower())
        if kind in {"completed", "last board"}:
            assert said.endswith("and won." if has_won else "and lost.")
        else:
            assert said.endswith(f"{end.winner} has won.".lower() if end.winner else "a draw.")


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("?game=notakto&moves=4,3,5&you=X", "First has completed a2, b2, c2, so second wins."),
        ("?game=misere-wild-tic-tac-toe&moves=X0,X1,X2", "First has completed a1, b1, c1, so second wins."),
        ("?game=order-and-chaos-4x4&moves=X0,O15,X1,O14,X2,X3", "Chaos has completed a1, b1, c1, d1, so Order wins."),
        ("?board=XXXOO....&player=O", "X has completed a1, b1, c1."),
        ("?game=misere-tic-tac-toe&board=XXXOO....&player=O", "X has completed a1, b1, c1, so O wins."),
    ],
)
def test_the_player_is_named_who_completed_the_line(visit: Visit, query: str, said: str) -> None:
    page = visit(query)
    expect(page.locator("#story")).to_have_text(said)
    expect(page.locator("#said")).to_contain_text(said)
