"""Debian's nginx with ``deploy/nginx.conf``, in front of servers that run on this machine."""

import json
import re
import signal
import subprocess
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Self

import httpx
import pytest

from tests.support import ROOT, free_port, listens, need, wait_until

CONF = ROOT / "deploy" / "nginx.conf"


def rendered(folder: Path, port: int, instances: Iterable[int], changes: Mapping[str, str] | None = None) -> str:
    """Return ``deploy/nginx.conf`` for a folder, a port and the ports of the instances on the loopback address.

    Every text of ``changes`` must stand in it exactly once, as must those that name the place; else ValueError.
    """
    server = "server oracle:8000 max_fails=2 fail_timeout=5s;"
    servers = "\n".join(server.replace("oracle:8000", f"127.0.0.1:{instance}") for instance in instances)
    place = {server: servers, "listen 8080 default_server;": f"listen 127.0.0.1:{port} default_server;"}
    text = re.sub(r"/tmp/(?=\w)", f"{folder}/", CONF.read_text())
    for old, new in {**place, **(changes or {})}.items():
        if text.count(old) != 1:
            raise ValueError(f"{CONF} has {text.count(old)} times {old!r}")
        text = text.replace(old, new)
    return text


class Nginx:
    """nginx on a free port in front of the instances; ``changes`` are made to its configuration."""

    def __init__(self, *instances: int, changes: Mapping[str, str] | None = None) -> None:
        self.port = free_port()
        self._instances = instances
        self._changes = changes or {}
        self._before = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> Self:
        program = need("nginx")
        self._scratch = tempfile.TemporaryDirectory()
        self.folder = Path(self._scratch.name)
        self.folder.chmod(0o777)  # for workers of a master that is root
        conf = self.folder / "nginx.conf"
        log = {"access_log /dev/stdout json;": f"access_log {self.folder}/access.log json;"}
        conf.write_text(rendered(self.folder, self.port, self._instances, {**log, **self._changes}))
        command = ["setpriv", "--pdeathsig", "TERM", program, "-c", str(conf), "-e", "stderr"]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        self._wait_until_it_listens()
        return self

    def __exit__(self, *_: object) -> None:
        self.process.send_signal(signal.SIGTERM)
        try:
            self.errors = self.process.communicate(timeout=20)[1]
        finally:
            self.process.kill()
            self._scratch.cleanup()

    def forget(self) -> None:
        """Leave out of the log what was asked until now: a request more shows where that ends."""
        before = len(self._logged())
        httpx.get(f"{self.url}/until-now")
        wait_until(lambda: any('"/until-now"' in line for line in self._logged()[before:]))
        self._before = len(self._logged())

    def log(self, requests: int) -> list[dict[str, Any]]:
        """What it has logged of so many requests, which must be all; a line is written after its answer."""
        wait_until(lambda: len(self._logged()) >= self._before + requests)
        logged = [json.loads(line) for line in self._logged()[self._before :]]
        assert len(logged) == requests
        return logged

    def _logged(self) -> list[str]:
        return (self.folder / "access.log").read_text().splitlines()

    def _wait_until_it_listens(self) -> None:
        wait_until(lambda: listens(self.port) or self.process.poll() is not None)
        if self.process.poll() is not None:
            pytest.fail(f"nginx did not start:\n{self.process.communicate()[1]}")
