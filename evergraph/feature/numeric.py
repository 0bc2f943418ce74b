"""Columns of numbers, as they are or one of several buckets."""
from __future__ import annotations

import collections
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.feature.column import BothCategorical, BothDense, checked_key
from evergraph.feature.serial import Configured
from evergraph.frontend import array, indexing, math
from evergraph.frontend.input.features import FixedLenFeature
from evergraph.graph.composite import SparseTensor
from evergraph.ops.arrays.pad import tile
from evergraph.ops.math.reduce import bucketize


@export("feature_column.numeric_column")
def numeric_column(key: str, shape: Any = (1,), default_value: Any = None, dtype: Any = dtypes.float32,
                   normalizer_fn: Callable[[Any], Any] | None = None) -> NumericColumn:
    """A column of numbers.

    >>> price = tf.feature_column.numeric_column("price", normalizer_fn=lambda x: x / 100.0)
    >>> tf.Session().run(tf.feature_column.input_layer({"price": [[50.0], [75.0]]}, [price]))
    array([[0.5 ],
           [0.75]], dtype=float32)

    Args:
        key: the name of the feature.
        shape: the shape of an example's numbers.
        default_value: what an example without the feature gets: a number for all, or one for each.
        dtype: the dtype of the feature when it is parsed; the column's tensor is float32.
        normalizer_fn: a function of the tensor, called before it is used.

    Raises:
        TypeError: a size is no integer, the default is not of the dtype, or `normalizer_fn` cannot be called.
        ValueError: a size is not positive, the default has another shape, or the dtype is not one of numbers.
    """
    shape = checked_shape(shape, key)
    checked_number_type(dtype, key)
    check_callable(normalizer_fn)
    return NumericColumn(checked_key(key), shape, _checked_default(shape, default_value, dtype, key), dtype,
                         normalizer_fn)


def checked_shape(shape: Any, key: Any) -> tuple[int, ...]:
    """The sizes of a shape; raises TypeError or ValueError where they are no positive integers."""
    checked_key(key)
    sizes = tuple(shape) if isinstance(shape, (list, tuple, TensorShape, np.ndarray)) else (shape,)
    for size in sizes:
        if not isinstance(getattr(size, "value", size), (int, np.integer)):
            raise TypeError(f"shape dimensions must be integer. shape: {shape}, key: {key}")
        if int(size) < 1:
            raise ValueError(f"shape dimensions must be greater than 0; column {key!r} has {shape}")
    return tuple(int(size) for size in sizes)


def checked_number_type(dtype: Any, key: str) -> None:
    """Raises ValueError unless numbers of this dtype can become float32."""
    if not (dtype.is_integer or dtype.is_floating):
        raise ValueError(f"dtype must be convertible to float; column {key!r} has {dtype}")


def check_callable(normalizer_fn: Any) -> None:
    if normalizer_fn is not None and not callable(normalizer_fn):
        raise TypeError(f"normalizer_fn must be a callable. Given: {normalizer_fn}")


def _checked_default(shape: tuple[int, ...], value: Any, dtype: Any, key: str) -> Any:
    """A default as nested tuples of the column's shape; None stays None."""
    if value is None:
        return None
    value = value.tolist() if isinstance(value, np.ndarray) else value
    numbers = np.array(value)
    fits = np.issubdtype(numbers.dtype, np.integer) or dtype.is_floating and np.issubdtype(numbers.dtype, np.floating)
    if not fits or numbers.dtype == bool:
        raise TypeError(f"default_value must be compatible with dtype {dtype}, got {value} for key {key}")
    if numbers.shape not in ((), shape):
        raise ValueError(f"The shape of default_value is {numbers.shape}, wanted () or {shape}: got {value} for key "
                         f"{key}")
    return _as_tuples(np.broadcast_to(numbers.astype(dtype.as_numpy_dtype), shape).tolist())


def _as_tuples(value: Any) -> Any:
    return tuple(map(_as_tuples, value)) if isinstance(value, list) else value


class NumericColumn(
    Configured, BothDense,
    collections.namedtuple("NumericColumn", ["key", "shape", "default_value", "dtype", "normalizer_fn"]),
):
    """What `tf.feature_column.numeric_column` makes."""

    @property
    def name(self) -> str:
        return self.key

    @property
    def parents(self) -> list[Any]:
        return [self.key]

    @property
    def parse_example_spec(self) -> dict[str, Any]:
        return {self.key: FixedLenFeature(self.shape, self.dtype, self.default_value)}

    def transform_feature(self, transformation_cache: Any, state_manager: Any) -> Any:
        """The numbers as float32, normalized."""
        numbers = transformation_cache.get(self.key, state_manager)
        if isinstance(numbers, SparseTensor):
            raise ValueError(f"the feature of numeric column {self.key} must be a Tensor, got a SparseTensor")
        if self.normalizer_fn is not None:
            numbers = self.normalizer_fn(numbers)
        return math.cast(numbers, dtypes.float32)

    @property
    def variable_shape(self) -> TensorShape:
        return TensorShape(self.shape)

    def get_dense_tensor(self, transformation_cache: Any, state_manager: Any) -> Any:
        return transformation_cache.get(self, state_manager)



@export("feature_column.bucketized_column")
def bucketized_column(source_column: NumericColumn, boundaries: Sequence[float]) -> BucketizedColumn:
    """A column that says between which boundaries a number lies.

    As a dense column it is one-hot, as a categorical one (in `tf.feature_column.linear_model` and crosses) it is an id.
    Boundaries [0, 10] make three buckets: below 0, from 0 to below 10, and 10 or more.

    >>> price = tf.feature_column.bucketized_column(tf.feature_column.numeric_column("price"), [0, 10])
    >>> tf.Session().run(tf.feature_column.input_layer({"price": [[-5.0], [10.0]]}, [price]))
    array([[1., 0., 0.],
           [0., 0., 1.]], dtype=float32)

    Args:
        source_column: a column made by `tf.feature_column.numeric_column`, of one axis.
        boundaries: at least one number, in increasing order.

    Raises:
        ValueError: the column or the boundaries are something else.
    """
    if not isinstance(source_column, NumericColumn):
        raise ValueError(f"source_column takes what numeric_column makes, got {source_column}")
    if len(source_column.shape) > 1:
        raise ValueError(f"source_column must be one-dimensional column, got {source_column}")
    if not boundaries:
        raise ValueError("boundaries must not be empty: boundaries must be a sorted list of numbers")
    if not isinstance(boundaries, (list, tuple)) or any(a >= b for a, b in zip(boundaries, boundaries[1:])):
        raise ValueError(f"boundaries must be a sorted list. Given: {boundaries}")
    return BucketizedColumn(source_column, tuple(boundaries))


class BucketizedColumn(
    Configured, BothDense, BothCategorical,
    collections.namedtuple("BucketizedColumn", ["source_column", "boundaries"]),
):
    """What `tf.feature_column.bucketized_column` makes."""

    @property
    def name(self) -> str:
        return f"{self.source_column.name}_bucketized"

    @property
    def parents(self) -> list[Any]:
        return [self.source_column]

    @property
    def parse_example_spec(self) -> dict[str, Any]:
        return self.source_column.parse_example_spec

    def transform_feature(self, transformation_cache: Any, state_manager: Any) -> Any:
        """The number of the bucket of each number."""
        return bucketize(transformation_cache.get(self.source_column, state_manager), boundaries=list(self.boundaries))

    @property
    def _count(self) -> int:
        return len(self.boundaries) + 1

    @property
    def variable_shape(self) -> TensorShape:
        return TensorShape((*self.source_column.shape, self._count))

    def get_dense_tensor(self, transformation_cache: Any, state_manager: Any) -> Any:
        buckets = math.cast(transformation_cache.get(self, state_manager), dtypes.int64)
        return indexing.one_hot(buckets, depth=self._count, on_value=1.0, off_value=0.0)

    @property
    def num_buckets(self) -> int:
        return self._count * self.source_column.shape[0]

    def get_sparse_tensors(self, transformation_cache: Any, state_manager: Any) -> Any:
        """The buckets as ids; the numbers of an example have ids of their own."""
        buckets, width = transformation_cache.get(self, state_manager), self.source_column.shape[0]
        batch = array.shape(buckets)[0]
        rows = array.reshape(tile(array.expand_dims(math.range(0, batch), 1), [1, width]), (-1,))
        places = tile(math.range(0, width), [batch])
        ids = array.reshape(buckets, (-1,)) + self._count * places
        indices = math.cast(array.transpose(array.stack((rows, places))), dtypes.int64)
        shape = math.cast(array.stack([batch, width]), dtypes.int64)
        return self.IdWeightPair(SparseTensor(indices, ids, shape), None)
