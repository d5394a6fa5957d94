"""A response as bytes."""

from collections.abc import Callable
from functools import lru_cache
from time import time

from gunicorn import SERVER, util

Headers = list[tuple[str, str]]


class Reply:
    """Takes the status and the headers of a response, as WSGI hands them over, after which the connection goes on."""

    def __init__(self) -> None:
        self._status = ""
        self._headers: Headers = []

    def start(self, status: str, headers: Headers, _exc_info: object = None) -> Callable[[bytes], object]:
        """WSGI's ``start_response``."""
        self._status, self._headers = status, headers
        return _refuse_to_write

    @property
    def status(self) -> int:
        """The number of the status."""
        return int(self._status[:3])

    def data(self, body: bytes) -> bytes:
        """The whole response."""
        headers = "".join([f"{name}: {value}\r\n" for name, value in self._headers])
        head = f"HTTP/1.1 {self._status}\r\nServer: {SERVER}\r\n{_date(int(time()))}{headers}\r\n"
        return head.encode("latin-1") + body


@lru_cache(maxsize=1)
def _date(_second: int) -> str:
    """The lines that are the same for a second."""
    return f"Date: {util.http_date()}\r\nConnection: keep-alive\r\n"


def _refuse_to_write(_data: bytes) -> object:
    raise NotImplementedError("responses are returned, not written")
