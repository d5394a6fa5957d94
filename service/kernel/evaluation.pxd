from service.kernel cimport bits
from service.kernel.bits cimport Mask
from service.kernel.board cimport Board

cdef int evaluate(Board board, Mask mine, Mask theirs, Mask own_wins, Mask opponent_wins) noexcept nogil
cdef int worth(Board board, Mask marks, Mask against, Mask wins, Mask other_wins, Mask gets) noexcept nogil
cdef int open_lines(Board board, Mask marks, Mask against, Mask gets) noexcept nogil
cdef int zugzwang(Board board, Mask occupied, Mask own_wins, Mask opponent_wins) noexcept nogil
cdef Mask above(Board board, Mask cells) noexcept nogil
