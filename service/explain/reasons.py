"""The reasons for a move in words: what it does on the board, and what that leads to.

Each reason follows from the position or is proven by the score; none is a rule of thumb.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from types import MappingProxyType

from service.engine.oracle import BestMove
from service.engine.result import WORTH, Bounds, Known, ProvenResult, ends, score_bounds
from service.explain.family_reasons import family_judgement, family_reason
from service.explain.forks import Tactics, Threats
from service.explain.names import joined, line_name, move_name
from service.explain.outcomes import distance, plies_range
from service.explain.reason import UNCLEAR, UNPROVEN, Code, MoveReason, sentence
from service.games.grid import Line
from service.games.lines import OPPONENT, LineGame, LinePosition, is_line
from service.games.position import Position

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")

MOST_NAMED = 4
"""Lines or cells that a sentence names; a game given as lines can have a thousand through one cell."""

PARTICIPLES: Mapping[Code, str] = MappingProxyType(
    {"wins-now": "completing", "blocks": "blocking", "makes-fork": "making"}
)
"""What replaces the verb of a reason if the opponent's reply does it: ``blocking the top row``."""


def reason(best: BestMove) -> str:
    """Return one sentence for the move of an answer, or for the end of the game if there is none."""
    return reason_of(best.position, best.known, best.move, best=best.skill is None)


def reason_of(position: Position, known: Known, move: int | None, *, best: bool = True) -> str:
    """Return one sentence for a ``move`` with this value; ``best``: it was chosen as one of the best."""
    if not is_line(position):
        return family_reason(position, known, move, best=best)
    if move is None:
        return _ending(position)
    effect = next(_effects(Tactics(position), move), None)
    verdict = _verdict(position, known, best=best)
    if effect is not None and effect.code == "loses-now" and best:
        return sentence(f"every move left completes a line: {verdict.words}")
    leads_to = [] if effect is not None and effect.code == "wins-now" else [verdict.words]
    return sentence(": ".join([*_played(position, move, effect), *leads_to]))


def _played(position: LinePosition, move: int, effect: MoveReason | None) -> Sequence[str]:
    """Return what the move does, after its column if moves are columns; empty if there is nothing to say."""
    if not position.game.has_columns:
        return [] if effect is None else [effect.words]
    dropped = f"drops into {move_name(position.game, move)}"
    if effect is None:
        return [dropped]
    return [f"{dropped}, the only one left" if effect.code == "only-legal-move" else f"{dropped} and {effect.words}"]


def reasons(tactics: Tactics, known: Known, move: int, worths: Mapping[int, Known]) -> tuple[MoveReason, ...]:
    """Return all reasons for a legal move: what it does on the board, then what that leads to.

    A move that wins now needs no more reasons, and one that makes a fork need not stop any. ``known`` is the value of
    the position, ``worths`` that of each of its moves.
    """
    position = tactics.position
    effects = tuple(_effects(tactics, move))
    if effects and effects[0].code == "wins-now":
        return effects
    only = _only_move(position, known, move, worths) if len(worths) > 1 else ()
    return (*effects, *only, _comparison(position, known, move, worths[move]))


def judgement(position: Position, known: Known, move: int, worth: Known) -> str:
    """Return one sentence about a ``move`` that was played: what it does, or what it gave away."""
    if not is_line(position):
        return family_judgement(position, known, move, worth)
    verdict = _comparison(position, known, move, worth)
    effect = next(_effects(Tactics(position), move), None)
    if effect is None or verdict.code in ("gives-win-away", "gives-draw-away"):
        return verdict.sentence
    return effect.sentence if effect.code == "wins-now" else sentence(f"{effect.words}: {verdict.words}")


def _ending(position: LinePosition) -> str:
    line = position.winning_line
    if line is None:
        return "The board is full and neither player has a line: a draw."
    owner = OPPONENT[position.player]
    verb = "lost" if position.game.misere else "won"
    return f"{owner} has completed {line_name(position.game, line)} and {verb}."


def _effects(tactics: Tactics, move: int) -> Iterator[MoveReason]:
    """Yield what the move does on the board, the most important first."""
    position = tactics.position
    game = position.game
    completed = position.game.completed_by(position, position.player, move)
    if completed and not game.misere:
        yield MoveReason("wins-now", f"completes {_names(game, completed)}", completed)
        return
    if len(position.legal_moves) == 1:
        yield MoveReason("only-legal-move", f"the only {_unit(game)} left")
    if completed:
        yield MoveReason("loses-now", f"completes {_names(game, completed)}, which loses", completed)
    if game.misere:
        return
    blocked = position.game.completed_by(position, OPPONENT[position.player], move)
    if blocked:
        yield MoveReason("blocks", f"blocks {_names(game, blocked)}", blocked)
    made = tactics.fork(move)
    if made:
        yield _fork_made(game, made)
        return
    stopped = tactics.stopped_forks(move)
    if stopped:
        yield _forks_stopped(position, move, stopped)


def _fork_made(game: LineGame, threats: Threats) -> MoveReason:
    lines = tuple(chain.from_iterable(threats.values()))
    words = f"makes a fork, threatening {_names(game, lines)}"
    if game.has_columns:
        count = NUMBERS[len(threats)] if len(threats) < len(NUMBERS) else len(threats)
        words = f"makes {count} threats at once, in {_cells(game, threats)}"
    return MoveReason("makes-fork", words, lines)


def _forks_stopped(position: LinePosition, move: int, stopped: Mapping[int, Threats]) -> MoveReason:
    game = position.game
    words = f"stops {'a fork' if len(stopped) == 1 else 'forks'} at {_cells(game, stopped)}"
    if game.has_columns:
        where = "here" if [*stopped] == [move] else f"with {_cells(game, stopped, 'or')}"
        words = f"stops {OPPONENT[position.player]} from making two threats at once {where}"
    lines = chain.from_iterable(chain.from_iterable(threats.values()) for threats in stopped.values())
    return MoveReason("stops-fork", words, tuple(dict.fromkeys(lines)))


def _verdict(position: LinePosition, known: Known, *, best: bool) -> MoveReason:
    """Return what the move leads to."""
    least, most = ends(known)
    if least != most:
        return MoveReason("unproven", (UNPROVEN if best else UNCLEAR)[least, most])
    if least == "draw":
        return MoveReason("draws", "holds the draw")
    if least == "win":
        return MoveReason("wins", f"wins in {distance(position, known)} against any defence")
    loses = f"loses in {distance(position, known)} against best play"
    if not best or isinstance(known, Bounds):
        return MoveReason("loses", loses)
    return MoveReason(
        "loses-slowest", loses if len(position.legal_moves) == 1 else f"{loses}; no move holds out longer"
    )


def _comparison(position: LinePosition, known: Known, move: int, worth: Known) -> MoveReason:
    """Return what the move leads to, compared with the best move."""
    (least, most), (worst, hope) = ends(known), ends(worth)
    if least != most:
        if worst == hope == "draw" and most == "win":
            return MoveReason("draws", "leads to a draw; whether another move wins is not proven yet")
        best = isinstance(known, Bounds) and move == known.move
        return _with_column(position, worth, _verdict(position, worth, best=best))
    if WORTH[hope] < WORTH[least]:
        code: Code = "gives-win-away" if least == "win" else "gives-draw-away"
        return MoveReason(code, f"gives the {least} away: {_refutation(position, worth)}")
    (low, high), (worth_low, worth_high) = score_bounds(known), score_bounds(worth)
    if worst != hope or worth_high >= low:
        return _with_column(position, worth, _verdict(position, worth, best=worth_low == high))
    instead = f"{distance(position, worth)} instead of {plies_range(position, known)}"
    if worst == "win":
        return MoveReason("slower-win", f"wins in {instead}")
    return _with_column(position, worth, MoveReason("loses-faster", f"loses in {instead}"))


def _with_column(position: LinePosition, worth: Known, reason: MoveReason) -> MoveReason:
    """Return the reason, with the column by which the opponent wins at once if moves are columns."""
    if (
        not isinstance(worth, ProvenResult)
        or (worth.outcome, worth.plies) != ("loss", 2)
        or not position.game.has_columns
    ):
        return reason
    return MoveReason(reason.code, f"{reason.words}: {_refutation(position, worth)}")


def _refutation(position: LinePosition, worth: Known) -> str:
    """Return how the opponent answers a move that gives something away."""
    if isinstance(worth, Bounds):
        return f"at most a {ends(worth)[1]} is left"
    move, *line = worth.pv
    after = position.play(move)
    if not line:
        return f"it completes {_names(position.game, position.game.completed_by(position, position.player, move))}"
    effect = next(_effects(Tactics(after), line[0]), None)
    what = ""
    if effect and effect.code in PARTICIPLES:
        what = f", {PARTICIPLES[effect.code]} {effect.words.partition(' ')[2]}"
    where = _reply(position.game, move, line[0])
    if effect and effect.code == "wins-now" and position.game.has_columns:
        return f"lets {after.player} win {where}{what}"
    replies = f"{after.player} answers {where}{what}"
    if worth.outcome == "draw":
        return f"{replies}, and holds the draw"
    if len(line) == 1:
        return f"{replies}, and wins"
    return f"{replies}, and wins in {_plies(len(line))}"


def _reply(game: LineGame, move: int, reply: int) -> str:
    """Return where the opponent answers: ``with b3``, ``in column 4``, ``on top of it in column 4``."""
    if not game.has_columns:
        return f"with {move_name(game, reply)}"
    return f"{'on top of it ' if reply == move - game.drop else ''}in {move_name(game, reply)}"


def _only_move(position: LinePosition, known: Known, move: int, worths: Mapping[int, Known]) -> tuple[MoveReason, ...]:
    """Return that this is the only good move, if every other leads to a worse outcome."""
    (least, most), (worst, _) = ends(known), ends(worths[move])
    if least != most or least == "loss":
        return ()
    others = (other for cell, other in worths.items() if cell != move)
    if WORTH[worst] < WORTH[least] or any(WORTH[ends(other)[1]] >= WORTH[least] for other in others):
        return ()
    verb = "wins" if least == "win" else "draws"
    return (MoveReason("only-move", f"the only {_unit(position.game)} that {verb}"),)


def _unit(game: LineGame) -> str:
    return "column" if game.has_columns else "move"


def _plies(count: int) -> str:
    return f"{count} {'ply' if count == 1 else 'plies'}"


def _cells(game: LineGame, cells: Iterable[int], conjunction: str = "and") -> str:
    return _listed([move_name(game, cell) for cell in cells], conjunction)


def _names(game: LineGame, lines: tuple[Line, ...]) -> str:
    return _listed([line_name(game, line) for line in lines])


def _listed(names: Sequence[str], conjunction: str = "and") -> str:
    """Return names joined for a sentence, and the number of those beyond the first few."""
    more = len(names) - MOST_NAMED
    return joined([*names[:MOST_NAMED], *([f"{more} more"] if more > 0 else [])], conjunction)
