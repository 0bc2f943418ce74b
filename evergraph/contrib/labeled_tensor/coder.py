"""tf.contrib.labeled_tensor.ReshapeCoder."""

from __future__ import annotations

from typing import Any

from evergraph.base.export import export
from evergraph.contrib.labeled_tensor.axes import Axes
from evergraph.contrib.labeled_tensor.ops import reshape
from evergraph.contrib.labeled_tensor.tensor import LabeledTensor, convert_to_labeled_tensor
from evergraph.frontend.blocks import name_scope


@export("contrib.labeled_tensor.ReshapeCoder")
class ReshapeCoder:
    """Reshapes tensors for an operation, and its results back.

    Args:
        existing_axis_names: the names of neighbouring axes, as in `reshape`.
        new_axes: the axes in their place.
        name: the name of the operations.
    """

    def __init__(self, existing_axis_names: Any, new_axes: Any, name: str | None = None) -> None:
        self._names, self._new, self._name = list(existing_axis_names), list(new_axes), name
        self._before: Axes | None = None
        self._after: list[str] = []

    def encode(self, labeled_tensor: Any) -> LabeledTensor:
        """The tensor with the new axes.

        Raises:
            ValueError: an earlier tensor had other axes.
        """
        with name_scope(self._name, "lt_reshape_encode", [labeled_tensor]) as scope:
            value = convert_to_labeled_tensor(labeled_tensor)
            if self._before is not None and self._before != value.axes:
                raise ValueError(f"a coder has encoded a tensor of axes {self._before}, and not of {value.axes}")
            result = reshape(value, self._names, self._new, name=scope)
            self._before = value.axes
            self._after = [axis for axis in result.axes if axis not in value.axes or axis in self._names]
            return result

    def decode(self, labeled_tensor: Any) -> LabeledTensor:
        """The tensor with the axes that it had before.

        Raises:
            ValueError: nothing has been encoded yet, or the tensor lacks one of the new axes.
        """
        if self._before is None:
            raise ValueError("a tensor is encoded before one is decoded")
        with name_scope(self._name, "lt_reshape_decode", [labeled_tensor]) as scope:
            value = convert_to_labeled_tensor(labeled_tensor)
            return reshape(value, self._after, [self._before[each] for each in self._names], name=scope)
