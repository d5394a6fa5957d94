from service.kernel cimport bits, scheduling
from service.kernel.states.successors cimport Successors
from service.kernel.states.family cimport Family, Word


cdef class Graph:
    cdef Family rules
    cdef long long _most, _room, _edge_room
    cdef readonly long long states, edges
    cdef Word[::1] keys, ends
    cdef unsigned char[::1] _turns
    cdef unsigned int[::1] targets, _places
    cdef Word _mask
    cdef object _poll, _edge_column
    cdef readonly object pool
    cdef double _gave_way

    cdef void _enter_all(self) noexcept nogil
    cdef unsigned int _number(self, Word key) noexcept nogil
    cdef void _number_all(self, Successors after) noexcept nogil
    cdef bint _spread(self) noexcept nogil
    cdef Word _count(self) noexcept nogil
