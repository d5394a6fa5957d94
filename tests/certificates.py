"""Certificates for tests: made by the service, changed, and checked by the programs in ``examples/``."""

import json
import random
import re
import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from loadtests.hunt.certificates import Lines, holds
from service.api.write.certificates import certificate_lines
from service.engine.certificates.certificate import Certificate
from service.engine.oracle import UNHURRIED, Oracle
from service.engine.result import Outcome
from service.engine.work.limit import Limit
from service.games.position import Position
from tests.support import HUNG_SECONDS, ROOT, need


@cache
def oracle() -> Oracle:
    """The oracle that certifies all positions here."""
    return Oracle(table_mb=64)


def certificate(position: Position, limit: Limit = UNHURRIED) -> str:
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
    """Return the verdict of ``check_proof.py``, or for a family that of ``check_family_proof.py``."""
    return holds(text.splitlines())


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


TOKEN = re.compile(r'-?\d+|[XO.]|true|false|"(?:win|draw|loss)"')
"""What one change takes the place of."""


def changed_anyhow(lines: Lines, dice: random.Random) -> Lines:
    """Return a certificate in which chance has changed one number, letter, line or entry; it may be true still."""
    copy = [*lines]
    place = dice.randrange(len(copy))
    kind = dice.randrange(4)
    if kind == 0 and place:
        del copy[place]
    elif kind == 1:
        copy.insert(place, dice.choice(copy))
    else:
        text = json.dumps(copy[place])
        token = dice.choice([*TOKEN.finditer(text)])
        copy[place] = json.loads(text[: token.start()] + _other(token[0], dice) + text[token.end() :])
    return copy


def _other(token: str, dice: random.Random) -> str:
    if token.lstrip("-").isdigit():
        return str(dice.choice((int(token) - 1, int(token) + 1, dice.randrange(16))))
    kinds = ("XO.", ("true", "false"), ('"win"', '"draw"', '"loss"'))
    return dice.choice([other for kind in kinds if token in kind for other in kind if other != token])
