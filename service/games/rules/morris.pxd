from service.games.boards.cells cimport CellFamily, Cells
from service.kernel cimport bits
from service.kernel.states cimport family
from service.kernel.states.family cimport Word


cdef class Morris(CellFamily):
    cdef int _points, _marks, _stuck
    cdef Word[::1] _neighbours, _starts, _targets
    cdef Word _closed, _closed_first

    cdef bits.Pair play(self, Word first, Word second, int move) noexcept nogil
    cdef Word groups(self, Word first, Word second) noexcept nogil
    cdef int result(self, Word first, Word second) noexcept nogil
    cdef Word _open(self, Word occupied) noexcept nogil
