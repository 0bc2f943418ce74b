"""Serialization of sparse tensors to strings or variants of three parts, and maps that keep them between steps."""
import itertools
import threading

import numpy as np

from evergraph import proto
from evergraph.base import dtypes
from evergraph.base.errors import invalid
from evergraph.formats.tensor_messages import proto_to_array, shape_to_proto
from evergraph.graph.opdef import STOP, op
from evergraph.graph.shaping import require_equal, require_rank, with_rank
from evergraph.kernel.context import check_now
from evergraph.ops.sparse.sparse import check_bounds, check_order, check_parts

_PARTS = "sparse_indices: int64, sparse_values: T, sparse_shape: int64"
_RESULT = "sparse_indices: int64, sparse_values: dtype, sparse_shape: int64"


# ---- serialization


def _parts_shape(result):
    def shape(sparse_indices, sparse_values, sparse_shape):
        for part, rank in ((sparse_indices, 2), (sparse_values, 1), (sparse_shape, 1)):
            require_rank(part, rank)
        return result
    return shape


@op(f"SerializeSparse({_PARTS}, *, T: type, out_type: {{string, variant}} = string) -> serialized_sparse: out_type",
    on="host", grad=STOP, shape=_parts_shape((3,)))
def serialize_sparse(sparse_indices, sparse_values, sparse_shape, node):
    """Serializes a sparse tensor to three elements: indices, values and shape."""
    check_parts(sparse_indices, sparse_values, sparse_shape)
    write = _writer(node)
    return as_row([write(sparse_indices), write(sparse_values, node.attrs["T"]), write(sparse_shape)])


@op(f"SerializeManySparse({_PARTS}, *, T: type, out_type: {{string, variant}} = string) -> "
    "serialized_sparse: out_type", on="host", grad=STOP, shape=_parts_shape((None, 3)))
def serialize_many_sparse(sparse_indices, sparse_values, sparse_shape, node):
    """Serializes each slice of a sparse tensor along its first axis to a row of three elements."""
    slices = _slices(sparse_indices, sparse_values, sparse_shape)
    write, kind = _writer(node), node.attrs["T"]
    result = np.empty((len(slices), 3), object)
    for number, (indices, values, shape) in enumerate(slices):
        result[number] = as_row([write(indices), write(values, kind), write(shape)])
    return result


def as_row(parts):
    """The three parts of a sparse tensor as a vector."""
    row = np.empty(3, object)
    for position, part in enumerate(parts):
        row[position] = part
    return row


def _writer(node):
    """The function that serializes an array: to a message, or to a variant."""
    if node.attrs["out_type"] is dtypes.variant:
        return lambda array, kind=None: array
    return lambda array, kind=None: _message(array, kind)


def _message(array, kind):
    """A tensor message with the elements' bytes; strings are packed after their lengths."""
    if array.dtype == object:
        items = array.reshape(-1).tolist()
        content = b"".join([*(_varint(len(item)) for item in items), *items])
    else:
        content = array.tobytes()
    kind = dtypes.as_dtype(array.dtype) if kind is None else kind
    message = proto.tensor_pb2.TensorProto(dtype=kind.enum, tensor_shape=shape_to_proto(array.shape),
                                           tensor_content=content)
    return message.SerializeToString()


def _varint(number):
    """Encodes a number as a varint."""
    result = bytearray()
    while number >= 0x80:
        result.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*result, number])


def _slices(indices, values, shape):
    if np.size(shape) < 2:
        raise invalid(f"only a sparse tensor with rows can be taken apart, got rank {np.size(shape)}")
    return parts_of_slices(indices, values, shape)


def parts_of_slices(indices, values, shape):
    """(indices, values, shape) of each slice of a sparse tensor along its first axis."""
    check_parts(indices, values, shape)
    check_bounds(np, check_now, indices, shape)
    check_order(np, check_now, indices)
    ends = np.searchsorted(indices[:, 0], np.arange(int(shape[0]) + 1))
    return [(indices[start:end, 1:], values[start:end], shape[1:]) for start, end in itertools.pairwise(ends)]


# ---- deserialization


@op(f"DeserializeSparse(serialized_sparse: Tserialized, *, dtype: type, Tserialized: {{string, variant}} = string) -> "
    f"{_RESULT}", on="host", grad=STOP)
def deserialize_sparse(serialized_sparse, dtype, node):
    """Deserializes sparse tensors and stacks them along new leading axes."""
    if not np.ndim(serialized_sparse):
        raise invalid("a serialized sparse tensor has three parts, got a scalar []")
    if serialized_sparse.shape[-1] != 3:
        raise invalid(f"a serialized sparse tensor has three parts, got shape {list(serialized_sparse.shape)}")
    if not serialized_sparse.size:
        raise invalid(f"there is no serialized sparse tensor in an array of shape "
                      f"{list(serialized_sparse.shape)}")
    outer = serialized_sparse.shape[:-1]
    found = [_read(row, node.attrs["dtype"], number)
             for number, row in enumerate(serialized_sparse.reshape(-1, 3))]
    if not outer:
        return found[0]
    indices, values, shape = _stacked(found)
    front = np.stack(np.unravel_index(indices[:, 0], outer), axis=1).astype(np.int64)
    return (np.concatenate([front, indices[:, 1:]], axis=1), values,
            np.concatenate([np.array(outer, np.int64), shape[1:]]))


@deserialize_sparse.shape
def _(serialized_sparse):
    if serialized_sparse:
        require_equal(serialized_sparse[-1], 3)
    return [(None, None), (None,), (None,)]


@op(f"DeserializeManySparse(serialized_sparse: string, *, dtype: type) -> {_RESULT}", on="host", grad=STOP)
def deserialize_many_sparse(serialized_sparse, node):
    """Deserializes the sparse tensors in the rows and stacks them along a new first axis."""
    if np.ndim(serialized_sparse) != 2:
        raise invalid(f"serialized_sparse should be a matrix, but has shape {list(np.shape(serialized_sparse))}")
    if serialized_sparse.shape[1] != 3:
        raise invalid(f"Each row of serialized_sparse should have 3 entries, not {serialized_sparse.shape[1]}")
    if not len(serialized_sparse):
        raise invalid("there is no sparse tensor to join")
    return _stacked([_read(row, node.attrs["dtype"], number) for number, row in enumerate(serialized_sparse)])


@deserialize_many_sparse.shape
def _(serialized_sparse):
    require_equal(with_rank(serialized_sparse, 2)[1], 3)
    return [(None, None), (None,), (None,)]


def _read(row, dtype, number):
    """Deserializes (indices, values, shape) from three elements."""
    indices, values, shape = (_array(part, number) for part in row)
    for what, array, kind, rank in (("indices", indices, dtypes.int64, 2), ("values", values, dtype, 1),
                                    ("shape", shape, dtypes.int64, 1)):
        if array.dtype != kind.np:
            raise invalid(f"Requested SparseTensor of type {kind.name} but SparseTensor[{number}].{what}.dtype() == "
                          f"{array.dtype}")
        if array.ndim != rank:
            raise invalid(f"Expected serialized_sparse[{number}] to represent {what} of rank {rank} but received shape "
                          f"{list(array.shape)}")
    if len(indices) != len(values):
        raise invalid(f"Expected row counts of SparseTensor[{number}].indices and SparseTensor[{number}].values to "
                      f"match but they do not: {len(indices)} vs. {len(values)}")
    if indices.shape[1] != len(shape):
        raise invalid(f"Expected column counts of SparseTensor[{number}].indices to match size of "
                      f"SparseTensor[{number}].shape but they do not: {indices.shape[1]} vs. {len(shape)}")
    return indices, values, shape


def _array(part, number):
    """Deserializes one element to an array."""
    if isinstance(part, np.ndarray):
        return part
    message = proto.tensor_pb2.TensorProto()
    try:
        message.ParseFromString(part)
        return proto_to_array(message)
    except Exception as error:  # protobuf has a class of its own for malformed messages
        raise invalid(f"Could not parse serialized proto of SparseTensor[{number}]: {error}") from None


def _stacked(parts):
    """Stacks sparse tensors along a new first axis; the shape is the elementwise maximum."""
    first, *others = (len(shape) for _, _, shape in parts)
    for number, rank in enumerate(others, 1):
        if rank != first:
            raise invalid(f"Inconsistent shape across SparseTensors: rank prior to SparseTensor[{number}] was: {first} "
                          f"but rank of SparseTensor[{number}] is: {rank}")
    rows = [np.insert(indices, 0, number, axis=1) for number, (indices, _, _) in enumerate(parts)]
    whole = np.max([shape for _, _, shape in parts], axis=0)
    return (np.concatenate(rows), np.concatenate([values for _, values, _ in parts]),
            np.array([len(parts), *whole], np.int64))


# ---- maps


class TensorsMap:
    """Sparse tensors by handle, kept between steps."""

    def __init__(self):
        self._lock, self._numbers, self._kept = threading.Lock(), itertools.count(), {}

    def add(self, parts):
        with self._lock:
            number = next(self._numbers)
            self._kept[number] = parts
        return number

    def take(self, numbers):
        """Removes and returns the sparse tensors with these handles."""
        with self._lock:
            missing = [n for n in numbers if n not in self._kept]
            if missing:
                raise invalid(f"Unable to find SparseTensor: {missing[0]} in map")
            return [self._kept.pop(n) for n in numbers]


_NAMED = "container: string = '', shared_name: string = ''"


@op(f"AddSparseToTensorsMap({_PARTS}, *, T: type, {_NAMED}) -> sparse_handle: int64", stateful=True, on="host",
    grad=STOP, shape=_parts_shape(()))
def add_sparse_to_tensors_map(shared, sparse_indices, sparse_values, sparse_shape):
    """Adds a sparse tensor to a map and returns its handle."""
    check_parts(sparse_indices, sparse_values, sparse_shape)
    return np.int64(shared(TensorsMap).add((sparse_indices, sparse_values, sparse_shape)))


@op(f"AddManySparseToTensorsMap({_PARTS}, *, T: type, {_NAMED}) -> sparse_handles: int64", stateful=True, on="host",
    grad=STOP, shape=_parts_shape((None,)))
def add_many_sparse_to_tensors_map(shared, sparse_indices, sparse_values, sparse_shape):
    """Adds the slices of a sparse tensor along its first axis to a map and returns their handles."""
    kept = shared(TensorsMap)
    return np.array([kept.add(parts) for parts in _slices(sparse_indices, sparse_values, sparse_shape)], np.int64)


@op(f"TakeManySparseFromTensorsMap(sparse_handles: int64, *, dtype: type, {_NAMED}) -> {_RESULT}", stateful=True,
    on="host", grad=STOP)
def take_many_sparse_from_tensors_map(shared, sparse_handles, dtype):
    """Removes sparse tensors from a map and stacks them along a new first axis."""
    if np.ndim(sparse_handles) != 1:
        raise invalid(f"sparse_handles should be a vector; its shape is {list(np.shape(sparse_handles))}")
    if not len(sparse_handles):
        raise invalid("there is no sparse tensor to join")
    found = shared(TensorsMap).take(sparse_handles.tolist())
    for number, (_, values, shape) in enumerate(found):
        if len(shape) != len(found[0][2]):  # ranks in the result
            raise invalid(f"Inconsistent rank across SparseTensors: rank prior to SparseTensor[{number}] was: "
                          f"{len(found[0][2]) + 1} but rank of SparseTensor[{number}] is: {len(shape) + 1}")
        if values.dtype != dtype:
            raise invalid(f"Requested SparseTensor of type {dtype} but SparseTensor[{number}].values.dtype() == "
                          f"{values.dtype}")
    return _stacked(found)


@take_many_sparse_from_tensors_map.shape
def _(sparse_handles):
    require_rank(sparse_handles, 1)
    return [(None, None), (None,), (None,)]
