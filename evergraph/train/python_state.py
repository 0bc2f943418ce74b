"""tf.train.experimental.PythonState: what a program keeps in Python, saved in checkpoints of objects."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.frontend.script import py_func
from evergraph.frontend.variables.saveable import SaveableObject, SaveSpec
from evergraph.save.saveables import PYTHON_STATE


@export("train.experimental.PythonState")
class PythonState:
    """Something in Python that tf.train.Checkpoint saves and restores. A subclass says how, as a string.

    >>> class Position(tf.train.experimental.PythonState):
    ...     epoch = 0
    ...     def serialize(self):
    ...         return str(self.epoch)
    ...     def deserialize(self, string_value):
    ...         self.epoch = int(string_value)
    >>> checkpoint = tf.train.Checkpoint(position=Position())
    """

    def serialize(self) -> str | bytes:
        """The state as a string; called whenever it is saved."""
        raise NotImplementedError

    def deserialize(self, string_value: bytes) -> None:
        """Takes over a state that `serialize` gave."""
        raise NotImplementedError

    def _gather_saveables_for_checkpoint(self) -> dict[str, Callable[[str], SaveableObject]]:
        return {PYTHON_STATE: self._saveable}

    def _saveable(self, name: str = "") -> SaveableObject:
        return _Saveable(self, name)


class _Saveable(SaveableObject):
    """The string of a state, made when the checkpoint is written."""

    def __init__(self, state: PythonState, name: str) -> None:
        self._state = state
        text = py_func(state.serialize, [], dtypes.string, stateful=True)
        text.set_shape([])
        super().__init__(state, [SaveSpec(text, "", name, dtype=dtypes.string)], name)

    def restore(self, restored_tensors: list[Any], restored_shapes: list[Any] | None) -> Any:
        return py_func(self._state.deserialize, [restored_tensors[0]], [], stateful=True)
