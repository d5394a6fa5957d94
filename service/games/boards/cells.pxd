cimport cython
from service.kernel cimport bits
from service.kernel.states cimport family

ctypedef unsigned long long Word


@cython.final
cdef class Cells:
    cdef readonly int cells, images, count
    cdef readonly Word full
    cdef Word[::1] lines, tables
    cdef int _bytes

    cpdef bint has_line(self, Word mask) noexcept nogil
    cdef int missing(self, Word own, Word blocked) noexcept nogil
    cdef int worth(self, Word own, Word blocked) noexcept nogil
    cpdef Word image(self, Word mask, int symmetry) noexcept nogil
