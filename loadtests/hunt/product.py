"""The service under test, asked in this process over its WSGI interface."""

import json
from typing import Any

from service.app import create_app
from service.settings import Settings

Json = dict[str, Any]
JSON, STREAM = "application/json", "application/x-ndjson"
NO_CERTIFICATE = ("/problems/unproven", "/problems/certificate-too-large")


class Refused(Exception):
    """The service answered with anything but 200."""


class Service:
    """One instance of the service, with a table and caches of its own, and with further settings."""

    def __init__(self, **settings: str) -> None:
        environment = {"TABLE_MB": "8", "BOOKS": "none", **settings}
        self._client = create_app(Settings.from_environment(environment), search_slots=False).test_client()

    def body(self, path: str, request: Json, accept: str = JSON) -> bytes:
        """Return the body of the answer to a POST. Raises Refused."""
        response = self._client.post(path, json=request, headers={"Accept": accept})
        if response.status_code != 200:
            raise Refused(f"{response.status_code} {response.text}")
        return bytes(response.data)

    def ask(self, path: str, request: Json) -> Json:
        """Return the answer to a POST. Raises Refused."""
        answer: Json = json.loads(self.body(path, request))
        return answer

    def certificate(self, request: Json) -> str | None:
        """Return the certificate of a position; None if it is not proven or too large. Raises Refused."""
        response = self._client.post("/proof", json=request)
        if response.status_code == 422 and response.get_json()["type"] in NO_CERTIFICATE:
            return None
        if response.status_code != 200:
            raise Refused(f"{response.status_code} {response.text}")
        return response.text

    def stream(self, request: Json) -> Json:
        """Return the last line of an analysis that is streamed. Raises Refused."""
        last = json.loads(self.body("/analysis/stream", request, STREAM).splitlines()[-1])
        if "result" not in last:
            raise Refused(json.dumps(last))
        found: Json = last["result"]
        return found

    def contradictions(self) -> int:
        """Return how many searches came upon contradictory bounds so far."""
        lines = self._client.get("/metrics").text.splitlines()
        return sum(
            int(float(line.split()[-1])) for line in lines if line.startswith("move_oracle_contradictions_total")
        )
