"""The rules that the page judges by are those of the service: random games of every kind, move by move."""

from math import ceil
from random import Random
from typing import Any

import pytest
from playwright.sync_api import expect

from service.games.position import Position
from tests.support import sampled
from tests.web.games import VARIANTS, contents, description, random_game, written
from tests.web.page import InNode, Visit

FOLLOW = """async (asked) => {
  const { gameOf } = await import("./game/games.js");
  const { ended, status } = await import("./words/words.js");
  const ending = (game, state) =>
    [status({ game, state, you: "both", player: game.playerOf(state) }), ended(game, state)];
  return Promise.all(asked.map(async ({ description, games }) => {
    const game = await gameOf(description);
    return games.map((moves) => {
      let state = game.start();
      const told = () => ({
        cells: state.cells.map((mark) => mark ?? ".").join(""),
        player: game.players[state.turn],
        status: state.status,
        winner: state.winner,
        line: state.line,
        legal: game.legal(state),
        said: state.status === "in_progress" ? null : ending(game, state),
      });
      return [told(), ...moves.map((move) => { state = game.play(state, move); return told(); })];
    });
  }));
}"""
"""JavaScript that plays games by the page's own rules and tells each position, and what it says of the end."""

GAMES = sampled(10, ceil(10_000 / len(VARIANTS)))
"""Random games of each set of rules."""


def told(position: Position) -> dict[str, Any]:
    """Return what the page is to tell of a position, line games with the legal moves in order."""
    game, line = position.game, position.winning_line
    legal = [written(game, move) for move in position.legal_moves]
    if all(isinstance(move, int) for move in legal):
        legal.sort()
    found = {"status": position.status, "winner": position.winner, "line": list(line) if line else None}
    return {"cells": contents(position), "player": position.player, **found, "legal": legal}


@pytest.mark.verify
def test_games_are_judged_as_by_the_service(in_node: InNode) -> None:
    games = {name: [random_game(game, Random(name + str(n))) for n in range(GAMES)] for name, game in VARIANTS.items()}
    asked = [
        {"description": description(VARIANTS[name]), "games": [moves for moves, _ in played]}
        for name, played in games.items()
    ]
    for (name, played), found in zip(games.items(), in_node(FOLLOW, asked), strict=True):
        for (moves, positions), own in zip(played, found, strict=True):
            for position, each in zip(positions, own, strict=True):
                assert each == told(position) | {"said": each["said"]}, (name, moves)


ENDINGS = [
    ("tic-tac-toe", "0 3 1 4 2", "X has won", "X has completed a1, b1, c1."),
    ("tic-tac-toe", "8 5 3 6 7 0 4 1 2", "A draw", "Nobody has completed a line."),
    ("misere-tic-tac-toe", "0 3 1 4 2", "O has won", "X has completed a1, b1, c1, so O wins."),
    ("connect-four", "0 1 0 1 0 1 0", "Red has won", "Red has completed 4 in a row."),
    ("qubic", "0 1 21 2 42 3 63", "X has won", "X has completed 1:a1, 2:b2, 3:c3, 4:d4."),
    ("wild-tic-tac-toe", "X2 X1 X0", "First has won", "First has completed a1, b1, c1."),
    ("notakto", "3 6 0", "Second has won", "First has completed a1, a2, a3, so second wins."),
    (
        *("notakto-two-4x3", "0.5 0.2 1.8 0.10 0.8 1.6 1.7", "Second has won"),
        "First has completed a line on the last board, so second wins.",
    ),
    (
        *("notakto-two-2x3-normal", "0.2 1.3 0.4 0.0 0.1 1.4 1.5", "First has won"),
        "First has completed a line on the last board.",
    ),
    (
        *("chaos-first", "O5 O4 O1 X2 O0 X8 O6 X3 X7", "Chaos has won"),
        "The board is full without a line, so Chaos wins.",
    ),
    ("achi", "0 4 5 6 3 1 2 8", "O has won", "X cannot move, so O wins."),
    ("three-by-mills", "0 9 1 8 2x9", "X has won", "O has two pieces left, so X wins."),
    ("stuck-is-a-draw", "7 3 0 8 6 2 1 4", "A draw", "X cannot move."),
    ("dao", "0>2 3>11 10>7 6>3 5>6", "O has won", "O has a piece in a corner between three others, so O wins."),
    (
        *("pop-out-draw", "d3 d3 d0 d2 p0 p2 p3 d0 d1 d1 d3 d3 d0 p0 d1 d2 d2 d2 p1", "A draw"),
        "Both players have completed a line.",
    ),
]
"""Games by their rules and moves, and what is said of their ends."""


def test_the_end_of_a_game_is_told_by_its_rules(in_node: InNode) -> None:
    asked = []
    for name, played, *_ in ENDINGS:
        game, moves = description(VARIANTS[name]), played.split()
        asked.append({"description": game, "games": [[*map(int, moves)] if game["family"] == "line" else moves]})
    assert [told[-1]["said"] for (told,) in in_node(FOLLOW, asked)] == [said for _, _, *said in ENDINGS]


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
