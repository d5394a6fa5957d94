"""Moves of players of limited skill.

For every position, the number of plies that the player sees is random around a reach that grows with skill: far ends
are missed more often than near ones, a block a little more often than a win in one, a fork more often still. Ends
within those plies are seen for certain. Everything else is judged by the open lines at that depth, with an error for
each move that shrinks as skill grows. The player makes the move that looks best: at skill 0 nearly any move, near 100
seldom a bad one. Now and then, less often as skill grows, the player is inattentive and plays like a beginner.

In games without estimates, a move that is not seen to win or lose looks like a draw, and one of the best-looking moves
is chosen at random.
"""

import math
from random import Random
from statistics import mean, pstdev

from service.engine.result import RANK, Known, MoveValues, ends, score_bounds
from service.games.families.lines import LinePosition, marked
from service.kernel.alpha_beta.search import PROVEN, Search, Stopped
from service.kernel.memory import private_memory
from service.kernel.rules import Rules

ABOVE_LOOK_AHEADS = 2 * PROVEN
"""A bound above every value of a look-ahead."""

LINE = 1 << 48
"""The value of a completed line in the kernel's estimates; each missing mark halves it."""

REACH = (-2.0, 0.8, 2.9, 4.7, 5.5, 6.2, 6.9, 7.7, 8.6, 9.6, 10.8)
"""The plies that are seen with a probability of one half, at skill 0, 10, 20 and so on; linear in between."""

REACH_SCALE = 1.05
"""The scale, in plies, of the logistic distribution of the number of plies that a player sees."""

FARTHEST = 16
"""The maximum number of plies that a player sees."""

CARELESSNESS = 5.0
"""The error at skill 0, in standard deviations of the moves' estimates; it falls linearly to 0 at skill 100."""

SLIPS, SLIP_SKILL = 0.07, 10
"""The probability of a careless move at skill 0, which falls linearly to 0 at skill 100; and the skill of such a
move."""

MOST_NODES, MOST_STEPS = 40_000, 35_000_000
"""The maximum cost of a move: nodes, and cells of lines visited in them, so that large games take no longer."""


def weaker_move(position: LinePosition, rules: Rules, *, skill: int, seed: int) -> int:
    """Return the move of a player of this ``skill``, from 0 to 99, in an unfinished position.

    A pure function of the game, the marks of both players, skill and seed.
    """
    # The marks are part of the seed: a bot with a constant seed would otherwise see equally far in the whole game.
    dice = Random(f"{seed} {position.state[0]:x} {position.state[1]:x}")  # noqa: S311, no secret depends on it
    skill, plies = sight(skill, dice)
    search = Search(rules, private_memory(1), limit=affordable(rules))
    look = _Look(position, search, carelessness(skill), dice)
    try:
        look.near(plies)
        # Depth 0 shows a move and the two plies after it; in misère games, without blocks, one.
        look.ahead(plies - (2 if rules.misere else 3))
    except Stopped:
        pass
    return look.order[0]


def sight(skill: int, dice: Random) -> tuple[int, int]:
    """Return a player's skill at this move, at random lower by a slip, and a random number of plies that are seen."""
    if dice.random() < SLIPS * (1 - skill / 100):
        skill = min(skill, SLIP_SKILL)
    draw = dice.random()
    return skill, sum(draw < sees(skill, ply) for ply in range(1, FARTHEST + 1))


def sees(skill: int, plies: int) -> float:
    """Return the probability that a player of this skill sees an end after ``plies`` plies."""
    step, part = divmod(skill, 10)
    reach = REACH[step] + (REACH[step + 1] - REACH[step]) * part / 10
    return 1 / (1 + math.exp((plies - reach) / REACH_SCALE))


def carelessness(skill: int) -> float:
    """Return the error of a player of this skill, in standard deviations of the moves' estimates."""
    return CARELESSNESS * (1 - skill / 100)


def affordable(rules: Rules) -> int:
    """Return the maximum nodes of a move in a game."""
    return max(rules.cells, min(MOST_NODES, MOST_STEPS // (rules.cells * max(1, rules.steps))))


def looks_best(values: MoveValues, plies: int, most_plies: int) -> list[int]:
    """Return the moves that look best to a player who sees ``plies`` plies ahead, in a game of ``most_plies``."""
    seen = {move: _seen_score(value, plies, most_plies) for move, value in values.items()}
    most = max(seen.values())
    return [move for move, score in seen.items() if score == most]


def difficulty(replies: MoveValues, most_plies: int) -> float:
    """Return how difficult a move is to answer, from -1 to 1, given the values of all replies; 0 if there are none.

    It is the expected loss of an opponent who sees a win by the next move of either player, and else replies at random.
    """
    seen = looks_best(replies, 2, most_plies) if replies else ()
    return -mean(RANK[ends(replies[reply])[0]] for reply in seen) if seen else 0.0


def _seen_score(value: Known, plies: int, most_plies: int) -> int:
    least, greatest = score_bounds(value)
    return least if least == greatest and most_plies + 1 - abs(least) <= plies else 0


class _Look:
    """The legal moves of a position, in the ``order`` in which a player prefers them.

    At first the order is by guesses with an error; ``near`` and ``ahead`` improve it.
    """

    def __init__(self, position: LinePosition, search: Search, error: float, dice: Random) -> None:
        mine, theirs = position.state
        gains = {move: _gain(position, move) for move in position.legal_moves}
        scale = LINE * error * pstdev(gains.values())
        self._end = position.game.cells + 1 - marked(position).bit_count()
        self._search = search
        self._children = {move: (theirs, mine | 1 << move) for move in gains}
        self._errors = {move: int(scale * dice.gauss(0, 1)) for move in gains}
        self._value = {move: int(LINE * gain) + self._errors[move] for move, gain in gains.items()}
        self.order = sorted(self._value, key=self._value.__getitem__, reverse=True)

    def near(self, plies: int) -> None:
        """Evaluate each move at depth 0; keep the guess unless the game ends within ``plies``."""
        for move in self.order if plies > 0 else ():
            value = -self._search.look_ahead(*self._children[move], 0, -ABOVE_LOOK_AHEADS, ABOVE_LOOK_AHEADS)
            if abs(value) >= PROVEN and self._end - (abs(value) - PROVEN) <= plies:
                self._value[move] = value
        # Where every move loses equally soon, the guesses still decide.
        self.order.sort(key=self._value.__getitem__, reverse=True)

    def ahead(self, depth: int) -> None:
        """Look a ply deeper each time, up to ``depth``, until a win is found or every move loses. Raises Stopped."""
        for deeper in range(1, depth + 1 if len(self.order) > 1 else 0):
            best = -ABOVE_LOOK_AHEADS
            for move in [*self.order]:
                error = self._errors[move]
                needed = best if abs(best) >= PROVEN else best - error
                value = -self._search.look_ahead(*self._children[move], deeper, -ABOVE_LOOK_AHEADS, -needed)
                value += error if abs(value) < PROVEN else 0
                if value > best:
                    best = value
                    self.order.remove(move)
                    self.order.insert(0, move)
            if abs(best) >= PROVEN:
                return


def _gain(position: LinePosition, move: int) -> float:
    """Return the change of the kernel's estimate by a move, in lines, for the player who makes it."""
    mine, theirs, found = *position.state, 0.0
    for line, mask in position.game.lines_through[move]:
        own, other = (mask & mine).bit_count(), (mask & theirs).bit_count()
        found += 0.5 ** (len(line) - own) if not other else 0
        found += 0.5 ** (len(line) - other) if not own else 0
    return -found if position.game.misere else found
