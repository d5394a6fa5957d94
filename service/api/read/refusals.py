"""Problems of positions that no complete table covers."""

from collections.abc import Iterator
from contextlib import contextmanager

from service.api.problems import Error, Problem, faulty, pointer
from service.engine.tables.family_table import UnreachableError
from service.games.game import Game
from service.kernel.states.graph import TooLargeError
from service.kernel.states.retrograde import TooLongError

WRITTEN_OUT = 10**12
"""Numbers from this one on are written as powers of ten."""

MOST_BUILT = 10**9
"""The size of the largest table that a machine can build, in positions."""


@contextmanager
def refusals(game: Game) -> Iterator[None]:
    """Raise the Problem of a game without a table, or of a position that is not in the table."""
    try:
        yield
    except TooLargeError as error:
        raise _too_large(game, error.most) from None
    except TooLongError as error:
        raise faulty("invalid-request", [Error(pointer("game"), "too-many-plies", f"In this game {error}.")]) from None
    except UnreachableError:
        raise _unreachable() from None


def _too_large(game: Game, most: int) -> Problem:
    size = f"about {_number(game.states)}" if game.states > most else f"more than {most:,}"
    ahead = " Or build its table ahead with move-oracle tablebase build." if game.states <= MOST_BUILT else ""
    detail = (
        f"The game has {size} positions up to symmetry; the service solves games of at most {most:,}. "
        f"Give a smaller board.{ahead}"
    )
    return faulty("invalid-request", [Error(pointer("game"), "too-many-positions", detail)])


def _number(states: int) -> str:
    return f"{states:,}" if states < WRITTEN_OUT else f"10^{len(str(states)) - 1}"


def _unreachable() -> Problem:
    detail = "No play leads to this position. Give the moves of the game, or another board."
    return faulty("impossible-position", [Error(pointer("board"), "unreachable-position", detail)])
