"""Calling the functions that nodes name: bodies of loops, branches, calls."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from evergraph.compile.lower import Lowered, lower_function
from evergraph.graph.function import FuncGraph
from evergraph.graph.node import Operation, Tensor
from evergraph.kernel.cells import Cell
from evergraph.kernel.reasons import NeedStatic, Uncompilable
from evergraph.passes.state import has_storage, with_inner

_KNOWN_ANYWAY = frozenset({"Shape", "ShapeN", "Size", "Rank", "Const"})


class Function:
    """A function attr as kernels call it: `body(*args)` gives the list of its outputs.

    Loops and branches that are compiled must carry what the body changes besides its outputs: see `Threaded`.
    """

    def __init__(self, environment: Any, graph: FuncGraph) -> None:
        self.environment, self.graph = environment, graph
        self.lowered: Lowered = lower_function(graph)

    def __call__(self, *args: Any) -> list[Any]:
        return list(self.lowered.call(self.environment, *args))

    @property
    def cells(self) -> list[Cell]:
        """The storage of the nodes inside, at any depth."""
        return [self.environment.cell(n) for n in with_inner(self.lowered.nodes) if has_storage(n)]


class Threaded:
    """Carries what functions change (cells, failed checks) through compiled loops and branches.

    Attributes:
        cells: every cell the functions may touch and that has a value: their own and those among their arguments.
        changed: those that some call of `run` has assigned to.
    """

    def __init__(self, environment: Any, functions: Sequence[Function], arguments: Sequence[Any]) -> None:
        self.environment = environment
        for function in functions:  # random streams start before the loop, so that the carry keeps its form
            for node in with_inner(function.lowered.nodes):
                if "rng" in node.opdef.wants:
                    environment.rng(node)
        own = [c for f in functions for c in f.cells]
        found = {c.key: c for c in (*own, *(a for a in arguments if isinstance(a, Cell)))}
        self.cells = [c for c in found.values() if c.is_set]
        self.unset = [c for c in found.values() if not c.is_set]
        self.changed: set[Cell] = set()

    def state(self) -> list[Any]:
        """The values to carry; the last one is the number of the check that failed."""
        return [*(c.peek() for c in self.cells), np.int32(0) + self.environment.failed]

    def run(self, function: Function, arguments: Sequence[Any], state: Sequence[Any]) -> tuple[list[Any], list[Any]]:
        """Calls `function` with `state` in place; gives back its outputs and the state afterwards.

        Raises:
            Uncompilable: a variable gets its first value inside, so that it is not there to be carried.
        """
        environment = self.environment
        saved = [(c, c.peek(), c.changed) for c in (*self.cells, *self.unset)]
        failed, depth = environment.failed, environment.depth
        for cell, value in zip(self.cells, state[:-1], strict=True):
            cell._value, cell.changed = value, False
        environment.failed, environment.depth = state[-1], depth + 1
        try:
            outputs = [_read(v) for v in function(*arguments)]
            after = [*(c.peek() for c in self.cells), environment.failed]
            self.changed |= {c for c in self.cells if c.changed}
            if any(c.is_set for c in self.unset):
                raise Uncompilable("a variable gets its first value inside a loop or branch")
        finally:
            for cell, value, changed in saved:
                cell._value, cell.changed = value, changed
            environment.failed, environment.depth = failed, depth
        return outputs, after

    def restore(self, state: Sequence[Any]) -> None:
        """Puts the state after the loop or branch in place."""
        for cell, value in zip(self.cells, state[:-1], strict=True):
            if cell in self.changed:
                cell.assign(value)
        self.environment.failed = state[-1]


def _read(value: Any) -> Any:
    """A variable that a function hands back is its value, when it has one."""
    return value.value if isinstance(value, Cell) and value.is_set else value


@contextmanager
def needs_passed_on(node: Operation, function: Function, first: int, steady: set[int]) -> Iterator[None]:
    """Turns the need of a plain value inside `function` into that of the node's input which it comes from.

    Args:
        node: the node that calls the function.
        function: the function.
        first: which input of the node is the function's first argument.
        steady: the arguments that are the same in every call.
    """
    try:
        yield
    except NeedStatic as need:
        if need.tensor.graph is not function.graph:
            raise
        sources = _sources(need.tensor, function.graph)
        if not sources or not sources <= steady:
            raise
        outer = [node._inputs[first + i] for i in sorted(sources)]
        raise NeedStatic(next((t for t in outer if t.op.type != "Const"), outer[0])) from need


def _sources(tensor: Tensor, graph: FuncGraph) -> set[int]:
    """The arguments that the value of `tensor` depends on, shapes aside; empty when it depends on state too."""
    place = {t: i for i, t in enumerate(graph.inputs)}
    found: set[int] = set()
    stack, seen = [tensor], {tensor}
    while stack:
        current = stack.pop()
        if current in place:
            found.add(place[current])
            continue
        if current.op.type in _KNOWN_ANYWAY:
            continue
        if current.op.opdef.stateful:
            return set()
        for source in current.op._inputs:
            if source not in seen:
                seen.add(source)
                stack.append(source)
    return found


def call(node: Operation, function: Function, arguments: Sequence[Any]) -> list[Any]:
    """The outputs of a function that a node calls with its inputs."""
    with needs_passed_on(node, function, 0, set(range(len(arguments)))):
        return [_read(v) for v in function(*arguments)]


def gradient(node: Operation, function: Function, values: Sequence[Any]) -> list[Any]:
    """The gradients of a function by its arguments, by JAX: the arguments stand first, then the outputs' gradients."""
    import jax

    count = len(function.graph.inputs)
    arguments, given = list(values[:count]), values[count:]
    smooth = [i for i, a in enumerate(arguments) if _has_gradient(a)]
    passed = [i for i, t in enumerate(function.graph.outputs) if t._dtype.is_floating or t._dtype.is_complex]

    def run(*chosen: Any) -> list[Any]:
        full = list(arguments)
        for position, value in zip(smooth, chosen, strict=True):
            full[position] = value
        outputs = function(*full)
        return [jax.numpy.asarray(outputs[i]) for i in passed]

    with needs_passed_on(node, function, 0, set(range(count))):
        _, back = jax.vjp(run, *(jax.numpy.asarray(arguments[i]) for i in smooth))
    # JAX hands back transposes; TensorFlow's gradients of complex numbers are conjugate transposes.
    conjugates = [jax.numpy.conj(jax.numpy.asarray(given[i])) for i in passed]
    found = {i: jax.numpy.conj(g) for i, g in zip(smooth, back(conjugates), strict=True)}
    return [
        found[i] if i in found else np.zeros(np.shape(a), t._dtype.np)
        for i, (a, t) in enumerate(zip(arguments, function.graph.inputs, strict=True))
    ]


def _has_gradient(value: Any) -> bool:
    return getattr(value, "dtype", None) is not None and np.dtype(value.dtype).kind in "fcV"
