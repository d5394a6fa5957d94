"""Builds the compiled kernel. Everything else about the package stands in pyproject.toml.

The extensions are optional: without a C compiler the installation succeeds and the same sources run
interpreted, which the service says in its log, in /version and in /readyz.
"""

import os
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

COMPILED = sorted(path.with_suffix("") for path in Path("service").rglob("*.pxd") if path.stem != "bits")
"""The modules with C types beside them; ``bits.pxd`` is compiled into each of them."""

SHARED = "service.kernel._cython"
"""The extension with what Cython would else put into every other one."""

OPTIONS = ["-O3", "-g0"]
DIRECTIVES = {"boundscheck": False, "wraparound": False, "cdivision": True, "initializedcheck": False}

kernel = cythonize(
    [
        Extension(SHARED, ["service/kernel/_cython.c"], extra_compile_args=OPTIONS),
        *(Extension(".".join(module.parts), [f"{module}.py"], extra_compile_args=OPTIONS) for module in COMPILED),
    ],
    build_dir="build",
    compiler_directives=DIRECTIVES,
    shared_utility_qualified_name=SHARED,
)
for extension in kernel:
    extension.optional = True  # here, because cythonize makes extensions of its own and does not take this over

# The Makefile has compiled everything in place before it installs the package, so that it compiles only what changed.
setup(
    ext_modules=kernel if os.environ.get("COMPILE") != "no" else [], options={"build_ext": {"parallel": os.cpu_count()}}
)
