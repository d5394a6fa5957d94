cimport cython
from service.kernel cimport bits
from service.kernel.bits cimport Mask, Word


@cython.final
cdef class ProofTable:
    cdef Word[::1] _table

    cdef (long long, long long) look_up(self, Mask attacker, Mask defender, bint attacks) noexcept nogil
    cdef void store(
        self, Mask attacker, Mask defender, bint attacks, long long proof, long long disproof
    ) noexcept nogil
    cdef void prefetch(self, Mask attacker, Mask defender) noexcept nogil
    cdef int _place(self, Mask attacker, Mask defender) noexcept nogil
