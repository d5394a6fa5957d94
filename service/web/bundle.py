"""One JavaScript module made of many: the sources stay apart and readable, and a browser asks for one file."""

import re
from collections.abc import Mapping
from posixpath import dirname, join, normpath

IMPORT = re.compile(
    r'^import (?:\{ (?P<names>[^}]+) \}|\* as (?P<whole>\w+)) from "(?P<path>\.{1,2}/[\w/]+)\.js";\n', re.MULTILINE
)
EXPORT = re.compile(r"^export (?=(?:const|class|(?:async )?function\*?) (?P<name>\w+))", re.MULTILINE)
COMMENT = re.compile(r"^ *(?:/\*\*.*?\*/|//[^\n]*)\n", re.MULTILINE | re.DOTALL)
"""Comments on lines of their own: a fifth of what a browser would load."""

OTHER = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)


def joined(entry: str, modules: Mapping[str, str]) -> str:
    """Return the module ``entry`` with all that it imports, in one text.

    ``modules`` has the sources by name, without their suffix; the name of one in a folder is its path. Each becomes a
    function that is called once, after those that it imports, and returns what it exports: names of different modules
    do not meet. Comments on lines of their own are left out.
    The text exports what ``entry`` does.

    Raises ValueError where a module is missing, modules import each other in a circle, or an import or export is not
    of the forms that the page uses.
    """
    exported = ", ".join(_exported(modules[entry]))
    parts = [_wrapped(name, modules[name]) for name in _in_order(entry, modules, ())]
    return "\n".join([*parts, *([f"export const {{ {exported} }} = {_constant(entry)};"] if exported else [])])


def _in_order(name: str, modules: Mapping[str, str], importers: tuple[str, ...]) -> list[str]:
    """Return the names of a module and of all that it imports, those that are imported first."""
    if name in importers:
        raise ValueError(f"Modules import each other: {' -> '.join([*importers, name])}")
    if name not in modules:
        raise ValueError(f"There is no module {name}, which {importers[-1] if importers else 'the page'} imports")
    below = [_imported(found, name) for found in IMPORT.finditer(modules[name])]
    order = [each for module in below for each in _in_order(module, modules, (*importers, name))]
    return list(dict.fromkeys([*order, name]))


def _wrapped(name: str, source: str) -> str:
    body = EXPORT.sub("", IMPORT.sub(lambda found: _bound(found, name), COMMENT.sub("", source))).strip()
    other = OTHER.search(body)
    if other:
        raise ValueError(f"{name}.js: cannot join this: {other[0]}")
    return f"const {_constant(name)} = (() => {{\n{body}\nreturn {{ {', '.join(_exported(source))} }};\n}})();"


def _exported(source: str) -> list[str]:
    return [found["name"] for found in EXPORT.finditer(source)]


def _bound(found: re.Match[str], importer: str) -> str:
    """Return an import as a constant."""
    names = found["whole"] or f"{{ {found['names']} }}"
    return f"const {names} = {_constant(_imported(found, importer))};\n"


def _imported(found: re.Match[str], importer: str) -> str:
    """Return the name of the module that another one imports."""
    return normpath(join(dirname(importer), found["path"]))


def _constant(module: str) -> str:
    """Return what holds the exports of a module in the joined text."""
    return f"${module.replace('/', '$')}"
