"""``deploy/nginx.conf`` for another place: this machine's ports, and a folder of its own."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

CONF = Path(__file__).resolve().parent.parent / "deploy" / "nginx.conf"

UNLIMITED = {"rate=200r/s;": "rate=1000000r/s;"}
"""The change after which one client may ask as often as it likes."""


def rendered(folder: Path, port: int, instances: Iterable[int], changes: Mapping[str, str] | None = None) -> str:
    """The configuration for a folder, a port and the ports of the instances on the loopback address.

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
