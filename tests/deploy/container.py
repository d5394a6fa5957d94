"""Containers without an engine: what ``unshare``, ``mount`` and ``chroot`` do for root.

Every mount is made in a namespace that ends with its first process, and that process ends with the
one that started it. So nothing stays behind, however a test fails.
"""

import os
import shlex
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from tests.support import free_port, listens, wait_until

COMMAND_SECONDS = 30
"""Time for a command in a running container, and for a container to end that was killed."""

ENGINE_STOP_SECONDS = 10
"""How long an engine waits, unless told otherwise, before it kills what it has asked to stop."""

NAMESPACES = ("unshare", "--mount", "--pid", "--fork", "--kill-child")

DEVICES = ("null", "zero", "full", "random", "urandom")


@dataclass
class Image:
    """A root directory, and how a process is to be started in it."""

    root: Path
    environment: dict[str, str]
    workdir: str = "/"
    user: str = "0:0"
    command: list[str] = field(default_factory=list)
    healthcheck: list[str] = field(default_factory=list)
    health_seconds: float = 30
    stop_signal: signal.Signals = signal.SIGTERM

    def path(self, path: str) -> Path:
        """Where one of its paths is, seen from here."""
        return self.root / self.workdir.lstrip("/") / path if path[0] != "/" else self.root / path.lstrip("/")

    def find(self, program: str) -> str | None:
        """Where on its search path it has a program, seen from here."""
        directories = self.environment["PATH"].split(":")
        return shutil.which(program, path=":".join(str(self.path(directory)) for directory in directories))


def enter(image: Image, command: Iterable[str], *, lent: Iterable[str] = (), access: str = "rw") -> list[str]:
    """The command line that runs ``command`` as process 1 of a container of its own.

    It sees the files and directories of this machine that are ``lent``; ``access`` to its root is ``rw`` or ``ro``.
    Mounted is what an engine mounts: ``/proc``, devices, 64 MB at ``/dev/shm``, and no more.
    """
    root, devices = str(image.root), str(image.root / "dev")
    become = ["env", f"--chdir={image.workdir}", *_become(image.user), "--pdeathsig", "KILL", *command]
    steps = [
        ["mount", "--bind", root, root],
        ["mount", "-t", "proc", "proc", f"{root}/proc"],
        ["mount", "-t", "tmpfs", "-o", "mode=755", "tmpfs", devices],
        ["touch", *(f"{devices}/{name}" for name in DEVICES)],
        *(["mount", "--bind", f"/dev/{name}", f"{devices}/{name}"] for name in DEVICES),
        ["mkdir", f"{devices}/shm"],
        ["mount", "-t", "tmpfs", "-o", "mode=1777,size=64m", "tmpfs", f"{devices}/shm"],
        *(["mount", "--bind", "-o", "ro", path, str(_mount_point(image, path))] for path in lent),
        ["mount", "-o", f"remount,bind,{access}", root],
        ["exec", "chroot", root, *become],
    ]
    script = " && ".join(shlex.join(step) for step in steps)
    return ["setpriv", "--pdeathsig", "KILL", *NAMESPACES, "/bin/sh", "-c", script]


def _become(user: str) -> list[str]:
    """The start of a command line that gives up every right but those of ``user``."""
    uid, gid = user.split(":")
    return ["setpriv", "--reuid", uid, "--regid", gid, "--clear-groups", "--no-new-privs"]


def _mount_point(image: Image, path: str) -> Path:
    """Where to mount a path of this machine; made if it is not there, and then left, empty."""
    point = image.path(path)
    if not point.exists():
        point.parent.mkdir(parents=True, exist_ok=True)
        (point.mkdir if Path(path).is_dir() else point.touch)()
    return point


class Container:
    """An image, started as an engine would with ``--read-only`` and this machine's network.

    Its command is process 1 and belongs to the image's user; nothing but ``/dev/shm`` can be written.
    """

    def __init__(self, image: Image) -> None:
        self.image = image
        self.port = free_port()
        self._environment = {**image.environment, "HOME": "/", "PORT": str(self.port)}

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> Self:
        self._output = tempfile.TemporaryFile()
        self._process = subprocess.Popen(
            enter(self.image, self.image.command, access="ro"),
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=self._output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        wait_until(lambda: listens(self.port) or self._process.poll() is not None)
        told = os.pread(self._output.fileno(), 1 << 20, 0).decode()
        assert self._process.poll() is None, f"it ended:\n{told}"
        return self

    def __exit__(self, *_: object) -> None:
        """Ends every process, and with them every mount."""
        self._process.kill()
        self._process.wait(COMMAND_SECONDS)
        self._output.close()

    @property
    def pid(self) -> int:
        """Process 1, as this machine numbers it."""
        parent = self._process.pid
        return int(Path(f"/proc/{parent}/task/{parent}/children").read_text())

    def execute(
        self, command: Iterable[str], *, seconds: float = COMMAND_SECONDS, **environment: str
    ) -> subprocess.CompletedProcess[str]:
        """How a command ended that ran beside process 1, with the same rights."""
        inside = ["nsenter", "--target", str(self.pid), "--mount", "--pid", "--root", "--wd"]
        return subprocess.run(
            [*inside, *_become(self.image.user), *command],
            env={**self._environment, **environment},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=seconds,
        )

    def check_health(self, **environment: str) -> int:
        """The exit code of the image's health check, which has to end within the time that the image allows."""
        return self.execute(self.image.healthcheck, seconds=self.image.health_seconds, **environment).returncode

    def stop(self, *, first: Callable[[], None] = lambda: None) -> int:
        """The exit code of process 1, which an engine asks to end; ``first`` happens just after that."""
        os.kill(self.pid, self.image.stop_signal)
        first()
        return self._process.wait(ENGINE_STOP_SECONDS)
