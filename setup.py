"""Builds the compiled kernel. Everything else about the package stands in pyproject.toml.

The extension is optional: without a C compiler the installation succeeds and the same source runs
interpreted, which the service says in its log, in /version and in /readyz.
"""

from Cython.Build import cythonize
from setuptools import Extension, setup

SOURCE = Extension("service.kernel.search", ["service/kernel/search.py"], extra_compile_args=["-O3"])

(kernel,) = cythonize([SOURCE], build_dir="build")
kernel.optional = True  # here, because cythonize makes an extension of its own and does not take this over

setup(ext_modules=[kernel])
