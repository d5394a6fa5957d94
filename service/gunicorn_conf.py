"""How gunicorn runs the service: ``gunicorn -c python:service.gunicorn_conf service.wsgi:app``."""

import gc
import os
import shutil
import sys
import tempfile
from typing import Any

from service import __version__
from service.kernel.search import KERNEL
from service.log import log_config
from service.settings import InvalidSetting, Settings

try:
    _settings = Settings.from_environment(os.environ)
except InvalidSetting as error:
    sys.exit(f"move-oracle: {error}")


SHARED_MEMORY = "/dev/shm"  # noqa: S108, made unique by tempfile


def _scratch() -> str | None:
    """Where small shared files go: memory where there is some, so that a read-only disk will do."""
    return SHARED_MEMORY if os.access(SHARED_MEMORY, os.W_OK) else None


# Set before the library of the metrics is imported, which happens when the application is loaded.
_metrics_directory = tempfile.mkdtemp(prefix="move-oracle-", dir=_scratch())
os.environ["PROMETHEUS_MULTIPROC_DIR"] = _metrics_directory

bind = f"[{_settings.host}]:{_settings.port}" if ":" in _settings.host else f"{_settings.host}:{_settings.port}"
workers = _settings.workers
# One loop for all connections and threads that compute; see there. What other workers and servers do with the same
# application is measured by `python loadtests/bench.py --workers-matrix`.
worker_class = "service.server.worker.Worker"
threads = _settings.threads
# The games are solved once, before the fork, and the workers share the tables; without it 0.93x, within the noise.
preload_app = True
worker_tmp_dir = _scratch()
graceful_timeout = _settings.graceful_timeout
keepalive = 75
control_socket_disable = True

# What a request may look like. Most of it is gunicorn's default; it stands here because the safety of the service hangs
# on it, and tests/server/test_smuggling.py probes it. The limits are in the README.
limit_request_line = 4094  # bytes; the longest question that makes sense has a tenth of it
limit_request_fields = 100  # headers
limit_request_field_size = 8190  # bytes of each, enough for the cookies of whatever else is on the same host
http_parser = "python"  # the one that is probed, whatever else is installed
http_protocols = "h1"  # no HTTP/2, which a proxy in front speaks better
http2_cleartext = "off"  # an offer of h2c is ignored, or it would carry requests past the rules of a proxy
proxy_protocol = "off"  # or a client could claim any address in front of its first request
header_map = "drop"  # X_Forwarded_For must not pass for X-Forwarded-For
forwarder_headers = ""  # or a client on this machine could send SCRIPT_NAME and so choose its route
forwarded_allow_ips = ""  # what a proxy says of the client is read in one place, by TRUSTED_PROXIES
secure_scheme_headers: dict[str, str] = {}  # no answer depends on the scheme, so nobody need be believed about it
permit_obsolete_folding = False  # a folded header reads differently where folds are unknown
permit_unconventional_http_method = False  # a method is a word in capitals; any other is not HTTP
permit_unconventional_http_version = False  # HTTP/1 and nothing else
casefold_http_method = False  # get is not GET to a proxy that lets only GET pass
strip_header_spaces = False  # "Content-Length : 5" is no header to one reader and a length to another

logger_class = "service.server.log.RequestLogger"
logconfig_dict = log_config(_settings.log_level)
loglevel = _settings.log_level


def when_ready(server: Any) -> None:
    """Says what runs, once it does. What was made so far stays: the collector of garbage need not look at it again."""
    gc.collect()
    gc.freeze()
    addresses = ", ".join(str(listener) for listener in server.LISTENERS)
    server.log.info("Move Oracle %s is ready at %s; kernel: %s", __version__, addresses, KERNEL)
    if _settings.rate_limit and _settings.rate_limit_storage == "memory://" and workers > 1:
        server.log.warning(
            "RATE_LIMIT is counted by each of %s workers for itself, so a client may get that many times as much; "
            "with RATE_LIMIT_STORAGE=redis://... all count together",
            workers,
        )


def child_exit(server: Any, worker: Any) -> None:  # noqa: ARG001
    """Takes what a worker did just now out of the metrics, however it ended; what it has done remains."""
    from prometheus_client.multiprocess import mark_process_dead  # noqa: PLC0415, the variable must be set before

    mark_process_dead(worker.pid)  # type: ignore[no-untyped-call]


def on_exit(server: Any) -> None:  # noqa: ARG001
    """Removes the files of the metrics."""
    shutil.rmtree(_metrics_directory, ignore_errors=True)
