# The C twin of patterns.py, compiled into each module that calls it.

from service.kernel.bits cimport Mask, Word

cdef extern from "patterns.h":
    ctypedef struct Patterns "move_oracle_patterns":
        const Word *starts
        const Word *offsets
        const int *lengths
        int count

    ctypedef struct Lacking "move_oracle_lacking":
        Mask once
        Mask several

    Mask completing "move_oracle_completing" (Patterns patterns, Mask marks) noexcept nogil
    Mask within "move_oracle_within" (Patterns patterns, Mask cells) noexcept nogil
    bint has_line "move_oracle_has_line" (Patterns patterns, Mask marks) noexcept nogil
    Lacking lacking_two "move_oracle_lacking_two" (Patterns patterns, Mask marks, Mask against) noexcept nogil


cdef inline Patterns from_arrays(Word[::1] starts, Word[::1] offsets, int[::1] lengths) noexcept nogil:
    return Patterns(&starts[0], &offsets[0], &lengths[0], <int> starts.shape[0])
