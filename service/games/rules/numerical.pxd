from service.games.boards.cells cimport CellFamily, Cells
from service.kernel cimport bits
from service.kernel.states cimport family
from service.kernel.states.family cimport Word


cdef class Numerical(CellFamily):
    cdef int _line, _target

    cdef bits.Pair play(self, Word first, Word second, int move) noexcept nogil
    cdef int result(self, Word first, Word second) noexcept nogil
    cdef int remaining(self, Word first, Word second) noexcept nogil
    cdef bits.Pair image(self, Word first, Word second, int symmetry) noexcept nogil
    cdef Word _moved(self, Word cell, int symmetry) noexcept nogil
    cdef int _used(self, Word first, Word second) noexcept nogil
    cdef int _digit(self, Word first, Word second, Word cell) noexcept nogil
