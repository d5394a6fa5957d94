cimport cython
from service.kernel.board cimport Board


@cython.final
cdef class History:
    cdef bint _kept
    cdef int _cells
    cdef int[::1] _moves, _replies

    cdef int bonus(self, int marks, int last, int cell) noexcept nogil
    cdef void count(self, int marks, int last, int cell, bint has_cut_off) noexcept nogil
    cdef int _part(self, int marks) noexcept nogil
