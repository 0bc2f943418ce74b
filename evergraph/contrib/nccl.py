"""tf.contrib.nccl: sums and other reductions over the copies of a tensor on several devices.

A session computes on one device, so that the copies are ordinary tensors, and what TensorFlow sends between GPUs is an
addition.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any

from evergraph.base.export import export
from evergraph.frontend import array, math
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.graph import default_graph
from evergraph.graph.node import Tensor
from evergraph.ops.math import elementwise


def _on_all(tensors: Sequence[Any], join: Callable[[list[Tensor]], Tensor]) -> list[Tensor]:
    """The result, once for each of the tensors, on its device."""
    if not tensors:
        raise ValueError("an all-reduction needs a tensor at least")
    listed = [convert_to_tensor(tensor) for tensor in tensors]
    joined = join(listed)
    results = []
    for tensor in listed:
        with default_graph().device(tensor.device or None):
            results.append(array.identity(joined))
    return results


@export("contrib.nccl.all_sum")
def all_sum(tensors: Sequence[Any]) -> list[Tensor]:
    """The sum of the tensors, for each of them.

    Raises:
        ValueError: there are none.
    """
    return _on_all(tensors, math.add_n)


@export("contrib.nccl.all_prod")
def all_prod(tensors: Sequence[Any]) -> list[Tensor]:
    """The product of the tensors, for each of them."""
    return _on_all(tensors, lambda listed: reduce(elementwise.mul, listed))


@export("contrib.nccl.all_min")
def all_min(tensors: Sequence[Any]) -> list[Tensor]:
    """The smallest of the tensors, element by element, for each of them."""
    return _on_all(tensors, lambda listed: reduce(elementwise.minimum, listed))


@export("contrib.nccl.all_max")
def all_max(tensors: Sequence[Any]) -> list[Tensor]:
    """The largest of the tensors, element by element, for each of them."""
    return _on_all(tensors, lambda listed: reduce(elementwise.maximum, listed))


@export("contrib.nccl.reduce_sum")
def reduce_sum(tensors: Sequence[Any]) -> Tensor:
    """The sum of the tensors, once."""
    return math.add_n([convert_to_tensor(tensor) for tensor in tensors])


@export("contrib.nccl.broadcast")
def broadcast(tensor: Any) -> Tensor:
    """The tensor, to be used on every device."""
    return array.identity(tensor)
