cimport cython
from service.kernel cimport bits

ctypedef unsigned long long Word

cdef int PREFERRED


@cython.final
cdef class Children:
    cdef Word[::1] firsts, seconds
    cdef int[::1] order_keys

    cdef void put(self, int slot, Word first, Word second, int order_key) noexcept nogil
    cdef void bring_most_promising(self, int slot, int end) noexcept nogil
    cdef int tag(self, int slot) noexcept nogil
    cdef void prefer(self, int slot, int end, int tag) noexcept nogil
