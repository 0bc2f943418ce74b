"""Makes a TensorFlow Lite model of a frozen graph: constants are folded, and each other node goes through the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from evergraph.base import dtypes, errors
from evergraph.graph import shaping
from evergraph.graph.function import FuncGraph
from evergraph.graph.node import Operation, Tensor
from evergraph.graph.opdef import OpDef
from evergraph.graph.traits import Kind
from evergraph.kernel import calling
from evergraph.lite import rows_arrays, rows_control, rows_math, rows_nn  # noqa: F401 - they fill the table
from evergraph.lite.model import Subgraph, Value
from evergraph.lite.site import TABLE, Names, Site, Unmapped
from evergraph.passes.imported.functionalize import functionalize
from evergraph.passes.prune import in_order

_LARGEST_FOLDED = 1 << 22  # elements; what constants grow to beyond that is computed by the model


@dataclass(frozen=True)
class Gap:
    """A node that has no counterpart."""

    op: str
    node: str
    why: str
    where: str


@dataclass
class Lowering:
    """What the subgraphs of one model share.

    Attributes:
        custom: makes a custom operator of a node whose op the table does not have; None where those are refused.
        kept: ops that are not folded, because they say something about constants.
        gaps: the nodes that could not be converted.
        reserved: tensor lists whose elements have an unknown shape -> how many they are.
    """

    custom: Any = None
    kept: frozenset[OpDef] = frozenset()
    gaps: list[Gap] = field(default_factory=list)
    reserved: dict[Value, Value] = field(default_factory=dict)

    def main(self, inputs: Sequence[tuple[Tensor, str]], outputs: Sequence[tuple[Tensor, str]]) -> Subgraph:
        """The subgraph that computes some tensors from others, which have these names in the model."""
        fetches, feeds = functionalize([t for t, _ in outputs], [t for t, _ in inputs])
        body = Body(self, Subgraph("main"))
        for tensor, (_, name) in zip(feeds, inputs):
            body.values[tensor] = value = Value(body.names.unique(name), tensor.dtype.base_dtype, tensor._shape)
            body.subgraph.inputs.append(value)
        found = body.lower([t for t in fetches if isinstance(t, Tensor)])
        for value, (_, name) in zip(found, outputs):
            if value.data is None and value not in body.subgraph.inputs and value not in body.subgraph.outputs:
                value.name = name if value.name == name else body.names.unique(name)
            body.subgraph.outputs.append(value)
        return body.subgraph

    def function(self, function: FuncGraph, operands: Sequence[Value], fixed: Sequence[bool], name: str) -> Subgraph:
        """A subgraph that computes a function of operands like these; those that are fixed are constants inside."""
        body = Body(self, Subgraph(name))
        arguments = []
        for operand, is_fixed in zip(operands, fixed, strict=True):
            value = Value(body.names.unique(operand.name), operand.dtype, operand.shape)
            if is_fixed:
                value.data = operand.data
            else:
                body.subgraph.inputs.append(value)
            arguments.append(value)
        body.subgraph.outputs = body.call(function, arguments)
        return body.subgraph


@dataclass
class Body:
    """The values of a graph's tensors while a subgraph is made of it."""

    lowering: Lowering
    subgraph: Subgraph
    names: Names = field(default_factory=Names)
    values: dict[Tensor, Value] = field(default_factory=dict)

    def call(self, function: FuncGraph, arguments: Sequence[Value]) -> list[Value]:
        """Adds what a function computes of these arguments."""
        fetches, feeds = functionalize(function.outputs, function.inputs, function)
        inner = Body(self.lowering, self.subgraph, self.names)
        inner.values.update(zip(feeds, arguments, strict=True))
        return inner.lower([t for t in fetches if isinstance(t, Tensor)])

    def lower(self, fetches: Sequence[Tensor]) -> list[Value]:
        for node in _computed(fetches, self.values):
            self._convert(node)
        return [self.values[tensor] for tensor in fetches]

    def _convert(self, node: Operation) -> None:
        inputs = [self.values[tensor] for tensor in node.inputs]
        _refine(node, inputs)
        known = None if node.opdef in self.lowering.kept else _folded(node, inputs)
        if known is not None:
            for number, (tensor, data) in enumerate(zip(node.outputs, known)):
                self.values[tensor] = self._constant(node, number, data)
            return
        outputs = [Value(self._name(tensor), tensor.dtype.base_dtype, tensor._shape) for tensor in node.outputs]
        site = Site(node, inputs, outputs, self.subgraph, self.names, self)
        try:
            self._through_table(site)
        except Unmapped as gap:
            self.lowering.gaps.append(Gap(node.type, node.name, str(gap), node.where))
        self.values.update(zip(node.outputs, site.outputs))

    def _through_table(self, site: Site) -> None:
        found = TABLE.get(site.node.opdef)
        if found is not None:
            unfit = [value for value in (*site.inputs, *site.outputs) if value.dtype is dtypes.float64]
            if unfit:
                raise Unmapped("TensorFlow Lite computes no float64")
            found.convert(site)
        elif self.lowering.custom is not None:
            self.subgraph.steps.append(self.lowering.custom(site))
        else:
            raise Unmapped("TensorFlow Lite has no such operator")

    def _constant(self, node: Operation, number: int, data: np.ndarray[Any, Any]) -> Value:
        tensor = node.outputs[number]
        return Value(self._name(tensor), tensor.dtype.base_dtype, data.shape, data)

    def _name(self, tensor: Tensor) -> str:
        return self.names.unique(tensor.op.name if tensor.value_index == 0 else tensor.name)


def _computed(fetches: Sequence[Tensor], given: dict[Tensor, Value]) -> list[Operation]:
    """The nodes behind some tensors, by data alone: models have no control dependencies."""
    found: set[Operation] = set()
    stack = [tensor.op for tensor in fetches if tensor not in given]
    while stack:
        node = stack.pop()
        if node not in found:
            found.add(node)
            stack += [tensor.op for tensor in node._inputs if tensor not in given]
    return in_order(found, given, lambda node, fed: [t.op for t in node._inputs if t not in fed])


def _refine(node: Operation, inputs: Sequence[Value]) -> None:
    """Infers shapes again where the values say more than the graph did, as inside loops."""
    for tensor, value in zip(node.inputs, inputs):
        if value.shape is not None and tensor.dtype is not dtypes.variant:
            tensor._shape = value.shape
    if any(tensor._shape is None or None in tensor._shape for tensor in node.outputs):
        before = [tensor._shape for tensor in node.outputs]
        try:
            shaping.infer(node)
            after = [shaping.merge(old, tensor._shape) for old, tensor in zip(before, node.outputs)]
        except (errors.OpError, ValueError):  # what was known holds on
            after = before
        for tensor, shape in zip(node.outputs, after):
            tensor._shape = shape


def _folded(node: Operation, inputs: Sequence[Value]) -> list[np.ndarray[Any, Any]] | None:
    """The outputs of a node that follow from constants and static shapes."""
    if node.opdef.kind is Kind.CONSTANT:
        return [np.asarray(node.attrs["value"])]
    if not node.outputs or not node.inputs or not node.opdef.is_foldable:
        return None
    if any(tensor.dtype.is_ref or tensor.dtype in (dtypes.resource, dtypes.variant) for tensor in node.outputs):
        return None
    known = [shaping.static_value(tensor) for tensor in node.outputs]
    if all(value is not None for value in known):
        return known  # type: ignore[return-value]
    if any(value.data is None for value in inputs) or _size(node) > max(_LARGEST_FOLDED, *(_count(v) for v in inputs)):
        return None
    with np.errstate(all="ignore"):
        return calling.evaluate(node, [value.data for value in inputs])  # type: ignore[misc]


def _size(node: Operation) -> int:
    return sum(int(np.prod([size or 1 for size in tensor._shape or ()])) for tensor in node.outputs)


def _count(value: Value) -> int:
    return 0 if value.data is None else value.data.size
