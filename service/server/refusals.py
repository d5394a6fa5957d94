"""Answers to what is not even HTTP: problem documents, where gunicorn would send HTML."""

import json
import socket
from http import HTTPStatus

from gunicorn import util

from service.api.media import PROBLEM
from service.api.problems import shortened

MAX_DETAIL = 200
"""Characters of gunicorn's own words about a request that is not HTTP."""


def write_problem(sock: socket.socket, status_int: int, reason: str, mesg: str) -> None:
    """Answers with a problem document and announces the end of the connection."""
    if status_int == HTTPStatus.NOT_IMPLEMENTED:  # an unknown transfer coding: theirs to mend, not ours
        status_int, reason = HTTPStatus.BAD_REQUEST.value, HTTPStatus.BAD_REQUEST.phrase
    kind = "malformed-request" if status_int < HTTPStatus.INTERNAL_SERVER_ERROR else "internal-error"
    document = {
        "type": f"/problems/{kind}",
        "title": reason,
        "status": status_int,
        "detail": shortened(mesg or reason, MAX_DETAIL),
    }
    body = json.dumps(document)
    lines = [
        f"HTTP/1.1 {status_int} {reason}",
        "Connection: close",
        f"Content-Type: {PROBLEM}",
        f"Content-Length: {len(body)}",
        "",
        body,
    ]
    util.write_nonblock(sock, "\r\n".join(lines).encode("ascii", "replace"))


# gunicorn has no setting for its error pages, and its workers look the function up in this module.
util.write_error = write_problem
