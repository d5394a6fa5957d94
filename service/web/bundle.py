"""Joins JavaScript modules into few files: sources stay separate and readable, a browser loads one file at first."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache, partial
from itertools import chain
from posixpath import dirname, join, normpath

IMPORT = re.compile(
    r'^import (?:\{ (?P<names>[^}]+) \}|\* as (?P<whole>\w+)) from "(?P<path>\.{1,2}/[\w/]+)\.js";\n', re.MULTILINE
)
LATER = re.compile(r'\bimport\("(?P<path>\.{1,2}/[\w/]+)\.js"\)')
"""The import of a module at its first use."""

AGAIN = 'import("{}" + (globalThis.again ?? ""))'
"""The same import in a text. Browsers remember a failed address; ``again`` changes the address for another try."""

EXPORT = re.compile(r"^export (?=(?:const|class|(?:async )?function\*?) (?P<name>\w+))", re.MULTILINE)
OTHER = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)

Imports = Callable[[str], Sequence[str]]
"""Returns the names of the modules that a module imports."""


def bundled(entry: str, modules: Mapping[str, str], address: str) -> dict[str, str]:
    """Return the module ``entry`` with all that it imports in one text, and one for each module that is imported later.

    ``modules`` has the sources by name, without their suffix; the name of one in a folder is its path. Each text has
    the name of the module whose exports it exports, and imports the others at the ``address``, which has ``{}`` for the
    name. No module is in two texts. Each becomes a function that is called once, after those that it imports, and
    returns what it exports: names of different modules do not meet.

    Raises ValueError where a module is missing, modules import each other in a circle, an import or export is not of
    the forms that the page uses, or a module is to come later but is in the first text.
    """
    imports, later = (cache(partial(_imported, modules, form)) for form in (IMPORT, LATER))
    files = _files(entry, imports, later)
    homes = {module: name for name, file in files.items() for module in file}
    outside = {
        name: sorted({used for module in file for used in imports(module)} - {*file}) for name, file in files.items()
    }
    lent = {*chain.from_iterable(outside.values())}
    texts = dict[str, str]()
    for name, file in files.items():
        borrowed = [f'import {{ {_constant(each)} }} from "{address.format(homes[each])}";' for each in outside[name]]
        wrapped = [_wrapped(module, modules[module], address) for module in file]
        own = ", ".join(_exported(modules[name]))
        shared = ", ".join(_constant(module) for module in file if module in lent)
        exports = [own and f"export const {{ {own} }} = {_constant(name)};", shared and f"export {{ {shared} }};"]
        texts[name] = "\n".join([*borrowed, *wrapped, *filter(None, exports)])
    return texts


def _files(entry: str, imports: Imports, later: Imports) -> dict[str, list[str]]:
    """Return the modules of each text by the name of its last one; imported modules come first.

    ``later`` returns the modules that one imports at their first use.
    """
    names = [entry]
    for name in names:
        found = dict.fromkeys(each for module in _in_order(name, imports) for each in later(module))
        names.extend(each for each in found if each not in names)
    first = _in_order(entry, imports)
    for name in names[1:]:
        if name in first:
            raise ValueError(f"{name} is to be imported later, but {entry} has imported it already")
    while True:
        files = {name: _in_order(name, imports, {*first, *names} - {name}) for name in names[1:]}
        shared = [module for module, texts in Counter(chain.from_iterable(files.values())).items() if texts > 1]
        if not shared:
            return {entry: first, **files}
        names.append(shared[-1])


def _in_order(
    name: str, imports: Imports, elsewhere: Collection[str] = (), importers: tuple[str, ...] = ()
) -> list[str]:
    """Return a module and everything that it imports, except for those ``elsewhere``; imported ones come first."""
    if name in importers:
        raise ValueError(f"Modules import each other: {' -> '.join([*importers, name])}")
    try:
        below = [each for each in imports(name) if each not in elsewhere]
    except KeyError:
        raise ValueError(
            f"There is no module {name}, which {importers[-1] if importers else 'the page'} imports"
        ) from None
    order = [each for module in below for each in _in_order(module, imports, elsewhere, (*importers, name))]
    return list(dict.fromkeys([*order, name]))


def _wrapped(name: str, source: str, address: str) -> str:
    body = IMPORT.sub(lambda found: _bound(found, name), EXPORT.sub("", source))
    body = LATER.sub(lambda found: AGAIN.format(address.format(_path(found, name))), body).strip()
    other = OTHER.search(body)
    if other:
        raise ValueError(f"{name}.js: cannot join this: {other[0]}")
    return f"const {_constant(name)} = (() => {{\n{body}\nreturn {{ {', '.join(_exported(source))} }};\n}})();"


def _exported(source: str) -> list[str]:
    return [found["name"] for found in EXPORT.finditer(source)]


def _imported(modules: Mapping[str, str], form: re.Pattern[str], name: str) -> list[str]:
    """Return the names of the modules that a module imports in this form. Raises KeyError if the module is missing."""
    return [_path(found, name) for found in form.finditer(modules[name])]


def _bound(found: re.Match[str], importer: str) -> str:
    """Return an import as a constant."""
    names = found["whole"] or f"{{ {found['names']} }}"
    return f"const {names} = {_constant(_path(found, importer))};\n"


def _path(found: re.Match[str], importer: str) -> str:
    """Return the name of the imported module."""
    return normpath(join(dirname(importer), found["path"]))


def _constant(module: str) -> str:
    """Return the name of the constant with a module's exports in its text."""
    return f"${module.replace('/', '$')}"
