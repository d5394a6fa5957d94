from service.kernel cimport scheduling
from service.kernel.states cimport family
from service.kernel.states.family cimport Family, Word
from service.kernel.states.graph cimport Graph


cdef class Retrograde:
    cdef readonly Graph graph
    cdef Family _family
    cdef long long _states
    cdef Word[::1] _keys, _ends
    cdef unsigned int[::1] _targets
    cdef unsigned char[::1] _values, _forced

    cdef void _settle_ends(self) noexcept nogil
    cdef int _settle(self, int plies, bint losses, long long begin, long long end_of_part) noexcept nogil
    cdef bint _spread_ends(self, long long begin, long long end) noexcept nogil
