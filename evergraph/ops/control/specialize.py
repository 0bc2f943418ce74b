"""Finds the static shapes of a function's outputs for arguments that say more than its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from evergraph.graph.function import FuncGraph
from evergraph.graph.graph import Graph
from evergraph.graph.node import Operation, Shape, Tensor, share_handle_data
from evergraph.graph.shaping import merge

_MOST_NODES = 2000  # in a function whose shapes are worth inferring again


class _Known(dict[tuple[Shape, ...], list[Shape]]):
    """Shapes of arguments -> those of the outputs."""


class _Draft(FuncGraph):
    """A copy of a function that is never run: it is in no library, and its nodes do not count for op seeds."""

    def add_node(self, *args: Any, **kwargs: Any) -> Operation:
        return Graph.add_node(self, *args, **kwargs)


def shapes_of_call(function: FuncGraph, arguments: Sequence[Tensor]) -> list[Shape]:
    """The static shapes that the outputs have in a call with these arguments."""
    own = [t._shape for t in function.outputs]
    given = tuple(t._shape for t in arguments)
    says_more = any(map(_says_more, given, (t._shape for t in function.inputs)))
    if not says_more or all(map(_is_full, own)) or len(function._nodes) > _MOST_NODES:
        return own
    known = function.cache(_Known)
    if given not in known:
        known[given] = _inferred(function, given)
    return known[given]


def _says_more(shape: Shape, than: Shape) -> bool:
    if shape is None or than is None or len(shape) != len(than):
        return shape is not None
    return any(a is not None and b is None for a, b in zip(shape, than, strict=True))


def _is_full(shape: Shape) -> bool:
    return shape is not None and None not in shape


def _inferred(function: FuncGraph, given: Sequence[Shape]) -> list[Shape]:
    """The shapes of a draft's outputs; the function's own where a node does not take such inputs."""
    draft = _Draft(function.name, function.outer_graph, is_new=False)
    draft.branch = function.branch
    made: dict[Tensor, Tensor] = {}
    try:
        for tensor, shape in zip(function.inputs, given, strict=True):
            made[tensor] = draft.add_input(tensor._dtype, merge(shape, tensor._shape), tensor.source.name)
            share_handle_data(tensor, made[tensor])
        for node in function._nodes:
            _copy(node, draft, made)
        return [merge(made[t]._shape, t._shape) for t in function.outputs]
    except (ValueError, KeyError):
        return [t._shape for t in function.outputs]


def _copy(node: Operation, draft: _Draft, made: dict[Tensor, Tensor]) -> None:
    if any(t in made for t in node.outputs):
        return
    copy = draft.add_node(node.opdef, node.name, [made[t] for t in node._inputs], dict(node.attrs))
    for old, new in zip(node.outputs, copy.outputs, strict=True):
        new._shape, new._dtype = merge(new._shape, old._shape), old._dtype
        share_handle_data(old, new)
        made[old] = new
