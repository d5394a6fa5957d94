"""The build of a strategy book: proofs from the empty board down, until a quick search proves the rest."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby

from service.book.builder.checkpoints import Checkpoints
from service.book.builder.tasks import examined
from service.book.strategy import Masks, after_replies, canonical_positions
from service.games.families.lines import LineGame
from service.kernel.alpha_beta.search import Search
from service.kernel.memory import private_memory
from service.kernel.proofs.canonical import Canonical

LIVE_NODES = 1 << 20
"""The nodes of a search that proves a win during a request: half a second."""

SEARCH_VERSION = "0.2.0"
"""The first version whose search finds the packaged strategies: every later one builds the same bytes."""

ANY_NODES = 1 << 60

LIVE = 255
"""In place of the move where no entry is needed."""


class NoStrategy(ValueError):
    """No strategy book is possible; the message has the reason."""


@dataclass(frozen=True, slots=True)
class Examined:
    """The most plies to a win, and its first move; None where a search of ``LIVE_NODES`` proves the win."""

    plies: int
    move: int | None


def strategy_source() -> str:
    """Return the source of the positions."""
    return f"proof-number search of Move Oracle {SEARCH_VERSION}"


def plan_data(game: LineGame) -> Mapping[str, object]:
    """Return everything that the results of the tasks depend on."""
    return {"strategy": game.search_digest.hex(), "source": strategy_source(), "live_nodes": LIVE_NODES}


def build_strategy(game: LineGame, checkpoints: Checkpoints) -> dict[Masks, int]:
    """Return the canonical positions of the book, the loser to move, each with the most plies to its end.

    Raises NoStrategy if the player who begins does not win, or if a quick search proves the empty board.
    """
    if game.gravity or game.misere:
        raise NoStrategy("Strategy books are for games without gravity that are not misère.")
    canonical = canonical_positions(game)
    found: dict[Masks, Examined] = {}
    positions: Sequence[Masks] = [(0, 0)]
    while positions:
        found |= _examine_all(game, positions, checkpoints)
        after = {reply for masks in positions for reply in _replies(game, canonical, masks, found[masks])}
        positions = sorted(after - found.keys())
    if found[0, 0].move is None:
        raise NoStrategy("This game needs no strategy book: a search of a moment proves that the first player wins.")
    return _lost(game, canonical, found)


def examine(game: LineGame, positions: Iterable[Masks]) -> bytes:
    """Return two bytes for each position, the winner to move: the maximum plies of a forced win and its first move.

    The plies are 0 if no win is found. Every search begins with empty tables, so each result depends on one position.
    """
    return b"".join(map(bytes, (_examine(game, *masks) for masks in positions)))


def prove_live(game: LineGame, own: int, other: int) -> int | None:
    """Return the most plies in which the owner of ``own``, to move, wins, if a quick search proves the win."""
    won = _search(game).forced_win(own, other, LIVE_NODES, to_move=True)
    return won and won[0]


def _examine(game: LineGame, own: int, other: int) -> tuple[int, int]:
    search = _search(game)
    for nodes in (LIVE_NODES, ANY_NODES):
        won = search.forced_win(own, other, nodes, to_move=True)
        if won:
            return won[0], LIVE if nodes == LIVE_NODES else won[1]
    return 0, LIVE


def _search(game: LineGame) -> Search:
    return Search(game.lay_out(), private_memory(0))


def _examine_all(game: LineGame, positions: Sequence[Masks], checkpoints: Checkpoints) -> dict[Masks, Examined]:
    """Examine positions with the winner to move. Raises NoStrategy if one is not won."""
    results = examined(partial(examine, game), positions, checkpoints)
    pairs = zip(results[::2], results[1::2], strict=True)
    found = {
        masks: Examined(plies, None if move == LIVE else move)
        for masks, (plies, move) in zip(positions, pairs, strict=True)
    }
    if not all(one.plies for one in found.values()):
        raise NoStrategy("The search finds no win of the first player, so there is no strategy to keep.")
    return found


def _replies(game: LineGame, canonical: Canonical, masks: Masks, one: Examined) -> Iterator[Masks]:
    """Yield the canonical positions after the winner's move and each reply, the winner to move."""
    if one.move is None:
        return
    yield from after_replies(game, canonical, masks[0] | 1 << one.move, masks[1])


def _lost(game: LineGame, canonical: Canonical, found: Mapping[Masks, Examined]) -> dict[Masks, int]:
    """Return the positions after the winner's moves, each with its plies after the best reply."""
    lost: dict[Masks, int] = {}
    plies: dict[Masks, int] = {}
    for _, layer in groupby(sorted(found, key=_marks, reverse=True), key=_marks):
        positions = list(layer)
        for masks in positions:
            move = found[masks].move
            if move is not None:
                most = 1 + max(plies[reply] for reply in _replies(game, canonical, masks, found[masks]))
                after = canonical.of(masks[1], masks[0] | 1 << move)
                lost[after] = min(most, lost.get(after, most))
        plies = {masks: _plies(game, canonical, masks, lost) or found[masks].plies for masks in positions}
    return lost


def _plies(game: LineGame, canonical: Canonical, masks: Masks, lost: Mapping[Masks, int]) -> int | None:
    """Return the most plies in which the player to move wins by a move of the book, for this or another position."""
    own, other = masks
    empty = (cell for cell in range(game.cells) if not (own | other) >> cell & 1)
    after = (lost.get(canonical.of(other, own | 1 << cell)) for cell in empty)
    return min((1 + plies for plies in after if plies is not None), default=None)


def _marks(masks: Masks) -> int:
    return sum(map(int.bit_count, masks))
