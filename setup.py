"""Builds the compiled kernel. Everything else about the package stands in pyproject.toml.

The extensions are optional: without a C compiler the installation succeeds and the same sources run
interpreted, which the service says in its log, in /version and in /readyz.
"""

import gc
import os
import sys
import sysconfig
from contextlib import suppress
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

gc.set_threshold(1_000_000)
"""Cython makes large trees that stay in use: to look for garbage as often as usual takes a third of its time."""

IN_C = {"bits", "patterns", "scheduling"}
"""Modules that are written in C beside their ``.pxd`` or in it, which is compiled into each module that calls them."""

HEADERS = "service/kernel"
"""The folder of the headers of C."""

COMPILED = sorted(path.with_suffix("") for path in Path("service").rglob("*.pxd") if path.stem not in IN_C)
"""The modules with C types beside them."""

SHARED = "service.kernel._cython"
"""The extension with what Cython would else put into every other one."""

MORE_OPTIMIZED = {
    *("alpha_beta", "board", "board_lines", "bounds", "children", "family_look_ahead", "family_search", "nodes"),
    "ultimate",
}
"""Modules in which searches spend most of their time: -O3 unrolls their loops."""

LESS_OPTIMIZED = {
    "service/games/rules",
    "service/kernel/estimate",
    *(f"service/kernel/states/{name}.py" for name in ("columns", "graph", "retrograde", "successors")),
}
"""Folders whose other modules are as fast with -O1, in two thirds of the compiler's time, and such modules."""

STABLE = not sysconfig.get_config_var("Py_GIL_DISABLED")
"""Whether to compile for the stable interface of CPython 3.11, so that one wheel is for all later versions. It compiles
in less time too, and loops that know their types run as fast. Python without its global lock has no such interface."""

STABLE_MACROS: list[tuple[str, str | None]] = [("CYTHON_LIMITED_API", "1"), ("Py_LIMITED_API", "0x030B0000")]

INTERPRETED = """
There is no C compiler, or no Python.h: the search is interpreted, which takes hundreds of times as long, and finds the
same. On Debian: apt-get install gcc python3-dev; then make clean install.
"""

DIRECTIVES = {
    "auto_pickle": False,
    "binding": False,
    "boundscheck": False,
    "cdivision": True,
    "emit_code_comments": False,
    "initializedcheck": False,
    "show_performance_hints": False,
    "wraparound": False,
}


def optimization(name: str, source: Path) -> str:
    """Return the option of the compiler for a module."""
    if source.stem in MORE_OPTIMIZED:
        return "-O3"
    return "-O1" if name == SHARED or LESS_OPTIMIZED & {str(source), str(source.parent)} else "-O2"


def extension(name: str, source: str) -> Extension:
    """Return what to compile, and how."""
    return Extension(
        name,
        [source],
        include_dirs=[HEADERS],
        define_macros=STABLE_MACROS if STABLE else [],
        extra_compile_args=[optimization(name, Path(source)), "-g0"],
        py_limited_api=STABLE,
    )


class BuildOrTell(build_ext):
    """Compiles, or says once that the sources stay as they are."""

    def warn(self, msg: str) -> None:
        """Keep the message about an extension that could not be built."""
        self.failures.append(msg)

    def build_extensions(self) -> None:
        """Build what can be built."""
        self.failures: list[str] = []
        super().build_extensions()
        if self.failures:
            print(f"{self.failures[0]}\n{INTERPRETED}", file=sys.stderr)  # noqa: T201, a build has no log


def remove_stale() -> None:
    """Remove what was compiled of modules that no longer are: Python would import it instead of the source."""
    for path in Path("service").rglob("*.so"):
        if path.with_name(path.name.split(".")[0]) not in {*COMPILED, Path(SHARED.replace(".", "/"))}:
            path.unlink()


def extensions() -> list[Extension]:
    """Translate all modules to C, in as many processes as there are cores; the largest come first."""
    from Cython.Build import cythonize  # noqa: PLC0415, only those who compile need Cython

    remove_stale()
    largest_first = sorted(COMPILED, key=lambda module: module.with_suffix(".py").stat().st_size, reverse=True)
    kernel: list[Extension] = cythonize(
        [
            extension(SHARED, "service/kernel/_cython.c"),
            *(extension(".".join(module.parts), f"{module}.py") for module in largest_first),
        ],
        build_dir="build",
        compiler_directives=DIRECTIVES,
        nthreads=os.cpu_count(),
        quiet=True,
        shared_utility_qualified_name=SHARED,
    )
    for compiled in kernel:
        compiled.optional = True  # here, because cythonize makes extensions of its own and does not take this over
    return kernel


def make_pages_small() -> None:
    """Make the files of the pages small, where the programs for that are; without them they are only larger."""
    sys.path.insert(0, str(Path(__file__).parent))
    with suppress(ImportError):
        from service.web.build import build  # noqa: PLC0415, needs those programs

        build()


# The processes of cythonize may import this module. The Makefile compiles in place what has changed, and then installs
# the package without compiling again.
if __name__ == "__main__":
    if os.environ.get("COMPILE") != "no" and "build_ext" not in sys.argv:
        make_pages_small()
    setup(
        cmdclass={"build_ext": BuildOrTell},
        ext_modules=[] if os.environ.get("COMPILE") == "no" else extensions(),
        options={
            "bdist_wheel": {"py_limited_api": "cp311" if STABLE else False},
            "build_ext": {"parallel": os.cpu_count()},
        },
    )
