cimport cython
from service.kernel cimport bits
from service.kernel.proofs cimport zone_table
from service.kernel.bits cimport Mask, Word
from service.kernel.board cimport Board
from service.kernel.limits cimport Limits
from service.kernel.proofs.live_lines cimport LiveLines
from service.kernel.proofs.pairing cimport Pairing
from service.kernel.proofs.zone_table cimport ZoneTable


@cython.final
cdef class MakerBreaker:
    cdef Board _board
    cdef Limits _limits
    cdef LiveLines lines
    cdef Pairing pairing
    cdef ZoneTable table
    cdef long long[::1] _values
    cdef int[::1] _stronger
    cdef long long[::1] _line_values
    cdef Mask zone
    cdef int _steps

    cdef bint holds(self, Mask marks, Mask against, bint maker_first) noexcept nogil
    cdef Mask reply(self, Mask marks, Mask against) noexcept nogil
    cdef bint _maker_to_move(self, int frame) noexcept nogil
    cdef bint _try_maker(self, int frame) noexcept nogil
    cdef bint _wins_by_force(self, int frame, int depth) noexcept nogil
    cdef bint _breaker_to_move(self, int frame) noexcept nogil
    cdef Mask _holding_move(self, int frame) noexcept nogil
    cdef Mask _tested_move(self, int frame, Mask moves) noexcept nogil
    cdef bint _probe_or_search(self, int frame, bint maker_first) noexcept nogil
    cdef bint _search(self, int frame, bint maker_first) noexcept nogil
    cdef bint _test(self, int frame, bint maker_first) noexcept nogil
    cdef Mask _find_weaker(self, int frame) noexcept nogil
    cdef Mask _with_stronger(self, int frame, Mask zone, Mask weaker) noexcept nogil
    cdef void _weigh_moves(self, int frame, Mask moves) noexcept nogil
    cdef Mask _best_move(self, int frame, Mask moves) noexcept nogil
