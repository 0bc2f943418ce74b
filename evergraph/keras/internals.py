"""What packages of layers, such as Keras 2 itself, take from inside TensorFlow."""
from __future__ import annotations

import abc
from typing import Any

from evergraph.base import nest
from evergraph.frontend.blocks import root_graph
from evergraph.graph.composite import IndexedSlices, SparseTensor
from evergraph.graph.node import Operation, Tensor
from evergraph.keras import history


class TensorLike(abc.ABC):  # noqa: B024 - a name for classes that have no base in common
    """The class of tensors, also those of several tensors."""


for _kind in (Tensor, SparseTensor, IndexedSlices):
    TensorLike.register(_kind)


def get_graph() -> Any:
    """The graph that models are described in: with eager execution one for their symbolic tensors."""
    if root_graph().is_eager:
        return history.symbolic_graph()
    return root_graph()


def as_graph_element(obj: Any) -> Any:
    """The tensor or operation that an object stands for in a graph; None for none."""
    if isinstance(obj, (Tensor, Operation)):
        return obj
    convert = getattr(obj, "_as_graph_element", None)
    return convert() if convert is not None else None


def is_keras_tensor(x: Any) -> bool:
    """Whether a tensor is an input or output of layers in a functional model.

    Raises:
        ValueError: it is no tensor.
    """
    if not isinstance(x, TensorLike) and as_graph_element(x) is None and not hasattr(x, "handle"):
        raise ValueError(f"Unexpectedly found an instance of type `{type(x)}`. Expected a symbolic tensor instance.")
    return history.history(x) is not None


def get_reachable_from_inputs(inputs: Any, targets: Any = None) -> set[Any]:
    """The operations and tensors that are computed from inputs.

    Args:
        inputs: tensors or operations.
        targets: the search ends when all of these are found.
    """
    wanted = None if targets is None else {each for each in nest.flatten(targets) if each is not None}
    waiting = [each for each in nest.flatten(inputs)
               if isinstance(each, (Tensor, Operation)) or hasattr(each, "handle")]
    reached: set[Any] = set(waiting)
    while waiting and not (wanted is not None and wanted <= reached):
        item = waiting.pop()
        if isinstance(item, Operation):
            after = list(item.outputs)
        elif isinstance(item, Tensor):
            after = item.consumers()
        elif hasattr(item, "handle"):
            after = [item.handle]
        else:
            continue
        new = [each for each in after if each not in reached]
        reached.update(new)
        waiting += new
    return reached
