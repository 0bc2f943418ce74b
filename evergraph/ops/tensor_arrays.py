"""TensorArrays of imported graphs: arrays that live for one step and that ops change in place.

Programs built here keep the elements of a `tf.TensorArray` in a tensor list instead (see lists.py). These ops run on
the host: the handle is a Python object, and the `flow` scalar that every op takes and gives keeps them in order.
"""

import numpy as np

from evergraph.base import errors
from evergraph.graph.opdef import STOP, op
from evergraph.graph.shaping import merge, scalar, text


class Array:
    """The elements of a TensorArray during a step.

    Attributes:
        items: the elements; None where nothing was written, CLEARED where it was read and given up.
        gradients: source -> the array of gradients with that name.
        sums: whether writing an element again adds to it, as in gradient arrays.
    """

    def __init__(self, size, dtype, shape, dynamic, clears, name, sums=False):
        self.items, self.dtype, self.shape, self.dynamic, self.clears = [None] * size, dtype, shape, dynamic, clears
        self.name, self.sums, self.gradients = name, sums, {}

    def write(self, index, value):
        if index < 0 or index >= len(self.items) and not self.dynamic:
            raise self._error(f"Tried to write to index {index} but array is not resizeable and size is: "
                              f"{len(self.items)}")
        if not _fits(self.shape, np.shape(value)):
            raise self._error(f"Could not write to TensorArray index {index}: the value's shape is "
                              f"{text(np.shape(value))}, that of elements {text(self.shape)}")
        self.items += [None] * (index + 1 - len(self.items))
        if self.items[index] is None:
            self.items[index] = value
        elif self.sums and self.items[index] is not CLEARED:
            self.items[index] = self.items[index] + value
        else:
            raise self._error(f"Could not write to TensorArray index {index} because it has already been "
                              f"{'read' if self.items[index] is CLEARED else 'written to'}.")

    def read(self, index):
        if not 0 <= index < len(self.items):
            raise self._error(f"Tried to read from index {index} but array size is: {len(self.items)}")
        value = self.items[index]
        if value is CLEARED:
            raise self._error(f"Could not read index {index} twice because it was cleared after a previous read: set "
                              "clear_after_read=False to keep elements")
        if value is None:
            if self.shape is None or None in self.shape:
                raise self._error(f"Could not read from TensorArray index {index}: nothing was written there, and zeros "
                                  f"need the shape of elements, which is {text(self.shape)}")
            return np.zeros(self.shape, self.dtype)
        if self.clears:
            self.items[index] = CLEARED
        return value

    def gradient(self, source, before=()):
        """The array of gradients called `source`, made when it is first asked for."""
        if source not in self.gradients:
            shape = None if self.shape is None else (*before, *self.shape)
            self.gradients[source] = Array(len(self.items), self.dtype, shape, False, self.clears,
                                           f"{self.name}@{source}", sums=True)
        return self.gradients[source]

    def _error(self, message):
        return errors.InvalidArgumentError(None, None, f"TensorArray {self.name}: {message}")


CLEARED = object()


def _fits(wanted, shape):
    return wanted is None or len(wanted) == len(shape) and all(w is None or w == s for w, s in zip(wanted, shape))


def _flow_shape():
    return ()


_host = {"stateful": True, "on": "host"}


@op("TensorArrayV3(size: int32, *, dtype: type, element_shape: shape = None, dynamic_size: bool = False, "
    "clear_after_read: bool = True, identical_element_shapes: bool = False, tensor_array_name: string = '') -> "
    "handle: resource, flow: float", shape=lambda: [(2,), ()], grad=STOP, **_host)
def tensor_array_v3(size, dtype, element_shape, dynamic_size, clear_after_read, tensor_array_name, node):
    """A new array. Elements of different shapes show when they are stacked, also without `identical_element_shapes`."""
    array = Array(int(size), dtype, element_shape, dynamic_size, clear_after_read, tensor_array_name or node.name)
    return array, np.float32(0)


@op("TensorArrayGradV3(handle: resource, flow_in: float, *, source: string) -> grad_handle: resource, flow_out: float",
    shape=lambda: [(2,), ()], grad=STOP, **_host)
def tensor_array_grad_v3(handle, flow_in, source):
    """The array of gradients of another, called `source`: writing to it adds."""
    return handle.gradient(source), flow_in


@op("TensorArrayGradWithShape(handle: resource, flow_in: float, shape_to_prepend: int32, *, source: string) -> "
    "grad_handle: resource, flow_out: float", shape=lambda: [None, ()], grad=STOP, **_host)
def tensor_array_grad_with_shape(handle, flow_in, shape_to_prepend, source):
    """The array of gradients of another, whose elements have more dimensions in front."""
    return handle.gradient(source, tuple(shape_to_prepend.tolist())), flow_in


@op("TensorArrayWriteV3(handle: resource, index: int32, value: T, flow_in: float, *, T: type) -> flow_out: float",
    shape=_flow_shape, **_host)
def tensor_array_write_v3(handle, index, value, flow_in):
    """Writes one element."""
    handle.write(int(index), value)
    return flow_in


@op("TensorArrayReadV3(handle: resource, index: int32, flow_in: float, *, dtype: type) -> value: dtype",
    shape=lambda: None, **_host)
def tensor_array_read_v3(handle, index):
    """One element."""
    return handle.read(int(index))


@op("TensorArrayGatherV3(handle: resource, indices: int32, flow_in: float, *, dtype: type, "
    "element_shape: shape = None) -> value: dtype", **_host)
def tensor_array_gather_v3(handle, indices, dtype, element_shape):
    """The elements at `indices` as one tensor."""
    if indices.size == 0:
        known = merge(element_shape, handle.shape)
        if known is None or None in known:
            raise errors.UnimplementedError(None, None, "stacking no elements needs their shape, which is "
                                                        f"{text(known)}")
        return np.zeros((0, *known), dtype)
    return np.stack([handle.read(int(i)) for i in indices])


@tensor_array_gather_v3.shape
def _(indices, element_shape):
    return None if element_shape is None else (None if indices is None else indices[0], *element_shape)


@op("TensorArrayScatterV3(handle: resource, indices: int32, value: T, flow_in: float, *, T: type) -> flow_out: float",
    shape=_flow_shape, **_host)
def tensor_array_scatter_v3(handle, indices, value, flow_in):
    """Writes the rows of `value` to `indices`."""
    for position, index in enumerate(indices.tolist()):
        handle.write(index, value[position])
    return flow_in


@op("TensorArrayConcatV3(handle: resource, flow_in: float, *, dtype: type, element_shape_except0: shape = None) -> "
    "value: dtype, lengths: int64", **_host)
def tensor_array_concat_v3(handle, dtype, element_shape_except0):
    """The elements one after another, and how many rows each has."""
    elements = [handle.read(i) for i in range(len(handle.items))]
    if not elements:
        return np.zeros((0, *(element_shape_except0 or ())), dtype), np.zeros(0, np.int64)
    return np.concatenate(elements), np.array([len(e) for e in elements], np.int64)


@tensor_array_concat_v3.shape
def _(element_shape_except0):
    return [None if element_shape_except0 is None else (None, *element_shape_except0), (None,)]


@op("TensorArraySplitV3(handle: resource, value: T, lengths: int64, flow_in: float, *, T: type) -> flow_out: float",
    shape=_flow_shape, **_host)
def tensor_array_split_v3(handle, value, lengths, flow_in):
    """Writes consecutive pieces of `value`, of `lengths` rows."""
    if lengths.sum() != len(value):
        raise errors.InvalidArgumentError(None, None, f"the lengths {lengths.tolist()} do not add up to the rows of a "
                                                      f"value of shape {text(value.shape)}")
    for i, piece in enumerate(np.split(value, np.cumsum(lengths)[:-1])):
        handle.write(i, piece)
    return flow_in


@op("TensorArraySizeV3(handle: resource, flow_in: float) -> size: int32", shape=scalar, grad=STOP, **_host)
def tensor_array_size_v3(handle):
    """The number of elements."""
    return np.int32(len(handle.items))


@op("TensorArrayCloseV3(handle: resource) -> ()", shape=lambda: None, **_host)
def tensor_array_close_v3(handle):
    """Gives up the elements before the step ends."""
    handle.items = []
    handle.gradients = {}
