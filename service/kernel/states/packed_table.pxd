cimport cython
from service.kernel cimport bits
from service.kernel.bits cimport Word
from service.kernel.states.ranking cimport Ranking


@cython.final
cdef class PackedTable:
    cdef long long _states, _blocks
    cdef Word _size
    cdef Ranking _ranking
    cdef const Word[::1] _firsts, _entries, _packed

    cdef int _find(self, Word key) noexcept nogil
    cdef int _decode(self, long long block, unsigned long long *ranks) noexcept nogil
    cdef Word _number(self, Word place, int width, int number) noexcept nogil
    cdef bint _fits(self) noexcept nogil
    cdef bint _is_ascending(self) noexcept nogil


cdef void _put(Word[::1] packed, Word place, int width, int number, Word value) noexcept nogil
