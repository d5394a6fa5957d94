from service.games.boards.cells cimport CellFamily, Cells
from service.kernel cimport bits
from service.kernel.states cimport family
from service.kernel.states.family cimport Word


cdef class Quixo(CellFamily):
    cdef Word[::1] _paths
    cdef int[::1] _steps

    cdef bits.Pair play(self, Word first, Word second, int move) noexcept nogil
    cdef Word groups(self, Word first, Word second) noexcept nogil
    cdef int result(self, Word first, Word second) noexcept nogil
    cdef Word _pushed(self, Word mask, int move) noexcept nogil
