"""Walks over a graph, from operations to the layers that feed them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from evergraph.graph.graph import Graph
from evergraph.graph.node import Operation, Tensor

LAYERS = ("Conv2D", "MatMul", "DepthwiseConv2dNative")
ADDS = ("Add", "AddV2")
FAKE = ("FakeQuantWithMinMaxVars", "FakeQuantWithMinMaxVarsPerChannel", "FakeQuantWithMinMaxArgs")
_READS = ("Identity", "ReadVariableOp", "ConcatV2", "Enter")
_VARIABLES = ("Variable", "VariableV2", "VarHandleOp", "AutoReloadVariable")


@dataclass(frozen=True)
class Source:
    """Where a tensor comes from.

    Attributes:
        layer: the convolution or product of matrices.
        between: the operations from it to the tensor, in order.
    """

    layer: Operation
    between: list[Operation]


def source_of(tensor: Tensor, through: Iterable[str]) -> Source | None:
    """The layer that a tensor comes from by operations of the given types; None if there is no layer."""
    allowed, between, op = set(through), [], tensor.op
    while op.type in allowed and op.type not in LAYERS and len(op.inputs):
        between.insert(0, op)
        op = op.inputs[0].op
    return Source(op, between) if op.type in LAYERS else None


def is_variable(tensor: Tensor) -> bool:
    """Whether a tensor is the value of a variable, or of its parts."""
    if tensor.op.type in _VARIABLES:
        return True
    if tensor.op.type == "ConcatV2":
        return all(is_variable(part) for part in list(tensor.op.inputs)[:-1])
    return tensor.op.type in _READS and is_variable(tensor.op.inputs[0])


def scope_of(op: Operation) -> str:
    """The name scope of an operation, with a slash at the end; "" at the root."""
    return parent(op.name) + "/" if "/" in op.name else ""


def parent(name: str) -> str:
    """A name without its last part."""
    return name.rpartition("/")[0]


def has_operation(graph: Graph, name: str) -> bool:
    """Whether there is an operation of that name."""
    try:
        graph.get_operation_by_name(name)
    except KeyError:
        return False
    return True
