"""Keeps NumPy's matrix products to one thread while a stage runs that the policy has given to NumPy.

The threads of OpenBLAS do not pay for small matrices (kernel/openblas.py), and large ones have a kernel with threads of
its own (kernel/native_products.py).
"""

from __future__ import annotations

import functools
import os
import threading

import numpy as np

from evergraph.kernel.openblas import Threads, threads_of

_SETTINGS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS")  # with which a user decides


class OneThread:
    """A block in which matrix products of this process take one thread each, where NumPy's library can be told so.

    Threads may be in it at the same time, and the last one to leave goes back to the number of threads from before.
    """

    def __init__(self) -> None:
        self._lock, self._blocks, self._before = threading.Lock(), 0, 1

    def __enter__(self) -> None:
        threads = _threads()
        if threads is None:
            return
        with self._lock:
            self._blocks += 1
            if self._blocks == 1:
                self._before = threads.get()
                if self._before != 1:
                    threads.set(1)

    def __exit__(self, *error: object) -> None:
        threads = _threads()
        if threads is None:
            return
        with self._lock:
            self._blocks -= 1
            if not self._blocks and self._before != 1:
                threads.set(self._before)


one_thread = OneThread()


@functools.cache
def _threads() -> Threads | None:
    """The threads of NumPy's library; None where there is no such library, or the user decides."""
    return None if any(name in os.environ for name in _SETTINGS) else threads_of(np.__file__)
