"""A Redis of a test's own, which can be stopped and started."""

import socket
import subprocess
import time
from contextlib import suppress

from loadtests.servers.processes import LOOPBACK, START_SECONDS, free_port

PROGRAM = "redis-server"


class Redis:
    """A Redis on a port of its own that writes nothing to disk; each start begins with nothing in it."""

    def __init__(self, *arguments: str) -> None:
        self.port = free_port()
        self._command = [PROGRAM, "--port", str(self.port), "--bind", LOOPBACK, "--save", "", *arguments]
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """The URL for ``CACHE_URL``."""
        return f"redis://{LOOPBACK}:{self.port}"

    def start(self) -> None:
        """Start it and wait until it listens."""
        self.process = subprocess.Popen(self._command, stdout=subprocess.DEVNULL)
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            with suppress(OSError), socket.create_connection((LOOPBACK, self.port), 1):
                return
            time.sleep(0.02)
        raise SystemExit("Redis did not start")

    def stop(self) -> None:
        """Kill it, if it runs."""
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process = None
