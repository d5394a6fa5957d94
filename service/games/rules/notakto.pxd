from service.games.boards.cells cimport CellFamily, Cells
from service.kernel cimport bits
from service.kernel.states cimport family
from service.kernel.states.family cimport Word


cdef class Notakto(CellFamily):
    cdef int _boards, _end

    cdef bits.Pair play(self, Word first, Word second, int move) noexcept nogil
    cdef int result(self, Word first, Word second) noexcept nogil
    cdef int remaining(self, Word first, Word second) noexcept nogil
    cdef bits.Pair canonical(self, Word first, Word second) noexcept nogil
    cdef Word _marks(self, Word marks, int board) noexcept nogil
    cdef Word _least(self, Word marks) noexcept nogil
    cdef Word orbit(self, Word first, Word second) noexcept nogil
    cdef Word _turned(self, Word marks) noexcept nogil
