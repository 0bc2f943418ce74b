"""NumpyState: arrays that are attributes of a Python object, in a checkpoint of objects."""

from __future__ import annotations

import io
from typing import Any

import numpy as np

from evergraph.base.export import export
from evergraph.save.tracking import Trackable
from evergraph.train.python_state import PythonState


class _Array(PythonState):
    """An array as a string in the format of NumPy's files."""

    def __init__(self, array: Any) -> None:
        self.array = array

    def serialize(self) -> bytes:
        file = io.BytesIO()
        np.save(file, self.array, allow_pickle=False)
        return file.getvalue()

    def deserialize(self, string_value: bytes) -> None:
        self.array = np.load(io.BytesIO(string_value), allow_pickle=False)


@export("contrib.checkpoint.NumpyState")
class NumpyState(Trackable):
    """An object whose attributes are NumPy arrays, which `tf.train.Checkpoint` saves and restores.

    >>> arrays = tf.contrib.checkpoint.NumpyState()
    >>> checkpoint = tf.train.Checkpoint(numpy_arrays=arrays)
    >>> arrays.x = numpy.zeros([3, 4])

    A restore makes those attributes that are in the checkpoint and not in the object yet.
    """

    def __init__(self) -> None:
        object.__setattr__(self, "_arrays", {})

    def __getattr__(self, name: str) -> Any:
        arrays = self.__dict__.get("_arrays", {})
        if name not in arrays:
            raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")
        return arrays[name].array

    def __setattr__(self, name: str, value: Any) -> None:
        if not isinstance(value, (np.ndarray, np.generic, int, float, complex, bool, str, bytes)):
            raise NotImplementedError(f"The attributes of a NumpyState are arrays of NumPy, {name} is {value!r}")
        if name in self._arrays:
            self._arrays[name].array = value
        else:
            self._arrays[name] = _Array(value)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._arrays]

    def _checkpoint_children(self) -> dict[str, Any]:
        return dict(self._arrays)

    def _make_checkpoint_child(self, name: str) -> None:
        """Makes an attribute that a checkpoint has."""
        self._arrays.setdefault(name, _Array(np.zeros([0])))
