"""Tensors that a session keeps between steps, by handle."""

from __future__ import annotations

import itertools
import threading
from typing import Any

import numpy as np

from evergraph.base import errors
from evergraph.graph.opdef import STOP, op
from evergraph.graph.shaping import require_rank, scalar

_KEPT = "//session tensors"  # the key under which a session keeps all of them
_DEVICE = "/job:localhost/replica:0/task:0/device:CPU:0"


class SessionTensors:
    """The tensors that one session keeps, by handle string."""

    def __init__(self) -> None:
        self._lock, self._numbers, self._kept = threading.Lock(), itertools.count(), dict[str, np.ndarray]()

    def keep(self, name: str, device: str, value: np.ndarray) -> TensorHandle:
        """Stores a tensor and returns its handle."""
        with self._lock:
            handle = f"{name};{next(self._numbers)};{device or _DEVICE}"
            self._kept[handle] = value
        return TensorHandle(handle, value.dtype, self)

    def get(self, handle: str) -> np.ndarray:
        with self._lock:
            if handle not in self._kept:
                raise errors.InvalidArgumentError(
                    None, None, f"The tensor with handle '{handle}' is not in the session store.")
            return self._kept[handle]

    def forget(self, handle: str) -> None:
        with self._lock:
            if self._kept.pop(handle, None) is None:
                raise errors.InvalidArgumentError(
                    None, None, f"Failed to delete a tensor with handle '{handle}' in the session store.")

    def forget_quietly(self, handle: str) -> None:
        self._kept.pop(handle, None)  # called from a finalizer, which may run while the lock is held


class TensorHandle:
    """A handle of a tensor in a session; deleting the handle deletes the tensor.

    Attributes:
        handle: the string that names the tensor, to be fed to `tf.get_session_tensor`.
    """

    def __init__(self, handle: str, dtype: np.dtype, kept: SessionTensors) -> None:
        self._handle, self._dtype, self._kept = handle, dtype, kept
        self._owns = True

    @property
    def handle(self) -> str:
        return self._handle

    def eval(self) -> Any:
        """The value of the tensor.

        Raises:
            TypeError: the tensor was deleted, or its raw handle was taken.
        """
        self._check()
        value = self._kept.get(self._handle)
        return np.array(value) if value.ndim else value[()]

    def delete(self) -> None:
        """Deletes the tensor from the session."""
        self._check()
        self._owns = False
        self._kept.forget(self._handle)

    def get_raw_handle(self) -> str:
        """The handle string; the tensor then persists until `tf.delete_session_tensor`."""
        self._owns = False
        return self._handle

    def _check(self) -> None:
        if not self._owns:
            raise TypeError(f"Persistent tensor {self._handle} may have already been deleted.")

    def __str__(self) -> str:
        return self._handle

    def __del__(self) -> None:
        if getattr(self, "_owns", False):
            self._kept.forget_quietly(self._handle)


def _text(handle: np.ndarray) -> str:
    """The handle string, whether it was fed or comes straight from the op."""
    if np.ndim(handle):
        raise errors.InvalidArgumentError(None, None, f"handle must be a scalar, not of shape {list(handle.shape)}")
    value = handle[()]
    return value.decode() if isinstance(value, bytes) else str(value)


def _maker(name, kind):
    @op(f"{name}(value: T, *, T: type) -> handle: {kind}", stateful=True, on="host", grad=STOP, shape=scalar)
    def get_handle(shared, node, value):
        """Stores a tensor in the session and returns its handle."""
        box = np.empty((), object)
        box[()] = shared(SessionTensors, _KEPT).keep(node.name, node.device, np.array(value))
        return box
    return get_handle


get_session_handle = _maker("GetSessionHandle", "string")
get_session_handle_v2 = _maker("GetSessionHandleV2", "resource")


@op("GetSessionTensor(handle: string, *, dtype: type) -> value: dtype", stateful=True, on="host", grad=STOP)
def get_session_tensor(shared, handle, dtype):
    """The tensor that a session keeps under a handle."""
    value = shared(SessionTensors, _KEPT).get(_text(handle))
    if value.dtype != dtype:
        raise errors.InvalidArgumentError(None, None, f"The tensor with handle '{_text(handle)}' is of type "
                                          f"{value.dtype}, not {dtype}")
    return value


@get_session_tensor.shape
def _(handle):
    require_rank(handle, 0)
    return None


@op("DeleteSessionTensor(handle: string) -> ()", stateful=True, on="host", grad=STOP,
    shape=lambda handle: require_rank(handle, 0))
def delete_session_tensor(shared, handle):
    """Deletes the tensor with this handle from the session."""
    shared(SessionTensors, _KEPT).forget(_text(handle))
