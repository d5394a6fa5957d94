"""``serve``: the HTTP service, run as by ``make serve``."""

import os
import sys
from collections.abc import Mapping
from types import MappingProxyType

import click

from service.settings import InvalidSetting, Settings

GUNICORN = (sys.executable, "-m", "gunicorn", "-c", "python:service.gunicorn_conf", "service.asgi:app")

VARIABLES: Mapping[str, str] = MappingProxyType(
    {"host": "HOST", "port": "PORT", "workers": "WEB_CONCURRENCY", "threads": "THREADS"}
)
"""The environment variable that each option sets."""


@click.command()
@click.option("--host", metavar="ADDRESS", help="Address to listen on; by default 127.0.0.1.")
@click.option("--port", type=int, metavar="N", help="Port to listen on, by default 8000; 0 takes any free one.")
@click.option("--workers", type=int, metavar="N", help="Worker processes; by default one per core.")
@click.option("--threads", type=int, metavar="N", help="Threads of each worker; by default 8.")
def serve(**given: str | int | None) -> None:
    """Run the HTTP service until it is interrupted.

    Every other setting is an environment variable, and so are the defaults of these: see the README.
    """
    set_here = {VARIABLES[name]: str(value) for name, value in given.items() if value is not None}
    environment = {**os.environ, **set_here}
    try:
        Settings.from_environment(environment)
    except InvalidSetting as error:
        raise click.UsageError(str(error)) from None
    sys.stdout.flush()
    os.execve(GUNICORN[0], GUNICORN, environment)  # noqa: S606, no shell is what is wanted
