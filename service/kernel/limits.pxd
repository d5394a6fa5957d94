cimport cython


@cython.final
cdef class Limits:
    cdef readonly long long nodes
    cdef bint stopped
    cdef bint _contradicted
    cdef long long _limit, _interval, _next_poll
    cdef object _poll, _raised

    cdef bint count_node(self) noexcept nogil
    cdef void contradict(self) noexcept nogil
    cdef void _check(self) noexcept nogil
