# The C twin of bits.py, compiled into each module that calls it.

ctypedef unsigned long long Mask
ctypedef unsigned long long Word
ctypedef object Words

ctypedef struct Pair:
    Word first
    Word second

cdef enum:
    MAX_CELLS = 64
    WORDS_PER_BUCKET = 4

cdef extern from *:
    long long UNIT "(1LL << 48)"
    Word ALL_BITS "0xFFFFFFFFFFFFFFFFULL"
    Word CHECK_BITS "0xFFFFFFFF00000000ULL"


cdef extern from *:
    """
    #if defined(__GNUC__) && defined(__x86_64__)
    #define MOVE_ORACLE_POPCNT
    static int move_oracle_has_popcnt; /* not all processors that this is compiled for have the instruction */
    __attribute__((constructor)) static void move_oracle_look_for_popcnt(void)
    {
        __builtin_cpu_init();
        move_oracle_has_popcnt = __builtin_cpu_supports("popcnt");
    }
    #endif

    static inline int move_oracle_count(unsigned long long mask)
    {
    #ifdef MOVE_ORACLE_POPCNT
        if (move_oracle_has_popcnt) {
            __asm__("popcntq %0, %0" : "+r"(mask) : : "cc");
            return (int) mask;
        }
    #endif
        mask -= (mask >> 1) & 0x5555555555555555ULL;
        mask = (mask & 0x3333333333333333ULL) + ((mask >> 2) & 0x3333333333333333ULL);
        mask = (mask + (mask >> 4)) & 0x0F0F0F0F0F0F0F0FULL;
        return (int) ((mask * 0x0101010101010101ULL) >> 56);
    }
    """
    int count "move_oracle_count" (Mask mask) noexcept nogil


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
