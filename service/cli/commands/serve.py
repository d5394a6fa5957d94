"""``serve``: the HTTP service, run as by ``make serve``."""

import os
import sys

import click

from service.settings import InvalidSetting, Settings

GUNICORN = (sys.executable, "-m", "gunicorn", "-c", "python:service.gunicorn_conf", "service.asgi:app")


@click.command()
@click.option("--host", "HOST", metavar="ADDRESS", help="Address to listen on; by default 127.0.0.1.")
@click.option("--port", "PORT", type=int, metavar="N", help="Port to listen on, by default 8000; 0 takes any free one.")
@click.option("--workers", "WEB_CONCURRENCY", type=int, metavar="N", help="Worker processes; by default one per core.")
@click.option("--threads", "THREADS", type=int, metavar="N", help="Threads of each worker; by default 8.")
def serve(**variables: str | int | None) -> None:
    """Run the HTTP service until it is interrupted.

    Environment variables give all other settings, and the defaults of these options. The documentation lists them.
    """
    given = {name: str(value) for name, value in variables.items() if value is not None}
    environment = {**os.environ, **given}
    try:
        Settings.from_environment(environment)
    except InvalidSetting as error:
        raise click.UsageError(str(error)) from None
    sys.stdout.flush()
    os.execve(GUNICORN[0], GUNICORN, environment)  # noqa: S606, no shell is needed
