"""Flask's response on its way to the client."""

from http import HTTPStatus

from service.api.request_context import RequestContext
from service.edge.common_headers import NO_PAGE, POLICY
from service.edge.flask_call import Whole
from service.edge.message import EdgeRequest, Headers, Message, Scope, Send, joined, send_response
from service.edge.response_cache import MAX_RESPONSE_BYTES, CachedResponse


class FlaskReply:
    """Forwards the messages of a response with the common headers, and caches it if it may be cached."""

    def __init__(self, request: EdgeRequest, scope: Scope, send: Send, common_headers: Headers) -> None:
        self.status = 0
        self.sent = 0
        """Bytes of the body."""
        self.complete = False
        self.abandoned = False
        """Whether the client left before the whole response was sent."""
        self._headers: Headers = []
        self._body = bytearray()
        self._scope = scope
        self._send = send
        self._own = [(b"x-request-id", request.id), *common_headers]

    async def send(self, message: Message) -> None:
        """Forward a message."""
        if message["type"] == "http.response.start":
            message = {**message, "headers": self._begin(message)}
        else:
            self._note(message.get("body", b""), is_last=not message.get("more_body"))
        await self._send(message)

    async def finish(self, whole: Whole | None) -> None:
        """Send a whole response, or the end of a stream."""
        if whole is None:
            await self.send({"type": "http.response.body", "body": b""})
            return
        start, body = whole
        headers = self._begin(start)
        self._note(body, is_last=True)
        await send_response(self._scope, self._send, self.status, joined(headers), body)

    def _begin(self, start: Message) -> Headers:
        """Note the head of the response; return its headers with the common ones."""
        self.status, self._headers = start["status"], start["headers"]
        named = {name for name, _ in self._headers}
        return [*self._headers, *self._policy, *(header for header in self._own if header[0] not in named)]

    def _note(self, part: bytes, *, is_last: bool) -> None:
        """Note a part of the body."""
        self.sent += len(part)
        if self.sent <= MAX_RESPONSE_BYTES:
            self._body += part
        self.complete = is_last

    @property
    def _policy(self) -> Headers:
        """The content policy of a response without one."""
        return [] if any(name == POLICY for name, _ in self._headers) else [NO_PAGE]

    def kept(self, context: RequestContext) -> CachedResponse | None:
        """Return the response in the form of the cache; None if the same request may get another answer."""
        note = next(iter(context.notes), None)
        if note is None or not note.reproducible or self.status != HTTPStatus.OK or self.sent > len(self._body):
            return None
        named = dict(self._headers)
        if b"content-length" not in named or b"Accept-Encoding" in named.get(b"vary", b""):  # a stream or a batch
            return None
        lasting = joined([(name, value) for name, value in self._headers if name != b"server-timing"] + self._policy)
        etag = named.get(b"etag", b"").decode()
        return CachedResponse.of(lasting, bytes(self._body), note, context.route or "", etag)
