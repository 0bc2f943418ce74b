# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.ragged."""

from evergraph import RaggedTensor, Tensor
from typing import Any

class RaggedTensorValue:
    """Rows of different lengths, as arrays: all the values, and where each row begins and the last ends."""
    @property
    def values(self) -> Any: ...
    @property
    def row_splits(self) -> Any: ...
    @property
    def dtype(self) -> Any:
        """The dtype of the values."""
    @property
    def flat_values(self) -> Any:
        """The innermost values."""
    @property
    def nested_row_splits(self) -> tuple[Any, ...]:
        """The splits of every ragged axis, the outermost first."""
    @property
    def ragged_rank(self) -> int:
        """How many axes are ragged."""
    @property
    def shape(self) -> tuple[int | None, ...]:
        """The shape, with None where rows differ."""
    def to_list(self) -> list[Any]:
        """The rows as nested lists."""
    def __init__(self, values: Any, row_splits: Any) -> None: ...

def boolean_mask(data: Any, mask: Any, name: str | None = None) -> Any:
    """The elements for which a mask is true; those of one row stay in one row."""

def constant(
    pylist: Any, dtype: Any = None, ragged_rank: int | None = None, inner_shape: Any = None,
    name: str | None = None, row_splits_dtype: Any = ...,
) -> Any:
    """A nested list whose lists may differ in length as a ragged tensor; of a number or a flat list a plain
    tensor."""

def constant_value(
    pylist: Any, dtype: Any = None, ragged_rank: int | None = None, inner_shape: Any = None,
    row_splits_dtype: Any = 'int64',
) -> Any:
    """What `tf.ragged.constant`, see there, holds: a RaggedTensorValue or an array."""

def map_flat_values(op: Any, *args: Any, **kwargs: Any) -> Any:
    """What `op` makes of the innermost values of ragged tensors, in the same rows."""

def placeholder(dtype: Any, ragged_rank: int, value_shape: Any = None, name: str | None = None) -> Any:
    """A ragged tensor that must be fed, with a RaggedTensorValue; without ragged axes a plain
    placeholder."""

def range(
    starts: Any, limits: Any = None, deltas: Any = 1, dtype: Any = None, name: str | None = None,
    row_splits_dtype: Any = ...,
) -> RaggedTensor:
    """A row of evenly spaced numbers from each start to before its limit; with one argument from 0 to
    before it."""

def row_splits_to_segment_ids(splits: Any, name: str | None = None, out_type: Any = None) -> Tensor:
    """For each value of rows with these splits, the row that it is in."""

def segment_ids_to_row_splits(
    segment_ids: Any, num_segments: Any = None, out_type: Any = None, name: str | None = None,
) -> Tensor:
    """The splits of the rows that these numbers, which do not fall, put each value in."""

def stack(values: Any, axis: int = 0, name: str | None = None) -> Any:
    """Tensors as the rows, or along another axis, of one with an axis more; their sizes may differ."""

def stack_dynamic_partitions(
    data: Any, partitions: Any, num_partitions: Any, name: str | None = None,
) -> Any:
    """The elements of `data` by the partition that each is said to be in."""
