"""Columns: arrays with an item for each of many states, in mapped memory: taken on use, and returned when freed.

Other threads go on while a column is copied or sorted: hundreds of megabytes can take longer than they may wait.
"""

import mmap
from array import array
from typing import Any

import cython

BYTES = cython.declare(cython.const_ulonglong, 256)


def zeros(kind: Any, size: int) -> memoryview:
    """Return a column of zeros of an ``array`` type."""
    item = array(kind).itemsize
    return memoryview(mmap.mmap(-1, item * size, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)).cast(kind)


def grown(items: Any, size: int) -> memoryview:
    """Return a column of ``size`` items that begins with these; the others are 0."""
    old = memoryview(items)
    new = zeros(old.format, size)
    source: cython.uchar[::1] = old.cast("B")
    target: cython.uchar[::1] = new.cast("B")[: old.nbytes]
    with cython.nogil:
        target[:] = source
    return new


def extended(column: memoryview, size: int) -> memoryview:
    """Return a column of ``size`` items that continues this one in the same memory, which may move.

    The column must be one of ``zeros`` that nothing else has a view of; it is released. Where the system cannot extend
    memory, the new one is a copy.
    """
    kind: Any = column.format
    memory: Any = column.obj
    bytes_each = column.itemsize
    column.release()
    try:
        memory.resize(size * bytes_each)
    except SystemError:  # the system has no mremap
        return grown(memoryview(memory).cast(kind), size)
    return memoryview(memory).cast(kind)


def sort(keys: memoryview, values: memoryview) -> tuple[memoryview, memoryview]:
    """Return the keys, ascending, and the value of each. Columns are sorted in place, or replaced by new ones."""
    other_keys, other_values = zeros("Q", len(keys)), zeros("B", len(keys))
    for shift in range(0, 64, 8):
        if _sort_by_byte(keys, values, other_keys, other_values, shift):
            keys, other_keys, values, other_values = other_keys, keys, other_values, values
    return keys, values


def _sort_by_byte(keys: Any, values: Any, sorted_keys: Any, sorted_values: Any, shift: cython.int) -> bool:
    """Sort keys and their values by one byte of the keys, stably; return False if all keys have the same one."""
    number: cython.ulonglong
    byte: cython.ulonglong
    count: cython.ulonglong = len(keys)
    begins = array("Q", [0]) * (BYTES + 1)
    old_keys: cython.ulonglong[::1] = keys
    new_keys: cython.ulonglong[::1] = sorted_keys
    old_values: cython.uchar[::1] = values
    new_values: cython.uchar[::1] = sorted_values
    places: cython.ulonglong[::1] = begins
    with cython.nogil:
        for number in range(count):
            places[(old_keys[number] >> shift & 255) + 1] += 1
    if places[(old_keys[0] >> shift & 255) + 1] == count:
        return False
    with cython.nogil:
        for byte in range(BYTES):
            places[byte + 1] += places[byte]
        for number in range(count):
            byte = old_keys[number] >> shift & 255
            new_keys[places[byte]] = old_keys[number]
            new_values[places[byte]] = old_values[number]
            places[byte] += 1
    return True
