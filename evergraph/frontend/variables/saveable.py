"""How things that are no variables say what a checkpoint holds of them."""

from __future__ import annotations

from typing import Any

from evergraph.base import dtypes
from evergraph.graph.node import Tensor


class SaveSpec:
    """One tensor of a checkpoint.

    Args:
        tensor: the tensor, or a function that makes it.
        slice_spec: which part of a larger tensor it is, as text; "" when it is whole.
        name: its name in the checkpoint.
        dtype: its dtype; needed with a function.
        device: where the tensor is; needed with a function.
    """

    def __init__(self, tensor: Any, slice_spec: str, name: str, dtype: Any = None, device: str | None = None) -> None:
        if callable(tensor) and (dtype is None or device is None):
            raise AssertionError("SaveSpec needs the dtype and the device when its tensor is a function")
        self._tensor, self.slice_spec, self.name = tensor, slice_spec, name
        self.dtype = dtypes.as_dtype(tensor.dtype if dtype is None else dtype)
        self.device = tensor.device if device is None else device

    @property
    def tensor(self) -> Any:
        return self._tensor() if callable(self._tensor) else self._tensor


class SaveableObject:
    """Something that is saved as tensors and restored from them. Subclasses say how by `restore`.

    Args:
        op: what it is about: a variable, a table, the operation that made them.
        specs: the tensors it is saved as.
        name: its name.
    """

    def __init__(self, op: Any, specs: list[SaveSpec], name: str) -> None:
        self.op, self.specs, self.name = op, specs, name

    @property
    def optional_restore(self) -> bool:
        """Whether a checkpoint may lack it."""
        return False

    @property
    def device(self) -> str:
        """Where its tensors are."""
        return self.specs[0].device

    def restore(self, restored_tensors: list[Tensor], restored_shapes: list[Any] | None) -> Any:
        """The operation that takes over what was read.

        Args:
            restored_tensors: one for each spec.
            restored_shapes: shapes to give these; None when they are to keep their own.
        """
        raise ValueError(f"{type(self).__name__} does not say how it is restored")
