"""tf.contrib.memory_stats: memory in use. On CPUs, where JAX counts nothing, it is the memory of the process."""

from __future__ import annotations

import os
import resource
from typing import Any

import numpy as np

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.frontend.script import py_func
from evergraph.graph.node import Tensor

_PAGE = os.sysconf("SC_PAGE_SIZE")


@export("contrib.memory_stats.BytesInUse")
def BytesInUse() -> Tensor:  # noqa: N802 - TensorFlow's spelling, here and below
    """An int64 scalar: the bytes in use when it runs."""
    return _read(lambda: _of_device("bytes_in_use", _resident))


@export("contrib.memory_stats.MaxBytesInUse")
def MaxBytesInUse() -> Tensor:  # noqa: N802
    """An int64 scalar: the most bytes that were in use so far."""
    return _read(lambda: _of_device("peak_bytes_in_use", _peak))


@export("contrib.memory_stats.BytesLimit")
def BytesLimit() -> Tensor:  # noqa: N802
    """An int64 scalar: the bytes that there are."""
    return _read(lambda: _of_device("bytes_limit", lambda: os.sysconf("SC_PHYS_PAGES") * _PAGE))


def _read(measure: Any) -> Tensor:
    found = py_func(lambda: np.int64(measure()), [], dtypes.int64, stateful=True)
    found.set_shape([])
    return found


def _of_device(key: str, of_process: Any) -> int:
    import jax

    return (jax.devices()[0].memory_stats() or {}).get(key) or of_process()


def _resident() -> int:
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * _PAGE


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
