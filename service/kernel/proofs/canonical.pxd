cimport cython
from service.kernel cimport bits
from service.kernel.bits cimport Mask


@cython.final
cdef class Canonical:
    cdef int[::1] _images, _lowest, _leading, _starts

    cdef readonly int symmetry

    cpdef (Mask, Mask) of(self, Mask mine, Mask theirs) noexcept nogil
    cdef Mask undo(self, Mask bit, int symmetry) noexcept nogil
    cdef int _first_cell(self, Mask marks) noexcept nogil
    cdef Mask _image(self, Mask marks, int symmetry) noexcept nogil


cdef bint is_lower(Mask one, Mask other) noexcept nogil
