from service.games.boards.cells cimport CellFamily, Cells
from service.kernel cimport bits
from service.kernel.states cimport family
from service.kernel.states.family cimport Word


cdef class Exactly(CellFamily):
    cdef int _line, _in_a_row

    cdef bits.Pair play(self, Word first, Word second, int move) noexcept nogil
    cdef int result(self, Word first, Word second) noexcept nogil
    cdef int remaining(self, Word first, Word second) noexcept nogil
    cdef int score_limit(self, Word first, Word second, bint to_move) noexcept nogil
    cdef int _missing(self, Word own, Word others, bint to_move) noexcept nogil
    cdef int order_key(self, Word first, Word second) noexcept nogil
