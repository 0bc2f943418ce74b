"""Calls the functions that nodes name: bodies of loops, branches, called functions."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from evergraph.base import dtypes, errors
from evergraph.compile.generated import Lowered
from evergraph.compile.lower import lower_function
from evergraph.graph.function import FuncGraph
from evergraph.graph.node import Operation, Tensor
from evergraph.graph.traits import Kind
from evergraph.kernel.calling import is_mistake
from evergraph.kernel.cells import Cell
from evergraph.kernel.reasons import NeedStatic, Uncompilable
from evergraph.passes.state import has_storage, with_inner

if TYPE_CHECKING:
    from evergraph.compile.contexts import StepContext, TraceContext

_STATIC = (Kind.SHAPE, Kind.CONSTANT)


class Function:
    """A function attr as kernels call it: `body(*arguments)` returns the list of its outputs.

    What a body changes besides returning outputs has to be carried through compiled loops and branches, see
    `CarriedState`.
    """

    def __init__(self, context: StepContext, graph: FuncGraph) -> None:
        self.context, self.graph = context, graph

    @functools.cached_property
    def lowered(self) -> Lowered:
        return lower_function(self.graph, not self.context.tracing, self.context.mixed)

    def __call__(self, *arguments: Any) -> list[Any]:
        return list(self.lowered.call(self.context, *arguments))

    @property
    def cells(self) -> list[Cell]:
        """The storage of the nodes inside, at any depth."""
        return [self.context.cell(n) for n in with_inner(self.lowered.nodes) if has_storage(n)]


class CarriedState:
    """The side effects of functions (assigned cells, failed checks), carried through a compiled loop or branch.

    Attributes:
        cells: every cell with a value that the functions may use: their own, and those among their arguments.
        unset: likewise, cells without a value.
        changed: the cells that some call of `run` has assigned to.
    """

    def __init__(self, context: TraceContext, functions: Sequence[Function], arguments: Sequence[Any]) -> None:
        self.context = context
        for function in functions:  # random streams start before the loop: a carry cannot grow
            for node in with_inner(function.lowered.nodes):
                if "rng" in node.opdef.wants:
                    context.rng(node)
        own = [c for f in functions for c in f.cells]
        found = {c.key: c for c in (*own, *(a for a in arguments if isinstance(a, Cell)))}
        self.cells = [c for c in found.values() if c.is_set]
        self.unset = [c for c in found.values() if not c.is_set]
        self.changed: set[Cell] = set()

    def state(self) -> list[Any]:
        """The values to carry: those of the cells, then the code of the failed check."""
        return [*(c.peek() for c in self.cells), np.int32(0) + self.context.failed]

    def run(self, function: Function, arguments: Sequence[Any], state: Sequence[Any]) -> tuple[list[Any], list[Any]]:
        """Traces a call of `function` that starts with `state`; returns its outputs and the state after it.

        Raises:
            Uncompilable: a variable gets its first value inside, so that there is nothing to carry in.
        """
        context = self.context
        saved = [(c, c.peek(), c.changed) for c in (*self.cells, *self.unset)]
        failed, depth = context.failed, context.depth
        for cell, value in zip(self.cells, state[:-1], strict=True):
            cell._value, cell.changed = value, False
        context.failed, context.depth = state[-1], depth + 1
        try:
            outputs = [read(v) for v in function(*arguments)]
            after = [*(c.peek() for c in self.cells), context.failed]
            self.changed |= {c for c in self.cells if c.changed}
            if any(c.is_set for c in self.unset):
                raise Uncompilable("a variable gets its first value inside a loop or branch")
        finally:
            for cell, value, changed in saved:
                cell._value, cell.changed = value, changed
            context.failed, context.depth = failed, depth
        return outputs, after

    def restore(self, state: Sequence[Any]) -> None:
        """Continues the trace with the state after the loop or branch."""
        for cell, value in zip(self.cells, state[:-1], strict=True):
            if cell in self.changed:
                cell.assign(value)
        self.context.failed = state[-1]


def read(value: Any) -> Any:
    """An output of a function: the value of a cell if it has one, anything else as it is."""
    return value.value if isinstance(value, Cell) and value.is_set else value


@contextmanager
def needs_passed_on(node: Operation, function: Function, first: int, steady: set[int]) -> Iterator[None]:
    """A block in which a tensor of `function` that has to be static makes the node's input static that it comes from.

    Args:
        node: the node that calls the function.
        function: the function.
        first: the position of the function's first argument among the node's inputs.
        steady: the arguments that are loop-invariant.
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
        raise NeedStatic(next((t for t in outer if t.op.opdef.kind is not Kind.CONSTANT), outer[0])) from need


@contextmanager
def failures_deferred(function: Function) -> Iterator[None]:
    """A block that traces a branch or body which may never run, so that its failure at trace time is not the step's.

    Raises:
        Uncompilable: tracing failed; run as Python, the step fails only if it comes to that function.
    """
    try:
        yield
    except (errors.OpError, ValueError, TypeError) as error:
        if isinstance(error, TypeError) and is_mistake(error):
            raise
        raise Uncompilable(f"{type(error).__name__} in {function.graph.name}: {error}") from error


def _sources(tensor: Tensor, graph: FuncGraph) -> set[int]:
    """The arguments that the value of `tensor` depends on, other than by their shapes; none if it depends on state."""
    place = {t: i for i, t in enumerate(graph.inputs)}
    found: set[int] = set()
    stack, seen = [tensor], {tensor}
    while stack:
        current = stack.pop()
        if current in place:
            found.add(place[current])
            continue
        if current.op.opdef.kind in _STATIC:
            continue
        if current.op.opdef.stateful:
            return set()
        for source in current.op._inputs:
            if source not in seen:
                seen.add(source)
                stack.append(source)
    return found


def call(node: Operation, function: Function, arguments: Sequence[Any]) -> list[Any]:
    """The outputs of a function that the node calls with its inputs."""
    with needs_passed_on(node, function, 0, set(range(len(arguments)))):
        found = zip(function(*arguments), function.graph.outputs, strict=True)
        return [v if t._dtype is dtypes.resource else read(v) for v, t in found]


def gradient(node: Operation, function: Function, values: Sequence[Any]) -> list[Any]:
    """Differentiates a function by its arguments, with JAX; `values` are the arguments, then the outputs' gradients."""
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
    # JAX computes transposes, while gradients of complex numbers are conjugate transposes in TensorFlow.
    conjugates = [jax.numpy.conj(jax.numpy.asarray(given[i])) for i in passed]
    found = {i: jax.numpy.conj(g) for i, g in zip(smooth, back(conjugates), strict=True)}
    return [
        found[i] if i in found else np.zeros(np.shape(a), t._dtype.np)
        for i, (a, t) in enumerate(zip(arguments, function.graph.inputs, strict=True))
    ]


def _has_gradient(value: Any) -> bool:
    return getattr(value, "dtype", None) is not None and np.dtype(value.dtype).kind in "fcV"
