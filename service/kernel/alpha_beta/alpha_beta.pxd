cimport cython
from service.kernel cimport bits, bounds, ordering
from service.kernel.bits cimport Mask
from service.kernel.board cimport Board
from service.kernel.alpha_beta.history cimport History
from service.kernel.alpha_beta.nodes cimport Nodes
from service.kernel.estimate.evaluation cimport Evaluation
from service.kernel.proofs.threat_search cimport ThreatSearch


@cython.final
cdef class AlphaBeta(Nodes):
    cdef public ThreatSearch threats
    cdef int[::1] _queue
    cdef History _history
    cdef Evaluation _evaluation

    cdef int value(self, Mask mine, Mask theirs, int alpha, int beta) noexcept nogil
    cdef int _value_before_forced(self, int slot, int start, int alpha, int beta) noexcept nogil
    cdef int _value(self, int slot, int start, int alpha, int beta) noexcept nogil
    cdef int _node(self, int slot, int start, int alpha, int beta) noexcept nogil
    cdef int _after_threats(
        self, int slot, int start, int tt_cell, int floor, int alpha, int low, int high, int lower, int upper
    ) noexcept nogil
    cdef int _apply_threats(self, ThreatSearch threats, int slot, int low) noexcept nogil
    cdef int _expand(self, int slot, int start, int tt_cell, int low, int high) noexcept nogil
    cdef bint _evaluates(self, int slot, int low, int high) noexcept nogil
    cdef int _evaluation_bonus(self, int child) noexcept nogil
    cdef int _order_children(self, int slot, int start, int end, int low, int high) noexcept nogil
    cdef int _best_of(self, int slot, int start, int end, int low, int high) noexcept nogil
    cdef bint _is_open(self, int slot, int child, int low, int high) noexcept nogil
    cdef void _count_cut_off(self, int slot, int start, int place) noexcept nogil
    cdef void _store(self, int slot, int lower, int upper) noexcept nogil
