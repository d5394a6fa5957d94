cimport cython
from service.kernel cimport bits
from service.kernel.bits cimport Mask
from service.kernel.board cimport Board


cdef int MAX_MOVES


@cython.final
cdef class MoveList:
    cdef Board _board
    cdef Mask[::1] moves
    cdef int[::1] _priorities

    cdef int sort(self, Mask mine, Mask theirs, Mask moves, int start) noexcept nogil
    cdef int _priority(self, Mask mine, Mask theirs, Mask move) noexcept nogil


cdef int child_priority(
    Board board, Mask occupied, Mask opponent_wins, Mask move, Mask threats, Mask replies, int tt_cell
) noexcept nogil
