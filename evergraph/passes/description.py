"""Describes stages by value, so that equal stages of different graphs have equal descriptions."""

from __future__ import annotations

import hashlib
from collections.abc import Hashable, Iterable, Iterator
from typing import Any

import numpy as np

from evergraph.base.dtypes import DType
from evergraph.graph.codec import NameAttrList
from evergraph.graph.function import FuncGraph, functions_of
from evergraph.graph.node import Operation, Tensor
from evergraph.passes.partition import Stage
from evergraph.passes.state import may_call

_SHORT = 256  # bytes of a constant that stand for themselves


def description(stage: Stage) -> Hashable | None:
    """All of a stage that its compiled program depends on; None if it has an attr that is hard to compare.

    Names are part of it: the stored values of two equal stages have the same keys. Kernels look at the nodes before
    them, such as those that compute the ends of a slice, so these are described too, back to nodes of the host.
    """
    try:
        parts = tuple(map(_node, stage.nodes)), tuple(_before(stage.nodes))
    except TypeError:
        return None
    late = tuple((node.name, place, _named(t)) for node, reads in stage.late.items() for place, t in reads.items())
    tensors = tuple(tuple(map(_named, group)) for group in (stage.inputs, stage.outputs))
    sets = tuple(frozenset(map(_named, group)) for group in (stage.static, stage.lengths))
    nodes = tuple(frozenset(node.name for node in group) for group in (stage.fixed, stage.asked))
    return parts, tensors, sets, nodes, late, stage.donates


def plain(value: Any) -> Hashable:
    """An attr's value as one that is equal for equal values alone.

    Raises:
        TypeError: that is hard to tell.
    """
    if isinstance(value, (list, tuple)):
        return tuple(map(plain, value))
    if isinstance(value, np.ndarray):
        return value.dtype, value.shape, _content(value)
    if isinstance(value, NameAttrList):
        return value.name, tuple((name, plain(attr)) for name, attr in sorted(value.attrs.items()))
    if value is None or isinstance(value, (bool, int, str, bytes, DType)):
        return type(value).__name__, value
    if isinstance(value, (float, complex)):
        return type(value).__name__, repr(value)
    raise TypeError(f"{type(value).__name__} values are not compared")


def _content(array: np.ndarray[Any, Any]) -> Hashable:
    if array.dtype.hasobject:
        return tuple(array.reshape(-1).tolist())
    content = array.tobytes()
    return content if len(content) <= _SHORT else hashlib.blake2b(content).digest()


def _node(node: Operation) -> Hashable:
    attrs = tuple([(name, plain(value)) for name, value in sorted(node.attrs.items())])
    functions = tuple(map(_function, functions_of(node))) if may_call(node) else ()
    return *_face(node), attrs, functions


def _face(node: Operation) -> tuple[Hashable, ...]:
    """What other nodes may see of a node, whatever it does."""
    outputs = tuple([(t._dtype, t._shape, t._handle_data) for t in node.outputs])
    control = tuple([other.name for other in node._control_inputs])
    return node.opdef, node.name, node.device, tuple([_named(t) for t in node._inputs]), control, outputs


def _function(function: FuncGraph) -> Hashable:
    tensors = tuple(tuple(map(_named, group)) for group in (function.inputs, function.outputs))
    return function.name, tensors, tuple(map(_node, function._nodes))


def _before(nodes: Iterable[Operation]) -> Iterator[Hashable]:
    """The nodes that the inputs of a stage come from."""
    left = list(nodes)
    seen = set(left)
    while left:
        for tensor in left.pop()._inputs:
            node = tensor.op
            if node in seen:
                continue
            seen.add(node)
            if node.opdef.on == "host" or may_call(node):
                yield _face(node)
            else:
                yield _node(node)
                left.append(node)


def _named(tensor: Tensor) -> Hashable:
    return tensor.op.name, tensor.value_index
