"""Linear algebra in compiled programs: XLA calls the LAPACK of SciPy, whose threads are turned off here.

XLA runs these calls on threads of its own. OpenBLAS then lets two pools of threads wait for each other, which makes
decompositions of small matrices up to a thousand times slower on a busy machine, and was seen to deadlock.
"""

from __future__ import annotations

import ctypes
import functools
import glob
import os
from types import ModuleType
from typing import Any

import numpy as np

from evergraph.kernel.fence import on_cpu

_SETTERS = ("scipy_openblas_set_num_threads", "scipy_openblas_set_num_threads64_", "openblas_set_num_threads")


def linalg_of(xp: Any) -> Any:
    """The linear algebra of NumPy or of jax.numpy."""
    if xp is not np:
        _without_threads()
    return xp.linalg


def lax_linalg() -> ModuleType:
    """jax.lax.linalg."""
    import jax

    _without_threads()
    return jax.lax.linalg


@functools.cache
def _without_threads() -> None:
    """Limits the BLAS that SciPy's wheel brings to one thread; other builds of SciPy are left as they are."""
    if not on_cpu():
        return
    import scipy

    beside = os.path.join(os.path.dirname(os.path.dirname(scipy.__file__)), "scipy.libs", "libscipy_openblas*")
    for path in glob.glob(beside):
        library = ctypes.CDLL(path)
        for setter in _SETTERS:
            if hasattr(library, setter):
                getattr(library, setter)(1)
