"""The rules that the page judges by are those of the service: random games of every kind, move by move."""

from math import ceil
from random import Random
from typing import Any

import pytest

from service.games.position import Position
from tests.support import sampled
from tests.web.games import VARIANTS, contents, description, random_game, written
from tests.web.page import InNode

pytestmark = pytest.mark.verify

FOLLOW = """async (asked) => {
  const { gameOf } = await import("./games.js");
  return asked.map(({ description, games }) => {
    const game = gameOf(description);
    return games.map((moves) => {
      let state = game.start();
      const told = () => ({
        cells: state.cells.map((mark) => mark ?? ".").join(""),
        player: game.players[state.turn],
        status: state.status,
        winner: state.winner,
        line: state.line,
        legal: game.legal(state),
      });
      return [told(), ...moves.map((move) => { state = game.play(state, move); return told(); })];
    });
  });
}"""
"""JavaScript that plays games by the page's own rules and tells each position."""

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


def test_games_are_judged_as_by_the_service(in_node: InNode) -> None:
    games = {name: [random_game(game, Random(name + str(n))) for n in range(GAMES)] for name, game in VARIANTS.items()}
    asked = [
        {"description": description(VARIANTS[name]), "games": [moves for moves, _ in played]}
        for name, played in games.items()
    ]
    for (name, played), found in zip(games.items(), in_node(FOLLOW, asked), strict=True):
        for (moves, positions), own in zip(played, found, strict=True):
            assert own == [told(position) for position in positions], (name, moves)
