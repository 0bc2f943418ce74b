"""The numbers of floating point operations of nodes, by op; programs add their own with RegisterStatistics."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from evergraph.graph.graph import Graph
from evergraph.ops.flops import float_operations


class OpStats:
    """One number about a node, such as its floating point operations; `value` is None where it is not known."""

    def __init__(self, statistic_type: str, value: float | None = None) -> None:
        self.statistic_type, self.value = statistic_type, value

    def __iadd__(self, other: OpStats) -> OpStats:
        if other.statistic_type != self.statistic_type:
            raise ValueError(f"{self.statistic_type} and {other.statistic_type} cannot be added")
        if other.value is not None:
            self.value = other.value + (self.value or 0)
        return self


_registered: dict[tuple[str, str], Callable[[Graph, Any], OpStats]] = {}


class RegisterStatistics:
    """A decorator that registers a function (graph, node_def) -> OpStats for an op.

    Args:
        op_type: the type of the nodes.
        statistic_type: what the function says, such as "flops".
    """

    def __init__(self, op_type: str, statistic_type: str) -> None:
        for what, text in (("op_type", op_type), ("statistic_type", statistic_type)):
            if not isinstance(text, str):
                raise TypeError(f"{what} must be a string, not {text!r}")
            if "," in text:
                raise TypeError(f"{what} must not contain a comma: {text!r}")
        self._key = op_type, statistic_type

    def __call__(self, function: Callable[[Graph, Any], OpStats]) -> Callable[[Graph, Any], OpStats]:
        if self._key in _registered:
            raise KeyError(f"{self._key[1]} of {self._key[0]} has a function already")
        _registered[self._key] = function
        return function


def get_stats_for_node_def(graph: Graph, node: Any, statistic_type: str) -> OpStats:
    """A number about a node that a NodeDef of the graph describes; its value is None for an op without a formula."""
    function = _registered.get((node.op, statistic_type))
    if function is not None:
        return function(graph, node)
    if statistic_type == "flops":
        return OpStats("flops", float_operations(graph.get_operation_by_name(node.name)))
    return OpStats(statistic_type)
