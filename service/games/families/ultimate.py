"""Ultimate tic-tac-toe: nine small boards; the cell of a move is the board on which the opponent plays next."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Unpack

from service.games.boards.geometry import Geometry
from service.games.boards.grid import Line, permute
from service.games.boards.marks import (
    completed,
    first_line,
    no_last_move,
    out_of_turn,
    read_masks,
    shared,
    write_marks,
)
from service.games.boards.small_boards import SmallBoards
from service.games.game import Deed, Game, LastMove, UnreadableError, Violation
from service.games.notation.moves import MoveName
from service.games.parameters import Parameter
from service.games.rules.ultimate import ALL_MARKS, FORCED, OWNED, Ultimate
from service.games.states import Named, StateGame
from service.kernel.states.family import State

BOARDS = SIZE = 9
FULL = (1 << SIZE) - 1

THREE = Geometry(3, 3, 3)
"""A small board; the nine boards have the same lines."""

LINES = tuple(tuple(completed(THREE.lines, mask)) for mask in range(1 << SIZE))
"""The complete lines of each mask of cells, or of boards."""

SYMMETRIES = tuple(symmetry for symmetry in THREE.symmetries if symmetry != tuple(range(SIZE)))
"""The rotations and reflections of the nine boards, and of the cells of each in the same way."""

MOVED = tuple(tuple(permute(mask, symmetry) for mask in range(1 << SIZE)) for symmetry in SYMMETRIES)
"""The image of each mask of cells, or of boards, under each symmetry."""

REST = re.compile(r"\s*(?:([0-8])|\*)\s*(?:;\s*([XO.]{9})\s*)?", re.IGNORECASE)
"""What follows the cells: the board to play in, and the owners of boards where both players have a line."""


@cache
def _small_boards() -> SmallBoards:
    return SmallBoards(THREE.compiled())


class UltimateGame(StateGame):
    """Ultimate tic-tac-toe; ``finished`` is what becomes of a board that is won.

    ``full_board`` says who wins without three boards in a row.
    """

    family = "ultimate"
    title = "Ultimate tic-tac-toe"
    about = "Nine boards; each move tells on which of them the opponent plays next."
    PARAMETERS = (
        Parameter(
            name="finished",
            values=("closed", "open"),
            default="closed",
            about="What becomes of a board that is won.",
            details="Nobody plays on it (`closed`), or it can be played on until it is full, and keeps its first owner "
            "(`open`).",
            choices="FinishedBoard",
        ),
        Parameter(
            name="full_board",
            values=("draw", "most-boards"),
            default="draw",
            about="Who wins if no board can be played on and nobody has three boards in a row.",
            details="Nobody (`draw`), or the player with more boards (`most-boards`).",
            choices="FullBoard",
        ),
        Parameter(name="misere", values=bool, default=False, about="Whether the player who would win loses."),
    )
    move_form = "the board and the cell, both from 0, such as `4.0`, or the name of the cell, such as `5:a1`"
    board_form = (
        "`X`, `O` or `.` for each cell, with a slash between boards, then `;` and the board to play in, from 0, or `*` "
        "for any: `X......../........./.../;0`"
    )
    has_rest = True
    draws_vary = True
    has_estimates = True
    estimate_scale = 280_000.0
    relative = True
    largest = BOARDS * SIZE
    symmetries = SYMMETRIES

    def __init__(
        self, *, finished: str = "closed", full_board: str = "draw", misere: bool = False, **named: Unpack[Named]
    ) -> None:
        closed, counts = finished == "closed", full_board == "most-boards"
        end = "loses" if misere else "wins"
        still = "" if closed else ", and a board that is won can still be played on"
        more = f"; if nobody has that in the end, the player with more boards {end}" if counts else ""
        super().__init__(
            rules=f"Three in a row win a small board; the player with three boards in a row {end}{more}. The cell "
            f"of a move is the board on which the opponent plays next; if that is finished, any other{still}.",
            rows=BOARDS * 3,
            columns=3,
            parameters={"finished": finished, "full_board": full_board, "misere": misere},
            play=Ultimate(_small_boards(), closed, counts, misere),
            states=_small_boards().count ** BOARDS,
            **named,
        )
        self._closed = closed
        self._counts = counts

    @property
    def boards(self) -> int:
        """Number of boards."""
        return BOARDS

    @property
    def last_move(self) -> LastMove:
        """What the last move does: where boards are counted, it may give the opponent the game."""
        return None if self._counts else super().last_move

    def images(self, state: State) -> Iterator[State]:
        """Yield the state with its boards, and the cells of each, at their places under each symmetry."""
        parts = [[word >> start & FULL for start in range(0, FORCED, SIZE)] for word in state]
        forced = state[1] >> FORCED
        for symmetry, moved in zip(SYMMETRIES, MOVED, strict=True):
            places = [*(SIZE * place for place in symmetry), OWNED]
            first, second = (
                sum(moved[part] << place for part, place in zip(masks, places, strict=True)) for masks in parts
            )
            yield first, second | (symmetry[forced - 1] + 1 if forced else 0) << FORCED

    def contents(self, state: State, turn: int) -> str:
        """Return the marks of all boards."""
        return write_marks(state[turn], state[1 - turn], self.cells)

    def text(self, state: State, turn: int) -> str:
        """Return the boards, the board to play in, and the owners of boards where both players have a line."""
        marks, forced = self.contents(state, turn), state[1] >> FORCED
        rest = str(forced - 1) if forced else "*"
        if any(len(self._lined(state, board)) > 1 for board in range(BOARDS)):
            rest += f";{self.owners(state, turn)}"
        return f"{'/'.join(marks[start : start + SIZE] for start in range(0, self.cells, SIZE))};{rest}"

    def read(self, text: str, turn: int | None) -> tuple[State, int]:
        """Read the boards; the number of marks shows whose turn it is. Raises UnreadableError."""
        cells, is_stated, rest = text.partition(";")
        x, o = read_masks(cells, self.cells)
        counts = x.bit_count(), o.bit_count()
        found = int(counts[0] > counts[1])
        faults = [*out_of_turn(*counts, turn)]
        stated = REST.fullmatch(rest)
        if is_stated and stated is None:
            detail = "After ; the board to play in is a number from 0 to 8, or * for any."
            raise UnreadableError([*faults, Violation("unreadable-position", detail)])
        owners = ((stated and stated[2]) or "." * BOARDS).upper()
        state = (o, x) if found else (x, o)
        state, others = self._with_owners(state, found, owners)
        faults += others
        if not faults:
            forced, faults = self._forced(state, found, stated)
            state = state[0], state[1] | forced << FORCED
        if faults:
            raise UnreadableError([*faults, *self._faults_of_lines(state, found)])
        return self.checked(state, found)

    def _with_owners(self, state: State, turn: int, owners: str) -> tuple[State, list[Violation]]:
        """Return the state with the boards that the players own; the ``owners`` decide where both have a line."""
        owned, faults = [0, 0], list[Violation]()
        for board in range(BOARDS):
            lined = self._lined(state, board)
            named = [player for player in lined if owners[board] == self.players[turn ^ player]]
            if len(lined) > 1 and not named and not self._closed:
                detail = (
                    f"Both players have a line on board {board}: write the owners of all boards after another ;, such "
                    "as ;*;X..O.....O with a dot for a board that nobody owns."
                )
                faults.append(Violation("ambiguous", detail))
            for player in (named or lined)[:1]:
                owned[player] |= 1 << OWNED + board
        return (state[0] | owned[0], state[1] | owned[1]), faults

    def _forced(self, state: State, turn: int, stated: re.Match[str] | None) -> tuple[int, list[Violation]]:
        """Return the board to play in, counted from 1, or 0 for any, and the faults.

        It follows from the marks if it is not ``stated``.
        """
        if stated is not None:
            return 0 if stated[1] is None else int(stated[1]) + 1, []
        possible = sorted(self._possible(state))
        if len(possible) <= 1:
            return next(iter(possible), 0), []
        boards = " or ".join(f";{forced - 1}" if forced else ";*" for forced in possible)
        detail = f"The marks do not tell on which board {self.players[turn]} plays: write {boards} after the cells."
        return possible[0], [Violation("ambiguous", detail)]

    def _lined(self, state: State, board: int) -> list[int]:
        """Return the players with a line on a small board: 0 for the player to move, 1 for the other."""
        return [player for player in (0, 1) if LINES[state[player] >> board * SIZE & FULL]]

    def _possible(self, state: State) -> set[int]:
        """Return the boards to play in, counted from 1, or 0 for any, to which a last move can have led."""
        if not (state[0] | state[1]) & ALL_MARKS:
            return {0}
        return {self._sent_to(state, move % SIZE) for move in range(self.cells) if self._may_be_last(state, move)}

    def _sent_to(self, state: State, board: int) -> int:
        return 0 if self._is_finished(state, board) else board + 1

    def _is_finished(self, state: State, board: int) -> bool:
        owned = (state[0] | state[1]) >> OWNED + board & 1
        return bool(owned and self._closed) or (state[0] | state[1]) >> board * SIZE & FULL == FULL

    def _may_be_last(self, state: State, move: int) -> bool:
        """Return whether the player who moved last can have made this move: the game and the board went on before."""
        board, cell = divmod(move, SIZE)
        if not state[1] >> move & 1:
            return False
        lines = LINES[state[1] >> board * SIZE & FULL]
        wins = bool(state[1] >> OWNED + board & 1 and lines and shared(lines) >> cell & 1)
        if self._closed and not wins and (state[0] | state[1]) >> OWNED + board & 1:
            return False
        before = state[1] >> OWNED & FULL & ~(wins << board)
        return not LINES[before]

    def violations(self, state: State, turn: int) -> Iterator[Violation]:
        """Yield a violation for each contradiction of lines, of lines of boards, and of the board to play in."""
        faults = [*self._faults_of_lines(state, turn)]
        yield from faults or self._faults_of_last_move(state, turn)

    def _faults_of_lines(self, state: State, turn: int) -> Iterator[Violation]:
        """Yield a violation for each board played on after it was won, and for a game played on after its end."""
        owner, other = self.players[turn], self.players[1 - turn]
        if self._closed:
            yield from self._faults_of_boards(state)
        lines = [bool(LINES[word >> OWNED & FULL]) for word in state]
        if all(lines):
            yield Violation("two-winners", "X and O both have three boards in a row; the first has ended the game.")
        elif lines[0]:
            detail = f"{owner} has three boards in a row, which ended the game, but {other} has moved since."
            yield Violation("played-after-the-end", detail)

    def _faults_of_last_move(self, state: State, turn: int) -> Iterator[Violation]:
        """Yield a violation if no last move leads to the boards, or none sends the player to the board to play in."""
        owner, other = self.players[turn], self.players[1 - turn]
        possible, forced = self._possible(state), state[1] >> FORCED
        if not possible:
            yield Violation("no-last-move", f"No last move of {other} leads to these boards.")
        elif forced not in possible:
            boards = ", ".join(str(board - 1) if board else "any" for board in sorted(possible))
            where = f"on board {forced - 1}" if forced else "anywhere"
            detail = f"After the last move of {other}, {owner} cannot have to play {where}; possible: {boards}."
            yield Violation("unreachable-position", detail)

    def _faults_of_boards(self, state: State) -> Iterator[Violation]:
        """Yield a violation for each board that was played on after it was won."""
        for board in range(BOARDS):
            lined = self._lined(state, board)
            if len(lined) > 1:
                detail = f"Both players have a line on board {board}; the first of them has closed it."
                yield Violation("two-winners", detail)
            elif lined and not shared(LINES[state[lined[0]] >> board * SIZE & FULL]):
                yield no_last_move(f"Board {board}")

    def passed(self, state: State) -> State:
        """Return the same board with the other player to move, anywhere."""
        return state[1] & (1 << FORCED) - 1, state[0]

    def move_faults(self, state: State, turn: int, move: int) -> Iterator[Violation]:
        """Yield a violation if the cell is marked, if its board is finished, and if another board must be played in."""
        yield from Game.move_faults(self, state, turn, move)
        board, forced = move // SIZE, state[1] >> FORCED
        if self._is_finished(state, board):
            yield Violation("illegal-move", f"board {board} is finished")
        if forced and forced != board + 1:
            yield Violation("illegal-move", f"{self.players[turn]} has to play on board {forced - 1}")

    def move_name(self, move: int) -> MoveName:
        """Return the board and the cell."""
        return f"{move // SIZE}.{move % SIZE}"

    def move_fields(self, move: int) -> Mapping[str, MoveName | bool | None]:
        """Return the board."""
        return {"board_number": move // SIZE}

    def end(self, state: State, turn: int) -> str:
        """Return which boards stand in a row, or that all boards are finished."""
        for player, word in ((1 - turn, state[1]), (turn, state[0])):
            line = first_line(THREE.lines, word >> OWNED & FULL)
            if line is not None:
                first, second, third = (board + 1 for board in line)
                return f"{self.players[player]} has boards {first}, {second} and {third} in a row"
        if self._counts:
            mine, theirs = ((word >> OWNED & FULL).bit_count() for word in state)
            return (
                f"all boards are finished, {mine} won by {self.players[turn]} and {theirs} by {self.players[1 - turn]}"
            )
        return "all boards are finished, and neither player has three in a row"

    def deeds(self, state: State, turn: int, move: int) -> Iterator[tuple[Deed, str]]:
        """Yield the effects on boards: one is won, it lines up with others, the opponent may play anywhere."""
        after, board = self.after(state, move), move // SIZE
        mine, theirs = (word >> OWNED & FULL for word in (after[1], after[0]))
        if after[1] >> OWNED + board & 1 and not state[0] >> OWNED + board & 1:
            yield "wins-board", f"wins board {board + 1}"
            for line in THREE.lines:
                third = [other for other in line if not mine >> other & 1]
                if board in line and len(third) == 1 and not self._is_lost(after, third[0], theirs):
                    first, second = (other + 1 for other in line if other not in third)
                    yield "lines-up-boards", f"has two boards in line, {first} and {second}"
        if not after[1] >> FORCED:
            yield "frees-opponent", f"sends {self.players[1 - turn]} to a finished board: free choice"

    def _is_lost(self, state: State, board: int, theirs: int) -> bool:
        """Return whether a board can no longer be won by a player who does not own it."""
        return bool(theirs >> board & 1) or self._is_finished(state, board)

    def owners(self, state: State, turn: int) -> str:
        """Return the owner of each board."""
        return write_marks(state[turn] >> OWNED & FULL, state[1 - turn] >> OWNED & FULL, BOARDS)

    def lit(self, state: State) -> Sequence[int]:
        """Return the boards on which the player to move can play."""
        return sorted({move // SIZE for move in self.legal_moves(state)})

    def dead_lines(self, state: State) -> Sequence[Line]:
        """Return the first line of the owner of each board that is won."""
        found = list[Line]()
        for board in range(BOARDS):
            for word in state:
                if word >> OWNED + board & 1:
                    line = first_line(THREE.lines, word >> board * SIZE & FULL)
                    found += [] if line is None else [tuple(board * SIZE + cell for cell in line)]
        return found
