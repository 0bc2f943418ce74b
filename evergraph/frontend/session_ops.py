"""Keeping tensors in a session between steps."""

from __future__ import annotations

from evergraph.base import dtypes
from evergraph.base.devices import canonical_name
from evergraph.base.export import export
from evergraph.frontend.array import placeholder
from evergraph.frontend.blocks import colocate_with, device
from evergraph.graph.node import Tensor
from evergraph.ops.state import session_tensors as ops


@export("get_session_handle")
def get_session_handle(data, name=None):
    """A handle for the value of `data`, which stays in the session until the fetched handle goes.

    >>> session = tf.Session()
    >>> kept = session.run(tf.get_session_handle(tf.constant(3.0) * 2.0))
    >>> holder, value = tf.get_session_tensor(kept.handle, tf.float32)
    >>> session.run(value + 1.0, {holder: kept.handle})
    7.0

    Args:
        data: a tensor.
        name: a name for the operation.

    Raises:
        TypeError: `data` is no tensor.
    """
    if not isinstance(data, Tensor):
        raise TypeError("`data` must be of type Tensor.")
    with colocate_with(data):
        return ops.get_session_handle(data, name=name)


@export("get_session_tensor")
def get_session_tensor(handle, dtype, name=None):
    """(a placeholder for the text of a handle, the tensor that the session keeps under it).

    Args:
        handle: the text of a handle; it says on which device the tensor is.
        dtype: the dtype of the tensor.
        name: a name for the operation.
    """
    with device(_device_of(handle)):
        holder = placeholder(dtypes.string)
        return holder, ops.get_session_tensor(holder, dtype, name=name)


@export("delete_session_tensor")
def delete_session_tensor(handle, name=None):
    """(a placeholder for the text of a handle, an operation that lets the session forget the tensor under it)."""
    with device(_device_of(handle)):
        holder = placeholder(dtypes.string)
        return holder, ops.delete_session_tensor(holder, name=name)


def _device_of(handle):
    text = handle.decode() if isinstance(handle, bytes) else str(handle)
    return canonical_name(text.rpartition(";")[2])
