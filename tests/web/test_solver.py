"""What the page solves without the service is what the service answers."""

from random import Random
from typing import Any

import pytest

from service.games.catalogue import CATALOGUE
from tests.support import Server, some
from tests.web.games import AnyGame, description, random_game
from tests.web.page import InNode, ask

pytestmark = pytest.mark.verify

SOLVE = """async ({ description, questions }) => {
  const { gameOf } = await import("./game/games.js");
  const { Solver } = await import("./oracle/solver.js");
  const game = await gameOf(description);
  const solver = new Solver(game);
  return questions.map((moves) => {
    const states = game.follow(game.start(), moves);
    const state = states.at(-1);
    const analysis = state.status === "in_progress" ? solver.analyse(state) : null;
    const hardest = analysis && game.moveIn(solver.hardest(state, analysis));
    return { analysis, hardest, review: solver.review(states, moves) };
  });
}"""
"""JavaScript that answers about the positions after some moves."""

PICK = """async ({ skills, seeds, analysis }) => {
  const { pick } = await import("./oracle/solver.js");
  return skills.map((skill) => seeds.map((seed) => pick(analysis, { skill, seed }).score));
}"""
"""JavaScript that picks moves of an analysis by skill and seed."""

SMALL = ("tic-tac-toe", "misere-tic-tac-toe", "wrapped-tic-tac-toe", "wild-tic-tac-toe", "notakto", "treblecross")
"""Games of which any position is solved."""

DRAWN = SMALL[:2]
"""Those in which most positions are drawn; in won ones the lowest of the best moves is as hard to answer."""

LATE = ("tic-tac-toe-4x4", "tic-tac-toe-3d", "connect-four-5x4", "connect-four", "notakto-2", "exactly-three-4x4")
"""Games of which positions are solved that have few empty cells left."""

LAST = 8
"""How many that are."""

GAMES = 6
"""Random games of each."""

VALUE = ("outcome", "score", "plies", "proven", "exact")
WHOLE = ("accuracy", "turning_point", "proven")
BOTH = tuple(f"{what}_{when}" for what in ("outcome", "score") for when in ("before", "after"))
JUDGED = ("ply", "player", "move", *BOTH, "verdict", "gave_away")


def values(moves: list[dict[str, Any]]) -> dict[Any, Any]:
    return {move["pv"][0]: (*(move.get(key) for key in VALUE), move["best"]) for move in moves}


def assert_analysis(server: Server, game: str, moves: list[Any], own: dict[str, Any] | None) -> None:
    """Fails unless an analysis says what the service says, except for the words, and its line ends as promised."""
    told = ask(server, "/analysis", game=game, moves=moves)
    if told["status"] != "in_progress":
        assert own is None
        return
    assert own is not None
    same = (*VALUE, "threats", "player")
    assert [own.get(key) for key in same] == [told.get(key) for key in same]
    assert values(own["moves"]) == values(told["moves"])
    drop = getattr(CATALOGUE[game], "drop", 0)
    line = [move % drop if drop else move for move in own["pv"]]
    end = ask(server, "/best-move", game=game, moves=[*moves, *line])
    assert (len(line), end["status"] != "in_progress") == (own["plies"], True)
    winner = None if own["outcome"] == "draw" else own["player"] if own["outcome"] == "win" else end["winner"]
    assert (end["winner"], end["winner"] is None) == (winner, own["outcome"] == "draw")


def assert_review(server: Server, game: str, moves: list[Any], own: dict[str, Any]) -> None:
    """Fails unless a review says what the service says, except for the words."""
    told = ask(server, "/review", game=game, moves=moves)
    assert [own[key] for key in WHOLE] == [told[key] for key in WHOLE]
    for mine, others in zip(own["plies"], told["plies"], strict=True):
        assert [mine[key] for key in JUDGED] == [others[key] for key in JUDGED]
        assert sorted(mine["best_moves"]) == sorted(others["best_moves"])


@pytest.mark.parametrize("name", some([*SMALL, *LATE], 6))
def test_small_games_and_late_positions_are_answered_as_by_the_service(
    in_node: InNode, server: Server, name: str
) -> None:
    game: AnyGame = CATALOGUE[name]
    dice = Random(name)
    games = [random_game(game, dice)[0] for _ in range(GAMES)]
    least = 0 if name in SMALL else game.cells - LAST
    questions = [moves[: dice.randint(min(least, len(moves)), len(moves))] for moves in games] + [[]] * (name in SMALL)
    found = in_node(SOLVE, {"description": description(game), "questions": questions})
    for moves, own in zip(questions, found, strict=True):
        assert_analysis(server, name, moves, own["analysis"])
        if name in SMALL:
            assert_review(server, name, moves, own["review"])


@pytest.mark.parametrize("name", DRAWN)
def test_of_equally_good_moves_the_hardest_to_answer_is_the_one_of_the_service(
    in_node: InNode, server: Server, name: str
) -> None:
    game: AnyGame = CATALOGUE[name]
    dice = Random(name)
    questions = [random_game(game, dice)[0][: number % 5] for number in range(60)]  # no game ends in four plies
    found = in_node(SOLVE, {"description": description(game), "questions": questions})
    told = [ask(server, "/best-move", game=name, moves=moves, tie_break="hardest")["move"] for moves in questions]
    assert [each["hardest"] for each in found] == told
    first = [ask(server, "/best-move", game=name, moves=moves)["move"] for moves in questions]
    assert sum(one != other for one, other in zip(first, told, strict=True)) > 2


def test_a_position_that_is_too_large_gets_no_answer(in_node: InNode) -> None:
    asked = {"description": description(CATALOGUE["connect-four"]), "questions": [[3, 3]]}
    assert in_node(SOLVE, asked) == [{"analysis": None, "hardest": None, "review": None}]


def test_less_skill_makes_worse_moves_and_a_seed_the_same_one(in_node: InNode) -> None:
    (found,) = in_node(SOLVE, {"description": description(CATALOGUE["tic-tac-toe"]), "questions": [[0]]})
    given = {"skills": [0, 30, 60, 90, 100], "seeds": list(range(400)), "analysis": found["analysis"]}
    scores = in_node(PICK, given)
    assert in_node(PICK, given) == scores
    best = [sum(score == 0 for score in each) for each in scores]
    assert best == sorted(best)
    assert best[0] < 200 < best[-1] == 400
