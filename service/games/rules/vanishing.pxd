from service.games.boards.cells cimport CellFamily, Cells
from service.kernel cimport bits
from service.kernel.states cimport family
from service.kernel.states.family cimport Word


cdef class Vanishing(CellFamily):
    cdef int _marks, _removal, _line
    cdef Word _kept

    cdef bits.Pair play(self, Word first, Word second, int move) noexcept nogil
    cdef int result(self, Word first, Word second) noexcept nogil
    cdef bits.Pair image(self, Word first, Word second, int symmetry) noexcept nogil
    cdef Word _mask(self, Word marks) noexcept nogil
    cdef Word _moved(self, Word marks, int symmetry) noexcept nogil
