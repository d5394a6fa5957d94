from service.kernel cimport bits
from service.kernel.states.children cimport Children

ctypedef unsigned long long Word

cdef Word ILLEGAL
cdef bint TO_MOVE, OTHER
cdef int NEVER, ONGOING, LOST, DRAWN, WON, OVER


cdef class Family:
    cdef readonly int moves, images, symmetric_from, guide_plies
    cdef public int group_size, margin

    cdef bits.Pair play(self, Word first, Word second, int move) noexcept nogil
    cdef int put_children(self, Word first, Word second, Children children, int slot) noexcept nogil
    cdef int child_order_key(self, Word first, Word second) noexcept nogil
    cdef Word groups(self, Word first, Word second) noexcept nogil
    cdef int result(self, Word first, Word second) noexcept nogil
    cdef int remaining(self, Word first, Word second) noexcept nogil
    cdef int score_limit(self, Word first, Word second, bint to_move) noexcept nogil
    cdef int order_key(self, Word first, Word second) noexcept nogil
    cdef bint is_guided(self, Word first, Word second, int move) noexcept nogil
    cdef bits.Pair image(self, Word first, Word second, int symmetry) noexcept nogil
    cdef bits.Pair canonical(self, Word first, Word second) noexcept nogil
    cdef Word orbit(self, Word first, Word second) noexcept nogil
