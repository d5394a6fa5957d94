cimport cython
from service.kernel cimport bits
from service.kernel.bits cimport Mask, Word
from service.kernel.board cimport Board
from service.kernel.proofs.live_lines cimport LiveLines

cdef int UNKNOWN, HOLDS, FALLS
cdef bint MAKER_FIRST, BREAKER_FIRST


@cython.final
cdef class ZoneTable:
    cdef Board _board
    cdef LiveLines _live_lines
    cdef Word[::1] _words
    cdef Word _first_seed, _second_seed, _index_mask
    cdef Word _key, _check
    cdef Mask zone

    cdef (Word, Word, int) identify(self, int frame, bint maker_first) noexcept nogil
    cdef int probe(self, Word key, Word check, int symmetry) noexcept nogil
    cdef void store(self, Word key, Word check, int symmetry, int result, Mask zone) noexcept nogil
    cdef void _hash(self, int frame, int symmetry) noexcept nogil
