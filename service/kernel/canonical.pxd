cimport cython
from service.kernel cimport bits
from service.kernel.bits cimport Mask
from service.kernel.board cimport Board


@cython.final
cdef class Canonical:
    cdef Board _board
    cdef int[::1] _images, _lowest, _leading, _starts

    cdef (Mask, Mask) of(self, Mask mine, Mask theirs) noexcept nogil
    cdef int _first_cell(self, Mask marks) noexcept nogil
    cdef Mask _image(self, Mask marks, int symmetry) noexcept nogil


cdef bint is_lower(Mask one, Mask other) noexcept nogil
