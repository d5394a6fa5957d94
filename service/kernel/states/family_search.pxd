from service.kernel cimport bits, bounds
from service.kernel.states cimport family
from service.kernel.states.children cimport Children
from service.kernel.states.family cimport Family, Word
from service.kernel.states.family_look_ahead cimport FamilyLookAhead
from service.kernel.limits cimport Limits


cdef class FamilySearch:
    cdef readonly Limits limits
    cdef Family _family
    cdef Children _children
    cdef FamilyLookAhead _look_ahead
    cdef Word[::1] _table
    cdef Word _index_mask, _first_seed, _second_seed
    cdef bint _guided

    cdef int _alpha_beta(
        self, Word first, Word second, int alpha, int beta, int slot, int remaining
    ) noexcept nogil
    cdef int _best_child(
        self, Word first, Word second, int slot, int end, int low, int alpha, int beta, int remaining
    ) noexcept nogil
    cdef int _put_children(self, Word first, Word second, int slot) noexcept nogil
    cdef (int, int) _probe(self, Word key, Word check, int played) noexcept nogil
    cdef void _store(self, Word key, Word check, int low, int high, int played) noexcept nogil


cdef int _further(int score, int plies) noexcept nogil
