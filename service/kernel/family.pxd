from service.kernel cimport bits

ctypedef unsigned long long Word

cdef Word ILLEGAL
cdef int ONGOING, LOST, DRAWN, WON


cdef class Family:
    cdef readonly int moves, images

    cdef bits.Pair play(self, Word first, Word second, int move) noexcept nogil
    cdef int result(self, Word first, Word second) noexcept nogil
    cdef bits.Pair image(self, Word first, Word second, int symmetry) noexcept nogil
    cdef bits.Pair canonical(self, Word first, Word second) noexcept nogil
