"""Copies a stage for inputs whose shapes are known, so that an estimate of its work has no unknown sizes to guess.

Static shapes lose sizes that are fed: the copy's shapes are those of a run, as far as shape functions tell. Branches of
conditionals are copied too; what is inside other functions keeps its static shapes. Where even the rank is unknown, a
tensor counts as large as the largest input.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from evergraph.base import dtypes, errors
from evergraph.graph import primitives
from evergraph.graph.codec import NameAttrList
from evergraph.graph.function import FuncGraph, functions_of
from evergraph.graph.graph import Graph
from evergraph.graph.node import Operation, Tensor
from evergraph.graph.shaping import static_value
from evergraph.graph.traits import Kind
from evergraph.passes.padding import Padding
from evergraph.passes.partition import Stage

_FEW = 64  # integers of an input that may be the sizes of something


def sized(stage: Stage, args: Sequence[Any]) -> Stage:
    """A stage of copies of the nodes for these inputs, in a graph of their own; it is to look at, and cannot run."""
    copies = _Copies(Graph(), max((tuple(arg.shape) for arg in args), key=math.prod, default=()))
    for graph in dict.fromkeys(node.graph for node in stage.nodes):
        copies.graph.library.update(graph.library)
    for tensor, arg in zip(stage.inputs, args, strict=True):
        copies.add_input(tensor, arg)
    nodes = tuple(copies.add(node) for node in stage.nodes)
    inputs = tuple(copies.made[tensor] for tensor in stage.inputs)
    return replace(stage, nodes=nodes, inputs=inputs, outputs=(), static=frozenset(), fixed=frozenset(), late={},
                   lengths=frozenset(), padding=Padding())


def open_sizes_of_loops(stage: Stage, copy: Stage) -> list[int]:
    """The sizes that are not static in what a loop gets, the largest first; `copy` is what `sized` has made."""
    found = [_open_sizes(tensor, known) for node, new in zip(stage.nodes, copy.nodes, strict=True)
             if node.opdef.kind is Kind.WHILE for tensor, known in zip(node._inputs, new._inputs, strict=True)]
    return sorted(max(found, key=math.prod, default=[]), reverse=True)


def _open_sizes(tensor: Tensor, known: Tensor) -> list[int]:
    if tensor._shape is None or known._shape is None or len(tensor._shape) != len(known._shape):
        return []
    pairs = zip(tensor._shape, known._shape, strict=True)
    return [size for static, size in pairs if static is None and size is not None]


class _Copies:
    """A graph, and the tensors in it that stand for others."""

    def __init__(self, graph: Graph, largest: tuple[int, ...]) -> None:
        self.graph = graph
        self.largest = largest  # what stands for an unknown shape
        self.made: dict[Tensor, Tensor] = {}

    def add_input(self, tensor: Tensor, arg: Any) -> None:
        """Adds a placeholder of the shape of an input, or a constant for one that may tell sizes."""
        is_known = isinstance(arg, np.ndarray) and arg.dtype.kind in "iu" and arg.size <= _FEW
        if is_known and tensor._dtype is not dtypes.variant:
            self.made[tensor] = self._constant(arg, tensor)
        else:
            self.made[tensor] = self._placeholder(tensor, tuple(arg.shape))

    def add(self, node: Operation) -> Operation:
        """Adds a copy of a node, which knows what is known of the original and what follows from its inputs."""
        inputs = [self._stand_in(tensor) for tensor in node._inputs]
        is_conditional = node.opdef.kind in (Kind.IF, Kind.CASE)
        new = self._with_branches(node, inputs) if is_conditional else self._inferred(node, inputs)
        for old, output in zip(node.outputs, new.outputs, strict=True):
            output._dtype = old._dtype
            shape = _known_in_either(output._shape, old._shape)
            output._shape = self.largest if shape is None else shape
            self.made[old] = output
        return new

    def _with_branches(self, node: Operation, inputs: list[Tensor]) -> Operation:
        """A conditional whose branches are copied for what it gets; its outputs have the shapes of a branch's."""
        branches, attrs = functions_of(node), dict(node.attrs)
        copies = [self._branch(branch, inputs[1:]) for branch in branches]
        names = iter([NameAttrList(name, {}) for name, _ in copies])
        for attr in node.opdef.plan.functions:
            attrs[attr] = [next(names) for _ in attrs[attr]] if isinstance(attrs[attr], list) else next(names)
        new = self.graph.add_node(node.opdef, self._name(), inputs, attrs, infer_shapes=False)
        for output, shapes in zip(new.outputs, zip(*(shapes for _, shapes in copies), strict=True), strict=True):
            output._shape = max(shapes, key=_sizes_known)
        return new

    def _branch(self, branch: FuncGraph, inputs: Sequence[Tensor]) -> tuple[str, list[Any]]:
        """The name in the library of a copy of a branch, and the shapes of what it returns."""
        function = FuncGraph(f"branch_{len(self.graph.library)}", self.graph)
        inner = _Copies(function, self.largest)
        function.library.update(branch.library)
        for argument, given in zip(branch.inputs, inputs, strict=True):
            value = static_value(given)
            inner.made[argument] = inner._placeholder(argument, given._shape) if value is None else \
                inner._constant(value, argument)
        for node in branch._nodes:
            if node.outputs and node.outputs[0] in inner.made:
                continue
            inner.add(node)
        function.inputs = [inner.made[argument] for argument in branch.inputs]
        function.outputs = [inner._stand_in(output) for output in branch.outputs]
        self.graph.library[function.name] = function
        return function.name, [output._shape for output in function.outputs]

    def _inferred(self, node: Operation, inputs: list[Tensor]) -> Operation:
        """A copy with the shapes that its shape function finds; without any if there is none, or it finds a mistake."""
        if node.opdef.shape_fn is not None:
            # The node runs or fails as it would have: an estimate is no place to say what is wrong with it.
            with contextlib.suppress(ValueError, TypeError, errors.OpError):
                return self.graph.add_node(node.opdef, self._name(), inputs, dict(node.attrs))
        return self.graph.add_node(node.opdef, self._name(), inputs, dict(node.attrs), infer_shapes=False)

    def _stand_in(self, tensor: Tensor) -> Tensor:
        """The copy of a tensor, or a source for one that comes from outside of the stage."""
        found = self.made.get(tensor)
        if found is None:
            source = tensor.source
            is_constant = source.opdef.kind is Kind.CONSTANT
            found = self._constant(source.attrs["value"], tensor) if is_constant else \
                self._placeholder(tensor, tensor._shape)
            self.made[tensor] = found
        return found

    def _constant(self, value: Any, tensor: Tensor) -> Tensor:
        attrs = {"value": value, "dtype": tensor._dtype.base_dtype}
        return self.graph.add_node(primitives.CONST.opdef, self._name(), [], attrs).outputs[0]

    def _placeholder(self, tensor: Tensor, shape: tuple[int | None, ...] | None) -> Tensor:
        attrs = {"dtype": tensor._dtype, "shape": shape}
        return self.graph.add_node(primitives.PLACEHOLDER.opdef, self._name(), [], attrs).outputs[0]

    def _name(self) -> str:
        return f"copy_{len(self.graph._nodes)}"


def _sizes_known(shape: Any) -> int:
    return -1 if shape is None else sum(size is not None for size in shape)


def _known_in_either(found: Any, static: Any) -> Any:
    if found is None or static is None or len(found) != len(static):
        return static if found is None else found
    return tuple(b if a is None else a for a, b in zip(found, static, strict=True))
