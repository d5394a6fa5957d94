cimport cython
from service.kernel cimport bits, bounds, ordering
from service.kernel.bits cimport Mask, Word
from service.kernel.board cimport Board
from service.kernel.estimate.candidates cimport Candidates
from service.kernel.estimate.evaluation cimport Evaluation
from service.kernel.limits cimport Limits
from service.kernel.table cimport Table


@cython.final
cdef class Estimator:
    cdef Board _board
    cdef Limits _limits
    cdef Table _table
    cdef Candidates _candidates
    cdef Evaluation _evaluation
    cdef Word[::1] _words

    cdef long long value(
        self, Mask mine, Mask theirs, Mask own_wins, Mask opponent_wins, int marks, int depth,
        long long alpha, long long beta
    ) noexcept nogil
    cdef long long _forced(
        self, Mask mine, Mask theirs, Mask opponent_wins, int marks, int depth, long long alpha, long long beta, Mask move
    ) noexcept nogil
    cdef long long _within_proven(
        self, Mask mine, Mask theirs, Mask opponent_wins, int marks, int depth, long long alpha, long long beta, Mask moves
    ) noexcept nogil
    cdef long long _remembered(
        self, Mask mine, Mask theirs, Mask opponent_wins, int marks, int depth, long long alpha, long long beta, Mask moves
    ) noexcept nogil
    cdef (long long, int) _best_of(
        self, Mask mine, Mask theirs, Mask opponent_wins, int marks, int depth, long long alpha, long long beta, int end
    ) noexcept nogil
    cdef long long _move_value(
        self, Mask mine, Mask theirs, Mask opponent_wins, int marks, int depth, long long alpha, long long beta, int i
    ) noexcept nogil
