from service.kernel cimport bits
from service.kernel.bits cimport Mask, Word
from service.kernel.board cimport Board

cdef int INFINITY

cdef int kind_of(long long value, long long alpha, long long beta) noexcept nogil
cdef bint decides(int kind, long long value, long long alpha, long long beta) noexcept nogil
cdef int win_score(Board board, int marks) noexcept nogil
cdef int lost_score(Board board, int marks) noexcept nogil
cdef int static_upper(Board board, Mask mine, Mask theirs, int marks, int alpha, Mask live) noexcept nogil
cdef int static_lower(Board board, Mask mine, Mask theirs, int marks, int beta, Mask live) noexcept nogil
cdef Word potential(Board board, Mask marks, Mask against) noexcept nogil
cdef int claimeven_bound(
    Board board, Mask mine, Mask theirs, Mask opponent_wins, int marks, int alpha
) noexcept nogil
cdef int claimeven_with_traps(Board board, Mask mine, Mask theirs, Mask traps, int marks) noexcept nogil
