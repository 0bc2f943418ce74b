"""Compiled programs that equal stages share: those of replicas, and of a model that is built again and again.

An Estimator builds its graph for every call of `train` and `evaluate`. The second of two equal stages takes the program
of the first: it is not traced, and XLA is not asked unless it is for another device.
"""

from __future__ import annotations

import hashlib
import weakref
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from evergraph.base.recent import RecentlyUsed
from evergraph.kernel.context import ErrorClass

MOST_PROGRAMS = 32  # kept for stages to come, those of closed sessions included
MOST_CONSTANTS = 1 << 24  # bytes of large constants of a program that is kept: not those of a frozen network

Finder = Callable[[Sequence[Any]], Any]


class Traceable(Protocol):
    """Someone whose code JAX can trace."""

    def trace(self, *values: Any) -> tuple[Any, ...]: ...


class Tracer:
    """The function that JAX compiles: it runs the code of one of the equal stages, and keeps none of them alive.

    JAX may trace it again for a stage that uses the program; then that stage is there.

    Args:
        names: those of the nodes. JAX keeps programs on disk by the name of the function, but not by those in it, which
            tell whose kernels run.

    Attributes:
        module: what XLA calls the program.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self.users: weakref.WeakSet[Traceable] = weakref.WeakSet()
        digest = hashlib.sha256("\n".join(names).encode()).hexdigest()
        self.__name__ = f"stage_{digest[:16]}"
        self.module = f"jit_{self.__name__}"

    def __call__(self, *values: Any) -> tuple[Any, ...]:
        return next(iter(self.users)).trace(*values)


@dataclass(frozen=True)
class Program:
    """A compiled program, and what tracing it has told.

    Attributes:
        jitted: the program, as jax.jit gives it.
        tracer: its function.
        constants: large ones, which are its last arguments.
        names: those of the stage that was traced, in the order of its description.
        new_keys: cells that it sets for the first time, by the numbers of their names.
        checks: the place of the node of each check among all nodes, the error class and the message.
        outputs: functions that find the outputs in what it returns.
    """

    jitted: Any
    tracer: Tracer
    constants: tuple[Any, ...]
    names: tuple[str, ...]
    new_keys: tuple[int, ...]
    checks: tuple[tuple[int, ErrorClass, str], ...]
    outputs: tuple[Finder, ...]


programs: RecentlyUsed[Program] = RecentlyUsed(MOST_PROGRAMS)
"""By the description of a stage and of what it is compiled for."""

