cimport cython
from service.kernel cimport bits, bounds, ordering
from service.kernel.bits cimport Mask
from service.kernel.board cimport Board
from service.kernel.limits cimport Limits
from service.kernel.ordering cimport MoveList


@cython.final
cdef class LookAhead:
    cdef Board _board
    cdef MoveList _list
    cdef Limits _limits

    cdef long long value(
        self, Mask mine, Mask theirs, int marks, int depth, long long alpha, long long beta
    ) noexcept nogil
    cdef long long _estimate(self, Mask mine, Mask theirs) noexcept nogil
