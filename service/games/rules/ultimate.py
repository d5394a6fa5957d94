"""Ultimate tic-tac-toe. A state has the numbers of the nine small boards, the board to play in, and the turn.

Two boards are one number below 2^27, and two such pairs are the lower bits of each word. Above them each word has nine
bits of ``20 * board 8 + 2 * forced + turn``, where ``forced`` is the board to play in, counted from 1, or 0 for any.
A move is nine times the board and the cell.
"""

from array import array

import cython

from service.games.boards import small_boards
from service.games.boards.cells import Cells
from service.games.boards.small_boards import SmallBoards
from service.kernel import bits
from service.kernel.states import family
from service.kernel.states.children import Children
from service.kernel.states.family import Family, State

LINES = cython.declare(cython.const_int, 8)
BOARDS = cython.declare(cython.const_int, 9)
HALF = cython.declare(cython.const_int, 4)  # the boards of a word
CENTRE = cython.declare(cython.const_int, 4)
PLAYERS = cython.declare(cython.const_int, 2)
MOST_LINES = cython.declare(cython.const_int, 4)  # through one board
LAST = cython.declare(cython.const_int, 8)  # the board that is in no pair
ROLES = cython.declare(cython.const_int, 20)  # ways to be forced, twice

RADIX = cython.declare(cython.const_ulonglong, 11_000)  # more than there are small boards
RECIPROCAL = cython.declare(cython.const_ulonglong, 1_599_289_641)  # 2^44 / RADIX, rounded up: exact below 2^27
PAIR_BITS = cython.declare(cython.const_int, 27)
PAIR = cython.declare(cython.const_ulonglong, (1 << 27) - 1)
BELOW_BITS = cython.declare(cython.const_int, 54)
BELOW = cython.declare(cython.const_ulonglong, (1 << 54) - 1)
FIELD_BITS = cython.declare(cython.const_int, 6)  # for a small number of each board
FIELD = cython.declare(cython.const_int, 63)
EXTRA_BITS = cython.declare(cython.const_int, 9)
EXTRA = cython.declare(cython.const_ulonglong, (1 << 9) - 1)

GUIDE_PLIES = cython.declare(cython.const_int, 43)  # by arXiv 2006.02353, and by every search
FREE_CHOICE = cython.declare(cython.const_int, 85_000)  # by logistic regression on games of the engine against itself
MARGIN = cython.declare(cython.const_int, 20_000)  # what two more plies may change in an estimate, by such games

ALL_MARKS, ALL_CELLS = (1 << 81) - 1, (1 << 9) - 1
"""The marks in a word for Python, and those of one board."""

OWNED, FORCED = 81, 90
"""Where the boards that a player owns stand in a word for Python, and in the second the board to play in."""


class Ultimate(Family):
    """The rules with these small ``boards``. For Python a state has all marks, those of the player to move first.

    ``closed``: a board that is won takes no more marks. ``counts``: without a line, the player with more boards wins.
    ``misere``: the player who would win loses.
    """

    def __init__(self, boards: SmallBoards, closed: bool, counts: bool, misere: bool) -> None:
        cells: Cells = boards.cells
        guide_plies = 0 if closed or misere else GUIDE_PLIES
        super().__init__(BOARDS * BOARDS, cells.images, guide_plies=guide_plies, margin=MARGIN)
        self._boards = boards
        self._facts = boards.facts
        self._closed = closed
        self._counts = counts
        self._misere = misere
        lines = [[cell for cell in range(BOARDS) if cells.lines[line] >> cell & 1] for line in range(cells.count)]
        others = [
            [cell for line in lines if board in line for cell in line if cell != board] for board in range(BOARDS)
        ]
        nowhere = [BOARDS] * 2 * MOST_LINES  # no line: the bits above the last board are 0
        on_lines = [cell for board in others for cell in (board + nowhere)[: 2 * MOST_LINES]]
        self._others = array("B", [FIELD_BITS * cell for cell in on_lines])
        self._lines = array("B", [FIELD_BITS * cell for line in lines for cell in line])
        places = [[bits.cell(cells.image(1 << cell, image)) for cell in range(BOARDS)] for image in range(cells.images)]
        self._places = array("B", [place for image in places for place in image])
        codes = [boards.turned(code, image) for image in range(cells.images) for code in range(boards.count)]
        self._images = array("H", codes)
        self._marked = boards.all_marked(closed)

    def packed(self, state: State) -> State:
        """Return the words of a search: everything that the rest of the game depends on.

        X has as many marks as O, or one more.
        """
        to_move, other = state
        turn = int((to_move & ALL_MARKS).bit_count() < (other & ALL_MARKS).bit_count())
        x, o = (other, to_move) if turn else (to_move, other)
        codes = [self._number(x, o, board) for board in range(BOARDS)]
        extra = ROLES * codes[LAST] + 2 * (other >> FORCED) + turn
        first, second = (
            sum((codes[board] + RADIX * codes[board + 1]) << PAIR_BITS * (board >> 1 & 1) for board in pairs)
            for pairs in ((0, 2), (4, 6))
        )
        return first | extra >> EXTRA_BITS << BELOW_BITS, second | (extra & EXTRA) << BELOW_BITS

    def _number(self, x: int, o: int, board: int) -> int:
        """Return the number of a small board with these marks and owners."""
        owner = (x >> OWNED + board & 1) | (o >> OWNED + board & 1) << 1
        x, o = (ALL_CELLS if owner and self._closed else marks >> board * BOARDS & ALL_CELLS for marks in (x, o))
        found: int = self._boards.code(x, o, owner)
        return found

    def after(self, state: State, move: int) -> State:
        """Return the state after a move, with all marks."""
        to_move, other = state
        first, second = self.packed(state)
        turn = _extra(first, second) & 1
        played: bits.Pair = self.play(first, second, move)
        board = move // BOARDS
        status = self._facts[small_boards.STATUS + _code(played.first, played.second, board)]
        owned = (status >> BOARDS * turn & 1) << OWNED + board
        forced = (_extra(played.first, played.second) >> 1) % 10
        return other & (1 << FORCED) - 1, to_move | 1 << move | owned | forced << FORCED

    def remaining_of(self, state: State) -> int:
        """Return the number of cells without a mark, those of finished boards included."""
        return ALL_MARKS.bit_count() - ((state[0] | state[1]) & ALL_MARKS).bit_count()

    def play(self, first: cython.ulonglong, second: cython.ulonglong, move: cython.int) -> bits.Pair:
        """Mark a free cell of the board to play in, or of any board if the choice is free."""
        extra: cython.int = _extra(first, second)
        forced: cython.int = (extra >> 1) % 10
        board: cython.int = move // BOARDS
        if forced and forced != board + 1:
            return bits.Pair(first=family.ILLEGAL, second=family.ILLEGAL)
        cell: cython.int = move - board * BOARDS
        before: cython.int = _code(first, second, board)
        code: cython.int = self._marked[BOARDS * (PLAYERS * before + (extra & 1)) + cell]
        if code == small_boards.NONE:
            return bits.Pair(first=family.ILLEGAL, second=family.ILLEGAL)
        return self._with_board(first, second, move, before, code)

    def _with_board(
        self,
        first: cython.ulonglong,
        second: cython.ulonglong,
        move: cython.int,
        before: cython.int,
        code: cython.int,
    ) -> bits.Pair:
        """Return the state after a move that changes the number of its board from ``before`` to ``code``."""
        board: cython.int = move // BOARDS
        cell: cython.int = move - board * BOARDS
        extra: cython.int = _extra(first, second)
        last: cython.int = extra // ROLES
        if board == LAST:
            last = code
        else:
            weight: cython.ulonglong = RADIX if board & 1 else 1
            if board & 2:
                weight <<= PAIR_BITS
            if board < HALF:
                first += weight * code - weight * before
            else:
                second += weight * code - weight * before
        target: cython.int = last if cell == LAST else _code(first, second, cell)
        forced: cython.int = cell + 1 if self._facts[small_boards.OPEN + target] else 0
        return _with_extra(first, second, ROLES * last + 2 * forced + 1 - (extra & 1))

    def put_children(
        self, first: cython.ulonglong, second: cython.ulonglong, children: Children, slot: cython.int
    ) -> cython.int:
        """Write all legal moves, with the order keys of ``Family.put_children``.

        States after moves on one board differ in its chances alone, so the rest of their order keys is computed once.
        """
        board: cython.int
        cell: cython.int
        codes = cython.declare(cython.int[9])
        _decode(first, second, codes)
        extra: cython.int = _extra(first, second)
        turn: cython.int = extra & 1
        forced: cython.int = (extra >> 1) % 10
        my_fact: cython.int = small_boards.CHANCES + turn * small_boards.NUMBERS
        their_fact: cython.int = small_boards.CHANCES + (1 - turn) * small_boards.NUMBERS
        mine: cython.ulonglong = self._gathered(codes, my_fact, FIELD_BITS)
        theirs: cython.ulonglong = self._gathered(codes, their_fact, FIELD_BITS)
        finished: cython.ulonglong = self._gathered(codes, small_boards.STATUS, 1) >> 2 * BOARDS
        ahead: cython.int = self._value_of(mine) - self._value_of(theirs)
        for board in range(forced - 1 if forced else 0, forced or BOARDS):
            before: cython.int = codes[board]
            status: cython.int = self._facts[small_boards.STATUS + before]
            my_part: cython.int = self._others_on_lines(mine, board)
            their_part: cython.int = self._others_on_lines(theirs, board)
            rest: cython.int = ahead - my_part * self._facts[my_fact + before]
            rest += their_part * self._facts[their_fact + before]
            for cell in range(BOARDS):
                code: cython.int = self._marked[BOARDS * (PLAYERS * before + turn) + cell]
                if code == small_boards.NONE:
                    continue
                key: cython.int = rest + my_part * self._facts[my_fact + code]
                key -= their_part * self._facts[their_fact + code]
                if finished >> cell & 1:
                    key -= FREE_CHOICE
                if self._misere:
                    key = -key
                if status != self._facts[small_boards.STATUS + code]:
                    state: bits.Pair = self._with_board(first, second, BOARDS * board + cell, before, code)
                    key = self.child_order_key(state.first, state.second)
                children.moves[slot] = BOARDS * board + cell
                children.order_keys[slot] = key
                slot += 1
        return slot

    def result(self, first: cython.ulonglong, second: cython.ulonglong) -> cython.int:
        """Judge lines of boards, then whether all boards are finished."""
        codes = cython.declare(cython.int[9])
        _decode(first, second, codes)
        status: cython.ulonglong = self._gathered(codes, small_boards.STATUS, 1)
        turn: cython.int = _extra(first, second) & 1
        mover: cython.int = status >> BOARDS * turn & small_boards.FULL
        other: cython.int = status >> BOARDS * (1 - turn) & small_boards.FULL
        ahead: cython.int = 0
        if self._boards.has_line[other]:
            ahead = -1
        elif self._boards.has_line[mover]:
            ahead = 1
        elif cython.cast(cython.int, status >> 2 * BOARDS) != small_boards.FULL:
            return family.ONGOING
        elif self._counts:
            more: cython.int = bits.count(mover) - bits.count(other)
            ahead = (more > 0) - (more < 0)
        return family.DRAWN - ahead if self._misere else family.DRAWN + ahead

    def remaining(self, first: cython.ulonglong, second: cython.ulonglong) -> cython.int:
        """Return the number of cells that can be marked."""
        codes = cython.declare(cython.int[9])
        _decode(first, second, codes)
        return self._gathered(codes, small_boards.OPEN, 0)

    def score_limit(self, first: cython.ulonglong, second: cython.ulonglong, to_move: cython.bint) -> cython.int:
        """Count the plies until the player, or in misère games the other, can complete a line or have more boards."""
        turn: cython.int = _extra(first, second) & 1
        moves: cython.bint = to_move != self._misere
        player: cython.int = turn if moves else 1 - turn
        codes = cython.declare(cython.int[9])
        _decode(first, second, codes)
        left: cython.int = self._gathered(codes, small_boards.OPEN, 0)
        lacks: cython.ulonglong = self._gathered(codes, small_boards.LACKS + player * small_boards.NUMBERS, FIELD_BITS)
        plies: cython.int = self._line_plies(lacks, moves)
        most: cython.int = left + 1 - plies if plies <= left else 0
        if self._counts:
            board: cython.int
            status: cython.ulonglong = self._gathered(codes, small_boards.STATUS, 1)
            unfinished: cython.int = BOARDS - bits.count(status >> 2 * BOARDS)
            lead: cython.int = -bits.count(status >> BOARDS * (1 - player) & small_boards.FULL)
            for board in range(BOARDS):
                lead += cython.cast(cython.int, lacks >> FIELD_BITS * board & FIELD) != small_boards.NO_WAY
            if lead > 0:
                most = max(most, left + 1 - unfinished)
            elif lead < 0 and not most:
                return -1
        return most

    def order_key(self, first: cython.ulonglong, second: cython.ulonglong) -> cython.int:
        """Compare how likely the players are to have each line of boards, if the cells were filled at random."""
        codes = cython.declare(cython.int[9])
        _decode(first, second, codes)
        extra: cython.int = _extra(first, second)
        turn: cython.int = extra & 1
        my_fact: cython.int = small_boards.CHANCES + turn * small_boards.NUMBERS
        their_fact: cython.int = small_boards.CHANCES + (1 - turn) * small_boards.NUMBERS
        mine: cython.ulonglong = self._gathered(codes, my_fact, FIELD_BITS)
        theirs: cython.ulonglong = self._gathered(codes, their_fact, FIELD_BITS)
        ahead: cython.int = self._value_of(mine) - self._value_of(theirs)
        if not (extra >> 1) % 10:
            ahead += FREE_CHOICE
        return -ahead if self._misere else ahead

    def is_guided(self, first: cython.ulonglong, second: cython.ulonglong, move: cython.int) -> cython.bint:
        """Return whether the first player tries a move where boards stay open, after Bertholon and others.

        X sends O to the centre board until that is full, and so gets the centre of every other board but one. There X
        marks the cell with the number of the board. From then on X wins boards, or marks the two opposite cells that it
        has on most boards. By arXiv 2006.02353 this wins in at most 43 plies.
        """
        extra: cython.int = _extra(first, second)
        board: cython.int = move // BOARDS
        cell: cython.int = move - board * BOARDS
        if extra & 1:
            return True
        if self._facts[small_boards.OPEN + _code(first, second, CENTRE)]:
            return cell == CENTRE and ((extra >> 1) % 10 != 0 or board == CENTRE)
        before: cython.int = _code(first, second, board)
        after: cython.int = self._marked[BOARDS * PLAYERS * before + cell]
        if (self._facts[small_boards.STATUS + after] ^ self._facts[small_boards.STATUS + before]) & 1:
            return True
        codes = cython.declare(cython.int[9])
        _decode(first, second, codes)
        counts: cython.ulonglong = self._gathered(codes, small_boards.AXES, 0)
        most: cython.ulonglong = 0
        axis: cython.int
        for axis in range(CENTRE):
            most = max(most, counts >> 8 * axis & 255)
        if not most and self._marked[BOARDS * PLAYERS * before + CENTRE] != small_boards.NONE:
            return cell == board
        return cell != CENTRE and counts >> 8 * min(cell, LAST - cell) & 255 == most

    def image(self, first: cython.ulonglong, second: cython.ulonglong, symmetry: cython.int) -> bits.Pair:
        """Move the boards, and the cells of each in the same way."""
        board: cython.int
        place: cython.int
        found_first: cython.ulonglong = 0
        found_second: cython.ulonglong = 0
        extra: cython.int = _extra(first, second)
        forced: cython.int = (extra >> 1) % 10
        last: cython.ulonglong = 0
        for board in range(BOARDS):
            place = self._places[symmetry * BOARDS + board]
            code: cython.ulonglong = self._images[symmetry * self._boards.count + _code(first, second, board)]
            if place & 1:
                code *= RADIX
            if place & 2:
                code <<= PAIR_BITS
            if place == LAST:
                last = code
            elif place < HALF:
                found_first += code
            else:
                found_second += code
        if forced:
            forced = 1 + self._places[symmetry * BOARDS + forced - 1]
        return _with_extra(found_first, found_second, ROLES * last + 2 * forced + (extra & 1))

    def _gathered(self, codes: cython.p_int, fact: cython.int, width: cython.int) -> cython.ulonglong:
        """Return the sum of a fact of all boards, each shifted ``width`` bits more than the one before."""
        board: cython.int
        found: cython.ulonglong = 0
        for board in range(BOARDS):
            found += cython.cast(cython.ulonglong, self._facts[fact + codes[board]]) << width * board
        return found

    def _line_plies(self, lacks: cython.ulonglong, to_move: cython.bint) -> cython.int:
        """Return the fewest plies in which a player can have a line; ``NEVER`` if that is not possible."""
        line: cython.int
        fewest: cython.int = small_boards.NO_WAY
        for line in range(LINES):
            marks: cython.int = lacks >> self._lines[3 * line] & FIELD
            marks += lacks >> self._lines[3 * line + 1] & FIELD
            marks += lacks >> self._lines[3 * line + 2] & FIELD
            fewest = min(fewest, marks)
        return family.NEVER if fewest == small_boards.NO_WAY else 2 * fewest - to_move

    def _value_of(self, chances: cython.ulonglong) -> cython.int:
        """Return the chances of a player to win each line of boards, summed over the lines."""
        line: cython.int
        found: cython.int = 0
        for line in range(LINES):
            one: cython.int = chances >> self._lines[3 * line] & FIELD
            two: cython.int = chances >> self._lines[3 * line + 1] & FIELD
            three: cython.int = chances >> self._lines[3 * line + 2] & FIELD
            found += one * two * three
        return found

    def _others_on_lines(self, chances: cython.ulonglong, board: cython.int) -> cython.int:
        """Return the chances of a player to win the other two boards of each line through a board, summed."""
        i: cython.int
        found: cython.int = 0
        for i in range(2 * MOST_LINES * board, 2 * MOST_LINES * (board + 1), 2):
            one: cython.int = chances >> self._others[i] & FIELD
            two: cython.int = chances >> self._others[i + 1] & FIELD
            found += one * two
        return found


def _decode(first: cython.ulonglong, second: cython.ulonglong, codes: cython.p_int) -> None:
    """Write the numbers of all small boards."""
    board: cython.int
    for board in range(BOARDS):
        codes[board] = _code(first, second, board)


def _code(first: cython.ulonglong, second: cython.ulonglong, board: cython.int) -> cython.int:
    """Return the number of a small board."""
    if board == LAST:
        return _extra(first, second) // ROLES
    pair: cython.ulonglong = (first if board < HALF else second) >> (PAIR_BITS if board & 2 else 0) & PAIR
    high: cython.ulonglong = pair * RECIPROCAL >> 44
    return high if board & 1 else pair - high * RADIX


def _extra(first: cython.ulonglong, second: cython.ulonglong) -> cython.int:
    """Return the bits above the pairs: board 8, the board to play in, and the turn."""
    return first >> BELOW_BITS << EXTRA_BITS | second >> BELOW_BITS


def _with_extra(first: cython.ulonglong, second: cython.ulonglong, extra: cython.ulonglong) -> bits.Pair:
    """Return a state with other bits above the pairs."""
    above: cython.ulonglong = extra >> EXTRA_BITS << BELOW_BITS
    beside: cython.ulonglong = (extra & EXTRA) << BELOW_BITS
    return bits.Pair(first=first & BELOW | above, second=second & BELOW | beside)
