cimport cython
from service.kernel cimport bits, bounds
from service.kernel.bits cimport Mask, Word
from service.kernel.board cimport Board
from service.kernel.limits cimport Limits
from service.kernel.table cimport Table


cdef class Nodes:
    cdef Board _board
    cdef Table _table
    cdef Limits _limits
    # The position: its masks, the cells where each player would complete a line, the number of marks.
    cdef Mask[::1] _mine, _theirs, _own_wins, _opponent_wins
    cdef int[::1] _marks
    # The moves worth trying, bounds on the score, the key (0 before it is known) and its check bits.
    cdef Mask[::1] _moves
    cdef int[::1] _lower, _upper
    cdef Word[::1] _keys, _checks
    # The most that the children settled so far are worth, and by which move.
    cdef int[::1] _best, _best_cell
    # Of a child: the move that leads to it, the side to move after forced moves, how early to try it.
    cdef int[::1] _move_cell, _side, _priority

    cdef void _enter(
        self, int slot, Mask mine, Mask theirs, Mask own_wins, Mask opponent_wins, int marks
    ) noexcept nogil
    cdef void _apply_static_bounds(self, int slot, int alpha, int beta) noexcept nogil
    cdef int _apply_tt_bounds(self, int slot) noexcept nogil
