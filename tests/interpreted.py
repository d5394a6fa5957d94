"""Compiled modules as plain Python beside the compiled ones, in the same process."""

import sys
from importlib import import_module
from importlib.machinery import SOURCE_SUFFIXES, FileFinder, SourceFileLoader
from pathlib import Path
from types import ModuleType
from unittest.mock import patch

import service.games
import service.kernel


def interpreted_search() -> ModuleType:
    """Import ``service.kernel.alpha_beta.search`` from the sources of the kernel, whether they were compiled or not.

    The modules that Python has imported so far stay as they are. The interpreted ones share those that are never
    compiled with them, exceptions among them.
    """
    (search,) = _interpreted(["service.kernel.alpha_beta.search"], [service.kernel])
    return search


def interpreted_tables() -> tuple[ModuleType, ModuleType]:
    """Import the packed tables of states and their ranking from their sources, like that above."""
    names = ["service.kernel.states.packed_table", "service.kernel.states.ranking"]
    table, ranking = _interpreted(names, [service.kernel])
    return table, ranking


def interpreted_families() -> tuple[ModuleType, ModuleType, ModuleType, ModuleType]:
    """Import the catalogue of families, graphs, the retrograde analysis and the search from their sources, like those.

    All modules of families are imported anew, for the one that makes the compiled objects is never compiled itself.
    """
    states = [f"service.kernel.states.{name}" for name in ("graph", "retrograde", "family_search")]
    names = ["service.games.catalogue", *states]
    catalogue, graph, retrograde, search = _interpreted(names, [service.kernel, service.games], anew="service.games.")
    return catalogue, graph, retrograde, search


def _interpreted(names: list[str], packages: list[ModuleType], anew: str = "service.kernel._") -> list[ModuleType]:
    prefixes = tuple(package.__name__ for package in packages)
    loaded = {name: module for name, module in sys.modules.items() if name.startswith(prefixes)}
    kept = [(module, {**vars(module)}) for module in loaded.values() if hasattr(module, "__path__")]
    with patch.dict(sys.modules), patch.dict(sys.path_importer_cache):
        for init in (init for package in packages for init in Path(package.__path__[0]).rglob("__init__.py")):
            folder = str(init.parent)
            sys.path_importer_cache[folder] = FileFinder(folder, (SourceFileLoader, SOURCE_SUFFIXES))
        for name, module in loaded.items():
            if not f"{module.__file__}".endswith(".py") or name.startswith(anew):
                del sys.modules[name]
                vars(loaded[name.rpartition(".")[0]]).pop(name.rpartition(".")[2], None)
        try:
            return [import_module(name) for name in names]
        finally:
            for package, attributes in kept:
                vars(package).clear()
                vars(package).update(attributes)
