"""Random positions of the middle of the game: how many outcomes are proven within a second, here and elsewhere."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import cycle, islice
from pathlib import Path
from random import Random
from statistics import median

from loadtests.budgets import Verdicts
from loadtests.hunt.games import Board, Game, draw_board, grid_of
from loadtests.proofs.asking import Reply, ask
from loadtests.proofs.options import Options
from loadtests.servers.processes import ROOT
from loadtests.tables import Row, show_row, show_title

GAMES: Mapping[str, Game] = {
    "8x8, five in a row": grid_of(1, 8, 8, 5),
    "7x7, five in a row": grid_of(1, 7, 7, 5),
    "Qubic": grid_of(4, 4, 4, 4),
    "6x6, four in a row": grid_of(1, 6, 6, 4),
}

EIGHTHS = (1, 2, 3, 4)
"""The marked part of the board, in eighths; as many positions of each."""

LIMIT_MS = 1000


def positions(game: Game, count: int, seed: int) -> list[Board]:
    """Return positions after random legal moves, in which nobody has a line or completes one by the next mark."""
    dice = Random(seed)
    return [_undecided(dice, game, game.cells * part // 8) for part in islice(cycle(EIGHTHS), count)]


def _undecided(dice: Random, game: Game, marks: int) -> Board:
    while True:
        board = draw_board(dice, game, game.cells - marks)
        if board.occupied.bit_count() == marks and not any(_wins(board, move) for move in board.legal_moves()):
            return board


def _wins(board: Board, move: int) -> bool:
    return board.game.completes(board.mine | 1 << move, move)


def show(options: Options, _verdicts: Verdicts) -> None:
    """Print the share of outcomes proven in each game; an outcome that another checkout contradicts ends the run."""
    show_title(
        "The middle of the game",
        f"{options.positions} random positions of each game (seed {options.seed}): 1/8, 2/8, 3/8 and 4/8 of the cells"
        f" marked by turns, nobody\ncan complete a line at once. POST /best-move with {LIMIT_MS} ms of processor time,"
        " without books, one process\nfor each game and checkout.",
    )
    show_row("", "outcome proven", "distance too", "median, ms", "mean, ms")
    show_row("---", *["---:"] * 4)
    for name, game in GAMES.items():
        drawn = positions(game, options.positions, options.seed)
        replies = {side: _replies(drawn, checkout) for side, checkout in _sides(options)}
        _require_agreement(name, drawn, [*replies.values()])
        for side, given in replies.items():
            show_row(*_row(f"{name}{side}", given))


def _sides(options: Options) -> Iterator[tuple[str, Path]]:
    if options.against:
        yield ", other checkout", options.against
    yield "", ROOT


def _replies(drawn: Sequence[Board], checkout: Path) -> list[Reply]:
    bodies = [
        {
            "game": board.game.request,
            "board": board.text(),
            "player": board.player,
            "limit": {"time_ms": LIMIT_MS},
        }
        for board in drawn
    ]
    return ask(bodies, checkout=checkout, books="none")


def _require_agreement(name: str, drawn: Sequence[Board], sides: Sequence[Sequence[Reply]]) -> None:
    for board, *replies in zip(drawn, *sides, strict=True):
        if len({reply.outcome for reply in replies if reply.is_proven}) > 1:
            raise SystemExit(f"{name}: {board.text()} for {board.player}: {replies} contradict each other.")


def _row(name: str, replies: Sequence[Reply]) -> Row:
    proven, exact = (
        sum(flags) / len(replies) for flags in zip(*((r.is_proven, r.exact) for r in replies), strict=True)
    )
    times = [1000 * reply.seconds for reply in replies]
    return name, f"{proven:.0%}", f"{exact:.0%}", f"{median(times):,.1f}", f"{sum(times) / len(times):,.0f}"
