"""tf.sets: set operations along the last axis of tensors."""
from __future__ import annotations

from typing import Any

from evergraph.base.export import export
from evergraph.graph.composite import SparseTensor, convert_to_tensor_or_sparse_tensor
from evergraph.graph.node import Tensor
from evergraph.ops.sparse import sets


@export("sets.size", "sets.set_size")
def set_size(a: Any, validate_indices: bool = True) -> Tensor:
    """The number of unique values in each row of a sparse tensor.

    Args:
        a: a SparseTensor with sets along its last axis.
        validate_indices: whether to check that the indices are sorted and in range.

    Raises:
        TypeError: `a` is not sparse.
    """
    a = convert_to_tensor_or_sparse_tensor(a, name="a")
    if not isinstance(a, SparseTensor):
        raise TypeError(f"Expected `SparseTensor`, got {a}.")
    _check_dtype(a)
    return sets.set_size(a.indices, a.values, a.dense_shape, validate_indices=validate_indices)


@export("sets.intersection", "sets.set_intersection")
def set_intersection(a: Any, b: Any, validate_indices: bool = True) -> SparseTensor:
    """The intersection of sets, row by row.

    Args:
        a: a tensor or SparseTensor with sets along its last axis; dense unless `b` is sparse too.
        b: the same, of the same rows and dtype.
        validate_indices: whether to check that sparse indices are sorted and in range.

    Returns:
        A SparseTensor whose rows hold the resulting sets, sorted.

    >>> found = tf.sets.intersection([[1, 2, 3]], [[2, 3, 4]])
    >>> tf.Session().run(found.values)
    array([2, 3], dtype=int32)
    """
    return _operated(a, b, "intersection", "intersection", validate_indices)


@export("sets.difference", "sets.set_difference")
def set_difference(a: Any, b: Any, aminusb: bool = True, validate_indices: bool = True) -> SparseTensor:
    """The difference of sets, row by row.

    Args:
        a: a tensor or SparseTensor with sets along its last axis; dense unless `b` is sparse too.
        b: the same, of the same rows and dtype.
        aminusb: True for a - b, False for b - a.
        validate_indices: whether to check that sparse indices are sorted and in range.

    Returns:
        A SparseTensor whose rows hold the resulting sets, sorted.
    """
    return _operated(a, b, *(("a-b", "b-a") if aminusb else ("b-a", "a-b")), validate_indices)


@export("sets.union", "sets.set_union")
def set_union(a: Any, b: Any, validate_indices: bool = True) -> SparseTensor:
    """The union of sets, row by row; see `tf.sets.intersection` for the arguments."""
    return _operated(a, b, "union", "union", validate_indices)


def _check_dtype(a: Any) -> None:
    if a.dtype.base_dtype.name not in ("int8", "int16", "int32", "int64", "uint8", "uint16", "string"):
        raise TypeError(f"'{a.dtype.base_dtype.name}' not in the dtypes that sets are made of")


def _operated(a: Any, b: Any, operation: str, flipped: str, validate_indices: bool) -> SparseTensor:
    """The result of a set operation; the op for a sparse and a dense tensor takes them in the other order."""
    a = convert_to_tensor_or_sparse_tensor(a, name="a")
    b = convert_to_tensor_or_sparse_tensor(b, name="b")
    _check_dtype(a)
    if b.dtype.base_dtype is not a.dtype.base_dtype:
        raise TypeError(f"Types don't match, {a.dtype} vs {b.dtype}.")
    if isinstance(a, SparseTensor) and not isinstance(b, SparseTensor):
        a, b, operation = b, a, flipped
    options = {"set_operation": operation, "validate_indices": validate_indices}
    if isinstance(a, SparseTensor):
        return SparseTensor(*sets.sparse_to_sparse_set_operation(a.indices, a.values, a.dense_shape, b.indices,
                                                                 b.values, b.dense_shape, **options))
    if isinstance(b, SparseTensor):
        return SparseTensor(*sets.dense_to_sparse_set_operation(a, b.indices, b.values, b.dense_shape, **options))
    return SparseTensor(*sets.dense_to_dense_set_operation(a, b, **options))
