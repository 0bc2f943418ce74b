"""Lowers nodes to one straight-line Python function that calls their kernels.

    def stage(context, i0, i1):
        xp, settle = context.xp, context.settle
        t2_0 = settle(k2(xp(i0, i1), i0, i1, a2_axis), d2_0)
        ...
        return (t2_0,)

There are two lowerings. `lower` writes a function that runs in any context: under a `TraceContext`, jax.jit traces it
into one XLA program. `lower_for_numpy` writes a function for a `NumpyContext`, the interpreter. That function does not
ask the context which module values belong to, and leaves out what passes/shortcuts.py finds. Each line belongs to a
node, so that the line number of an exception names it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from evergraph.base import dtypes, errors
from evergraph.compile.generated import (
    LOCAL,
    Attribute,
    Call,
    Expression,
    Line,
    Local,
    Lowered,
    generated,
    is_array,
    value_of,
)
from evergraph.compile.list_lines import with_lists_together
from evergraph.compile.named import Named
from evergraph.compile.segments import may_be_recorded, with_segments
from evergraph.graph.function import FuncGraph, functions_of, has_effect
from evergraph.graph.node import Operation, Tensor
from evergraph.graph.traits import CALLS, Kind
from evergraph.kernel import calling, fence
from evergraph.kernel.cells import Cell
from evergraph.kernel.context import check_now
from evergraph.kernel.recording import Recorded
from evergraph.kernel.values import settled
from evergraph.passes.dead_code import without_dead_code
from evergraph.passes.half_precision import MixedPrecision, in_half_precision
from evergraph.passes.imported.functionalize import functionalize
from evergraph.passes.list_order import reads_before_writes
from evergraph.passes.materialize import materialized
from evergraph.passes.prune import prune
from evergraph.passes.reads_after_writes import LateReads, late_reads
from evergraph.passes.shortcuts import Group, Shortcuts, shortcuts, without_idle
from evergraph.passes.state import cell_key, is_handle, may_call, owner

_MOST_REMEMBERED = 64  # results of one group of nodes


def lower(
    nodes: Sequence[Operation],
    inputs: Sequence[Tensor],
    outputs: Sequence[Tensor],
    fixed: frozenset[Operation] = frozenset(),
    late: LateReads | None = None,
    mixed: MixedPrecision | None = None,
) -> Lowered:
    """Lowers `nodes`, in this order, to a function from `inputs` to `outputs` that runs in any context.

    Args:
        nodes: the nodes, each after those it depends on.
        inputs: tensors that the function takes.
        outputs: tensors that it returns. Fetching a variable returns its value at the end of the step; fetching the
            result of an update returns the value right after that update.
        fixed: nodes that run their fixed-size kernels, see passes/fixed_size_unique.py and passes/padding.py.
        late: inputs of nodes that read a variable again after it was written, see passes/reads_after_writes.py.
        mixed: how compiled code computes in mixed precision, if it does; see passes/half_precision.py.
    """
    function = _Function(nodes, inputs, outputs, fixed, late)
    earlier = reads_before_writes(nodes)
    once = materialized(nodes).union(*earlier.values())
    casts = None if mixed is None else _Casts(mixed, in_half_precision(nodes, outputs, mixed), function.scope)
    for function.number, node in enumerate(nodes):
        values = function.values(node)
        if casts is not None:
            function.lines += casts.before(node, function.number, values)
        if node in earlier:
            values[2] = Call("after", (values[2], Call("", tuple(function.names[t] for t in earlier[node]), "[]")))
        call = function.call(node, values)
        function.scope[call.function] = Named(node.name, function.scope[call.function])
        line = function.line(node, call)
        if not line.unpacks and line.dtypes and node.outputs[0] in once:
            settled_once = Call("once", (Call("settle", (line.value, line.dtypes[0])),))
            line = dataclasses.replace(line, value=settled_once, dtypes=())
        function.add(line)
        if casts is not None:
            casts.after(node, function.number)
    results = function.results()
    if casts is not None:
        results = [casts.whole(result, t) for result, t in zip(results, outputs, strict=True)]
    parameters = [f"i{n}" for n in range(len(inputs))]
    return generated(function.lines, parameters, results, function.scope, inputs, outputs, on_numpy=False)


def lower_for_numpy(
    nodes: Sequence[Operation],
    inputs: Sequence[Tensor],
    outputs: Sequence[Tensor],
    short: Shortcuts | None,
    fixed: frozenset[Operation] = frozenset(),
    late: LateReads | None = None,
) -> Lowered:
    """Lowers `nodes` to a function from `inputs` to `outputs` that runs on NumPy alone. See `lower` for the others of:

    Args:
        short: what need not be computed, see passes/shortcuts.py; None if each node is to run, by a line of its own.
    """
    function = _NumpyFunction(nodes, inputs, outputs, fixed, late, short or Shortcuts())
    for function.number, node in enumerate(nodes):
        line = function.kernel_line(node) if short is None else function.shortened(node)
        if line is not None:
            function.add(line)
    results, scope, lines = function.results(), function.scope, function.lines
    if short is not None:
        lines = with_lists_together(with_segments(lines, results, scope), scope)
    return generated(lines, [f"i{n}" for n in range(len(inputs))], results, scope, inputs, outputs)


class _Function:
    """A function that is being written. As a `Form`, it writes the arguments of kernels as expressions.

    Args:
        nodes: the nodes that it runs; further arguments as those of `lower`.

    Attributes:
        number: the number of the node that is being written.
        scope: its globals.
        names: the names of tensors in it.
        lines: its lines.
    """

    context: Expression = "context"

    def __init__(
        self, nodes: Sequence[Operation], inputs: Sequence[Tensor], outputs: Sequence[Tensor],
        fixed: frozenset[Operation], late: LateReads | None
    ) -> None:
        self._inputs, self._outputs, self._fixed, self.number = frozenset(inputs), outputs, fixed, 0
        self._late = late_reads(nodes, inputs) if late is None else late
        self.scope: dict[str, Any] = {
            "flatten": calling.flat_outputs, "read": _read, "once": fence.computed_once, "after": fence.computed_after,
            "numpy": np, "ndarray": np.ndarray, "check_now": check_now}
        self.names: dict[Tensor, str] = {t: Local(f"i{n}") for n, t in enumerate(inputs)}
        self.lines: list[Line] = []
        self._parameters = list(self.names.values())
        self._fetched_refs = {t for t in outputs if t._dtype.is_ref}.difference(inputs)

    def constant(self, kind: str, name: str, value: Any) -> Expression:
        key = f"{kind}{self.number}_{name}" if name else f"{kind}{self.number}"
        self.scope[key] = value
        return key

    def sequence(self, items: list[Expression]) -> Expression:
        return Call("", tuple(items), "[]")

    def ask(self, name: str, *arguments: Expression) -> Expression:
        return Call(name if name in LOCAL else f"context.{name}", arguments)

    def values(self, node: Operation) -> list[Expression]:
        """The inputs of a node; references are read where the op takes values."""
        late = self._late.get(node, {})  # in place of tensors that may be in another stage
        values: list[Expression] = [
            value_of(self.name(late[place])) if place in late else self.names.get(tensor) or self.name(tensor)
            for place, tensor in enumerate(node._inputs)]
        if any([t._dtype.is_ref for t in node._inputs]):
            for place, (tensor, keeps) in enumerate(zip(node._inputs, _kept_references(node), strict=True)):
                if tensor._dtype.is_ref and not keeps:
                    values[place] = value_of(values[place], may_be_fed=values[place] in self._parameters)
        return values

    def name(self, tensor: Tensor) -> str:
        """The name of a tensor; of a reference that an earlier stage handed on, that of its variable."""
        found = self.names.get(tensor) or tensor._dtype.is_ref and self.names.get(owner(tensor))
        if not found:
            raise errors.InternalError(None, None, f"{tensor.name} has no value in its stage")
        return found

    def call(self, node: Operation, values: Sequence[Expression]) -> Call:
        """The call of a node's kernel."""
        opdef, name, is_fixed = node.opdef, f"k{self.number}", node in self._fixed
        self.scope[name] = opdef.fixed_size_kernel if is_fixed else opdef.kernel
        arguments = calling.arguments(node, values, self)
        if is_fixed and opdef.padding is not None:
            arguments.append(Call("context.known", (self.constant("n", "", node),)))
        return Call(name, tuple(arguments))

    def line(self, node: Operation, call: Call) -> Line:
        """The line that assigns the outputs of a node, which a call returns, and settles them to their dtypes."""
        declared, wanted = node.opdef.plan.outputs, []
        for place, tensor in enumerate(node.outputs):
            dtype, name = tensor._dtype, f"d{self.number}_{place}"
            wanted.append(name if is_array(tensor) else "")
            self.scope[name] = dtype.np
        unpacks = len(declared) != 1 or declared[0].is_list
        if len(declared) > 1 and any([arg.is_list for arg in declared]):
            call = Call("flatten", (self.constant("o", "", node.opdef), call))
        return Line((node,), self.named(node.outputs), call, unpacks, () if wanted == [""] else tuple(wanted))

    def named(self, tensors: Sequence[Tensor]) -> tuple[Local, ...]:
        """Gives tensors that a line computes their names. One that is fed although its node runs keeps its value."""
        names = [Local(f"t{self.number}_{place}") for place in range(len(tensors))]
        self.names.update((t, name) for t, name in zip(tensors, names) if t not in self._inputs)
        return tuple(names)

    def add(self, line: Line) -> None:
        """Adds a line. What a node leaves in a variable that is fetched is read at once, unless it only names it."""
        self.lines.append(line)
        node = line.nodes[0]
        if self._fetched_refs and not is_handle(node):
            self.lines += [self._value_line(t) for t in node.outputs if t in self._fetched_refs]

    def _value_line(self, reference: Tensor) -> Line:
        """The line that reads a variable; of a reference to another object, the object's container and name."""
        name, node = self.names[reference], reference.op
        if "shared" not in node.opdef.wants:
            return Line((node,), (Local(f"{name}_value"),), value_of(name))
        found = node.attrs.get("container") or "localhost", node.attrs.get("shared_name") or f"_0_{node.name}"
        value = self.constant("h", "", np.array([each.encode() for each in found], object))
        return Line((node,), (Local(f"{name}_value"),), value)

    def results(self) -> list[Expression]:
        """What it returns; adds the lines that read variables which are fetched."""
        self.lines += [self._value_line(t) for t in self._fetched_refs if is_handle(t.op)]
        return [Local(f"{self.names[t]}_value") if t in self._fetched_refs else self.names[t] for t in self._outputs]


class _NumpyFunction(_Function):
    """A function for NumPy that is being written.

    Args:
        short: what need not be computed.
    """

    def __init__(
        self, nodes: Sequence[Operation], inputs: Sequence[Tensor], outputs: Sequence[Tensor],
        fixed: frozenset[Operation], late: LateReads | None, short: Shortcuts
    ) -> None:
        super().__init__(nodes, inputs, outputs, fixed, late)
        self._short = short
        self._shared: set[Tensor] = set()  # tensors whose values belong to all steps

    def ask(self, name: str, *arguments: Expression) -> Expression:
        """All values are known, and checks fail at once."""
        known = arguments[0] if name == "static" else {"xp": "numpy", "check": "check_now"}.get(name)
        return super().ask(name, *arguments) if known is None else known

    def name(self, tensor: Tensor) -> str:
        return super().name(self._short.same.get(tensor, tensor))

    def results(self) -> list[Expression]:
        results = zip(super().results(), self._outputs, strict=True)
        return [Attribute((result,), "copy()") if t in self._shared else result for result, t in results]

    def shortened(self, node: Operation) -> Line | None:
        """The line for a node; None if there is nothing to compute."""
        short, kind, outputs, number = self._short, node.opdef.kind, node.outputs, self.number
        if node in short.skipped or kind is Kind.NO_OP or outputs and outputs[0] in short.same:
            return None
        if node in short.fused:
            fusion = short.fused[node]
            self.scope[f"f{number}"] = fusion.function
            call = Call(f"f{number}", tuple([self.names[t] for t in fusion.inputs]))
            return Line((node,), self.named(fusion.results), call, True, recordable=fusion.is_recordable)
        if kind is Kind.CONSTANT and outputs[0] not in self._outputs and not outputs[0]._dtype.is_ref:
            value = settled(node.opdef.kernel(node.attrs["value"]), outputs[0]._dtype.np)
            self._constant(outputs[0], f"v{number}", value)
            return None
        if kind is Kind.VARIABLE:
            cell, new = Call("held", (repr(cell_key(node)),)), Call("context.cell", (self.constant("n", "", node),))
            return Line((node,), self.named(outputs), cell, otherwise=new)
        if outputs and outputs[0] in short.folded:
            for place, tensor in enumerate(outputs):
                self._constant(tensor, f"v{number}_{place}", short.folded[tensor])
            self._shared.update(outputs)
            return None
        group = short.groups.get(node)
        if group is None:
            return self.kernel_line(node)
        return None if group.results[0] in self.names else self._remembered(node, group)

    def _constant(self, tensor: Tensor, name: str, value: Any) -> None:
        self.names[tensor], self.scope[name] = name, value

    def _remembered(self, node: Operation, group: Group) -> Line:
        """The line that looks up the results of a group of nodes by its sources, or computes them."""
        inner = lower_for_numpy(group.nodes, group.sources, group.results, dataclasses.replace(self._short, groups={}))
        by_shape, number = [t in group.shapes for t in group.sources], self.number
        remembered = self.scope[f"m{number}"] = Remembered(inner, by_shape)
        self.scope[f"r{number}"] = remembered.known.get
        given = tuple([self.names[t] for t in group.sources])
        keys = tuple([Attribute((name,), "shape" if shape else "tobytes()") for name, shape in zip(given, by_shape)])
        known = Call(f"r{number}", (keys[0] if len(keys) == 1 else Call("", keys),))
        self._shared.update(group.results)
        is_recordable = all(map(may_be_recorded, group.nodes))
        return Line((node,), self.named(group.results), known, unpacks=True, recordable=is_recordable,
                    otherwise=Call(f"m{number}", ("context", *given)))

    def kernel_line(self, node: Operation) -> Line:
        """The line that calls the kernel of a node, or the function that takes its place."""
        values = self.values(node)
        bound = None if node in self._fixed else self._bound(node, values)
        line = self.line(node, self.call(node, values) if bound is None else Call(f"k{self.number}", tuple(values)))
        if bound is not None:
            self.scope[f"k{self.number}"] = bound
        line.recordable = node not in self._fixed and node not in self._late and may_be_recorded(node)
        return line

    def _bound(self, node: Operation, values: Sequence[Expression]) -> Callable[..., Any] | None:
        """The function of the node's inputs that takes the place of its kernel, if there is one."""
        if node.opdef.bound is None:
            return None
        constants = [self.scope[value] if type(value) is str else None for value in values]  # Local names are others
        return node.opdef.bound(node, constants.__getitem__)


class Remembered:
    """A lowered function of a few small arrays and shapes, whose latest results are kept by these.

    The results are shared by all steps, so nobody may change them.

    Args:
        lowered: the function.
        by_shape: of which arguments the shape alone matters.

    Attributes:
        known: the results by the shapes and bytes of the arguments.
    """

    def __init__(self, lowered: Lowered, by_shape: Sequence[bool]) -> None:
        self._lowered, self._by_shape = lowered, by_shape
        self.known: dict[Any, tuple[Any, ...]] = {}

    def __call__(self, context: Any, *values: Any) -> tuple[Any, ...]:
        """Computes the results for new arguments."""
        if any(type(value) is Recorded for value in values):
            return self._lowered.call(context, *values)
        if len(self.known) >= _MOST_REMEMBERED:
            self.known.clear()
        keys = [v.shape if shape else v.tobytes() for v, shape in zip(values, self._by_shape, strict=True)]
        key = keys[0] if len(keys) == 1 else tuple(keys)
        # Copies: a result may be a view of an array that the program feeds, and may write to after the step.
        found = self.known[key] = tuple(np.array(value) for value in self._lowered.call(context, *values))
        return found


class _LoweredBodies(dict[tuple[tuple[Tensor, ...], bool, MixedPrecision | None, bool], Lowered]):
    """The lowered bodies of a function, by its outputs and what else `lower_function` is given."""


def lower_function(
    function: FuncGraph, on_numpy: bool = False, mixed: MixedPrecision | None = None, has_shortcuts: bool = True
) -> Lowered:
    """Lowers the body of a function: the nodes that its outputs and its side effects need.

    Args:
        function: the function.
        on_numpy: whether the code runs on NumPy alone, where shapes have the same values in every iteration of a loop.
        mixed: how compiled code computes in mixed precision, if it does. Arguments and results keep their dtypes.
        has_shortcuts: whether code for NumPy leaves out what need not be computed.
    """
    key = (tuple(function.outputs), on_numpy, mixed, has_shortcuts)
    cached = function.cache(_LoweredBodies).get(key)
    if cached is not None:
        return cached
    fetches, inputs = needed_of(function)
    outputs: Any = fetches[: len(function.outputs)]
    nodes = prune(fetches, inputs)
    late = late_reads(nodes, inputs)
    if on_numpy:
        short = shortcuts(nodes, outputs, late) if has_shortcuts else None
        lowered = lower_for_numpy(nodes, inputs, outputs, short, late=late)
    else:
        lowered = lower(without_idle(nodes, outputs, late), inputs, outputs, late=late, mixed=mixed)
    function.cache(_LoweredBodies)[key] = lowered
    return lowered


def needed_of(function: FuncGraph) -> tuple[Sequence[Any], Sequence[Tensor]]:
    """(what the body of a function computes: its outputs, then what else has to run; its arguments)."""
    return without_dead_code(*functionalize(fetches_of(function), function.inputs, function))


def fetches_of(function: FuncGraph) -> list[Any]:
    """What a call of a function computes: its outputs, then what else has to run."""
    effects = [] if function.is_dataflow else [n for n in function._nodes if has_effect(n)]
    return [*function.outputs, *([] if function.is_dataflow else function.control_outputs), *effects]


class _Casts:
    """The casts around the nodes that compute in half precision.

    Args:
        mixed: the dtype.
        nodes: those nodes.
        scope: the globals of the lowered function.
    """

    def __init__(self, mixed: MixedPrecision, nodes: frozenset[Operation], scope: dict[str, Any]) -> None:
        self._mixed, self._nodes, self._scope = mixed, nodes, scope
        self._halves: set[Tensor] = set()
        self._known: dict[Expression, Local] = {}  # what is cast already, and the name of the other one
        scope["half"], scope["whole"] = mixed.dtype.np, dtypes.float32.np

    def before(self, node: Operation, number: int, values: list[Expression]) -> list[Line]:
        """The lines that cast the inputs of a node where it takes the other dtype; changes `values` to the results."""
        wanted = self._mixed.inputs(node) if node in self._nodes else ()
        lines = []
        for place, (tensor, value) in enumerate(zip(node._inputs, list(values), strict=True)):
            if tensor._dtype.base_dtype is not dtypes.float32 or (place in wanted) == (tensor in self._halves):
                continue
            values[place] = name = self._known.get(value) or Local(f"c{number}_{place}")
            if value not in self._known:
                cast = Attribute((value,), f"astype({'half' if place in wanted else 'whole'})")
                lines.append(Line((node,), (name,), cast))
            if isinstance(value, str):  # anything else is the value of a variable, which may change
                self._known[value] = name
        return lines

    def whole(self, result: Expression, tensor: Tensor) -> Expression:
        """An output of the function, in its own dtype."""
        return Attribute((result,), "astype(whole)") if tensor in self._halves else result

    def after(self, node: Operation, number: int) -> None:
        """Has a node return half precision, as its constants for the line say."""
        if node not in self._nodes:
            return
        dtype, scope = self._mixed.dtype.np, self._scope
        type_attr, places = f"a{number}_{self._mixed.type_attr(node)}", self._mixed.outputs(node)
        if type_attr in scope:
            scope[type_attr] = dtype
        scope.update((f"d{number}_{place}", dtype) for place in places)
        self._halves.update(node.outputs[place] for place in places)



def _kept_references(node: Operation) -> list[bool]:
    """Whether a node takes each of its inputs as a reference, if it is one. Functions take them as they are."""
    kept = [
        arg.is_ref or arg.list_attr is not None and may_call(node)
        for arg in node.opdef.plan.inputs
        for _ in range(calling.count_of(arg, node.attrs))
    ]
    if node.opdef.kind in CALLS:  # a function that was read from a file has values as arguments
        columns = list(zip(*(function.inputs for function in functions_of(node)), strict=True))
        kept[len(kept) - len(columns):] = [any(t._dtype.is_ref for t in column) for column in columns]
    return kept


def _read(value: Any) -> Any:
    """An input declared as a reference: a cell, or the value that was fed in its place."""
    return value.value if isinstance(value, Cell) else value
