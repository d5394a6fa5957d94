"""The search's memory: one transposition table for all threads of all workers."""

import mmap

MEGABYTE = 1 << 20
MOST_PRIVATE = 8 * MEGABYTE
BYTES_PER_NODE = 16

LEAST_MAPPED = 1 << 17
"""Bytes from which memory is mapped alone, so that the system makes its pages zero one by one as they are used.

Python would write all of it at once, with the interpreter's lock: 15 ms for 24 MB, of which most searches use little.
"""

SAMPLED_PAGES, PAGE_WORDS = 64, 512
"""What of a table is looked at to tell how full it is. A page that is read takes memory, even if it is empty."""

ALONE = {"flags": mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS} if hasattr(mmap, "MAP_PRIVATE") else {}
"""Arguments of a mapping that is this process's alone, on systems that distinguish it."""


def shared_memory(megabytes: int) -> memoryview:
    """Return 64-bit words, all zero, in memory that processes forked from this one share.

    Their number is the greatest power of two that fits into so many megabytes. Pages that were never written take no
    memory, so a generous size costs nothing until it is used.
    """
    size = 1 << (megabytes * MEGABYTE).bit_length() - 1
    return memoryview(mmap.mmap(-1, size)).cast("Q")


def private_memory(nodes: int) -> memoryview:
    """Return zeroed 64-bit words for one search of at most ``nodes`` nodes: an entry for each, up to a limit."""
    size = 1 << (nodes * BYTES_PER_NODE).bit_length()
    return private_words(max(1024, min(size, MOST_PRIVATE)) // 8)


def private_words(count: int) -> memoryview:
    """Return zeroed 64-bit words. Of a large array only the pages that are used take memory and time."""
    size = 8 * count
    return memoryview(mmap.mmap(-1, size, **ALONE) if size >= LEAST_MAPPED else bytearray(size)).cast("Q")


def used_part(words: memoryview) -> float:
    """Return about which part of the words of a table is not zero, by pages at even distances."""
    step = max(PAGE_WORDS, len(words) // SAMPLED_PAGES)
    pages = [words[start : start + PAGE_WORDS] for start in range(0, len(words), step)]
    return sum(sum(map(bool, page)) for page in pages) / sum(map(len, pages))
