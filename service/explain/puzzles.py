"""Puzzles: positions in which exactly one move wins, or exactly one move holds the draw.

Random games lead to candidates; a search proves of each that it is a puzzle, or that is not used. All searches are
limited by nodes, so the same question has the same puzzles on every machine.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from types import MappingProxyType
from typing import Literal

from service.engine.line_engine import NEAR_SHARE
from service.engine.oracle import BestMove, Oracle
from service.engine.result import Outcome, ProvenResult, ends
from service.engine.work.limit import Effort, Limit
from service.engine.work.slots import Slot
from service.explain.reason import Code
from service.explain.reasons import deeds
from service.games.families.lines import LineGame, LinePosition, position_after
from service.games.game import drawn
from service.games.random_play import unfinished

Goal = Literal["win", "hold"]
Theme = Literal["fork", "block", "defence", "quiet"]
Difficulty = Literal["easy", "medium", "hard"]

THEMES: Mapping[Code, Theme] = MappingProxyType({"makes-fork": "fork", "blocks": "block", "stops-fork": "defence"})
"""What a puzzle is about whose solution does this on the board."""

EASY, MEDIUM = 2, 3
"""The most moves to find in an easy puzzle, and in one of medium difficulty."""

CANDIDATE_NODES = 5_000
"""Nodes for each search: the proof of a candidate, and that of each of its other moves."""

DRAWING_NODES = 200
"""Nodes that a candidate counts for at least: what it takes to draw one."""

FARTHEST = 8
"""Plies by which a candidate may be farther from the end of its random game than the shortest solution wanted."""

MOST_EMPTY = 24
"""Empty cells of a candidate for a draw, unless longer solutions are asked for: fuller boards are proven faster."""


class OutOfTime(Exception):
    """The clock has ended the search, so what it would have found is not known."""


@dataclass(frozen=True, slots=True)
class ProvenPuzzle:
    """A position in which one move alone reaches the goal, the cells that led to it, and the proven answer.

    ``line`` begins with that move. A best reply and the next move follow as long as that again is the only one.
    """

    position: LinePosition
    cells: tuple[int, ...]
    goal: Goal
    answer: BestMove
    line: tuple[int, ...]

    @property
    def difficulty(self) -> Difficulty:
        """How hard it is, by the number of moves to find."""
        moves = (len(self.line) + 1) // 2
        return "easy" if moves <= EASY else "medium" if moves <= MEDIUM else "hard"

    @property
    def themes(self) -> Sequence[Theme]:
        """What the moves to find do on the board; ``quiet`` if the first one does nothing of the kind."""
        position, found = self.position, list[Theme]()
        for place, move in enumerate(self.line):
            if place % 2 == 0:
                themes = [THEMES[code] for code in deeds(position, move) if code in THEMES]
                found += themes if themes or place else ["quiet"]
            position = position.play(move)
        return list(dict.fromkeys(found))


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked for: the game, the goal, the plies until the end of the solution, and the seed."""

    game: LineGame
    goal: Goal
    plies: range
    seed: int


def possible_plies(game: LineGame, goal: Goal, least: int | None, most: int | None) -> range:
    """Return the plies that a solution can last, within these bounds, if they are given.

    The winner makes the last move, except in misère games, where the loser does. A draw lasts until the board is full.
    A win in one is no puzzle, nor is the last move of a draw.
    """
    end = (game.cells if most is None else min(most, game.cells)) + 1
    first = 2 if goal == "hold" or game.misere else 3
    start = first if least is None else max(least, first)
    return range(start, end) if goal == "hold" else range(start + (start - first) % 2, end, 2)


def find_puzzles(
    oracle: Oracle, wanted: Wanted, most: int, limit: Limit, slot: Slot | None = None
) -> list[ProvenPuzzle]:
    """Return up to ``most`` different puzzles, no two of them symmetric, that are found within the nodes of the limit.

    A larger limit finds the same ones and then more. Raises OutOfTime where the seconds of the limit are over first,
    and Overloaded where there is no room for the work.
    """
    effort = Effort(limit, slot)
    search = _PuzzleSearch(oracle, limit, effort, slot)
    effort.work(search.steps(wanted, most))
    return search.found


class _PuzzleSearch:
    """The searches for a request, and what is left of their limit."""

    def __init__(self, oracle: Oracle, limit: Limit, effort: Effort, slot: Slot | None) -> None:
        self.found: list[ProvenPuzzle] = []
        self._oracle = oracle
        self._slot = slot
        self._over = effort.spent(1)
        self._left = limit.nodes or 0
        # Parts of a search have parts of its seconds: none of those may end before all is over.
        self._each = Limit(limit.seconds / NEAR_SHARE, CANDIDATE_NODES, self._over)

    def steps(self, wanted: Wanted, most: int) -> Iterator[int]:
        """Draw a candidate at each step, as long as there are nodes left, and keep those that are puzzles."""
        dice = Random(f"puzzle {wanted.seed}")  # noqa: S311, chance in a game guards nothing
        seen: set[tuple[int, int]] = set()
        while len(self.found) < most and self._begin_candidate():
            yield wanted.game.cells  # a ply is drawn in the time of a node
            cells = _candidate(wanted, dice)
            if cells is None:
                continue
            position = position_after(wanted.game, cells)
            key = position.game.canonical(position).words
            if len(position.legal_moves) < 2 or key in seen:  # noqa: PLR2004, a choice
                continue
            seen.add(key)
            answer = self._only_solution(position, wanted.goal)
            if answer is not None and answer.plies in wanted.plies:
                line = self._line(position, answer.move, wanted.goal)
                if self._left >= 0:  # else it could end too early
                    self.found.append(ProvenPuzzle(position, tuple(cells), wanted.goal, answer, line))

    def _begin_candidate(self) -> bool:
        """Return whether there are nodes left for another candidate, and take off what drawing it costs."""
        self._check_clock()
        self._left -= DRAWING_NODES
        return self._left >= 0

    def _line(self, position: LinePosition, solution: int | None, goal: Goal) -> tuple[int, ...]:
        """Return the only moves to the goal and the best replies between them, from a first such move on."""
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
        return tuple(line[: len(line) - 1 + len(line) % 2])  # a reply that is the last has no answer

    def _only_solution(self, position: LinePosition, goal: Goal) -> BestMove | None:
        """Return the proven answer to a position if one move alone reaches the goal."""
        answer = self._answer(position)
        outcome: Outcome = "win" if goal == "win" else "draw"
        if not isinstance(answer.known, ProvenResult) or answer.outcome != outcome:
            return None
        others = (move for move in position.legal_moves if move != answer.move)
        alone = all(self._fails(position.play(move), goal) for move in others)
        return answer if alone and self._left >= 0 else None

    def _fails(self, after: LinePosition, goal: Goal) -> bool:
        """Return whether it is proven that a move, which leads to this position, does not reach the goal."""
        if self._left < 0:
            return False
        least, _ = ends(self._answer(after).known)
        return least == "win" or (goal == "win" and least == "draw")

    def _answer(self, position: LinePosition) -> BestMove:
        answer = self._oracle.best_move(position, limit=self._each, slot=self._slot)
        self._check_clock()
        self._left -= answer.cost
        return answer

    def _check_clock(self) -> None:
        if self._over():
            raise OutOfTime


def _candidate(wanted: Wanted, dice: Random) -> list[int] | None:
    """Return the cells of a game that may lead to a puzzle; None if this draw leads to none."""
    return _before_the_end(wanted, dice) if wanted.goal == "win" else _with_empty_cells(wanted, dice)


def _before_the_end(wanted: Wanted, dice: Random) -> list[int] | None:
    """Return a random game without its last plies: somebody may win there, though not by the same moves."""
    least = wanted.plies.start
    taken_back = drawn(dice, [plies for plies in wanted.plies if plies <= least + FARTHEST])
    cells = [cell for cell, _ in wanted.game.random_game(dice)]
    return cells[:-taken_back] if taken_back <= len(cells) else None


def _with_empty_cells(wanted: Wanted, dice: Random) -> list[int] | None:
    """Return a random game that goes on when the empty cells are as many as the plies of a drawn solution."""
    most = max(MOST_EMPTY, wanted.plies.start)
    empty = drawn(dice, [plies for plies in wanted.plies if plies <= most])
    return unfinished(wanted.game.random_game(dice), wanted.game.cells - empty)
