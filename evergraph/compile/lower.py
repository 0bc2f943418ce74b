"""Lowers nodes to one straight-line Python function that calls their kernels.

    def stage(env, t0, t1):
        t2 = settle(k2(pick(t0, t1), t0, t1, a2_0, a2_1), d2)
        ...
        return (t2,)

Run on NumPy arrays under a `NumpyEnvironment` the function is the interpreter; under jax.jit with a `TraceEnvironment`
it is traced into one XLA program. Each node has one line, so that the line number of an exception names the node.
"""

from __future__ import annotations

import itertools
import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from evergraph.base import dtypes, errors
from evergraph.graph.codec import NameAttrList
from evergraph.graph.function import FuncGraph, has_effect
from evergraph.graph.node import Operation, Tensor
from evergraph.kernel import calling, fence
from evergraph.passes.imported.functionalize import functionalize
from evergraph.passes.materialize import computed_once
from evergraph.passes.prune import prune
from evergraph.passes.reads_after_writes import Fresh, fresh_reads
from evergraph.passes.state import is_handle, may_call, owner

_numbers = itertools.count()


@dataclass(eq=False)
class Lowered:
    """A lowered function: `call(env, *inputs)` gives a tuple of outputs."""

    call: Callable[..., tuple[Any, ...]]
    source: str
    file: str
    nodes: Sequence[Operation]

    def node_at(self, line: int) -> Operation | None:
        index = line - 3  # after the header and the tools
        return self.nodes[index] if 0 <= index < len(self.nodes) else None


LOWERED: weakref.WeakValueDictionary[str, Lowered] = weakref.WeakValueDictionary()
"""Generated file name -> what was lowered, to find the node behind a traceback."""


def lower(
    nodes: Sequence[Operation],
    inputs: Sequence[Tensor],
    outputs: Sequence[Tensor],
    fixed: frozenset[Operation] = frozenset(),
    fresh: Fresh | None = None,
) -> Lowered:
    """Lowers `nodes`, which run in this order, to a function from `inputs` to `outputs`.

    Those in `fixed` give outputs of a fixed size (see passes/fixed_size_unique.py); those in `fresh` read
    variables anew (see passes/reads_after_writes.py).
    """
    fresh = fresh_reads(nodes, inputs) if fresh is None else fresh
    scope: dict[str, Any] = {"flatten": calling.flat_outputs, "read": _read, "once": fence.computed_once}
    names: dict[Tensor, str] = {t: f"i{n}" for n, t in enumerate(inputs)}
    fetched_refs = {t for t in outputs if t._dtype.is_ref}
    # A fetched variable is what the step leaves in it; the result of an update is what that update made of it.
    variables = [t for t in fetched_refs if is_handle(t.op) and t not in inputs]
    fetched_refs.difference_update(variables)
    once = computed_once(nodes)
    lines = []
    for number, node in enumerate(nodes):
        lines.append(_line(node, number, names, scope, fetched_refs, fresh.get(node, {}), once))
        if node in fixed:
            scope[f"k{number}"] = node.opdef.fixed_size_kernel
    lines += [f"{names[t]}_value = {names[t]}.value" for t in variables]
    nodes = [*nodes, *(t.op for t in variables)]
    fetched_refs.update(variables)
    results = "".join(
        f"{names[t] + '_value' if t in fetched_refs and t not in inputs else names[t]}, " for t in outputs
    )
    parameters = "".join(f", i{n}" for n in range(len(inputs)))
    source = (
        f"def stage(env{parameters}):\n    pick, settle, settle_all, need = env.tools\n"
        + "".join(f"    {line}\n" for line in lines)
        + f"    return ({results})\n"
    )
    file = f"<stage {next(_numbers)}>"
    exec(compile(source, file, "exec"), scope)
    lowered = Lowered(scope["stage"], source, file, nodes)
    LOWERED[file] = lowered
    return lowered


class _LoweredBodies(dict[tuple[Tensor, ...], Lowered]):
    """The lowered bodies of a function, by its outputs."""


def lower_function(function: FuncGraph) -> Lowered:
    """Lowers the body of a function: what its outputs and its stateful nodes need."""
    cached = function.cache(_LoweredBodies).get(tuple(function.outputs))
    if cached is not None:
        return cached
    keep = [n for n in function._nodes if has_effect(n)]
    wanted: list[Any] = [*function.outputs, *function.control_outputs, *keep]
    fetches, inputs = functionalize(wanted, function.inputs, function)
    outputs: Any = fetches[: len(function.outputs)]
    lowered = lower(prune(fetches, inputs), inputs, outputs)
    function.cache(_LoweredBodies)[tuple(function.outputs)] = lowered
    return lowered


def _line(
    node: Operation,
    number: int,
    names: dict[Tensor, str],
    scope: dict[str, Any],
    fetched_refs: set[Tensor],
    late: dict[int, Tensor],
    once: frozenset[Tensor],
) -> str:
    """The statement that runs one node."""
    opdef = node.opdef
    values = [
        f"{_value_of(names, late[i])}.value" if i in late else _value_of(names, t) for i, t in enumerate(node._inputs)
    ]
    declared = _by_argument(node, values)
    scope[f"n{number}"], scope[f"k{number}"] = node, opdef.kernel
    arguments = [_argument(node, number, want, declared, scope) for want in opdef.wants]
    call = f"k{number}({', '.join(arguments)})"
    targets = []
    for tensor in node.outputs:
        names[tensor] = f"t{number}_{tensor.value_index}"
        targets.append(names[tensor])
    for position, tensor in enumerate(node.outputs):
        scope[f"d{number}_{position}"] = tensor._dtype.np
    if not targets:
        return call
    if len(targets) == 1 and not opdef.plan.outputs[0].is_list:
        tensor = node.outputs[0]
        if tensor._dtype.is_ref or tensor._dtype in (dtypes.resource, dtypes.variant):
            after = f"; {targets[0]}_value = {targets[0]}.value" if tensor in fetched_refs else ""
            return f"{targets[0]} = {call}{after}"
        value = f"settle({call}, d{number}_0)"
        return f"{targets[0]} = once({value})" if tensor in once else f"{targets[0]} = {value}"
    scope[f"o{number}"] = opdef
    scope[f"d{number}"] = [
        t._dtype.np if t._dtype.base_dtype not in (dtypes.resource, dtypes.variant) else None for t in node.outputs
    ]
    return f"{', '.join(targets)}{',' * (len(targets) == 1)} = settle_all(flatten(o{number}, {call}), d{number})"


def _value_of(names: dict[Tensor, str], tensor: Tensor) -> str:
    if tensor in names:
        return names[tensor]
    if tensor._dtype.is_ref and owner(tensor) in names:  # a reference that an earlier stage handed on
        return names[owner(tensor)]
    raise errors.InternalError(None, None, f"{tensor.name} has no value in its stage")


def _by_argument(node: Operation, values: list[str]) -> dict[str, tuple[list[str], list[Tensor], Any]]:
    """Input argument -> (the expressions for its tensors, the tensors, its declaration)."""
    grouped: dict[str, tuple[list[str], list[Tensor], Any]] = {}
    start = 0
    for arg in node.opdef.plan.inputs:
        count = (
            node.attrs[arg.number_attr]
            if arg.number_attr is not None
            else len(node.attrs[arg.list_attr])
            if arg.list_attr is not None
            else 1
        )
        stop = start + count
        tensors = node._inputs[start:stop]
        keeps = arg.is_ref or arg.list_attr is not None and may_call(node)
        texts = [text if keeps else _dereferenced(text, t) for text, t in zip(values[start:stop], tensors, strict=True)]
        grouped[arg.name] = (texts, list(tensors), arg)
        start = stop
    return grouped


def _dereferenced(text: str, tensor: Tensor) -> str:
    """A reference is read where a value is asked for; functions take references as they are."""
    if not tensor._dtype.is_ref:
        return text
    return f"read({text})" if text[0] == "i" else f"{text}.value"


def _read(value: Any) -> Any:
    """An argument declared as a reference: a cell, or the value that was fed in its place."""
    return value.value if hasattr(value, "is_set") else value


def _argument(node: Operation, number: int, want: str, declared: dict[str, Any], scope: dict[str, Any]) -> str:
    """The expression for one parameter of the kernel."""
    opdef = node.opdef
    if want in declared:
        texts, tensors, arg = declared[want]
        if want in opdef.static:
            for position, tensor in enumerate(tensors):
                scope[f"s{number}_{want}_{position}"] = tensor
            texts = [f"need({text}, s{number}_{want}_{position})" for position, text in enumerate(texts)]
        return f"[{', '.join(texts)}]" if arg.is_list else texts[0]
    if want == "xp":
        plain = [t for texts, _, arg in declared.values() if not arg.is_ref for t in texts]
        return f"pick({', '.join(plain)})"
    if want in opdef.signature.attr:
        return _attr(node, number, want, scope)
    if want == "node":
        return f"n{number}"
    return f"env.{want}(n{number})" if want != "context" else "env"


def _attr(node: Operation, number: int, name: str, scope: dict[str, Any]) -> str:
    kind, value = node.opdef.signature.attr[name].kind, node.attrs[name]
    key = f"a{number}_{name}"
    if kind == "func":
        scope[key] = node.graph.function(value.name)
        return f"env.function({key})"
    if kind == "list(func)":
        scope[key] = [node.graph.function(v.name) for v in value if isinstance(v, NameAttrList)]
        return f"[env.function(f) for f in {key}]"
    scope[key] = calling.attr_for_kernel(kind, value)
    return key
