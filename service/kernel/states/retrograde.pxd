from service.kernel cimport bits, scheduling
from service.kernel.states cimport family
from service.kernel.states.family cimport Family, Word


cdef class Graph:
    cdef Family _family
    cdef long long _most, _expanded, _room, _edge_room
    cdef readonly long long states, edges
    cdef Word[::1] _keys, _ends
    cdef unsigned char[::1] _values, _turns, _forced
    cdef unsigned int[::1] _targets, _places
    cdef Word _mask
    cdef object _poll
    cdef double _gave_way

    cdef void _enter_all(self) noexcept nogil
    cdef unsigned int _number(self, Word key) noexcept nogil
    cdef bint _expand(self, long long end) noexcept nogil
    cdef void _follow(self, Word first, Word second, int move) noexcept nogil
    cdef void _settle_ends(self) noexcept nogil
    cdef bint _sweep_all(self, int plies)
    cdef bint _sweep(self, int plies, long long begin, long long end_of_sweep) noexcept nogil
    cdef bint _spread_all_ends(self)
    cdef bint _spread_ends(self, long long begin, long long end) noexcept nogil
    cdef bint _spread(self) noexcept nogil
    cdef Word _count(self) noexcept nogil
