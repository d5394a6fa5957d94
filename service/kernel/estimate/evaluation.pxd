cimport cython
from service.kernel cimport bits
from service.kernel.bits cimport Mask
from service.kernel.board cimport Board


@cython.final
cdef class Evaluation:
    cdef Board _board
    cdef int _to_move, _zugzwang, _threat, _got_threat, _double_threat, _fork
    cdef int _two, _three, _four, _near_two, _near_three, _got_two, _got_three, _other_two, _other_three, _other_four

    cdef long long value(self, Mask mine, Mask theirs, Mask own_wins, Mask opponent_wins) noexcept nogil
    cpdef long long of(self, Mask mine, Mask theirs) noexcept
    cdef long long _without_gravity(self, Mask mine, Mask theirs) noexcept nogil
    cdef long long _lines(
        self, Mask marks, Mask against, int two_missing, int three_missing, int four_missing, int fork
    ) noexcept nogil
    cdef long long _under_gravity(self, Mask mine, Mask theirs, Mask own_wins, Mask opponent_wins) noexcept nogil
    cdef long long _player(
        self, Mask marks, Mask against, Mask wins, Mask other_wins, Mask near, Mask gets, Mask playable
    ) noexcept nogil
    cdef long long _threats(self, Mask wins, Mask gets) noexcept nogil


cdef (Mask, Mask, Mask) lacking(Board board, Mask marks, Mask against, int pattern) noexcept nogil
cdef Mask within(Board board, Mask lines, Mask cells, int pattern) noexcept nogil
cdef int zugzwang(Board board, Mask occupied, Mask own_wins, Mask opponent_wins) noexcept nogil
cdef Mask above(Board board, Mask cells) noexcept nogil
