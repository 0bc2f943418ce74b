"""What the members of a group do together, as operations on tensors, in graphs and eagerly."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from evergraph.cluster.ring import Group
from evergraph.frontend.array import shape, zeros_like
from evergraph.frontend.gradients import custom_gradient
from evergraph.frontend.reduce import reduce_sum
from evergraph.graph.composite import IndexedSlices
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.graph import default_graph
from evergraph.graph.node import Tensor
from evergraph.ops.control import effects


def all_reduce(group: Group, tensors: Sequence[Any], how: str = "sum", name: str = "AllReduce") -> list[Any]:
    """The sums, or another combination, of tensors over the members of a group: one message for all of them.

    The gradient of a sum is the sum of the gradients of all members.

    Args:
        group: the group.
        tensors: those of this member.
        how: see `Group.all_reduce`.
        name: of the operation.
    """
    given = [convert_to_tensor(tensor) for tensor in tensors]
    return _called(given, [t.dtype.base_dtype for t in given], [t.shape for t in given], name,
                   lambda arrays: group.all_reduce(arrays, how),
                   lambda *dys: all_reduce(group, dys, how, f"{name}_grad"))


def all_gather(group: Group, tensor: Any, name: str = "AllGather") -> Any:
    """The tensors of all members, one after another along the first dimension, in which they may differ.

    The gradient is this member's part of the sum of the gradients of all.
    """
    given = convert_to_tensor(tensor)

    def gradient(dy: Any) -> list[Any]:
        (total,), length = all_reduce(group, [dy], name=f"{name}_grad"), shape(given)[0]
        lengths = all_gather(group, length[None], f"{name}_lengths")
        start = reduce_sum(lengths[: group.rank])
        return [total[start : start + length]]

    static = [None, *given.shape.as_list()[1:]] if given.shape.rank else None
    return _called([given], [given.dtype.base_dtype], [static], name,
                   lambda arrays: [np.concatenate(group.all_gather(arrays[0]))], gradient)[0]


def broadcast(group: Group, tensors: Sequence[Any], root: int = 0, name: str = "Broadcast") -> list[Any]:
    """The tensors of one member for all: one message for all of them. The gradient is the sum, which the root gets."""
    given = [convert_to_tensor(tensor) for tensor in tensors]

    def gradient(*dys: Any) -> list[Any]:
        totals = all_reduce(group, dys, name=f"{name}_grad")
        return totals if group.rank == root else [zeros_like(total) for total in totals]

    return _called(given, [t.dtype.base_dtype for t in given], [t.shape for t in given], name,
                   lambda arrays: group.broadcast(arrays, root), gradient)


def sum_of(group: Group, values: Sequence[Any], name: str = "AllReduce") -> list[Any]:
    """The sums over the members of tensors and IndexedSlices: of the latter, the rows of all, one after another."""
    dense = [place for place, value in enumerate(values) if not isinstance(value, IndexedSlices)]
    found: list[Any] = [None] * len(values)
    if dense:
        for place, total in zip(dense, all_reduce(group, [values[place] for place in dense], name=name)):
            found[place] = total
    for place, value in enumerate(values):
        if isinstance(value, IndexedSlices):
            found[place] = IndexedSlices(all_gather(group, value.values, f"{name}_rows"),
                                         all_gather(group, value.indices, f"{name}_indices"), value.dense_shape)
    return found


def _called(inputs: Sequence[Tensor], dtypes: Sequence[Any], shapes: Sequence[Any], name: str,
            call: Callable[[list[np.ndarray]], Sequence[Any]], gradient: Callable[..., Any]) -> list[Any]:
    """The outputs of a node that calls a function of arrays, in this process."""
    if not inputs:
        return []
    graph = default_graph()
    run = lambda node, given: list(call([np.asarray(value) for value in given]))
    if graph.is_eager:  # where a tape outlives the node and what it calls
        own = custom_gradient(lambda *given: (_added(graph, given, effects.Script(run), dtypes, name), gradient))
        found = own(*inputs)
        return list(found) if isinstance(found, (list, tuple)) else [found]
    outputs = _added(graph, inputs, effects.Script(run, lambda op, *dys: gradient(*dys)), dtypes, name)
    for output, static in zip(outputs, shapes):
        output.set_shape(static)
    return outputs


def _added(graph: Any, inputs: Sequence[Tensor], script: Any, dtypes: Sequence[Any], name: str) -> list[Any]:
    found = effects.eager_py_func(list(inputs), token=effects.keep(graph, script), Tout=list(dtypes), name=name)
    return list(found) if isinstance(found, (list, tuple)) else [found]
