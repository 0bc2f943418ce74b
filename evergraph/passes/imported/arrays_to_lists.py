"""Puts tensor lists in the place of the tensor arrays and stacks that arrays.py has found.

Each rule adds to a builder of functionalize.py what stands for one node, and gives the tensors that stand for its
outputs: None for one that has no value any more.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from evergraph.base import dtypes
from evergraph.graph.encode import bool_value
from evergraph.graph.node import Operation, Tensor
from evergraph.graph.registry import lookup
from evergraph.graph.shaping import merge
from evergraph.passes.imported import arrays
from evergraph.passes.imported.arrays import Array, Lists
from evergraph.passes.imported.branches import resolved
from evergraph.passes.imported.frames import LoopVariable


def is_listed(lists: Lists, node: Operation) -> bool:
    """Whether another node takes the place of this one."""
    if node.type in arrays.ARRAY_OPS:
        return bool(lists.flows)
    if node.type in arrays.STACK_OPS:
        return bool(lists.stacks)
    if node.type == "Identity":
        return has_no_value(lists, node._inputs[0]) or node._inputs[0] in lists.flows
    return node.type in arrays.SUMS and node.outputs[0] in lists.flows


def has_no_value(lists: Lists, tensor: Tensor) -> bool:
    """Whether the tensor only named something that is a list now."""
    return tensor in lists.handles or tensor in lists.hollow or tensor in lists.stacks


def add(builder: Any, node: Operation, waits: Sequence[Operation]) -> None:
    """Adds what stands for a node."""
    before = len(builder.graph._nodes)
    found = _RULES[node.type](builder, node)
    waits = builder.waits(waits)
    added = builder.graph._nodes[before:]
    if not added and waits:
        added = [_node(builder, "NoOp", node, [], {})]
    for each in added:
        if each.type != "Const":
            each._control_inputs = waits
    if added:
        builder.done[node] = added[-1]
    builder.values.update((old, new) for old, new in zip(node.outputs, found, strict=True) if new is not None)


def flow_value(builder: Any, tensor: Tensor, place: Tensor) -> Tensor:
    """The value of `tensor` where `place` is: zeros, when that is a list and the tensor a zero."""
    array = builder.lists.flows.get(place)
    if array is None or _is_flow(builder, tensor):
        return builder.value(tensor)
    return _blank(builder, array, place.op)


def _is_flow(builder: Any, tensor: Tensor) -> bool:
    return tensor in builder.lists.flows or resolved(tensor) in builder.lists.flows


# ---------------------------------------------------------------- nodes


def _node(builder: Any, kind: str, like: Operation, inputs: list[Tensor], attrs: dict[str, Any]) -> Operation:
    """A new node; what it makes is a list unless the caller says otherwise."""
    name = builder.graph.unique_name(like.name)
    node = builder.graph.add_node(lookup(kind), name, inputs, attrs, infer_shapes=False)
    for output in node.outputs:
        output._shape = ()
    node.take_place_of(like)
    return node


def _constant(builder: Any, like: Operation, value: Any) -> Tensor:
    attrs = {"value": value, "dtype": dtypes.as_dtype(value.dtype)}
    node = _node(builder, "Const", like, [], attrs)
    node.outputs[0]._shape = value.shape
    return node.outputs[0]


def _shape(builder: Any, like: Operation, shape: Any) -> Tensor:
    sizes = np.int32(-1) if shape is None else np.array([-1 if d is None else d for d in shape], np.int32)
    return _constant(builder, like, np.asarray(sizes))


def _kinds(dtype: Any) -> dict[str, Any]:
    return {"element_dtype": dtype, "shape_type": dtypes.int32}


def _blank(builder: Any, array: Array, like: Operation) -> Tensor:
    """A list for gradients of an array, without any yet."""
    maker, lists = array.maker, builder.lists
    if maker in lists.lengths and (maker.attrs["dynamic_size"] or maker._inputs[0].op.type != "Const"):
        flow = builder.value(lists.lengths[maker])
        length = _node(builder, "TensorListLength", like, [flow], {}).outputs[0]
    else:
        length = builder.value(maker._inputs[0])
    return _reserved(builder, maker, like, length)


def _reserved(builder: Any, maker: Operation, like: Operation, length: Tensor) -> Tensor:
    shape = _shape(builder, like, maker.attrs["element_shape"])
    return _node(builder, "TensorListReserve", like, [shape, length], _kinds(maker.attrs["dtype"])).outputs[0]


# ---------------------------------------------------------------- arrays


def _make(builder: Any, node: Operation) -> list[Tensor | None]:
    return [None, _reserved(builder, node, node, builder.value(node._inputs[0]))]


def _nothing(builder: Any, node: Operation) -> list[Tensor | None]:
    return [None] * len(node.outputs)


def _hand_on(builder: Any, node: Operation) -> list[Tensor | None]:
    source = node._inputs[0]
    return [None if has_no_value(builder.lists, source) else builder.value(source)]


def _sum(builder: Any, node: Operation) -> list[Tensor | None]:
    parts = [flow_value(builder, t, node.outputs[0]) for t in node._inputs]
    return [_added(builder, node, parts)]


def _added(builder: Any, node: Operation, parts: list[Tensor]) -> Tensor:
    return _node(builder, "AddN", node, parts, {"N": len(parts), "T": dtypes.variant}).outputs[0]


Put = Callable[[Any, Operation, Tensor], Tensor]


def _writing(put: Put) -> Callable[[Any, Operation], list[Tensor | None]]:
    """Writes to an array replace, those to an array of gradients add."""

    def rule(builder: Any, node: Operation) -> list[Tensor | None]:
        array, flow = builder.lists.handles[node._inputs[0]], node._inputs[arrays.WRITES[node.type]]
        if not array.is_gradient:
            return [put(builder, node, builder.value(flow))]
        made = put(builder, node, _blank(builder, array, node))
        if not builder.lists.flows[flow].is_gradient:
            return [made]
        return [_added(builder, node, [builder.value(flow), made])]

    return rule


def _write(builder: Any, node: Operation, target: Tensor) -> Tensor:
    _, index, value, _ = node._inputs
    array = builder.lists.handles[node._inputs[0]]
    inputs = [target, builder.value(index), builder.value(value)]
    made = _node(builder, "TensorListSetItem", node, inputs, {"element_dtype": node.attrs["T"]})
    if array.maker.attrs["dynamic_size"] and not array.is_gradient:
        made.extra = {"resize_if_index_out_of_bounds": bool_value(True)}
    return made.outputs[0]


def _scatter(builder: Any, node: Operation, target: Tensor) -> Tensor:
    _, indices, value, _ = node._inputs
    inputs = [target, builder.value(value), builder.value(indices)]
    return _node(builder, "TensorListScatterIntoExistingList", node, inputs,
                 {"element_dtype": node.attrs["T"]}).outputs[0]


def _split(builder: Any, node: Operation, target: Tensor) -> Tensor:
    _, value, lengths, _ = node._inputs
    shape = _shape(builder, node, builder.lists.handles[node._inputs[0]].maker.attrs["element_shape"])
    inputs = [builder.value(value), shape, builder.value(lengths)]
    return _node(builder, "TensorListSplit", node, inputs, _kinds(node.attrs["T"])).outputs[0]


def _read(builder: Any, node: Operation) -> list[Tensor | None]:
    _, index, flow = node._inputs
    shape = _shape(builder, node, _element_shape(builder, node, node.outputs[0]._shape))
    made = _node(builder, "TensorListGetItem", node, [builder.value(flow), builder.value(index), shape],
                 {"element_dtype": node.attrs["dtype"]})
    made.outputs[0]._shape = node.outputs[0]._shape
    return list(made.outputs)


def _element_shape(builder: Any, node: Operation, known: Any) -> Any:
    declared = builder.lists.handles[node._inputs[0]].maker.attrs["element_shape"]
    return known if declared is None else declared


def _gather(builder: Any, node: Operation) -> list[Tensor | None]:
    _, indices, flow = node._inputs
    shape = _shape(builder, node, _element_shape(builder, node, node.attrs["element_shape"]))
    made = _node(builder, "TensorListGather", node, [builder.value(flow), builder.value(indices), shape],
                 {"element_dtype": node.attrs["dtype"]})
    made.outputs[0]._shape = node.outputs[0]._shape
    return list(made.outputs)


def _concat(builder: Any, node: Operation) -> list[Tensor | None]:
    rest = node.attrs["element_shape_except0"]
    shape = _shape(builder, node, None if rest is None else (None, *rest))
    lengths = _constant(builder, node, np.zeros(0, np.int64))
    made = _node(builder, "TensorListConcatV2", node, [builder.value(node._inputs[1]), shape, lengths],
                 _kinds(node.attrs["dtype"]))
    for old, new in zip(node.outputs, made.outputs, strict=True):
        new._shape = old._shape
    return list(made.outputs)


def _size(builder: Any, node: Operation) -> list[Tensor | None]:
    return list(_node(builder, "TensorListLength", node, [builder.value(node._inputs[1])], {}).outputs)


# ---------------------------------------------------------------- stacks


def _kept_shape(builder: Any, stack: Operation) -> Any:
    """What is known of the shape of the values that a stack keeps."""
    shapes = [push._inputs[1]._shape for push in builder.lists.pushes.get(stack, ())]
    return shapes[0] if len(shapes) == 1 else None


def _stack(builder: Any, node: Operation) -> list[Tensor | None]:
    if not builder.lists.keeps_nothing(node):
        inputs = [_shape(builder, node, _kept_shape(builder, node)), _constant(builder, node, np.array(-1, np.int32))]
        made = _node(builder, "EmptyTensorList", node, inputs, _kinds(node.attrs["elem_type"]))
        builder.kept[node] = made.outputs[0]
    return [None]


def _push(builder: Any, node: Operation) -> list[Tensor | None]:
    handle, value = node._inputs
    stack = builder.lists.stacks[handle]
    if builder.lists.keeps_nothing(stack):
        return [None]
    given = builder.value(value)
    made = _node(builder, "TensorListPushBack", node, [builder.stack(stack), given],
                 {"element_dtype": node.attrs["T"]})
    if len(builder.lists.pushes[stack]) == 1:
        made.extra = {"_all_alike": bool_value(True)}
    builder.kept[stack] = made.outputs[0]
    return [given]


def _pop(builder: Any, node: Operation) -> list[Tensor | None]:
    stack = builder.lists.stacks[node._inputs[0]]
    if builder.lists.keeps_nothing(stack):
        return [None]
    shape = _kept_shape(builder, stack)
    made = _node(builder, "TensorListPopBack", node, [builder.stack(stack), _shape(builder, node, shape)],
                 {"element_dtype": node.attrs["elem_type"]})
    builder.kept[stack], value = made.outputs
    value._shape = merge(shape, node.outputs[0]._shape)
    return [value]


# ---------------------------------------------------------------- variables that grow


def nothing_yet(builder: Any, variable: LoopVariable) -> Tensor:
    """An empty list for what the iterations of a loop add to a variable."""
    like = variable.merge
    shape = _shape(builder, like, _rows(variable))
    inputs = [shape, _constant(builder, like, np.array(-1, np.int32))]
    return _node(builder, "EmptyTensorList", like, inputs, _kinds(like.attrs["T"])).outputs[0]


def _rows(variable: LoopVariable) -> Any:
    return None, *(variable.enter._inputs[0]._shape or ())[1:]


def pushed(builder: Any, node: Operation, target: Tensor, added: Tensor) -> Tensor:
    """The list with what one iteration adds."""
    inputs = [target, builder.value(added)]
    return _node(builder, "TensorListPushBack", node, inputs, {"element_dtype": node.attrs["T"]}).outputs[0]


def with_all(builder: Any, variable: LoopVariable, added: Tensor) -> Tensor:
    """The variable after the loop: what it was before, and what has been added."""
    like, kind, shape = variable.merge, variable.merge.attrs["T"], _rows(variable)
    none = _constant(builder, like, np.zeros(0, np.int64))
    rows = _node(builder, "TensorListConcatV2", like, [added, _shape(builder, like, shape), none], _kinds(kind))
    axis = _constant(builder, like, np.array(0, np.int32))
    inputs = [builder.value(variable.enter._inputs[0]), rows.outputs[0], axis]
    whole = _node(builder, "ConcatV2", like, inputs, {"N": 2, "T": kind, "Tidx": dtypes.int32})
    rows.outputs[0]._shape = whole.outputs[0]._shape = shape
    return whole.outputs[0]


_RULES: dict[str, Callable[[Any, Operation], list[Tensor | None]]] = {
    "TensorArrayV3": _make,
    "TensorArrayGradV3": _nothing,
    "TensorArrayCloseV3": _nothing,
    "TensorArrayWriteV3": _writing(_write),
    "TensorArrayScatterV3": _writing(_scatter),
    "TensorArraySplitV3": _writing(_split),
    "TensorArrayReadV3": _read,
    "TensorArrayGatherV3": _gather,
    "TensorArrayConcatV3": _concat,
    "TensorArraySizeV3": _size,
    "StackV2": _stack,
    "StackPushV2": _push,
    "StackPopV2": _pop,
    "StackCloseV2": _nothing,
    "Identity": _hand_on,
    **{kind: _sum for kind in arrays.SUMS},
}
