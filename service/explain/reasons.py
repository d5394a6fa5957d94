"""The reasons for a move in words: what it does on the board, and what it leads to.

Each reason follows from the position, or is proven by the values of the moves; none is a rule of thumb.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from types import MappingProxyType

from service.engine.oracle import BestMove
from service.engine.result import RANK, Bounds, Known, ProvenResult, ends, score_bounds
from service.explain.names import (
    cell_name,
    line_name,
    line_names,
    move_names,
)
from service.explain.outcomes import counted, distance, plies_range
from service.explain.statements import TABLE_IS_MADE, UNCLEAR, UNPROVEN, Code, MoveReason, sentence
from service.games.game import DRAWN, LOST, ONGOING, WON, Game
from service.games.position import Position
from service.games.tactics import Tactics, Threats

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")

AT_ONCE = 2
"""The plies of a loss by the opponent's next move."""

PARTICIPLES: Mapping[Code, str] = MappingProxyType(
    {"wins-now": "completing", "blocks": "blocking", "makes-fork": "making"}
)
"""Participles that replace the verb of a reason for the opponent's reply: ``blocking the top row``."""


def reason(best: BestMove) -> str:
    """Return one sentence about the move of an answer; without a move, about the end of the game."""
    return reason_of(best.position, best.known, best.move, best=best.skill is None)


def reason_of(position: Position, known: Known, move: int | None, *, best: bool = True) -> str:
    """Return one sentence about a ``move`` with this value; ``best``: it is the chosen best move."""
    if move is None:
        return _ending(position)
    effect = next(_effects(position, _tactics(position), move, known), None)
    verdict = _verdict(position, known, best=best)
    if effect is None or effect.code == "wins-now":
        return (effect or verdict).sentence
    does = f"every move left {_common_end(position)}" if effect.code == "loses-now" and best else effect.words
    return sentence(f"{does}: {verdict.words}")


def reasons(
    position: Position, tactics: Tactics | None, known: Known, move: int, values: Mapping[int, Known]
) -> tuple[MoveReason, ...]:
    """Return all reasons for a legal move: what it does on the board, then what it leads to.

    A move that wins now needs no other reason; one that makes a fork need not stop a fork. ``tactics`` are those of the
    position, ``known`` is its value, ``values`` has the value of each of its moves.
    """
    effects = tuple(_effects(position, tactics, move, values[move]))
    if effects and effects[0].code == "wins-now":
        return effects
    compared = [*_only_move(position, known, move, values)] if len(values) > 1 else []
    if tactics is None:
        compared = [*_blocks(position, move, values), *compared]
    return (*effects, *compared, _comparison(position, known, move, values[move]))


def judgement(position: Position, known: Known, move: int, value: Known) -> str:
    """Return one sentence about a ``move`` that was played: what it does, or the outcome that it gave away."""
    verdict = _comparison(position, known, move, value)
    effect = next(_effects(position, _tactics(position), move, value), None)
    if effect is None or verdict.code in ("gives-win-away", "gives-draw-away"):
        return verdict.sentence
    return effect.sentence if effect.code == "wins-now" else sentence(f"{effect.words}: {verdict.words}")


def deeds(position: Position, move: int) -> Sequence[Code]:
    """Return the codes of what a legal move does on the board, the most important first."""
    return [deed.code for deed in _deeds(position, _tactics(position), move)]


def _tactics(position: Position) -> Tactics | None:
    return position.game.tactics(position.state)


def _ending(position: Position) -> str:
    """Return how the game has ended: what the last player did, and who has won."""
    game, line, winner, mover = position.game, position.winning_line, position.winner, position.opponent
    if line is not None:
        completed = "a line on the last board" if game.boards > 1 else line_name(game, line)
        return sentence(f"{mover} has completed {completed} and {'won' if winner == mover else 'lost'}")
    if winner is None and game.line(position.state) is not None:
        return "Both players have completed a line: a draw."
    ended = game.end(position.state, position.turn)
    return sentence(f"{ended}: {'a draw' if winner is None else f'{winner} has won'}")


def _common_end(position: Position) -> str:
    """Return the common effect of the moves if all of them lose at once."""
    lines = [position.game.move_result(position.state, move)[1] for move in position.legal_moves]
    return "completes a line" if all(lines) else "loses at once"


def _effects(position: Position, tactics: Tactics | None, move: int, value: Known) -> Iterator[MoveReason]:
    """Yield what the move does at once, or allows the opponent to do if the board alone does not show it."""
    yield from _deeds(position, tactics, move)
    if tactics is None and _loses_at_once(value):
        yield MoveReason("gives-win-now", f"lets {position.opponent} win at once")


def _deeds(position: Position, tactics: Tactics | None, move: int) -> Iterator[MoveReason]:
    """Yield what the move does on the board, the most important first."""
    game = position.game
    result, completed = game.move_result(position.state, move)
    if result == WON:
        yield MoveReason(
            "wins-now", f"completes {line_names(game, completed)}" if completed else "wins at once", completed
        )
        return
    if len(position.legal_moves) == 1:
        yield MoveReason("only-legal-move", f"the only {_unit(game)} left")
    if result == LOST:
        loses = f"completes {line_names(game, completed)}, which loses" if completed else "loses at once"
        yield MoveReason("loses-now", loses, completed)
    if tactics is not None:
        yield from _threats(position, tactics, move)
    if result == ONGOING:
        yield from (MoveReason(code, words) for code, words in game.deeds(position.state, position.turn, move))


def _threats(position: Position, tactics: Tactics, move: int) -> Iterator[MoveReason]:
    """Yield the threats that a move answers, makes, or keeps the opponent from making."""
    game, blocked = position.game, tactics.blocked(move)
    if blocked:
        yield MoveReason("blocks", f"blocks {line_names(game, blocked)}", blocked)
    made = tactics.fork(move)
    if made:
        yield _fork_made(game, made)
        return
    stopped = tactics.stopped_forks(move)
    if stopped:
        yield _forks_stopped(position, move, stopped)


def _fork_made(game: Game, threats: Threats) -> MoveReason:
    lines = tuple(chain.from_iterable(threats.values()))
    words = f"makes a fork, threatening {line_names(game, lines)}"
    if game.has_columns:
        count = NUMBERS[len(threats)] if len(threats) < len(NUMBERS) else len(threats)
        words = f"makes {count} threats at once, in {move_names(game, threats)}"
    return MoveReason("makes-fork", words, lines)


def _forks_stopped(position: Position, move: int, stopped: Mapping[int, Threats]) -> MoveReason:
    game = position.game
    words = f"stops {'a fork' if len(stopped) == 1 else 'forks'} at {move_names(game, stopped)}"
    if game.has_columns:
        where = "here" if [*stopped] == [move] else f"with {move_names(game, stopped, 'or')}"
        words = f"stops {position.opponent} from making two threats at once {where}"
    lines = chain.from_iterable(chain.from_iterable(threats.values()) for threats in stopped.values())
    return MoveReason("stops-fork", words, tuple(dict.fromkeys(lines)))


def _loses_at_once(value: Known) -> bool:
    return isinstance(value, ProvenResult) and (value.outcome, value.plies) == ("loss", AT_ONCE)


def _blocks(position: Position, move: int, values: Mapping[int, Known]) -> Iterator[MoveReason]:
    """Yield that the opponent would win at once after every other move."""
    others = [value for other, value in values.items() if other != move]
    if others and all(map(_loses_at_once, others)) and not _may_lose_within(values[move], AT_ONCE):
        yield MoveReason("blocks", f"stops {position.opponent} from winning at once")


def _may_lose_within(value: Known, plies: int) -> bool:
    return not isinstance(value, ProvenResult) or (
        value.outcome == "loss" and value.plies is not None and value.plies <= plies
    )


def _verdict(position: Position, known: Known, *, best: bool) -> MoveReason:
    """Return the outcome of the move."""
    least, most = ends(known)
    if least != most:
        waits = best and position.game.loops  # games with loops are never searched
        return MoveReason("unproven", TABLE_IS_MADE if waits else (UNPROVEN if best else UNCLEAR)[least, most])
    if least == "draw":
        if isinstance(known, ProvenResult) and known.repetition:
            return MoveReason("repeats", "holds the draw by repetition")
        return MoveReason("draws", "holds the draw")
    if least == "win":
        return MoveReason("wins", f"wins in {distance(position, known)} against any defence")
    loses = f"loses in {distance(position, known)} against best play"
    if not best or isinstance(known, Bounds):
        return MoveReason("loses", loses)
    return MoveReason(
        "loses-slowest", loses if len(position.legal_moves) == 1 else f"{loses}; no move holds out longer"
    )


def _comparison(position: Position, known: Known, move: int, value: Known) -> MoveReason:
    """Return the outcome of the move, compared with the best move."""
    (least, most), (move_least, move_most) = ends(known), ends(value)
    if least != most:
        if move_least == move_most == "draw" and most == "win":
            return MoveReason("draws", "leads to a draw; whether another move wins is not proven yet")
        best = isinstance(known, Bounds) and move == known.move
        return _with_column(position, move, value, _verdict(position, value, best=best))
    if RANK[move_most] < RANK[least]:
        code: Code = "gives-win-away" if least == "win" else "gives-draw-away"
        return MoveReason(code, f"gives the {least} away: {_refutation(position, move, value)}")
    (low, high), (value_low, value_high) = score_bounds(known), score_bounds(value)
    if move_least != move_most or value_high >= low:
        return _with_column(position, move, value, _verdict(position, value, best=value_low == high))
    instead = f"{distance(position, value)} instead of {plies_range(position, known)}"
    if move_least == "win":
        return MoveReason("slower-win", f"wins in {instead}")
    return _with_column(position, move, value, MoveReason("loses-faster", f"loses in {instead}"))


def _with_column(position: Position, move: int, value: Known, reason: MoveReason) -> MoveReason:
    """Return the reason; where moves are columns, with the column in which the opponent wins at once."""
    if not position.game.has_columns or not _loses_at_once(value):
        return reason
    return MoveReason(reason.code, f"{reason.words}: {_refutation(position, move, value)}")


def _refutation(position: Position, move: int, value: Known) -> str:
    """Return the opponent's answer to a move that gives something away."""
    game = position.game
    result, completed = game.move_result(position.state, move)
    if result != ONGOING:
        ends_game = "ends the game in a draw" if result == DRAWN else "ends the game"
        return f"it {f'completes {line_names(game, completed)}' if completed else ends_game}"
    if isinstance(value, Bounds):
        return f"at most a {ends(value)[1]} is left"
    after, line = position.play(move), value.pv[1:]
    effect = next(_deeds(after, _tactics(after), line[0]), None)
    what = ""
    if effect and effect.lines and effect.code in PARTICIPLES:
        what = f", {PARTICIPLES[effect.code]} {effect.words.partition(' ')[2]}"
    where = _reply(game, move, line[0])
    if effect and effect.code == "wins-now" and game.has_columns:
        return f"lets {after.player} win {where}{what}"
    replies = f"{after.player} answers {where}{what}"
    if value.outcome == "draw":
        return f"{replies}, and holds the draw"
    if len(line) == 1:
        return f"{replies}, and wins"
    return f"{replies}, and wins in {counted(len(line))}"


def _reply(game: Game, move: int, reply: int) -> str:
    """Return the opponent's answer as a phrase: ``with b3``, ``with X in b3``, ``on top of it in column 4``."""
    name, fields = game.names[reply], game.move_fields(reply)
    if "mark" in fields:
        return f"with {fields['mark']} in {cell_name(game, game.cell_of(reply))}"
    if not game.upright:
        return f"with {name}"
    if fields.get("pop"):
        return f"by {name}"
    is_on_top = game.has_columns and reply == move - game.columns
    return f"{'on top of it ' if is_on_top else ''}in {name}"


def _only_move(position: Position, known: Known, move: int, values: Mapping[int, Known]) -> Iterator[MoveReason]:
    """Yield that this is the only good move, if every other one has a worse outcome."""
    (least, most), (move_least, _) = ends(known), ends(values[move])
    if least != most or least == "loss" or RANK[move_least] < RANK[least]:
        return
    if all(RANK[ends(value)[1]] < RANK[least] for other, value in values.items() if other != move):
        yield MoveReason("only-move", f"the only {_unit(position.game)} that {'wins' if least == 'win' else 'draws'}")


def _unit(game: Game) -> str:
    return "column" if game.has_columns else "move"
