cimport cython


@cython.final
cdef class Children:
    cdef int[::1] moves, order_keys, _counts
    cdef int _most_moves

    cdef void put(self, int slot, int move, int order_key) noexcept nogil
    cdef void bring_most_promising(self, int slot, int end) noexcept nogil
    cdef void prefer(self, int slot, int end, int move) noexcept nogil
    cdef void weigh(self, int slot, int end, int side) noexcept nogil
    cdef void count(self, int slot, int best, int side) noexcept nogil
