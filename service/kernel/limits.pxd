cimport cython


@cython.final
cdef class Limits:
    cdef readonly long long nodes
    cdef bint stopped
    cdef bint _contradicted, paused
    cdef long long _limit, _interval, _longest, _next_poll, _allowed
    cdef object _poll, _raised

    cdef bint count_node(self) noexcept nogil
    cdef bint count_long_node(self, int length) noexcept nogil
    cdef void allow(self, long long nodes) noexcept nogil
    cdef bint resume(self) noexcept nogil
    cdef void contradict(self) noexcept nogil
    cdef void _check(self) noexcept nogil
