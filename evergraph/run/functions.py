"""Runs functions with the values of their inputs: each is a plan whose feeds these are, as a session's step is."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

from evergraph.base import dtypes
from evergraph.base.pick import Pick, pick
from evergraph.compile.lower import fetches_of
from evergraph.graph.function import FuncGraph, functions_of, has_effect
from evergraph.graph.node import HandleData, Operation, Tensor, share_handle_data
from evergraph.graph.traits import CALLS, Kind
from evergraph.kernel.cells import Cell
from evergraph.ops.control.effects import eager_py_func, py_func
from evergraph.ops.state.variables import var_handle_op
from evergraph.passes.dead_code import Copier, Live, body_like
from evergraph.passes.imported.functionalize import functionalize
from evergraph.passes.prune import needed
from evergraph.passes.state import has_storage, touched, with_inner
from evergraph.run.devices import placement_of
from evergraph.run.executor import Executor
from evergraph.run.held import CellStore, HeldCell, HeldStore
from evergraph.run.looks import looks, show_call
from evergraph.run.shutdown import shutdown

_MOST_BOUND = 64  # combinations of variables that a function is ready for


class _OwnCells(dict[str, Cell]):
    """What a function itself keeps between calls."""


class _OwnObjects(dict[str, Any]):
    """What nodes of a function have made, such as iterators; they end with the function."""


class Runners(dict[int, "FunctionRunner"]):
    """The runner of a function, by the number of its outputs, which gradients may add to."""


def run_function(function: FuncGraph, held: HeldStore, values: Sequence[Any]) -> Sequence[Any]:
    """The outputs of a function.

    Args:
        function: the function.
        held: where eager variables are.
        values: its inputs, captures last: arrays, cells for the handles of variables, objects for other handles.

    Raises:
        tf.errors.OpError: it failed; variables have the values from before.
    """
    known = function.cache(Runners)
    runner = known.get(len(function.outputs))
    if runner is None:
        runner = known.setdefault(len(function.outputs), FunctionRunner(function))
    return runner.run(held, values)


class FunctionRunner:
    """Runs a function. It has an executor for each way in which inputs may be handles of the same variable.

    Attributes:
        function: the function.
    """

    def __init__(self, function: FuncGraph) -> None:
        self._own, self._objects = function.memo(_OwnCells), function.memo(_OwnObjects)
        self._fetches, self._inputs = functionalize(fetches_of(function), function.inputs, function)
        self._count = len(function.outputs)
        self._handles = [place for place, t in enumerate(function.inputs) if t._dtype is dtypes.resource]
        self._gives_handles = any(t._dtype is dtypes.resource for t in function.outputs)
        self.function = function
        self.bodies: dict[tuple[int | None, ...], Body] = {}
        self._bound: dict[Any, tuple[Body, CellStore]] = {}

    @shutdown.watch
    def run(self, held: HeldStore, values: Sequence[Any]) -> Sequence[Any]:
        """The outputs; see `run_function`."""
        key = tuple([id(values[i]) if type(values[i]) is HeldCell else None for i in self._handles])
        bound = self._bound.get(key)
        if bound is None or not bound[1].is_whole:
            bound = self._bind(held, key, values)
        body, store = bound
        results = body.executor.run(store, body.feeds(values))[: self._count]
        if self._gives_handles:
            results = [store.cell(v.key) if isinstance(v, Cell) else v for v in results]
        if looks.functions:
            show_call(self.function, results)
        return results

    def _bind(self, held: HeldStore, key: tuple[int | None, ...], values: Sequence[Any]) -> tuple[Body, CellStore]:
        first = tuple(None if each is None else key.index(each) for each in key)
        if first not in self.bodies:
            same = {self._handles[i]: self._handles[j] for i, j in enumerate(first) if j is not None}
            cells = {place: values[place] for place in same}
            self.bodies[first] = Body(self.function, self._fetches, self._inputs, same, cells, held.tier)
        body = self.bodies[first]
        if len(self._bound) >= _MOST_BOUND:
            self._bound.clear()
        store = CellStore(held, {name: values[place] for name, place in body.places.items()}, self._own,
                          self._objects, self.function.name)
        self._bound[key] = bound = body, store
        return bound


class Body:
    """A function as a plan: a copy of its nodes in which handles of variables are nodes that name them.

    A function of neither handles nor effects needs no copy.

    Args:
        function: the function.
        fetches: its outputs, and what else has to run.
        inputs: its inputs.
        same: the places of inputs that are handles of variables -> the first place with the same variable.
        cells: these places -> the cells.
        tier: see `Executor`.

    Attributes:
        executor: runs it.
        feeds: picks the values that it is fed out of the inputs.
        places: key of a variable in the store -> the place of its handle.
    """

    places: dict[str, int]
    feeds: Pick

    def __init__(self, function: FuncGraph, fetches: Sequence[Any], inputs: Sequence[Tensor],
                 same: dict[int, int], cells: dict[int, HeldCell], tier: str | None = None) -> None:
        softly = dataclasses.replace(placement_of(None), soft=True)
        nodes = needed(fetches, inputs)
        if not same and not any(has_effect(node) or node.opdef.kind is Kind.CALL for node in nodes):
            self.places, self.feeds = {}, pick(range(len(inputs)))  # as it is
            self.executor = Executor(fetches, inputs, tier, placement=softly)
            return
        outer = fetches[0].graph.outer_graph if fetches else function.outer_graph  # which knows what the nodes call
        graph = body_like(function, outer)
        copier = Inliner(graph, Live(nodes), inputs)
        names: dict[int, Tensor] = {}
        for place, first in same.items():
            if place == first:
                names[place] = _named(graph, inputs[place], cells[place])
            copier.values[inputs[place]] = names[first]
        copier.copy_all()
        for age, node in enumerate(graph._nodes):  # the order in which the program has them
            node.age = age
        given = [place for place in range(len(inputs)) if place not in same]
        fed = [copier.values[inputs[place]] for place in given]
        for place, name in names.items():
            users = [node for node in name.consumers() if node.opdef.on == "host"]
            if users:  # they keep the variable itself, as datasets do
                given.append(place)
                fed.append(_given_to(users, graph, name, inputs[place]))
        keep_order(graph._nodes)
        self.places = {f"{function.name}//{name.op.name}": place for place, name in names.items()}
        wanted = [each for f in fetches for each in copier.elements(f)]
        self.executor = Executor(wanted, fed, tier, placement=softly)
        self.feeds = pick(given)


def _named(graph: FuncGraph, handle: Tensor, cell: HeldCell) -> Tensor:
    """The output of a node that stands for the handle of a variable."""
    known = handle._handle_data or HandleData(dtypes.as_dtype(cell.held().dtype), None)
    attrs = {"container": "", "shared_name": "", "dtype": known.dtype, "shape": known.shape}
    node = graph.add_node(var_handle_op, graph.unique_name(cell.label), [], attrs)
    node.take_place_of(handle.op)
    return node.outputs[0]


def _given_to(users: Sequence[Operation], graph: FuncGraph, name: Tensor, handle: Tensor) -> Tensor:
    """A new input in place of a handle that some nodes take."""
    given = graph.add_input(handle._dtype, handle._shape, handle.op.name)
    share_handle_data(handle, given)
    given.op.take_place_of(handle.op)
    for node in users:
        for i in [i for i, t in enumerate(node._inputs) if t is name]:
            node._update_input(i, given)
    return given


class Inliner(Copier):
    """Copies nodes, and in place of those that call functions the nodes of these, where nobody can tell.

    Attributes:
        effects: node that called a function -> copies of the nodes that have to run in its place.
    """

    def __init__(self, graph: FuncGraph, live: Live, feeds: Sequence[Tensor]) -> None:
        super().__init__(graph, live, feeds)
        self.effects: dict[Operation, list[Tensor | Operation]] = {}

    def elements(self, fetch: Tensor | Operation) -> Sequence[Tensor | Operation]:
        """What is fetched in place of a tensor or an operation."""
        return self.effects[fetch] if fetch in self.effects else [self.element(fetch)]  # type: ignore[index]

    def _add(self, node: Operation, inputs: Sequence[Tensor], attrs: Any, outputs: Sequence[Tensor]) -> None:
        if not _can_be_inlined(node):
            super()._add(node, inputs, attrs, outputs)
            return
        (function,) = functions_of(node)
        fetches = fetches_of(function)
        inner = Inliner(self.graph, Live(needed(fetches, function.inputs)), ())  # type: ignore[arg-type]
        inner.values.update(zip(function.inputs, map(self.value, inputs), strict=True))
        inner.copy_all()
        self.values.update(zip(outputs, map(inner.value, fetches)))
        self.effects[node] = [each for f in fetches[len(outputs):] for each in inner.elements(f)]


def _can_be_inlined(node: Operation) -> bool:
    """Whether the node calls a function that keeps nothing, by the node's name or its own, and no node waits for it."""
    if node.opdef.kind is not Kind.CALL or node.opdef.on == "host" or node._control_inputs or node._control_outputs:
        return False
    (function,) = functions_of(node)
    if any(has_storage(each) or "shared" in each.opdef.wants for each in with_inner(function._nodes)):
        return False
    fetches = fetches_of(function)
    return functionalize(fetches, function.inputs, function)[0] is fetches  # not one with frames of loops


# ---- order of effects


def keep_order(nodes: Sequence[Operation]) -> None:
    """Has the nodes of a function wait for each other, so that their effects come in the order of the program.

    Effects outside, such as prints, happen one after the other. Reads of a variable follow the writes before them.
    Python functions may use variables by themselves: nothing that touches a variable passes them.

    Args:
        nodes: in the order of the program.
    """
    outside: Operation | None = None
    python: Operation | None = None
    touching: list[Operation] = []  # since then
    written: dict[Tensor, Operation] = {}
    for node in nodes:
        inner = list(with_inner([node]))
        uses = touched(node)
        if uses:
            before = [written[storage] for storage, _ in uses if storage in written and node.opdef.kind is Kind.READ]
            node._add_control_inputs([*before, *([] if python is None else [python])])
            written.update((storage, node) for storage, writes in uses if writes)
            touching.append(node)
        if any(map(_reaches_outside, inner)):
            node._add_control_inputs([] if outside is None else [outside])
            outside = node
        if any(each.opdef in _PYTHON for each in inner):
            node._add_control_inputs([each for each in touching if each is not node])
            python, touching = node, []


_PYTHON = (py_func, eager_py_func)


def _reaches_outside(node: Operation) -> bool:
    """Whether a node has an effect besides those on variables and random streams, such as one on a summary writer."""
    return has_effect(node) and node.opdef.kind is not Kind.READ and "rng" not in node.opdef.wants \
        and node.opdef.kind not in CALLS and (node.opdef.on == "host" or not touched(node))


