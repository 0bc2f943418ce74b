"""Linear algebra in compiled programs: XLA calls the LAPACK of SciPy, whose threads are turned off here.

XLA runs these calls on threads of its own, so that two pools of threads would wait for each other; see openblas.py.
"""

from __future__ import annotations

import functools
from types import ModuleType
from typing import Any

import numpy as np

from evergraph.kernel.fence import on_cpu
from evergraph.kernel.openblas import threads_of


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
    import scipy

    threads = threads_of(scipy.__file__) if on_cpu() else None
    if threads is not None:
        threads.set(1)
