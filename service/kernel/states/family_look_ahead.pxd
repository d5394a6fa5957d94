cimport cython
from service.kernel cimport bits, bounds
from service.kernel.limits cimport Limits
from service.kernel.states cimport family
from service.kernel.states.children cimport Children
from service.kernel.states.family cimport Family, Word


@cython.final
cdef class FamilyLookAhead:
    cdef Family _family
    cdef Limits _limits
    cdef Children _children
    cdef Word[::1] _table
    cdef Word _index_mask, _first_seed, _second_seed

    cdef int value(
        self, Word first, Word second, int depth, int alpha, int beta, int slot, int remaining
    ) noexcept nogil
    cdef int _look_further(
        self, Word first, Word second, int depth, int alpha, int beta, int slot, int remaining
    ) noexcept nogil
    cdef Word _entry(self, Word key, Word check) noexcept nogil
    cdef int _probable_bound(
        self, Word first, Word second, int depth, int alpha, int beta, int slot, int remaining
    ) noexcept nogil
    cdef int _best_child(
        self, Word first, Word second, int slot, int end, int depth, int alpha, int beta, int remaining
    ) noexcept nogil
    cdef int _best_estimate(self, Word first, Word second, int slot, int remaining) noexcept nogil
