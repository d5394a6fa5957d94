cimport cython
from service.kernel cimport bits, ordering
from service.kernel.estimate cimport evaluation
from service.kernel.bits cimport Mask
from service.kernel.board cimport Board


@cython.final
cdef class Candidates:
    cdef Board _board
    cdef Mask[::1] moves, threats
    cdef int[::1] costs, _priorities

    cdef int sort(
        self, Mask mine, Mask theirs, Mask opponent_wins, Mask moves, int begin, int tt_cell
    ) noexcept nogil
    cdef int _list_by_threats(
        self, Mask mine, Mask theirs, Mask opponent_wins, Mask moves, int begin
    ) noexcept nogil
    cdef int _list_by_lines(self, Mask mine, Mask theirs, Mask moves, int begin) noexcept nogil
    cdef void _insert(self, Mask move, Mask threats, int priority, int begin, int end) noexcept nogil
    cdef void _set_costs(self, int begin, int end) noexcept nogil
    cdef void _bring_forward(self, int begin, int end, int cell) noexcept nogil
    cdef void _copy(self, int place, int to) noexcept nogil


cdef (Mask, Mask, Mask) useful_cells(Board board, Mask marks, Mask against) noexcept nogil
