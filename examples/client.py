"""A small Python client of Move Oracle: one connection, problems as exceptions.

Run ``python examples/client.py`` beside ``make serve``. It needs httpx: ``pip install httpx``.
"""

from types import TracebackType
from typing import Any, Self

import httpx


class ProblemError(Exception):
    """A refused request. ``document`` is the problem document (RFC 9457), ``status`` the HTTP status."""

    def __init__(self, document: dict[str, Any]) -> None:
        super().__init__(document["detail"])
        self.document, self.status = document, document["status"]


class Oracle:
    """A client for one service. Use it in a ``with`` block."""

    def __init__(self, url: str = "http://localhost:8000", seconds: float = 65) -> None:
        self._http = httpx.Client(base_url=url, timeout=seconds)  # a search may take a minute

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._http.close()

    def ask(self, route: str, **fields: Any) -> dict[str, Any]:
        """Return the answer of a POST route, such as ``/best-move``.

        Raises ProblemError if the service refuses it, httpx.HTTPError if something else fails, such as a proxy.
        """
        response = self._http.post(route, json=fields)
        if response.headers.get("Content-Type") == "application/problem+json":
            raise ProblemError(response.json())
        response.raise_for_status()
        answer: dict[str, Any] = response.json()
        return answer


if __name__ == "__main__":
    with Oracle() as oracle:
        best = oracle.ask("/best-move", board="X...O....")
        print(best["move"], best["outcome"], best["pv"])
        try:
            oracle.ask("/best-move", board="XXXX.....")
        except ProblemError as problem:
            print(problem.status, problem)
