"""Where a body that comes in chunks ends."""

import re

from gunicorn.http.body import CHUNK_EXT_RE  # type: ignore[attr-defined]  # younger than its stubs

SIZE = re.compile(rb"[0-9A-Fa-f]{1,16}")

LONGEST_LINE = 8192
"""Bytes of the longest line with the size of a chunk, and of the trailers, that are waited for."""


class Chunks:
    """Follows the chunks of a body as they arrive. Whether they are well formed is left to gunicorn's parser."""

    def __init__(self, start: int) -> None:
        self._at = start

    def end(self, data: bytearray) -> int | None:
        """Where the body that begins at the ``start`` ends in the data; None as long as more must come.

        What cannot be followed ends where the data does, so that the parser gets to see and to refuse it.
        """
        while True:
            line = data.find(b"\r\n", self._at)
            if line < 0:
                return None if len(data) - self._at <= LONGEST_LINE else len(data)
            found = SIZE.match(data, self._at, line)
            if not found or not CHUNK_EXT_RE.fullmatch(data, found.end(), line):
                return len(data)
            size = int(found[0], 16)
            if not size:
                return self._end_of_trailers(data, line)
            if line + size + 4 > len(data):
                return None
            self._at = line + size + 4

    def _end_of_trailers(self, data: bytearray, line: int) -> int | None:
        """The first empty line after the last chunk."""
        end = data.find(b"\r\n\r\n", line)
        if end >= 0:
            return end + 4
        return None if len(data) - line <= LONGEST_LINE else len(data)
