"""Batches: map_and_batch, dense_to_sparse_batch, dense_to_ragged_batch, unbatch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.data import nest, specs
from evergraph.data.arguments import flag, known_size, number
from evergraph.data.functions import Function
from evergraph.frontend import array
from evergraph.graph.convert import convert_to_tensor, is_tensor_like
from evergraph.graph.node import Tensor
from evergraph.ops.arrays import ragged
from evergraph.ops.data import mapped_batches, sparse_batching
from evergraph.ops.math import elementwise


@export("data.experimental.map_and_batch", "contrib.data.map_and_batch")
def map_and_batch(map_func: Callable[..., Any], batch_size: Any, num_parallel_batches: Any = None,
                  drop_remainder: Any = False, num_parallel_calls: Any = None) -> Callable[[Any], Any]:
    """For `Dataset.apply`: what a function gives for each element, in batches.

    >>> batches = tf.data.Dataset.range(10).apply(tf.data.experimental.map_and_batch(lambda x: x * x, 4))

    It is `map` followed by `batch`, except that an error in the function costs the whole batch.

    Args:
        map_func: a function of tensors.
        batch_size: how many results make a batch.
        num_parallel_batches: how many batches are computed ahead.
        drop_remainder: whether a last batch of fewer elements is left out.
        num_parallel_calls: how many elements are computed ahead, in place of `num_parallel_batches`.

    Raises:
        ValueError: both `num_parallel_batches` and `num_parallel_calls` are given.
    """
    if num_parallel_batches is not None and num_parallel_calls is not None:
        raise ValueError("map_and_batch takes `num_parallel_batches` or `num_parallel_calls`, not both")

    def apply(dataset: Any) -> Any:
        function = Function(map_func, "tf.data.experimental.map_and_batch()", dataset.element_spec)
        size, drops = number(batch_size, "batch_size"), flag(drop_remainder, "drop_remainder")
        calls = number(num_parallel_calls, "num_parallel_calls") if num_parallel_calls is not None else size \
            if num_parallel_batches is None else elementwise.mul(size, number(num_parallel_batches, "batches"))
        return dataset._then(mapped_batches.map_and_batch_dataset, function.captured, size, calls, drops,
                             spec=specs.batched(function.spec, known_size(size, drops)), f=function.graph,
                             preserve_cardinality=True)

    return apply


@export("data.experimental.map_and_batch_with_legacy_function")
def map_and_batch_with_legacy_function(map_func: Callable[..., Any], batch_size: Any, num_parallel_batches: Any = None,
                                       drop_remainder: Any = False,
                                       num_parallel_calls: Any = None) -> Callable[[Any], Any]:
    """The same as `map_and_batch`: there is one kind of functions."""
    return map_and_batch(map_func, batch_size, num_parallel_batches, drop_remainder, num_parallel_calls)


@export("data.experimental.unbatch", "contrib.data.unbatch")
def unbatch() -> Callable[[Any], Any]:
    """For `Dataset.apply`: the same as `Dataset.unbatch`."""
    return lambda dataset: dataset.unbatch()


@export("data.experimental.dense_to_sparse_batch", "contrib.data.dense_to_sparse_batch")
def dense_to_sparse_batch(batch_size: Any, row_shape: Any) -> Callable[[Any], Any]:
    """For `Dataset.apply`: consecutive elements of different sizes, as the rows of a tf.SparseTensor.

    Args:
        batch_size: how many make a batch.
        row_shape: the shape of a row; a size of None stands for the largest in the batch.
    """
    def apply(dataset: Any) -> Any:
        spec = dataset.element_spec
        if not isinstance(spec, specs.TensorSpec):
            raise TypeError("dense_to_sparse_batch takes a dataset whose elements are one dense tensor each, got "
                            f"elements of {specs.legacy(spec)[0]}")
        row = _shape_vector(row_shape)
        shape = TensorShape([None]).concatenate(TensorShape(None) if is_tensor_like(row_shape)
                                                else TensorShape(row_shape))
        return dataset._then(sparse_batching.dense_to_sparse_batch_dataset, number(batch_size, "batch_size"), row,
                             spec=specs.SparseTensorSpec(shape, spec.dtype))

    return apply


def _shape_vector(shape: Any) -> Tensor:
    """A shape as an int64 vector, with -1 for unknown sizes."""
    if is_tensor_like(shape):
        return convert_to_tensor(shape, dtypes.int64)
    return convert_to_tensor([-1 if size is None else size for size in TensorShape(shape).as_list()], dtypes.int64)


@export("compat.v2.data.experimental.dense_to_ragged_batch")
def dense_to_ragged_batch(batch_size: Any, drop_remainder: Any = False,
                          row_splits_dtype: Any = dtypes.int64) -> Callable[[Any], Any]:
    """For `Dataset.apply`: consecutive elements; where their sizes are not known, as the rows of a tf.RaggedTensor.

    Args:
        batch_size: how many make a batch.
        drop_remainder: whether a last batch of fewer elements is left out.
        row_splits_dtype: of the ragged tensors: tf.int64 or tf.int32.
    """
    kind = dtypes.as_dtype(row_splits_dtype)

    def apply(dataset: Any) -> Any:
        spec = nest.map_structure(lambda leaf: _ragged_spec(leaf, kind), dataset.element_spec)
        leaves = zip(nest.flatten(dataset.element_spec), nest.flatten(spec), strict=True)
        is_ragged = [before is not after for before, after in leaves]

        def rows(*parts: Any) -> Any:
            flat = nest.flatten_up_to(dataset.element_spec, parts if type(dataset.element_spec) is tuple else parts[0])
            packed = [_as_row(part, kind) if changes else part for part, changes in zip(flat, is_ragged, strict=True)]
            return nest.pack_sequence_as(dataset.element_spec, packed)

        mapped = dataset.map(rows)
        return mapped._made(mapped._variant_tensor, spec, mapped).batch(batch_size, drop_remainder)

    return apply


def _ragged_spec(leaf: Any, kind: dtypes.DType) -> Any:
    """The spec of the rows of a ragged batch of such elements; the same spec if the batch is dense."""
    if not isinstance(leaf, specs.TensorSpec) or leaf.shape.is_fully_defined():
        return leaf
    if leaf.shape.ndims is None:
        raise ValueError("Cannot make a ragged batch of elements whose rank is not known.")
    return specs.RaggedTensorSpec(leaf.shape, leaf.dtype, 0, kind)


def _as_row(value: Tensor, kind: dtypes.DType) -> Tensor:
    """A tensor as a row of a ragged one: a variant."""
    splits = array.stack([array.constant(0, kind), array.shape(value, out_type=kind)[0]])
    return array.reshape(ragged.ragged_tensor_to_variant([splits], value, batched_input=True), [])
