"""Describes stages by value, so that equal ones have equal descriptions: of different graphs, or of replicas."""

from __future__ import annotations

import hashlib
from collections.abc import Hashable, Iterable, Iterator
from typing import Any

import numpy as np

from evergraph.base.dtypes import DType
from evergraph.graph.codec import NameAttrList
from evergraph.graph.function import FuncGraph, functions_of
from evergraph.graph.node import Operation, Tensor
from evergraph.graph.shaping import product, static_value
from evergraph.graph.traits import Kind
from evergraph.passes.partition import Stage
from evergraph.passes.state import cell_key, has_storage, may_call

_SHORT = 256  # bytes of a constant that stand for themselves
_MOST_AXES = 8  # of a tensor whose shape is computed, or of which a part is taken
_OF_STORAGE = frozenset(("shared_name", "container"))  # attrs that are in the name of a cell
_OF_STREAMS = frozenset(("seed", "seed2"))  # attrs that only begin a random stream, which is a stored value


class Names(dict[str, int]):
    """Numbers for names, in the order in which a description has them. Stages that differ in names alone are equal."""

    def __missing__(self, name: str) -> int:
        self[name] = number = len(self)
        return number


def description(stage: Stage, names: Names) -> Hashable | None:
    """All of a stage that its compiled program depends on; None if it has an attr that is hard to compare.

    Names of operations and stored values are told apart, but do not matter, and neither do devices. Kernels look at the
    nodes before them, such as those that compute the ends of a slice, so these are described too. What only waits for
    others is left out.
    """
    computing = [node for node in stage.nodes if node.opdef.kind is not Kind.NO_OP]
    describe = _Describer(names, computing)
    try:
        parts = tuple(map(describe.node, computing)), tuple(describe.before(computing))
    except TypeError:
        return None
    late = tuple((names[node.name], place, describe.named(t))
                 for node, reads in stage.late.items() for place, t in reads.items())
    tensors = tuple(tuple(map(describe.named, group)) for group in (stage.inputs, stage.outputs))
    sets = tuple(frozenset(map(describe.named, group)) for group in (stage.static, stage.lengths))
    nodes = tuple(frozenset(names[node.name] for node in group) for group in (stage.fixed, stage.asked))
    return parts, tensors, sets, nodes, late, stage.donates


class _Describer:
    """Describes the nodes of a stage, or of a function that it calls."""

    def __init__(self, names: Names, nodes: Iterable[Operation]) -> None:
        self._names, self._own = names, frozenset(nodes)

    def node(self, node: Operation) -> Hashable:
        """All of a node but its name."""
        ignored: frozenset[str] = frozenset()
        if has_storage(node):
            ignored = _OF_STORAGE if "rng" not in node.opdef.wants else _OF_STORAGE | _OF_STREAMS
            ignored = ignored.difference(node.opdef.wants)
        attrs = tuple([(name, self._attr(value)) for name, value in sorted(node.attrs.items()) if name not in ignored])
        stored = self._names[cell_key(node)] if has_storage(node) else None
        control = tuple([self._names[other.name] for other in node._control_inputs if other in self._own])
        functions = tuple(map(self._function, functions_of(node))) if may_call(node) else ()
        return (node.opdef, self._names[node.name], tuple([self.named(t) for t in node._inputs]), control,
                bool(node._control_inputs), _forms(node), attrs, stored, functions)

    def before(self, nodes: Iterable[Operation]) -> Iterator[Hashable]:
        """What kernels may know of the nodes before a stage: behind what is no size, shapes and static values alone."""
        left = list(nodes)
        seen = set(left)
        while left:
            for tensor in left.pop()._inputs:
                node = tensor.op
                if node in seen:
                    continue
                seen.add(node)
                if node.opdef.on == "host" or may_call(node) or not _may_be_size(tensor):
                    known = [None if node.opdef.on == "host" else static_value(t) for t in node.outputs]
                    yield node.opdef, self._names[node.name], _forms(node), plain(known)
                else:
                    yield self.node(node)
                    left.append(node)

    def named(self, tensor: Tensor) -> Hashable:
        return self._names[tensor.op.name], tensor.value_index

    def _attr(self, value: Any) -> Hashable:
        """An attr; the functions that it names are described by what they do."""
        if isinstance(value, NameAttrList):
            attrs = tuple((name, self._attr(attr)) for name, attr in sorted(value.attrs.items()))
            return self._names[value.name], attrs
        return tuple(map(self._attr, value)) if isinstance(value, (list, tuple)) else plain(value)

    def _function(self, function: FuncGraph) -> Hashable:
        inner = _Describer(self._names, function._nodes)
        tensors = tuple(tuple(map(inner.named, group)) for group in (function.inputs, function.outputs))
        return self._names[function.name], tensors, tuple(map(inner.node, function._nodes))


def plain(value: Any) -> Hashable:
    """An attr's value as one that is equal for equal values alone.

    Raises:
        TypeError: that is hard to tell.
    """
    if isinstance(value, (list, tuple)):
        return tuple(map(plain, value))
    if isinstance(value, np.ndarray):
        return value.dtype, value.shape, _content(value)
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


def _forms(node: Operation) -> Hashable:
    return tuple([(t._dtype, t._shape, t._handle_data) for t in node.outputs])


def _may_be_size(tensor: Tensor) -> bool:
    """Whether kernels may ask what a tensor is made of: it may be a size or a shape, or refers to what is stored."""
    if tensor._dtype.is_ref or not (tensor._dtype.is_floating or tensor._dtype.is_complex):
        return tensor._shape is None or (product(tensor._shape) or 0) <= _MOST_AXES and None not in tensor._shape
    return False
