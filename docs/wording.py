"""Find phrases in docstrings and comments that a reader has to read twice.

Run ``python docs/wording.py``. It fails if a docstring or comment of ``service/``, ``move_oracle/`` or ``setup.py``, in
Python or JavaScript, has one of ``PHRASES``, and prints what to write instead.
"""

import ast
import io
import re
import sys
import tokenize
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from pathlib import Path
from types import MappingProxyType

ROOT = Path(__file__).parent.parent

PHRASES: Mapping[str, str] = MappingProxyType(
    {
        "so (many|much|few)": "name the number: `plies` plies, at most `most` nodes",
        "so (long|large|far) (a|an|as)": "name the length or the size",
        "(whoever|whatever|whichever)": "name the subject, or write any, every, also if",
        "(nobody|somebody|anybody|everybody)": "name the subject: a client, a thread, a player",
        "(tell|tells|told|telling)": "write say, show, return, distinguish, emit or notify",
        "of (which|whom)": "use whose, or a sentence of its own",
        "what there is": "name the thing",
        "what (it|they|is) (takes?|left|said|asked|wanted|called)": "name the cost, the rest, the name",
        "likewise": "repeat what is alike",
        "goes without saying": "leave it out",
        "hang(s|ing)? on": "write depends on",
        "minds?": "write rejects, or depends on",
        "anew": "write again",
    }
)
"""Regular expressions of phrases, each with the advice to print."""


SCRIPT_COMMENT = re.compile(r"(?:^|(?<=[\s;,{}()]))(?://[^\n]*|/\*.*?\*/)", re.DOTALL)


def script_prose(source: str) -> Iterator[tuple[int, str]]:
    """Yield the comments of a JavaScript file, each with the number of its first line."""
    for found in SCRIPT_COMMENT.finditer(source):
        yield source.count("\n", 0, found.start()) + 1, found.group()


def prose(source: str) -> Iterator[tuple[int, str]]:
    """Yield the docstrings and the comments of a Python file, each with the number of its first line."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Expr(value=ast.Constant(value=str(text))):
                yield node.lineno, text
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    comments = enumerate(token for token in tokens if token.type == tokenize.COMMENT)
    for (first, _), block in groupby(comments, lambda each: (each[1].start[0] - each[0], each[1].start[1])):
        numbered = [*block]
        yield first + numbered[0][0], " ".join(token.string for _, token in numbered)


def findings(prose: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str, str]]:
    """Yield the line, the phrase and the advice for each phrase in the prose of a file."""
    for line, text in prose:
        for phrase, advice in PHRASES.items():
            for found in re.finditer(rf"\b{phrase}\b", re.sub(r"[\s#*]+", " ", text), re.IGNORECASE):
                yield line, found.group(), advice


def files() -> Iterator[Path]:
    """Yield the files of the product with prose to check."""
    yield ROOT / "setup.py"
    for folder in ("move_oracle", "service"):
        yield from sorted((ROOT / folder).rglob("*.py"))
    yield from sorted(file for file in (ROOT / "service/web").rglob("*.js") if "minified" not in file.parts)


def main() -> None:
    """Print the phrases that are found; exit with 1 if there are any."""
    found = [
        f"{file.relative_to(ROOT)}:{line}: {phrase!r}: {advice}"
        for file in files()
        for line, phrase, advice in findings(
            (prose if file.suffix == ".py" else script_prose)(file.read_text(encoding="utf-8"))
        )
    ]
    if found:
        sys.exit("\n".join(found))


if __name__ == "__main__":
    main()
