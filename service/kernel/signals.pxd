cimport cython
from service.kernel cimport bits
from service.kernel.bits cimport Mask, Word


@cython.final
cdef class Signals:
    cdef bint cooperates
    cdef int _cells
    cdef Word[::1] _words
    cdef Word _index_mask

    cdef void announce(self, Mask mine, Mask theirs, int marks) noexcept nogil
    cdef void withdraw(self, Mask mine, Mask theirs, int marks) noexcept nogil
    cdef bint is_announced(self, Mask mine, Mask theirs, int marks) noexcept nogil
    cdef Word _index(self, Mask mine, Mask theirs) noexcept nogil
