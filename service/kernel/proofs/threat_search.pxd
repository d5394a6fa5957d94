cimport cython
from service.kernel cimport bits
from service.kernel.bits cimport Mask, Word
from service.kernel.board cimport Board
from service.kernel.limits cimport Limits


@cython.final
cdef class ThreatSearch:
    cdef Board _board
    cdef Limits _limits
    cdef Word[::1] _failures
    cdef int _left
    cdef Mask zone, move

    cdef int plies(self, Mask mine, Mask theirs, int budget) noexcept nogil
    cdef int _plies(self, Mask mine, Mask theirs, Mask their_threats) noexcept nogil
    cdef int _try(self, Mask mine, Mask theirs, Mask gains) noexcept nogil
    cdef void _add_defences(self, Mask mine, Mask theirs, Mask empty) noexcept nogil
    cdef bint _has_failed(self, Mask mine, Mask theirs) noexcept nogil
    cdef void _remember_failure(self, Mask mine, Mask theirs) noexcept nogil
    cdef Word _place(self, Mask mine, Mask theirs) noexcept nogil
