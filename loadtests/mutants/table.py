"""Ten faults that would be worst, each with the test that finds it."""

from loadtests.mutants.mutant import Mutant

WEAK_KEY = Mutant(
    name="the weak key",
    file="service/kernel/table.py",
    old="""\
        first: bits.Word = bits.mix(least ^ self._key_seeds[2 * marks])
        second: bits.Word = bits.mix_otherwise(least_theirs ^ self._key_seeds[2 * marks + 1])
        key: bits.Word = first ^ second
        if cython.compiled:  # all children get their keys before one is probed, so the waits for memory overlap
            bits.prefetch(cython.address(self._words[self._bucket(key, marks)]))
        return key, first & bits.CHECK_BITS
""",
    new="""\
        first: bits.Word = bits.mix(least ^ self._key_seeds[0])
        second: bits.Word = least_theirs ^ self._key_seeds[1]
        overlapping: bits.Word = cython.cast(cython.ulonglong, marks) << 57
        key: bits.Word = bits.mix(first + second + overlapping)
        if cython.compiled:
            bits.prefetch(cython.address(self._words[self._bucket(key, marks)]))
        return key, 0
""",
    test="tests/kernel/test_false_proofs.py::test_a_misere_game_of_which_version_0_1_0_proved_what_is_false_has_its_true_values",
    tier="test",
)
"""Version 0.1.0 made keys so: the marks of the opponent and their number overlap before anything mixes them."""

MUTANTS = (
    Mutant(
        name="win and draw swapped",
        file="service/kernel/alpha_beta/search.py",
        old="        if self._board.has_line(theirs):\n            return self._board.cells + 1 - marks if",
        new="        if marks < self._board.cells and self._board.has_line(theirs):\n"
        "            return self._board.cells + 1 - marks if",
        test="tests/engine/test_laws.py::test_law_4_a_full_board_with_a_line_is_no_draw",
        tier="test",
    ),
    Mutant(
        name="a symmetry skipped",
        file="service/kernel/board.py",
        old="for symmetry in range(self.symmetries):",
        new="for symmetry in range(self.symmetries - 1):",
        test="tests/kernel/test_board.py::test_all_symmetric_images_of_a_position_have_one_canonical_position",
        tier="test",
    ),
    Mutant(
        name="an unproven result cached",
        file="service/engine/cache/proven_cache.py",
        old="        if isinstance(known, ProvenResult):\n            self._proven.keep(",
        new="        self._proven.keep(key, _Searched(known, cost, 'cache'))\n"
        "        if isinstance(known, ProvenResult):\n            self._proven.keep(",
        test="tests/engine/test_laws.py::test_law_6_what_a_limit_leaves_open_is_no_draw_and_is_searched_for_again",
        tier="test",
    ),
    Mutant(
        name="plies off by one",
        file="service/engine/result.py",
        old="return score - 1 if score > 0 else score + 1 if score < 0 else 0",
        new="return score",
        test="tests/engine/test_laws.py::test_law_3_a_ply_before_the_end_is_a_ply_further_off_in_a_bound_as_in_a_proof",
        tier="test",
    ),
    Mutant(
        name="a 500 for a bad header",
        file="service/edge/app.py",
        old='request.headers.get(b"content-type", b"").decode("latin-1")',
        new='request.headers.get(b"content-type", b"").decode()',
        test="tests/edge/test_head.py::test_a_header_that_is_no_text_is_no_fault_of_the_service",
        tier="test",
    ),
    Mutant(
        name="Retry-After dropped",
        file="service/api/problems.py",
        old='return Problem("overloaded", detail, headers={"Retry-After": str(refusal.seconds)})',
        new='return Problem("overloaded", detail)',
        test="tests/api/test_admission.py::test_law_1_long_work_is_refused_without_a_slot_and_all_answers_are_the_same_with_slots_and_without",
        tier="test",
    ),
    Mutant(
        name="a forged shared entry accepted",
        file="service/redis_cache.py",
        old="if isinstance(value, bytes) and value[:SEAL_BYTES] == self._seal(key, value[SEAL_BYTES:]):",
        new="if isinstance(value, bytes):",
        test="tests/redis_cache/test_entries.py::test_only_those_who_know_the_secret_are_believed",
        tier="test",
    ),
    WEAK_KEY,
    Mutant(
        name="a wrong column of a gravity move",
        file="service/games/notation/lines.py",
        old="free = self._columns[number]",
        new="free = self._columns[-1 - number]",
        test="tests/api/test_record.py::test_every_form_of_a_game_is_in_the_contract_and_leads_to_the_same_position",
        tier="test",
    ),
    Mutant(
        name="a stale service worker",
        file="service/web/page.py",
        old="blake2b(whole + source(WORKER), digest_size=8)",
        new="blake2b(source(WORKER), digest_size=8)",
        test="tests/api/test_documents.py::test_a_new_release_takes_the_place_of_the_kept_page",
        tier="test",
    ),
)
