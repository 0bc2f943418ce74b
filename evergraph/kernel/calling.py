"""How a kernel gets its arguments: one table of what each parameter name means, for every way to call a kernel.

There are two ways. `call_kernel` calls the kernel of one node at once; compile/lower.py writes the calls of many nodes
as Python source. Both walk `argument_plan`, which says where each parameter comes from, and express what they find in
their own form: as a value, or as an expression of the source.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar

import numpy as np

from evergraph.kernel.context import Context, FoldingContext
from evergraph.kernel.values import settled

if TYPE_CHECKING:
    from evergraph.graph.node import Operation
    from evergraph.graph.opdef import OpDef
    from evergraph.graph.signature import Arg

V = TypeVar("V")


class Form(Protocol[V]):
    """How arguments are expressed: as values, or as source text."""

    context: V

    def constant(self, kind: str, name: str, value: Any) -> V:
        """Something known when the call is prepared; kind and name tell the constants of one call apart."""

    def sequence(self, items: list[V]) -> V:
        """A list of arguments."""

    def ask(self, name: str, *arguments: V) -> V:
        """What the method `name` of the context returns."""


class Argument(NamedTuple):
    """One parameter of a kernel.

    Attributes:
        name: the parameter.
        given: how it is found: `given(node, argument, values, form)`, where `values` are the node's inputs.
        arg: for an input, its declaration.
        start: for an input, its position among the node's inputs, counted from the end if a list comes before it;
            None if that leaves it open.
    """

    name: str
    given: Callable[[Operation, Argument, Sequence[Any], Form[Any]], Any]
    arg: Arg | None = None
    start: int | None = None


def argument_plan(opdef: OpDef) -> tuple[Argument, ...]:
    """Where each parameter of the op's kernel comes from: its inputs come first, then its attrs, then `MEANINGS`.

    Raises:
        TypeError: the kernel asks for something that does not exist.
    """
    return tuple(_argument(opdef, name) for name in opdef.wants)


def _argument(opdef: OpDef, name: str) -> Argument:
    inputs = opdef.plan.inputs
    for place, arg in enumerate(inputs):
        if arg.name == name:
            return Argument(name, _OF_INPUTS[arg.is_list, name in opdef.static], arg, _fixed_start(inputs, place))
    attr = opdef.signature.attr.get(name)
    if attr is not None:
        return Argument(name, _OF_ATTRS.get(attr.kind, _attr))
    if name not in MEANINGS:
        raise TypeError(f"the kernel of {opdef.name} asks for {name!r}, which is no input, attr or part of a context")
    return Argument(name, MEANINGS[name])


def _fixed_start(inputs: Sequence[Arg], place: int) -> int | None:
    """Where an argument starts in every node of the op, if lists of varying length allow to say that."""
    if not any(arg.is_list for arg in inputs[:place]):
        return place
    return None if any(arg.is_list for arg in inputs[place:]) else place - len(inputs)


def _start(node: Operation, argument: Argument) -> int:
    """The position of an argument's first tensor among the node's inputs."""
    if argument.start is not None:
        return argument.start
    before = itertools.takewhile(lambda arg: arg is not argument.arg, node.opdef.plan.inputs)
    return sum(count_of(arg, node.attrs) for arg in before)


def _places(node: Operation, argument: Argument) -> range:
    """The positions of a list argument's tensors among the node's inputs."""
    assert argument.arg is not None
    start = _start(node, argument)
    return range(start, start + count_of(argument.arg, node.attrs))


def static_places(node: Operation) -> list[int]:
    """The positions of the inputs that the op declares static."""
    plan, static = node.opdef.argument_plan, node.opdef.static
    return [place for a in plan if a.arg is not None and a.name in static for place in _places(node, a)]


def _input(node: Operation, argument: Argument, values: Sequence[V], form: Form[V]) -> V:
    return values[_start(node, argument) if argument.start is None else argument.start]


def _inputs(node: Operation, argument: Argument, values: Sequence[V], form: Form[V]) -> V:
    places = _places(node, argument)
    return form.sequence(list(values[places.start : places.stop]))


def _static_input(node: Operation, argument: Argument, values: Sequence[V], form: Form[V]) -> V:
    place = _start(node, argument)
    if node.opdef.moves is not None and node.opdef.moves(node):
        return values[place]
    return form.ask("static", values[place], form.constant("s", argument.name, node._inputs[place]))


def _static_inputs(node: Operation, argument: Argument, values: Sequence[V], form: Form[V]) -> V:
    places = _places(node, argument)
    tensors = [form.constant("s", f"{i}_{argument.name}", node._inputs[i]) for i in places]
    return form.sequence([form.ask("static", values[i], tensor) for i, tensor in zip(places, tensors, strict=True)])


def _attr(node: Operation, argument: Argument, values: Sequence[V], form: Form[V]) -> V:
    return form.constant("a", argument.name, node.attrs[argument.name])


def _dtype(node: Operation, argument: Argument, values: Sequence[V], form: Form[V]) -> V:
    return form.constant("a", argument.name, node.attrs[argument.name].np)


def _dtypes(node: Operation, argument: Argument, values: Sequence[V], form: Form[V]) -> V:
    return form.constant("a", argument.name, [each.np for each in node.attrs[argument.name]])


def _function(node: Operation, argument: Argument, values: Sequence[V], form: Form[V]) -> V:
    graph = node.graph.function(node.attrs[argument.name].name)
    return form.ask("function", form.constant("a", argument.name, graph))


def _functions(node: Operation, argument: Argument, values: Sequence[V], form: Form[V]) -> V:
    graphs = [node.graph.function(each.name) for each in node.attrs[argument.name]]
    constants = [form.constant("a", f"{i}_{argument.name}", graph) for i, graph in enumerate(graphs)]
    return form.sequence([form.ask("function", constant) for constant in constants])


def _array_module(node: Operation, argument: Argument, values: Sequence[V], form: Form[V]) -> V:
    return form.ask("xp", *values)


def _node(node: Operation, argument: Argument, values: Sequence[V], form: Form[V]) -> V:
    return form.constant("n", "", node)


def _context(node: Operation, argument: Argument, values: Sequence[V], form: Form[V]) -> V:
    return form.context


def _of_node(node: Operation, argument: Argument, values: Sequence[V], form: Form[V]) -> V:
    """What the context's method of the parameter's name has for the node."""
    return form.ask(argument.name, form.constant("n", "", node))


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
    "room": _of_node,
}
"""What a kernel may ask for besides its inputs and attrs; `Context` documents each."""

OF_SESSIONS = frozenset({"rng", "cell", "shared", "context"})
"""Those that only exist in a step of a session."""


def arguments(node: Operation, values: Sequence[V], form: Form[V]) -> list[V]:
    """The arguments of the node's kernel, given its inputs, in the order of the kernel's parameters."""
    return [argument.given(node, argument, values, form) for argument in node.opdef.argument_plan]


def count_of(arg: Arg, attrs: Mapping[str, Any]) -> int:
    """How many tensors a declared argument stands for."""
    if arg.number_attr is not None:
        return int(attrs[arg.number_attr])
    return len(attrs[arg.list_attr]) if arg.list_attr is not None else 1


def grouped(opdef: OpDef, attrs: Mapping[str, Any], flat: Sequence[V]) -> dict[str, V | list[V]]:
    """The flat inputs of a node by the argument names of the op; those of list arguments as lists."""
    by_name: dict[str, V | list[V]] = {}
    start = 0
    for arg in opdef.plan.inputs:
        if not arg.is_list:
            by_name[arg.name] = flat[start]
            start += 1
            continue
        stop = start + count_of(arg, attrs)
        by_name[arg.name] = list(flat[start:stop])
        start = stop
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

    def constant(self, kind: str, name: str, value: Any) -> Any:
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
