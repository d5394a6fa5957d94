"""The search's memory: one transposition table for all threads of all workers."""

import mmap

MEGABYTE = 1 << 20
MOST_PRIVATE = 8 * MEGABYTE
BYTES_PER_NODE = 16

LEAST_MAPPED = 1 << 17
"""The least size in bytes of memory that is mapped, so that the system zeroes each page when it is first used.

A ``bytearray`` is zeroed at once, while Python holds the interpreter's lock: 15 ms for 24 MB. Most searches use only a
small part.
"""

SAMPLED_PAGES, PAGE_WORDS = 64, 512
"""The number of pages sampled to estimate the used part of a table, and the words of a page.

Not all pages are read, because reading a page takes memory, even if it is empty.
"""

ALONE = {"flags": mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS} if hasattr(mmap, "MAP_PRIVATE") else {}
"""The ``mmap`` arguments of memory that forked processes do not share; empty on systems without ``MAP_PRIVATE``."""


def shared_memory(megabytes: int) -> memoryview:
    """Return 64-bit words, all zero, in memory that processes forked from this one share.

    Their number is the greatest power of two within ``megabytes``. Unused pages take no memory, so a generous size
    costs nothing until it is used.
    """
    size = 1 << (megabytes * MEGABYTE).bit_length() - 1
    return memoryview(mmap.mmap(-1, size)).cast("Q")


def private_memory(nodes: int) -> memoryview:
    """Return zeroed 64-bit words for one search: at least one entry for each node, up to ``MOST_PRIVATE`` bytes."""
    size = 1 << (nodes * BYTES_PER_NODE).bit_length()
    return private_words(max(1024, min(size, MOST_PRIVATE)) // 8)


def private_words(count: int) -> memoryview:
    """Return zeroed 64-bit words. Unused pages of a large array take neither memory nor time."""
    size = 8 * count
    return memoryview(mmap.mmap(-1, size, **ALONE) if size >= LEAST_MAPPED else bytearray(size)).cast("Q")


def used_part(words: memoryview) -> float:
    """Return the estimated fraction, from 0 to 1, of words of a table that are not zero, by evenly spaced pages."""
    step = max(PAGE_WORDS, len(words) // SAMPLED_PAGES)
    pages = [words[start : start + PAGE_WORDS] for start in range(0, len(words), step)]
    return sum(sum(map(bool, page)) for page in pages) / sum(map(len, pages))
