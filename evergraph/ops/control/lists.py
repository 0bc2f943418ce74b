"""Tensor lists: the ops behind TensorArrays and the stacks that gradients of loops keep."""

import functools

import numpy as np

from evergraph.base import errors
from evergraph.graph.opdef import STOP, op
from evergraph.graph.registry import lookup
from evergraph.graph.shaping import denoted_shape, merge, scalar, static_value
from evergraph.graph.traits import ANY, Fusion, Kind
from evergraph.kernel.context import check_now
from evergraph.kernel.lists.elements import is_all
from evergraph.kernel.lists.items import Items
from evergraph.kernel.lists.stacked import Single, Stacked
from evergraph.kernel.reasons import NeedStatic
from evergraph.kernel.values import is_traced
from evergraph.ops.arrays import basic

_shape_arg = "element_shape: shape_type"
_kinds = "element_dtype: type, shape_type: index"


# ---- shapes of elements


def _known(element_shape):
    """The shape that an element_shape input denotes: None for an unknown rank, None in it for an unknown size."""
    if not isinstance(element_shape, (np.ndarray, np.generic)) or np.ndim(element_shape) == 0:
        return None
    return _sizes(element_shape.tobytes(), element_shape.dtype)


@functools.lru_cache(maxsize=1024)
def _sizes(content, dtype):
    """The sizes that a vector of this content denotes: loops on NumPy ask for few of them in every iteration."""
    return tuple(None if size < 0 else size for size in np.frombuffer(content, dtype).tolist())


def element_shape_of(tensor):
    """The static shape that an element_shape tensor denotes."""
    value = static_value(tensor)
    return None if value is not None and value.ndim == 0 or tensor._shape == () else denoted_shape(tensor)


def _item_shape(position):
    return lambda node: element_shape_of(node.inputs[position])


def _rows_shape(node, rows, position=1):
    element = element_shape_of(node.inputs[position])
    return None if element is None else (rows, *element)


def shape_input(shape):
    """A static shape as the value of element_shape: -1 for unknown sizes."""
    return np.int32(-1) if shape is None else np.array([-1 if d is None else d for d in shape], np.int32)


def _shape_of(tensor):
    """The shape of a tensor as an element_shape: a constant if it is static."""
    shape = tensor._shape
    return shape_input(shape) if shape is not None and None not in shape else basic.shape(tensor)


# ---- construction


@op(f"EmptyTensorList({_shape_arg}, max_num_elements: int32, *, {_kinds}) -> handle: variant", grad=STOP, shape=scalar,
    static=("max_num_elements",))
def empty_tensor_list(element_shape, max_num_elements, element_dtype):
    """An empty tensor list. A maximum >= 0 is enforced while the length is static."""
    return Items((), element_dtype, _known(element_shape), int(max_num_elements))


@op(f"TensorListReserve({_shape_arg}, num_elements: int32, *, {_kinds}) -> handle: variant", grad=STOP, shape=scalar,
    static=("num_elements",), kind=Kind.LIST_RESERVE)
def tensor_list_reserve(room, element_shape, num_elements, element_dtype):
    """A tensor list of `num_elements` uninitialized elements."""
    if is_traced(num_elements):
        return Stacked((), None, num_elements, element_dtype, _known(element_shape), room=room(num_elements))
    count = int(num_elements)
    if count < 0:
        raise errors.InvalidArgumentError(None, None, f"a list cannot have {count} elements")
    return Items((None,) * count, element_dtype, _known(element_shape))


@op(f"TensorListFromTensor(tensor: element_dtype, {_shape_arg}, *, {_kinds}) -> output_handle: variant", shape=scalar,
    kind=Kind.LIST_UNSTACK)
def tensor_list_from_tensor(tensor, element_shape, element_dtype):
    """A tensor list of the rows of a tensor."""
    if np.ndim(tensor) == 0:
        raise errors.InvalidArgumentError(None, None, "a list is made of the rows of a tensor; a scalar has none")
    known = _known(element_shape)
    if not is_traced(tensor):
        return Items.of_rows(tensor, element_dtype, known if known is not None else tensor.shape[1:])
    shape = known if known is not None else tensor.shape[1:]
    return Stacked((tensor,), None, int(tensor.shape[0]), element_dtype, shape)


@tensor_list_from_tensor.grad
def _(op, dlist):
    rows = op.inputs[0]._shape
    may_grow = "_may_grow" in op.extra  # then the gradient has elements beyond those of the tensor
    count = -1 if rows is None or rows[0] is None or may_grow else rows[0]
    element = None if rows is None else rows[1:]
    gradient = tensor_list_stack(dlist, shape_input(element), op.attrs["element_dtype"], num_elements=count)
    return (_first_rows(gradient, op.inputs[0]) if may_grow else gradient), None


def _first_rows(tensor, like):
    """As many rows of a tensor as another one has."""
    count = lookup("StridedSlice")(basic.shape(like), [0], [1], [1])
    return lookup("StridedSlice")(tensor, [0], count, [1])


@op(f"TensorListScatterV2(tensor: element_dtype, indices: int32, {_shape_arg}, num_elements: int32, *, {_kinds}) -> "
    "output_handle: variant", shape=scalar, static=("num_elements",))
def tensor_list_scatter_v2(tensor, indices, element_shape, num_elements, element_dtype, node):
    """A tensor list with the rows of `tensor` at `indices`, of `num_elements` elements, or just enough for -1."""
    return _scattered(tensor, indices, element_shape, int(num_elements), element_dtype, node)


@op(f"TensorListScatter(tensor: element_dtype, indices: int32, {_shape_arg}, *, {_kinds}) -> output_handle: variant",
    shape=scalar)
def tensor_list_scatter(tensor, indices, element_shape, element_dtype, node):
    """A tensor list with the rows of `tensor` at `indices`, just long enough."""
    return _scattered(tensor, indices, element_shape, -1, element_dtype, node)


def _scattered(tensor, indices, element_shape, count, element_dtype, node):
    if count < 0:
        if is_traced(indices):
            raise NeedStatic(node.inputs[1])
        count = int(indices.max(initial=-1)) + 1
    known = _known(element_shape)
    start = Items((None,) * count, element_dtype, known if known is not None else tuple(np.shape(tensor)[1:]))
    return _set_rows(start, tensor, indices)


def _set_rows(target, tensor, indices):
    if is_all(indices, target.length) and is_traced(tensor) and target.length:
        return Stacked((tensor,), None, target.length, target.element_dtype, target.element_shape)
    if not is_traced(indices):
        if indices.size and (indices.min() < 0 or indices.max() >= target.length):
            raise errors.InvalidArgumentError(None, None, f"the indices {indices.tolist()} must lie in a list of "
                                                          f"{target.length} elements")
        if isinstance(target, Items):
            items = list(target.items)
            for position, index in enumerate(indices.tolist()):
                items[index] = tensor[position]
            return Items(tuple(items), target.element_dtype, target.element_shape)
    return target.stacked().set_rows(indices, tensor)


@tensor_list_scatter.grad
def _(op, dlist):
    return [_rows_at(op, dlist), None, None]


@tensor_list_scatter_v2.grad
def _(op, dlist):
    return [_rows_at(op, dlist), None, None, None]


def _rows_at(op, dlist):
    rows = op.inputs[0]._shape
    element = shape_input(None if rows is None else rows[1:])
    return tensor_list_gather(dlist, op.inputs[1], element, op.attrs["element_dtype"])


@op("TensorListScatterIntoExistingList(input_handle: variant, tensor: element_dtype, indices: int32, *, "
    "element_dtype: type) -> output_handle: variant", shape=scalar)
def tensor_list_scatter_into_existing_list(node, input_handle, tensor, indices):
    """A tensor list with the rows of `tensor` set at `indices`; grows as needed."""
    if not is_traced(indices) and not isinstance(input_handle.length, int):
        raise NeedStatic(node.inputs[0])
    if not is_traced(indices) and isinstance(input_handle, Items):
        input_handle = input_handle.resized(max(input_handle.length, int(indices.max(initial=-1)) + 1))
    return _set_rows(input_handle, tensor, indices)


@tensor_list_scatter_into_existing_list.grad
def _(op, dlist):
    _, tensor, indices = op.inputs
    rest = tensor_list_scatter_into_existing_list(dlist, basic.zeros_like(tensor), indices)
    return [rest, tensor_list_gather(dlist, indices, shape_input(None), op.attrs["element_dtype"]), None]


@op(f"TensorListSplit(tensor: element_dtype, {_shape_arg}, lengths: int64, *, {_kinds}) -> output_handle: variant",
    shape=scalar, static=("lengths",))
def tensor_list_split(tensor, element_shape, lengths, element_dtype):
    """Splits a tensor into a tensor list of consecutive pieces with `lengths` rows."""
    if lengths.sum() != np.shape(tensor)[0] or (lengths < 0).any():
        raise errors.InvalidArgumentError(None, None, f"Invalid lengths {lengths.tolist()} for a tensor of "
                                                      f"{np.shape(tensor)[0]} rows")
    ends = np.cumsum(lengths).tolist()
    pieces = tuple(tensor[end - length:end] for end, length in zip(ends, lengths.tolist()))
    return Items(pieces, element_dtype, _known(element_shape))


@tensor_list_split.grad
def _(op, dlist):
    shape = op.inputs[0]._shape
    element = shape_input(None if shape is None else (None, *shape[1:]))
    whole, _ = tensor_list_concat_v2(dlist, element, op.inputs[2], op.attrs["element_dtype"])
    return [whole, None, None]


# ---- content


@op("TensorListLength(input_handle: variant) -> length: int32", grad=STOP, shape=scalar, kind=Kind.LIST_LENGTH)
def tensor_list_length(input_handle):
    """The number of elements of a tensor list."""
    return np.asarray(input_handle.length, np.int32) if isinstance(input_handle.length, int) else input_handle.length


@op("TensorListElementShape(input_handle: variant, *, shape_type: index) -> element_shape: shape_type", grad=STOP,
    shape=lambda: None)
def tensor_list_element_shape(input_handle):
    """The known shape of the elements: -1 for unknown sizes."""
    return shape_input(input_handle.element_shape)


@op("TensorListStack(input_handle: variant, element_shape: int32, *, element_dtype: type, num_elements: int = -1) -> "
    "tensor: element_dtype",
    shape=lambda node, num_elements: _rows_shape(node, None if num_elements < 0 else num_elements),
    kind=Kind.LIST_STACK)
def tensor_list_stack(node, input_handle, element_shape, num_elements):
    """Stacks the elements of a tensor list to one tensor."""
    if not isinstance(input_handle.length, int):
        raise NeedStatic(node.inputs[0])
    if num_elements >= 0 and isinstance(input_handle.length, int) and input_handle.length != num_elements:
        raise errors.InvalidArgumentError(None, None, f"Operation expected a list with {num_elements} elements but got "
                                                      f"a list with {input_handle.length} elements.")
    return input_handle.rows(_known(element_shape))


@tensor_list_stack.grad
def _(op, dy):
    return tensor_list_from_tensor(dy, op.inputs[1]), None


@op("TensorListGather(input_handle: variant, indices: int32, element_shape: int32, *, element_dtype: type) -> "
    "values: element_dtype")
def tensor_list_gather(check, input_handle, indices, element_shape):
    """Stacks the elements at `indices` to one tensor."""
    return input_handle.take(indices, _known(element_shape), check)


@tensor_list_gather.shape
def _(node, indices):
    return _rows_shape(node, None if indices is None else indices[0], 2)


@tensor_list_gather.grad
def _(op, dy):
    handle, indices, element = op.inputs
    return [tensor_list_scatter_v2(dy, indices, element, tensor_list_length(handle)), None, None]


_concat_outputs = "tensor: element_dtype, lengths: int64"


@op("TensorListConcatV2(input_handle: variant, element_shape: shape_type, leading_dims: int64, *, element_dtype: type, "
    f"shape_type: index) -> {_concat_outputs}", static=("leading_dims",))
def tensor_list_concat_v2(node, input_handle, element_shape, leading_dims):
    """Concatenates the elements, and returns the rows of each; uninitialized ones have `leading_dims` rows of zeros."""
    return _concatenated(input_handle, _known(element_shape), leading_dims, node)


@tensor_list_concat_v2.shape
def _(node):
    element = element_shape_of(node.inputs[1])
    return [None if element is None else (None, *element[1:]), (None,)]


@op("TensorListConcat(input_handle: variant, *, element_dtype: type, element_shape: shape = None) -> "
    f"{_concat_outputs}", shape=lambda element_shape: [element_shape and (None, *element_shape[1:]), (None,)])
def tensor_list_concat(node, input_handle, element_shape):
    """Concatenates the elements, and returns the number of rows of each."""
    return _concatenated(input_handle, element_shape, np.zeros(0, np.int64), node)


def _concatenated(target, shape, leading_dims, node):
    if not isinstance(target.length, int):
        raise NeedStatic(node.inputs[0])
    if isinstance(target, Items) and leading_dims.size == target.length and shape is not None:
        filled = [np.zeros((int(n), *shape[1:]), target.element_dtype) if item is None else item
                  for item, n in zip(target.items, leading_dims)]
        target = Items(tuple(filled), target.element_dtype, target.element_shape)
    if isinstance(target, Stacked) and target.length and np.ndim(rows := target.rows(shape)) > 1:
        count, length, *rest = rows.shape
        return rows.reshape(count * length, *rest), np.full(target.length, length, np.int64)
    elements = target.elements(shape)
    lengths = np.array([np.shape(e)[0] for e in elements], np.int64)
    if not elements:
        known = shape if shape is not None else target.element_shape
        if known is None or None in known[1:]:
            raise errors.UnimplementedError(None, None, "a list without elements cannot be concatenated unless all of "
                                                        f"their dimensions but the first are known: {known}")
        return np.zeros((0, *known[1:]), target.element_dtype), lengths
    if not any(map(is_traced, elements)):
        return np.concatenate(elements), lengths
    import jax.numpy as jnp

    return jnp.concatenate([jnp.asarray(e) for e in elements]), lengths


@tensor_list_concat_v2.grad
def _(op, dy, dlengths):
    return [tensor_list_split(dy, op.inputs[1], op.outputs[1]), None, None]


@tensor_list_concat.grad
def _(op, dy, dlengths):
    return tensor_list_split(dy, shape_input(op.attrs["element_shape"]), op.outputs[1])


# ---- single elements


@op("TensorListGetItem(input_handle: variant, index: int32, element_shape: int32, *, element_dtype: type) -> "
    "item: element_dtype", shape=_item_shape(2), kind=Kind.LIST_GET)
def tensor_list_get_item(check, input_handle, index, element_shape):
    """One element; zeros if it is uninitialized and its shape is known."""
    return input_handle.get(index, _known(element_shape), check)


@tensor_list_get_item.bind
def _(node, known):
    def got(input_handle, index, element_shape):
        item = input_handle.written_at(int(index)) if type(input_handle) is Items else None
        return item if item is not None \
            else tensor_list_get_item.kernel(check_now, input_handle, index, element_shape)
    return got


@tensor_list_get_item.grad
def _(op, ditem):
    handle, index, _ = op.inputs
    blank = tensor_list_reserve(_shape_of(op.outputs[0]), tensor_list_length(handle), op.attrs["element_dtype"])
    return [tensor_list_set_item(blank, index, ditem), None, None]


def _is_slope_of_element(node):
    """Whether a node fills a blank list as the gradient of reading an element does."""
    blank = node._inputs[0].source
    return blank.opdef.kind is Kind.LIST_RESERVE and blank._inputs[1].source.opdef.kind is Kind.LIST_LENGTH


def _added_element(node, resolve, users):
    """The fusion of the gradient of reading an element with its addition to those of other elements."""
    sums = users(node.outputs[0])
    if len(sums) != 1 or sums[0].type != "AddN" or len(sums[0].inputs) != 2 or not _is_slope_of_element(node):
        return None
    total, blank = sums[0], node._inputs[0].source
    others = [tensor for tensor in map(resolve, total.inputs) if tensor.op is not node]
    if len(others) != 1 or others[0].op.age > node.age:
        return None
    length = resolve(blank.inputs[1]).op
    inputs = (others[0], resolve(length.inputs[0]), resolve(blank.inputs[0]), *map(resolve, node.inputs[1:]))

    def added(total, alike, element_shape, index, item):
        if type(total) is Items and type(item) is np.ndarray and total.length == alike.length:
            place = int(index)
            if 0 <= place < total.length:
                return (total.added_at(place, item),)
        zeros = tensor_list_reserve.kernel(element_shape, tensor_list_length.kernel(alike), alike.element_dtype)
        return (total + tensor_list_set_item.kernel(check_now, node, zeros, index, item),)
    return Fusion(frozenset((node, blank, total)), inputs, (total.outputs[0],), added, frozenset((length,)))


@op("TensorListSetItem(input_handle: variant, index: int32, item: element_dtype, *, element_dtype: type) -> "
    "output_handle: variant", shape=scalar, kind=Kind.LIST_SET, later={"resize_if_index_out_of_bounds": ANY},
    fusion=_added_element)
def tensor_list_set_item(check, node, input_handle, index, item):
    """The tensor list with one element replaced."""
    grows = node.extra.get("resize_if_index_out_of_bounds")  # an attr of later TensorFlow versions
    if grows is not None and grows.b:
        if isinstance(input_handle, Items) and not is_traced(index) and index == input_handle.length:
            return input_handle.push(item, check)
        input_handle = input_handle.reaching(index, check)
    if not isinstance(input_handle.length, int) and _is_slope_of_element(node):
        return Single(index, item, input_handle.length, input_handle.element_dtype, input_handle.element_shape,
                      getattr(input_handle, "room", None))
    return input_handle.set(index, item, check)


@tensor_list_set_item.grad
def _(op, dlist):
    _, index, item = op.inputs
    ditem = tensor_list_get_item(dlist, index, _shape_of(item), op.attrs["element_dtype"])
    return [tensor_list_set_item(dlist, index, basic.zeros_like(item)), None, ditem]


@op("TensorListPushBack(input_handle: variant, tensor: element_dtype, *, element_dtype: type) -> "
    "output_handle: variant", shape=scalar, kind=Kind.LIST_PUSH)
def tensor_list_push_back(check, node, input_handle, tensor):
    """The tensor list with one element appended."""
    if "_all_alike" in node.extra:  # this list has no other pushes: see passes/imported/arrays_to_lists.py
        return input_handle.push_alike(tensor, check)
    return input_handle.push(tensor, check)


@tensor_list_push_back.bind
def _(node, known):
    def pushed(input_handle, tensor):
        if type(input_handle) is Items:
            return input_handle.push(tensor)
        return tensor_list_push_back.kernel(check_now, node, input_handle, tensor)
    return pushed


@tensor_list_push_back.grad
def _(op, dlist):
    return list(tensor_list_pop_back(dlist, _shape_of(op.inputs[1]), op.attrs["element_dtype"]))


@op("TensorListPopBack(input_handle: variant, element_shape: int32, *, element_dtype: type) -> output_handle: variant, "
    "tensor: element_dtype", shape=lambda node: [(), element_shape_of(node.inputs[1])], kind=Kind.LIST_POP)
def tensor_list_pop_back(input_handle, element_shape):
    """The tensor list without its last element, and that element."""
    found = input_handle.pop_written() if type(input_handle) is Items else None
    return found or input_handle.pop(_known(element_shape))


@tensor_list_pop_back.grad
def _(op, dlist, delement):
    if delement is None:
        delement = basic.zeros_like(op.outputs[1])
    return [tensor_list_push_back(dlist, delement), None]


@op("TensorListResize(input_handle: variant, size: int32) -> output_handle: variant", stateful=True, shape=scalar,
    static=("size",))
def tensor_list_resize(input_handle, size):
    """The tensor list truncated to `size` elements, or extended with uninitialized ones."""
    if size < 0:
        raise errors.InvalidArgumentError(None, None, f"a list cannot have {int(size)} elements")
    return input_handle.resized(int(size))


@tensor_list_resize.grad
def _(op, dlist):
    return tensor_list_resize(dlist, tensor_list_length(op.inputs[0])), None


# ---- batches of lists


@op("TensorListPushBackBatch(input_handles: variant, tensor: element_dtype, *, element_dtype: type) -> "
    "output_handles: variant", on="host", shape=lambda input_handles: input_handles, grad=STOP)
def tensor_list_push_back_batch(input_handles, tensor):
    """Appends to each tensor list of a vector the corresponding row of `tensor`."""
    lists = input_handles if isinstance(input_handles, np.ndarray) else np.array([input_handles], object)
    result = np.empty(len(lists), object)
    for i, target in enumerate(lists):
        result[i] = target.push(tensor[i])
    return result


@op("TensorListConcatLists(input_a: variant, input_b: variant, *, element_dtype: type) -> output: variant",
    shape=lambda input_a, input_b: merge(input_a, input_b), grad=STOP)
def tensor_list_concat_lists(input_a, input_b):
    """Concatenates two tensor lists."""
    if isinstance(input_a, np.ndarray):
        result = np.empty(input_a.shape, object)
        for index in np.ndindex(input_a.shape):
            result[index] = _chained(input_a[index], input_b[index])
        return result
    return _chained(input_a, input_b)


def _chained(first, second):
    for item in second.items if isinstance(second, Items) else second.elements(None):
        first = first.push(item)
    return first

