"""ParseExampleV2: TensorFlow 2's op that parses Examples, with lists of keys in tensors and ragged features."""

from __future__ import annotations

import numpy as np

from evergraph.base.errors import invalid
from evergraph.graph.opdef import STOP, op
from evergraph.graph.shaping import at_most_rank
from evergraph.ops.strings.parsing import check_defaults, columns, names_of
from evergraph.ops.strings.walking import flat

_TYPES = "list({float, int64, string}) >= 0"


@op(f"ParseExampleV2(serialized: string, names: string, sparse_keys: string, dense_keys: string, ragged_keys: string, "
    f"dense_defaults: Tdense, *, Tdense: {_TYPES}, num_sparse: int >= 0, sparse_types: {_TYPES}, "
    f"ragged_value_types: {_TYPES}, ragged_split_types: list(index) >= 0, dense_shapes: list(shape) >= 0) -> "
    "sparse_indices: num_sparse * int64, sparse_values: sparse_types, sparse_shapes: num_sparse * int64, "
    "dense_values: Tdense, ragged_values: ragged_value_types, ragged_row_splits: ragged_split_types", on="host",
    grad=STOP)
def parse_example_v2(serialized, names, sparse_keys, dense_keys, ragged_keys, dense_defaults, Tdense, sparse_types,
                     ragged_value_types, ragged_split_types, dense_shapes):
    """Parses the features of a batch of serialized Examples, or of one."""
    if np.ndim(serialized) > 1:
        raise invalid(f"Expected serialized to be a vector or scalar, got shape {list(np.shape(serialized))}")
    check_defaults(dense_defaults, dense_shapes)
    keys = [*flat(sparse_keys), *flat(ragged_keys)]
    indices, values, shapes, dense = columns(
        flat(serialized), names_of(names, np.atleast_1d(serialized)), [np.array(key, object) for key in keys],
        [*sparse_types, *ragged_value_types], [np.array(key, object) for key in flat(dense_keys)], Tdense, dense_shapes,
        dense_defaults)
    count = len(sparse_types)
    splits = [_splits(rows, np.size(serialized), kind) for rows, kind in zip(indices[count:], ragged_split_types)]
    indices, shapes = indices[:count], shapes[:count]
    if not np.ndim(serialized):
        indices, shapes = [rows[:, 1:] for rows in indices], [shape[1:] for shape in shapes]
        dense, splits = [rows[0] for rows in dense], [ends[:0] for ends in splits]
    return indices, values[:count], shapes, dense, values[count:], splits


def _splits(indices, rows, dtype):
    """The row splits: the start of each example's row, and the end of the last."""
    return np.concatenate([[0], np.cumsum(np.bincount(indices[:, 0], minlength=rows))]).astype(dtype)


@parse_example_v2.shape
def _(serialized, sparse_types, ragged_value_types, ragged_split_types, dense_shapes):
    at_most_rank(serialized, 1)
    batch = None if serialized is None else serialized
    axes = None if batch is None else len(batch) + 1
    count, ragged = len(sparse_types), len(ragged_value_types)
    ends = (None,) if batch is None or not batch or batch[0] is None else (batch[0] + 1,)
    return [(None, axes)] * count + [(None,)] * count + [(axes,)] * count + \
        [None if batch is None or shape is None else (*batch, *shape) for shape in dense_shapes] + \
        [(None,)] * ragged + [(0,) if batch == () else ends] * ragged
