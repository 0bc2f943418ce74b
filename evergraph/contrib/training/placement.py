"""Strategies for `tf.train.replica_device_setter`: which parameter server holds a variable."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

import numpy as np

from evergraph.base.export import export


@export("contrib.training.RandomStrategy")
class RandomStrategy:
    """Chooses a task by a hash of the name of the operation, so that each run of a program chooses alike.

    Args:
        num_ps_tasks: the number of tasks.
        seed: another seed is another choice.
    """

    def __init__(self, num_ps_tasks: int, seed: int = 0) -> None:
        self._num_tasks, self._seed = num_ps_tasks, seed

    def __call__(self, op: Any) -> int:
        """The number of the task for an operation."""
        digest = hashlib.md5(f"{op.name}_{self._seed}".encode(), usedforsecurity=False).hexdigest()
        return int(digest, 16) % self._num_tasks


@export("contrib.training.GreedyLoadBalancingStrategy")
class GreedyLoadBalancingStrategy:
    """Chooses the task that has the least load so far.

    Args:
        num_tasks: the number of tasks.
        load_fn: the load of an operation, such as `tf.contrib.training.byte_size_load_fn`.
    """

    def __init__(self, num_tasks: int, load_fn: Callable[[Any], float]) -> None:
        self._load_fn = load_fn
        self._loads = np.zeros(num_tasks)

    def __call__(self, op: Any) -> int:
        """The number of the task for an operation, whose load it then has."""
        task = int(np.argmin(self._loads))
        self._loads[task] += self._load_fn(op)
        return task


@export("contrib.training.byte_size_load_fn")
def byte_size_load_fn(op: Any) -> int:
    """The number of bytes of the one output of an operation.

    Raises:
        ValueError: it has several outputs, or the shape is not known.
    """
    if len(op.outputs) != 1:
        raise ValueError(f"{op.name} must have one output, it has {len(op.outputs)}")
    output = op.outputs[0]
    if not output.shape.is_fully_defined():
        raise ValueError(f"the shape of {output.name} must be known for its size, it is {output.shape}")
    return output.shape.num_elements() * output.dtype.size
