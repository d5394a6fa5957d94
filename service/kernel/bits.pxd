# The C twin of bits.py, compiled into each module that calls it.

ctypedef unsigned long long Mask
ctypedef unsigned long long Word
ctypedef object Words

ctypedef struct Pair:
    Word first
    Word second

cdef enum:
    MAX_CELLS = 64
    MAX_LINE = 64
    WORDS_PER_BUCKET = 4

cdef extern from *:
    long long UNIT "(1LL << 48)"
    Word ALL_BITS "0xFFFFFFFFFFFFFFFFULL"
    Word CHECK_BITS "0xFFFFFFFF00000000ULL"


cdef inline int count(Mask mask) noexcept nogil:
    # Compilers recognize this form and use the processor's instruction where they may.
    mask = mask - ((mask >> 1) & 0x5555555555555555ULL)
    mask = (mask & 0x3333333333333333ULL) + ((mask >> 2) & 0x3333333333333333ULL)
    mask = (mask + (mask >> 4)) & 0x0F0F0F0F0F0F0F0FULL
    return <int> ((mask * 0x0101010101010101ULL) >> 56)


cdef extern from *:
    """
    #if defined(__GNUC__) || defined(__clang__)
    #define move_oracle_cell(bit) __builtin_ctzll(bit)
    #else
    static int move_oracle_cell(unsigned long long bit) { int cell = 0; while (bit >>= 1) cell++; return cell; }
    #endif
    """
    int cell "move_oracle_cell" (Mask bit) noexcept nogil


cdef inline Word mix(Word word) noexcept nogil:
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9ULL
    word = (word ^ (word >> 27)) * 0x94D049BB133111EBULL
    return word ^ (word >> 31)


cdef inline Word mix_otherwise(Word word) noexcept nogil:
    word = (word ^ (word >> 33)) * 0xFF51AFD7ED558CCDULL
    word = (word ^ (word >> 33)) * 0xC4CEB9FE1A85EC53ULL
    return word ^ (word >> 33)


cdef extern from *:
    """
    #if defined(__GNUC__) || defined(__clang__)
    #define move_oracle_prefetch(address) __builtin_prefetch(address)
    #else
    #define move_oracle_prefetch(address) ((void) (address))
    #endif
    """
    void prefetch "move_oracle_prefetch" (Word *address) noexcept nogil
