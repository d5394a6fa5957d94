"""Puzzles: positions in which exactly one move wins, or exactly one move holds the draw.

Candidates come from random games; a candidate is used if a search proves that it is a puzzle. All searches are limited
by nodes, so the same request gets the same puzzles on every machine.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from random import Random
from types import MappingProxyType
from typing import Literal

from service.engine import line_engine, state_engine
from service.engine.oracle import BestMove, Oracle
from service.engine.result import Outcome, ProvenResult, ends
from service.engine.work.limit import Effort, Limit
from service.engine.work.slots import Slot
from service.explain.reasons import deeds
from service.explain.statements import Code
from service.games.game import MOST_CELLS, Game, choice
from service.games.position import Position
from service.games.random_play import unfinished
from service.kernel.states.family import State

Goal = Literal["win", "hold"]
Theme = Literal["fork", "block", "defence", "quiet"]
Difficulty = Literal["easy", "medium", "hard"]

THEMES: Mapping[Code, Theme] = MappingProxyType({"makes-fork": "fork", "blocks": "block", "stops-fork": "defence"})
"""The theme of a puzzle, by what its solution does on the board."""

EASY, MEDIUM = 2, 3
"""The maximum number of moves to find in an easy puzzle, and in a medium one."""

CANDIDATE_NODES = 5_000
"""The nodes of each search: for the proof of a candidate, and for each of its other moves."""

DRAWING_NODES = 200
"""The minimum nodes that a candidate counts for: the cost of making it."""

FARTHEST = 8
"""The plies by which a candidate may be farther from the end of its random game than the shortest wanted solution."""

MOST_EMPTY = 24
"""The maximum empty cells of a candidate for a draw, unless longer solutions are wanted: fuller boards are cheaper."""


MOST_PLIES = MOST_CELLS
"""The maximum plies of a random game, for games in which positions come again."""

LEAST_SHARE = min(line_engine.NEAR_SHARE, state_engine.NEAR_SHARE)
"""The least part of its seconds that an engine gives to one of its searches."""


class OutOfTime(Exception):
    """The time of the search is over, so the answer would not be reproducible."""


@dataclass(frozen=True, slots=True)
class ProvenPuzzle:
    """A position in which only one move reaches the goal, the moves that led to it, and its proven answer.

    ``line`` begins with that move. Best replies and moves follow as long as only one move reaches the goal.
    """

    position: Position
    moves: tuple[int, ...]
    goal: Goal
    answer: BestMove
    line: tuple[int, ...]

    @property
    def difficulty(self) -> Difficulty:
        """The difficulty, by the number of moves to find."""
        found = (len(self.line) + 1) // 2
        return "easy" if found <= EASY else "medium" if found <= MEDIUM else "hard"

    @property
    def themes(self) -> Sequence[Theme]:
        """The themes of the moves to find; ``quiet`` if the first one has none."""
        position, found = self.position, list[Theme]()
        for place, move in enumerate(self.line):
            if place % 2 == 0:
                themes = [THEMES[code] for code in deeds(position, move) if code in THEMES]
                found += themes if themes or place else ["quiet"]
            position = position.play(move)
        return list(dict.fromkeys(found))


@dataclass(frozen=True, slots=True)
class Wanted:
    """The wanted puzzles: their game, goal, plies to the end of the solution, and seed."""

    game: Game
    goal: Goal
    plies: range
    seed: int


def can_hold(game: Game) -> bool:
    """Return whether draws of a game last until the board is full, so that holding one has an end."""
    return not (game.loops or game.draws_vary)


def possible_plies(game: Game, goal: Goal, least: int | None, most: int | None) -> range:
    """Return the possible plies of a solution, within these bounds if given.

    The winner makes the last move; in misère games the loser does; in some games either may. A draw lasts until the
    board is full. A win in one is no puzzle, and neither is the last move of a draw.
    """
    if goal == "hold" and not can_hold(game):
        return range(0)
    end = (game.most_plies if most is None else min(most, game.most_plies)) + 1
    first = 3 if goal == "win" and game.last_move == "wins" else 2
    start = first if least is None else max(least, first)
    if goal == "hold" or game.last_move is None:
        return range(start, end)
    return range(start + (start - first) % 2, end, 2)


def find_puzzles(
    oracle: Oracle, wanted: Wanted, most: int, limit: Limit, slot: Slot | None = None
) -> list[ProvenPuzzle]:
    """Return up to ``most`` different puzzles, no two of them symmetric, found within the limit of nodes.

    A larger limit finds the same puzzles first, then more. Raises OutOfTime if the time of the limit is over, and
    Overloaded if no slot is free for the work.
    """
    effort = Effort(limit, slot)
    search = _PuzzleSearch(oracle, limit, effort, slot)
    effort.work(search.steps(wanted, most))
    return search.found


class _PuzzleSearch:
    """The searches for a request, and the rest of their limit."""

    def __init__(self, oracle: Oracle, limit: Limit, effort: Effort, slot: Slot | None) -> None:
        self.found: list[ProvenPuzzle] = []
        self._oracle = oracle
        self._slot = slot
        spent = effort.spent(1)
        # The clock of a limit of nodes stands still while the request waits, for a table of the game too.
        self._over = spent if slot is None else lambda: spent() or slot.waited >= limit.seconds
        self._left = limit.nodes or 0
        # A search with a part of the limit gets a part of the seconds, and must not end before all of them are over.
        self._each = Limit(limit.seconds / LEAST_SHARE, CANDIDATE_NODES, self._over)

    def steps(self, wanted: Wanted, most: int) -> Iterator[int]:
        """Make a random candidate at each step while nodes are left, and keep the puzzles among them."""
        dice = Random(f"puzzle {wanted.seed}")  # noqa: S311, no secret depends on it
        seen = set[State]()
        while len(self.found) < most and self._begin_candidate():
            yield min(wanted.game.most_plies, MOST_PLIES)  # a random ply counts as a node
            moves = _candidate(wanted, dice)
            if moves is None:
                continue
            position = Position(wanted.game)
            for move in moves:
                position = position.play(move)
            key = wanted.game.least_image(position.state)
            if len(position.legal_moves) < 2 or key in seen:  # noqa: PLR2004, a choice
                continue
            seen.add(key)
            answer = self._only_solution(position, wanted.goal)
            if answer is not None and answer.plies in wanted.plies:
                line = self._line(position, answer.move, wanted.goal)
                if self._left >= 0:  # with fewer nodes the line could end too early
                    self.found.append(ProvenPuzzle(position, tuple(moves), wanted.goal, answer, line))

    def _begin_candidate(self) -> bool:
        """Return whether nodes are left for another candidate, and subtract the cost of making it."""
        self._check_clock()
        self._left -= DRAWING_NODES
        return self._left >= 0

    def _line(self, position: Position, solution: int | None, goal: Goal) -> tuple[int, ...]:
        """Return the line of a solution: the only moves to the goal, with the best replies in between."""
        line = list[int]()
        while solution is not None:
            line.append(solution)
            position = position.play(solution)
            reply = self._answer(position).move
            if reply is None:
                break
            line.append(reply)
            position = position.play(reply)
            answer = self._only_solution(position, goal)
            solution = None if answer is None else answer.move
        return tuple(line[: len(line) - 1 + len(line) % 2])  # leave out a last reply, which has no answer

    def _only_solution(self, position: Position, goal: Goal) -> BestMove | None:
        """Return the proven answer to a position if exactly one move reaches the goal."""
        answer = self._answer(position)
        outcome: Outcome = "win" if goal == "win" else "draw"
        if not isinstance(answer.known, ProvenResult) or answer.outcome != outcome:
            return None
        others = (move for move in position.legal_moves if move != answer.move)
        alone = all(self._fails(position.play(move), goal) for move in others)
        return answer if alone and self._left >= 0 else None

    def _fails(self, after: Position, goal: Goal) -> bool:
        """Return whether it is proven that the move to this position does not reach the goal."""
        if self._left < 0:
            return False
        least, _ = ends(self._answer(after).known)
        return least == "win" or (goal == "win" and least == "draw")

    def _answer(self, position: Position) -> BestMove:
        answer = self._oracle.best_move(position, limit=self._each, slot=self._slot)
        self._check_clock()
        self._left -= answer.cost
        return answer

    def _check_clock(self) -> None:
        if self._over():
            raise OutOfTime


def _candidate(wanted: Wanted, dice: Random) -> list[int] | None:
    """Return the moves of a random game that may lead to a puzzle; None if this one does not."""
    return _before_the_end(wanted, dice) if wanted.goal == "win" else _with_empty_cells(wanted, dice)


def _before_the_end(wanted: Wanted, dice: Random) -> list[int] | None:
    """Return a random game without its last plies: its winner may also win from there, perhaps by other moves."""
    least = wanted.plies.start
    taken_back = choice(dice, [plies for plies in wanted.plies if plies <= least + FARTHEST])
    moves = [move for move, _ in islice(wanted.game.random_game(dice), MOST_PLIES)]
    return moves[:-taken_back] if taken_back <= len(moves) else None


def _with_empty_cells(wanted: Wanted, dice: Random) -> list[int] | None:
    """Return the moves of a random game up to a random number of empty cells, which fits the wanted plies."""
    most = max(MOST_EMPTY, wanted.plies.start)
    empty = choice(dice, [plies for plies in wanted.plies if plies <= most])
    return unfinished(wanted.game.random_game(dice), wanted.game.cells - empty)
