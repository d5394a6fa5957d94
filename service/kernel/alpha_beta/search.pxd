cimport cython
from service.kernel cimport bits
from service.kernel.bits cimport Mask
from service.kernel.alpha_beta.alpha_beta cimport AlphaBeta
from service.kernel.board cimport Board
from service.kernel.proofs.canonical cimport Canonical
from service.kernel.estimate.estimator cimport Estimator
from service.kernel.limits cimport Limits
from service.kernel.estimate.look_ahead cimport LookAhead
from service.kernel.proofs cimport zone_table
from service.kernel.proofs.maker_breaker cimport MakerBreaker
from service.kernel.ordering cimport MoveList
from service.kernel.proofs.proof_number cimport ProofNumbers
from service.kernel.table cimport Table
from service.kernel.proofs.threat_search cimport ThreatSearch


@cython.final
cdef class Search:
    cdef Board _board
    cdef Limits _limits
    cdef Table _table
    cdef AlphaBeta _alpha_beta
    cdef LookAhead _look_ahead
    cdef Estimator _estimator
    cdef MakerBreaker _maker_breaker
    cdef object _words, _key_seeds, _automorphisms
    cdef ProofNumbers _proof_numbers
    cdef MoveList _list

    cdef int _next_alpha(self, int low, int high) noexcept nogil
    cdef int _outcome(
        self, MakerBreaker maker_breaker, Mask mine, Mask theirs, int alpha, long long allowed, long long ratio
    ) noexcept nogil
