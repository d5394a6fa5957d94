cimport cython
from service.kernel cimport bits, bounds
from service.kernel.bits cimport Mask
from service.kernel.board cimport Board
from service.kernel.proofs.canonical cimport Canonical
from service.kernel.limits cimport Limits
from service.kernel.proofs.proof_table cimport ProofTable
from service.kernel.proofs.threat_search cimport ThreatSearch


@cython.final
cdef class ProofNumbers:
    cdef Board _board
    cdef Limits _limits
    cdef ThreatSearch _threats
    cdef Canonical _canonical
    cdef ProofTable _table
    cdef Mask[::1] _attackers, _defenders, _moves, _killers
    cdef long long[::1] _proofs, _disproofs
    cdef Mask _defences
    cdef int[::1] _plies, _order_keys
    cdef int _end, _longest, _found
    cdef Mask move

    cdef int plies(self, Mask attacker, Mask defender, bint to_move) noexcept nogil
    cdef (long long, long long) _numbers(
        self, int depth, Mask attacker, Mask defender, bint attacks, long long most_proof, long long most_disproof
    ) noexcept nogil
    cdef int _attack(self, Mask attacker, Mask defender) noexcept nogil
    cdef int _defend(self, Mask attacker, Mask defender) noexcept nogil
    cdef Mask _find_defences(self, Mask attacker, Mask defender, Mask zone) noexcept nogil
    cdef void _add_children(self, int start, Mask attacker, Mask defender, bint attacks) noexcept nogil
    cdef void _find_order_keys(self, Mask attacker, Mask defender) noexcept nogil
    cdef void _refresh(self, int start, int end, bint attacks) noexcept nogil
    cdef (int, long long, long long, long long) _select(self, int start, int end, bint attacks) noexcept nogil
    cdef int _fastest(self, int start, int end) noexcept nogil
    cdef int _most_plies(self, int start, int end) noexcept nogil
    cdef (long long, long long) _store_win(self, Mask attacker, Mask defender, bint attacks, int plies) noexcept nogil


cdef int line_order_key(int own, int others, int length) noexcept nogil
