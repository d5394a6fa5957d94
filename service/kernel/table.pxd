cimport cython
from service.kernel cimport bits, bounds
from service.kernel.bits cimport Mask, Word
from service.kernel.board cimport Board


@cython.final
cdef class Table:
    cdef Board _board
    cdef Word[::1] _words, _key_seeds, _index_masks

    cdef (Word, Word) key_of(self, Mask mine, Mask theirs, int marks) noexcept nogil
    cdef (int, int, int) probe(self, Word key, Word check, int marks) noexcept nogil
    cdef void store(self, Word key, Word check, int marks, int lower, int upper, int best) noexcept nogil
    cdef void clear(self, Word key, int marks) noexcept nogil
    cdef Word _entry(self, Word key, Word check, int marks) noexcept nogil
    cdef Word _bucket(self, Word key, int marks) noexcept nogil
