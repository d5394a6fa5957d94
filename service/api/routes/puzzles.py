"""``/puzzles``: positions in which exactly one move wins, or exactly one move holds the draw."""

from collections.abc import Mapping, Sequence
from time import perf_counter
from types import MappingProxyType
from typing import Annotated, NotRequired, cast

from flask import Blueprint, Response, request
from pydantic import BeforeValidator, Field
from pydantic_core import to_json
from typing_extensions import TypeAliasType, TypedDict

from service.api.problems import Error, Problem, faulty
from service.api.read.http import read_query
from service.api.read.question import draw_seed, read_game, read_limit, reading_nodes
from service.api.read.reading import Reading, in_query, parse_query
from service.api.read.refusals import refusals
from service.api.request_context import request_context
from service.api.responses import FOREVER, JSON, NEVER, cacheable, server_timing
from service.api.routes.random_positions import PliesRequest, read_plies
from service.api.wire import fields as f
from service.api.wire.contract import about, whole
from service.api.wire.groups import MoveFields, PositionAnswer
from service.api.wire.requests import NamedGame, SearchLimit, Seed
from service.api.write.answers import best_move_answer, move_names, position_answer
from service.engine.oracle import Oracle
from service.engine.work.limit import Limit
from service.engine.work.slots import SearchSlots, reserve
from service.explain import puzzles as explained
from service.explain.puzzles import Goal as AnyGoal
from service.explain.puzzles import OutOfTime, Wanted, can_hold, find_puzzles, possible_plies
from service.explain.statements import sentence
from service.games.game import Game
from service.games.notation.moves import MoveName
from service.settings import Settings

MAX_PUZZLES = 10
"""The maximum number of puzzles in one request."""

NOT_LIMITED: Mapping[str, str] = MappingProxyType(
    {
        "time_ms": "The search for puzzles has no time limit, or its result would not be reproducible; give nodes.",
        "prove": "All of a puzzle is proven; leave prove out.",
    }
)
"""Why a search for puzzles has no such limit."""

NO_HOLD = "Draws of {game} have no fixed length, so it has no puzzles with the goal hold. Ask for the goal win."
"""Why games in which a draw may take any number of plies have no puzzles with the goal ``hold``."""

PUZZLE_NODES = 500_000
"""The default limit of the search for puzzles, in nodes."""

Count = Annotated[int, Field(ge=1, le=MAX_PUZZLES), BeforeValidator(whole)]


class PuzzlesQuery(PliesRequest):
    """The query of ``GET /puzzles``, but for game and limit, which are flattened there."""

    game: NamedGame | None = None
    goal: AnyGoal | None = None
    seed: Seed | None = None
    count: Count | None = None
    solution: bool | None = None
    limit: SearchLimit | None = None


Goal = TypeAliasType(
    "Goal",
    Annotated[
        AnyGoal,
        about(
            "The goal of a puzzle. `win`: exactly one move wins. `hold`: no move wins, and exactly one move holds the "
            "draw.",
            example="win",
        ),
    ],
)


PuzzleTheme = TypeAliasType(
    "PuzzleTheme",
    Annotated[
        explained.Theme,
        about(
            "`fork`: make a double threat. `defence`: stop one. `block`: stop a threat. `quiet`: the first move does "
            "none of these.",
            example="fork",
        ),
    ],
)

Difficulty = TypeAliasType(
    "Difficulty",
    Annotated[
        explained.Difficulty,
        about("`easy`: at most two moves are to be found. `medium`: three. `hard`: more.", example="easy"),
    ],
)


class PuzzleSolution(MoveFields):
    """The only move that reaches the goal, and best play after it."""

    outcome: f.Outcome
    score: f.Score
    plies: Annotated[int, about("The number of plies to the end of the game under best play.", example=3)]
    pv: f.PrincipalVariation
    pv_columns: NotRequired[f.ColumnsOfLine]
    line: Annotated[
        Sequence[MoveName],
        about(
            "The moves to find, with the best replies between them. At each of them no other move reaches the goal. "
            "The line ends where several do, or with the game.",
            example=[4, 0, 1],
        ),
    ]
    reason: Annotated[
        str,
        about("Why the move is best, as a sentence.", example="Makes a fork: wins in 3 plies against any defence."),
    ]


class Puzzle(PositionAnswer):
    """A position in which exactly one move reaches the goal."""

    moves: f.MovesPlayed
    goal: Goal
    plies: Annotated[int, about("The number of plies that the game lasts under best play from here.", example=3)]
    difficulty: Difficulty
    themes: Annotated[Sequence[PuzzleTheme], about("What the moves to find do on the board.", example=["fork"])]
    question: Annotated[
        str,
        about("The puzzle as a sentence.", example="X to move: find the only move that wins. It wins in 3 plies."),
    ]
    solution: Annotated[PuzzleSolution | None, about("The solution; null unless `solution` is `true` in the request.")]


class PuzzlesAnswer(TypedDict):
    """The puzzles, and the seed that repeats them."""

    puzzles: Annotated[list[Puzzle], about("The puzzles, no two of them symmetric.")]
    seed: f.SeedOfDraw


def puzzle_routes(oracle: Oracle, settings: Settings, slots: SearchSlots | None) -> Blueprint:
    """Return the route; its ``oracle`` has no books, so that every installation finds the same puzzles."""
    routes = Blueprint("puzzles", __name__)

    @routes.get("/puzzles")
    def get_puzzles() -> Response:
        reading, started = parse_query(PuzzlesQuery, read_query(request)), perf_counter()
        asked = reading.wanted
        wanted, limit = _read(reading, settings)
        with reserve(slots, reading_nodes(asked.game)) as slot, refusals(wanted.game):
            try:
                found = find_puzzles(oracle, wanted, asked.count or 1, limit, slot)
            except OutOfTime:
                raise _none_found(wanted.game, f"{settings.max_time_ms} ms", "Ask again later, or give") from None
        if not found:
            raise _none_found(wanted.game, f"{limit.nodes} nodes")
        puzzles = [_answer(puzzle, solved=bool(asked.solution)) for puzzle in found]
        timing = server_timing("puzzles", 0, perf_counter() - started)
        headers = {"Cache-Control": NEVER if asked.seed is None else FOREVER, "Server-Timing": timing}
        return cacheable(request, to_json(PuzzlesAnswer(puzzles=puzzles, seed=wanted.seed)), JSON, headers)

    return routes


def _read(reading: Reading[PuzzlesQuery], settings: Settings) -> tuple[Wanted, Limit]:
    """Return the wishes of a request, and the limit. Raises a Problem that names every fault."""
    asked, found = reading.wanted, read_game(reading)
    goal = asked.goal or "win"
    bounds = reading.part(lambda: read_plies(asked, in_query))
    plies = range(0) if found is None or bounds is None else possible_plies(found, goal, *bounds)
    if found is not None and goal == "hold" and not can_hold(found):
        reading.refuse(Error(in_query("goal"), "none-found", NO_HOLD.format(game=found.name)))
    elif found is not None and bounds is not None and not plies:
        reading.refuse(Error(in_query("plies"), "none-found", _no_such_plies(found, goal)))
    default = SearchLimit(nodes=min(PUZZLE_NODES, settings.max_nodes))
    for name in ("time_ms", "prove"):
        if asked.limit is not None and getattr(asked.limit, name) is not None:
            reading.refuse(Error(in_query(name), "unknown-field", NOT_LIMITED[name]))
    limit = read_limit(reading, settings, request_context().must_stop, default)
    game = reading.checked(found)
    return Wanted(game, goal, plies, draw_seed() if asked.seed is None else asked.seed), limit


def _no_such_plies(game: Game, goal: AnyGoal) -> str:
    if goal == "hold":
        return f"The solution of a puzzle with the goal hold lasts 2 to {game.cells} plies in {game.name}."
    first, kind = {"wins": (3, "an odd"), "loses": (2, "an even"), None: (2, "any")}[game.last_move]
    return f"A win in {game.name} takes {kind} number of plies; a puzzle has from {first} to {game.most_plies} of them."


def _none_found(game: Game, limit: str, remedy: str = "Give") -> Problem:
    goal = "the other goal, " if can_hold(game) else ""
    detail = (
        f"No puzzle of {game.name} was found within {limit}. "
        f"{remedy} another seed, other plies, {goal}a smaller game, or more nodes."
    )
    return faulty("invalid-request", [Error("", "none-found", detail)])


def _answer(puzzle: explained.ProvenPuzzle, *, solved: bool) -> Puzzle:
    position, known = puzzle.position, best_move_answer(puzzle.answer)
    plies = known["plies"] or 0
    solution = {name: known[name] for name in PuzzleSolution.__annotations__ if name in known}  # type: ignore[literal-required]
    solution["line"] = move_names(position.game, puzzle.line)
    task = f"wins. It wins in {plies} plies" if puzzle.goal == "win" else "holds the draw"
    return {
        **position_answer(position),
        "moves": [position.game.listed(move) for move in puzzle.moves],
        "goal": puzzle.goal,
        "plies": plies,
        "difficulty": puzzle.difficulty,
        "themes": puzzle.themes,
        "question": sentence(f"{position.player} to move: find the only move that {task}"),
        "solution": cast("PuzzleSolution", solution) if solved else None,
    }
