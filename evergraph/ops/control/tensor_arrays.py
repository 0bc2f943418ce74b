"""TensorFlow 1's tensor arrays: mutable objects that loops write and read, ordered by the flow that each op forwards.

Programs built here use tensor lists for tf.TensorArray (see lists.py); these ops come with imported graphs. In a graph
with loops, passes/imported/arrays_to_lists.py converts them to lists before it runs. An array that is not converted
lives for one step, in host memory.
"""

import numpy as np

from evergraph.base import errors
from evergraph.base.shapes import text as shape_text
from evergraph.graph import shaping
from evergraph.graph.opdef import STOP, op

_FLOW = np.float32(0)


class TensorArrayValue:
    """The elements of an array; None where nothing was written.

    Attributes:
        dtype: the elements' dtype.
        shape: the known part of the elements' shape.
        adds: whether repeated writes accumulate, as in arrays of gradients.
        gradients: the gradient arrays of this array, by source.
    """

    def __init__(self, size, dtype, shape=None, grows=False, clears=True, alike=False, adds=False):
        if size < 0:
            raise _wrong("Size should be >= 0.")
        self.items, self.dtype, self.shape = [None] * size, dtype, shape
        self.grows, self.clears, self.alike, self.adds = grows, clears, alike, adds
        self.read_places, self.gradients, self.is_open = set(), {}, True

    def write(self, index, value):
        self._require_open()
        if index < 0 or index >= len(self.items) and not self.grows:
            kind = "" if self.grows else " but array is not resizeable"
            raise _wrong(f"Tried to write to index {index}{kind} and size is: {len(self.items)}")
        if value.dtype != self.dtype:
            raise _wrong(f"a TensorArray of dtype {self.dtype} cannot hold {value.dtype}.")
        self._require_shape(value)
        self.items += [None] * (index + 1 - len(self.items))
        if index in self.read_places:
            raise _wrong(f"Could not write to TensorArray index {index} because it has already been read.")
        if self.items[index] is None:
            self.items[index] = value
        elif self.adds:
            self.items[index] = self.items[index] + value
        else:
            raise _wrong(f"Could not write to TensorArray index {index} because it has already been written to.")

    def read(self, index, dtype):
        self._require_open()
        if not 0 <= index < len(self.items):
            raise _wrong(f"index {index} is read from a TensorArray of {len(self.items)} elements")
        if dtype != self.dtype:
            raise _wrong(f"TensorArray dtype is {self.dtype} but Op requested dtype {dtype}.")
        if self.clears and index in self.read_places:
            raise _wrong(f"Could not read index {index} twice: reading clears it, unless the TensorArray is made with "
                         f"clear_after_read=False")
        value = self.items[index] if self.items[index] is not None else self._unwritten(index)
        self.read_places.add(index)
        if self.clears:
            self.items[index] = None
        return value

    def _unwritten(self, index):
        shape = self.shape[index] if isinstance(self.shape, list) else self.shape
        if shape is None or None in shape:
            raise _wrong(f"Could not read from TensorArray index {index}: it was not written, and the shape of its "
                         f"elements is not fully known: {shape_text(shape)}")
        return np.zeros(shape, self.dtype) if not self.dtype.hasobject else np.full(shape, b"", object)

    def _require_shape(self, value):
        if self.shape is None or isinstance(self.shape, list):
            return
        fits = all(want in (None, have) for want, have in zip(self.shape, value.shape))
        if len(self.shape) != value.ndim or not fits:
            raise _wrong(f"TensorArray wants elements of shape {shape_text(self.shape)}, but one of shape "
                         f"{shape_text(value.shape)} is written to it.")

    def _require_open(self):
        if not self.is_open:
            raise _wrong("TensorArray has already been closed.")

    def gradient(self, source, prepended=()):
        """The array that accumulates the gradients of this array's elements."""
        if source not in self.gradients:
            shapes = [None if item is None else (*prepended, *item.shape) for item in self.items]
            if not isinstance(self.shape, list) and self.shape is not None and None not in self.shape:
                shapes = [(*prepended, *self.shape)] * len(self.items)
            known = TensorArrayValue(len(self.items), self.dtype, shapes, clears=self.clears, adds=True)
            self.gradients[source] = known
        return self.gradients[source]


def _wrong(text):
    return errors.InvalidArgumentError(None, None, text)


def _size_zero(attr):
    return errors.UnimplementedError(None, None, f"TensorArray has size zero, but {attr} is not fully defined.")


def _alike(array, value):
    """Fixes the shape of an array with identical element shapes to that of its first element."""
    if array.alike and array.shape != value.shape:
        array._require_shape(value)
        array.shape = value.shape


# ---- construction

_arrays = "dynamic_size: bool = False, clear_after_read: bool = True, identical_element_shapes: bool = False"


@op(f"TensorArrayV3(size: int32, *, dtype: type, element_shape: shape = None, {_arrays}, "
    "tensor_array_name: string = '') -> handle: resource, flow: float", stateful=True, on="host",
    shape=lambda: [(2,), ()], grad=STOP)
def tensor_array_v3(size, dtype, element_shape, dynamic_size, clear_after_read, identical_element_shapes):
    """Creates a tensor array of `size` elements. Its name is ignored: every step has its own array."""
    made = TensorArrayValue(int(size), dtype, element_shape, dynamic_size, clear_after_read, identical_element_shapes)
    return made, _FLOW


@op("TensorArrayGradV3(handle: resource, flow_in: float, *, source: string) -> grad_handle: resource, flow_out: float",
    stateful=True, on="host", shape=lambda: [(2,), ()], grad=STOP)
def tensor_array_grad_v3(handle, flow_in, source):
    """The gradient array of a tensor array, shared by all calls with the same source."""
    return handle.gradient(source), _FLOW


@op("TensorArrayGradWithShape(handle: resource, flow_in: float, shape_to_prepend: int32, *, source: string) "
    "-> grad_handle: resource, flow_out: float", stateful=True, on="host", shape=lambda: [None, None], grad=STOP)
def tensor_array_grad_with_shape(handle, flow_in, shape_to_prepend, source):
    """The gradient array of a tensor array, with dimensions prepended to the elements' shape."""
    return handle.gradient(source, tuple(shape_to_prepend.tolist())), _FLOW


@op("TensorArrayCloseV3(handle: resource) -> ()", stateful=True, on="host")
def tensor_array_close_v3(handle):
    """Deletes the elements of a tensor array."""
    handle.items.clear()
    handle.is_open = False


# ---- elements


@op("TensorArrayWriteV3(handle: resource, index: int32, value: T, flow_in: float, *, T: type) -> flow_out: float",
    stateful=True, on="host", shape=lambda: ())
def tensor_array_write_v3(handle, index, value, flow_in):
    """Writes one element."""
    _alike(handle, value)
    handle.write(int(index), value)
    return _FLOW


@op("TensorArrayReadV3(handle: resource, index: int32, flow_in: float, *, dtype: type) -> value: dtype", stateful=True,
    on="host", shape=lambda: None)
def tensor_array_read_v3(handle, index, flow_in, dtype):
    """Reads one element."""
    return handle.read(int(index), dtype)


@op("TensorArraySizeV3(handle: resource, flow_in: float) -> size: int32", stateful=True, on="host", shape=lambda: (),
    grad=STOP)
def tensor_array_size_v3(handle, flow_in):
    """The number of elements."""
    return np.int32(len(handle.items))


# ---- all elements


def _stacked_shape(indices, element_shape):
    rows = shaping.with_rank(indices, 1)[0]
    return None if element_shape is None else (rows, *element_shape)


@op("TensorArrayGatherV3(handle: resource, indices: int32, flow_in: float, *, dtype: type, "
    "element_shape: shape = None) -> value: dtype", stateful=True, on="host", shape=_stacked_shape)
def tensor_array_gather_v3(handle, indices, flow_in, dtype, element_shape):
    """Stacks the elements at `indices` along a new first dimension."""
    if not len(indices):
        known = element_shape if element_shape is not None else handle.shape
        if known is None or isinstance(known, list) or None in known:
            raise _size_zero("element_shape")
        return np.zeros((0, *known), dtype)
    parts = [handle.read(int(index), dtype) for index in indices]
    for part in parts:
        if part.shape != parts[0].shape:
            raise _wrong(f"the elements of the TensorArray differ in shape: {shape_text(parts[0].shape)} and "
                         f"{shape_text(part.shape)}")
    return np.stack(parts)


@op("TensorArrayScatterV3(handle: resource, indices: int32, value: T, flow_in: float, *, T: type) -> flow_out: float",
    stateful=True, on="host")
def tensor_array_scatter_v3(handle, indices, value, flow_in):
    """Writes the rows of a tensor to the elements at `indices`."""
    for index, row in zip(indices, value, strict=True):
        handle.write(int(index), np.asarray(row, value.dtype))
    return _FLOW


@tensor_array_scatter_v3.shape
def _(indices, value):
    if indices is not None and value:
        shaping.require_equal(shaping.with_rank(indices, 1)[0], value[0])
    return ()


@op("TensorArrayConcatV3(handle: resource, flow_in: float, *, dtype: type, element_shape_except0: shape = None) "
    "-> value: dtype, lengths: int64", stateful=True, on="host")
def tensor_array_concat_v3(handle, flow_in, dtype, element_shape_except0):
    """Concatenates the elements along their first dimension, and returns the length of each."""
    if not handle.items:
        if element_shape_except0 is None or None in element_shape_except0:
            raise _size_zero("element_shape_except0")
        return np.zeros((0, *element_shape_except0), dtype), np.zeros(0, np.int64)
    parts = [handle.read(index, dtype) for index in range(len(handle.items))]
    if any(part.ndim == 0 for part in parts):
        raise _wrong("Concat saw a scalar shape at an index, but requires at least vectors.")
    if len({part.shape[1:] for part in parts}) > 1:
        raise _wrong("TensorArray has inconsistent shapes: elements may differ in their first dimension only.")
    return np.concatenate(parts), np.array([len(part) for part in parts], np.int64)


@tensor_array_concat_v3.shape
def _(element_shape_except0):
    return [None if element_shape_except0 is None else (None, *element_shape_except0), (None,)]


@op("TensorArraySplitV3(handle: resource, value: T, lengths: int64, flow_in: float, *, T: type) -> flow_out: float",
    stateful=True, on="host", shape=lambda: ())
def tensor_array_split_v3(handle, value, lengths, flow_in):
    """Splits a tensor along its first dimension into parts of the given lengths, and writes them as elements."""
    if lengths.sum() != len(value):
        raise _wrong(f"Expected sum of lengths to be the number of rows: the sum is {lengths.sum()}, the value is "
                     f"{shape_text(value.shape)}")
    if len(handle.items) != len(lengths) and not handle.grows:
        raise _wrong(f"a TensorArray of {len(handle.items)} elements cannot take {len(lengths)} parts: "
                     f"dynamic_size is False")
    ends = np.cumsum(lengths)
    for index, (length, end) in enumerate(zip(lengths, ends, strict=True)):
        handle.write(index, value[end - length:end])
    return _FLOW
