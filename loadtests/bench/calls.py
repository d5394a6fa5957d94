"""The functions and files of the service that a request runs through."""

import json
import os
import sys
import threading
from collections import Counter
from importlib.util import find_spec
from pathlib import Path
from types import CodeType, FrameType

import click

from loadtests.drive.application import service_batch
from loadtests.servers.processes import ROOT
from loadtests.tables import show_table, show_title

FIRST, PROFILED = "6005043330265", "0360503226130521"
"""Middle games of Connect Four by their columns; the first request does what is done only once."""

Calls = Counter[CodeType]


@click.command()
@click.option(
    "--checkout",
    type=click.Path(exists=True, file_okay=False, resolve_path=True, path_type=Path),
    help="Another checkout of the service, put first on PYTHONPATH.",
)
@click.option("--columns", default=PROFILED, help="The game: a digit from 0 for each ply.")
@click.option("--functions", is_flag=True, help="List the functions of each file.")
def command(checkout: Path | None, columns: str, functions: bool) -> None:  # noqa: FBT001
    """Count the functions and files of the service that one POST /best-move of Connect Four runs through."""
    if checkout:
        path = os.pathsep.join([str(checkout), str(ROOT)])
        os.environ |= {"PYTHONPATH": path, "PYTHONSAFEPATH": "1"}  # safe: or the current folder would come first
        options = ["--columns", columns, *(["--functions"] if functions else [])]
        os.execv(sys.executable, [sys.executable, "-m", "loadtests", "profile", *options])
    calls = profile(columns)
    files = {Path(code.co_filename) for code in calls}
    home = service_folder()
    show_title(
        f"POST /best-move of Connect Four after {columns}",
        f"{len(calls)} Python functions of {home} in {len(files)} files, {calls.total()} calls. What is compiled is"
        " not counted.",
    )
    rows = [("file", "functions", "calls")]
    for file in sorted(files):
        own = {code: count for code, count in calls.items() if Path(code.co_filename) == file}
        rows.append((str(file.relative_to(home)), str(len(own)), str(sum(own.values()))))
        if functions:
            rows += [(f"  {code.co_qualname}", "", str(count)) for code, count in own.items()]
    show_table(rows)


def service_folder() -> Path:
    """Return the folder of the package that is profiled."""
    spec = find_spec("service")
    if spec is None or spec.origin is None:
        raise SystemExit("There is no package service on the path.")
    return Path(spec.origin).parent


def profile(columns: str) -> Calls:
    """Return the calls of each function of the service, in all threads, for one request that was never sent before."""
    home, calls, recording = f"{service_folder()}{os.sep}", Calls(), threading.Event()

    def note(frame: FrameType, event: str, _argument: object) -> None:
        if event == "call" and recording.is_set() and frame.f_code.co_filename.startswith(home):
            calls[frame.f_code] += 1

    threading.setprofile(note)  # for the threads that the service starts
    sys.setprofile(note)
    with service_batch() as ask:
        ask([_body(FIRST)])
        recording.set()
        _, [(status, answer)] = ask([_body(columns)])
        recording.clear()
    sys.setprofile(None)
    if status != 200:
        raise SystemExit(f"POST /best-move answered {status}: {answer!r}")
    return calls


def _body(columns: str) -> bytes:
    return json.dumps({"game": "connect-four", "moves": [int(column) for column in columns]}).encode()
