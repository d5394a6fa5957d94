from service.games.boards.cells cimport CellFamily, Cells
from service.kernel cimport bits
from service.kernel.states cimport family
from service.kernel.states.family cimport Word


cdef class Wild(CellFamily):
    cdef int _line

    cdef bits.Pair play(self, Word first, Word second, int move) noexcept nogil
    cdef int result(self, Word first, Word second) noexcept nogil
    cdef int remaining(self, Word first, Word second) noexcept nogil
    cdef int missing(self, Word first, Word second) noexcept nogil
    cdef int score_limit(self, Word first, Word second, bint to_move) noexcept nogil
    cdef bits.Pair image(self, Word first, Word second, int symmetry) noexcept nogil


cdef class OrderAndChaos(Wild):
    cdef bint _chaos_first, _to_the_end
    cdef Word[::1] _pairs
    cdef int _paired

    cdef bint _order_moves(self, Word first, Word second) noexcept nogil
    cdef bint _is_paired(self, Word first, Word second) noexcept nogil
    cdef bint _breaks_all(self, Word first, Word second, int start) noexcept nogil
    cdef int result(self, Word first, Word second) noexcept nogil
    cdef int score_limit(self, Word first, Word second, bint to_move) noexcept nogil
    cdef int order_key(self, Word first, Word second) noexcept nogil
