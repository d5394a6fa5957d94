"""Moves for opponents of any strength: what a player of limited sight and care would choose.

How many plies ahead the player sees is drawn anew for every position, around a reach that grows with skill: what is
far off is missed more often than what is near, a block a little more often than a win in one, a fork more often still.
What ends the game within those plies is seen for certain. All else is judged by the lines that are still open at the
end of them, with an error in the judgement of every move, which shrinks as skill grows. The move that looks best is
played: at skill 0 nearly any, near 100 seldom a bad one. Now and then, more seldom as skill grows, the player does not
pay attention at all and plays like a beginner.

Games that are no games of lines have no estimates: there every move that is not seen to win or lose looks like a draw,
and of the moves that look best one is drawn.
"""

import math
from random import Random
from statistics import pstdev

from service.engine.result import Known, MoveValues, score_bounds
from service.games.families.lines import LinePosition, marked
from service.kernel.alpha_beta.search import PROVEN, Search, Stopped
from service.kernel.memory import private_memory
from service.kernel.rules import Rules

BEYOND = 2 * PROVEN
"""More than any estimate."""

LINE = 1 << 48
"""A completed line in the kernel's estimates; one that lacks ``n`` marks is worth half as much, ``n`` times over."""

REACH = (-2.0, 0.8, 2.9, 4.7, 5.5, 6.2, 6.9, 7.7, 8.6, 9.6, 10.8)
"""The plies that are seen every second time, at skill 0, 10, 20 and so on; in between they grow evenly."""

REACH_SCALE = 1.05
"""How much sight varies, in plies: the scale of a logistic distribution."""

FARTHEST = 16
"""The most plies that anybody sees."""

CARELESSNESS = 5.0
"""The error at skill 0, in standard deviations of the estimates of the moves; less in proportion up to skill 100."""

SLIPS, SLIP_SKILL = 0.07, 10
"""How often a move is made carelessly, as at that skill: so often at skill 0, less in proportion up to skill 100."""

MOST_NODES, MOST_STEPS = 40_000, 35_000_000
"""What a move may cost: nodes, and cells of lines looked at in them, so that large games take no longer."""


def weaker_move(position: LinePosition, rules: Rules, *, skill: int, seed: int) -> int:
    """Return the move of a player of this ``skill``, at least 0 and below 100, in an unfinished position.

    A pure function of the game, the marks of the player to move and of the other, skill and seed.
    """
    # The marks are part of the draw: a bot that keeps one seed would else see equally far all game long.
    dice = Random(f"{seed} {position.words[0]:x} {position.words[1]:x}")  # noqa: S311, chance in a game guards nothing
    skill, plies = sight(skill, dice)
    search = Search(rules, private_memory(1), limit=affordable(rules))
    look = _Look(position, search, carelessness(skill), dice)
    try:
        look.near(plies)
        # Depth 0 shows a move and two plies beyond it; in misère games, where there is nothing to block, one.
        look.ahead(plies - (2 if rules.misere else 3))
    except Stopped:
        pass
    return look.order[0]


def sight(skill: int, dice: Random) -> tuple[int, int]:
    """Draw the skill that a player shows at a move, less if there is a slip, and the plies that the player sees."""
    if dice.random() < SLIPS * (1 - skill / 100):
        skill = min(skill, SLIP_SKILL)
    draw = dice.random()
    return skill, sum(draw < sees(skill, ply) for ply in range(1, FARTHEST + 1))


def sees(skill: int, plies: int) -> float:
    """Return how probable it is that a player of this skill sees what ends the game in so many plies."""
    step, part = divmod(skill, 10)
    reach = REACH[step] + (REACH[step + 1] - REACH[step]) * part / 10
    return 1 / (1 + math.exp((plies - reach) / REACH_SCALE))


def carelessness(skill: int) -> float:
    """Return the error of a player of this skill, in standard deviations of the estimates of the moves."""
    return CARELESSNESS * (1 - skill / 100)


def affordable(rules: Rules) -> int:
    """Return the most nodes that a move may cost in a game."""
    return max(rules.cells, min(MOST_NODES, MOST_STEPS // (rules.cells * max(1, sum(rules.lengths)))))


def looks_best(values: MoveValues, plies: int, most_plies: int) -> list[int]:
    """Return the moves that look best to a player who sees a number of plies ahead, in a game of ``most_plies``."""
    seen = {move: _seen_score(value, plies, most_plies) for move, value in values.items()}
    most = max(seen.values())
    return [move for move, score in seen.items() if score == most]


def _seen_score(value: Known, plies: int, most_plies: int) -> int:
    least, greatest = score_bounds(value)
    return least if least == greatest and most_plies + 1 - abs(least) <= plies else 0


class _Look:
    """The moves of a position in the ``order`` in which a player likes them, as far as the player has looked.

    The moves lead to ``children``, as the kernel takes them; their estimates are a guess at first.
    """

    def __init__(self, position: LinePosition, search: Search, error: float, dice: Random) -> None:
        mine, theirs = position.words
        gains = {move: _gain(position, move) for move in position.legal_moves}
        scale = LINE * error * pstdev(gains.values())
        self._end = position.game.cells + 1 - marked(position).bit_count()
        self._search = search
        self._children = {move: (theirs, mine | 1 << move) for move in gains}
        self._errors = {move: int(scale * dice.gauss(0, 1)) for move in gains}
        self._value = {move: int(LINE * gain) + self._errors[move] for move, gain in gains.items()}
        self.order = sorted(self._value, key=self._value.__getitem__, reverse=True)

    def near(self, plies: int) -> None:
        """See what depth 0 shows, if it ends the game within so many plies; of the rest the guess remains."""
        for move in self.order if plies > 0 else ():
            value = -self._search.look_ahead(*self._children[move], 0, -BEYOND, BEYOND)
            if abs(value) >= PROVEN and self._end - (abs(value) - PROVEN) <= plies:
                self._value[move] = value
        # Where all is lost equally soon, the guesses still decide.
        self.order.sort(key=self._value.__getitem__, reverse=True)

    def ahead(self, depth: int) -> None:
        """Look a ply deeper each time, down to ``depth``, until a win is found or all is lost. Raises Stopped."""
        for deeper in range(1, depth + 1 if len(self.order) > 1 else 0):
            best = -BEYOND
            for move in [*self.order]:
                error = self._errors[move]
                needed = best if abs(best) >= PROVEN else best - error
                value = -self._search.look_ahead(*self._children[move], deeper, -BEYOND, -needed)
                value += error if abs(value) < PROVEN else 0
                if value > best:
                    best = value
                    self.order.remove(move)
                    self.order.insert(0, move)
            if abs(best) >= PROVEN:
                return


def _gain(position: LinePosition, move: int) -> float:
    """Return by how much a move changes the kernel's estimate, in lines, for the player who makes it."""
    mine, theirs, found = *position.words, 0.0
    for line, mask in position.game.lines_through[move]:
        own, other = (mask & mine).bit_count(), (mask & theirs).bit_count()
        found += 0.5 ** (len(line) - own) if not other else 0
        found += 0.5 ** (len(line) - other) if not own else 0
    return -found if position.game.misere else found
