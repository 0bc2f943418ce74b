"""Keeps NumPy's matrix products to one thread while a stage runs that the policy has given to NumPy.

Such a stage multiplies small matrices. The threads of OpenBLAS wait for each other by spinning: where another process
or XLA wants the same cores, a product takes a hundred times as long as on one thread.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import os
import threading
from collections.abc import Iterator
from typing import Any

_SETTINGS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS")  # with which a user decides
_NAMES = ("scipy_openblas_{}_num_threads64_", "scipy_openblas_{}_num_threads", "openblas_{}_num_threads64_",
          "openblas_{}_num_threads")  # fmt: skip


class _Users:
    """How many blocks want one thread at the moment, and the number of threads to go back to."""

    def __init__(self) -> None:
        self.lock, self.count, self.threads = threading.Lock(), 0, 1


_users = _Users()


@contextlib.contextmanager
def one_thread() -> Iterator[None]:
    """A block in which matrix products of this process take one thread each, where NumPy's library can be told so."""
    found = _controls()
    if found is None:
        yield
        return
    get, set_ = found
    with _users.lock:
        _users.count += 1
        if _users.count == 1:
            _users.threads = get()
            set_(1)
    try:
        yield
    finally:
        with _users.lock:
            _users.count -= 1
            if not _users.count:
                set_(_users.threads)


@functools.cache
def _controls() -> tuple[Any, Any] | None:
    """The functions of OpenBLAS that get and set its number of threads; None without it, or where the user decides."""
    if any(name in os.environ for name in _SETTINGS) or not os.path.exists("/proc/self/maps"):
        return None
    with open("/proc/self/maps", encoding="utf-8", errors="replace") as maps:
        paths = sorted({line.split()[-1] for line in maps if "openblas" in line})
    for path in paths:
        with contextlib.suppress(OSError):
            library = ctypes.CDLL(path)
            for name in _NAMES:
                if hasattr(library, name.format("set")) and hasattr(library, name.format("get")):
                    return getattr(library, name.format("get")), getattr(library, name.format("set"))
    return None
