"""Writes files so that a reader finds all of the new content or all of the old, whenever the writer dies."""

from __future__ import annotations

import os


def replace_file(path: str | os.PathLike[str], data: bytes) -> None:
    """Writes a whole file: under another name, flushed to disk, then renamed."""
    path = os.fspath(path)
    scratch = scratch_name(path)
    try:
        with open(scratch, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(scratch, path)
        flush_directory(os.path.dirname(path))
    finally:
        remove_if_there(scratch)


def scratch_name(path: str) -> str:
    """A name beside `path` that only this process uses."""
    return f"{path}.tmp{os.getpid()}"


def flush_directory(path: str) -> None:
    """Makes renames in a directory survive a loss of power."""
    descriptor = os.open(path or ".", os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def remove_if_there(path: str) -> None:
    if os.path.lexists(path):
        os.remove(path)
