cimport cython
from service.kernel cimport bits
from service.kernel.bits cimport Word


@cython.final
cdef class Ranking:
    cdef Word _neither, _first, _second, _both
    cdef Word[::1] _parts

    cdef bint has(self, Word key) noexcept nogil
    cdef Word rank(self, Word key) noexcept nogil
