"""The search's memory: one transposition table for all threads of all workers."""

import mmap

MEGABYTE = 1 << 20
MOST_PRIVATE = 8 * MEGABYTE
BYTES_PER_NODE = 16


def shared_memory(megabytes: int) -> memoryview:
    """Return 64-bit words, all zero, in memory that processes forked from this one share.

    Their number is the greatest power of two that fits into so many megabytes. Pages that were never written take no
    memory, so a generous size costs nothing until it is used.
    """
    size = 1 << (megabytes * MEGABYTE).bit_length() - 1
    return memoryview(mmap.mmap(-1, size)).cast("Q")


def private_memory(nodes: int) -> memoryview:
    """Return 64-bit words, all zero, for one search of at most so many nodes: an entry for each, up to a limit."""
    size = 1 << (nodes * BYTES_PER_NODE).bit_length()
    return memoryview(bytearray(max(1024, min(size, MOST_PRIVATE)))).cast("Q")
