"""Linear algebra in compiled programs: XLA calls the LAPACK of SciPy, whose threads are turned off here.

XLA runs these calls on threads of its own, so that two pools of threads would wait for each other; see openblas.py.
Some versions of jaxlib hand the matrices of a batch to the very threads that wait for them: as many calls at once as
there are threads never end. With those, programs for CPUs decompose one matrix after the other.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from importlib.metadata import version
from types import ModuleType
from typing import Any

import numpy as np

from evergraph.kernel.fence import on_cpu
from evergraph.kernel.openblas import threads_of

_FIRST_THAT_ENDS = (0, 11, 2)  # jaxlib's versions before this one wait for their own threads
_VECTORS = {"tridiagonal_solve": 3}  # how many of the first arguments are batches of vectors, not of matrices


def linalg_of(xp: Any) -> Any:
    """The linear algebra of NumPy or of jax.numpy."""
    return np.linalg if xp is np else _safe(xp.linalg, on_cpu())


def lax_linalg() -> Any:
    """jax.lax.linalg."""
    import jax

    return _safe(jax.lax.linalg, on_cpu())


@functools.cache
def _safe(module: ModuleType, is_on_cpu: bool) -> Any:
    """A module of JAX whose functions end in every version of jaxlib."""
    _without_threads()
    return _OneByOne(module) if is_on_cpu and _waits_for_itself() else module


def _waits_for_itself() -> bool:
    major, minor, patch = version("jaxlib").split(".")[:3]
    return (int(major), int(minor), int(patch)) < _FIRST_THAT_ENDS


class _OneByOne:
    """The functions of a module of linear algebra, called for one matrix of a batch after the other."""

    def __init__(self, module: ModuleType) -> None:
        self._module = module

    def __getattr__(self, name: str) -> Callable[..., Any]:
        return functools.partial(_one_by_one, getattr(self._module, name), _VECTORS.get(name, 0))


def _one_by_one(function: Callable[..., Any], vectors: int, *batches: Any, **options: Any) -> Any:
    import jax

    ranks = [1 if index < vectors else 2 for index in range(len(batches))]
    outer = [batch.shape[:-rank] for batch, rank in zip(batches, ranks, strict=True)]
    whole = np.broadcast_shapes(*outer)
    if math.prod(whole) <= 1:
        return function(*batches, **options)
    flat = [jax.numpy.broadcast_to(batch, whole + batch.shape[-rank:]).reshape(-1, *batch.shape[-rank:])
            for batch, rank in zip(batches, ranks, strict=True)]
    results = jax.lax.map(lambda each: function(*each, **options), flat)
    return jax.tree.map(lambda result: result.reshape(*whole, *result.shape[1:]), results)


@functools.cache
def _without_threads() -> None:
    """Limits the BLAS that SciPy's wheel brings to one thread; other builds of SciPy are left as they are."""
    import scipy

    threads = threads_of(scipy.__file__) if on_cpu() else None
    if threads is not None:
        threads.set(1)
