cimport cython
from service.games.boards.cells cimport Cells
from service.kernel cimport bits
from service.kernel.states.family cimport Word

cdef int FULL, NUMBERS, NONE, NO_WAY
cdef int STATUS, LACKS, CHANCES, OPEN, AXES


@cython.final
cdef class SmallBoards:
    cdef readonly Cells cells
    cdef readonly int count
    cdef unsigned int[::1] _examples
    cdef unsigned short[::1] _codes, _owned
    cdef int[::1] facts
    cdef unsigned char[::1] has_line

    cpdef int code(self, int x, int o, int owner) noexcept nogil
    cpdef int marked(self, int code, int turn, int cell, bint closed) noexcept nogil
    cpdef int turned(self, int code, int symmetry)
    cdef int _relevant(self, int x, int o)
    cdef Word _lacking(self, int own, int other)
    cpdef int _open(self, int code)
    cdef void _state_facts(self, int code)
    cdef void _find_chances(self, double[::1] chances, int code)
