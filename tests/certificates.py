"""Certificates for tests: made by the service, changed, and checked by the programs in ``examples/``."""

import json
import random
import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from examples.check_proof import check
from loadtests.hunt.certificates import OTHER, Lines
from service.api.routes.proof import certificate_lines
from service.engine.certificates.certificate import Certificate
from service.engine.oracle import UNHURRIED, Oracle
from service.engine.result import Outcome
from service.engine.work.limit import Limit
from service.games.families.lines import LinePosition
from tests.support import HUNG_SECONDS, ROOT, need


@cache
def oracle() -> Oracle:
    """The oracle that certifies all positions here."""
    return Oracle(table_mb=64)


def certificate(position: LinePosition, limit: Limit = UNHURRIED) -> str:
    """Return the certificate of a position as text."""
    found = oracle().certify(position, limit=limit).found
    assert isinstance(found, Certificate), found
    return b"".join(certificate_lines(found)).decode()


def outcome_in(text: str) -> Outcome:
    """Return the outcome that a certificate shows, for the player to move."""
    outcome: Outcome = json.loads(text.partition("\n")[0])["outcome"]
    return outcome


def read(text: str) -> Lines:
    """Return the lines of a certificate as data."""
    return [json.loads(line) for line in text.splitlines()]


def written(lines: Lines) -> str:
    """Return the text of a certificate."""
    return "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)


def holds_in_python(text: str) -> bool:
    """Return the verdict of ``check_proof.py``."""
    try:
        check(text.splitlines())
    except (LookupError, TypeError, ValueError, AttributeError):
        return False
    return True


class CChecker:
    """``check_proof.c``; ``sanitized`` if it is compiled with what finds a fault in the program itself."""

    def __init__(self, folder: Path, *, sanitized: bool) -> None:
        self._folder = folder
        self._program = folder / "check_all"
        source = ROOT / "tests/examples/check_all.c"
        sane = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all") if sanitized else ()
        strict = ("-O2", "-Wall", "-Wextra", "-Werror", *sane)
        command: list[str | Path] = [need("gcc"), *strict, "-o", self._program, source]
        subprocess.run(command, check=True)

    def verdicts(self, texts: Sequence[str]) -> list[bool]:
        """Return whether the program says of each certificate that it holds."""
        for number, text in enumerate(texts):
            (self._folder / f"{number}.jsonl").write_text(text)
        command = [str(self._program), str(self._folder), str(len(texts))]
        done = subprocess.run(command, capture_output=True, text=True, timeout=HUNG_SECONDS, check=True)
        assert done.stderr == ""  # what a sanitizer says
        codes = [line for line in done.stdout.splitlines() if line.startswith("code ")]
        assert set(codes) <= {"code 0", "code 1"}
        assert len(codes) == len(texts)
        return [code == "code 0" for code in codes]


def holder_of(lines: Lines, place: int) -> dict[str, str]:
    """Return the claim that an entry belongs to."""
    claim: dict[str, str] = next(line for line in reversed(lines[:place]) if isinstance(line, dict))
    return claim


def changed_anyhow(lines: Lines, dice: random.Random) -> Lines:
    """Return a certificate in which chance has changed one number, letter, line or entry; it may be true still."""
    copy = json.loads(json.dumps(lines))
    place = dice.randrange(len(copy))
    line = copy[place]
    kind = dice.randrange(4)
    if kind == 0 and place:
        del copy[place]
    elif kind == 1:
        copy.insert(place, copy[dice.randrange(len(copy))])
    elif isinstance(line, list):
        _change_entry(line, dice)
    else:
        _change_object(line, dice)
    return list(copy)


def _change_entry(entry: Lines, dice: random.Random) -> None:
    field = dice.randrange(len(entry))
    if field == 0:
        cell = dice.randrange(len(entry[0]))
        entry[0] = entry[0][:cell] + dice.choice("XO.") + entry[0][cell + 1 :]
    elif field == 1:
        cell = dice.randrange(len(entry[0]) + 1)
        if isinstance(entry[1], list):
            entry[1][dice.randrange(len(entry[1]))] = cell
        else:
            entry[1] = cell
    else:
        dice.choice(entry[2])[dice.randrange(2)] = dice.randrange(len(entry[0]))


def _change_object(line: dict[str, Any], dice: random.Random) -> None:
    name = dice.choice(list(line))
    if isinstance(line[name], bool):
        line[name] = not line[name]
    elif isinstance(line[name], int):
        line[name] += dice.choice((-1, 1))
    elif name in ("player", "holder"):
        line[name] = OTHER[line[name]]
    elif name in ("outcome", "at_least"):
        line[name] = dice.choice(("win", "draw", "loss"))
    elif name == "position":
        cell = dice.randrange(len(line[name]))
        line[name] = line[name][:cell] + dice.choice("XO.") + line[name][cell + 1 :]
    elif line[name]:
        numbers = dice.choice(line[name])
        numbers[dice.randrange(len(numbers))] = dice.randrange(len(line.get("position", "x")))
