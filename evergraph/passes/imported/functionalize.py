"""Puts If and While in the place of TensorFlow 1's Switch, Merge and frames, so that imported graphs run.

It works on what one run needs, when the run is planned, and leaves the graph as it is: imported nodes keep their
names, any tensor that has a value outside a loop or branch (an Exit, a Merge) can be fetched and fed, and the graph is
written out as it was read. The result is a graph of copies that lives as long as the plan. A copy keeps its variables
and random streams under the name of its original.

Tensor arrays and stacks become tensor lists, so that loops that use them compile: see arrays.py and listed.py.

A conditional becomes one If for all nodes under the same predicate, unless something in between depends on one part and
another part depends on it: gradients do that. Then there are two, and values of the first that the second needs are
further outputs of it, with a FakeParam in the branch that lacks them.

What it cannot do is an UnimplementedError: fetching from inside a branch, loops of another form than tf.while_loop's, a
Merge that does not choose between the two sides of one predicate.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

import numpy as np

from evergraph.base import dtypes, errors
from evergraph.graph.function import FuncGraph, has_effect, share_captures, variable_read
from evergraph.graph.graph import Graph
from evergraph.graph.node import Operation, Tensor
from evergraph.graph.registry import lookup
from evergraph.passes.dead_code import Element, add_feed, library_of
from evergraph.passes.imported import arrays_to_lists
from evergraph.passes.imported.arrays import Lists, find_lists
from evergraph.passes.imported.branches import Case, Region, Unit, is_switched, resolved, waited_for
from evergraph.passes.imported.frames import (
    BACK_EDGES,
    ENTERS,
    EXITS,
    MERGES,
    PARTS,
    Frame,
    LoopVariable,
    find_frames,
    is_loop_switch,
)
from evergraph.passes.prune import NodeSearch, control_dependencies, dependencies, in_order, needed, standing_for
from evergraph.passes.state import has_storage, is_handle, touched


def functionalize(
    fetches: Sequence[Element], feeds: Sequence[Tensor], owner: Graph | None = None
) -> tuple[Sequence[Element], Sequence[Tensor]]:
    """The fetches and feeds in a graph that computes the same without Switch, Merge and frames.

    Args:
        fetches: tensors and operations of one graph.
        feeds: the tensors whose values are given.
        owner: the function whose body this is; its arguments are then the feeds.

    Returns:
        The arguments themselves when they need nothing of the kind.
    """
    graph = owner or (fetches[0].graph if fetches else None)
    if graph is None or not graph.stand_ins and not graph.memo(_Parts).finds(graph, lambda node: node.type in PARTS):
        return fetches, feeds
    nodes = needed(fetches, feeds)
    if not graph.stand_ins and not any(node.type in PARTS for node in nodes):
        return fetches, feeds
    fed = set(feeds)
    frame = find_frames(in_order(nodes, fed, without_back_edges), fed)
    reserved = {node.name.lower(): 1 for node in nodes if has_storage(node)}

    def built(lists: Lists) -> tuple[Sequence[Element], Sequence[Tensor]]:
        builder = Builder(library_of(graph), None, graph, fed, reserved, lists)
        new_feeds = [add_feed(builder.graph, tensor) for tensor in feeds]
        builder.values.update(zip(feeds, new_feeds, strict=True))
        builder.build(region_of(frame, fed))
        return [builder.element(fetch) for fetch in fetches], new_feeds

    fetched = [t for t in fetches if isinstance(t, Tensor)]
    lists = find_lists(frame, fed, fetched)
    while True:
        try:
            return built(lists)
        except errors.InternalError:  # a list is wanted where it cannot be had: arrays, or all, stay what they are
            if not lists.flows and not lists.stacks:
                raise
            lists = find_lists(frame, fed, fetched, with_arrays=False) if lists.flows else Lists()


class _Parts(NodeSearch):
    """Whether a node of a graph is one to replace."""


def without_back_edges(node: Operation, feeds: Collection[Tensor]) -> list[Operation]:
    """What comes before a node when each loop is gone through once."""
    found = dependencies(node, feeds)
    return [d for d in found if d.type not in BACK_EDGES] if node.type in MERGES else found


# ---------------------------------------------------------------- units


def region_of(frame: Frame, fed: Collection[Tensor]) -> Region:
    """The units of a frame, in the order they run. What can stand anywhere (constants, handles) is in none."""
    over = frame.after_the_end()
    inside = (node for node in frame.nodes if not _stands_anywhere(node) and not _is_structure(node))
    units = [_unit(node, fed) for node in inside if node not in over]
    units += [_loop_unit(inner, fed) for inner in frame.inner]
    home = {node: unit for unit in units for node in unit.nodes}
    users: dict[Unit, list[Unit]] = {}
    open_waits: dict[Unit, int] = {}
    for unit in units:
        sources = {home[n] for n in _behind(unit) if n in home} - {unit}
        open_waits[unit] = len(sources)
        for source in sources:
            users.setdefault(source, []).append(unit)
    return Region(_sorted(units, open_waits, users))


def _sorted(units: list[Unit], open_waits: dict[Unit, int], users: dict[Unit, list[Unit]]) -> list[Unit]:
    ready = sorted((u for u in units if not open_waits[u]), key=_age, reverse=True)
    order: list[Unit] = []
    while ready:
        unit = ready.pop()
        order.append(unit)
        for user in sorted(users.get(unit, ()), key=_age, reverse=True):
            open_waits[user] -= 1
            if not open_waits[user]:
                ready.append(user)
    if len(order) < len(units):
        stuck = [unit.node for unit in units if open_waits[unit]]
        raise errors.InvalidArgumentError(
            None, stuck[0], f"Graph is invalid, contains a cycle with {len(stuck)} nodes, such as '{stuck[0].name}'")
    return order


def _age(unit: Unit) -> float:
    return unit.node.age


def _behind(unit: Unit) -> list[Operation]:
    found = []
    for tensor in unit.reads:
        while is_switched(tensor):
            found.append(resolved(tensor.op._inputs[1]).op)
            tensor = tensor.op._inputs[0]
        found.append(resolved(tensor).op)
    return found + [n for node in unit.waits for n in waited_for(node)]


def _unit(node: Operation, fed: Collection[Tensor]) -> Unit:
    waits = control_dependencies(node, fed)
    if node.type not in MERGES:
        waits += _waits_of_constants(node, fed)
    return Unit([node], [t for t in node._inputs], list(dict.fromkeys(waits)), node.outputs)


def _waits_of_constants(node: Operation, fed: Collection[Tensor]) -> list[Operation]:
    """The control inputs of constants among the inputs: copies of constants wait for nothing.

    A node that is made under a control dependency has no control input of its own if one of its inputs has it.
    """
    sources = [t.op for t in node._inputs if t not in fed and _stands_anywhere(t.op)]
    return [c for source in sources for c in source._control_inputs]


def _loop_unit(frame: Frame, fed: Collection[Tensor]) -> Unit:
    inside = frame.all_nodes()
    own = set(inside)
    reads = [t for node in inside for t in node._inputs if t.op not in own or t in fed]
    waits = [c for node in inside for c in control_dependencies(node, fed) if c not in own]
    makes = [node.outputs[0] for node in frame.nodes if node.type in EXITS]
    first = sorted(inside, key=lambda n: n.age)
    return Unit(first, list(dict.fromkeys(reads)), list(dict.fromkeys(waits)), makes, frame)


def _stands_anywhere(node: Operation) -> bool:
    return node.type == "Const" or is_handle(node)


def _is_structure(node: Operation) -> bool:
    """Whether the node is a part of a loop or only hands a value on."""
    if node.type in MERGES:
        return any(t.op.type in BACK_EDGES for t in node._inputs)
    return node.type in PARTS


# ---------------------------------------------------------------- building


class Builder:
    """Adds units to one graph: the whole, a branch, or the condition or body of a loop.

    Attributes:
        graph: where copies go.
        parent: the builder of the graph around it.
        origin: the graph that the originals belong to.
        fed: originals whose values are given.
        reserved: names that only copies may have, because values are stored under them.
        lists: the arrays and stacks that become lists.
        values: original tensor -> the tensor that stands for it here.
        kept: stack -> the list of what is on it now.
        written: the variables that a branch or loop writes: it reads them anew, as a read from around has an old value.
        done: original node -> the node that does here what it did.
    """

    def __init__(
        self, graph: Graph, parent: Builder | None, origin: Graph, fed: Collection[Tensor], reserved: dict[str, int],
        lists: Lists,
    ) -> None:
        self.graph: Any = graph  # a FuncGraph but for the outermost
        self.parent, self.origin, self.fed, self.reserved, self.lists = parent, origin, fed, reserved, lists
        graph.home = origin
        graph._names_in_use.update(reserved)
        self.inner: type[Builder] = Builder if parent is None else parent.inner
        self.values: dict[Tensor, Tensor] = {}
        self.done: dict[Operation, Operation] = {}
        self.kept: dict[Operation, Tensor] = {}
        self.written: set[Tensor] = set()

    # ---- finding

    def value(self, tensor: Tensor) -> Tensor:
        """What stands here for an original tensor: made here, captured from around, or a copy of a constant."""
        if tensor in self.values:
            return self.values[tensor]
        if tensor not in self.fed and (is_switched(tensor) or tensor.op.type in ENTERS):
            found = self.value(tensor.op._inputs[0])
        elif tensor not in self.fed and standing_for(tensor) is not tensor:
            found = self.value(standing_for(tensor))
        elif tensor not in self.fed and self._repeats(tensor.op):
            found = self._copy(tensor.op, []).outputs[tensor.value_index]
        elif tensor not in self.fed and not tensor._dtype.is_ref and variable_read(tensor) in self.written:
            found = self._copy(tensor.op, []).outputs[0]
        elif self.parent is not None:
            found = self.graph.capture(self.parent.value(tensor))
        else:
            raise errors.InternalError(None, tensor.op, f"{tensor.name} has no value where it is used")
        self.values[tensor] = found
        return found

    def _repeats(self, node: Operation) -> bool:
        """Whether the node is copied where it is used, so that nothing has to be handed in."""
        return _stands_anywhere(node)

    def stack(self, stack: Operation) -> Tensor:
        """The list of what is on a stack here."""
        if stack not in self.kept:
            if self.parent is None:
                raise errors.InternalError(None, stack, f"the stack '{stack.name}' is used before it is made")
            self.kept[stack] = self.graph.capture(self.parent.stack(stack))
        return self.kept[stack]

    def kind(self, tensor: Tensor) -> Any:
        """The dtype of what stands for an original tensor."""
        return dtypes.variant if tensor in self.lists.flows else tensor._dtype.base_dtype

    def waits(self, nodes: Iterable[Operation]) -> list[Operation]:
        """What stands here for control inputs; nodes of graphs around have run already."""
        behind = [n for node in nodes for n in waited_for(node)]
        return list(dict.fromkeys(self.done[n] for n in behind if n in self.done))

    def element(self, fetch: Element) -> Element:
        """What stands for a fetch."""
        if isinstance(fetch, Tensor):
            self._require_always(fetch)
            return self.value(fetch)
        if _stands_anywhere(fetch):
            return self.value(fetch.outputs[0]).op
        found = self.waits([fetch])
        if len(found) == 1:
            return found[0]
        node = self.graph.add_node(lookup("NoOp"), self.graph.unique_name(fetch.name), [], {})
        node._control_inputs = found
        return node

    def _require_always(self, tensor: Tensor) -> None:
        path = self.region.condition(tensor) if tensor not in self.fed else frozenset()
        inside = tensor not in self.values and not path and tensor.op in self.region.owner
        if path is None or path or inside:
            raise errors.UnimplementedError(
                None, tensor.op, f"{tensor.name} is inside a loop or branch: it has no value of its own to fetch")

    # ---- adding

    def build(self, region: Region) -> None:
        """Adds all units of a region."""
        self.region = region
        self.add(region, region.units, 0, set())

    def add(self, region: Region, units: Sequence[Unit], depth: int, wanted: Collection[Tensor]) -> None:
        """Adds units whose paths agree up to `depth`, so that the tensors in `wanted` have values here.

        The units that run in any case are copied; the others go into conditionals. A level ends where something waits
        for a conditional: see the module's text.
        """
        plan = _Levels(region, units, depth)
        for level in range(plan.count):
            for unit in plan.plain.get(level, ()):
                self._add_unit(region, unit)
            for predicate, members in plan.groups.get(level, {}).items():
                self._add_if(plan, predicate, members, wanted)

    def _add_unit(self, region: Region, unit: Unit) -> None:
        if unit.loop is not None:
            self._add_loop(unit)
        elif unit.is_merge:
            if unit in region.single:
                taken = unit.node._inputs[region.single[unit]]
                self.values[unit.node.outputs[0]] = arrays_to_lists.flow_value(self, taken, unit.node.outputs[0])
                self.values[unit.node.outputs[1]] = self._number(region.single[unit])
            else:
                self.values.update(zip(unit.node.outputs, self._first_of(unit, region.cases[unit]), strict=True))
        elif arrays_to_lists.is_listed(self.lists, unit.node):
            arrays_to_lists.add(self, unit.node, unit.waits)
        else:
            self._copy(unit.node, unit.waits)

    def _copy(self, node: Operation, waits: Sequence[Operation]) -> Operation:
        if node in self.done:
            return self.done[node]
        inputs = [self.value(t) for t in node._inputs]
        copy = self.done[node] = self.graph.add_copy(node, inputs)
        copy._control_inputs = self.waits(waits)
        self.values.update((old, new) for old, new in zip(node.outputs, copy.outputs, strict=True)
                           if old not in self.fed)
        return copy

    def _new_node(self, kind: str, name: str, inputs: list[Tensor], attrs: dict[str, Any], unit: Unit) -> Operation:
        """A node that stands for many."""
        opdef = lookup(kind)
        full = {a.name: attrs[a.name] if a.name in attrs else a.default for a in opdef.signature.attrs}
        node = self.graph.add_node(opdef, self.graph.unique_name(name), inputs, full, infer_shapes=False)
        node.take_place_of(unit.node)
        node._set_device(unit.node._device)
        return node

    def _function(self, name: str, nodes: Iterable[Operation] = ()) -> Builder:
        """The builder of a new function, for originals that it has to hold."""
        graph = FuncGraph(name, self.graph)
        graph.is_dataflow = True
        builder = self.inner(graph, self, self.origin, self.fed, self.reserved, self.lists)
        builder.written = {storage for node in nodes for storage, writes in touched(node) if writes}
        return builder

    # ---- conditionals

    def _add_if(self, plan: _Levels, predicate: Tensor, members: list[Unit], wanted: Collection[Tensor]) -> None:
        """One If for the units in `members`: those under the predicate, and the Merges that choose by it."""
        region, depth = plan.region, plan.depth
        merges = [u for u in members if u in region.choices and len(region.path[u]) == depth]
        inside = [u for u in members if u not in merges]
        crossing = plan.crossing(inside, merges, wanted)
        stacks = self.lists.touched([n for u in inside for n in u.nodes])
        outputs: list[tuple[Any, Any]] = []  # what each branch gives, the false one first
        results: list[Tensor] = []
        for unit in merges:
            chosen = region.choices[unit].inputs
            outputs.append((unit.node._inputs[chosen[0]], unit.node._inputs[chosen[1]]))
            outputs.append(chosen)
            results += unit.node.outputs
        for tensor, value in crossing:
            if not arrays_to_lists.has_no_value(self.lists, tensor):
                outputs.append((None, tensor) if value else (tensor, None))
                results.append(tensor)
        branches = [self._branch(region, inside, depth, side, outputs, results) for side in (False, True)]
        for branch in branches:
            branch.graph.outputs += [branch.stack(stack) for stack in stacks]
        if not branches[0].graph.outputs and not any(has_effect(n) for b in branches for n in b.graph._nodes):
            return
        kinds = [self.kind(t) for t in results] + [dtypes.variant] * len(stacks)
        node = self._if_node(predicate, branches, kinds, [*inside, *merges])
        self.values.update(zip(results, node.outputs, strict=False))
        self.kept.update(zip(stacks, node.outputs[len(results) :], strict=True))
        for unit in members:
            self.done.update((n, node) for n in unit.nodes)

    def _first_of(self, unit: Unit, cases: Sequence[Case]) -> list[Tensor]:
        """What a Merge gives, and which input that is: the first whose literal holds. The step fails if none does."""
        first, rest = cases[0], cases[1:]
        result = unit.node.outputs[0]
        predicate, value = first.literal
        if not rest:
            taken = arrays_to_lists.flow_value(self, unit.node._inputs[first.input], result)
            return [self._if_holds(predicate, value, taken, unit.node), self._number(first.input)]
        branches = []
        for side in (False, True):
            branch = self._function(f"{unit.node.name}_{'true' if side else 'false'}")
            branch.graph.outputs += branch._first_of(unit, [first] if side is value else rest)
            branches.append(branch)
        return self._if_node(predicate, branches, [self.kind(result), dtypes.int32], [unit]).outputs

    def _if_holds(self, predicate: Tensor, value: bool, tensor: Tensor, merge: Operation) -> Tensor:
        """The tensor, after a check that the predicate has this value."""
        condition = self.value(predicate)
        if not value:
            condition = self._small_node("LogicalNot", [condition], {}).outputs[0]
        text = np.array(f"no input of Merge '{merge.name}' has a value: none of its conditions holds".encode(), object)
        message = self._small_node("Const", [], {"value": text, "dtype": dtypes.string}).outputs[0]
        check = self._small_node("Assert", [condition, message], {"T": [dtypes.string], "summarize": 3})
        found = self._small_node("Identity", [tensor], {"T": tensor._dtype})
        found._control_inputs = [check]
        return found.outputs[0]

    def _branch(
        self, region: Region, inside: list[Unit], depth: int, side: bool, outputs: Any, results: list[Tensor]
    ) -> Builder:
        units = [u for u in inside if region.path[u][depth][1] is side]
        name = units[0].node.name if units else "branch"
        branch = self._function(f"{name}_{'true' if side else 'false'}", [n for u in units for n in u.nodes])
        made = [pair[side] for pair in outputs]
        branch.add(region, units, depth + 1, {resolved(t) for t in made if isinstance(t, Tensor)})
        for tensor, result in zip(made, results, strict=True):
            branch.graph.outputs.append(branch._output(tensor, result))
        return branch

    def _output(self, tensor: Tensor | int | None, result: Tensor) -> Tensor:
        """An output of a branch: a tensor, which of its inputs a Merge takes, or nothing that this branch has."""
        if isinstance(tensor, Tensor):
            return arrays_to_lists.flow_value(self, tensor, result)
        if tensor is not None:
            return self._number(tensor)
        attrs = {"dtype": self.kind(result), "shape": result._shape}
        name = self.graph.unique_name("nothing")
        return self.graph.add_node(lookup("FakeParam"), name, [], attrs, infer_shapes=False).outputs[0]

    def _number(self, value: int) -> Tensor:
        return self._small_node("Const", [], {"value": np.array(value, np.int32), "dtype": dtypes.int32}).outputs[0]

    def _small_node(self, kind: str, inputs: list[Tensor], attrs: dict[str, Any]) -> Operation:
        """A node of our own beside the copied ones."""
        return self.graph.add_node(lookup(kind), self.graph.unique_name(f"merge/{kind}"), inputs, attrs)

    def _if_node(self, predicate: Tensor, branches: list[Builder], kinds: list[Any], units: list[Unit]) -> Operation:
        graphs = [b.graph for b in branches]
        condition = self.value(predicate)
        captured = share_captures(graphs)
        calls = [self.graph.add_function(g) for g in graphs]
        attrs = {
            "Tcond": dtypes.bool,
            "Tin": [t._dtype.base_dtype for t in captured],
            "Tout": kinds,
            "else_branch": calls[0],
            "then_branch": calls[1],
            "output_shapes": [],
        }
        kind = "If" if any(has_effect(n) for g in graphs for n in g._nodes) else "StatelessIf"
        node = self._new_node(kind, f"{predicate.op.name}_if", [condition, *captured], attrs, max(units, key=_age))
        inside = {n for u in units for n in u.nodes}
        node._control_inputs = self.waits(w for u in units for w in u.waits if w not in inside)
        return node

    # ---- loops

    def _add_loop(self, unit: Unit) -> None:
        node, values = _FrameToWhile(self, unit).build()
        self.values.update(values)
        self.done.update((n, node) for n in unit.nodes)

    def enter_iteration(self, frame: Frame, condition: Operation) -> None:
        """Says what the body of a loop finds: the loop variables as they were tested, and that the test was passed."""
        for node in frame.nodes:
            if is_loop_switch(node) and node._inputs[0] in self.values:
                self.values[node.outputs[1]] = self.value(node._inputs[0])
        attrs = {"value": np.array(True), "dtype": dtypes.bool}
        name = self.graph.unique_name(condition.name)
        self.values[condition.outputs[0]] = self.graph.add_node(lookup("Const"), name, [], attrs).outputs[0]


class _FrameToWhile:
    """Converts a frame to a While node. The loop variables are followed by the stacks and by the accumulators.

    Attributes:
        outer: the builder around it.
        variables: the frame's variables that become loop variables.
        stacks: the stacks that the loop pushes to or pops from.
        growing: variable that only grows (an accumulator) -> the value that each iteration appends; becomes a list.
    """

    def __init__(self, outer: Builder, unit: Unit) -> None:
        frame: Any = unit.loop
        self.outer, self.unit, self.frame, self.condition = outer, unit, frame, frame.condition()
        self.region = region_of(frame, outer.fed)
        found = frame.variables()
        self.growing = {v: frame.appended(v) for v in found if self._grows(v)}
        self.variables = [v for v in found if v not in self.growing]
        self.stacks = outer.lists.touched(unit.nodes)
        self.cond, self.body = (outer._function(f"{frame.name}_{part}", unit.nodes) for part in ("cond", "body"))
        for part in (self.cond, self.body):
            self._add_inputs(part)

    def _grows(self, variable: LoopVariable) -> bool:
        unit = self.region.owner.get(variable.next.op)
        return unit is not None and not self.region.path[unit] and self.frame.appended(variable) is not None

    def _add_inputs(self, part: Builder) -> None:
        for variable in self.variables:
            merge = variable.merge.outputs[0]
            part.values[merge] = part.graph.add_input(part.kind(merge), merge._shape, variable.enter.name)
        for stack in self.stacks:
            part.kept[stack] = part.graph.add_input(dtypes.variant, (), stack.name)
        for variable in self.growing:
            part.graph.add_input(dtypes.variant, (), variable.enter.name)

    def build(self) -> tuple[Operation, dict[Tensor, Tensor]]:
        """The While, and what stands for each Exit."""
        units, condition = self.region.units, self.condition
        first = _closure(self.region, [condition._inputs[0]], condition._control_inputs)
        rest = _closure(self.region, [v.next for v in self.variables], []) | (set(units) - first)
        rest = _with_sources(self.region, rest - {self.region.owner[v.next.op] for v in self.growing})
        _require_once(first & rest)
        self.cond.add(self.region, [u for u in units if u in first], 0, {resolved(condition._inputs[0])})
        self.cond.graph.outputs = [self.cond.value(condition._inputs[0])]
        _require_untouched(self.cond, self.stacks, len(self.variables))
        self.body.enter_iteration(self.frame, condition)
        wanted = {resolved(t) for t in (*(v.next for v in self.variables), *self.growing.values())}
        self.body.add(self.region, [u for u in units if u in rest], 0, wanted)
        self.body.graph.outputs = self._next()
        node = self._node(self._start())
        self.outer.kept.update(zip(self.stacks, node.outputs[len(self.variables) :], strict=False))
        return node, self._exits(node)

    def _next(self) -> list[Tensor]:
        """What an iteration hands to the next one."""
        body, before = self.body, len(self.variables) + len(self.stacks)
        after = [arrays_to_lists.flow_value(body, v.next, v.merge.outputs[0]) for v in self.variables]
        after += [body.kept[stack] for stack in self.stacks]
        for target, (variable, added) in zip(body.graph.inputs[before:], self.growing.items(), strict=False):
            after.append(arrays_to_lists.pushed(body, variable.next.op, target, added))
        return after

    def _start(self) -> list[Tensor]:
        outer = self.outer
        start = [arrays_to_lists.flow_value(outer, v.enter._inputs[0], v.merge.outputs[0]) for v in self.variables]
        start += [outer.stack(stack) for stack in self.stacks]
        return start + [arrays_to_lists.nothing_yet(outer, v) for v in self.growing]

    def _node(self, start: list[Tensor]) -> Operation:
        outer, cond, body = self.outer, self.cond, self.body
        captured = share_captures([cond.graph, body.graph])
        body.graph.outputs += [body.graph.captures[t] for t in captured]
        inputs = [*start, *captured]
        calls = [outer.graph.add_function(part.graph) for part in (cond, body)]
        attrs = {
            "T": [t._dtype.base_dtype for t in inputs],
            "cond": calls[0],
            "body": calls[1],
            "output_shapes": [],
            "parallel_iterations": self.variables[0].enter.attrs["parallel_iterations"] if self.variables else 10,
        }
        effects = any(has_effect(n) for part in (cond, body) for n in part.graph._nodes)
        kind = "While" if effects else "StatelessWhile"
        node = outer._new_node(kind, self.frame.name or "loop", inputs, attrs, self.unit)
        node._control_inputs = outer.waits(self.unit.waits)
        cond.graph.owner = body.graph.owner = node
        for variable, output in zip(self.variables, node.outputs, strict=False):
            output._shape = variable.merge.outputs[0]._shape
        return node

    def _exits(self, node: Operation) -> dict[Tensor, Tensor]:
        ends = dict(zip([v.merge for v in self.variables], node.outputs, strict=False))
        lists = node.outputs[len(self.variables) + len(self.stacks) :]
        for variable, added in zip(self.growing, lists, strict=False):
            ends[variable.merge] = arrays_to_lists.with_all(self.outer, variable, added)
        found = {}
        for exit_, merge in self.frame.exits().items():
            if merge not in ends:
                raise errors.UnimplementedError(None, exit_, f"'{exit_.name}' brings out no variable of its loop")
            found[exit_.outputs[0]] = ends[merge]
        return found


def _closure(region: Region, tensors: Iterable[Tensor], nodes: Iterable[Operation]) -> set[Unit]:
    """The units of a region that some tensors and nodes depend on."""
    found = [region.producer.get(resolved(t)) for t in tensors]
    found += [region.producer.get(resolved(p)) for t in tensors for p, _ in region.condition(t) or ()]
    found += [region.owner.get(n) for node in nodes for n in waited_for(node)]
    return _with_sources(region, {u for u in found if u is not None})


def _with_sources(region: Region, units: set[Unit]) -> set[Unit]:
    seen: set[Unit] = set()
    stack = list(units)
    while stack:
        unit = stack.pop()
        if unit not in seen:
            seen.add(unit)
            stack += region.sources(unit)
    return seen


def _require_untouched(cond: Builder, stacks: Sequence[Operation], first: int) -> None:
    """The condition of a loop gives nothing but its value."""
    for place, stack in enumerate(stacks, first):
        if cond.kept[stack] is not cond.graph.inputs[place]:
            raise errors.UnimplementedError(None, stack, f"the condition of a loop changes the stack '{stack.name}'")


def _require_once(units: Iterable[Unit]) -> None:
    """What both the test and the body of a loop need is done twice, which must make no difference."""
    for unit in units:
        for node in unit.nodes:
            if has_effect(node):
                raise errors.UnimplementedError(
                    None, node, f"'{node.name}' has an effect and belongs to both the condition and the body of a loop")


# ---------------------------------------------------------------- levels


class _Levels:
    """Which units of a part of a region run before, in and after which conditional.

    Attributes:
        count: how many levels there are.
        plain: level -> the units that run in any case, in order.
        groups: level -> predicate -> the units under it, and the Merges that choose by it.
    """

    def __init__(self, region: Region, units: Sequence[Unit], depth: int) -> None:
        self.region, self.depth = region, depth
        self.level: dict[Unit, int] = {}
        self.plain: dict[int, list[Unit]] = {}
        self.groups: dict[int, dict[Tensor, list[Unit]]] = {}
        self.readers: dict[Tensor, list[Unit]] = {}
        for unit in units:
            self._place(unit)
            for tensor in region.needs(unit):
                self.readers.setdefault(tensor, []).append(unit)
        self.count = 1 + max([*self.plain, *self.groups], default=-1)

    def group(self, unit: Unit) -> Tensor | None:
        """The predicate that decides whether a unit runs; None for one that runs in any case."""
        path = self.region.path[unit]
        return path[self.depth][0] if len(path) > self.depth else None

    def _place(self, unit: Unit) -> None:
        own = self.group(unit)
        chooses = self.region.choices.get(unit) if own is None else None
        joins = chooses.predicate if chooses is not None else own
        level = 0
        for source in self.region.sources(unit):
            if source in self.level:
                other = self.group(source)
                level = max(level, self.level[source] + (other is not None and other is not joins))
        if joins is None:
            self.plain.setdefault(level, []).append(unit)
        else:
            self.groups.setdefault(level, {}).setdefault(joins, []).append(unit)
        # What a Merge has chosen is there when the conditional is done.
        self.level[unit] = level + 1 if chooses is not None else level

    def crossing(self, inside: list[Unit], merges: list[Unit], wanted: Collection[Tensor]) -> list[tuple[Tensor, bool]]:
        """(tensor, side) of what a conditional has to give to others than its own Merges."""
        own = {*inside, *merges}
        found = []
        for unit in inside:
            for tensor in unit.makes:
                readers = self.readers.get(tensor, ())
                if tensor in wanted or any(reader not in own for reader in readers):
                    found.append((tensor, self.region.path[unit][self.depth][1]))
        return found


