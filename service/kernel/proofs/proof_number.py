"""Proof-number search: whether one player, the attacker, can force a win of any length.

Proof-number search (Allis, van der Meulen and van den Herik, 1994) goes where least is left to prove. The *proof
number* of a position is the minimum number of positions that must still be won to prove the attacker's win. If the
attacker is to move, it is the least proof number after any move; if the defender is, the sum of those after all
defences. The *disproof number* is defined alike, with the roles of the players exchanged. The search is depth-first
(df-pn, Nagai, 2002): a position is searched until one of its numbers reaches a limit at which another position is more
promising.

Wins by threats (see ``threat_search``) end the search early. If the attacker, to move, wins by threats, that is a
proof. If the attacker would win by threats after a pass of the defender, only defences in the zone of that win are
tried. Marks are only added, so no position repeats.
"""

from array import array

import cython

from service.kernel import bits, bounds
from service.kernel.board import Board
from service.kernel.limits import Limits
from service.kernel.proofs.canonical import Canonical
from service.kernel.proofs.proof_table import ProofTable
from service.kernel.proofs.threat_search import ThreatSearch

INFINITE = cython.declare(cython.const_longlong, 1 << 30)
CHILDREN = cython.declare(cython.const_int, 64)  # of a position

THREAT_NODES = cython.declare(cython.const_int, 1000)  # the maximum positions of a threat-space search
FIRST_PROOF = cython.declare(cython.const_longlong, 1)  # proof number of the attacker's most promising move
FIRST_DISPROOF = cython.declare(cython.const_longlong, 3)  # disproof number of each move
ORDER_WEIGHT = cython.declare(cython.const_int, 2)  # added to the proof number for each point below the best order key
KILLER = cython.declare(cython.const_int, 10)  # added to the order key of a move that won a similar position


class ProofNumbers:
    """Proof-number searches of one game without gravity and not misère.

    All searches of one ``ProofNumbers`` share its table. Entries are exact: they contain both masks.
    """

    def __init__(self, board: Board, limits: Limits, canonical: Canonical) -> None:
        self._board = board
        self._limits = limits
        self._threats = ThreatSearch(board, limits)
        self._canonical = canonical
        self._table = ProofTable()
        places = 64 * (board.cells + 1)  # a position uses the places from 64 times its depth on
        self._attackers = array("Q", bytes(8 * places))
        self._defenders = array("Q", bytes(8 * places))
        self._moves = array("Q", bytes(8 * places))
        self._proofs = array("q", bytes(8 * places))
        self._disproofs = array("q", bytes(8 * places))
        self._plies = array("i", bytes(4 * places))  # of the children that are won
        self._longest = 0
        self._found = 0
        self._order_keys = array("i", bytes(4 * board.cells))
        self._killers = array("Q", bytes(8 * (board.cells + 1)))
        self._defences = 0
        self._end = 0
        self.move = 0

    def plies(self, attacker: bits.Mask, defender: bits.Mask, to_move: cython.bint) -> cython.int:
        """Return the plies of a proven win of the attacker, who is ``to_move`` or not; 0 without a proof.

        The plies are the maximum length of the win found; a faster win may exist. If the attacker is to move, ``move``
        becomes the first move. 0 proves nothing: the search was stopped, or found no win among the moves that it tries.
        A further call continues the search. The canonical position is searched, so symmetric positions take equally
        long.
        """
        own: bits.Mask
        other: bits.Mask
        proof: cython.longlong
        own, other = self._canonical.of(attacker, defender)
        symmetry: cython.int = self._canonical.symmetry
        proof, _ = self._numbers(0, own, other, to_move, INFINITE, INFINITE)
        if proof != 0 or self._limits.stopped:
            return 0
        if to_move:
            self.move = self._canonical.undo(self.move, symmetry)
        return self._found

    def _numbers(  # noqa: PLR0911, each way to be decided is a return
        self,
        depth: cython.int,
        attacker: bits.Mask,
        defender: bits.Mask,
        attacks: cython.bint,
        most_proof: cython.longlong,
        most_disproof: cython.longlong,
    ) -> tuple[cython.longlong, cython.longlong]:
        """Return the proof and the disproof number once one is 0 or reaches its limit; no meaning after a stop."""
        if self._limits.count_node():
            return 1, 1
        decided: cython.int = self._attack(attacker, defender) if attacks else self._defend(attacker, defender)
        if decided > 0:
            return self._store_win(attacker, defender, attacks, self._longest)
        if decided:
            self._table.store(attacker, defender, attacks, INFINITE, 0)
            return INFINITE, 0
        longest: cython.int = self._longest
        start: cython.int = CHILDREN * depth
        self._add_children(start, attacker, defender, attacks)
        end: cython.int = self._end
        self._refresh(start, end, attacks)
        proof: cython.longlong
        disproof: cython.longlong
        first: cython.int
        second: cython.longlong
        next_proof: cython.longlong
        next_disproof: cython.longlong
        while True:
            first, second, proof, disproof = self._select(start, end, attacks)
            if proof == 0 and attacks:
                first = self._fastest(start, end)
                self._killers[bits.count(attacker | defender)] = self.move = self._moves[first]
                return self._store_win(attacker, defender, attacks, 1 + self._plies[first])
            if proof == 0:
                return self._store_win(attacker, defender, attacks, max(longest, 1 + self._most_plies(start, end)))
            if proof >= most_proof or disproof >= most_disproof or disproof == 0:
                self._table.store(attacker, defender, attacks, proof, disproof)
                return proof, disproof
            second += 1 + second // 4  # a margin against alternating between two children (Pawlewicz, Lew, 2007)
            if attacks:
                next_proof = min(most_proof, second)
                next_disproof = min(INFINITE, most_disproof - disproof + self._disproofs[first])
            else:
                next_proof = min(INFINITE, most_proof - proof + self._proofs[first])
                next_disproof = min(most_disproof, second)
            self._numbers(
                depth + 1, self._attackers[first], self._defenders[first], not attacks, next_proof, next_disproof
            )
            if self._limits.stopped:
                return 1, 1
            self._refresh(first, first + 1, attacks)

    def _attack(self, attacker: bits.Mask, defender: bits.Mask) -> cython.int:
        """Return 1 if the attacker, to move, wins by threats, -1 if no win is possible, else 0.

        For a win, ``_longest`` becomes its plies and ``move`` its first move. Otherwise ``_defences`` becomes the moves
        to try.
        """
        self._longest = self._threats.plies(attacker, defender, THREAT_NODES)
        if self._longest:
            self.move = self._threats.move
            return 1
        empty: bits.Mask = self._board.full ^ (attacker | defender)
        must: bits.Mask = self._board.threats(defender, empty)
        self._defences = must or (self._board.live(defender) & empty)
        if must & (must - 1) or not self._defences:
            return -1
        if not must and 2 * bounds.potential(self._board, attacker, defender) < bits.UNIT:
            return -1
        return 0

    def _defend(self, attacker: bits.Mask, defender: bits.Mask) -> cython.int:  # noqa: PLR0911, as above
        """Return 1 if the defender, to move, loses by threats, -1 if the attack has failed, else 0.

        The attack has failed if the attacker cannot win, or if the defender wins by threats. ``_defences`` becomes the
        moves to try, ``_longest`` the maximum plies in which the other moves lose.
        """
        empty: bits.Mask = self._board.full ^ (attacker | defender)
        if self._board.threats(defender, empty) or not empty:
            return -1
        wins: bits.Mask = self._board.threats(attacker, empty)
        self._longest = 2
        if wins & (wins - 1):
            return 1
        self._defences = wins
        if wins:
            return 0
        if self._threats.plies(defender, attacker, THREAT_NODES):
            return -1
        self._longest = 1 + self._threats.plies(attacker, defender, THREAT_NODES)
        if self._longest == 1:
            self._defences = empty
            if bounds.potential(self._board, attacker, defender) < bits.UNIT:
                return -1
        elif not self._find_defences(attacker, defender, self._threats.zone & empty):
            return 1
        return 0

    def _find_defences(self, attacker: bits.Mask, defender: bits.Mask, zone: bits.Mask) -> bits.Mask:
        """Return the moves of a zone after which no win by threats is found; keep them in ``_defences`` too.

        Each win that is found narrows the zone. ``_longest`` becomes the maximum plies of these wins, if greater.
        """
        tried: bits.Mask = 0
        move: bits.Mask
        plies: cython.int
        left: bits.Mask = zone
        while left & (self._board.full ^ tried):
            move = left & (self._board.full ^ tried)
            move &= 0 - move
            tried |= move
            plies = self._threats.plies(attacker, defender | move, THREAT_NODES)
            if plies:
                self._longest = max(self._longest, 1 + plies)
                left &= self._threats.zone & (self._board.full ^ move)
        self._defences = left
        return left

    def _add_children(self, start: cython.int, attacker: bits.Mask, defender: bits.Mask, attacks: cython.bint) -> None:
        """Write the canonical positions after the moves to try into places from ``start`` on, each once.

        Each gets its initial numbers. ``_end`` becomes the place after the last.
        """
        moves: bits.Mask = self._defences
        killer: bits.Mask = self._killers[bits.count(attacker | defender)]
        move: bits.Mask
        mine: bits.Mask
        theirs: bits.Mask
        known: cython.int
        most: cython.longlong = 0
        end: cython.int = start
        if attacks:
            self._find_order_keys(attacker, defender)
        while moves:
            move = moves & (0 - moves)
            moves ^= move
            if attacks:
                mine, theirs = self._canonical.of(attacker | move, defender)
            else:
                mine, theirs = self._canonical.of(attacker, defender | move)
            known = start
            while known < end and (self._attackers[known] != mine or self._defenders[known] != theirs):
                known += 1
            if known < end:
                continue
            self._attackers[end] = mine
            self._defenders[end] = theirs
            self._moves[end] = move
            self._table.prefetch(mine, theirs)
            self._disproofs[end] = FIRST_DISPROOF
            self._proofs[end] = 1
            if attacks:
                self._proofs[end] = self._order_keys[bits.cell(move)] + (KILLER if move == killer else 0)
                most = max(most, self._proofs[end])
            end += 1
            self._limits.count_node()
        if attacks:
            for known in range(start, end):
                self._proofs[known] = FIRST_PROOF + ORDER_WEIGHT * (most - self._proofs[known])
        self._end = end

    def _find_order_keys(self, attacker: bits.Mask, defender: bits.Mask) -> None:
        """Set the order key of each cell for a move of the attacker, by the marks on the lines through the cell."""
        starts: bits.Mask
        start: bits.Mask
        line: bits.Mask
        pattern: cython.int
        i: cython.int
        order_key: cython.int
        for i in range(self._board.cells):
            self._order_keys[i] = 0
        for pattern in range(self._board.patterns):
            starts = self._board.starts[pattern]
            while starts:
                start = starts & (0 - starts)
                starts ^= start
                line = 0
                for i in range(self._board.lengths[pattern]):
                    line |= start << self._board.offsets[i * self._board.patterns + pattern]
                order_key = line_order_key(
                    bits.count(line & attacker), bits.count(line & defender), self._board.lengths[pattern]
                )
                while order_key and line:
                    self._order_keys[bits.cell(line & (0 - line))] += order_key
                    line &= line - 1

    def _refresh(self, start: cython.int, end: cython.int, attacks: cython.bint) -> None:
        """Update the numbers of children from the table: other lines of play lead to the same positions."""
        child: cython.int
        proof: cython.longlong
        disproof: cython.longlong
        for child in range(start, end):
            proof, disproof = self._table.look_up(self._attackers[child], self._defenders[child], not attacks)
            if proof < 0:
                continue
            self._proofs[child] = proof
            self._disproofs[child] = disproof
            if proof == 0:
                self._plies[child] = disproof
                self._disproofs[child] = INFINITE

    def _select(
        self, start: cython.int, end: cython.int, attacks: cython.bint
    ) -> tuple[cython.int, cython.longlong, cython.longlong, cython.longlong]:
        """Return the child to search, the second least number of the children, and both numbers of the parent.

        Children are compared by their proof numbers if the attacker is to move, else by their disproof numbers.
        """
        first: cython.int = -1
        least: cython.longlong = INFINITE
        second: cython.longlong = INFINITE
        total: cython.longlong = 0
        number: cython.longlong
        child: cython.int
        for child in range(start, end):
            number = self._proofs[child] if attacks else self._disproofs[child]
            total += self._disproofs[child] if attacks else self._proofs[child]
            if number < least or first < 0:
                second = least
                least = number
                first = child
            elif number < second:
                second = number
        total = INFINITE if least == 0 else min(total, INFINITE)
        return (first, second, least, total) if attacks else (first, second, total, least)

    def _fastest(self, start: cython.int, end: cython.int) -> cython.int:
        """Return the child that is won in the fewest plies, as far as proven."""
        found: cython.int = -1
        child: cython.int
        for child in range(start, end):
            if self._proofs[child] == 0 and (found < 0 or self._plies[child] < self._plies[found]):
                found = child
        return found

    def _most_plies(self, start: cython.int, end: cython.int) -> cython.int:
        """Return the maximum plies of the children, which are all won; 0 without children."""
        found: cython.int = 0
        child: cython.int
        for child in range(start, end):
            found = max(found, self._plies[child])
        return found

    def _store_win(
        self, attacker: bits.Mask, defender: bits.Mask, attacks: cython.bint, plies: cython.int
    ) -> tuple[cython.longlong, cython.longlong]:
        """Store that a position is won in ``plies`` plies, and return its numbers."""
        self._found = plies
        self._table.store(attacker, defender, attacks, 0, plies)
        return 0, INFINITE


def line_order_key(own: cython.int, others: cython.int, length: cython.int) -> cython.int:
    """Return a line's part of an order key, by its numbers of the attacker's marks (``own``) and the ``others``."""
    if own and others:
        return 0
    if others:
        return 3 if others > 1 else 1
    if own == 0:
        return 1
    return 12 if own == length - 2 else 4
