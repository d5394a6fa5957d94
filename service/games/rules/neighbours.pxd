from service.games.boards.cells cimport CellFamily, Cells
from service.kernel cimport bits
from service.kernel.states cimport family
from service.kernel.states.family cimport Word


cdef class Neighbours(CellFamily):
    cdef Word[::1] _near
    cdef bint _own, _misere

    cdef bits.Pair play(self, Word first, Word second, int move) noexcept nogil
    cdef int result(self, Word first, Word second) noexcept nogil
    cdef int remaining(self, Word first, Word second) noexcept nogil
    cdef int score_limit(self, Word first, Word second, bint to_move) noexcept nogil
    cdef int order_key(self, Word first, Word second) noexcept nogil
    cdef Word _open(self, Word own, Word others) noexcept nogil
