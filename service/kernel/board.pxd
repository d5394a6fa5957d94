cimport cython
from service.kernel cimport bits, patterns
from service.kernel.bits cimport Mask, Word
from service.kernel.patterns cimport Lacking, Patterns


@cython.final
cdef class Board:
    cdef int cells, drop
    cdef bint misere
    cdef Mask full, bottom_row, claimeven
    cdef int[::1] weights
    cdef int patterns
    cdef int[::1] lengths
    cdef Word[::1] offsets
    cdef Mask[::1] starts
    cdef Patterns _lines
    cdef Mask[::1] _images
    cdef int symmetries, _stride
    cdef int[::1] inverses

    cdef Mask playable(self, Mask occupied) noexcept nogil
    cdef Mask non_losing(self, Mask occupied, Mask own_wins, Mask opponent_wins) noexcept nogil
    cdef Mask non_losing_moves(self, Mask mine, Mask theirs) noexcept nogil
    cdef Mask filled_up(self, Mask marks) noexcept nogil
    cdef Mask filled_down(self, Mask marks) noexcept nogil
    cdef Mask threats(self, Mask marks, Mask empty) noexcept nogil
    cdef Mask live(self, Mask against) noexcept nogil
    cdef bint has_line(self, Mask marks) noexcept nogil
    cdef (Mask, Mask) gains(self, Mask marks, Mask against) noexcept nogil
    cdef bint has_line_with_one_of(self, Mask marks, Mask pair) noexcept nogil
    cdef (Mask, Mask) canonical(self, Mask mine, Mask theirs) noexcept nogil
    cdef Mask image(self, Mask marks, int symmetry) noexcept nogil
