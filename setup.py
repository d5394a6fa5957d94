"""Builds the compiled kernel. Everything else about the package stands in pyproject.toml.

The extensions are optional: without a C compiler the installation succeeds and the same sources run
interpreted, which the service says in its log, in /version and in /readyz.
"""

import os
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

COMPILED = sorted(path.with_suffix(".py") for path in Path("service/kernel").glob("*.pxd") if path.stem != "bits")
"""The modules of the kernel with C types beside them; those of ``bits.pxd`` are compiled into the others."""

SOURCES = [Extension(f"service.kernel.{path.stem}", [str(path)], extra_compile_args=["-O3"]) for path in COMPILED]
DIRECTIVES = {"boundscheck": False, "wraparound": False, "cdivision": True, "initializedcheck": False}

kernel = cythonize(SOURCES, build_dir="build", compiler_directives=DIRECTIVES)
for extension in kernel:
    extension.optional = True  # here, because cythonize makes extensions of its own and does not take this over

setup(ext_modules=kernel, options={"build_ext": {"parallel": os.cpu_count()}})
