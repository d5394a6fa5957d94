"""The protocol of rules for searches over states: a family.

A state is two words of 64 bits, packed as the family likes, with nothing but what the rest of
the game depends on; both are 0 when it begins. Families with a table use only the lower 32 bits of each. A family whose
positions show more than that has larger words for Python, which ``packed`` turns into a state. Moves are numbered from
0, in an order that is the same in every position. ``family.pxd`` has the types, for families that are compiled.
"""

import cython

from service.kernel import bits

State = tuple[int, int]
"""A state for Python: that of a search, or more."""

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


VTABLE = "__pyx_vtable__"
"""An attribute of each compiled class; a class in Python inherits that of ``Family``."""


SYMMETRIC_FROM = 7
"""Plies left from which it pays to look for symmetries, in most families."""


class NotCompiledError(ImportError):
    """The kernel is compiled and the rules of a game are not."""

    def __init__(self, module: str) -> None:
        super().__init__(f"{module} is not compiled, but the kernel is; run: python setup.py build_ext --inplace")


class Family:
    """The rules of one game.

    ``moves`` is the number of moves, legal or not; ``images`` that of the symmetries, the identity included, and
    ``symmetric_from`` the plies left from which a search looks for them: below, that costs more than it saves.
    Raises NotCompiledError for rules in Python beside a compiled kernel, which would not call them and so find no move.
    """

    def __init__(self, moves: int, images: int, symmetric_from: int = SYMMETRIC_FROM) -> None:
        if cython.compiled and VTABLE not in vars(type(self)):
            raise NotCompiledError(type(self).__module__)
        self.moves = moves
        self.images = images
        self.symmetric_from = symmetric_from

    def play(self, first: cython.ulonglong, second: cython.ulonglong, move: cython.int) -> bits.Pair:
        """Return the state after a move, for the other player to move; ``ILLEGAL`` first if it is not legal.

        Ask only while the game is on.
        """
        return bits.Pair(first=ILLEGAL, second=ILLEGAL)

    def span(self, first: cython.ulonglong, second: cython.ulonglong) -> bits.Pair:
        """Return the first of the moves that may be legal, and the one behind the last."""
        return bits.Pair(first=0, second=self.moves)

    def result(self, first: cython.ulonglong, second: cython.ulonglong) -> cython.int:
        """Return ``ONGOING``, or the result for the player to move."""
        return ONGOING

    def remaining(self, first: cython.ulonglong, second: cython.ulonglong) -> cython.int:
        """Return the most plies that the game can still last; 0 for a family with loops.

        Every move makes them fewer. A win scores the plies left plus 1.
        """
        return 0

    def score_limit(self, first: cython.ulonglong, second: cython.ulonglong, to_move: cython.bint) -> cython.int:
        """Return an upper bound on the score that the player to move, or else the other player, can still reach.

        Only for unfinished states of families without loops. This default holds for all of them: a win takes at least
        one ply.
        """
        return self.remaining(first, second)

    def order_key(self, first: cython.ulonglong, second: cython.ulonglong) -> cython.int:
        """Return a heuristic for move ordering: how promising a state looks for the player to move."""
        return self.score_limit(first, second, TO_MOVE) - self.score_limit(first, second, OTHER)

    def packed(self, state: State) -> State:
        """Return the state of a search. This method and those that take a ``State`` are for Python."""
        return state

    def remaining_of(self, state: State) -> int:
        """Return the maximum number of plies left, one less after each move."""
        first, second = self.packed(state)
        found: int = self.remaining(first, second)
        return found

    def order_key_of(self, state: State) -> int:
        """Return a heuristic for move ordering: how promising a state looks for the player to move."""
        first, second = self.packed(state)
        found: int = self.order_key(first, second)
        return found

    def after(self, state: State, move: int) -> State:
        """Return the state after a move."""
        played: bits.Pair = self.play(state[0], state[1], move)
        return played.first, played.second

    def result_of(self, state: State) -> int:
        """Return ``ONGOING``, or the result for the player to move."""
        first, second = self.packed(state)
        found: int = self.result(first, second)
        return found

    def least_image(self, state: State) -> State:
        """Return the least image as a state of a search, equal for all symmetric states."""
        first, second = self.packed(state)
        least: bits.Pair = self.canonical(first, second)
        return least.first, least.second

    def legal_moves(self, state: State) -> list[int]:
        """Return the numbers of the moves that are legal, ascending; none when the game is over."""
        first, second = self.packed(state)
        if self.result(first, second) != ONGOING:
            return []
        return [move for move in range(self.moves) if self.play(first, second, move).first != ILLEGAL]

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
