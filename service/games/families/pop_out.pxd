from service.games.boards.cells cimport Cells
from service.kernel cimport bits
from service.kernel.states cimport family
from service.kernel.states.family cimport Family, Word


cdef class PopOut(Family):
    cdef Cells _cells
    cdef int _columns, _rows, _both
    cdef Word _column, _bottom

    cdef bits.Pair play(self, Word first, Word second, int move) noexcept nogil
    cdef int result(self, Word first, Word second) noexcept nogil
    cdef bits.Pair image(self, Word first, Word second, int symmetry) noexcept nogil
    cdef Word _popped(self, Word mask, Word column) noexcept nogil
