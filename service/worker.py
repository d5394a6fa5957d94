"""The parts of gunicorn that the service fits to its contract: the worker, its request log, its error pages."""

import json
import logging
import os
import select
import socket
from collections.abc import MutableMapping
from datetime import timedelta
from http import HTTPStatus
from time import time
from typing import Any

from gunicorn import util
from gunicorn.glogging import Logger
from gunicorn.workers.gthread import ThreadWorker

from service.api.door import REQUEST_ID, ROUTE
from service.api.problems import MEDIA_TYPE
from service.log import json_line

STANDARD_OUTPUT = 1


class Worker(ThreadWorker):
    """A threaded worker that answers every connection that was accepted before it was told to stop.

    gunicorn's own leaves the listening socket open, unattended, while it finishes; whoever connects
    meanwhile is reset in the end. This one empties the queue and closes it, so that new connections
    are refused at once and can be tried elsewhere.
    """

    def set_accept_enabled(self, enabled: bool | None) -> None:  # noqa: FBT001, the signature is gunicorn's
        """Starts or stops to accept; stops for good once the worker is to end."""
        super().set_accept_enabled(enabled)
        if not self.alive:
            for listener in self.sockets:
                while select.select([listener], [], [], 0)[0]:
                    self.accept(listener)
                listener.close()


class RequestLogger(Logger):
    """Logs each request as one JSON line, after its last byte was sent.

    The lines go straight to standard output: as records of ``logging`` they would cost three times
    as much, which is a tenth of what a request costs in all. One write of one line is whole even
    where several processes share a pipe.
    """

    def access(self, resp: Any, req: Any, environ: MutableMapping[str, Any], request_time: timedelta) -> None:  # noqa: ARG002
        """Called by gunicorn for every request that it could read."""
        if not self.access_log.isEnabledFor(logging.INFO):
            return
        method, path = environ.get("REQUEST_METHOD", "-"), environ.get("PATH_INFO", "-")
        fields = {
            "request_id": environ.get(REQUEST_ID),
            "method": method,
            "path": path,
            "route": environ.get(ROUTE),
            "status": int(str(resp.status).split(" ", 1)[0]),
            "duration_ms": round(request_time.total_seconds() * 1000, 3),
            "bytes": resp.sent,
            "client": environ.get("REMOTE_ADDR"),
        }
        line = json_line(time(), "info", "service.request", f"{method} {path} {fields['status']}", fields)
        os.write(STANDARD_OUTPUT, f"{line}\n".encode())


def write_problem(sock: socket.socket, status_int: int, reason: str, mesg: str) -> None:
    """Answers a request that is not even HTTP with a problem document, where gunicorn would send HTML."""
    kind = "malformed-request" if status_int < HTTPStatus.INTERNAL_SERVER_ERROR else "internal-error"
    document = {"type": f"/problems/{kind}", "title": reason, "status": status_int, "detail": mesg or reason}
    body = json.dumps(document)
    lines = [
        f"HTTP/1.1 {status_int} {reason}",
        "Connection: close",
        f"Content-Type: {MEDIA_TYPE}",
        f"Content-Length: {len(body)}",
        "",
        body,
    ]
    util.write_nonblock(sock, "\r\n".join(lines).encode("ascii", "replace"))


# gunicorn has no setting for its error pages, and its workers look the function up in this module.
util.write_error = write_problem
