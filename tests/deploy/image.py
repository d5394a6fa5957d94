"""Builds the image without an engine, on Debian's own Python.

It knows the part of the Dockerfile's language that ours uses, and refuses the rest, so that what
it proves is what an engine would do.
"""

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path
from string import Template
from typing import NamedTuple

from tests.deploy.container import NAMESPACES, Image, enter
from tests.support import ROOT

STEP_SECONDS = 600
"""Time for one step of a build, which may have to download."""

PACKAGES = ("python3", "python3-venv", "libpython3-dev", "python-is-python3")
"""What Debian lacks of the official image."""

BASE_ENVIRONMENT = {"PATH": "/usr/local/bin:/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8"}

LENT_FILES = ("/etc/resolv.conf", "/etc/hosts", "/etc/pip.conf", "/etc/ssl/certs")
LENT_VARIABLES = re.compile(r"PIP_\w+|SSL_CERT_\w+|\w+_proxy", re.IGNORECASE)
"""How this machine reaches its package index: lent to the steps of a build, as an engine lends its network."""


class UnsupportedError(Exception):
    """What a Dockerfile says that is not known here."""


class Instruction(NamedTuple):
    """One instruction of a Dockerfile: its keyword, and what follows it, on one line."""

    keyword: str
    arguments: str


def read_dockerfile(text: str) -> list[Instruction]:
    """The instructions, without comments."""
    code = re.sub(r"^\s*#.*\n", "", text, flags=re.MULTILINE)
    lines = code.replace("\\\n", "").splitlines()
    return [Instruction(*line.strip().split(maxsplit=1)) for line in lines if line.strip()]


DOCKERFILE = read_dockerfile((ROOT / "Dockerfile").read_text())
STAGES = [index for index, instruction in enumerate(DOCKERFILE) if instruction.keyword == "FROM"]
FINAL = DOCKERFILE[STAGES[-1] :]


def said(keyword: str) -> str:
    """What the final stage says about something it may say only once."""
    (arguments,) = [instruction.arguments for instruction in FINAL if instruction.keyword == keyword]
    return arguments


def context_files(directory: Path) -> list[str]:
    """The files that ``.dockerignore`` lets into a build, by their paths below ``directory``."""
    lines = (directory / ".dockerignore").read_text().splitlines()
    rules = [_rule(line) for line in lines if line and not line.startswith("#")]
    paths = [str(path.relative_to(directory)) for path in directory.rglob("*") if path.is_symlink() or path.is_file()]
    return sorted(path for path in paths if [True, *(keeps for keeps, rule in rules if rule.fullmatch(path))][-1])


def _rule(line: str) -> tuple[bool, re.Pattern[str]]:
    """Whether the paths that match are kept, and the pattern; what matches a directory matches all below it."""
    sign, pattern = _match(r"(!?)([\w./*-]+)", line)
    parts = re.split(r"(\*\*/|\*)", pattern)
    regex = "".join({"**/": "(?:.*/)?", "*": "[^/]*"}.get(part, re.escape(part)) for part in parts)
    return bool(sign), re.compile(f"{regex}(?:/.*)?")


def build(context: Path, directory: Path) -> Image:
    """The last stage of the Dockerfile in ``context``; every stage is made in ``directory``."""
    builder = _Builder(context, directory)
    for instruction in read_dockerfile((context / "Dockerfile").read_text()):
        builder.do(instruction)
    return builder.image


class _Builder:
    """The stages so far, by name, and the image of the one that the next instruction goes on with."""

    image: Image

    def __init__(self, context: Path, directory: Path) -> None:
        self._directory = directory
        self._stages: dict[str, Image] = {}
        self._context = directory / "context"
        for path in context_files(context):
            _copy(context / path, self._context / path)

    def do(self, instruction: Instruction) -> None:  # noqa: C901, a case for each instruction
        """Does what one instruction says."""
        keyword, arguments = instruction
        match keyword:
            case "LABEL" | "EXPOSE":
                pass  # for people and registries
            case "FROM":
                self._from(arguments)
            case "ENV":
                self._env(arguments)
            case "WORKDIR":
                (self.image.workdir,) = _match(r"(/[\w/]*)", arguments)
                self.image.path(".").mkdir(parents=True, exist_ok=True)
            case "COPY":
                stage, source, target = _match(r"(?:--from=(\S+) )?([^\s*?]+) (\S*[^\s/])", arguments)
                origin = self._stages[stage].root if stage else self._context
                _copy(origin / source.lstrip("/"), self.image.path(target))
            case "RUN":
                (command,) = _match(r"([^-\[].*)", arguments)
                environment = {"HOME": "/root", **_lent_variables(), **self.image.environment}
                _succeed(enter(self.image, ["/bin/sh", "-c", command], lent=_lent_files()), environment)
            case "USER":
                (self.image.user,) = _match(r"(\d+:\d+)", arguments)
            case "STOPSIGNAL":
                self.image.stop_signal = signal.Signals[arguments]
            case "HEALTHCHECK":
                seconds, check = _match(r"(?:--\S+ +)*--timeout=(\d+)s +(?:--\S+ +)*CMD (\[.*\])", arguments)
                self.image.health_seconds, self.image.healthcheck = float(seconds), json.loads(check)
            case "CMD":
                self.image.command = json.loads(*_match(r"(\[.*\])", arguments))
            case _:
                raise UnsupportedError(f"{keyword} {arguments}")

    def _env(self, arguments: str) -> None:
        assignments = [_match(r"(\w+)=(.*)", assignment) for assignment in shlex.split(arguments)]
        before = dict(self.image.environment)
        self.image.environment |= {name: Template(value).substitute(before) for name, value in assignments}

    def _from(self, arguments: str) -> None:
        base, name = _match(r"(\S+)(?: AS (\S+))?", arguments)
        root = self._directory / f"stage-{len(self._stages)}"
        _succeed(["cp", "-a", "--reflink=auto", str(_base(base)), str(root)])
        self.image = self._stages[name or root.name] = Image(root, dict(BASE_ENVIRONMENT))


def _match(pattern: str, text: str) -> tuple[str, ...]:
    """The groups of a pattern that describes the whole text."""
    found = re.fullmatch(pattern, text)
    if found is None:
        raise UnsupportedError(text)
    return found.groups()


def _copy(source: Path, target: Path) -> None:
    """Copies what a directory holds, or one file into a directory that exists or else to that path."""
    if source.is_dir():
        shutil.copytree(source, target, symlinks=True, dirs_exist_ok=True)
    else:
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(source, target, follow_symlinks=False)


def _lent_variables() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if LENT_VARIABLES.fullmatch(name)}


def _lent_files() -> list[str]:
    """Those that exist, and those that a variable names."""
    named = [value for value in _lent_variables().values() if value.startswith("/")]
    return [path for path in (*LENT_FILES, *named) if Path(path).exists()]


def _base(image: str) -> Path:
    """A root directory that stands for an official image of Python; made once and kept in the user's cache.

    It is Debian with Python; like the official image, without bytecode of the standard library.
    """
    version, suite = _match(r"python:(\d+\.\d+)\.\d+-slim-(\w+)", image)
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "move-oracle"
    root = cache / "-".join([suite, *PACKAGES])
    if not root.exists():
        cache.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=cache) as directory:
            made = Path(directory) / "root"
            options = ["--variant=minbase", f"--include={','.join(PACKAGES)}"]
            _succeed([*NAMESPACES, "debootstrap", *options, suite, str(made)])
            for left in (made / "var/cache/apt/archives", *(made / "usr/lib").glob("python3*/**/__pycache__")):
                shutil.rmtree(left)
            made.rename(root)
    assert (root / "usr/bin" / f"python{version}").exists(), f"Debian's {suite} has no Python {version}"
    return root


def _succeed(command: list[str], environment: Mapping[str, str] | None = None) -> None:
    """Runs a command that has to succeed; if it does not, the error is all that it wrote."""
    process = subprocess.run(
        command,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        timeout=STEP_SECONDS,
    )
    assert process.returncode == 0, f"{shlex.join(command)}\n{process.stdout}"
