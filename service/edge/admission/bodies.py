"""Bodies of requests: read whole, with a limit for each body and one for all together."""

from service.api.problems import Problem
from service.edge.message import EdgeRequest, Receive

MAX_HELD_BYTES = 64 << 20
"""The maximum bytes of all bodies that arrive in parts at a worker."""


class Bodies:
    """Reads the bodies of a worker's requests, each of up to ``max_bytes`` bytes."""

    def __init__(self, max_bytes: int) -> None:
        self.max_bytes = max_bytes
        self._held_bytes = 0

    async def read(self, request: EdgeRequest, receive: Receive) -> Problem | None:
        """Read the body of a request; return the problem of one that is too large.

        Raises ConnectionAbortedError if the client leaves before it is whole.
        """
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ConnectionAbortedError
        request.body = message.get("body", b"")
        return await self._read_rest(request, receive) if message.get("more_body") else None

    def too_large(self) -> Problem:
        """Return the problem of a body that is too large."""
        return Problem("body-too-large", f"The body is larger than the limit of {self.max_bytes} bytes.")

    async def _read_rest(self, request: EdgeRequest, receive: Receive) -> Problem | None:
        parts = [request.body]
        size = held = len(request.body)
        self._held_bytes += held
        try:
            more = True
            while more:
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise ConnectionAbortedError
                parts.append(message.get("body", b""))
                size += len(parts[-1])
                self._held_bytes += len(parts[-1])
                if size > self.max_bytes:
                    return self.too_large()
                if self._held_bytes > MAX_HELD_BYTES:
                    detail = "Too many large bodies arrive at once; try again in 1 s."
                    return Problem("overloaded", detail, headers={"Retry-After": "1"})
                more = message.get("more_body", False)
        finally:
            self._held_bytes -= size
        request.body = b"".join(parts)
        return None
