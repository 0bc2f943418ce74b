"""Patterns of operations, and where a graph has them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import permutations
from typing import Any

from evergraph.contrib.graph_editor.edges import reroute_ts
from evergraph.graph.graph import Graph
from evergraph.graph.node import Operation, Tensor


def reroute_tensor(t0: Tensor, t1: Tensor, can_modify: Iterable[Operation] | None = None) -> int:
    """Makes operations that use `t1` use `t0`: those of `can_modify`, or all. Returns how many inputs changed."""
    return reroute_ts(t0, t1, can_modify, cannot_modify=[t0.op])


class InputToOps:
    """Which operations use the outputs of each operation of a graph, when this object is made."""

    def __init__(self, graph: Graph) -> None:
        self._users = {op: {user for output in op.outputs for user in output.consumers()}
                       for op in graph.get_operations()}

    def ConsumerOperations(self, producer_op: Operation) -> set[Operation]:
        """The operations that use an operation."""
        return self._users.get(producer_op, set())


class Pattern:
    """What an operation may look like."""

    def __init__(self, name: str | None = None) -> None:
        self._name = name

    @property
    def name(self) -> str | None:
        """The name by which a match finds what the pattern matched."""
        return self._name

    def match(self, op: Operation, tensor: Tensor | None) -> MatchResult | None:
        """What an operation, reached by one of its outputs, matches; None if it does not."""
        raise NotImplementedError


class OpTypePattern(Pattern):
    """An operation of a type, with inputs of given patterns.

    Args:
        op_type: a type, several with | between them, or "*" for any.
        name: a name for what it matches.
        inputs: a pattern, or types, for each input; None for any inputs.
        ordered_inputs: whether the inputs are in this order.
    """

    def __init__(self, op_type: str, name: str | None = None, inputs: Sequence[Any] | None = None,
                 ordered_inputs: bool = True) -> None:
        super().__init__(name)
        self._types, self._is_ordered = op_type.split("|"), ordered_inputs
        self._inputs = None if inputs is None else [
            each if isinstance(each, Pattern) else OpTypePattern(each) for each in inputs]

    def match(self, op: Operation, tensor: Tensor | None) -> MatchResult | None:
        if "*" not in self._types and op.type not in self._types:
            return None
        result = MatchResult()
        result.add(self, op, tensor)
        if self._inputs is None:
            return result
        if len(op.inputs) != len(self._inputs):
            return None
        for order in [self._inputs] if self._is_ordered else permutations(self._inputs):
            found = [pattern.match(each.op, each) for pattern, each in zip(order, op.inputs)]
            if None not in found:
                for each in found:
                    result.merge(each)
                return result
        return None


class OneofPattern(Pattern):
    """The first of several patterns that matches."""

    def __init__(self, sub_patterns: Sequence[Pattern]) -> None:
        super().__init__()
        self._patterns = list(sub_patterns)

    def match(self, op: Operation, tensor: Tensor | None) -> MatchResult | None:
        for pattern in self._patterns:
            result = pattern.match(op, tensor)
            if result is not None:
                result.add(self, op, tensor)
                return result
        return None


class MatchResult:
    """What each pattern matched; patterns are given as objects or by name."""

    def __init__(self) -> None:
        self._found: dict[Any, tuple[Operation, Tensor | None]] = {}

    def add(self, pattern: Pattern, op: Operation, tensor: Tensor | None) -> None:
        """Keeps what a pattern matched."""
        self._found[pattern] = (op, tensor)
        if pattern.name is not None:
            self._found[pattern.name] = (op, tensor)

    def merge(self, other: Any) -> None:
        """Adds what another result has."""
        self._found.update(other._found)

    def get_op(self, pattern_or_name: Any) -> Operation | None:
        """The operation that a pattern matched; None without one."""
        found = self._found.get(pattern_or_name)
        return None if found is None else found[0]

    def get_tensor(self, pattern_or_name: Any) -> Tensor | None:
        """The tensor by which the match went to that operation; None without one."""
        found = self._found.get(pattern_or_name)
        return None if found is None else found[1]


class GraphMatcher:
    """Finds a pattern in graphs."""

    def __init__(self, pattern: Pattern) -> None:
        self._pattern = pattern

    def match_op(self, op: Operation) -> MatchResult | None:
        """What an operation matches; None if it does not."""
        return self._pattern.match(op, None)

    def match_ops(self, ops: Iterable[Operation]) -> Iterator[MatchResult]:
        """The matches among operations."""
        return (result for op in ops if (result := self.match_op(op)) is not None)

    def match_graph(self, graph: Graph) -> Iterator[MatchResult]:
        """The matches in a graph, in the order of its operations."""
        return self.match_ops(graph.get_operations())
