"""Functions that make ragged tensors: of nested lists, of nothing yet, of ranges."""
from __future__ import annotations

import builtins
from typing import Any

import numpy as np

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.frontend.array import constant as dense_constant
from evergraph.frontend.array import placeholder as dense_placeholder
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.ragged.kind import RaggedTensor
from evergraph.frontend.ragged.tensor import tensors_in
from evergraph.frontend.ragged.value import RaggedTensorValue
from evergraph.graph.convert import to_tensor
from evergraph.ops.arrays import ragged as ops
from evergraph.ops.arrays.basic import cast

# ---- nested lists

_LISTS = (list, tuple)


@export("ragged.constant")
def constant(pylist: Any, dtype: Any = None, ragged_rank: int | None = None, inner_shape: Any = None,
             name: str | None = None, row_splits_dtype: Any = dtypes.int64) -> Any:
    """A nested list whose lists may differ in length as a ragged tensor; of a number or a flat list a plain tensor.

    >>> tf.ragged.constant([[1, 2], [3]]).shape.as_list()
    [2, None]

    Args:
        pylist: nested lists, tuples or arrays; all scalars at the same depth.
        dtype: the dtype of the values; found by default.
        ragged_rank: how many axes are ragged; by default all but the first.
        inner_shape: the shape of the values below the ragged axes.
        name: a prefix for the names of the operations.
        row_splits_dtype: int32 or int64.

    Raises:
        ValueError: the lists do not fit what is asked for.
    """
    splits_dtype = dtypes.as_dtype(row_splits_dtype)
    with name_scope(name, "RaggedConstant"):
        return _built(
            pylist, ragged_rank, inner_shape,
            values=lambda items, shape: dense_constant(items, dtype, shape, name="values", verify_shape=bool(items)),
            rows=lambda values, splits: RaggedTensor.from_row_splits(
                values, dense_constant(splits, splits_dtype), validate=False))


@export("ragged.constant_value")
def constant_value(pylist: Any, dtype: Any = None, ragged_rank: int | None = None, inner_shape: Any = None,
                   row_splits_dtype: Any = "int64") -> Any:
    """What `tf.ragged.constant`, see there, holds: a RaggedTensorValue or an array."""
    kind = dtypes.as_dtype(row_splits_dtype).np
    if isinstance(dtype, dtypes.DType):
        dtype = dtype.as_numpy_dtype

    def values(items: Any, shape: Any) -> Any:
        array = np.array(items, dtype=dtype)
        return array.reshape(shape) if shape else array

    return _built(pylist, ragged_rank, inner_shape, values,
                  rows=lambda inner, splits: RaggedTensorValue(inner, np.array(splits, kind)))


def _built(pylist: Any, ragged_rank: int | None, inner_shape: Any, values: Any, rows: Any) -> Any:
    """What `values` and `rows` make of nested lists."""
    if not _is_list(pylist):
        if ragged_rank:
            raise ValueError(f"Invalid pylist={pylist!r}: incompatible with ragged_rank={ragged_rank}")
        if inner_shape is not None and tuple(inner_shape):
            raise ValueError(f"Invalid pylist={pylist!r}: incompatible with dim(inner_shape)={len(inner_shape)}")
        return values(pylist, ())
    deepest, scalars = _depths(pylist)
    if scalars is not None and deepest > scalars:
        raise ValueError(f"an empty list in {pylist!r} is nested deeper than the values are")
    inner = None if inner_shape is None else tuple(inner_shape)
    if ragged_rank is None:
        ragged_rank = deepest - 1 if inner is None else deepest - 1 - len(inner)
    if scalars is not None and ragged_rank >= scalars:
        raise ValueError(f"Invalid pylist={pylist!r}: pylist has scalar values depth {scalars}, but "
                         f"ragged_rank={ragged_rank} requires scalar value depth greater than {ragged_rank}")
    if inner is None:
        inner = _inner_shape(_flattened(pylist, ragged_rank), max(scalars or 0, ragged_rank + 1) - ragged_rank - 1)
    if scalars is not None and scalars != ragged_rank + 1 + len(inner):
        raise ValueError(f"Invalid pylist={pylist!r}: incompatible with "
                         f"ragged_rank={ragged_rank} and dim(inner_shape)={len(inner)}")
    items, nested = pylist, []
    for _ in builtins.range(ragged_rank):
        nested.append(np.cumsum([0, *(len(item) for item in items)]).tolist())
        items = [leaf for item in items for leaf in item]
    result = values(list(items), (len(items), *inner) if inner or not len(items) else None)
    for splits in reversed(nested):
        result = rows(result, splits)
    return result


def _is_list(value: Any) -> bool:
    return isinstance(value, _LISTS) or isinstance(value, np.ndarray) and value.ndim > 0


def _depths(nested: Any) -> tuple[int, int | None]:
    """The depth of the deepest list, and that of the scalars, which is None when there are none.

    Raises:
        ValueError: scalars lie at different depths.
    """
    if not _is_list(nested):
        return 0, 0
    found = [_depths(item) for item in nested]
    scalars = {s for _, s in found if s is not None}
    if len(scalars) > 1:
        raise ValueError("the values are nested to different depths")
    return 1 + max((d for d, _ in found), default=0), 1 + scalars.pop() if scalars else None


def _flattened(nested: Any, levels: int) -> list[Any]:
    for _ in builtins.range(levels):
        nested = [item for row in nested for item in row]
    return list(nested)


def _inner_shape(items: list[Any], rank: int) -> tuple[int, ...]:
    """The one shape that all items have.

    Raises:
        ValueError: they differ.
    """
    if not rank:
        return ()
    sizes = {len(item) for item in items}
    if len(sizes) > 1:
        raise ValueError("inner values have inconsistent shape")
    size = sizes.pop() if sizes else 0
    return (size, *_inner_shape(_flattened(items, 1), rank - 1))


# ---- to be fed

@export("ragged.placeholder")
def placeholder(dtype: Any, ragged_rank: int, value_shape: Any = None, name: str | None = None) -> Any:
    """A ragged tensor that must be fed, with a RaggedTensorValue; without ragged axes a plain placeholder.

    Args:
        dtype: the dtype of the values.
        ragged_rank: how many axes are ragged.
        value_shape: the shape below them; unknown by default.
        name: a prefix for the names of the operations.
    """
    if not ragged_rank:
        return dense_placeholder(dtype, value_shape, name)
    with name_scope(name, "RaggedPlaceholder"):
        shape = None if value_shape is None else [None, *value_shape]
        result: Any = dense_placeholder(dtype, shape, "flat_values")
        for level in reversed(builtins.range(ragged_rank)):
            splits = dense_placeholder(dtypes.int64, [None], f"row_splits_{level}")
            result = RaggedTensor(result, splits, internal=True)
        return result


# ---- ranges

@export("ragged.range")
def range(starts: Any, limits: Any = None, deltas: Any = 1, dtype: Any = None,  # noqa: A001 - TensorFlow's name
          name: str | None = None, row_splits_dtype: Any = dtypes.int64) -> RaggedTensor:
    """A row of evenly spaced numbers from each start to before its limit; with one argument from 0 to before it.

    >>> tf.Session().run(tf.ragged.range([3, 0, 2])).to_list()
    [[0, 1, 2], [], [0, 1]]

    Args:
        starts: the first number of each row, or of all rows.
        limits: what each row ends before.
        deltas: the distance between the numbers of each row.
        row_splits_dtype: int32 or int64, of the places where rows begin.
    """
    if limits is None:
        starts, limits = 0, starts
    with name_scope(name, "RaggedRange", tensors_in(starts, limits, deltas)):
        bounds = [to_tensor(v, dtype, name=what) for v, what in ((starts, "starts"), (limits, "limits"),
                                                                 (deltas, "deltas"))]
        if dtype is None:
            bounds = _of_one_dtype(bounds)
        splits, values = ops.ragged_range(*bounds, Tsplits=dtypes.as_dtype(row_splits_dtype))
        return RaggedTensor.from_row_splits(values, splits, validate=False)


_NUMBERS = [dtypes.int32, dtypes.int64, dtypes.float32, dtypes.float64]


def _of_one_dtype(tensors: list[Any]) -> list[Any]:
    """The tensors cast to the widest dtype among them."""
    widest = max((t.dtype for t in tensors), key=lambda kind: _NUMBERS.index(kind) if kind in _NUMBERS else -1)
    return [t if t.dtype is widest else cast(t, widest) for t in tensors]
