"""The states after the moves of many states: work that several threads can do at the same time."""

import cython

from service.kernel import bits, scheduling
from service.kernel.states import family
from service.kernel.states.columns import zeros
from service.kernel.states.family import Family

HALF = cython.declare(cython.const_ulonglong, 0xFFFFFFFF)
FEW = cython.declare(cython.const_int, (1 << 5) - 1)
"""How many states are followed before other threads may go first: a power of two, less one."""


class Successors:
    """The states after all moves of the states with these ``keys``, up to symmetry.

    ``found`` has their keys in the order of the states and of the moves, ``ends`` for each state the end of its part,
    and ``edges`` is the number of all. A finished state has no moves.
    """

    def __init__(self, rules: Family, keys: bits.Words) -> None:
        self._family = rules
        self._keys = keys
        self.states = len(keys)
        self.edges = 0
        self.found = zeros("Q", self.states * rules.moves)  # as much memory as it has moves
        self.ends = zeros("I", self.states)
        with cython.nogil:
            self._follow_all()

    def _follow_all(self) -> None:
        number: cython.longlong
        gave_way: cython.double = 0
        for number in range(self.states):
            first: cython.ulonglong = self._keys[number] & HALF
            second: cython.ulonglong = self._keys[number] >> 32
            if self._family.result(first, second) == family.ONGOING:
                self._follow(first, second)
            self.ends[number] = cython.cast(cython.uint, self.edges)
            if not number & FEW:
                gave_way = scheduling.give_way(gave_way)

    def _follow(self, first: cython.ulonglong, second: cython.ulonglong) -> None:
        """Add the states after all legal moves of a state."""
        move: cython.int
        groups: cython.ulonglong = self._family.groups(first, second)
        while groups:
            begin: cython.int = self._family.group_size * bits.cell(groups & -groups)
            groups &= groups - 1
            for move in range(begin, begin + self._family.group_size):
                state: bits.Pair = self._family.play(first, second, move)
                if state.first != family.ILLEGAL:
                    state = self._family.canonical(state.first, state.second)
                    self.found[self.edges] = state.first | state.second << 32
                    self.edges += 1
