"""Rows of a tensor replaced or changed: what programs import from tensorflow.python.ops.inplace_ops.

Tensors are values here: what shares memory with its argument in TensorFlow gives the same values as what does not.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from evergraph.base import dtypes
from evergraph.frontend.array import expand_dims, reshape, shape, zeros_like
from evergraph.frontend.math import cast
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Tensor
from evergraph.ops.arrays import basic, gather


def update(x: Any, i: Any, v: Any) -> Tensor:
    """`x` with its rows `i` replaced by `v`: all of it for None, one row for a scalar, rows for a vector."""
    return _changed(gather.inplace_update, x, i, v)


def add(x: Any, i: Any, v: Any) -> Tensor:
    """`x` with `v` added to its rows `i`, which are given as for `update`."""
    return _changed(gather.inplace_add, x, i, v)


def sub(x: Any, i: Any, v: Any) -> Tensor:
    """`x` with `v` subtracted from its rows `i`, which are given as for `update`."""
    return _changed(gather.inplace_sub, x, i, v)


def empty_like(x: Any, init: bool | None = None) -> Tensor:
    """A tensor of the dtype and shape of another one, of zeros where `init` is True."""
    x = convert_to_tensor(x)
    return zeros_like(x) if init else basic.empty(shape(x), x.dtype.base_dtype)


def _changed(change: Callable[..., Any], x: Any, i: Any, v: Any) -> Any:
    x = convert_to_tensor(x)
    v = convert_to_tensor(v, x.dtype.base_dtype)
    if i is None:
        whole = change(reshape(x, [1, -1]), [0], reshape(v, [1, -1]))
        return reshape(whole, shape(x))
    i = cast(i, dtypes.int32)
    return change(x, reshape(i, [1]), expand_dims(v, 0)) if i.shape.ndims == 0 else change(x, i, v)
