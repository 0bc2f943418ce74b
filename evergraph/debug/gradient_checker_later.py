"""TensorFlow 2's tf.test.compute_gradient, which is given a function: tf.compat.v2.test.compute_gradient."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from evergraph.base.export import export
from evergraph.debug.gradient_checker import compute_gradient as jacobians
from evergraph.debug.gradient_checker import parts, units
from evergraph.eager.tape import GradientTape
from evergraph.graph import scopes
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.graph import default_graph
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
    step = 1 / 1024 if delta is None else delta
    if default_graph().is_eager:
        return _from_tape(f, xs), [_from_differences(f, xs, place, step) for place in range(len(xs))]
    y = convert_to_tensor(f(*xs))
    with contextlib.nullcontext() if scopes.default_session() else Session().as_default():
        session = scopes.default_session()
        values = [np.asarray(each) for each in session.run(xs)]
        shape = np.shape(session.run(y))
        pairs = jacobians(xs, [value.shape for value in values], y, shape, x_init_value=values,
                          delta=step)
    return [exact.T for exact, _ in pairs], [measured.T for _, measured in pairs]


def _from_tape(f: Callable[..., Any], xs: list[Any]) -> list[np.ndarray]:
    """The Jacobian by each argument, from a gradient tape."""
    with GradientTape(persistent=True) as tape:
        tape.watch(xs)
        y = convert_to_tensor(f(*xs))
    if any(each.dtype.is_complex for each in (y, *xs)):
        return [_rows_of_complex(tape, y, x) for x in xs]
    found = tape.jacobian(y, xs, unconnected_gradients="zero")
    return [jacobian.numpy().reshape(y._num_elements(), x._num_elements()) for jacobian, x in zip(found, xs)]


def _rows_of_complex(tape: GradientTape, y: Any, x: Any) -> np.ndarray:
    """The Jacobian of complex numbers, which count twice: a gradient for each part of the result is a row of it."""
    found = [tape.gradient(y, x, output_gradients=convert_to_tensor(unit), unconnected_gradients="zero")
             for unit in units(y.shape.tuple, y.dtype.np)]
    return np.stack([parts(each) for each in found])


def _from_differences(f: Callable[..., Any], xs: list[Any], place: int, step: float) -> np.ndarray:
    """The Jacobian by one argument, from central differences."""
    start = xs[place].numpy()
    columns = []
    for unit in units(start.shape, xs[place].dtype.np):
        above, below = (parts(f(*xs[:place], convert_to_tensor(start + (sign * step * unit).astype(start.dtype)),
                                *xs[place + 1:])) for sign in (1, -1))
        columns.append((above - below) / (2 * step))
    kind = start.real.dtype
    return np.stack(columns, 1).astype(kind) if columns else np.zeros([0, 0], kind)


def max_error(grad1: Sequence[np.ndarray], grad2: Sequence[np.ndarray]) -> float:
    """The largest difference between two lists of Jacobians."""
    return max((float(np.fabs(a - b).max()) for a, b in zip(grad1, grad2) if np.size(a) and np.size(b)), default=0.0)
