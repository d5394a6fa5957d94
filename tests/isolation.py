"""Limits that only one process has."""

import resource

import pytest

from tests.support import IN_CI, need


def with_open_files(most: int) -> list[str]:
    """What to start a program with so that it may have so many files and sockets open."""
    return [need("prlimit"), f"--nofile={most}:{most}"]


def allow_open_files(wanted: int) -> None:
    """Lets this process, and those that it starts, have so many open."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < wanted:
        (pytest.fail if IN_CI else pytest.skip)(f"no more than {hard} open files are allowed here")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, wanted), hard))
