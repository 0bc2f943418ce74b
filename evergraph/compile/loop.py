"""Loops: repeats a body while a condition holds, in Python or as a loop of the compiled program."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from evergraph.compile.calls import CarriedState, Function, failures_deferred, needs_passed_on
from evergraph.compile.repeated import repeater
from evergraph.compile.traced import Traced, fitted
from evergraph.compile.trips import Trips, trips
from evergraph.graph.function import FuncGraph
from evergraph.graph.node import Operation, Tensor
from evergraph.graph.traits import Kind
from evergraph.kernel import foreign, patience
from evergraph.kernel.cells import Cell
from evergraph.kernel.lists.elements import is_list
from evergraph.kernel.reasons import Uncompilable
from evergraph.kernel.values import Hole

if TYPE_CHECKING:
    from evergraph.compile.contexts import TraceContext

_BOOL = np.dtype(bool)
FIRST_CAPACITY = 64  # of lists that grow in loops of unknown trip count
_LARGE_BUFFER = 1 << 15  # bytes that are not filled with zeros if nobody reads them
_MOST_REPEATED = 64  # iterations, until Python looks at signals, the time, and how long the loop is
_PASSES = 6  # traces of the body, until the carry keeps its structure
_TRIED = 4096  # iterations that are simulated to learn the trip count ...
_MOST_TRIED = 100_000  # ... and when lists need room for the elements that each iteration adds


def run_loop(
    node: Operation, cond: Function, body: Function, arguments: Sequence[Any], count_calls: Callable[[int], None]
) -> list[Any]:
    """The loop variables after the loop, which runs as Python; `count_calls` gets the number of kernels called.

    Raises:
        DeadlineExceededError: the time of the step was over before the loop was.
    """
    values: Sequence[Any] = arguments
    context, test, step = body.context, cond.lowered, body.lowered
    repeat, calls, end = repeater(cond.graph, body.graph), len(test.nodes) + len(step.nodes), patience.deadline()
    while True:
        if end is not None:
            patience.require_time(end)
        if repeat is not None:
            values, done, is_over = repeat(context, tuple(values), _MOST_REPEATED)
            count_calls(calls * done)
            if is_over:
                break
            if done:
                continue
        if not is_true(test.call(context, *values)[0]):
            break
        values = step.call(context, *values)
        count_calls(calls)
    return [_outside(node, i, v) for i, v in enumerate(values)]


def run_each_iteration(node: Operation, cond: Function, body: Function, arguments: Sequence[Any]) -> list[Any]:
    """The loop variables after the loop, each of whose iterations calls the condition and the body."""
    values: Sequence[Any] = arguments
    end = patience.deadline()
    while is_true(cond(*values)[0]):
        if end is not None:
            patience.require_time(end)
        values = body(*values)
    return [_outside(node, i, v) for i, v in enumerate(values)]


def trace_loop(
    context: TraceContext, node: Operation, cond: Function, body: Function, arguments: Sequence[Any]
) -> list[Any]:
    """The loop variables after the loop, which becomes a loop of the program."""
    values = list(arguments)
    loop = _LoopTrace(context, node, cond, body, values)
    if not loop.never_runs:
        for position, value in zip(loop.changing, loop.run(), strict=True):
            values[position] = value
    return [_outside(node, i, v) for i, v in enumerate(values)]


def changing_variables(body: FuncGraph) -> list[int]:
    """The positions of the loop variables that the body changes; the others are loop-invariant."""
    return [i for i, (t, x) in enumerate(zip(body.outputs, body.inputs, strict=True)) if behind_identities(t) is not x]


def behind_identities(tensor: Tensor) -> Tensor:
    """The tensor that nodes which only hand it on have got."""
    while tensor.op.opdef.kind is Kind.IDENTITY and not tensor.op._control_inputs:
        tensor = tensor.op._inputs[0]
    return tensor


def is_true(value: Any) -> bool:
    """Whether a condition holds: a scalar other than zero or the empty string, or an array that has elements."""
    if type(value) is np.ndarray and value.dtype is _BOOL and not value.ndim:  # most of them
        return bool(value)
    if np.ndim(value):
        return np.size(value) > 0
    return bool(value[()] if isinstance(value, np.ndarray) else value)


def _may_be_unset(buffer: Any) -> bool:
    """Whether zeros in a buffer cost time, and nothing depends on them.

    After a failed check a program runs on with elements that nobody wrote. Integers may be trip counts.
    """
    return buffer.size * buffer.dtype.itemsize >= _LARGE_BUFFER and buffer.dtype.kind == "f"


def _outside(node: Operation, position: int, value: Any) -> Any:
    """A loop variable as an output of the node; a captured variable that has no value yet is a hole."""
    if isinstance(value, Cell) and node.outputs[position]._dtype.np != np.dtype(object):
        return value.value if value.is_set else Hole(node.outputs[position]._dtype.np)
    return value


class _LoopTrace:
    """Traces a loop into the compiled program.

    Attributes:
        changing: the positions of the loop variables that the loop carries.
        steady: the positions of the loop-invariant ones, which the body captures.
        carried: the side effects that the loop carries as well.
        carry: the carried loop variables on entry, in the structure that they keep from iteration to iteration.
    """

    def __init__(
        self, context: TraceContext, node: Operation, cond: Function, body: Function, values: list[Any]
    ) -> None:
        import jax

        self.jax, self.context, self.node, self.cond, self.body = jax, context, node, cond, body
        self.values, self.changing = values, changing_variables(body.graph)
        self.steady = set(range(len(values))).difference(self.changing)
        self.carried = CarriedState(context, [cond, body], values)
        self.carry = [self._entering(values[i]) for i in self.changing]
        self._known_trips: Trips | None = None
        self._tried = 0

    def _entering(self, value: Any) -> Any:
        if is_list(value):
            return value.stacked()
        if isinstance(value, (Hole, Cell)):
            return value
        return self.jax.numpy.asarray(value)

    @property
    def never_runs(self) -> bool:
        """Whether the trip count is known to be zero; the body need not be traceable then."""
        known = self._trips(_TRIED)
        return known.exact and known.most == 0

    def run(self) -> list[Any]:
        """The carried loop variables after the loop."""
        tree_util, lax = self.jax.tree_util, self.jax.lax
        state = [self.jax.numpy.asarray(v) for v in self.carried.state()]
        noted = len(self.context.messages)
        start = list(self.carry)
        body = self._settled_body(state)
        self.carry = self._with_unset_buffers(start)
        leaves, tree = tree_util.tree_flatten(self.carry)
        count = len(leaves)
        cond, has_effects = self._traced_cond(tree, count, leaves, state)
        stops = len(self.context.messages) > noted  # no iteration after a failed check

        def test(carried: Any) -> Any:
            (value, *_), _ = cond(*carried)
            go = self.jax.numpy.asarray(value).astype(bool)
            go = go if go.ndim == 0 else self.jax.numpy.asarray(go.size > 0)
            return go & (carried[-1] == 0) if stops else go

        def step(carried: Any) -> Any:
            values, after = body(*carried)
            made = [fitted(v, f) for v, f in zip(values, self.carry, strict=True)]
            after = [self._kept(a, s) for a, s in zip(after, carried[count:], strict=True)]
            return [*tree_util.tree_leaves(made), *after]

        if has_effects:
            results = self._tested_in_body(cond, test, step, [*leaves, *state])
        else:
            results = lax.while_loop(test, step, [*leaves, *state])
        self.carried.restore(results[count:])
        return self._leaving(start, tree_util.tree_unflatten(tree, results[:count]))

    def _with_unset_buffers(self, start: list[Any]) -> list[Any]:
        """The carried loop variables on entry, without zeros in buffers that the loop fills by pushing elements.

        A program would fill them with zeros first, one after another.
        """
        growing = [place for place, (before, after) in enumerate(zip(start, self.carry, strict=True))
                   if is_list(after) and after.is_filled_by_pushes(before)]
        large = [leaf for place in growing for leaf in self.carry[place].leaves if _may_be_unset(leaf)]
        self.context.loops += 1
        if not large or not foreign.available("buffers.unset"):
            return self.carry
        # Each loop has a number of its own, so that XLA does not take equal calls for one, whose results it would copy.
        unset = foreign.call_for_all("buffers.unset", [(x.shape, x.dtype) for x in large], [], [self.context.loops])
        buffers, carry = iter(unset), list(self.carry)
        for place in growing:
            leaves = [next(buffers) if _may_be_unset(leaf) else leaf for leaf in carry[place].leaves]
            carry[place] = carry[place].with_leaves(leaves)
        return carry

    def _leaving(self, start: list[Any], found: list[Any]) -> list[Any]:
        """The carried loop variables after the loop; values that are known at trace time are NumPy arrays."""
        known = self._trips(_TRIED)
        exact = known.most if known.exact else None
        result = []
        for position, before, after in zip(self.changing, start, found, strict=True):
            if is_list(after):
                after = after.leaving(before, exact)
            elif exact is not None and position in known.finals:
                after = known.finals[position]
            result.append(after)
        return result

    def _tested_in_body(
        self, cond: Traced, test: Callable[[Any], Any], step: Callable[[Any], Any], start: list[Any]
    ) -> list[Any]:
        """Runs the loop with its condition evaluated in the body, for a condition that has side effects of its own."""

        def tested(carried: Any) -> Any:
            _, after = cond(*carried)
            count = len(carried) - len(after)
            return [test(carried), *carried[:count], *(self._kept(a, s) for a, s in zip(after, carried[count:]))]

        return self.jax.lax.while_loop(lambda c: c[0], lambda c: tested(step(c[1:])), tested(start))[1:]

    def _kept(self, value: Any, before: Any) -> Any:
        if np.shape(value) != before.shape:
            raise Uncompilable(f"a variable changes its shape inside the loop '{self.node.name}'")
        return self.jax.numpy.asarray(value, before.dtype)

    def _settled_body(self, state: list[Any]) -> Traced:
        """The body, traced with a carry whose structure it keeps: shapes, dtypes, forms of lists."""
        noted = len(self.context.messages)
        for _ in range(_PASSES):
            del self.context.messages[noted:]
            leaves, tree = self.jax.tree_util.tree_flatten(self.carry)
            body = self._traced(self.body, tree, len(leaves), leaves, state)
            carry = [self._next_form(i, c, v) for i, c, v in zip(self.changing, self.carry, body.values, strict=True)]
            if all(a is b for a, b in zip(carry, self.carry)):
                return body
            self.carry = carry
        raise Uncompilable(f"the variables of the loop '{self.node.name}' do not keep their form")

    def _next_form(self, position: int, before: Any, after: Any) -> Any:
        name = self.body.graph.inputs[position].op.name
        if isinstance(after, Hole):
            return before
        if is_list(before):
            return before.growing_to(after, self._room, f"loop variable '{name}'")
        if isinstance(before, Hole):
            return self.jax.numpy.zeros(after.shape, after.dtype) if not is_list(after) else after.zeros()
        if isinstance(before, Cell):
            raise Uncompilable(f"loop variable '{name}' is a variable")
        if np.shape(after) != before.shape:
            raise Uncompilable(
                f"loop variable '{name}' of '{self.node.name}' changes its shape from {before.shape} to "
                f"{np.shape(after)}"
            )
        return before

    def _traced(self, function: Function, tree: Any, count: int, leaves: list[Any], state: list[Any]) -> Traced:
        def run(*carried: Any) -> tuple[list[Any], list[Any]]:
            arguments = list(self.values)
            carry = self.jax.tree_util.tree_unflatten(tree, carried[:count])
            for position, value in zip(self.changing, carry, strict=True):
                arguments[position] = value
            outputs, after = self.carried.run(function, arguments, carried[count:])
            return ([outputs[i] for i in self.changing] if function is self.body else outputs), after

        with needs_passed_on(self.node, function, 0, self.steady), failures_deferred(function):
            return Traced(run, [*leaves, *state])

    def _traced_cond(
        self, tree: Any, count: int, leaves: list[Any], state: list[Any]
    ) -> tuple[Traced, bool]:
        """(the condition, whether it has side effects)."""
        noted, changed = len(self.context.messages), set(self.carried.changed)
        self.carried.changed = set()
        cond = self._traced(self.cond, tree, count, leaves, state)
        has_effects = bool(self.carried.changed) or len(self.context.messages) > noted
        self.carried.changed |= changed
        return cond, has_effects

    # ---- trip count

    def _room(self) -> tuple[int, bool]:
        """(how many iterations to make room for, whether there can never be more)."""
        found, capacity = self._trips(_MOST_TRIED), self.context.capacity
        if found.most is None:
            return capacity, False
        # Iterations that add several elements have outgrown a capacity of one per iteration before.
        return (found.most, True) if capacity <= FIRST_CAPACITY else (max(found.most, capacity), True)

    def _trips(self, limit: int) -> Trips:
        if self._known_trips is None or self._known_trips.most is None and limit > self._tried:
            self._known_trips, self._tried = trips(self.cond.graph, self.body.graph, self.values, limit), limit
        return self._known_trips
