cimport cython
from service.kernel cimport bits
from service.kernel.bits cimport Mask
from service.kernel.proofs.live_lines cimport LiveLines


@cython.final
cdef class Pairing:
    cdef LiveLines _live_lines
    cdef Mask[::1] _lines
    cdef long long[::1] _weights, _pair_weights
    cdef int _count
    cdef long long _total
    cdef long long potential
    cdef Mask zone

    cdef bint holds(self, int frame, bint maker_first) noexcept nogil
    cdef void _load(self, int frame) noexcept nogil
    cdef void _weigh(self, Mask line, long long sign) noexcept nogil
    cdef Mask _cells(self) noexcept nogil
    cdef long long _greatest(self) noexcept nogil
    cdef Mask _best_pair(self) noexcept nogil
    cdef void _reserve(self, Mask pair) noexcept nogil
