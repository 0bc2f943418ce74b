"""Which values are staged, and how Python values become tensors."""

from __future__ import annotations

from typing import Any

import numpy as np

from evergraph.base import nest
from evergraph.base.shapes import TensorShape
from evergraph.frontend import array
from evergraph.graph.convert import convert_to_tensor, is_tensor_like
from evergraph.graph.graph import default_graph
from evergraph.graph.node import Tensor

_NUMBERS = (bool, int, float, complex, str, bytes, np.ndarray, np.generic)


def is_tensor(value: Any) -> bool:
    """Whether a value is a tensor or a variable."""
    return isinstance(value, Tensor) or not isinstance(value, type) and is_tensor_like(value)


def is_staged(value: Any) -> bool:
    """Whether what depends on the value goes to the graph: it is a tensor, and ops do not run at once."""
    return is_tensor(value) and not default_graph().is_eager


def becomes_tensor(leaf: Any) -> bool:
    """Whether a leaf of a structure can be the output of a conditional or the variable of a loop."""
    return is_tensor(leaf) or isinstance(leaf, _NUMBERS) or nest.is_nested_or_composite(leaf)


def as_tensor(leaf: Any, like: Any = None) -> Any:
    """The leaf as a tensor; a Python number takes on the dtype of the tensor `like` if it has such a value."""
    if nest.is_nested_or_composite(leaf):
        return leaf
    if not is_tensor(leaf) and is_tensor(like):
        try:
            return convert_to_tensor(leaf, like.dtype.base_dtype)
        except (TypeError, ValueError):
            pass  # the dtypes differ, as the caller will find
    return convert_to_tensor(leaf)


def placeholder_like(leaf: Any) -> Any:
    """A value of the same dtype, for a variable that has none where nothing reads it."""
    if not becomes_tensor(leaf):
        return leaf
    if nest.is_nested_or_composite(leaf):
        parts = [placeholder_like(each) for each in nest.flatten(leaf, expand_composites=True)]
        return nest.pack_sequence_as(leaf, parts, expand_composites=True)
    tensor = convert_to_tensor(leaf)
    sizes = TensorShape(tensor.shape).as_list() if tensor.shape.ndims is not None else []
    return array.zeros([0 if size is None else size for size in sizes], tensor.dtype.base_dtype)
