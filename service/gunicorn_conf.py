"""The configuration of gunicorn: ``gunicorn -c python:service.gunicorn_conf service.asgi:app``."""

import atexit
import gc
import logging
import os
import shutil
import signal
import sys
import tempfile
from typing import Any, ClassVar

from gunicorn.arbiter import Arbiter
from uvicorn_worker import UvicornWorker  # type: ignore[import-untyped]

from service import __version__
from service.edge.connection.protocol import ClientProtocol
from service.edge.connection.server import DrainingServer
from service.engine.tables.table_folder import cache_folder, temporary_folder
from service.kernel.alpha_beta.search import KERNEL
from service.logs import log_config
from service.settings import InvalidSetting, Settings

try:
    _settings = Settings.from_environment(os.environ)
except InvalidSetting as error:
    sys.exit(f"move-oracle: {error}")


# What a start makes stays: to look for garbage meanwhile would only take time.
gc.disable()

STOPS = frozenset({signal.SIGTERM, signal.SIGINT, signal.SIGQUIT})

SHARED_MEMORY = "/dev/shm"  # noqa: S108, made unique by tempfile


def _remove_folders() -> None:
    """Remove the files of the metrics, and tables in a temporary folder."""
    shutil.rmtree(_metrics_directory, ignore_errors=True)
    if _tables_directory:
        shutil.rmtree(_tables_directory, ignore_errors=True)


def _scratch() -> str | None:
    """Return the folder for small shared files: shared memory if possible, so that a read-only disk suffices."""
    return SHARED_MEMORY if os.access(SHARED_MEMORY, os.W_OK) else None


# Set before the application imports the metrics library.
_metrics_directory = tempfile.mkdtemp(prefix="move-oracle-", dir=_scratch())
os.environ["PROMETHEUS_MULTIPROC_DIR"] = _metrics_directory

# Made before the workers, which share it; the user's own folder is kept for the next start.
_tables_directory = None if _settings.tablebases or cache_folder() else temporary_folder()
if _tables_directory:
    os.environ["TABLEBASES"] = str(_tables_directory)

# gunicorn has no hook for a failed start.
atexit.register(_remove_folders)

bind = f"[{_settings.host}]:{_settings.port}" if ":" in _settings.host else f"{_settings.host}:{_settings.port}"
workers = _settings.workers

SWITCH_SECONDS = 0.0002
"""The switch interval: a thread that runs Python gives way after this time. The default delays the loop by 5 ms.

The event loop needs the interpreter's lock several times for one answer. Few threads compete for it (``turns``), so the
switches themselves cost little.
"""


class Worker(UvicornWorker):  # type: ignore[misc]  # a package without types
    """Uvicorn with its fast loop and parser: 1.9 times the requests of gunicorn's own ``asgi`` worker.

    The parser is llhttp, which refuses requests that two readers of HTTP could read differently.
    """

    CONFIG_KWARGS: ClassVar[dict[str, Any]] = {
        "loop": "uvloop",
        "http": ClientProtocol.with_timeouts(
            client_timeout=_settings.client_timeout, graceful_timeout=_settings.graceful_timeout
        ),
        "ws": "none",
        "access_log": False,  # the edge has its own, with routes and durations
        "proxy_headers": False,  # the edge reads the addresses of clients itself
        "server_header": False,
        "timeout_notify": 1,
    }

    async def _serve(self) -> None:
        """Serve as uvicorn's worker does, but with a ``DrainingServer``."""
        sys.setswitchinterval(SWITCH_SECONDS)
        self.config.app = self.wsgi
        self._server = DrainingServer(self.config)
        self._install_sigquit_handler()
        # Not gunicorn's own kind of socket, which uvloop would close twice, and the log would call that an error.
        await self._server.serve(sockets=[each.sock for each in self.sockets])
        if not self._server.started:
            sys.exit(Arbiter.WORKER_BOOT_ERROR)

    async def callback_notify(self) -> None:
        """Notify the master that the worker lives; end within the graceful time if the master is gone.

        An orphaned worker could not be stopped, and would keep its port from other servers.
        """
        await super().callback_notify()
        if os.getppid() != self.ppid and not self._server.should_exit:
            self.log.error("The master process is gone; this worker ends")
            self._server.should_exit = True
            signal.setitimer(signal.ITIMER_REAL, graceful_timeout)  # the signal ends the process

    def init_signals(self) -> None:
        """Handle the signals, also those since the fork: see ``_hold_signals``."""
        super().init_signals()
        signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPS)


def _hold_signals() -> None:
    signal.pthread_sigmask(signal.SIG_BLOCK, STOPS)


def _release_signals() -> None:
    signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPS)


# Between the fork and its own handlers a worker has its parent's, which would lose a signal to stop.
os.register_at_fork(before=_hold_signals, after_in_parent=_release_signals)


worker_class = Worker
# The games are solved once, before the fork, and the workers share the tables; without it 0.93x, within the noise.
preload_app = True
worker_tmp_dir = _scratch()
graceful_timeout = _settings.graceful_timeout
timeout = max(30, graceful_timeout + 10)  # gives an ending worker its full graceful time
control_socket_disable = True
forwarded_allow_ips = ""  # the addresses of clients are read in one place, by TRUSTED_PROXIES

logconfig_dict = log_config(_settings.log_level)
loglevel = _settings.log_level


def post_fork(server: Any, worker: Any) -> None:  # noqa: ARG001
    """Leave the shared folders to the master, and drop uvicorn's lines about start and end, which gunicorn logs too."""
    atexit.unregister(_remove_folders)
    logging.getLogger("uvicorn.error").setLevel(logging.WARNING)


def when_ready(server: Any) -> None:
    """Log that the service runs. Exempt all current objects from garbage collection, which begins now."""
    gc.collect()
    gc.freeze()
    gc.enable()
    addresses = ", ".join(str(listener) for listener in server.LISTENERS)
    server.log.info("Move Oracle %s is ready at %s; kernel: %s", __version__, addresses, KERNEL)
    if _settings.rate_limit and _settings.rate_limit_storage == "memory://" and workers > 1:
        server.log.warning(
            "Each of %s workers counts RATE_LIMIT on its own, so a client may send that many times more requests; "
            "set RATE_LIMIT_STORAGE=redis://... to count together",
            workers,
        )


def child_exit(server: Any, worker: Any) -> None:  # noqa: ARG001
    """Remove the gauges of an ended worker; keep its counters."""
    from prometheus_client.multiprocess import mark_process_dead  # noqa: PLC0415, the variable must be set before

    mark_process_dead(worker.pid)  # type: ignore[no-untyped-call]
