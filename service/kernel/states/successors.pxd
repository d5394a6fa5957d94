from service.kernel cimport bits, scheduling
from service.kernel.states cimport family
from service.kernel.states.family cimport Family, Word


cdef class Successors:
    cdef Family _family
    cdef Word[::1] _keys
    cdef readonly long long states, edges
    cdef Word[::1] found
    cdef unsigned int[::1] ends

    cdef void _follow_all(self) noexcept nogil
    cdef void _follow(self, Word first, Word second) noexcept nogil
