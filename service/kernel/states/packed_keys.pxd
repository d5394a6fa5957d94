cimport cython
from service.kernel cimport bits
from service.kernel.bits cimport Word


@cython.final
cdef class PackedKeys:
    cdef long long _keys, _blocks
    cdef Word _words
    cdef const Word[::1] _firsts, _offsets, _distances

    cdef long long _find(self, Word key) noexcept nogil
    cdef Word _key(self, long long number) noexcept nogil
    cdef bint _fits(self) noexcept nogil
    cdef bint _is_ascending(self) noexcept nogil
