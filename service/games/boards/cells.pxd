cimport cython
from service.kernel cimport bits
from service.kernel.states cimport family
from service.kernel.states.family cimport Family, Word


@cython.final
cdef class Cells:
    cdef readonly int cells, images, count
    cdef readonly Word full
    cdef Word[::1] lines, ends, tables
    cdef int _bytes

    cpdef bint has_line(self, Word mask) noexcept nogil
    cdef bint is_open(self, int i, Word own, Word blocked) noexcept nogil
    cdef int missing(self, Word own, Word blocked) noexcept nogil
    cdef int value(self, Word own, Word blocked) noexcept nogil
    cpdef Word image(self, Word mask, int symmetry) noexcept nogil


cdef class CellFamily(Family):
    cdef Cells _cells

    cdef bits.Pair image(self, Word first, Word second, int symmetry) noexcept nogil
