"""Checks that logits, labels and weights fit together, and gives them the same rank."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from evergraph.base import dtypes
from evergraph.feature.numeric import NumericColumn, numeric_column
from evergraph.frontend import array, math
from evergraph.frontend.blocks import control_dependencies, name_scope
from evergraph.frontend.checks import Assert, assert_rank_at_least
from evergraph.frontend.reduce import reduce_all
from evergraph.graph.composite import SparseTensor, convert_to_tensor_or_sparse_tensor
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Tensor
from evergraph.ops.math import elementwise


def checked_logits(logits: Any, dimension: int) -> Tensor:
    """Logits as floats [..., dimension], of rank two at least."""
    with name_scope("logits", values=[logits]):
        logits = math.cast(convert_to_tensor(logits), dtypes.float32)
        wanted = f"logits shape ends with logits_dimension, here {dimension}, after the dimensions of the examples"
        rank = logits.shape.ndims
        if rank is not None and (rank < 2 or logits.shape.tuple[-1] not in (None, dimension)):
            raise ValueError(f"{wanted}, got {logits.shape}")
        if rank is not None and logits.shape.tuple[-1] is not None:
            return logits
        ranked = assert_rank_at_least(logits, 2, message=wanted)
        with control_dependencies([ranked]):
            last = array.shape(logits)[-1]
        fits = Assert(elementwise.equal(last, dimension), [f"{wanted}, got", array.shape(logits)])
        with control_dependencies([ranked, fits]):
            return array.identity(logits)


def dense_labels(labels: Any, logits: Tensor, dimension: int) -> Tensor:
    """Labels as a tensor of the shape of the logits but for the last axis, which has `dimension` elements."""
    labels = present(labels)
    if isinstance(labels, SparseTensor):
        raise ValueError("SparseTensor labels are not supported. The head wants a dense Tensor whose last "
                         f"dimension is {dimension}, such as [batch_size, {dimension}]; got {labels}")
    with name_scope("labels", values=[labels, logits]):
        full = _with_rank_of(logits, labels) if dimension == 1 or labels.shape.ndims is not None else labels
        if full.shape.ndims is not None and full.shape.tuple[-1] not in (None, dimension):
            raise ValueError(f"Mismatched label shape. Expected labels dimension={dimension}. "
                             f"Received {labels.shape[-1]}. If the labels are the ids of classes or strings, the head "
                             "wants one of them for each example; a regression wants label_dimension numbers")
        expected = array.concat([array.shape(logits)[:-1], [dimension]], 0, name="expected_labels_shape")
        with control_dependencies([assert_rank_at_least(
                full, 2, message=f"labels shape must be [D0, D1, ... DN, {dimension}].")]):
            actual = array.shape(full, name="labels_shape")
        fits = Assert(_equal_shapes(actual, expected), ["expected_labels_shape: ", expected, "labels_shape: ", actual],
                      summarize=8)
        with control_dependencies([fits]):
            return array.identity(full)


def present(labels: Any) -> Any:
    """Labels as a dense or sparse tensor, which must be there."""
    if labels is None:
        raise ValueError("You must provide a labels Tensor. Given: None. The input function returns no labels: look "
                         "whether the data hold them and whether it returns (features, labels)")
    return convert_to_tensor_or_sparse_tensor(labels)


def _with_rank_of(logits: Tensor, x: Tensor) -> Tensor:
    """`x` with a last axis of one element where it has one axis less than the logits."""
    if x.shape.ndims is not None and logits.shape.ndims is not None:
        return array.expand_dims(x, -1) if x.shape.ndims == logits.shape.ndims - 1 else x
    missing = elementwise.maximum(array.rank(logits) - array.rank(x), 0)
    return array.reshape(x, array.concat([array.shape(x), array.fill([missing], 1)], 0))


def _equal_shapes(x: Tensor, y: Tensor) -> Any:
    """Whether two shapes are equal; those of different lengths are not."""
    if x.shape.is_fully_defined() and y.shape.is_fully_defined() and x.shape != y.shape:
        return convert_to_tensor(False)
    return reduce_all(elementwise.equal(x, y))


# ---- weights

def as_weight_column(column: Any) -> NumericColumn | None:
    """The numeric column that holds the weights of examples; a string names its feature."""
    if column is None or isinstance(column, NumericColumn):
        return column
    if isinstance(column, str):
        return numeric_column(column, (1,))
    raise TypeError(f"weight_column is the name of a feature or a numeric column, not {column} ({type(column)})")


def checked_weights(features: Any, column: Any, logits: Tensor, per_logit: bool = False) -> Any:
    """The weights [..., 1] of examples, or [..., dimension] where each logit may have its own; 1 without a column."""
    column = as_weight_column(column)
    if column is None:
        return 1.0
    weights = _raw_weights(features, column)
    with name_scope("weights", values=[weights, logits]):
        shape = array.shape(logits)
        shown = ["logits_shape: ", shape, "weights_shape: ", array.shape(weights)]
        full = _with_rank_of(logits, weights)
        one = array.concat([shape[:-1], [1]], 0)
        fits = _equal_shapes(array.shape(full), one)
        if per_logit:
            fits = elementwise.logical_or(fits, _equal_shapes(array.shape(full), shape))
        with control_dependencies([Assert(fits, shown, summarize=8)]):
            return array.identity(full, name="weights")


def _raw_weights(features: Any, column: NumericColumn) -> Tensor:
    if not isinstance(features, Mapping) or column.key not in features:
        raise ValueError(f"the weights are the feature {column.key!r}, which is not among the features {features}")
    weights = convert_to_tensor(features[column.key])
    if column.normalizer_fn is not None:
        weights = column.normalizer_fn(weights)
    if not (weights.dtype.is_floating or weights.dtype.is_integer):
        raise ValueError(f"weights must be numbers, but their dtype is {weights.dtype}")
    return math.cast(weights, dtypes.float32, name="weights")


# ---- values

def values_between(labels: Tensor, smallest: int, largest: int, too_small: str, too_large: str) -> Tensor:
    """Labels between two numbers; others fail at run time with those messages."""
    with name_scope("assert_range", values=[labels]):
        least, most = math.cast(smallest, labels.dtype), math.cast(largest, labels.dtype)
        checks = [Assert(reduce_all(elementwise.less_equal(labels, most)), [too_large, "labels: ", labels]),
                  Assert(reduce_all(elementwise.greater_equal(labels, least)), [too_small, "labels: ", labels])]
        with control_dependencies(checks):
            return array.identity(labels)


def labels_in_range(labels: Tensor, n_classes: int) -> Tensor:
    """Labels between 0 and n_classes - 1; others fail at run time."""
    return values_between(labels, 0, n_classes - 1, "Labels must be >= 0", "Labels must be <= n_classes - 1")
