from service.games.boards.cells cimport Cells
from service.kernel cimport bits
from service.kernel.states cimport family
from service.kernel.states.family cimport Family, Word


cdef class Morris(Family):
    cdef Cells _cells
    cdef int _points, _marks, _stuck
    cdef Word[::1] _neighbours
    cdef Word _closed, _closed_first

    cdef bits.Pair play(self, Word first, Word second, int move) noexcept nogil
    cdef int result(self, Word first, Word second) noexcept nogil
    cdef bits.Pair image(self, Word first, Word second, int symmetry) noexcept nogil
    cdef Word _open(self, Word occupied) noexcept nogil
