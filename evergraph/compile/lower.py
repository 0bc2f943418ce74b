"""Lowers nodes to one straight-line Python function that calls their kernels.

    def stage(context, i0, i1):
        xp, settle = context.xp, context.settle
        t2_0 = settle(k2(xp(i0, i1), i0, i1, a2_axis), d2_0)
        ...
        return (t2_0,)

Run by jax.jit under a `TraceContext`, the function is traced into one XLA program. Run on NumPy arrays under a
`NumpyContext`, it is the interpreter. Code for NumPy alone does not ask the context which module values belong to, and
leaves out what passes/shortcuts.py finds. Each node has one line, so that the line number of an exception names it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import numpy as np

from evergraph.base import dtypes, errors
from evergraph.compile.generated import LOCAL, Line, Lowered, generated
from evergraph.compile.list_lines import with_lists_together
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
    short: Shortcuts | None = None,
    mixed: MixedPrecision | None = None,
    steady: Collection[Tensor] = (),
) -> Lowered:
    """Lowers `nodes`, in this order, to a function from `inputs` to `outputs`.

    Args:
        nodes: the nodes, each after those it depends on.
        inputs: tensors that the function takes.
        outputs: tensors that it returns. Fetching a variable returns its value at the end of the step; fetching the
            result of an update returns the value right after that update.
        fixed: nodes that run their fixed-size kernels, see passes/fixed_size_unique.py and passes/padding.py.
        late: inputs of nodes that read a variable again after it was written, see passes/reads_after_writes.py.
        short: what need not be computed, for code that runs on NumPy; see passes/shortcuts.py.
        mixed: how compiled code computes in mixed precision, if it does; see passes/half_precision.py.
        steady: inputs that are the same in many calls on NumPy. Nodes may take them prepared; see `Lowered.prepared`.
    """
    late = late_reads(nodes, inputs) if late is None else late
    scope: dict[str, Any] = {"flatten": calling.flat_outputs, "read": _read, "once": fence.computed_once,
                             "after": fence.computed_after, "numpy": np, "ndarray": np.ndarray, "check_now": check_now}
    names: dict[Tensor, str] = {t: f"i{n}" for n, t in enumerate(inputs)}
    fetched_refs = {t for t in outputs if t._dtype.is_ref}
    variables = [t for t in fetched_refs if is_handle(t.op) and t not in inputs]
    fetched_refs.difference_update(variables)
    earlier = reads_before_writes(nodes) if short is None else {}
    once = materialized(nodes).union(*earlier.values()) if short is None else frozenset()
    casts = None if mixed is None else _Casts(mixed, in_half_precision(nodes, outputs, mixed), scope)
    lines: list[Line] = []
    plain: set[Operation] = set()
    shared: set[Tensor] = set()
    ready = _Ready(inputs, steady)
    recordable = set() if short is None else {node for node, fusion in short.fused.items() if fusion.is_recordable}
    for number, node in enumerate(nodes):
        text = None if short is None else _shortcut(node, number, names, scope, outputs, short, shared)
        group = None if short is None else short.groups.get(node)
        if text is None:
            same = {} if short is None else short.same
            form = _Source(number, scope, short is not None)
            text = _line(node, names, form, fetched_refs, late.get(node, {}), once, node in fixed, same, casts,
                         earlier.get(node, ()), ready)
            if short is not None and node not in fixed and node not in late and may_be_recorded(node):
                plain.add(node)
        elif text and group is not None and all(map(may_be_recorded, group.nodes)) or node in recordable:
            plain.add(node)
        if text:
            lines.append(Line(text, (node,)))
    lines += [Line(f"{names[t]}_value = {names[t]}.value", (t.op,)) for t in variables]
    fetched_refs.update(variables)
    results = "".join(
        f"{names[t] + '_value' if t in fetched_refs and t not in inputs else _whole(names[t], t, casts)}"
        f"{'.copy()' if t in shared else ''}, " for t in outputs
    )
    if short is not None:
        lines = with_lists_together(with_segments(lines, plain, results, scope), scope)
    taken = len(inputs) + len(ready.prepared)
    lowered = generated(lines, [f"i{n}" for n in range(taken)], results, scope, inputs, outputs)
    lowered.prepared = ready.prepared
    return lowered


def _shortcut(
    node: Operation,
    number: int,
    names: dict[Tensor, str],
    scope: dict[str, Any],
    outputs: Collection[Tensor],
    short: Shortcuts,
    shared: set[Tensor],
) -> str | None:
    """The statement that takes the place of running a node: "" if there is nothing to do, None if there is no shortcut.

    Adds to `shared` the tensors whose values belong to all steps.
    """
    if node in short.skipped or node.opdef.kind is Kind.NO_OP or node.outputs and node.outputs[0] in short.same:
        return ""
    fusion = short.fused.get(node)
    if fusion is not None:
        scope[f"f{number}"] = fusion.function
        names.update((t, f"t{number}_{place}") for place, t in enumerate(fusion.results))
        targets = "".join(f"{names[t]}, " for t in fusion.results)
        return f"{targets}= f{number}({', '.join(names[t] for t in fusion.inputs)})"
    if node.opdef.kind is Kind.CONSTANT and node.outputs[0] not in outputs and not node.outputs[0]._dtype.is_ref:
        names[node.outputs[0]] = f"v{number}"
        scope[f"v{number}"] = settled(node.opdef.kernel(node.attrs["value"]), node.outputs[0]._dtype.np)
        return ""
    if node.opdef.kind is Kind.VARIABLE:
        names[node.outputs[0]], scope[f"n{number}"] = f"t{number}_0", node
        return f"t{number}_0 = cells.get({cell_key(node)!r}) or context.cell(n{number})"
    if node.outputs and node.outputs[0] in short.folded:
        names.update((t, f"v{number}_{t.value_index}") for t in node.outputs)
        scope.update((names[t], short.folded[t]) for t in node.outputs)
        shared.update(node.outputs)
        return ""
    group = short.groups.get(node)
    if group is None:
        return None
    if group.results[0] in names:
        return ""
    return _remembered(group, number, names, scope, short, shared)


def _remembered(
    group: Group, number: int, names: dict[Tensor, str], scope: dict[str, Any], short: Shortcuts, shared: set[Tensor]
) -> str:
    """The statement that looks up the results of a group by its sources, or computes them."""
    inner = lower(group.nodes, group.sources, group.results, short=dataclasses.replace(short, groups={}))
    remembered = scope[f"m{number}"] = Remembered(inner)
    scope[f"r{number}"] = remembered.known.get
    given = [names[t] for t in group.sources]
    keys = [f"{names[t]}.{'shape' if t in group.shapes else 'tobytes()'}" for t in group.sources]
    shared.update(group.results)
    names.update((t, f"t{number}_{place}") for place, t in enumerate(group.results))
    targets = "".join(f"{names[t]}, " for t in group.results)
    key = keys[0] if len(keys) == 1 else f"({', '.join(keys)})"
    return f"{targets}= r{number}(key := {key}) or m{number}(context, key, {', '.join(given)})"


class Remembered:
    """A lowered function of a few small arrays and shapes, whose latest results are kept by these.

    The results are shared by all steps, so nobody may change them.

    Attributes:
        known: the results by keys for the arguments.
    """

    def __init__(self, lowered: Lowered) -> None:
        self._lowered = lowered
        self.known: dict[Any, tuple[Any, ...]] = {}

    def __call__(self, context: Any, key: Any, *values: Any) -> tuple[Any, ...]:
        """Computes the results for new arguments."""
        if any(type(value) is Recorded for value in values):
            return self._lowered.call(context, *values)
        if len(self.known) >= _MOST_REMEMBERED:
            self.known.clear()
        # Copies: a result may be a view of an array that the program feeds, and may write to after the step.
        found = self.known[key] = tuple(np.array(value) for value in self._lowered.call(context, *values))
        return found


class _LoweredBodies(dict[tuple[tuple[Tensor, ...], bool, MixedPrecision | None], Lowered]):
    """The lowered bodies of a function, by its outputs, whether they run on NumPy, and their precision."""


def lower_function(function: FuncGraph, on_numpy: bool = False, mixed: MixedPrecision | None = None) -> Lowered:
    """Lowers the body of a function: the nodes that its outputs and its side effects need.

    Args:
        function: the function.
        on_numpy: whether the code runs on NumPy alone, where shapes have the same values in every iteration of a loop.
        mixed: how compiled code computes in mixed precision, if it does. Arguments and results keep their dtypes.
    """
    key = (tuple(function.outputs), on_numpy, mixed)
    cached = function.cache(_LoweredBodies).get(key)
    if cached is not None:
        return cached
    fetches, inputs = needed_of(function)
    outputs: Any = fetches[: len(function.outputs)]
    nodes = prune(fetches, inputs)
    late = late_reads(nodes, inputs)
    short = shortcuts(nodes, outputs, late) if on_numpy else None
    nodes = nodes if on_numpy else without_idle(nodes, outputs, late)
    lowered = lower(nodes, inputs, outputs, late=late, short=short, mixed=mixed)
    function.cache(_LoweredBodies)[key] = lowered
    return lowered


def needed_of(function: FuncGraph) -> tuple[Sequence[Any], Sequence[Tensor]]:
    """(what the body of a function computes: its outputs, then what else has to run; its arguments)."""
    return without_dead_code(*functionalize(fetches_of(function), function.inputs, function))


def fetches_of(function: FuncGraph) -> list[Any]:
    """What a call of a function computes: its outputs, then what else has to run."""
    effects = [] if function.is_dataflow else [n for n in function._nodes if has_effect(n)]
    return [*function.outputs, *([] if function.is_dataflow else function.control_outputs), *effects]


def _line(
    node: Operation,
    names: dict[Tensor, str],
    source: _Source,
    fetched_refs: set[Tensor],
    late: dict[int, Tensor],
    once: frozenset[Tensor],
    is_fixed: bool,
    same: Mapping[Tensor, Tensor],
    casts: _Casts | None,
    earlier: Sequence[Tensor],
    ready: _Ready,
) -> str:
    """The statement that runs one node."""
    opdef, number, scope = node.opdef, source.number, source.scope
    values = [
        f"{_value_of(names, late[i])}.value" if i in late else _value_of(names, same.get(t, t))
        for i, t in enumerate(node._inputs)
    ]
    values = _dereferenced(node, values)
    bound = None
    if source.on_numpy and not is_fixed:
        bound = ready.kernel(node, values) or _bound(node, values, scope)
    scope[f"k{number}"] = opdef.fixed_size_kernel if is_fixed else bound or opdef.kernel
    before = "" if casts is None else casts.before(node, number, values)
    if earlier:
        values[2] = f"after({values[2]}, [{', '.join(names[t] for t in earlier)}])"
    arguments = calling.arguments(node, values, source) if bound is None else values
    if is_fixed and opdef.padding is not None:
        scope[f"n{number}"] = node
        arguments.append(f"context.known(n{number})")
    call = f"k{number}({', '.join(arguments)})"
    for tensor in node.outputs:
        names[tensor] = f"t{number}_{tensor.value_index}"
    if not node.outputs:
        return before + call
    line = before + _assignment(node, call, source, fetched_refs, once)
    if casts is not None:
        casts.after(node, number)
    return line


def _bound(node: Operation, values: Sequence[str], scope: Mapping[str, Any]) -> Callable[..., Any] | None:
    """The function of the node's inputs that takes the place of its kernel, if there is one."""
    if node.opdef.bound is None:
        return None
    return node.opdef.bound(node, lambda place: scope.get(values[place]) if values[place][0] == "v" else None)


def _assignment(
    node: Operation, call: str, source: _Source, fetched_refs: set[Tensor], once: frozenset[Tensor]
) -> str:
    """The statement that assigns the outputs of a call, each settled to the dtype of its tensor."""
    first, number, scope = node.outputs[0], source.number, source.scope
    if len(node.outputs) == 1 and not node.opdef.plan.outputs[0].is_list:
        target = f"t{number}_0"
        if first._dtype.is_ref or first._dtype in (dtypes.resource, dtypes.variant):
            return f"{target} = {call}" + (f"; {target}_value = {target}.value" if first in fetched_refs else "")
        scope[f"d{number}_0"] = first._dtype.np
        value = source.settled(call, f"d{number}_0")
        return f"{target} = once({value})" if first in once else f"{target} = {value}"
    wanted = scope[f"d{number}"] = [
        t._dtype.np if t._dtype.base_dtype not in (dtypes.resource, dtypes.variant) else None for t in node.outputs
    ]
    targets = [f"t{number}_{tensor.value_index}" for tensor in node.outputs]
    together = "".join(f"{target}, " for target in targets)
    outputs = node.opdef.plan.outputs
    if any(arg.is_list for arg in outputs) and not (source.on_numpy and len(outputs) == 1):
        scope[f"o{number}"] = node.opdef
        call = f"flatten(o{number}, {call})"
    if not source.on_numpy:
        return f"{together}= settle_all({call}, d{number})"
    scope.update({f"d{target[1:]}": dtype for target, dtype in zip(targets, wanted, strict=True)})
    settled = "".join(f"; {target} = {source.settled(target, f'd{target[1:]}')}"
                      for target, dtype in zip(targets, wanted, strict=True) if dtype is not None)
    return f"{together}= {call}{settled}"


class _Ready:
    """The inputs that nodes take prepared.

    Args:
        inputs: those of the function.
        steady: the ones that are the same in many calls.

    Attributes:
        prepared: the positions of inputs, and functions that prepare them.
    """

    def __init__(self, inputs: Sequence[Tensor], steady: Collection[Tensor]) -> None:
        self._places = {f"i{n}": n for n, t in enumerate(inputs) if t in steady}
        self._first = len(inputs)
        self.prepared: list[tuple[int, Callable[[Any], Any]]] = []

    def kernel(self, node: Operation, values: list[str]) -> Callable[..., Any] | None:
        """The function that computes a node with an input prepared, whose name it changes in `values`; or None."""
        how = None if node.opdef.prepares is None or not self._places else node.opdef.prepares(node)
        if how is None or values[how.place] not in self._places:
            return None
        self.prepared.append((self._places[values[how.place]], how.function))
        values[how.place] = f"i{self._first + len(self.prepared) - 1}"
        return how.kernel


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
        self._known: dict[str, str] = {}  # what is cast already: its name, and the name of the other one
        scope["half"], scope["whole"] = mixed.dtype.np, dtypes.float32.np

    def is_half(self, tensor: Tensor) -> bool:
        return tensor in self._halves

    def before(self, node: Operation, number: int, values: list[str]) -> str:
        """Statements that cast the inputs of a node where it takes the other dtype; changes `values` to the results."""
        wanted = self._mixed.inputs(node) if node in self._nodes else ()
        statements = []
        for place, tensor in enumerate(node._inputs):
            if tensor._dtype.base_dtype is not dtypes.float32 or (place in wanted) == self.is_half(tensor):
                continue
            text = values[place]
            if text not in self._known:
                name = f"c{number}_{place}"
                statements.append(f"{name} = {text}.astype({'half' if place in wanted else 'whole'}); ")
                if not text.isidentifier():  # the value of a variable, which may change
                    values[place] = name
                    continue
                self._known[text] = name
            values[place] = self._known[text]
        return "".join(statements)

    def after(self, node: Operation, number: int) -> None:
        """Has a node return half precision, as its constants for the line say."""
        if node not in self._nodes:
            return
        dtype, scope = self._mixed.dtype.np, self._scope
        type_attr, places = f"a{number}_{self._mixed.type_attr(node)}", self._mixed.outputs(node)
        if type_attr in scope:
            scope[type_attr] = dtype
        if f"d{number}" in scope:
            scope[f"d{number}"] = [dtype if i in places else each for i, each in enumerate(scope[f"d{number}"])]
        elif 0 in places:
            scope[f"d{number}_0"] = dtype
        self._halves.update(node.outputs[place] for place in places)


def _whole(name: str, tensor: Tensor, casts: _Casts | None) -> str:
    """The text of an output, in its own dtype."""
    return f"{name}.astype(whole)" if casts is not None and casts.is_half(tensor) else name


def _value_of(names: dict[Tensor, str], tensor: Tensor) -> str:
    if tensor in names:
        return names[tensor]
    if tensor._dtype.is_ref and owner(tensor) in names:  # a reference that an earlier stage handed on
        return names[owner(tensor)]
    raise errors.InternalError(None, None, f"{tensor.name} has no value in its stage")


def _dereferenced(node: Operation, values: Sequence[str]) -> list[str]:
    """The inputs of a node; references are read where the op takes values, functions take them as they are."""
    if not any(tensor._dtype.is_ref for tensor in node._inputs):
        return list(values)
    kept = [
        arg.is_ref or arg.list_attr is not None and may_call(node)
        for arg in node.opdef.plan.inputs
        for _ in range(calling.count_of(arg, node.attrs))
    ]
    if node.opdef.kind in CALLS:  # a function that was read from a file has values as arguments
        columns = list(zip(*(function.inputs for function in functions_of(node)), strict=True))
        kept[len(kept) - len(columns):] = [any(t._dtype.is_ref for t in column) for column in columns]
    triples = zip(values, node._inputs, kept, strict=True)
    return [text if keeps or not tensor._dtype.is_ref else _read_text(text) for text, tensor, keeps in triples]


def _read_text(text: str) -> str:
    return f"read({text})" if text[0] == "i" else f"{text}.value"


def _read(value: Any) -> Any:
    """An input declared as a reference: a cell, or the value that was fed in its place."""
    return value.value if isinstance(value, Cell) else value


class _Source:
    """The form of lowered calls: arguments are the text of expressions, constants are globals of the function.

    Attributes:
        number: the number of the node among those of the function.
        scope: the globals of the function.
        on_numpy: whether it runs on NumPy alone.
    """

    context = "context"

    def __init__(self, number: int, scope: dict[str, Any], on_numpy: bool) -> None:
        self.number, self.scope, self.on_numpy = number, scope, on_numpy

    def constant(self, kind: str, name: str, value: Any) -> str:
        key = f"{kind}{self.number}_{name}" if name else f"{kind}{self.number}"
        self.scope[key] = value
        return key

    def sequence(self, items: list[str]) -> str:
        return f"[{', '.join(items)}]"

    def ask(self, name: str, *arguments: str) -> str:
        if self.on_numpy and name == "xp":
            return "numpy"
        if self.on_numpy and name == "static":
            return arguments[0]
        if self.on_numpy and name == "check":
            return "check_now"
        return f"{'' if name in LOCAL else 'context.'}{name}({', '.join(arguments)})"

    def settled(self, value: str, dtype: str) -> str:
        """The value with the dtype; on NumPy most kernels return arrays that have it, and need no call."""
        if self.on_numpy:
            return f"v if type(v := {value}) is ndarray and v.dtype is {dtype} else settle(v, {dtype})"
        return f"settle({value}, {dtype})"
