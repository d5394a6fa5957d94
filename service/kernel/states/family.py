"""The protocol of rules for searches over states: a family.

A state is two 64-bit words. Each family defines their layout. They contain exactly the information on which the rest of
the game depends, and are 0 at its start. Families with a table use only the lower 32 bits of each word. If positions
show more information than that, Python uses larger integers, and ``packed`` converts them to the state of a search.
Moves are numbered from 0; a number means the same move in every position. They come in groups of the same size, such as
the moves of the piece on one cell, so that a search can leave out those that are not legal in a state. ``family.pxd``
has the C types for compiled families.
"""

import cython

from service.kernel import bits
from service.kernel.states.children import Children

State = tuple[int, int]
"""A state in Python: the two words of a search, or two larger integers that ``packed`` converts to them."""

START: State = (0, 0)
"""The state in which every game begins."""

ILLEGAL = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)
"""The first word of what ``play`` returns for a move that is not legal."""

TO_MOVE, OTHER = cython.declare(cython.bint, 1), cython.declare(cython.bint, 0)

NEVER = cython.declare(cython.int, 99)
"""More plies than a game can last."""

ONGOING = 0  # the result of a state for the player to move:
LOST = 1
DRAWN = 2
WON = 3

OVER = cython.declare(cython.int, 1 << 24)  # the order key of a move that wins at once; more than any other


VTABLE = "__pyx_vtable__"
"""An attribute that each compiled class has of its own; a class in Python only inherits that of ``Family``."""


SYMMETRIC_FROM = 7
"""The ``Family.symmetric_from`` of most families."""


class NotCompiledError(ImportError):
    """The kernel is compiled and the rules of a game are not."""

    def __init__(self, module: str) -> None:
        super().__init__(f"{module} is not compiled, but the kernel is; run: python setup.py build_ext --inplace")


class Family:
    """The rules of one game.

    ``moves`` is the number of moves, legal or not, and ``group_size`` that of a group of them; a family with more than
    one group sets it. ``images`` is the number of symmetries, including the identity. A search looks for symmetric
    states if at least ``symmetric_from`` plies are left; with fewer, that costs more than it saves. ``guide_plies`` is
    the length of a game that the first player wins with the moves of a guide, ``is_guided``; 0 without a guide.
    ``margin`` is how much two more plies of a look-ahead may change an estimate; if it is 0, nothing is cut off that is
    only probable.

    Raises NotCompiledError for rules in Python beside a compiled kernel: the kernel would not call their methods and so
    find no move.
    """

    def __init__(
        self,
        moves: int,
        images: int,
        symmetric_from: int = SYMMETRIC_FROM,
        *,
        guide_plies: int = 0,
        margin: int = 0,
    ) -> None:
        if cython.compiled and VTABLE not in vars(type(self)):
            raise NotCompiledError(type(self).__module__)
        self.moves = moves
        self.group_size = moves
        self.images = images
        self.symmetric_from = symmetric_from
        self.guide_plies = guide_plies
        self.margin = margin

    def play(self, first: cython.ulonglong, second: cython.ulonglong, move: cython.int) -> bits.Pair:
        """Return the state after a move, for the other player to move; ``ILLEGAL`` as first word for an illegal move.

        Only for unfinished states.
        """
        return bits.Pair(first=ILLEGAL, second=ILLEGAL)

    def put_children(
        self, first: cython.ulonglong, second: cython.ulonglong, children: Children, slot: cython.int
    ) -> cython.int:
        """Write all legal moves into the slots from ``slot`` on; return the slot after the last.

        A move that ends the game has ``OVER`` as order key, 0 or ``-OVER``, as the player who moves wins, draws or
        loses; any other has what ``order_key`` returns for the state after it, negated. Only for unfinished states.
        """
        move: cython.int
        groups: cython.ulonglong = self.groups(first, second)
        while groups:
            begin: cython.int = self.group_size * bits.cell(groups & -groups)
            groups &= groups - 1
            for move in range(begin, begin + self.group_size):
                state: bits.Pair = self.play(first, second, move)
                if state.first != ILLEGAL:
                    children.put(slot, move, self.child_order_key(state.first, state.second))
                    slot += 1
        return slot

    def child_order_key(self, first: cython.ulonglong, second: cython.ulonglong) -> cython.int:
        """Return the order key of a move to a state, as ``put_children`` writes it."""
        result: cython.int = self.result(first, second)
        if result != ONGOING:
            return (DRAWN - result) * OVER
        return -self.order_key(first, second)

    def groups(self, first: cython.ulonglong, second: cython.ulonglong) -> cython.ulonglong:
        """Return the groups with moves that may be legal, a bit for each; no move of another group is legal."""
        return 1

    def result(self, first: cython.ulonglong, second: cython.ulonglong) -> cython.int:
        """Return ``ONGOING``, or the result for the player to move: ``LOST``, ``DRAWN`` or ``WON``."""
        return ONGOING

    def remaining(self, first: cython.ulonglong, second: cython.ulonglong) -> cython.int:
        """Return the maximum number of plies left; 0 for a family with loops.

        Every move lowers this number. The score of a finished game is this number plus 1 for its winner.
        """
        return 0

    def score_limit(self, first: cython.ulonglong, second: cython.ulonglong, to_move: cython.bint) -> cython.int:
        """Return an upper bound on the score that the player to move, or else the other player, can still reach.

        Only for unfinished states of families without loops. This default holds for all of them: a win takes at least
        one ply.
        """
        return self.remaining(first, second)

    def order_key(self, first: cython.ulonglong, second: cython.ulonglong) -> cython.int:
        """Return a heuristic value of a state, greater if it looks better for the player to move."""
        return self.score_limit(first, second, TO_MOVE) - self.score_limit(first, second, OTHER)

    def is_guided(self, first: cython.ulonglong, second: cython.ulonglong, move: cython.int) -> cython.bint:
        """Return whether a guided search tries a legal move: any of the second player, few of the first.

        A guide needs no proof of its own. The search proves that these moves win, or it proves nothing.
        """
        return True

    def packed(self, state: State) -> State:
        """Return the two words by which searches represent a state. Methods that take a ``State`` are for Python."""
        return state

    def remaining_of(self, state: State) -> int:
        """Return ``remaining`` of a state: the maximum number of plies left."""
        first, second = self.packed(state)
        found: int = self.remaining(first, second)
        return found

    def order_key_of(self, state: State) -> int:
        """Return ``order_key`` of a state."""
        first, second = self.packed(state)
        found: int = self.order_key(first, second)
        return found

    def after(self, state: State, move: int) -> State:
        """Return the state after a move."""
        played: bits.Pair = self.play(state[0], state[1], move)
        return played.first, played.second

    def result_of(self, state: State) -> int:
        """Return ``result`` of a state."""
        first, second = self.packed(state)
        found: int = self.result(first, second)
        return found

    def least_image(self, state: State) -> State:
        """Return the least symmetric image of a state, as words of a search; it is equal for all symmetric states."""
        first, second = self.packed(state)
        least: bits.Pair = self.canonical(first, second)
        return least.first, least.second

    def legal_moves(self, state: State) -> list[int]:
        """Return the numbers of the moves that are legal, ascending; none when the game is over."""
        first, second = self.packed(state)
        if self.result(first, second) != ONGOING:
            return []
        return [move for move in range(self.moves) if self.play(first, second, move).first != ILLEGAL]

    def guided_moves(self, state: State) -> list[int]:
        """Return the legal moves that a guided search tries: those of the guide, or all if no guided move is legal."""
        first, second = self.packed(state)
        moves = self.legal_moves(state)
        return [move for move in moves if self.is_guided(first, second, move)] or moves

    def image(self, first: cython.ulonglong, second: cython.ulonglong, symmetry: cython.int) -> bits.Pair:
        """Return the image of the state under a symmetry; it has the same value."""
        return bits.Pair(first=first, second=second)

    def canonical(self, first: cython.ulonglong, second: cython.ulonglong) -> bits.Pair:
        """Return the least image: the same for all symmetric states."""
        symmetry: cython.int
        least_first: cython.ulonglong = first
        least_second: cython.ulonglong = second
        for symmetry in range(1, self.images):
            image: bits.Pair = self.image(first, second, symmetry)
            if image.first < least_first or (image.first == least_first and image.second < least_second):
                least_first = image.first
                least_second = image.second
        return bits.Pair(first=least_first, second=least_second)

    def orbit(self, first: cython.ulonglong, second: cython.ulonglong) -> cython.ulonglong:
        """Return the number of states symmetric to this one, itself included (orbit and stabilizer)."""
        symmetry: cython.int
        same: cython.int = 1
        for symmetry in range(1, self.images):
            image: bits.Pair = self.image(first, second, symmetry)
            same += image.first == first and image.second == second
        return self.images // same
