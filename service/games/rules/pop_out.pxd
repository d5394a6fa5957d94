from service.games.boards.cells cimport CellFamily, Cells
from service.kernel cimport bits
from service.kernel.states cimport family
from service.kernel.states.family cimport Word


cdef class PopOut(CellFamily):
    cdef int _columns, _rows, _both
    cdef Word _column, _bottom

    cdef bits.Pair play(self, Word first, Word second, int move) noexcept nogil
    cdef int result(self, Word first, Word second) noexcept nogil
    cdef Word _popped(self, Word mask, Word column) noexcept nogil
