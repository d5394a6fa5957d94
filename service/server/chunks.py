"""Where a body that comes in chunks ends."""

import re

from gunicorn.http.body import CHUNK_EXT_RE  # type: ignore[attr-defined]  # younger than its stubs

SIZE = re.compile(rb"[0-9A-Fa-f]+")

LONGEST_LINE = 8192
"""Bytes of the longest line with the size of a chunk, and of the trailers, that are waited for."""


class Chunks:
    """Follows the chunks of a body as they arrive. Whether they are well formed is left to gunicorn's parser.

    ``lost``: they could not be followed to their end, so nobody knows where the next request begins.
    """

    def __init__(self, start: int) -> None:
        self.lost = False
        self._at = start

    def end(self, data: bytearray, longest: int) -> int | None:
        """Where the body that begins at the ``start`` ends in the data; None as long as more must come.

        What cannot be followed, or has a chunk of more than ``longest`` bytes, ends where the data does, so that the
        parser gets to see and to refuse it.
        """
        while True:
            line = data.find(b"\r\n", self._at)
            if line < 0:
                return self._wait(data, self._at)
            found = SIZE.match(data, self._at, line)
            if not found or not CHUNK_EXT_RE.fullmatch(data, found.end(), line):
                return self._lose(data)
            size = int(found[0], 16)
            if size > longest:
                return self._lose(data)
            if not size:
                end = data.find(b"\r\n\r\n", line)
                return self._wait(data, line) if end < 0 else end + 4
            if line + size + 4 > len(data):
                return None
            self._at = line + size + 4

    def _wait(self, data: bytearray, start: int) -> int | None:
        """Waits for the end of what begins at ``start``, unless it is too long already."""
        return None if len(data) - start <= LONGEST_LINE else self._lose(data)

    def _lose(self, data: bytearray) -> int:
        self.lost = True
        return len(data)
