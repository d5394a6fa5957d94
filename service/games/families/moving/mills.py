"""Six men's morris and its relatives: place pieces, then move them; three in a row, a mill, take one of the opponent's.

The board is two squares, joined in the middle of their sides. Pieces never jump.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import pairwise, product
from math import comb
from typing import Unpack

from service.games.boards.cells import Cells
from service.games.boards.grid import Line, Symmetry, permute
from service.games.boards.marks import completed, no_move_before, read_masks, write_marks
from service.games.game import Game, UnreadableError, Violation, counted
from service.games.notation.moves import MoveName, joined
from service.games.parameters import Parameter
from service.games.rules.mills import Mills
from service.games.states import Named, StateGame
from service.games.surface import Surface
from service.kernel.states.family import START, State

PLACES = (
    *((0, 0), (0, 2), (0, 4), (1, 1), (1, 2), (1, 3), (2, 0), (2, 1)),
    *((2, 3), (2, 4), (3, 1), (3, 2), (3, 3), (4, 0), (4, 2), (4, 4)),
)
"""The row and the column of each point, in quarters of the side of the outer square."""

MILLS: tuple[Line, ...] = (
    *((0, 1, 2), (13, 14, 15), (0, 6, 13), (2, 9, 15)),
    *((3, 4, 5), (10, 11, 12), (3, 7, 10), (5, 8, 12)),
)
"""The sides of both squares."""

JOINTS: tuple[Line, ...] = ((1, 4), (6, 7), (8, 9), (11, 14))
"""The lines between the squares, which are too short for a mill."""

POINTS = len(PLACES)
FEWEST = 3
"""A player with fewer pieces, on the board and in hand, has lost."""

PLACED = 16
ON_BOARD = (1 << PLACED) - 1

EDGES = tuple(edge for line in MILLS + JOINTS for edge in pairwise(line))

WAYS = tuple(sorted((*EDGES, *((end, start) for start, end in EDGES))))
"""The points that a piece leaves and reaches, for each move along a line."""

ACTIONS = POINTS + len(WAYS)


def _symmetries() -> list[Symmetry]:
    """Return the sixteen symmetries as permutations of the points: of the square, and with its inside turned out."""
    found = []
    for turned, upside_down, mirrored, swapped in product((False, True), repeat=4):
        moved = []
        for row, column in PLACES:
            down, right = (column - 2, row - 2) if turned else (row - 2, column - 2)
            down, right = -down if upside_down else down, -right if mirrored else right
            distance = max(abs(down), abs(right))
            scale = (3 - distance if swapped else distance) / distance
            moved.append((int(2 + down * scale), int(2 + right * scale)))
        found.append(tuple(PLACES.index(place) for place in moved))
    return found


SYMMETRIES = _symmetries()
"""Those of the square, and each with the inside turned out; the identity is the first."""

IN_HAND = re.compile(r"\s*([0-6])\s*/\s*([0-6])\s*")
"""What follows the points: the pieces that X and O still have in hand."""

MOVE = re.compile(r"([0-9]{1,2}) ?[->] ?([0-9]{1,2})")
"""The beginning of the text of a move of a piece."""


class MillsGame(StateGame):
    """Six men's morris, or another game on its board: each player places ``marks`` pieces."""

    family = "mills"
    title = "Six men's morris and its relatives"
    about = "Pieces are placed, then moved; three in a row take a piece of the opponent."
    move_form = (
        "the point of a piece that is placed, or both points of a move, such as `0>1` or `0-1`; then `x` and the point "
        "from which a piece is taken: `4x9`, `0>1x9`"
    )
    board_form = (
        "`X`, `O` or `.` for each point, then `;` and the pieces that X and O still have in hand: "
        "`XO..............;5/5`"
    )
    PARAMETERS = (Parameter(name="marks", values=range(3, 7), default=6, about="The number of pieces of each player."),)
    compared = tuple({"marks": marks} for marks in range(3, 7))
    largest = POINTS
    relative = True
    loops = True
    needs_turn = True
    has_rest = True
    numbered = True
    symmetries = SYMMETRIES[1:]

    def __init__(self, *, marks: int = 6, **named: Unpack[Named]) -> None:
        super().__init__(
            rules=f"Players place {marks} pieces each on the points of two joined squares; then they move one of them "
            "to the next empty point on a line. Who closes a row of three on a side takes a piece of the opponent that "
            "stands in no such row, or any if all do. A player with two pieces left, or who cannot move, loses.",
            rows=1,
            columns=POINTS,
            parameters={"marks": marks},
            play=Mills(Cells(POINTS, MILLS, SYMMETRIES), WAYS, marks=marks),
            states=_states(marks),
            **named,
        )
        self._marks = marks

    @cached_property
    def surface(self) -> Surface:
        """The description of the board for drawing: points on lines."""
        return replace(super().surface, points=PLACES, point_lines=MILLS + JOINTS)

    def images(self, state: State) -> Iterator[State]:
        """Yield the state with its pieces at their places under each symmetry."""
        for symmetry in self.symmetries:
            first, second = (word & ~ON_BOARD | permute(word & ON_BOARD, symmetry) for word in state)
            yield first, second

    def contents(self, state: State, turn: int) -> str:
        """Return the pieces on the board."""
        return write_marks(state[turn] & ON_BOARD, state[1 - turn] & ON_BOARD, self.cells)

    def text(self, state: State, turn: int) -> str:
        """Return the pieces on the board, and how many each player has in hand."""
        x, o = (self._marks - (state[player] >> PLACED) for player in (turn, 1 - turn))
        return f"{self.contents(state, turn)};{x}/{o}"

    def read(self, text: str, turn: int | None) -> tuple[State, int]:
        """Read the pieces. Those in hand show whose turn it is.

        Once there are none, X is to move if no player is named; O if no play leads to that. Raises UnreadableError.
        """
        points, is_stated, rest = text.partition(";")
        masks = read_masks(points, self.cells)
        hands = self._in_hand(masks, rest if is_stated else None)
        faults = [*self._faults_of_numbers(masks, hands)]
        if faults:
            raise UnreadableError(faults)
        words = [mask | self._marks - hand << PLACED for mask, hand in zip(masks, hands, strict=True)]
        if any(hands):
            found = int(hands[0] < hands[1])
            if turn is not None and turn != found:
                detail = f"With {hands[0]} and {hands[1]} pieces in hand {'XO'[found]} is to move, not {'XO'[turn]}."
                faults.append(Violation("player-not-to-move", detail, about_player=True))
        else:
            turns = (0, 1) if turn is None else (turn,)
            found = next((each for each in turns if not [*self.violations(_of(words, each), each)]), turns[0])
        return self.checked(_of(words, found), found, faults)

    def _in_hand(self, masks: Sequence[int], rest: str | None) -> tuple[int, int]:
        """Return the pieces in hand. They are stated, unless all or none of both players' pieces are on the board."""
        if rest is not None:
            stated = IN_HAND.fullmatch(rest)
            if stated is None:
                detail = "After ; stand the pieces that X and O have in hand, such as ;5/5, from 6 down to 0."
                raise UnreadableError([Violation("unreadable-position", detail)])
            return int(stated[1]), int(stated[2])
        counts = [mask.bit_count() for mask in masks]
        if counts == [0, 0]:
            return self._marks, self._marks
        if min(counts) < self._marks:
            x, o = (max(self._marks - count, 0) for count in counts)
            untaken = f";{x}/{o} if none was taken, " if x in (o, o - 1) else ""
            detail = (
                "The points do not tell which pieces were taken: write the pieces that X and O still have in hand "
                f"after them, {untaken};0/0 if all have been placed."
            )
            raise UnreadableError([Violation("ambiguous", detail)])
        return 0, 0

    def _faults_of_numbers(self, masks: Sequence[int], hands: Sequence[int]) -> Iterator[Violation]:
        """Yield why the players cannot have these numbers of pieces on the board and in hand."""
        for player, mask, hand in zip(self.players, masks, hands, strict=True):
            if mask.bit_count() + hand > self._marks:
                detail = (
                    f"{player} has {counted(mask.bit_count(), 'piece')} on the board and {hand} in hand; each player "
                    f"has {self._marks}."
                )
                yield Violation("mark-count", detail)
        x, o = hands
        if x not in (o, o - 1):
            detail = f"X has {x} pieces in hand and O has {o}; X begins and players take turns, so X has as many as O "
            yield Violation("mark-count", f"{detail}or one less.")

    def violations(self, state: State, turn: int) -> Iterator[Violation]:
        """Yield a violation if no move of an unfinished game leads to the state."""
        if state == START:
            return
        for player, taker in ((0, 1), (1, 0)):
            taken = (state[player] >> PLACED) - (state[player] & ON_BOARD).bit_count()
            placed = state[taker] >> PLACED
            if placed < self._marks and taken > max(0, placed - 2):
                owner, other = self.players[turn ^ player], self.players[turn ^ taker]
                detail = f"{other} has placed {counted(placed, 'piece')} and cannot have taken {taken} of {owner}."
                yield Violation("unreachable-position", detail)
        if not any(self._goes_on(before) for before in self._before(state, turn)):
            yield no_move_before(self.players[1 - turn])

    def _goes_on(self, state: State) -> bool:
        """Return whether the game goes on, and the player who is not to move had not lost before."""
        return self._left(state[1]) >= FEWEST and not self.result(state)

    def _left(self, word: int) -> int:
        """Return the pieces that a player has left, on the board and in hand."""
        return (word & ON_BOARD).bit_count() + self._marks - (word >> PLACED)

    def _before(self, state: State, turn: int) -> Iterator[State]:
        """Yield the states from which a move of the last mover leads here, finished ones included."""
        theirs, mine = (word & ON_BOARD for word in state)
        their_count, my_count = (word >> PLACED for word in state)
        empty = [point for point in range(POINTS) if not (theirs | mine) >> point & 1]
        for end in range(POINTS):
            if not mine >> end & 1:
                continue
            starts = [start for start, reached in WAYS if reached == end and start in empty]
            for taken in self._taken(state, end):
                others, left = state[0] | taken, mine ^ 1 << end
                if my_count == their_count + turn:  # the piece was placed
                    yield left | my_count - 1 << PLACED, others
                if my_count == their_count == self._marks:
                    for start in starts:
                        if not taken >> start & 1:
                            yield left | 1 << start | my_count << PLACED, others

    def _taken(self, state: State, end: int) -> Iterator[int]:
        """Yield the masks of the piece, or of none, that a last move to this point can have taken."""
        theirs, mine = (word & ON_BOARD for word in state)
        if not completed(_mills_with(end), mine):
            yield 0
        elif theirs.bit_count() < state[0] >> PLACED:
            for point in range(POINTS):
                if not (theirs | mine) >> point & 1 and _takeable(theirs | 1 << point) >> point & 1:
                    yield 1 << point

    def move_faults(self, state: State, turn: int, move: int) -> Iterator[Violation]:
        """Yield every reason why a piece cannot be placed or moved there, or why the one that is taken cannot be."""
        taken, action = divmod(move, ACTIONS)
        start, _ = _way(action)
        player, other = self.players[turn], self.players[1 - turn]
        contents = self.contents(state, turn)
        faults = [*Game.move_faults(self, state, turn, move)]
        placing = state[0] >> PLACED < self._marks
        if placing != (start is None):
            detail = f"{player} has pieces to place" if placing else f"{player} has placed all pieces"
            faults.append(Violation("illegal-move", f"{detail} and {'places' if placing else 'moves'} one"))
        if start is not None and contents[start] != player:
            faults.append(Violation("illegal-move", f"{player} has no piece on point {start}"))
        if taken and contents[taken - 1] != other:
            faults.append(Violation("illegal-move", f"{other} has no piece on point {taken - 1}"))
        yield from faults or self._faults_of_taking(state, turn, move)

    def _faults_of_taking(self, state: State, turn: int, move: int) -> Iterator[Violation]:
        """Yield why a move that could be made takes a piece, or none, or another one than it may."""
        taken, action = divmod(move, ACTIONS)
        start, end = _way(action)
        player, other = self.players[turn], self.players[1 - turn]
        mine = state[0] & ON_BOARD & ~(0 if start is None else 1 << start) | 1 << end
        closes = bool(completed(_mills_with(end), mine))
        takeable = _takeable(state[1] & ON_BOARD) if closes else 0
        points = [point for point in range(POINTS) if takeable >> point & 1]
        if taken and not closes:
            yield Violation("illegal-move", f"{player} closes no mill and so takes no piece")
        elif points and taken - 1 not in points:
            them = joined([*map(str, points)], "or")
            why = f"the piece on point {taken - 1} stands in a mill, and" if taken else f"{player} closes a mill;"
            name = f"{self.move_name(action)}x{points[0]}"
            yield Violation("illegal-move", f"{why} {other} has pieces to take on {them}: write {name}")

    def no_such_move(self, written: MoveName, shown: str, first: int = 0) -> tuple[str, str]:
        """Return the code and the beginning of the sentence for a text that means no move."""
        match = MOVE.match(str(written).strip())
        start, end = map(int, match.groups()) if match else (POINTS, POINTS)
        if max(start, end) < POINTS and (start, end) not in WAYS:
            return "no-such-move", f"There is no move {shown}: no line leads from point {start} to point {end}"
        return super().no_such_move(written, shown, first)

    def move_name(self, move: int) -> MoveName:
        """Return the point of a placed piece, or both points of a moved one; then ``x`` and that of a taken one."""
        taken, action = divmod(move, ACTIONS)
        start, end = _way(action)
        name = str(end) if start is None else f"{start}>{end}"
        return f"{name}x{taken - 1}" if taken else name

    def cell_of(self, move: int) -> int:
        """Return the point that is reached."""
        return _way(move % ACTIONS)[1]

    def move_fields(self, move: int) -> Mapping[str, MoveName | bool | None]:
        """Return the point that a moved piece leaves, and the one from which a piece is taken."""
        taken, action = divmod(move, ACTIONS)
        return {"from": _way(action)[0], "takes": taken - 1 if taken else None}

    def end(self, state: State, turn: int) -> str:
        """Return why the player to move has lost."""
        left = self._left(state[0])
        return f"{self.players[turn]} has {left} pieces left" if left < FEWEST else super().end(state, turn)


def _way(action: int) -> tuple[int | None, int]:
    """Return the point that a piece leaves, None if it is placed, and the one that it reaches."""
    return (None, action) if action < POINTS else WAYS[action - POINTS]


def _of(words: Sequence[int], turn: int) -> State:
    """Return the state with these words of X and O."""
    return words[turn], words[1 - turn]


def _mills_with(point: int) -> list[Line]:
    return [mill for mill in MILLS if point in mill]


def _takeable(pieces: int) -> int:
    """Return those of a player's pieces that the other may take: those in no mill, or all if each is in one."""
    free = pieces
    for mill in completed(MILLS, pieces):
        free &= ~mill
    return free or pieces


def _states(marks: int) -> int:
    """Return the number of boards up to symmetry, for all numbers of pieces that may have been placed and taken."""
    found = 0
    for ply in range(2 * marks + 1):
        x, o = ply + 1 >> 1, ply >> 1
        fewest = [0, 0] if ply == 2 * marks else [min(x, max(0, x - o + 2)), min(o, max(0, o - x + 2))]
        found += sum(
            comb(POINTS, own) * comb(POINTS - own, others)
            for own in range(fewest[0], x + 1)
            for others in range(fewest[1], o + 1)
        )
    return found // 15  # fewer than 16: some images coincide
