"""Weights of the evaluation, fitted to games of the look-ahead against itself.

A logistic regression of the result on what each weight is multiplied by. Quiet positions count: those in which nobody
can complete a line at once, for the look-ahead evaluates no others.
"""

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from types import MappingProxyType

from loadtests.budgets import Verdicts
from loadtests.strength.matches import GAMES
from loadtests.strength.options import Options
from loadtests.strength.regression import fit
from loadtests.tables import Row, show_table, show_title
from service.engine.solver import Solver
from service.games.catalogue import CONNECT_FOUR
from service.games.game import Game
from service.games.position import PLAYERS, Position
from service.kernel.board import Board
from service.kernel.evaluation import Evaluation
from service.kernel.layout import lay_out
from service.kernel.memory import private_memory
from service.kernel.rules import Rules
from service.kernel.search import Search
from service.kernel.weights import FreeWeights, GravityWeights, weights_of

FAMILIES: Mapping[str, Sequence[Game]] = MappingProxyType(
    {
        "Gravity, columns of even height": (CONNECT_FOUR,),
        "Gravity, columns of odd height": tuple(game for game in GAMES if game.gravity),
        "No gravity": tuple(game for game in GAMES if not game.gravity),
    }
)
"""Games that share their weights."""

NODES = 2_500
"""The look-ahead of a move."""

RANDOM_PLIES = range(2, 11)
"""The plies at random before a game."""

WORTH = 100
"""The weight of what multiplies the odds by e."""

Example = tuple[Sequence[int], int]
"""The features of a position, and the result: -1, 0 or 1."""


def show(options: Options, _verdicts: Verdicts) -> None:
    """Print a table for each family: the weights in use, and those that fit best."""
    for family, games in FAMILIES.items():
        examples = [example for game in games for example in examples_of(game, options.games, options.seed)]
        show_title(family, f"{len(examples):,} quiet positions of {options.games} games each of {_names(games)}.")
        used = _weights(games[0])
        best = fit([features for features, _ in examples], [(1 + result) / 2 for _, result in examples])
        rows: list[Row] = [("weight", "in use", "best")]
        rows += [
            (name, f"{now}", f"{WORTH * found:.0f}") for name, now, found in zip(used._fields, used, best, strict=True)
        ]
        show_table(rows)


def examples_of(game: Game, count: int, seed: int) -> Iterator[Example]:
    """Yield the quiet positions of so many games, the same for the same seed."""
    rules, dice = lay_out(game), Random(f"{seed} fit {game.id}")
    features = Features(game)
    for _ in range(count):
        played = list(_play(game, rules, dice))
        winner = played[-1].winner
        for position in played[:-1]:
            if not any(position.completions(player) for player in PLAYERS):
                yield features.of(position), 0 if winner is None else 1 if winner == position.player else -1


class Features:
    """What each weight of a game is multiplied by: the value of a position if that weight is 1 and all others are 0."""

    def __init__(self, game: Game) -> None:
        board, count = Board(lay_out(game)), len(_weights(game))
        units = ([int(place == other) for other in range(count)] for place in range(count))
        self._evaluations = [Evaluation(board, unit) for unit in units]

    def of(self, position: Position) -> list[int]:
        """Return the features of a position, in the order of the weights."""
        return [evaluation.of(position.mine, position.theirs) for evaluation in self._evaluations]


def _weights(game: Game) -> FreeWeights | GravityWeights:
    return weights_of(game.cells, game.drop)


def _names(games: Sequence[Game]) -> str:
    return " and ".join(game.name for game in games)


def _play(game: Game, rules: Rules, dice: Random) -> Iterator[Position]:
    """Yield the positions of a game after a random opening, the last one finished."""
    position = Position(game, 0, 0, "X")
    for _ in range(dice.choice(RANDOM_PLIES)):
        if position.legal_moves:
            position = position.play(dice.choice(position.legal_moves))
    yield position
    while position.legal_moves:
        position = position.play(_choose(position, rules))
        yield position


def _choose(position: Position, rules: Rules) -> int:
    search = Search(rules, private_memory(0), limit=NODES)
    solver = Solver(search, position)
    solver.look_ahead(search)
    return solver.known().move
