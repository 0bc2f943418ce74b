"""Writes files so that a reader finds all of the new content or all of the old, whenever the writer dies.

On the operating system's files a new one is flushed to disk and then renamed. Other systems (gs://, memory://, ...)
show a file once it is closed; there a rename is what the system makes of it.
"""

from __future__ import annotations

import errno
import os
import threading
from typing import Any

from evergraph.base import files
from evergraph.formats.durable import DurableFile


def replace_file(path: str | os.PathLike[str], data: bytes) -> None:
    """Writes a whole file: under another name, flushed to disk, then renamed.

    Raises:
        OpError: that failed, and nothing has changed: ResourceExhaustedError when the disk is full, ...
    """
    target = files.local_path(path)
    if target is None:
        files.write_file_atomically(path, data)
        return
    scratch = scratch_name(target)
    with files.told_as_op_errors(target):
        try:
            with open(scratch, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            os.replace(scratch, target)
            flush_directory(os.path.dirname(target))
        finally:
            remove_if_there(scratch)


def scratch_name(path: str) -> str:
    """A name beside `path` that only this thread uses."""
    return f"{path}.tmp{os.getpid()}-{threading.get_ident()}"


def new_file(path: str) -> Any:
    """A new file to write, with `write` and `tell`, for a `with` block; on the disk, where there is one, at its end."""
    system, inner = files.located(path)
    return DurableFile(inner) if files.is_local(path) else system.open(inner, "wb")


def move(path: str, target: str) -> None:
    """Gives a file another name, in place of the file that may have it."""
    local, local_target = files.local_path(path), files.local_path(target)
    if local is None or local_target is None:
        files.rename(path, target, overwrite=True)
    else:
        os.replace(local, local_target)


def link(path: str, other: str) -> None:
    """Gives a file a second name.

    Raises:
        OSError: its system has no such thing.
    """
    local, local_other = files.local_path(path), files.local_path(other)
    if local is None or local_other is None:
        raise OSError(errno.ENOTSUP, os.strerror(errno.ENOTSUP), path)
    os.link(local, local_other)


def flush_directory(path: str) -> None:
    """Makes renames in a directory survive a loss of power."""
    local = files.local_path(path)
    if local is None:
        return
    descriptor = os.open(local or ".", os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def remove_if_there(path: str) -> None:
    local = files.local_path(path)
    if local is None:
        if files.exists(path):
            files.remove(path)
    elif os.path.lexists(local):
        os.remove(local)
