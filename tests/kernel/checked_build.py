"""Compiles a copy of the kernel with every check; a program that runs in the folder of the copy."""

from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup  # type: ignore[import-untyped]

SHARED = "service.kernel._cython"
"""The extension with what Cython would else put into every other one, which took most of the time."""

NOT_SEARCHED = {
    *("bits", "columns", "family", "family_look_ahead", "family_search", "graph", "patterns", "retrograde"),
    *("scheduling", "successors"),
}
"""Modules that a search of line games does not use, and those that are compiled into others."""

# Without wraparound a negative index is one out of bounds.
DIRECTIVES = {"boundscheck": True, "wraparound": False, "cdivision": False, "initializedcheck": True}


def main() -> None:
    """Compile the modules beside which there are C types, each into its folder."""
    modules = [path.with_suffix("") for path in sorted(Path("service/kernel").rglob("*.pxd"))]
    kernel = cythonize(  # type: ignore[no-untyped-call]
        [
            Extension(SHARED, ["service/kernel/_cython.c"]),
            *(
                Extension(".".join(path.parts), [f"{path}.py"], include_dirs=["service/kernel"])
                for path in modules
                if path.stem not in NOT_SEARCHED
            ),
        ],
        build_dir="build",
        compiler_directives=DIRECTIVES,
        emit_linenums=True,  # messages with the lines of the source, not those of the C file
        shared_utility_qualified_name=SHARED,
        quiet=True,
    )
    setup(script_args=["build_ext", "--inplace"], ext_modules=kernel, options={"build_ext": {"parallel": 2}})


if __name__ == "__main__":
    main()
