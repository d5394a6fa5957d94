"""The kernel as plain Python beside the compiled one, in the same process."""

import sys
from importlib import import_module
from importlib.machinery import SOURCE_SUFFIXES, FileFinder, SourceFileLoader
from types import ModuleType
from unittest.mock import patch

import service.kernel


def interpreted_search() -> ModuleType:
    """Import ``service.kernel.search`` from the sources of the kernel, whether they were compiled or not.

    The modules that Python has imported so far stay as they are. The interpreted ones share those that are never
    compiled with them, exceptions among them.
    """
    (folder,) = service.kernel.__path__
    sources = FileFinder(folder, (SourceFileLoader, SOURCE_SUFFIXES))
    with patch.dict(sys.modules), patch.dict(vars(service.kernel)), patch.dict(sys.path_importer_cache):
        for name, module in [*sys.modules.items()]:
            if name.startswith("service.kernel.") and not f"{module.__file__}".endswith(".py"):
                del sys.modules[name]
                vars(service.kernel).pop(name.rpartition(".")[2], None)
        sys.path_importer_cache[folder] = sources
        return import_module("service.kernel.search")
