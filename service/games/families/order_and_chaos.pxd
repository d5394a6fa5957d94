from service.games.families.wild cimport Wild
from service.kernel cimport bits
from service.kernel.states cimport family
from service.kernel.states.family cimport Word


cdef class OrderAndChaos(Wild):
    cdef bint _chaos_first

    cdef int result(self, Word first, Word second) noexcept nogil
    cdef int hope(self, Word first, Word second, bint to_move) noexcept nogil
    cdef int promise(self, Word first, Word second) noexcept nogil
