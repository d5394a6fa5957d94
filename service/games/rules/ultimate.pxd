cimport cython
from service.games.boards.cells cimport Cells
from service.games.boards cimport board_lines, small_boards
from service.games.boards.board_lines cimport BoardLines
from service.games.boards.small_boards cimport SmallBoards
from service.kernel cimport bits
from service.kernel.states cimport family
from service.kernel.states.children cimport Children
from service.kernel.states.family cimport Family, Word


cdef class Ultimate(Family):
    cdef SmallBoards _boards
    cdef BoardLines _lines
    cdef bint _closed, _counts, _misere
    cdef int[::1] _facts
    cdef unsigned short[::1] _images
    cdef short[::1] _marked
    cdef unsigned char[::1] _places

    cdef bits.Pair play(self, Word first, Word second, int move) noexcept nogil
    cdef int put_children(self, Word first, Word second, Children children, int slot) noexcept nogil
    @cython.final
    cdef bits.Pair _with_board(self, Word first, Word second, int move, int before, int code) noexcept nogil
    cdef int result(self, Word first, Word second) noexcept nogil
    cdef int remaining(self, Word first, Word second) noexcept nogil
    cdef int score_limit(self, Word first, Word second, bint to_move) noexcept nogil
    cdef int order_key(self, Word first, Word second) noexcept nogil
    cdef bint is_guided(self, Word first, Word second, int move) noexcept nogil
    cdef bits.Pair image(self, Word first, Word second, int symmetry) noexcept nogil
    @cython.final
    cdef Word _gathered(self, int *codes, int fact, int width) noexcept nogil
    @cython.final
    cdef void _facts_of(self, int *codes, int fact, int *facts) noexcept nogil
    @cython.final
    cdef int _sums_of(self, int *codes, int fact, int *chances, int *through) noexcept nogil


cdef void _decode(Word first, Word second, int *codes) noexcept nogil
cdef int _code(Word first, Word second, int board) noexcept nogil
cdef int _extra(Word first, Word second) noexcept nogil
cdef bits.Pair _with_extra(Word first, Word second, Word extra) noexcept nogil
