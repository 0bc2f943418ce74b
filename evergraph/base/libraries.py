"""Libraries of custom ops and tf.sysconfig. evergraph's ops are Python: there is nothing to compile or link against."""

from __future__ import annotations

import os
from typing import NoReturn

from evergraph.base import errors
from evergraph.base.export import export

CXX11_ABI_FLAG = export("CXX11_ABI_FLAG", "sysconfig.CXX11_ABI_FLAG")(1)
MONOLITHIC_BUILD = export("MONOLITHIC_BUILD", "sysconfig.MONOLITHIC_BUILD")(0)

_REMEDY = ("a custom op needs a declaration in Python: its signature and a kernel written with xp, as CONTRIBUTING.md "
           "shows under 'An op'; tf.py_func calls Python code without a declaration")


@export("load_op_library")
def load_op_library(library_filename: str) -> NoReturn:
    """TensorFlow loads a shared library of custom ops here, compiled against its headers.

    Raises:
        NotFoundError: there is no such file.
        UnimplementedError: there is one. It contains kernels for TensorFlow's runtime, which evergraph does not have;
            the message says what to do.
    """
    _refuse("load_op_library", library_filename)


@export("load_library")
def load_library(library_location: str) -> NoReturn:
    """As `load_op_library`, for a file or all files of a directory."""
    if not os.path.exists(library_location):
        raise OSError(f"there is no file or directory {library_location} to load ops from")
    _refuse("load_library", library_location)


@export("load_file_system_library")
def load_file_system_library(library_filename: str) -> NoReturn:
    """TensorFlow loads a shared library with a file system here; evergraph's file systems are those of fsspec.

    Raises:
        NotFoundError: there is no such file.
        UnimplementedError: there is one.
    """
    _check_there(library_filename)
    raise errors.UnimplementedError(None, None, f"tf.load_file_system_library: {library_filename} is for TensorFlow's "
                                    "runtime; install a file system of fsspec (pip install gcsfs, s3fs, ...) instead")


@export("sysconfig.get_include")
def get_include() -> NoReturn:
    """TensorFlow names the directory of its C++ headers here; evergraph has none, so this raises UnimplementedError."""
    raise errors.UnimplementedError(None, None, f"tf.sysconfig.get_include: evergraph has no C++ headers; {_REMEDY}")


@export("sysconfig.get_lib")
def get_lib() -> NoReturn:
    """TensorFlow names the directory of its library here; evergraph has none, so this raises UnimplementedError."""
    raise errors.UnimplementedError(None, None, f"tf.sysconfig.get_lib: evergraph has no library to link; {_REMEDY}")


@export("sysconfig.get_compile_flags")
def get_compile_flags() -> NoReturn:
    """What a compiler needs for TensorFlow's headers; evergraph has none, so this raises UnimplementedError."""
    raise errors.UnimplementedError(None, None, "tf.sysconfig.get_compile_flags: evergraph has no C++ headers; "
                                    f"{_REMEDY}")


@export("sysconfig.get_link_flags")
def get_link_flags() -> NoReturn:
    """What a linker needs for TensorFlow's library; evergraph has none, so this raises UnimplementedError."""
    raise errors.UnimplementedError(None, None, "tf.sysconfig.get_link_flags: evergraph has no library to link; "
                                    f"{_REMEDY}")


def _refuse(function: str, path: str) -> NoReturn:
    _check_there(path)
    raise errors.UnimplementedError(None, None, f"tf.{function}: {path} contains kernels for TensorFlow's runtime; "
                                    f"{_REMEDY}")


def _check_there(path: str) -> None:
    if not os.path.exists(path):
        raise errors.NotFoundError(None, None, f"{path}: no such file")
