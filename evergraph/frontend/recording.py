"""Recordings: the operations that depend on watched tensors, and the walk back over them. Gradient tapes hold them."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from typing import Any

from evergraph.graph import primitives, scopes
from evergraph.graph.differentiate import Gradient, add_up, call_rule, fitted, rule_for, start, trainable, with_zeros
from evergraph.graph.function import FuncGraph
from evergraph.graph.node import Operation, Tensor


class Recording:
    """The operations that ran since the recording began and depend on a watched tensor, in order.

    Args:
        watch_variables: whether reading a trainable variable watches it.
    """

    def __init__(self, watch_variables: bool = True) -> None:
        self._watch_variables = watch_variables
        self._watched: set[Tensor] = set()
        self._variables: dict[int, Any] = {}
        self._operations: list[Operation] = []
        self._nodes: set[Operation] = set()  # those of them that belong to functions

    @property
    def variables(self) -> list[Any]:
        """The variables watched, in the order of their creation."""
        return sorted(self._variables.values(), key=lambda variable: variable.serial)

    def record(self, operation: Operation) -> None:
        """Keeps an operation that depends on a watched tensor; its outputs are watched too."""
        in_function = isinstance(operation.graph, FuncGraph)
        if in_function:
            self._record_captures(operation.graph, operation._inputs)  # type: ignore[arg-type]
            # The gradient of a call gives the call further outputs, which were not there when it was recorded.
            self._watched.update(t for t in operation._inputs if t.op in self._nodes and trainable(t))
        if self._watched and not self._watched.isdisjoint(operation._inputs):
            self._operations.append(operation)
            self._watched.update(t for t in operation.outputs if trainable(t))
            if in_function:
                self._nodes.add(operation)

    def _record_captures(self, graph: FuncGraph, inputs: Sequence[Tensor]) -> None:
        """Watches the inputs of a function's body that stand for watched tensors outside."""
        given = set(inputs)  # which tells tensors apart by identity, however programs compare them
        for outer, inner in graph.captures.items():
            if inner not in given or inner in self._watched:
                continue
            if isinstance(outer.graph, FuncGraph):
                self._record_captures(outer.graph, [outer])
            if outer in self._watched:
                opdef = primitives.IDENTITY.opdef
                step = Operation(graph, opdef, opdef.name, [outer], {"T": outer._dtype.base_dtype}, 0)
                step.outputs = [inner]
                self._operations.append(step)
                self._watched.add(inner)

    def watches(self, tensors: Sequence[Tensor]) -> bool:
        """Whether one of the tensors is watched."""
        return not self._watched.isdisjoint(tensors)

    def accessed(self, variable: Any) -> None:
        """Watches a trainable variable that is being read."""
        if self._watch_variables and variable.trainable:
            self.watch_variable(variable)

    def watch_variable(self, variable: Any) -> None:
        self._variables.setdefault(id(variable.handle), variable)
        self._watched.add(variable.handle)

    def watch(self, tensor: Tensor) -> None:
        self._watched.add(tensor)

    @contextlib.contextmanager
    def recorded(self) -> Iterator[None]:
        """A with-block whose operations are recorded."""
        scopes.tapes.items.append(self)
        try:
            yield
        finally:
            scopes.tapes.items.remove(self)

    def gradients(
        self, targets: Sequence[Tensor], sources: Sequence[Tensor], given: Sequence[Any] | None
    ) -> list[Gradient]:
        """The gradient of the sum of `targets` by each source; None where no target depends on it."""
        return _Walk(self._operations, self._watched, targets, sources, given).run()


class _Walk:
    """One walk back over recorded operations: the gradients that have arrived at each tensor."""

    def __init__(
        self,
        operations: Sequence[Operation],
        watched: set[Tensor],
        targets: Sequence[Tensor],
        sources: Sequence[Tensor],
        given: Sequence[Any] | None,
    ) -> None:
        self._sources = sources
        self._reached = set(sources)  # the tensors that depend on a source
        self._on_path: list[Operation] = []
        for operation in operations:
            if not self._reached.isdisjoint(operation._inputs):
                self._on_path.append(operation)
                self._reached.update(operation.outputs)
        self._arrived: dict[Tensor, list[Any]] = {}
        for number, (target, gradient) in enumerate(zip(targets, given or [None] * len(targets), strict=True)):
            if target in watched and target in self._reached and trainable(target):
                self._arrived.setdefault(target, []).append(start(target, gradient, number))

    def run(self) -> list[Gradient]:
        for operation in reversed(self._on_path):
            arrived = [self._sum(t) for t in operation.outputs]
            if any(gradient is not None for gradient in arrived):
                self._step(operation, arrived)
        return [self._sum(source) for source in self._sources]

    def _step(self, operation: Operation, arrived: list[Gradient]) -> None:
        found = call_rule(rule_for(operation), operation, with_zeros(operation, arrived))
        for position, (tensor, gradient) in enumerate(zip(operation._inputs, found, strict=True)):
            if gradient is not None and tensor in self._reached and trainable(tensor):
                self._arrived.setdefault(tensor, []).append(fitted(operation, position, tensor, gradient))

    def _sum(self, tensor: Tensor) -> Gradient:
        parts = self._arrived.get(tensor)
        if not parts:
            return None
        if len(parts) > 1:
            parts[:] = [add_up(parts)]
        return parts[0]
