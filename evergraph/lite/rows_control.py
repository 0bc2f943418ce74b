"""Rows of the table: calls, conditions and loops, and the tensor lists that loops fill.

A tensor list is one tensor whose rows are the elements, so that TensorFlow Lite's own operators read and write them.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from evergraph.base import dtypes
from evergraph.graph.function import FuncGraph
from evergraph.lite.model import Shape, Step, Value
from evergraph.lite.site import Site, Unmapped, row
from evergraph.ops.arrays import basic
from evergraph.ops.control import functional, lists

# ---- calls


@row(functional.partitioned_call)
@row(functional.stateful_partitioned_call)
def call(site: Site) -> None:
    """A called function becomes part of the model where it is called."""
    site.outputs = site.lowered.call(_function(site, "f"), site.inputs)


def _function(site: Site, attr: str) -> FuncGraph:
    return site.node.graph.function(site.attr(attr).name)


@row(functional.if_, "IF")
@row(functional.stateless_if, "IF")
def if_(site: Site) -> None:
    """A branch that is known to be taken becomes part of the model."""
    predicate, operands = site.inputs[0], site.inputs[1:]
    if predicate.data is not None:
        taken = "then_branch" if bool(np.all(predicate.data)) and predicate.data.size else "else_branch"
        site.outputs = site.lowered.call(_function(site, taken), operands)
        return
    fixed = [value.data is not None for value in operands]
    branches = [site.lowered.lowering.function(_function(site, attr), operands, fixed, f"{site.node.name}/{attr}")
                for attr in ("then_branch", "else_branch")]
    for output, then, otherwise in zip(site.outputs, branches[0].outputs, branches[1].outputs):
        output.dtype, output.shape = then.dtype, _common(then.shape, otherwise.shape)
    given = [value for value, is_fixed in zip(operands, fixed) if not is_fixed]
    names = ("thenSubgraphIndex", "elseSubgraphIndex")
    site.subgraph.steps.append(Step("IF", [predicate, *given], site.outputs, {}, dict(zip(names, branches)),
                                    f"{site.node.type} '{site.node.name}'"))  # fmt: skip


def _common(one: Shape | None, other: Shape | None) -> Shape | None:
    if one is None or other is None or len(one) != len(other):
        return None
    return tuple(a if a == b else None for a, b in zip(one, other))


@row(functional.while_, "WHILE")
@row(functional.stateless_while, "WHILE")
def while_(site: Site) -> None:
    """What a loop hands on unchanged, such as weights, is a constant inside it if it is one outside."""
    condition, body = _function(site, "cond"), _function(site, "body")
    fixed = [value.data is not None and _is_handed_on(body, place) for place, value in enumerate(site.inputs)]
    operands = _general_operands(site, body, fixed)
    gaps = len(site.lowered.lowering.gaps)
    subgraphs = [site.lowered.lowering.function(each, operands, fixed, f"{site.node.name}/{attr}")
                 for each, attr in ((condition, "cond"), (body, "body"))]
    if len(site.lowered.lowering.gaps) == gaps:
        subgraphs[1].outputs = [v for v, is_fixed in zip(subgraphs[1].outputs, fixed) if not is_fixed]
    taken = [value for value, is_fixed in zip(site.inputs, fixed) if not is_fixed]
    results = []
    for place, is_fixed in enumerate(fixed):
        if is_fixed:
            site.forward(site.inputs[place], place)
        else:
            site.outputs[place].dtype, site.outputs[place].shape = operands[place].dtype, operands[place].shape
            results.append(site.outputs[place])
    names = ("condSubgraphIndex", "bodySubgraphIndex")
    site.subgraph.steps.append(Step("WHILE", list(taken), results, {}, dict(zip(names, subgraphs)),
                                    f"{site.node.type} '{site.node.name}'"))  # fmt: skip


def _is_handed_on(body: FuncGraph, place: int) -> bool:
    tensor = body.outputs[place]
    while tensor.op.opdef is basic.identity:
        tensor = tensor.op.inputs[0]
    return tensor is body.inputs[place]


def _general_operands(site: Site, body: FuncGraph, fixed: Sequence[bool]) -> list[Value]:
    """The operands with shapes that hold in every iteration: sizes that the body changes are unknown."""
    operands = list(site.inputs)
    for _ in range(3):
        trial = type(site.lowered.lowering)(site.lowered.lowering.custom, site.lowered.lowering.kept)
        after = trial.function(body, operands, fixed, "trial").outputs
        new = [before if is_fixed else _holding(site, place, before, value)
               for place, (before, value, is_fixed) in enumerate(zip(operands, after, fixed))]  # fmt: skip
        if all(a is b for a, b in zip(new, operands)):
            return operands
        operands = new
    return operands


def _holding(site: Site, place: int, before: Value, after: Value) -> Value:
    """The operand of a loop whose body hands it on as `after`."""
    if before in site.lowered.lowering.reserved and after.shape is not None:
        site.inputs[place] = _materialized(site, before, after.shape[1:])
        return site.inputs[place]
    if before.shape == after.shape:
        return before
    return Value(before.name, before.dtype, _common(before.shape, after.shape))


# ---- tensor lists


def _element(site: Site, place: int) -> tuple[int, ...]:
    sizes = np.ravel(site.known(place))
    if np.ndim(site.known(place)) == 0 or any(size < 0 for size in sizes):
        raise Unmapped("the shape of the list's elements is unknown")
    return tuple(int(size) for size in sizes)


def _as_list(site: Site, kind: dtypes.DType, shape: Shape | None) -> None:
    site.outputs[0].dtype, site.outputs[0].shape = kind, shape


@row(lists.tensor_list_reserve, "FILL")
def tensor_list_reserve(site: Site) -> None:
    """A list of zeros. If the shape of its elements is unknown, it is made where the first of them is written."""
    sizes = site.inputs[0].data
    site.outputs[0].dtype, site.outputs[0].shape = site.attr("element_dtype"), None
    if sizes is not None and sizes.ndim and not np.any(sizes < 0):
        site.forward(_zeros(site, site.as_int32(1), site.attr("element_dtype"), tuple(int(size) for size in sizes)))
    else:
        site.lowered.lowering.reserved[site.outputs[0]] = site.as_int32(1)


def _materialized(site: Site, held: Value, element: Shape) -> Value:
    if None in element:
        raise Unmapped("the shape of the list's elements is unknown")
    length = site.lowered.lowering.reserved[held]
    return _zeros(site, length, held.dtype, element)


def _zeros(site: Site, length: Value, kind: dtypes.DType, element: Shape) -> Value:
    count = None if length.data is None else int(length.data)
    if count is not None:
        sizes = site.integers([count, *element])  # type: ignore[list-item]
    else:
        rest = site.integers(element, "element")  # type: ignore[arg-type]
        sizes = site.make("CONCATENATION", [site.reshaped(length, [1]), rest], (1 + len(element),), axis=0)
    zero = site.constant(np.zeros((), kind.as_numpy_dtype), "zero")
    return site.make("FILL", [sizes, zero], (count, *element), kind)


@row(lists.empty_tensor_list)
def empty_tensor_list(site: Site) -> None:
    element, kind = _element(site, 0), site.attr("element_dtype")
    site.forward(site.constant(np.zeros((0, *element), kind.as_numpy_dtype), "empty"))


@row(lists.tensor_list_from_tensor)
def tensor_list_from_tensor(site: Site) -> None:
    site.forward(site.inputs[0])


@row(lists.tensor_list_stack)
def tensor_list_stack(site: Site) -> None:
    site.forward(site.inputs[0])


@row(lists.tensor_list_length, "SHAPE", "STRIDED_SLICE")
def tensor_list_length(site: Site) -> None:
    sizes = site.make("SHAPE", site.inputs, (len(site.shape(0)),), dtypes.int32, outType=2)
    first, last, step = (site.integers([each], "slice") for each in (0, 1, 1))
    site.give("STRIDED_SLICE", [sizes, first, last, step], shrinkAxisMask=1)


@row(lists.tensor_list_get_item, "GATHER")
def tensor_list_get_item(site: Site) -> None:
    site.outputs[0].shape = site.shape(0)[1:]
    site.give("GATHER", site.inputs[:2], axis=0, batchDims=0)


@row(lists.tensor_list_set_item, "DYNAMIC_UPDATE_SLICE")
def tensor_list_set_item(site: Site) -> None:
    held, place, item = site.inputs
    if held.shape is None:
        known = held in site.lowered.lowering.reserved
        held = _materialized(site, held, site.shape(2)) if known else Value("", held.dtype, (None, *site.shape(2)))
    shape = held.shape or ()
    _as_list(site, held.dtype, shape)
    if len(shape) != 1 + len(site.shape(2)):
        raise Unmapped("the ranks of the list's elements and of the item differ")
    new = site.make("EXPAND_DIMS", [item, site.constant(np.int32(0), "axis")], (1, *site.shape(2)))
    start = site.reshaped(place, [1])
    if len(shape) > 1:
        zeros = site.integers([0] * (len(shape) - 1), "zeros")
        start = site.make("CONCATENATION", [start, zeros], (len(shape),), axis=0)
    site.give("DYNAMIC_UPDATE_SLICE", [held, new, start])


@row(lists.tensor_list_push_back, "EXPAND_DIMS", "CONCATENATION")
def tensor_list_push_back(site: Site) -> None:
    held, item = site.inputs
    length = site.shape(0)[0]
    _as_list(site, held.dtype, (None if length is None else length + 1, *site.shape(1)))
    new = site.make("EXPAND_DIMS", [item, site.constant(np.int32(0), "axis")], (1, *site.shape(1)))
    site.give("CONCATENATION", [held, new], axis=0)


@row(lists.tensor_list_scatter_into_existing_list)
def tensor_list_scatter_into_existing_list(site: Site) -> None:
    """Rows for all places of a list are the list."""
    if not _is_from_zero(site, 2):
        raise Unmapped("only all elements of a list can be replaced at once")
    site.forward(site.inputs[1])


@row(lists.tensor_list_gather, "GATHER")
def tensor_list_gather(site: Site) -> None:
    if _is_from_zero(site, 1):
        site.forward(site.inputs[0])
    else:
        site.give("GATHER", site.inputs[:2], axis=0, batchDims=0)


def _is_from_zero(site: Site, place: int) -> bool:
    """Whether an input with indices counts from zero to the length of the list, as those of unstack and stack do."""
    known = site.inputs[place].data
    if known is not None:
        return bool(np.array_equal(known, np.arange(known.size)))
    source = site.node.inputs[place].op
    if source.opdef is not basic.range_:
        return False
    start, _, step = (site.lowered.values[tensor].data for tensor in source.inputs)
    return start is not None and step is not None and int(start) == 0 and int(step) == 1
