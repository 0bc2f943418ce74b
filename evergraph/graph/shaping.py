"""Static shape inference, constant values at graph construction, and the vocabulary of shape functions.

A shape is a tuple of sizes with None for an unknown size, or None for an unknown rank.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from typing import TYPE_CHECKING, Any

import numpy as np

from evergraph.base import errors
from evergraph.base.shapes import text as shape_text
from evergraph.graph.traits import Kind
from evergraph.kernel import abstract, calling
from evergraph.kernel.quiet import quietly
from evergraph.kernel.values import is_host_dtype

if TYPE_CHECKING:
    from evergraph.graph.graph import Graph
    from evergraph.graph.node import Operation, Tensor

Shape = tuple[int | None, ...] | None

_MOST_AXES = 254  # the maximal rank of a tensor in TensorFlow
_SMALL = 1024  # larger values are not computed at graph construction
_DEEP = 64  # nor are values at the end of longer chains


# ---- inference


def infer(node: Operation) -> None:
    """Sets the static shapes of a new node's outputs.

    Raises:
        ValueError: the shapes of the inputs are invalid for the op.
    """
    opdef = node.opdef
    outputs = node.outputs
    if not outputs:
        if opdef.shape_fn is not None:
            _call_shape_fn(node)
        return
    if opdef.shape_fn is None:
        for tensor, shape in zip(outputs, _abstract_shapes(node), strict=True):
            tensor._shape = shape
        return
    shapes = _call_shape_fn(node)
    if len(outputs) == 1 and not isinstance(shapes, list):
        outputs[0]._shape = shapes
        return
    for tensor, shape in zip(outputs, shapes, strict=True):
        tensor._shape = shape


def _call_shape_fn(node: Operation) -> Any:
    """What the op's shape function returns.

    In a branch of a conditional an op may be impossible for the constants around the conditional, because the predicate
    keeps it from running. There the shapes are those that follow without these constants.
    """
    try:
        return _shapes_without(node, frozenset())
    except ValueError:
        foreign = _foreign_constants(node)
        if not foreign:
            raise
    if "node" in node.opdef.shape_wants:  # such a function may look at any constant
        return [None] * len(node.outputs)
    return _shapes_without(node, foreign)


def _foreign_constants(node: Operation) -> frozenset[Tensor]:
    """The constants from around a conditional that the inputs of a node in its branch depend on; none elsewhere."""
    constants = getattr(node.graph, "constants", {}) if getattr(node.graph, "branch", "") else {}
    return frozenset(t for t in constants.values() if any(_depends_on(each, {t}) for each in node._inputs))


def _shapes_without(node: Operation, hidden: frozenset[Tensor]) -> Any:
    """What the shape function returns when the values of some constants are unknown."""
    opdef = node.opdef
    inputs = node._inputs
    by_name: dict[str, Any] | None = None
    arguments: list[Any] = []
    plain = opdef.plan.inputs
    for want in opdef.shape_wants:
        if by_name is None:
            by_name = (
                calling.grouped(opdef, node.attrs, inputs)
                if len(plain) != 1 or plain[0].is_list
                else {plain[0].name: inputs[0]}
            )
        if want in by_name:
            value = by_name[want]
            arguments.append([t._shape for t in value] if type(value) is list else value._shape)
        elif want in node.attrs:
            arguments.append(node.attrs[want])
        elif want == "value_of":
            arguments.append(lambda name, named=by_name: _value_without(named[name], hidden))
        elif want == "shape_of":
            arguments.append(lambda name, named=by_name: _denoted_without(named[name], hidden))
        elif want == "node":
            arguments.append(node)
        else:
            raise TypeError(f"the shape function of {opdef.name} asks for {want!r}, which the op does not have")
    try:
        return opdef.shape_fn(*arguments)  # type: ignore[misc]
    except (ValueError, IndexError, ArithmeticError) as error:
        told = error if isinstance(error, ValueError) else f"The shapes do not fit the op: {error}"
        seen = ", ".join(f"{shape_text(t._shape)}" for t in inputs)
        raise ValueError(
            f"{told} for '{node.name}' (op: '{opdef.name}') with input shapes: {seen}. ({node.where})") from None


def _abstract_shapes(node: Operation) -> list[Shape]:
    try:
        return _by_abstract_evaluation(node)
    except ValueError:
        if not _foreign_constants(node):
            raise
        return [None] * len(node.outputs)


def _by_abstract_evaluation(node: Operation) -> list[Shape]:
    """The shapes from tracing the kernel abstractly; a size that varies with an unknown input size is unknown."""
    opdef = node.opdef
    unknown: list[Shape] = [None] * len(node.outputs)
    if (
        opdef.on == "host"
        or opdef.needs_session
        or any(t._shape is None for t in node._inputs)
        or any(is_host_dtype(t._dtype) for t in (*node._inputs, *node.outputs))
    ):
        return unknown
    first = _abstract(node, 7)
    if first is None:
        return unknown
    if all(None not in t._shape for t in node._inputs):  # type: ignore[operator]
        return list(first)
    second = _abstract(node, 11)
    if second is None:
        return unknown
    return [
        tuple(a if a == b else None for a, b in zip(x, y, strict=True)) if len(x) == len(y) else None
        for x, y in zip(first, second, strict=True)
    ]


def _abstract(node: Operation, guess: int) -> list[tuple[int, ...]] | None:
    """The kernel's output shapes with `guess` for unknown sizes; None if the kernel needs an input's unknown value."""
    opdef = node.opdef
    values = [static_value(t) for t in node._inputs]
    named = calling.grouped(opdef, node.attrs, values)
    if any(value is None for name in opdef.static for value in _as_list(named[name])):
        return None
    shapes = [tuple(guess if d is None else d for d in t._shape or ()) for t in node._inputs]
    try:
        return abstract.output_shapes(node, values, shapes)
    except ValueError as error:
        if all(None not in t._shape for t in node._inputs):  # type: ignore[operator]
            raise ValueError(f"{error} for '{node.name}' (op: '{opdef.name}'). ({node.where})") from None
        return None


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


# ---- values known at graph construction


def static_value(tensor: Tensor, depth: int = 0) -> np.ndarray[Any, Any] | None:
    """The tensor's value if it depends only on constants and known shapes, else None."""
    node = tensor.source
    kind = node.opdef.kind
    if kind is Kind.CONSTANT:
        return node.attrs["value"]
    known = tensor._static_value  # (the rewirings of the graph at that time, the value)
    if known is not None and known[0] == node.graph._rewirings:
        return known[1]
    if kind in _KNOWN_AT_RUN_TIME or depth > _DEEP:
        return None
    value = _evaluated(tensor, node, depth)
    if value is not None or not _depends_on_shapes(node):
        tensor._static_value = (node.graph._rewirings, value)
    return value


def try_evaluate_constant(graph: Graph, output: Tensor) -> np.ndarray[Any, Any] | None:
    """`static_value` with the parameters of `pywrap_tensorflow.TF_TryEvaluateConstant_wrapper`."""
    return static_value(output)


_KNOWN_AT_RUN_TIME = (Kind.PLACEHOLDER, Kind.VARIABLE, Kind.READ)


def _depends_on_shapes(node: Operation) -> bool:
    """Whether the value may become static later, when `set_shape` refines a shape that it depends on."""
    return node.opdef.kind is Kind.SHAPE or any(
        t._static_value is None or t._static_value[0] != node.graph._rewirings for t in node._inputs)


def _evaluated(tensor: Tensor, node: Operation, depth: int) -> np.ndarray[Any, Any] | None:
    """The value from the op's trait `static_value`, or from its kernel on static inputs."""
    opdef = node.opdef
    if opdef.kind is Kind.SHAPE:
        return opdef.static_value(node, tensor.value_index)  # type: ignore[misc]
    if not node._inputs or tensor._dtype.is_ref or not opdef.is_foldable:
        return None
    if (
        any(t._dtype.is_ref for t in node._inputs)
        or any(is_host_dtype(t._dtype) for t in node._inputs)
        or _count(tensor._shape) > _SMALL
        or opdef.opaque
    ):
        return None
    if opdef.static_value is not None and (known := opdef.static_value(node, tensor.value_index)) is not None:
        return known
    values = []
    for t in node._inputs:
        value = static_value(t, depth + 1)
        if value is None or value.size > _SMALL:
            return None
        values.append(value)
    try:
        return quietly(calling.evaluate, node, values)[tensor.value_index]
    except (errors.OpError, ValueError, IndexError, ZeroDivisionError):
        return None
    except TypeError as error:
        if calling.is_mistake(error):
            raise
        return None


def _value_without(tensor: Tensor, hidden: frozenset[Tensor]) -> np.ndarray[Any, Any] | None:
    """The tensor's static value, unless it depends on a hidden constant."""
    return None if hidden and _depends_on(tensor, hidden) else static_value(tensor)


def _denoted_without(tensor: Tensor, hidden: frozenset[Tensor]) -> Shape:
    """The shape that a tensor denotes; one that depends on a hidden constant tells no more than the rank.

    Raises:
        ValueError: a size is less than -1.
    """
    if not hidden or not _depends_on(tensor, hidden):
        value = static_value(tensor)
        if value is not None and value.size and value.min() < -1:
            raise ValueError(f"Invalid value in tensor used for shape: {int(value.min())}")
        return denoted_shape(tensor)
    return _unknown_sizes(tensor)


def _depends_on(tensor: Tensor, sources: Set[Tensor]) -> bool:
    waiting, seen = [tensor], {tensor}
    while waiting:
        each = waiting.pop()
        if each in sources:
            return True
        fresh = [t for t in each.op._inputs if t not in seen]
        seen.update(fresh)
        waiting.extend(fresh)
    return False


def _count(shape: Shape) -> int:
    return 1 if shape is None else int(np.prod([d or 1 for d in shape], dtype=np.int64))


def denoted_shape(tensor: Tensor) -> Shape:
    """The shape that a 1-D integer tensor denotes, as far as its value is static: -1 and unknown become None."""
    value = static_value(tensor)
    if value is not None:
        return tuple(None if d < 0 else int(d) for d in np.atleast_1d(value)) if value.ndim < 2 else None
    rule = tensor.source.opdef.denotes_shape
    if rule is not None and (denoted := rule(tensor.source, tensor.value_index)) is not None:
        return denoted
    return _unknown_sizes(tensor)


def _unknown_sizes(tensor: Tensor) -> Shape:
    """The shape of unknown sizes that a 1-D tensor denotes by its length."""
    length = tensor._shape
    if length is None or len(length) != 1 or length[0] is None or length[0] > _MOST_AXES:
        return None
    return (None,) * length[0]


# ---- vocabulary of shape functions


def unchanged(x: Shape) -> Shape:
    """The output has the shape of the input `x`."""
    return x


def scalar() -> Shape:
    return ()


def unknown() -> Shape:
    return None


def scalar_of_scalars(names: Sequence[str]) -> Callable[..., Shape]:
    """Makes a shape function of a scalar that refuses inputs of these names which are none."""
    scope: dict[str, Any] = {"require_rank": require_rank}
    checks = "".join(f"    require_rank({name}, 0)\n" for name in names)
    exec(f"def shape({', '.join(names)}):\n{checks}    return ()\n", scope)
    return scope["shape"]


def same_as(name: str) -> Callable[..., Shape]:
    """Makes a shape function whose output has the shape of the input called `name`."""
    scope: dict[str, Any] = {}
    exec(f"def shape({name}):\n    return {name}\n", scope)
    return scope["shape"]


def broadcast(x: Shape, y: Shape) -> Shape:
    """The joint shape of `x` and `y` after broadcasting."""
    if x == y and x is not None and None not in x:
        return x
    if x is None or y is None:
        return None
    longer, shorter = (x, y) if len(x) >= len(y) else (y, x)
    result = list(longer[: len(longer) - len(shorter)])
    for a, b in zip(longer[len(longer) - len(shorter) :], shorter, strict=True):
        if a == 1:
            result.append(b)
        elif b == 1 or a == b:
            result.append(a)
        elif a is None or b is None:
            result.append(a if b is None else b)
        else:
            raise ValueError(f"Dimensions must be equal, but are {x[-1] if len(x) == 1 else a} and {b}")
    return tuple(result)


def merge(x: Shape, y: Shape) -> Shape:
    """The merged knowledge of two shapes that must be equal."""
    if x is None or y is None:
        return y if x is None else x
    if len(x) != len(y):
        raise ValueError(f"Shapes must be equal rank, but are {len(x)} and {len(y)}")
    for place, (a, b) in enumerate(zip(x, y)):
        if a is not None and b is not None and a != b:
            raise ValueError(f"Dimension {place} in both shapes must be equal: {shape_text(x)} and {shape_text(y)}")
    return tuple(b if a is None else a for a, b in zip(x, y))


def merge_all(shapes: Sequence[Shape]) -> Shape:
    result: Shape = None
    for shape in shapes:
        result = merge(result, shape)
    return result


def merge_size(a: int | None, b: int | None) -> int | None:
    if a is None or b is None or a == b:
        return b if a is None else a
    raise ValueError(f"Dimensions must be equal, but are {a} and {b}")


def with_rank(shape: Shape, rank: int, what: str = "Shape") -> tuple[int | None, ...]:
    """`shape`, or a shape of that rank with unknown sizes if its rank is unknown.

    Raises:
        ValueError: the rank is known and differs.
    """
    if shape is None:
        return (None,) * rank
    if len(shape) != rank:
        raise ValueError(f"{what} must be rank {rank} but is rank {len(shape)}")
    return shape


def at_least_rank(shape: Shape, rank: int, what: str = "Shape") -> Shape:
    if shape is not None and len(shape) < rank:
        raise ValueError(f"{what} must be at least rank {rank} but is rank {len(shape)}")
    return shape


def at_most_rank(shape: Shape, rank: int, what: str = "Shape") -> Shape:
    if shape is not None and len(shape) > rank:
        raise ValueError(f"{what} must be at most rank {rank} but is rank {len(shape)}")
    return shape


def require_rank(shape: Shape, rank: int, what: str = "Shape") -> None:
    with_rank(shape, rank, what)


def require_equal(a: int | None, b: int | None, what: str = "Dimensions must be equal") -> None:
    """Raises ValueError when both sizes are known and differ."""
    if a is not None and b is not None and a != b:
        raise ValueError(f"{what}, but are {a} and {b}")


def normal_axis(axis: int, rank: int) -> int:
    """`axis` as a non-negative index.

    Raises:
        ValueError: the axis is out of range.
    """
    if not -rank <= axis < rank:
        raise ValueError(f"Invalid axis {axis}: must be in the range [{-rank}, {rank})")
    return axis % rank


def product(sizes: Sequence[int | None]) -> int | None:
    result = 1
    for size in sizes:
        if size is None:
            return None
        result *= size
    return result
