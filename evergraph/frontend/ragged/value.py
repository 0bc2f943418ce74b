"""What a session gives for a ragged tensor."""
from __future__ import annotations

from typing import Any

import numpy as np

from evergraph.base.export import export


@export("ragged.RaggedTensorValue")
class RaggedTensorValue:
    """Rows of different lengths, as arrays: all the values, and where each row begins and the last ends.

    >>> RaggedTensorValue(np.array([1, 2, 3]), np.array([0, 2, 3])).to_list()
    [[1, 2], [3]]

    Args:
        values: an array, or a RaggedTensorValue when the rows hold rows.
        row_splits: int32 or int64, one more than there are rows.

    Raises:
        TypeError: they are of other types.
    """

    def __init__(self, values: Any, row_splits: Any) -> None:
        if not isinstance(row_splits, (np.ndarray, np.generic)) or row_splits.dtype not in (np.int32, np.int64):
            raise TypeError("row_splits must be a numpy int32 or int64 array")
        if not isinstance(values, (np.ndarray, np.generic, RaggedTensorValue)):
            raise TypeError(f"values must be an array or a RaggedTensorValue, got {type(values)}")
        if isinstance(values, RaggedTensorValue) and row_splits.dtype != values.row_splits.dtype:
            raise ValueError("row_splits and those of values have different dtypes")
        self._values, self._row_splits = values, row_splits

    values = property(lambda self: self._values)
    row_splits = property(lambda self: self._row_splits)

    @property
    def dtype(self) -> Any:
        """The dtype of the values."""
        return self.values.dtype

    @property
    def flat_values(self) -> Any:
        """The innermost values."""
        return self.values.flat_values if isinstance(self.values, RaggedTensorValue) else self.values

    @property
    def nested_row_splits(self) -> tuple[Any, ...]:
        """The splits of every ragged axis, the outermost first."""
        inner = self.values.nested_row_splits if isinstance(self.values, RaggedTensorValue) else ()
        return (self.row_splits, *inner)

    @property
    def ragged_rank(self) -> int:
        """How many axes are ragged."""
        return len(self.nested_row_splits)

    @property
    def shape(self) -> tuple[int | None, ...]:
        """The shape, with None where rows differ."""
        return (self.row_splits.shape[0] - 1, None, *self.values.shape[1:])

    def to_list(self) -> list[Any]:
        """The rows as nested lists."""
        items = self.values.to_list() if isinstance(self.values, RaggedTensorValue) else self.values.tolist()
        return [items[start:stop] for start, stop in zip(self.row_splits, self.row_splits[1:])]

    def __str__(self) -> str:
        return f"<tf.RaggedTensorValue {self.to_list()}>"

    def __repr__(self) -> str:
        return f"tf.RaggedTensorValue(values={self._values!r}, row_splits={self._row_splits!r})"
