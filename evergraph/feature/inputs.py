"""The features of a batch as columns see them: by key, as tensors of rank 2 or more, each transformed once."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from evergraph.base import dtypes
from evergraph.feature.column import Column, FeatureColumn
from evergraph.frontend import array, checks, indexing, math
from evergraph.frontend.blocks import control_dependencies, name_scope
from evergraph.frontend.control_flow import cond
from evergraph.frontend.sparse.shape import sparse_reshape
from evergraph.graph.composite import SparseTensor, convert_to_tensor_or_sparse_tensor
from evergraph.graph.node import Tensor
from evergraph.ops.math import elementwise


class FeatureTransformationCache:
    """The features of a batch, and what columns make of them.

    Args:
        features: tensors or sparse tensors by name; a column may stand for its name, with its tensor made elsewhere.
    """

    kind, older_hooks = "FeatureColumn", False

    def __init__(self, features: Mapping[Any, Any]) -> None:
        self._features = dict(features)
        self._tensors: dict[Any, Any] = {}

    def get(self, key: Any, state_manager: Any = None) -> Any:
        """The tensor of a feature or of a column.

        Args:
            key: the name of a feature, or a column.
            state_manager: holds the variables of columns with the newer hooks.

        Raises:
            TypeError: `key` is neither.
            ValueError: there is no such feature, or the column gives nothing.
        """
        if key not in self._tensors:
            self._tensors[key] = self._raw(key) if key in self._features else self._transformed(key, state_manager)
        return self._tensors[key]

    def _transformed(self, key: Any, state_manager: Any) -> Any:
        if isinstance(key, str):
            raise ValueError(f"Feature {key} is not in features dictionary.")
        if not isinstance(key, (FeatureColumn, Column)):
            raise TypeError(f"key must be the name of a feature or a {self.kind}, got {key!r}")
        older = isinstance(key, Column) and (self.older_hooks or not isinstance(key, FeatureColumn))
        found = key._transform_feature(self) if older else key.transform_feature(self, state_manager)
        if found is None:
            raise ValueError(f"Column {key.name} is not supported.")
        return found

    def _raw(self, key: Any) -> Any:
        """The tensor of a feature; of rank 2 where the feature has rank 1."""
        feature = convert_to_tensor_or_sparse_tensor(self._features[key])
        rank = feature.get_shape().ndims
        if rank is not None:
            if rank == 0:
                raise ValueError(f"Feature (key: {key}) cannot have rank 0. Given: {feature}")
            return feature if rank != 1 else _with_axis(feature)
        with control_dependencies([checks.assert_positive(
                array.rank(feature), message=f"Feature (key: {key}) cannot have rank 0. Given: {feature}")]):
            return cond(elementwise.equal(1, array.rank(feature)), lambda: _with_axis(feature), lambda: feature)


class LazyBuilder(FeatureTransformationCache):
    """The same, for columns with the older hooks; TensorFlow calls it _LazyBuilder."""

    kind, older_hooks = "_FeatureColumn", True


def _with_axis(tensor: Any) -> Any:
    """A vector as a matrix of one column."""
    if isinstance(tensor, SparseTensor):
        return sparse_reshape(tensor, [array.shape(tensor)[0], 1])
    return array.expand_dims(tensor, -1)


def to_sparse(tensor: Any, ignore_value: Any = None) -> SparseTensor:
    """A sparse tensor as it is; a dense one without the entries that mean "nothing".

    Args:
        tensor: a tensor or sparse tensor.
        ignore_value: what means nothing; by default "" in text and -1 in numbers.
    """
    tensor = convert_to_tensor_or_sparse_tensor(tensor)
    if isinstance(tensor, SparseTensor):
        return tensor
    with name_scope(None, "to_sparse_input", [tensor, ignore_value]):
        if ignore_value is None:
            ignore_value = "" if tensor.dtype is dtypes.string else tensor.dtype.as_numpy_dtype(-1)
        ignored = math.cast(ignore_value, tensor.dtype, name="ignore_value")
        indices = indexing.where(elementwise.not_equal(tensor, ignored), name="indices")
        return SparseTensor(indices, indexing.gather_nd(tensor, indices, name="values"),
                            array.shape(tensor, out_type=dtypes.int64, name="dense_shape"))


def check_compatible(column_dtype: Any, tensor: SparseTensor, key: str) -> None:
    """Raises ValueError unless both the column and its feature are text, or both are integers."""
    check_text_or_integer(tensor.dtype, f"column_name: {key} input_tensor")
    if column_dtype.is_integer != tensor.dtype.is_integer:
        raise ValueError(f"column {key} is of {column_dtype}, its feature of {tensor.dtype}: the dtype must be "
                         "compatible, both text or both integers")


def check_text_or_integer(dtype: Any, prefix: str) -> None:
    """Raises ValueError unless a dtype is that of text or of integers."""
    if dtype != dtypes.string and not dtype.is_integer:
        raise ValueError(f"{prefix} dtype must be string or integer. dtype: {dtype}.")


def in_order(columns: Any) -> list[Any]:
    """Columns sorted by name: the order in which layers use them."""
    return sorted(columns, key=lambda column: column.name)


def transform_features(features: Mapping[Any, Any], feature_columns: Any) -> dict[Any, Any]:
    """What each column makes of the features.

    Args:
        features: tensors by name.
        feature_columns: columns with the older hooks.

    Returns:
        Tensors by column.
    """
    return _by_column(LazyBuilder(features), feature_columns, None)


def transform_features_with_state(features: Mapping[Any, Any], feature_columns: Any,
                                  state_manager: Any) -> dict[Any, Any]:
    """`transform_features` of columns with the newer hooks."""
    return _by_column(FeatureTransformationCache(features), feature_columns, state_manager)


def _by_column(inputs: FeatureTransformationCache, columns: Any, state_manager: Any) -> dict[Any, Any]:
    columns = as_columns(columns)
    found = {}
    with name_scope(None, "transform_features", [v for v in inputs._features.values() if isinstance(v, Tensor)]):
        for column in in_order(columns):
            with name_scope(None, column.name):
                found[column] = inputs.get(column, state_manager)
    return found


def as_columns(feature_columns: Any, kind: str = "_FeatureColumn") -> list[Any]:
    """The columns as a list.

    Args:
        feature_columns: a column, or several.
        kind: what errors call a column.

    Raises:
        ValueError: there are none, one is no column, or two have the same name.
    """
    if isinstance(feature_columns, (Column, FeatureColumn)):
        feature_columns = [feature_columns]
    if isinstance(feature_columns, dict):
        raise ValueError("Expected feature_columns to be iterable, found dict (give a list of its columns)")
    columns = list(feature_columns)
    for column in columns:
        if not isinstance(column, (Column, FeatureColumn)):
            raise ValueError(f"every item of feature_columns must be a {kind}, got {column!r}")
    if not columns:
        raise ValueError("feature_columns must not be empty.")
    _check_distinct(columns)
    return columns


def _check_distinct(columns: list[Any]) -> None:
    names: dict[str, Any] = {}
    for column in columns:
        if column.name in names:
            raise ValueError(f"Duplicate feature column name found for columns {column}, {names[column.name]}. "
                             "Columns of one feature cannot be used together: leave one out, or give the feature a "
                             "second name.")
        names[column.name] = column


def check_batches(tensors: list[Tensor], columns: list[Any]) -> None:
    """Raises ValueError where the tensors of columns are known to have batches of different sizes."""
    known: tuple[int, Any] | None = None
    for tensor, column in zip(tensors, columns):
        size = tensor.shape.dims[0].value
        if size is None:
            continue
        if known is not None and known[0] != size:
            raise ValueError("Batch size (first dimension) of each feature must be same, but column "
                             f"{known[1].name} has {known[0]} rows and {column.name} {size}")
        known = (size, column)
