"""The settings of the Kubernetes manifest, and the memory and threads that it allows."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil
from typing import Any, Self

import yaml

from loadtests.servers.processes import ROOT
from service.cores import cores
from service.settings import Settings

DEPLOYMENT = ROOT / "deploy" / "kubernetes" / "deployment.yaml"

IMAGE = ROOT / "Dockerfile"

UNITS = {"Ki": 2**10, "Mi": 2**20, "Gi": 2**30}

OTHER_THREADS = {"event loop": 1, "logs": 2, "maker of tables": 1}
"""Threads of a worker beside those of the settings."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """The environment of the container, and the bytes of memory beyond which it is killed."""

    environment: Mapping[str, str]
    memory: int


def read_manifest() -> Manifest:
    """Read the manifest of the deployment, and what the image sets for the allocator."""
    deployment: dict[str, Any] = yaml.safe_load(DEPLOYMENT.read_text())
    (container,) = deployment["spec"]["template"]["spec"]["containers"]
    image = dict(re.findall(r"\b(MALLOC_\w+)=(\S+)", IMAGE.read_text()))
    environment = {each["name"]: each["value"] for each in container["env"]}
    return Manifest({**image, **environment}, _bytes(container["resources"]["limits"]["memory"]))


@dataclass(frozen=True, slots=True)
class Bounds:
    """The most memory of all processes in MB, and the most threads of a worker."""

    memory_mb: float
    threads: int

    @classmethod
    def of(cls, manifest: Manifest, environment: Mapping[str, str]) -> Self:
        """Return the bounds of a container that runs with these settings.

        A worker has a thread for each request and one for its stream, one for each of its slots, and some others.
        """
        settings = Settings.from_environment(environment)
        slots = ceil(settings.max_searches / settings.workers)
        others = sum(OTHER_THREADS.values()) + min(settings.max_searches, cores())  # these help to make a table
        return cls(manifest.memory / 2**20, 2 * settings.threads + slots + others)


def _bytes(quantity: str) -> int:
    return int(quantity[:-2]) * UNITS[quantity[-2:]]
