"""How a kernel gets its arguments: one table of what each parameter name means, for every way to call a kernel.

There are two ways. `call_kernel` calls the kernel of one node at once; compile/lower.py writes the calls of many nodes
as Python source. Both walk `argument_plan`, which says where each parameter comes from, and express what they find in
their own form: as a value, or as the text of an expression.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar

import numpy as np

from evergraph.kernel.context import Context, FoldingContext
from evergraph.kernel.values import settled

if TYPE_CHECKING:
    from evergraph.graph.node import Operation
    from evergraph.graph.opdef import OpDef

V = TypeVar("V")


class Form(Protocol[V]):
    """How arguments are expressed: as values, or as source text."""

    context: V

    def constant(self, key: str, value: Any) -> V:
        """Something known when the call is prepared; the key tells the constants of one call apart."""

    def sequence(self, items: list[V]) -> V:
        """A list of arguments."""

    def ask(self, name: str, *arguments: V) -> V:
        """What the method `name` of the context returns."""


class Argument(NamedTuple):
    """One parameter of a kernel.

    Attributes:
        name: the parameter.
        given: how it is found: `given(node, name, inputs, form)`, where `inputs` are the node's by argument name.
    """

    name: str
    given: Callable[[Operation, str, Mapping[str, Any], Form[Any]], Any]


def argument_plan(opdef: OpDef) -> tuple[Argument, ...]:
    """Where each parameter of the op's kernel comes from: its inputs come first, then its attrs, then `MEANINGS`.

    Raises:
        TypeError: the kernel asks for something that does not exist.
    """
    return tuple(Argument(name, _origin(opdef, name)) for name in opdef.wants)


def _origin(opdef: OpDef, name: str) -> Any:
    for arg in opdef.plan.inputs:
        if arg.name == name:
            return _OF_INPUTS[arg.is_list, name in opdef.static]
    attr = opdef.signature.attr.get(name)
    if attr is not None:
        return _OF_ATTRS.get(attr.kind, _attr)
    if name not in MEANINGS:
        raise TypeError(f"the kernel of {opdef.name} asks for {name!r}, which is no input, attr or part of a context")
    return MEANINGS[name]


def _input(node: Operation, name: str, inputs: Mapping[str, Any], form: Form[V]) -> V:
    return inputs[name]


def _inputs(node: Operation, name: str, inputs: Mapping[str, Any], form: Form[V]) -> V:
    return form.sequence(inputs[name])


def _static_input(node: Operation, name: str, inputs: Mapping[str, Any], form: Form[V]) -> V:
    tensor = grouped(node.opdef, node.attrs, node._inputs)[name]
    return form.ask("static", inputs[name], form.constant(f"s_{name}", tensor))


def _static_inputs(node: Operation, name: str, inputs: Mapping[str, Any], form: Form[V]) -> V:
    pairs: Any = zip(inputs[name], grouped(node.opdef, node.attrs, node._inputs)[name], strict=True)
    return form.sequence(
        [form.ask("static", v, form.constant(f"s{i}_{name}", t)) for i, (v, t) in enumerate(pairs)]
    )


def _attr(node: Operation, name: str, inputs: Mapping[str, Any], form: Form[V]) -> V:
    return form.constant(f"a_{name}", node.attrs[name])


def _dtype(node: Operation, name: str, inputs: Mapping[str, Any], form: Form[V]) -> V:
    return form.constant(f"a_{name}", node.attrs[name].np)


def _dtypes(node: Operation, name: str, inputs: Mapping[str, Any], form: Form[V]) -> V:
    return form.constant(f"a_{name}", [each.np for each in node.attrs[name]])


def _function(node: Operation, name: str, inputs: Mapping[str, Any], form: Form[V]) -> V:
    return form.ask("function", form.constant(f"a_{name}", node.graph.function(node.attrs[name].name)))


def _functions(node: Operation, name: str, inputs: Mapping[str, Any], form: Form[V]) -> V:
    graphs = [node.graph.function(each.name) for each in node.attrs[name]]
    return form.sequence([form.ask("function", form.constant(f"a{i}_{name}", g)) for i, g in enumerate(graphs)])


def _array_module(node: Operation, name: str, inputs: Mapping[str, Any], form: Form[V]) -> V:
    values: list[V] = []
    for arg in node.opdef.plan.inputs:
        if not arg.is_ref:
            values += inputs[arg.name] if arg.is_list else (inputs[arg.name],)
    return form.ask("xp", *values)


def _node(node: Operation, name: str, inputs: Mapping[str, Any], form: Form[V]) -> V:
    return form.constant("n", node)


def _context(node: Operation, name: str, inputs: Mapping[str, Any], form: Form[V]) -> V:
    return form.context


def _of_node(node: Operation, name: str, inputs: Mapping[str, Any], form: Form[V]) -> V:
    """What the context's method of this name has for the node."""
    return form.ask(name, form.constant("n", node))


_OF_INPUTS = {  # by whether the argument is a list, and whether it has to be static
    (False, False): _input,
    (True, False): _inputs,
    (False, True): _static_input,
    (True, True): _static_inputs,
}
_OF_ATTRS = {"type": _dtype, "list(type)": _dtypes, "func": _function, "list(func)": _functions}

MEANINGS = {
    "xp": _array_module,
    "node": _node,
    "context": _context,
    "lax": _of_node,
    "rng": _of_node,
    "cell": _of_node,
    "shared": _of_node,
    "check": _of_node,
}
"""What a kernel may ask for besides its inputs and attrs; `Context` documents each."""

OF_SESSIONS = frozenset({"rng", "cell", "shared", "context"})
"""Those that only exist in a step of a session."""


def arguments(node: Operation, values: Sequence[V], form: Form[V]) -> list[V]:
    """The arguments of the node's kernel, given its inputs, in the order of the kernel's parameters."""
    inputs = grouped(node.opdef, node.attrs, values)
    return [given(node, name, inputs, form) for name, given in node.opdef.argument_plan]


def grouped(opdef: OpDef, attrs: Mapping[str, Any], flat: Sequence[V]) -> dict[str, V | list[V]]:
    """The flat inputs of a node by the argument names of the op; those of list arguments as lists."""
    by_name: dict[str, V | list[V]] = {}
    start = 0
    for arg in opdef.plan.inputs:
        if not arg.is_list:
            by_name[arg.name] = flat[start]
            start += 1
            continue
        count = attrs[arg.number_attr] if arg.number_attr is not None else len(attrs[arg.list_attr])  # type: ignore[index]
        by_name[arg.name] = list(flat[start : start + count])
        start += count
    return by_name


def flat_outputs(opdef: OpDef, result: Any) -> list[Any]:
    """What a kernel returned, one item per output tensor."""
    declared = opdef.plan.outputs
    if len(declared) == 1:
        return list(result) if declared[0].is_list else [result]
    flat: list[Any] = []
    for arg, value in zip(declared, result if declared else (), strict=True):
        flat += list(value) if arg.is_list else [value]
    return flat


class _Now:
    """The form of a call that is made at once: arguments are values."""

    __slots__ = ("context",)

    def __init__(self, context: Any) -> None:
        self.context = context

    def constant(self, key: str, value: Any) -> Any:
        return value

    def sequence(self, items: list[Any]) -> Any:
        return items

    def ask(self, name: str, *arguments: Any) -> Any:
        return getattr(self.context, name)(*arguments)


def call_kernel(context: Context[Any], node: Operation, inputs: Sequence[Any]) -> list[Any]:
    """What the node's kernel returns for these inputs under this context, one item per output."""
    return flat_outputs(node.opdef, node.opdef.kernel(*arguments(node, inputs, _Now(context))))


_FOLDING = FoldingContext()


def evaluate(node: Operation, inputs: Sequence[np.ndarray[Any, Any]]) -> list[np.ndarray[Any, Any]]:
    """The outputs of a foldable node for these concrete inputs."""
    return [settled(v, t._dtype.np) for v, t in zip(call_kernel(_FOLDING, node, inputs), node.outputs, strict=True)]


def is_mistake(error: TypeError) -> bool:
    """Whether a kernel's code raised the error itself, as when it calls something with the wrong arguments.

    JAX and NumPy raise TypeErrors too, about shapes and dtypes that they do not support; those tell about the values.
    """
    if type(error) is not TypeError:  # a class of JAX's or NumPy's own
        return False
    step = error.__traceback__
    while step is not None and step.tb_next is not None:
        step = step.tb_next
    module = step.tb_frame.f_globals.get("__name__", "") if step is not None else ""
    return module.partition(".")[0] not in _LIBRARIES


_LIBRARIES = frozenset({"jax", "jaxlib", "numpy", "ml_dtypes", "scipy"})
