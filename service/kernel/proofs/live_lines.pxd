cimport cython
from service.kernel cimport bits
from service.kernel.bits cimport Mask
from service.kernel.board cimport Board


@cython.final
cdef class LiveLines:
    cdef Board _board
    cdef int places, frames
    cdef Mask[::1] lines
    cdef int[::1] counts

    cdef void load(self, int frame, Mask marks, Mask against) noexcept nogil
    cdef void copy(self, int frame) noexcept nogil
    cdef void make(self, int frame, Mask cell) noexcept nogil
    cdef void block(self, int frame, Mask cells) noexcept nogil
    cdef Mask cells(self, int frame) noexcept nogil
    cdef Mask threats(self, int frame) noexcept nogil
    cdef Mask private(self, int frame) noexcept nogil
    cdef Mask remove_paired(self, int frame) noexcept nogil
    cdef Mask free_threat(self, int frame) noexcept nogil
    cdef Mask common(self, int frame, Mask cell) noexcept nogil
    cdef void _add(self, int frame, Mask line) noexcept nogil
