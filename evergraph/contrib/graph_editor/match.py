"""Patterns of operations: conditions for an operation, for those that it uses, and for those that use it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from evergraph.base.export import export
from evergraph.graph.node import Operation, Tensor


@export("contrib.graph_editor.tests.match.op_type")
def op_type(op_types: Any, op: Operation | None = None) -> Any:
    """Whether an operation is of one of some types; without one, the condition itself."""
    wanted = [op_types] if isinstance(op_types, str) else list(op_types)
    return (lambda each: each.type in wanted) if op is None else op.type in wanted


@export("contrib.graph_editor.tests.match.OpMatcher")
class OpMatcher:
    """A condition for an operation and its neighbours.

    >>> OpMatcher("^sum$").input_ops("^x", True)(op)

    Args:
        positive_filter: a pattern of the name, a function, a list of which one has to hold, or True.
    """

    def __init__(self, positive_filter: Any) -> None:
        self._conditions: list[Callable[[Operation], bool]] = [_condition(positive_filter)]

    def __call__(self, op: Any) -> bool:
        """Whether all conditions hold; for a tensor, of the operation that computes it."""
        op = op.op if isinstance(op, Tensor) else op
        return all(condition(op) for condition in self._conditions)

    def input_ops(self, *args: Any) -> OpMatcher:
        """Also asks for the operations that compute the inputs, one after another."""
        wanted = [_condition(each) for each in args]
        return self._and(lambda op: _fits([t.op for t in op.inputs], wanted))

    def control_input_ops(self, *args: Any) -> OpMatcher:
        """Also asks for operations that it waits for: each condition has to hold for one."""
        wanted = [_condition(each) for each in args]
        return self._and(lambda op: all(any(fits(other) for other in op.control_inputs) for fits in wanted))

    def output_ops(self, *args: Any) -> OpMatcher:
        """Also asks for the operations that use each output: a condition for each, that holds for all its users."""
        wanted = [[] if isinstance(each, (list, tuple)) and not each else _condition(each) for each in args]

        def holds(op: Operation) -> bool:
            if len(op.outputs) != len(wanted):
                return False
            return all(not users if fits == [] else bool(users) and all(fits(user) for user in users)
                       for fits, users in zip(wanted, ([*t.consumers()] for t in op.outputs)))

        return self._and(holds)

    def _and(self, condition: Callable[[Operation], bool]) -> OpMatcher:
        self._conditions.append(condition)
        return self


def _fits(ops: list[Operation], conditions: list[Callable[[Operation], bool]]) -> bool:
    return len(ops) == len(conditions) and all(fits(op) for fits, op in zip(conditions, ops))


def _condition(wanted: Any) -> Callable[[Operation], bool]:
    if wanted is True:
        return lambda op: True
    if isinstance(wanted, (str, re.Pattern)):
        pattern = re.compile(wanted)
        return lambda op: pattern.search(op.name) is not None
    if isinstance(wanted, (list, tuple)):
        several = [_condition(each) for each in wanted]
        return lambda op: any(fits(op) for fits in several)
    if not callable(wanted):
        raise ValueError(f"a condition is a pattern, a function, a list of these, or True, not {wanted!r}")
    return wanted
