"""Files in the HDF5 format: opened, replaced atomically, and lists of names in attributes of limited size."""
from __future__ import annotations

import contextlib
import io
import os
from collections.abc import Iterator
from typing import Any

import numpy as np

from evergraph.base import files, logging
from evergraph.base.text import path_to_str
from evergraph.formats.replace import remove_if_there, replace_file, scratch_name
from evergraph.keras.packages import imported

LIMIT = 64512
"""The bytes that an attribute may have: an object's header has 64 KiB, some of them for the attribute's name."""


def h5py() -> Any:
    """The package h5py; ImportError if it is not installed."""
    return imported("h5py", "an HDF5 file of tf.keras")


def is_hdf5(path: Any) -> bool:
    """Whether there is a file of the HDF5 format, or an open one."""
    if isinstance(path, h5py().Group) or hasattr(path, "read"):
        return True
    name = path_to_str(path)
    if not files.exists(name) or files.isdir(name):
        return False
    with files.GFile(name, "rb") as file:
        return file.read(8) == b"\x89HDF\r\n\x1a\n"


@contextlib.contextmanager
def reading(path: Any) -> Iterator[Any]:
    """An HDF5 file that is read: the group itself if it is one already.

    Raises:
        OSError: there is no such file, or it is damaged or of another format.
    """
    package = h5py()
    if isinstance(path, package.Group):
        yield path
        return
    source = path if hasattr(path, "read") else _source(path_to_str(path))
    try:
        file = package.File(source, "r")
    except OSError as error:
        raise OSError(f"Unable to open file {path}: it is not an HDF5 file, or is damaged ({error})") from error
    with file:
        try:
            yield file
        except (RuntimeError, OSError, KeyError) as error:  # whatever h5py raises where the content makes no sense
            raise OSError(f"{path} is damaged: {error}") from error


def _source(path: str) -> Any:
    """A local file's path, or the content of another one."""
    local = files.local_path(path)
    if local is None:
        with files.GFile(path, "rb") as file:
            return io.BytesIO(file.read())
    if not os.path.exists(local):
        raise OSError(f"Unable to open file {path}: there is no such file")
    if os.path.isdir(local):
        raise OSError(f"Unable to open file {path}: it is a folder")
    return local


@contextlib.contextmanager
def writing(path: Any) -> Iterator[Any]:
    """An HDF5 file that is written; it takes its name when the block ends without an error."""
    package = h5py()
    if isinstance(path, package.Group):
        yield path
        path.file.flush()
    elif hasattr(path, "write"):
        with package.File(path, "w") as file:
            yield file
    else:
        with _replacing(path_to_str(path), package) as file:
            yield file


@contextlib.contextmanager
def _replacing(path: str, package: Any) -> Iterator[Any]:
    local = files.local_path(path)
    if local is None:
        content = io.BytesIO()
        with package.File(content, "w") as file:
            yield file
        replace_file(path, content.getvalue())
        return
    scratch = scratch_name(local)
    try:
        with package.File(scratch, "w") as file:
            yield file
        with open(scratch, "rb") as written:
            os.fsync(written.fileno())
        os.replace(scratch, local)
    finally:
        remove_if_there(scratch)


def may_write(path: Any, overwrite: bool) -> bool:
    """Whether to write a file: not if it exists, must not be replaced, and the user says so when asked."""
    if overwrite or not isinstance(path, (str, os.PathLike)) or not files.exists(path_to_str(path)):
        return True
    answer = input(f"[WARNING] {path} already exists - overwrite? [y/n]").strip().lower()
    while answer not in ("y", "n"):
        answer = input('Enter "y" (overwrite) or "n" (cancel).').strip().lower()
    if answer == "n":
        logging.info(f"{path} is left as it is")
    return answer == "y"


# ---- attributes

def write_names(group: Any, name: str, texts: list[str]) -> None:
    """Writes a list of texts to an attribute, or to several that are numbered if one cannot hold them.

    Raises:
        RuntimeError: a text alone is too long.
    """
    values = [text.encode() for text in texts]
    too_long = [value for value in values if len(value) > LIMIT]
    if too_long:
        raise RuntimeError(f"The attribute {name} of an HDF5 file holds texts of {LIMIT} bytes at most, and these are "
                           f"longer: {too_long}")
    array = np.asarray(values) if values else np.zeros([0], "S1")
    if array.nbytes <= LIMIT:
        group.attrs[name] = array
        return
    parts = 2
    while any(part.nbytes > LIMIT for part in np.array_split(array, parts)):
        parts += 1
    for number, part in enumerate(np.array_split(array, parts)):
        group.attrs[f"{name}{number}"] = part


def read_names(group: Any, name: str) -> list[str]:
    """The texts that `write_names` wrote; none if there is no such attribute."""
    if name in group.attrs:
        return [as_text(value) for value in group.attrs[name]]
    found, number = [], 0
    while f"{name}{number}" in group.attrs:
        found += [as_text(value) for value in group.attrs[f"{name}{number}"]]
        number += 1
    return found


def read_text(group: Any, name: str) -> str | None:
    """An attribute that is one text; None if there is none."""
    return as_text(group.attrs[name]) if name in group.attrs else None


def as_text(value: Any) -> str:
    """A text: h5py gives bytes or str, depending on its version and on how the attribute was written."""
    return value.decode("utf-8") if isinstance(value, bytes) else str(value)
