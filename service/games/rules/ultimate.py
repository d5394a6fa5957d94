"""Ultimate tic-tac-toe. A state has the numbers of the nine small boards, the board to play in, and the turn.

Two boards are one number below 2^27, and two such pairs are the lower bits of each word. Above them each word has nine
bits of ``20 * board 8 + 2 * forced + turn``, where ``forced`` is the board to play in, counted from 1, or 0 for any.
A move is nine times the board and the cell.
"""

from array import array

import cython

from service.games.boards import board_lines, small_boards
from service.games.boards.board_lines import BoardLines
from service.games.boards.cells import Cells
from service.games.boards.small_boards import SmallBoards
from service.kernel import bits
from service.kernel.states import family
from service.kernel.states.children import Children
from service.kernel.states.family import Family, State

BOARDS = cython.declare(cython.const_int, 9)
HALF = cython.declare(cython.const_int, 4)  # the boards of a word
CENTRE = cython.declare(cython.const_int, 4)
PLAYERS = cython.declare(cython.const_int, 2)
LAST = cython.declare(cython.const_int, 8)  # the board that is in no pair
ROLES = cython.declare(cython.const_int, 20)  # ways to be forced, twice

RADIX = cython.declare(cython.const_ulonglong, 11_000)  # more than there are small boards
RECIPROCAL = cython.declare(cython.const_ulonglong, 1_599_289_641)  # 2^44 / RADIX, rounded up: exact below 2^27
PAIR_BITS = cython.declare(cython.const_int, 27)
PAIR = cython.declare(cython.const_ulonglong, (1 << 27) - 1)
BELOW_BITS = cython.declare(cython.const_int, 54)
BELOW = cython.declare(cython.const_ulonglong, (1 << 54) - 1)
EXTRA_BITS = cython.declare(cython.const_int, 9)
EXTRA = cython.declare(cython.const_ulonglong, (1 << 9) - 1)

SYMMETRIC_FROM = cython.declare(cython.const_int, 44)  # later, symmetric positions hardly occur in one search
GUIDE_PLIES = cython.declare(cython.const_int, 43)  # by arXiv 2006.02353, and by every search
MARGIN = cython.declare(cython.const_int, 26_000)  # what two more plies may change in an estimate

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
        super().__init__(BOARDS * BOARDS, cells.images, SYMMETRIC_FROM, guide_plies=guide_plies, margin=MARGIN)
        self._boards = boards
        self._facts = boards.facts
        self._closed = closed
        self._counts = counts
        self._misere = misere
        self._lines = BoardLines(cells)
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

        A move changes the chances of one board, so the order key follows from the lines before. Only the state after a
        move that finishes a board is made.
        """
        board: cython.int
        cell: cython.int
        codes = cython.declare(cython.int[9])
        mine = cython.declare(cython.int[10])
        theirs = cython.declare(cython.int[10])
        my_through = cython.declare(cython.int[9])
        their_through = cython.declare(cython.int[9])
        _decode(first, second, codes)
        extra: cython.int = _extra(first, second)
        turn: cython.int = extra & 1
        forced: cython.int = (extra >> 1) % 10
        my_fact: cython.int = small_boards.CHANCES + turn * small_boards.NUMBERS
        their_fact: cython.int = small_boards.CHANCES + (1 - turn) * small_boards.NUMBERS
        my_sum: cython.int = self._sums_of(codes, my_fact, mine, my_through)
        their_sum: cython.int = self._sums_of(codes, their_fact, theirs, their_through)
        finished: cython.ulonglong = self._gathered(codes, small_boards.STATUS, 1) >> 2 * BOARDS
        for board in range(forced - 1 if forced else 0, forced or BOARDS):
            before: cython.int = codes[board]
            status: cython.int = self._facts[small_boards.STATUS + before]
            my_slope: cython.int = self._lines.slope(mine, board)
            their_slope: cython.int = self._lines.slope(theirs, board)
            for cell in range(BOARDS):
                code: cython.int = self._marked[BOARDS * (PLAYERS * before + turn) + cell]
                if code == small_boards.NONE:
                    continue
                key: cython.int
                if status != self._facts[small_boards.STATUS + code]:
                    state: bits.Pair = self._with_board(first, second, BOARDS * board + cell, before, code)
                    key = self.child_order_key(state.first, state.second)
                else:
                    my_more: cython.int = self._facts[my_fact + code] - mine[board]
                    their_more: cython.int = self._facts[their_fact + code] - theirs[board]
                    my_then: cython.int = my_sum + my_more * my_slope
                    their_then: cython.int = their_sum + their_more * their_slope
                    my_here: cython.int = my_then
                    their_here: cython.int = their_then
                    if not finished >> cell & 1:
                        my_here = my_through[cell] + my_more * self._lines.slope_here(mine, my_slope, board, cell)
                        their_here = their_through[cell]
                        their_here += their_more * self._lines.slope_here(theirs, their_slope, board, cell)
                    key = -board_lines.advantage(their_then, their_here, my_then, my_here)
                    if self._misere:
                        key = -key
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
        board: cython.int
        codes = cython.declare(cython.int[9])
        _decode(first, second, codes)
        left: cython.int = self._gathered(codes, small_boards.OPEN, 0)
        lacks = cython.declare(cython.int[9])
        self._facts_of(codes, small_boards.LACKS + player * small_boards.NUMBERS, lacks)
        fewest: cython.int = self._lines.fewest(lacks)
        plies: cython.int = family.NEVER if fewest == small_boards.NO_WAY else 2 * fewest - moves
        most: cython.int = left + 1 - plies if plies <= left else 0
        if self._counts:
            status: cython.ulonglong = self._gathered(codes, small_boards.STATUS, 1)
            unfinished: cython.int = BOARDS - bits.count(status >> 2 * BOARDS)
            lead: cython.int = -bits.count(status >> BOARDS * (1 - player) & small_boards.FULL)
            for board in range(BOARDS):
                lead += lacks[board] != small_boards.NO_WAY
            if lead > 0:
                most = max(most, left + 1 - unfinished)
            elif lead < 0 and not most:
                return -1
        return most

    def order_key(self, first: cython.ulonglong, second: cython.ulonglong) -> cython.int:
        """Compare how likely the players are to have each line of boards."""
        codes = cython.declare(cython.int[9])
        chances = cython.declare(cython.int[10])
        my_through = cython.declare(cython.int[9])
        their_through = cython.declare(cython.int[9])
        _decode(first, second, codes)
        extra: cython.int = _extra(first, second)
        turn: cython.int = extra & 1
        forced: cython.int = (extra >> 1) % 10
        my_fact: cython.int = small_boards.CHANCES + turn * small_boards.NUMBERS
        their_fact: cython.int = small_boards.CHANCES + (1 - turn) * small_boards.NUMBERS
        mine: cython.int = self._sums_of(codes, my_fact, chances, my_through)
        theirs: cython.int = self._sums_of(codes, their_fact, chances, their_through)
        my_here: cython.int = my_through[forced - 1] if forced else mine
        their_here: cython.int = their_through[forced - 1] if forced else theirs
        ahead: cython.int = board_lines.advantage(mine, my_here, theirs, their_here)
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

    def _facts_of(self, codes: cython.p_int, fact: cython.int, facts: cython.p_int) -> None:
        """Write a fact of each board."""
        board: cython.int
        for board in range(BOARDS):
            facts[board] = self._facts[fact + codes[board]]

    def _sums_of(
        self, codes: cython.p_int, fact: cython.int, chances: cython.p_int, through: cython.p_int
    ) -> cython.int:
        """Return what ``BoardLines.sums`` does for a player whose chances are this fact; write the ``chances``, too."""
        self._facts_of(codes, fact, chances)
        chances[BOARDS] = 0
        return self._lines.sums(chances, through)


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
