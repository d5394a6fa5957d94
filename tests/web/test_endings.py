"""What the page says of a game that is over: who has completed what, and who has won."""

import pytest
from playwright.sync_api import expect

from tests.web.games import VARIANTS, description
from tests.web.page import InNode, Visit

SAID = """async (asked) => {
  const { gameOf } = await import("./games.js");
  const { ended, status } = await import("./words.js");
  return asked.map(({ description, moves }) => {
    const game = gameOf(description);
    const state = moves.reduce((before, move) => game.play(before, move), game.start());
    return [status({ game, state, you: "both", player: game.playerOf(state) }), ended(game, state)];
  });
}"""
"""JavaScript that plays games by the page's own rules and tells what it says of their ends."""

ENDINGS = [
    ("tic-tac-toe", "0 3 1 4 2", "X has won", "X has completed a1, b1, c1."),
    ("tic-tac-toe", "8 5 3 6 7 0 4 1 2", "A draw", "Nobody has completed a line."),
    ("misere-tic-tac-toe", "0 3 1 4 2", "O has won", "X has completed a1, b1, c1, so O wins."),
    ("connect-four", "0 1 0 1 0 1 0", "X has won", "X has completed 4 in a row."),
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
    ("stuck-is-a-draw", "7 3 0 8 6 2 1 4", "A draw", "X cannot move."),
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
        asked.append({"description": game, "moves": [*map(int, moves)] if game["family"] == "line" else moves})
    assert in_node(SAID, asked) == [said for _, _, *said in ENDINGS]


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
