"""tf.contrib.layers: summaries of tensors, activations and collections."""
from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from evergraph.base.export import export
from evergraph.contrib.layers.names import everywhere
from evergraph.frontend.collections import GraphKeys, get_collection
from evergraph.frontend.nn.activations import zero_fraction
from evergraph.graph.convert import constant
from evergraph.ops.nn import activations
from evergraph.summary import summaries


@export(*everywhere("summarize_activation", module="summaries"))
def summarize_activation(op: Any) -> Any:
    """A histogram of an activation, and for a ReLU or ReLU6 the fraction of zeros and sixes.

    Args:
        op: the tensor.

    Returns:
        The summary of the histogram.
    """
    name = op.op.name
    if op.op.opdef in (activations.relu, activations.softplus, activations.relu6):
        summaries.scalar(f"{name}/zeros", zero_fraction(op))
    if op.op.opdef is activations.relu6:
        summaries.scalar(f"{name}/sixes", zero_fraction(constant(6, op.dtype) - op))
    return summaries.histogram(f"{name}/activation", op)


@export(*everywhere("summarize_tensor", module="summaries"))
def summarize_tensor(tensor: Any, tag: str | None = None) -> Any:
    """A scalar summary of a scalar, a histogram of other tensors.

    Args:
        tensor: a tensor or a variable.
        tag: the name of the summary; by default the tensor's with "_summary".
    """
    make = summaries.scalar if tensor.shape.rank == 0 else summaries.histogram
    return make(tag or f"{tensor.op.name}_summary", tensor)


@export(*everywhere("summarize_tensors", module="summaries"))
def summarize_tensors(tensors: Sequence[Any], summarizer: Callable[[Any], Any] = summarize_tensor) -> list[Any]:
    """The summaries of all tensors."""
    return [summarizer(tensor) for tensor in tensors]


@export(*everywhere("summarize_collection", module="summaries"))
def summarize_collection(collection: str, name_filter: str | None = None,
                         summarizer: Callable[[Any], Any] = summarize_tensor) -> list[Any]:
    """The summaries of the tensors of a collection.

    Args:
        collection: its name.
        name_filter: a regular expression that must match at the beginning of their names.
        summarizer: a function of a tensor.
    """
    tensors = [each for each in get_collection(collection) if not isinstance(each, str)]
    if name_filter is not None:
        tensors = [each for each in tensors if re.match(name_filter, each.op.name)]
    return summarize_tensors(tensors, summarizer)


@export(*everywhere("summarize_activations", module="summaries"))
def summarize_activations(name_filter: str | None = None,
                          summarizer: Callable[[Any], Any] = summarize_activation) -> list[Any]:
    """The summaries of the ACTIVATIONS collection; see `summarize_collection`."""
    return summarize_collection(GraphKeys.ACTIVATIONS, name_filter, summarizer)
