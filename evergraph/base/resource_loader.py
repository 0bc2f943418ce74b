"""tf.resource_loader: where the files beside a program are."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from evergraph.base.export import export

_PACKAGE = Path(__file__).resolve().parent.parent


@export("resource_loader.get_data_files_path")
def get_data_files_path() -> str:
    """The directory of the file that calls this."""
    return _directory_of_caller()


@export("resource_loader.get_path_to_datafile")
def get_path_to_datafile(path: str) -> str:
    """The path of a file that is given relative to the file that calls this."""
    return os.path.join(_directory_of_caller(), path)


@export("resource_loader.get_root_dir_with_all_resources")
def get_root_dir_with_all_resources() -> str:
    """The directory of the runfiles that Bazel made for the program, or else that of the file that calls this."""
    here = _directory_of_caller()
    parts = here.split(os.sep)
    for at, part in enumerate(parts):
        if part.endswith(".runfiles"):
            return os.sep.join(parts[: at + 1])
    return here


@export("resource_loader.load_resource")
def load_resource(path: str) -> bytes:
    """The content of a file that is given relative to evergraph's package.

    Raises:
        OSError: there is no such file.
    """
    return (_PACKAGE / path).read_bytes()


@export("resource_loader.readahead_file_path")
def readahead_file_path(path: str, readahead: str = "128M") -> str:
    """The path as it is: files are read ahead by the system, so `readahead` has no meaning, as in TensorFlow."""
    return path


def _directory_of_caller() -> str:
    """The directory of the file whose function called the function that calls this."""
    return os.path.dirname(os.path.abspath(sys._getframe(2).f_code.co_filename))
