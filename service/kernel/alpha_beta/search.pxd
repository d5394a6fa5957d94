cimport cython
from service.kernel cimport bits, bounds, ordering
from service.kernel.bits cimport Mask
from service.kernel.board cimport Board
from service.kernel.canonical cimport Canonical
from service.kernel.estimate.estimator cimport Estimator
from service.kernel.limits cimport Limits
from service.kernel.estimate.look_ahead cimport LookAhead
from service.kernel.proofs.maker_breaker cimport MakerBreaker
from service.kernel.alpha_beta.nodes cimport Nodes
from service.kernel.ordering cimport MoveList
from service.kernel.proofs.proof_number cimport ProofNumbers
from service.kernel.table cimport Table
from service.kernel.proofs.threat_search cimport ThreatSearch


@cython.final
cdef class Search(Nodes):
    cdef LookAhead _look_ahead
    cdef Estimator _estimator
    cdef MakerBreaker _maker_breaker
    cdef object _words, _key_seeds, _automorphisms
    cdef ProofNumbers _proof_numbers
    cdef MoveList _list
    cdef ThreatSearch _threats
    cdef int[::1] _queue

    cdef int _next_alpha(self, int low, int high) noexcept nogil
    cdef int _value_before_forced(self, int slot, int start, int alpha, int beta) noexcept nogil
    cdef int _value(self, int slot, int start, int alpha, int beta) noexcept nogil
    cdef int _node(self, int slot, int start, int alpha, int beta) noexcept nogil
    cdef int _after_threats(
        self, int slot, int start, int tt_cell, int floor, int alpha, int low, int high, int lower, int upper
    ) noexcept nogil
    cdef int _apply_threats(self, ThreatSearch threats, int slot, int low) noexcept nogil
    cdef int _expand(self, int slot, int start, int tt_cell, int low, int high) noexcept nogil
    cdef int _order_children(self, int slot, int start, int end, int low, int high) noexcept nogil
    cdef int _best_of(self, int slot, int start, int end, int low, int high) noexcept nogil
    cdef bint _is_open(self, int slot, int child, int low, int high) noexcept nogil
    cdef void _store(self, int slot, int lower, int upper) noexcept nogil
    cdef int _outcome(
        self, MakerBreaker maker_breaker, Mask mine, Mask theirs, int alpha, long long allowed, long long ratio
    ) noexcept nogil
    cdef int _alpha_beta(self, Mask mine, Mask theirs, int alpha, int beta) noexcept nogil
