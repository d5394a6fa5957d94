"""A program that asks one checkout of the service about positions; the limits count processor time.

It reads a list of bodies for ``POST /best-move`` from standard input, and writes a list of answers, each with
its seconds. It runs by its path, with any version since 0.1.0 on the path of modules, so it imports nothing of this
package.
"""

import json
import os
import sys
import time
from collections.abc import Iterator
from inspect import signature
from typing import Any

time.monotonic = time.process_time  # before the service imports it: load beside it does not matter then

from service.app import create_app  # noqa: E402
from service.settings import Settings  # noqa: E402

IN_THIS_THREAD = ("search_slots", "gated")
"""The parameter by which searches run at once, in the thread that asks; its name depends on the version."""


def answers(bodies: list[Any]) -> Iterator[Any]:
    """Yield the answer to each body."""
    (parameter,) = [name for name in signature(create_app).parameters if name in IN_THIS_THREAD]
    app = create_app(Settings.from_environment(os.environ), **{parameter: False})
    client = app.test_client()
    for body in bodies:
        began = time.process_time()
        answer = client.post("/best-move", json=body).get_json()
        yield {**answer, "seconds": time.process_time() - began}


if __name__ == "__main__":
    asked = json.load(sys.stdin)
    output, sys.stdout = sys.stdout, sys.stderr  # what the service prints is not for the reader of the answers
    json.dump([*answers(asked)], output)
