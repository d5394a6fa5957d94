cimport cython
from service.games.boards cimport small_boards
from service.games.boards.cells cimport Cells


@cython.final
cdef class BoardLines:
    cdef unsigned char[::1] _lines, _thirds

    cdef int fewest(self, int *lacks) noexcept nogil
    cdef int sums(self, int *chances, int *through) noexcept nogil
    cdef int slope(self, int *chances, int board) noexcept nogil
    cdef int slope_here(self, int *chances, int slope, int board, int here) noexcept nogil


cdef int advantage(int mine, int my_here, int theirs, int their_here) noexcept nogil
