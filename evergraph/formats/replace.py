"""Replaces files atomically: a reader finds the complete new content or the complete old, even after a crash.

A local file is flushed to disk and then renamed. Remote file systems (gs://, memory://, ...) show a file once it is
closed; there the atomicity of a rename depends on the system.
"""

from __future__ import annotations

import contextlib
import errno
import functools
import os
import re
import shutil
import socket
import threading
import time
import zlib
from typing import Any

from evergraph.base import files
from evergraph.formats.durable import DurableFile


def replace_file(path: str | os.PathLike[str], data: bytes, is_durable: bool = True) -> None:
    """Writes a whole file atomically: under a temporary name, flushed to disk, then renamed.

    Args:
        path: the file.
        data: its content.
        is_durable: whether it has to survive a power failure; if not, it is not flushed.

    Raises:
        OpError: the write failed, and the old file is intact: ResourceExhaustedError if the disk is full, ...
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
                if is_durable:
                    file.flush()
                    os.fsync(file.fileno())
            os.replace(scratch, target)
            if is_durable:
                flush_directory(os.path.dirname(target))
        finally:
            remove_if_there(scratch)


def scratch_name(path: str) -> str:
    """A temporary name in the directory of `path`, unique to this thread, process and machine."""
    return f"{path}.tmp-{_machine()}-{os.getpid()}-{threading.get_ident()}"


def remove_leftovers(folder: str) -> None:
    """Removes what writers left in a folder when they were killed.

    These are the scratch files of processes of this machine that are gone, and folders of shards that nobody has
    touched for a day: their names do not say whose they are.
    """
    local = files.local_path(folder)
    if local is None:
        return
    with contextlib.suppress(OSError), os.scandir(local or ".") as found:
        for entry in found:
            with contextlib.suppress(OSError):
                if _is_left_over(entry):
                    os.remove(entry.path)
                elif _is_forgotten(entry):
                    shutil.rmtree(entry.path)


_SCRATCH = re.compile(r"\.tmp-(?P<machine>[0-9a-f]{8})-(?P<process>\d+)-\d+$")
_SHARDS = re.compile(r"_temp_[0-9a-f]{32}$")
_DAY = 24 * 3600.0


def holds_shards(folder: str) -> bool:
    """Whether a folder is one for shards, which are merged into a bundle elsewhere and lost if the process ends."""
    return _SHARDS.search(folder) is not None


def _is_left_over(entry: os.DirEntry[str]) -> bool:
    found = _SCRATCH.search(entry.name)
    return found is not None and found["machine"] == _machine() and not _is_running(int(found["process"]))


def _is_forgotten(entry: os.DirEntry[str]) -> bool:
    if not _SHARDS.search(entry.name) or not entry.is_dir(follow_symlinks=False):
        return False
    with os.scandir(entry.path) as inside:
        times = [entry.stat().st_mtime, *(each.stat().st_mtime for each in inside)]
    return time.time() - max(times) > _DAY


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True  # it is somebody else's
    return True


@functools.cache
def _machine() -> str:
    """A number for this machine: a folder may be shared by several, whose processes have numbers of their own."""
    return f"{zlib.crc32(socket.gethostname().encode()):08x}"


def new_file(path: str) -> Any:
    """Context manager for a new file with `write` and `tell`; a local file is on disk when the block ends."""
    system, inner = files.located(path)
    return DurableFile(inner) if files.is_local(path) else system.open(inner, "wb")


def move(path: str, target: str) -> None:
    """Renames a file, replacing an existing target."""
    local, local_target = files.local_path(path), files.local_path(target)
    if local is None or local_target is None:
        files.rename(path, target, overwrite=True)
    else:
        os.replace(local, local_target)


def link(path: str, other: str) -> None:
    """Creates a hard link to a file.

    Raises:
        OSError: the file system has no hard links.
    """
    local, local_other = files.local_path(path), files.local_path(other)
    if local is None or local_other is None:
        raise OSError(errno.ENOTSUP, os.strerror(errno.ENOTSUP), path)
    os.link(local, local_other)


def flush_directory(path: str) -> None:
    """Flushes a directory, so that renames in it survive a power failure."""
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
