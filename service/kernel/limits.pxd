cimport cython
from service.kernel cimport scheduling


@cython.final
cdef class Limits:
    cdef readonly long long nodes
    cdef bint stopped
    cdef bint _contradicted, paused
    cdef long long _limit, _interval, _next_check, _allowed
    cdef int _checks, _checks_left
    cdef double _gave_way
    cdef object _poll, _raised

    cdef bint count_node(self) noexcept nogil
    cdef bint count_long_node(self, int length) noexcept nogil
    cdef void allow(self, long long nodes) noexcept nogil
    cdef bint resume(self) noexcept nogil
    cdef void contradict(self) noexcept nogil
    cdef void _check(self) noexcept nogil
