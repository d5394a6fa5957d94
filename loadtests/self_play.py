"""Games that the oracle plays against itself, in which everything that it says must come true."""

from argparse import Namespace
from collections.abc import Iterator
from time import perf_counter
from typing import NamedTuple

from drops import random_games
from solved import connect_four
from tables import Row, show_markdown, show_title

from service.engine.oracle import BestMove, Oracle
from service.games.position import OPPONENT, Player, Position
from service.settings import Settings

PLIES = range(8, 25)
"""How long the random openings are."""


class Ending(NamedTuple):
    """How a game ends: who wins, None for a draw, and with how many marks on the board."""

    winner: Player | None
    marks: int


def show(options: Namespace) -> None:
    """Prints how the games ended."""
    openings = random_games(options.games, PLIES, options.seed, quiet=True) + [""] * options.long
    show_title(
        "### Self-play\n",
        f"{options.games} games from random openings of {PLIES[0]} to {PLIES[-1]} plies"
        f"{', and one from the empty board' if options.long else ''}, both sides by the oracle."
        "\nAt every ply the answer is proven and promises the same end as before, its best line is legal and leads"
        "\nthere, its first move is the move; and so the game ends.",
        f"connect_four.py --only self-play --games {options.games} --seed {options.seed}{' --long' * options.long}",
    )
    oracle, began = Oracle(table_mb=Settings().table_mb), perf_counter()
    played = [(opening, play(oracle, connect_four(opening).position)) for opening in openings]
    rows = [_row(name, [game for game in played if game[1].winner == winner]) for name, winner in ENDS.items()]
    show_markdown([("won by", "games", "plies played"), *rows, _row("all", played)])
    print(f"\n{perf_counter() - began:.0f} s.")


ENDS: dict[str, Player | None] = {"who began": "X", "the other": "O", "nobody": None}


def play(oracle: Oracle, position: Position) -> Ending:
    """How the game went on from here. Ends the benchmark at the first broken promise."""
    promise = None
    while position.status == "in_progress":
        answer = oracle.best_move(position)
        promise = promise or promised(answer)
        wrong = list(faults(answer, promise))
        if wrong or answer.move is None:
            raise SystemExit(f"{position}, {position.player} to move: {'; '.join(wrong)}")
        position = position.play(answer.move)
    ending = Ending(position.winner, position.occupied.bit_count())
    if ending != (promise or ending):
        raise SystemExit(f"{position} is the end, which was to be {promise}")
    return ending


def promised(answer: BestMove) -> Ending:
    """The end that an answer's outcome and plies foretell; for one that is not proven, that of a draw."""
    player = answer.position.player
    winners: dict[str, Player] = {"win": player, "loss": OPPONENT[player]}
    return Ending(winners.get(answer.outcome), answer.position.occupied.bit_count() + (answer.plies or 0))


def faults(answer: BestMove, promise: Ending) -> Iterator[str]:
    """Everything that is wrong with an answer on the way to a promised end, in words."""
    if not answer.proven:
        yield "it is not proven"
    if promised(answer) != promise:
        yield f"{answer.outcome} in {answer.plies} promises {promised(answer)}, not {promise}"
    sign = {"win": 1, "loss": -1}.get(answer.outcome, 0)
    if answer.score != sign * (answer.position.game.cells + 1 - (answer.plies or 0)):
        yield f"the score is {answer.score}"
    if answer.pv[:1] != (answer.move,) or len(answer.pv) != answer.plies:
        yield f"the line {answer.pv} does not begin with {answer.move} or is not {answer.plies} plies long"
    position = answer.position
    for move in answer.pv:
        if move not in position.legal_moves:
            yield f"the line {answer.pv} plays {move}, which is illegal"
            return
        position = position.play(move)
    if position.status == "in_progress" or Ending(position.winner, position.occupied.bit_count()) != promise:
        yield f"the line {answer.pv} does not lead to {promise}"


def _row(name: str, played: list[tuple[str, Ending]]) -> Row:
    return name, f"{len(played)}", f"{sum(ending.marks - len(opening) for opening, ending in played):,}"
