"""The command line on a terminal: a process whose input, output and errors are a pseudo-terminal."""

import os
import pty
import re
import select
import signal
import subprocess
import termios
import time
from types import TracebackType
from typing import Self

from tests.cli.processes import MOVE_ORACLE, SECONDS
from tests.support import ROOT, UNMEASURED

CLEARED = re.compile(r"[^\n]*\r\x1b\[K")
"""What the terminal has shown on a line before that was cleared."""


class PseudoTerminal:
    """A command on a terminal of 200 columns."""

    def __init__(self, *args: str, **environment: str) -> None:
        self._written = b""
        self._ours, theirs = pty.openpty()
        termios.tcsetwinsize(theirs, (50, 200))
        self._process = subprocess.Popen(
            [*MOVE_ORACLE, *args],
            cwd=ROOT,
            env={**os.environ, "TERM": "xterm", **UNMEASURED, **environment},
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
        )
        os.close(theirs)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._ours)

    def wait_for(self, words: str) -> None:
        """Read until the command has written these words."""
        deadline = time.monotonic() + SECONDS
        while words not in self.output:
            assert time.monotonic() < deadline, self.output
            assert self._read(), f"it has ended: {self.output}"

    def type(self, line: str) -> None:
        """Type a line."""
        os.write(self._ours, f"{line}\n".encode())

    def interrupt(self) -> None:
        """Send what Ctrl-C sends."""
        self._process.send_signal(signal.SIGINT)

    def end(self) -> int:
        """Read until the command ends, and return its exit code."""
        deadline = time.monotonic() + SECONDS
        while self._read():
            assert time.monotonic() < deadline, self.output
        return self._process.wait(SECONDS)

    @property
    def output(self) -> str:
        """All that the command has written so far."""
        return self._written.decode(errors="replace")

    @property
    def screen(self) -> str:
        """What is left on the terminal, without the lines that were cleared."""
        return CLEARED.sub("", self.output.replace("\r\n", "\n"))

    def _read(self) -> bool:
        """Read what there is, if anything comes soon; return whether the command can write more."""
        if select.select([self._ours], [], [], 1)[0]:
            try:
                data = os.read(self._ours, 65536)
            except OSError:  # how Linux tells that the other side is closed
                return False
            self._written += data
            return bool(data)
        return True
