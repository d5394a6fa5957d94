"""The reasons for a move in a game of a family. Each is proven by the values of the moves, whatever the rules are."""

from collections.abc import Iterator, Mapping

from service.engine.result import WORTH, Bounds, Known, ProvenResult, ends, score_bounds
from service.explain.family_names import line_words, move_words, tells_more_than_its_cell
from service.explain.outcomes import counted, distance, plies_range
from service.explain.reason import UNCLEAR, UNPROVEN, Code, MoveReason, sentence
from service.games.grid import Line
from service.games.position import Position

AT_ONCE = 2
"""The plies of a loss in which the opponent's reply ends the game."""

TABLE_IS_MADE = "not proven yet: the table of this game is still being made"


def family_reason(position: Position, known: Known, move: int | None, *, best: bool) -> str:
    """Return one sentence for a ``move`` with this value, or for the end of the game if there is none."""
    if move is None:
        return _ending(position)
    effect = next(_effects(position, move, known), None)
    verdict = _verdict(position, known, best=best)
    if effect is not None and effect.code == "loses-now" and best and len(position.legal_moves) > 1:
        return sentence(f"every move left loses at once: {effect.words}")
    leads_to = [] if effect is not None and effect.code in ("wins-now", "loses-now") else [verdict.words]
    return sentence(": ".join([*_played(position, move, effect), *leads_to]))


def family_reasons(position: Position, known: Known, move: int, worths: Mapping[int, Known]) -> tuple[MoveReason, ...]:
    """Return all reasons for a legal move: what it does, then what that leads to.

    A move that wins now needs no more. ``known`` is the value of the position, ``worths`` that of each of its moves.
    """
    effects = tuple(_effects(position, move, worths[move]))
    if effects and effects[0].code == "wins-now":
        return effects
    compared = [*_blocks(position, move, worths), *_only_move(known, move, worths)]
    return (*effects, *compared, _comparison(position, known, move, worths[move]))


def family_judgement(position: Position, known: Known, move: int, worth: Known) -> str:
    """Return one sentence about a ``move`` that was played: what it does, or what it gave away."""
    verdict = _comparison(position, known, move, worth)
    effect = next(_effects(position, move, worth), None)
    if effect is None or verdict.code in ("gives-win-away", "gives-draw-away"):
        return verdict.sentence
    return effect.sentence if effect.code == "wins-now" else sentence(f"{effect.words}: {verdict.words}")


def _ending(position: Position) -> str:
    """Return how the game has ended: what the player did who moved last, and who has won."""
    line, winner, mover = position.winning_line, position.winner, position.opponent
    if winner is None:
        return f"{_without_winner(position)}: a draw."
    if line is None:
        ended = "the board is full without a line" if _is_full(position) else f"{position.player} cannot move"
        return sentence(f"{ended}: {winner} has won")
    completed = "a line on the last board" if position.game.boards > 1 else line_words(position.game, line)
    return sentence(f"{mover} has completed {completed} and {'won' if winner == mover else 'lost'}")


def _without_winner(position: Position) -> str:
    if position.game.line(position.words) is not None:
        return "Both players have completed a line"
    return "The board is full and nobody has won" if _is_full(position) else f"{position.player} cannot move"


def _is_full(position: Position) -> bool:
    return "." not in position.contents


def _played(position: Position, move: int, effect: MoveReason | None) -> list[str]:
    """Return what the move does, with the mark, the piece or the disc if it has one; empty if nothing is to be said."""
    if not tells_more_than_its_cell(position.game, move):
        return [] if effect is None else [effect.words]
    words = move_words(position.game, move)
    if effect is None:
        return [words]
    return [f"{words}, {effect.words}" if effect.code == "only-legal-move" else f"{words} and {effect.words}"]


def _effects(position: Position, move: int, worth: Known) -> Iterator[MoveReason]:
    """Yield what the move does at once or allows the opponent to do, the most important first."""
    after = position.play(move)
    if after.winner == position.player:
        yield _ends_game("wins-now", after, move, "completes {}", "wins at once")
        return
    if len(position.legal_moves) == 1:
        yield MoveReason("only-legal-move", "the only move left")
    if after.winner == position.opponent:
        yield _ends_game("loses-now", after, move, "completes {}, which loses", "loses at once")
    if _loses_at_once(worth):
        yield MoveReason("gives-win-now", f"lets {after.player} win at once")


def _ends_game(code: Code, after: Position, move: int, by_line: str, otherwise: str) -> MoveReason:
    line = _completed(after, move)
    if line is None:
        return MoveReason(code, otherwise)
    return MoveReason(code, by_line.format(line_words(after.game, line)), (line,))


def _completed(after: Position, move: int) -> Line | None:
    """Return the line that a move has completed to end the game: of several boards, one on its own board."""
    game = after.game
    own = (line for line in game.dead_lines(after.words) if game.cell_of(move) in line)
    return next(own, after.winning_line)


def _loses_at_once(worth: Known) -> bool:
    return isinstance(worth, ProvenResult) and (worth.outcome, worth.plies) == ("loss", AT_ONCE)


def _verdict(position: Position, worth: Known, *, best: bool) -> MoveReason:
    """Return what a move leads to."""
    least, most = ends(worth)
    if least != most:
        waits = best and position.game.loops  # games with loops are never searched
        return MoveReason("unproven", TABLE_IS_MADE if waits else (UNPROVEN if best else UNCLEAR)[least, most])
    if least == "draw":
        if isinstance(worth, ProvenResult) and worth.repetition:
            return MoveReason("repeats", "holds the draw by repetition")
        return MoveReason("draws", "holds the draw")
    if least == "win":
        return MoveReason("wins", f"wins in {distance(position, worth)} against any defence")
    loses = f"loses in {distance(position, worth)} against best play"
    if not best or isinstance(worth, Bounds):
        return MoveReason("loses", loses)
    return MoveReason(
        "loses-slowest", loses if len(position.legal_moves) == 1 else f"{loses}; no move holds out longer"
    )


def _comparison(position: Position, known: Known, move: int, worth: Known) -> MoveReason:
    """Return what the move leads to, compared with the best move."""
    (least, most), (worst, hope) = ends(known), ends(worth)
    if least != most:
        return _verdict(position, worth, best=isinstance(known, Bounds) and move == known.move)
    if WORTH[hope] < WORTH[least]:
        code: Code = "gives-win-away" if least == "win" else "gives-draw-away"
        return MoveReason(code, f"gives the {least} away: {_refutation(position, move, worth)}")
    (low, high), (worth_low, worth_high) = score_bounds(known), score_bounds(worth)
    if worst != hope or worth_high >= low:
        return _verdict(position, worth, best=worth_low == high)
    instead = f"{plies_range(position, worth)} instead of {distance(position, known)}"
    if worst == "win":
        return MoveReason("slower-win", f"wins in {instead}")
    return MoveReason("loses-faster", f"loses in {instead}")


def _refutation(position: Position, move: int, worth: Known) -> str:
    """Return how the opponent answers a move that gives something away, as far as that is known."""
    after = position.play(move)
    outcome = ends(worth)[1]
    if not after.legal_moves:
        line = _completed(after, move)
        ended = "ends the game in a draw" if outcome == "draw" else "ends the game"
        return f"it {ended if line is None else f'completes {line_words(after.game, line)}'}"
    if isinstance(worth, Bounds):
        return f"{after.player} can {'hold the draw' if outcome == 'draw' else 'win'}"
    reply = f"{after.player} {move_words(after.game, worth.pv[1])}"
    if outcome == "draw":
        return f"{reply}, and holds the draw"
    return f"{reply}, and wins" if _loses_at_once(worth) else f"{reply}, and wins in {counted(len(worth.pv) - 1)}"


def _blocks(position: Position, move: int, worths: Mapping[int, Known]) -> Iterator[MoveReason]:
    """Yield that the opponent would win at once after every other move."""
    others = [worth for other, worth in worths.items() if other != move]
    if others and all(map(_loses_at_once, others)) and not _loses_within(worths[move], AT_ONCE):
        yield MoveReason("blocks", f"stops {position.opponent} from winning at once")


def _loses_within(worth: Known, plies: int) -> bool:
    return not isinstance(worth, ProvenResult) or (
        worth.outcome == "loss" and worth.plies is not None and worth.plies <= plies
    )


def _only_move(known: Known, move: int, worths: Mapping[int, Known]) -> Iterator[MoveReason]:
    """Yield that this is the only good move, if every other leads to a worse outcome."""
    least, most = ends(known)
    if len(worths) == 1 or least != most or least == "loss" or ends(worths[move])[0] != least:
        return
    if all(WORTH[ends(worth)[1]] < WORTH[least] for other, worth in worths.items() if other != move):
        yield MoveReason("only-move", f"the only move that {'wins' if least == 'win' else 'draws'}")
