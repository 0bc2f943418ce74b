"""`tf.*` functions that sort, rank, search and compare elements, and those about diagonals."""
from __future__ import annotations

from typing import Any

import numpy as np

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.frontend.array import concat, rank, reshape, shape_of, transpose
from evergraph.frontend.blocks import name_scope
from evergraph.graph import convert, shaping
from evergraph.graph.composite import SparseTensor, SparseTensorValue
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Tensor
from evergraph.graph.overloads import overloadable
from evergraph.ops.arrays import basic, search
from evergraph.ops.arrays import diagonal as diagonal_ops
from evergraph.ops.math.elementwise import invert, neg

unique = export("unique")(search.unique)
unique_with_counts = export("unique_with_counts")(search.unique_with_counts)


@export("setdiff1d")
def setdiff1d(x: Any, y: Any, index_dtype: Any = dtypes.int32, name: str | None = None) -> Any:
    """The elements of one vector that are not in another, and where they stand: (out, idx)."""
    return search.list_diff(x, y, out_idx=index_dtype, name=name)


# ---- the largest

@export("nn.top_k", "math.top_k")
def top_k(input: Any, k: Any = 1, sorted: bool = True, name: str | None = None) -> Any:  # noqa: A002
    """Returns the `k` largest elements of each row, in descending order, and their indices: (values, indices).

    Args:
        input: a tensor of rank 1 or more; rows run along its last axis.
        k: how many.
        sorted: whether they must come sorted. They do in any case.
        name: a name for the operation.
    """
    return search.top_k_v2(input, k, sorted=sorted, name=name)


@export("nn.in_top_k", "math.in_top_k")
def in_top_k(predictions: Any, targets: Any, k: Any, name: str | None = None) -> Tensor:
    """Tells for each row whether the score of its target class is among the `k` largest; ties count as in.

    Args:
        predictions: float32 [batch, classes].
        targets: int32 or int64 [batch].
        k: how many are looked at.
        name: a prefix for the name of the operation.
    """
    with name_scope(name, "in_top_k"):
        return search.in_top_kv2(predictions, targets, k)


@export("contrib.nn.nth_element")
def nth_element(input: Any, n: Any, reverse: bool = False, name: str | None = None) -> Tensor:
    """The element at place `n` of each row once it is sorted; `reverse` sorts it downward."""
    return search.nth_element(input, n, reverse=reverse, name=name)


@export("sort", "contrib.framework.sort")
def sort(values: Any, axis: int = -1, direction: str = "ASCENDING", name: str | None = None) -> Tensor:
    """Sorts a tensor along one of its axes.

    Args:
        values: numbers.
        axis: the axis, known while the graph is built.
        direction: "ASCENDING" or "DESCENDING".
        name: a prefix for the names of the operations.

    Raises:
        ValueError: the direction is unknown or the axis not known.
    """
    with name_scope(name, "sort"):
        return _sorted(values, axis, direction, 0)


@export("argsort", "contrib.framework.argsort")
def argsort(values: Any, axis: int = -1, direction: str = "ASCENDING", stable: bool = False,
            name: str | None = None) -> Tensor:
    """Returns the indices that would sort a tensor along an axis.

    Args:
        values: numbers.
        axis: the axis, known while the graph is built.
        direction: "ASCENDING" or "DESCENDING".
        stable: whether equal elements must keep their order. They do in any case.
        name: a prefix for the names of the operations.

    Raises:
        ValueError: the direction is unknown or the axis not known.
    """
    with name_scope(name, "argsort"):
        return _sorted(values, axis, direction, 1)


def _sorted(values: Any, axis: Any, direction: str, which: int) -> Tensor:
    """Sorts by taking the largest of all; `which` chooses values or indices."""
    if direction not in ("ASCENDING", "DESCENDING"):
        raise ValueError(f"{direction} should be one of ASCENDING, DESCENDING")
    axis = shaping.static_value(convert_to_tensor(axis, name="axis"))
    if axis is None or axis.ndim:
        raise ValueError("axis must be a constant scalar")
    values = convert_to_tensor(values, name="values")
    upward = direction == "ASCENDING"
    moved = _turned(values) if upward else values
    count, number = shape_of(moved)[int(axis)], rank(moved)
    order = _last_axis_order(values, int(axis), number)
    result = search.top_k_v2(moved if order is None else transpose(moved, order), count)[which]
    result = _turned(result) if upward and which == 0 else result
    return result if order is None else transpose(result, order)


def _turned(values: Tensor) -> Tensor:
    """The values so that their order is reversed; doing it twice undoes it."""
    # Not -x of integers: the smallest has none, and those without a sign neither.
    return invert(values) if values.dtype.base_dtype.is_integer else neg(values)


def _last_axis_order(values: Tensor, axis: int, number: Tensor) -> Any:
    """The permutation that exchanges `axis` with the last one; None when it is the last."""
    rank = values.shape.rank
    if axis == -1 or rank is not None and axis == rank - 1:
        return None
    if rank is None:
        at = number + axis if axis < 0 else axis
        return concat([basic.range_(0, at, 1), [number - 1], basic.range_(at + 1, number - 1, 1), [at]], 0)
    order = list(range(rank))
    axis = shaping.normal_axis(axis, rank)
    order[axis], order[-1] = rank - 1, axis
    return convert.constant(order, dtypes.int32, name="transposition")


# ---- search

@export("searchsorted")
def searchsorted(sorted_sequence: Any, values: Any, side: str = "left", out_type: Any = dtypes.int32,
                 name: str | None = None) -> Tensor:
    """Finds by binary search the index at which each value could be inserted so that a row stays sorted.

    Args:
        sorted_sequence: [..., n], each row sorted.
        values: [..., m], with the same leading axes.
        side: "left" for the first possible place, "right" for the last.
        out_type: tf.int32 or tf.int64.
        name: a name for the operation.

    Raises:
        ValueError: the side is unknown.
    """
    if side not in ("left", "right"):
        raise ValueError(f"side is 'left' or 'right', not {side!r}.")
    sorted_sequence, values = convert_to_tensor(sorted_sequence), convert_to_tensor(values)
    rows = reshape(sorted_sequence, [-1, shape_of(sorted_sequence)[-1]])
    wanted = reshape(values, [-1, shape_of(values)[-1]])
    bound = search.lower_bound if side == "left" else search.upper_bound
    return reshape(bound(rows, wanted, out_type=out_type, name=name), shape_of(values))


@export("edit_distance")
def edit_distance(hypothesis: Any, truth: Any, normalize: bool = True, name: str = "edit_distance") -> Tensor:
    """The Levenshtein distances of sequences: how many insertions, deletions and replacements lead from one to another.

    Args:
        hypothesis: a SparseTensor whose last axis holds the sequences.
        truth: another, of the same rank.
        normalize: whether the distance is divided by the length of the truth.
        name: a name for the operation.

    Raises:
        TypeError: an argument is not sparse.
    """
    for what, value in (("Hypothesis", hypothesis), ("Truth", truth)):
        if not isinstance(value, (SparseTensor, SparseTensorValue)):
            raise TypeError(f"{what} must be a SparseTensor.")
    return search.edit_distance(hypothesis.indices, hypothesis.values, hypothesis.dense_shape, truth.indices,
                                truth.values, truth.dense_shape, normalize=normalize, name=name)


# ---- diagonals

@export("matrix_diag", "linalg.diag")
def matrix_diag(diagonal: Any, name: str = "diag", k: Any = 0, num_rows: Any = -1, num_cols: Any = -1,
                padding_value: Any = 0) -> Tensor:
    """Matrices with given diagonals.

    Args:
        diagonal: [..., n] for one diagonal, [..., m, n] for m of them, the uppermost first, each starting at the left.
        name: a name for the operation.
        k: which diagonal, or (lowest, highest); 0 is the main one, positive ones lie above it.
        num_rows, num_cols: the size of the matrices; by default the smallest that fits.
        padding_value: what stands elsewhere.
    """
    if _is(k, 0) and _is(num_rows, -1) and _is(num_cols, -1) and _is(padding_value, 0):
        return diagonal_ops.matrix_diag(diagonal, name=name)
    diagonal = convert_to_tensor(diagonal)
    return diagonal_ops.matrix_diag_v2(diagonal, k, num_rows, num_cols, _as(padding_value, diagonal), name=name)


@export("matrix_diag_part", "linalg.diag_part")
@overloadable
def matrix_diag_part(input: Any, name: str = "diag_part", k: Any = 0, padding_value: Any = 0) -> Tensor:
    """The diagonals of matrices.

    Args:
        input: [..., rows, columns].
        name: a name for the operation.
        k: which diagonal, or (lowest, highest); several become rows, the uppermost first.
        padding_value: what fills shorter diagonals up.
    """
    if _is(k, 0):
        return diagonal_ops.matrix_diag_part(input, name=name)
    input = convert_to_tensor(input)
    return diagonal_ops.matrix_diag_part_v2(input, k, _as(padding_value, input), name=name)


@export("matrix_set_diag", "linalg.set_diag")
def matrix_set_diag(input: Any, diagonal: Any, name: str = "set_diag", k: Any = 0) -> Tensor:
    """Matrices with diagonals replaced. See `tf.matrix_diag` for the arguments."""
    if _is(k, 0):
        return diagonal_ops.matrix_set_diag(input, diagonal, name=name)
    return diagonal_ops.matrix_set_diag_v2(input, diagonal, k, name=name)


def _is(value: Any, default: int) -> bool:
    return not isinstance(value, Tensor) and np.ndim(value) == 0 and value == default


def _as(value: Any, like: Tensor) -> Any:
    return bool(value) if like.dtype is dtypes.bool and not isinstance(value, Tensor) else value
