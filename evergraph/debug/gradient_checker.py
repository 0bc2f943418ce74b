"""Compares gradients with finite differences: tf.test.compute_gradient and compute_gradient_error."""

from __future__ import annotations

from typing import Any

import numpy as np

from evergraph.base.export import export
from evergraph.frontend.array import zeros_like
from evergraph.frontend.gradients import gradients
from evergraph.graph import scopes
from evergraph.graph.composite import IndexedSlices
from evergraph.graph.convert import convert_to_tensor

_FLOATS = "float16 bfloat16 float32 float64 complex64 complex128".split()


@export("test.compute_gradient")
def compute_gradient(x, x_shape, y, y_shape, x_init_value=None, delta=1e-3, init_targets=None, extra_feed_dict=None):
    """The Jacobian of y by x twice: from tf.gradients, and from differences.

    Args:
        x: a tensor, or a list of tensors.
        x_shape: its shape, or a list of shapes.
        y: a tensor computed from x.
        y_shape: its shape.
        x_init_value: where to differentiate; random when not given.
        delta: the step of the differences.
        init_targets: operations to run first, such as initializers.
        extra_feed_dict: what else to feed.

    Returns:
        Two matrices of shape [size of x, size of y] (complex numbers count twice), or a list of such pairs.

    Raises:
        ValueError: there is no default session, or an argument has a dtype without gradients.
    """
    many = isinstance(x, list)
    xs, shapes = (x, x_shape) if many else ([x], [x_shape])
    starts = x_init_value if isinstance(x_init_value, list) else [x_init_value] * len(xs)
    session = scopes.default_session()
    if session is None:
        raise ValueError("tf.test.compute_gradient needs a default session: use `with sess.as_default()`")
    for target in init_targets if isinstance(init_targets, (list, tuple)) else [init_targets] if init_targets else ():
        session.run(target)
    y = convert_to_tensor(y)
    for tensor in (*xs, y):
        if tensor.dtype.base_dtype.name not in _FLOATS:
            raise ValueError(f"{tensor.name} is {tensor.dtype.name}, which has no gradient")
    values = [_start(t, s, v) for t, s, v in zip(xs, shapes, starts)]
    check = _Check(session, xs, values, y, tuple(y_shape), extra_feed_dict or {})
    pairs = [(check.by_gradients(i), check.by_differences(i, delta)) for i in range(len(xs))]
    return pairs if many else pairs[0]


@export("test.compute_gradient_error")
def compute_gradient_error(x, x_shape, y, y_shape, x_init_value=None, delta=1e-3, init_targets=None,
                           extra_feed_dict=None):
    """The largest difference between the two Jacobians of a gradient; the arguments are those of `compute_gradient`.

    >>> x = tf.constant([1.0, 2.0])
    >>> with tf.Session():
    ...     bool(tf.test.compute_gradient_error(x, [2], x * x, [2]) < 1e-2)
    True
    """
    found = compute_gradient(x, x_shape, y, y_shape, x_init_value, delta, init_targets, extra_feed_dict)
    pairs = found if isinstance(found, list) else [found]
    worst = [np.fabs(a - b).max() for a, b in pairs if a.size or b.size]
    return float("nan") if np.isnan(worst).any() else max(worst, default=np.float64(0.0))


def _start(tensor: Any, shape: Any, value: Any) -> np.ndarray:
    if value is None:
        value = np.random.random_sample(tuple(shape))
    value = np.array(value, tensor.dtype.base_dtype.np)
    if value.shape != tuple(shape):
        raise ValueError(f"the value for {tensor.name} has shape {value.shape}, but x_shape says {tuple(shape)}")
    return value


class _Check:
    """A function from some tensors to one, ready to be evaluated and differentiated."""

    def __init__(self, session: Any, xs: list[Any], values: list[np.ndarray], y: Any, y_shape: tuple[int, ...],
                 extra: dict[Any, Any]) -> None:
        self.session, self.xs, self.values, self.y, self.y_shape, self.extra = session, xs, values, y, y_shape, extra

    def _feeds(self, position: int | None = None, value: Any = None) -> dict[Any, Any]:
        values = [value if i == position else v for i, v in enumerate(self.values)]
        return {**self.extra, **dict(zip(self.xs, values))}

    def by_gradients(self, position: int) -> np.ndarray:
        """A row per number in x, a column per number in y; one run per column."""
        x, value = self.xs[position], self.values[position]
        dtype = self.y.dtype.base_dtype.np
        dy = convert_to_tensor(np.zeros(self.y_shape, dtype))
        (dx,) = gradients(self.y, [x], grad_ys=[dy])
        dx = zeros_like(x) if dx is None else dx
        columns = []
        for unit in units(self.y_shape, dtype):
            got = self.session.run(dx, {**self._feeds(), dy: unit})
            columns.append(parts(_dense(got, value) if isinstance(dx, IndexedSlices) else got))
        if not columns:
            got = np.shape(self.session.run(dx, self._feeds()))
            if got != value.shape:
                raise ValueError(f"Empty gradient has wrong shape: expected {value.shape}, got {got}")
        size = parts(value).size
        return np.stack(columns, 1) if columns else np.zeros((size, 0))

    def by_differences(self, position: int, delta: float) -> np.ndarray:
        """Central differences; one row per number in x."""
        value = self.values[position]
        rows = []
        for unit in units(value.shape, value.dtype):
            step = (unit * delta).astype(value.dtype)
            above = self.session.run(self.y, self._feeds(position, value + step))
            below = self.session.run(self.y, self._feeds(position, value - step))
            rows.append((parts(above) - parts(below)) / (2 * delta))
        size = int(np.prod(self.y_shape)) * (2 if self.y.dtype.is_complex else 1)
        return np.stack(rows) if rows else np.zeros((0, size))


def units(shape: tuple[int, ...], dtype: np.dtype):
    """Arrays that are one in one place; for complex numbers also one times i."""
    for index in range(int(np.prod(shape))):
        for one in (1, 1j) if dtype.kind == "c" else (1,):
            unit = np.zeros(shape, dtype)
            unit.reshape(-1)[index] = one
            yield unit


def parts(value: Any) -> np.ndarray:
    """All numbers in a row, a complex one as two."""
    flat = np.asarray(value).reshape(-1)
    if flat.dtype.kind == "c":
        return np.stack([flat.real, flat.imag], 1).reshape(-1)
    return flat.astype(np.float64)


def _dense(slices: Any, like: np.ndarray) -> np.ndarray:
    whole = np.zeros_like(like)
    np.add.at(whole, slices.indices, slices.values)
    return whole
