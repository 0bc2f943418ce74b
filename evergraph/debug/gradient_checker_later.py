"""TensorFlow 2's tf.test.compute_gradient, which is given a function: tf.compat.v2.test.compute_gradient."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from evergraph.base.export import export
from evergraph.debug.gradient_checker import compute_gradient as jacobians
from evergraph.graph import scopes
from evergraph.graph.convert import convert_to_tensor
from evergraph.run.session import Session


@export("compat.v2.test.compute_gradient")
def compute_gradient(f: Callable[..., Any], x: Sequence[Any], delta: float | None = None
                     ) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """The Jacobians of a function by its arguments twice: from tf.gradients, and from differences.

    >>> theirs, ours = tf.compat.v2.test.compute_gradient(tf.sin, [tf.constant([1.0, 2.0])])

    Args:
        f: a function of tensors that gives a tensor.
        x: a list of arguments for it.
        delta: the step of the differences; 1/1024 when not given.

    Returns:
        Two lists with a matrix [size of the result, size of the argument] for each argument.

    Raises:
        ValueError: `x` is not a list.
    """
    if not isinstance(x, (list, tuple)):
        raise ValueError("x must be a list of tensors or arrays, one an argument of f")
    xs = [convert_to_tensor(each) for each in x]
    y = convert_to_tensor(f(*xs))
    with contextlib.nullcontext() if scopes.default_session() else Session().as_default():
        session = scopes.default_session()
        values = [np.asarray(each) for each in session.run(xs)]
        shape = np.shape(session.run(y))
        pairs = jacobians(xs, [value.shape for value in values], y, shape, x_init_value=values,
                          delta=1 / 1024 if delta is None else delta)
    return [exact.T for exact, _ in pairs], [measured.T for _, measured in pairs]


def max_error(grad1: Sequence[np.ndarray], grad2: Sequence[np.ndarray]) -> float:
    """The largest difference between two lists of Jacobians."""
    return max((float(np.fabs(a - b).max()) for a, b in zip(grad1, grad2) if np.size(a) and np.size(b)), default=0.0)
