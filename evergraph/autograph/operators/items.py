"""Elements of lists, arrays and tensors: assignment, append and pop."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from evergraph.autograph.operators.staging import is_staged, is_tensor
from evergraph.base import nest
from evergraph.frontend.array import shape, size
from evergraph.frontend.math import range as range_of
from evergraph.frontend.tensor_array import TensorArray
from evergraph.graph.convert import convert_to_tensor
from evergraph.ops.arrays.basic import broadcast_to
from evergraph.ops.arrays.gather import tensor_scatter_update
from evergraph.ops.arrays.reshape import reshape

_IN_PLACE = {
    "+": operator.iadd, "-": operator.isub, "*": operator.imul, "/": operator.itruediv, "//": operator.ifloordiv,
    "%": operator.imod, "**": operator.ipow, "@": operator.imatmul, "&": operator.iand, "|": operator.ior,
    "^": operator.ixor, "<<": operator.ilshift, ">>": operator.irshift,
}


def set_item(target: Any, index: Any, value: Any) -> Any:
    """`target[index] = value`; gives `target`, or a new tensor."""
    if isinstance(target, TensorArray):
        return target.write(index, value)
    becomes_one = isinstance(target, np.ndarray) and any(map(is_staged, nest.flatten([index, value])))
    if becomes_one or is_tensor(target) and not hasattr(type(target), "__setitem__"):
        return _replaced(convert_to_tensor(target), index, value)
    target[index] = value
    return target


def update_item(target: Any, index: Any, sign: str, value: Any) -> Any:
    """`target[index] += value`, or with another sign."""
    old = target.read(index) if isinstance(target, TensorArray) else target[index]
    return set_item(target, index, _IN_PLACE[sign](old, value))


def _replaced(tensor: Any, index: Any, value: Any) -> Any:
    """The tensor with other elements at an index, which may have slices."""
    places = reshape(range_of(size(tensor)), shape(tensor))[index]
    new = broadcast_to(convert_to_tensor(value, tensor.dtype.base_dtype), shape(places))
    flat = tensor_scatter_update(reshape(tensor, [-1]), reshape(places, [-1, 1]), reshape(new, [-1]))
    result = reshape(flat, shape(tensor))
    result.set_shape(tensor.shape)
    return result


def append(target: Any, value: Any) -> Any:
    """`target.append(value)`; gives `target`, or a new TensorArray."""
    if isinstance(target, TensorArray):
        return target.write(target.size(), value)
    target.append(value)
    return target


def pop(target: Any) -> tuple[Any, Any]:
    """(`target` without its last element, the element)."""
    return target, target.pop()
