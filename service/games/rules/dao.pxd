from service.games.boards.cells cimport CellFamily, Cells
from service.kernel cimport bits
from service.kernel.states cimport family
from service.kernel.states.family cimport Word


cdef class Dao(CellFamily):
    cdef bint _trapped_wins
    cdef Word _first, _second
    cdef Word[::1] _corners, _around, _paths, _stops

    cdef bits.Pair play(self, Word first, Word second, int move) noexcept nogil
    cdef Word groups(self, Word first, Word second) noexcept nogil
    cdef int result(self, Word first, Word second) noexcept nogil
    cdef bits.Pair image(self, Word first, Word second, int symmetry) noexcept nogil
