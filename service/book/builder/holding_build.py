"""The build of a strategy book of a draw: the first replies of the second player that no quick search finds."""

from collections.abc import Iterable, Mapping
from functools import cache, partial

from service.book.builder.checkpoints import Checkpoints
from service.book.builder.strategy_build import ANY_NODES, LIVE, NoStrategy
from service.book.builder.tasks import examined
from service.book.strategy import Masks, after_replies, canonical_positions
from service.games.families.lines import LineGame
from service.kernel.alpha_beta.search import Search
from service.kernel.memory import private_words
from service.kernel.rules import Rules

REPLIES = 2
"""The number of replies in a line of play that are in the book at most. Later ones are left to the search."""

LIVE_HOLDING_NODES = 1 << 16
"""The nodes of a search that finds a reply during a request: half a second."""

HOLDING_VERSION = "0.4.0"
"""The first version whose search finds the packaged replies: every later one builds the same bytes."""

CHECKED_NODES = 1 << 22
"""The nodes of a search that checks a position without an entry: half a minute."""

TABLE_WORDS = 1 << 25
"""The words of the table of a search, 256 MB: fewer would make the longest proofs longer."""

FALLS = 254
"""In place of the move where no reply holds."""


def holding_source() -> str:
    """Return the source of the positions."""
    return f"maker-breaker search of Move Oracle {HOLDING_VERSION}"


def holding_plan(game: LineGame) -> Mapping[str, object]:
    """Return everything that the results of the tasks depend on."""
    return {"holding": game.search_digest.hex(), "source": holding_source(), "live_nodes": LIVE_HOLDING_NODES}


def build_holding(game: LineGame, checkpoints: Checkpoints) -> set[Masks]:
    """Return the canonical positions of the book, the first player to move, who never completes a line.

    Raises NoStrategy if the second player cannot hold by blocking, or needs no book for it.
    """
    if game.gravity or game.misere:
        raise NoStrategy("Strategy books are for games without gravity that are not misère.")
    canonical = canonical_positions(game)
    held: set[Masks] = {(0, 0)}
    after = [(0, 0)]
    for _ in range(REPLIES):
        positions = sorted({reply for masks in after for reply in after_replies(game, canonical, *masks)})
        if not positions:
            break
        found = examined(partial(find_replies, game), positions, checkpoints)
        if FALLS in found:
            raise NoStrategy("The second player cannot hold a draw by blocking alone, so there is no strategy to keep.")
        after = [(own | 1 << move, other) for (own, other), move in zip(positions, found, strict=True) if move != LIVE]
        held |= {canonical.of(other, own) for own, other in after}
    if len(held) == 1:
        raise NoStrategy("This game needs no strategy book: a search of a moment finds every reply.")
    return held


def find_replies(game: LineGame, positions: Iterable[Masks]) -> bytes:
    """Return a byte for each position, the second player to move: the reply, ``LIVE`` or ``FALLS``.

    Every search begins with an empty table, so each result depends on one position.
    """
    return bytes(_reply(game, *masks) for masks in positions)


def finds_reply(game: LineGame, own: int, other: int) -> bool:
    """Return whether a search of ``CHECKED_NODES`` finds a reply for the owner of ``own``, to move, that holds."""
    return _search(game).holding_move(own, other, CHECKED_NODES) is not None


def _reply(game: LineGame, own: int, other: int) -> int:
    search = _search(game)
    if search.holding_move(own, other, LIVE_HOLDING_NODES) is not None:
        return LIVE
    reply = search.holding_move(own, other, ANY_NODES)
    return FALLS if reply is None else reply


def _search(game: LineGame) -> Search:
    return Search(_rules(game), private_words(TABLE_WORDS))


@cache
def _rules(game: LineGame) -> Rules:
    return game.lay_out()
