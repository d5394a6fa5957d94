from service.games.boards.cells cimport CellFamily, Cells
from service.kernel cimport bits
from service.kernel.states cimport family
from service.kernel.states.family cimport Word


cdef class Mills(CellFamily):
    cdef int _marks
    cdef Word[::1] _near, _starts, _ends, _taken

    cdef bits.Pair play(self, Word first, Word second, int move) noexcept nogil
    cdef Word groups(self, Word first, Word second) noexcept nogil
    cdef int result(self, Word first, Word second) noexcept nogil
    cdef bits.Pair image(self, Word first, Word second, int symmetry) noexcept nogil
    cdef bint _closes(self, Word pieces, Word end) noexcept nogil
    cdef Word _takeable(self, Word pieces) noexcept nogil
