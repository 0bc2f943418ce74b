"""Keeps NumPy's matrix products to one thread while a stage runs that the policy has given to NumPy.

Such a stage multiplies small matrices, for which the threads of OpenBLAS do not pay; see kernel/openblas.py.
"""

from __future__ import annotations

import contextlib
import functools
import os
import threading
from collections.abc import Iterator

import numpy as np

from evergraph.kernel.openblas import Threads, threads_of

_SETTINGS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS")  # with which a user decides


class _Users:
    """How many blocks want one thread at the moment, and the number of threads to go back to."""

    def __init__(self) -> None:
        self.lock, self.count, self.threads = threading.Lock(), 0, 1


_users = _Users()


@contextlib.contextmanager
def one_thread() -> Iterator[None]:
    """A block in which matrix products of this process take one thread each, where NumPy's library can be told so."""
    found = _threads()
    if found is None:
        yield
        return
    with _users.lock:
        _users.count += 1
        if _users.count == 1:
            _users.threads = found.get()
            found.set(1)
    try:
        yield
    finally:
        with _users.lock:
            _users.count -= 1
            if not _users.count:
                found.set(_users.threads)


@functools.cache
def _threads() -> Threads | None:
    """The threads of NumPy's library; None where there is no such library, or the user decides."""
    return None if any(name in os.environ for name in _SETTINGS) else threads_of(np.__file__)
