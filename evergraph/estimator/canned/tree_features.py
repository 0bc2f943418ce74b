"""Feature columns as the buckets that trees split on."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from evergraph.base import dtypes
from evergraph.feature.column import CategoricalColumn, DenseColumn
from evergraph.feature.indicator import IndicatorColumn
from evergraph.feature.inputs import FeatureTransformationCache, in_order
from evergraph.feature.numeric import BucketizedColumn
from evergraph.frontend import array, math
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.boosted_trees import QuantileAccumulator
from evergraph.graph.node import Tensor
from evergraph.ops.trees.stats import boosted_trees_bucketize


@dataclass(frozen=True)
class TreeFeatures:
    """The features of a batch: a vector of buckets for each, and how many buckets each has.

    `numbers` are the vectors of those features whose buckets are quantiles, and `quantiles` are their streams.
    """

    buckets: list[Tensor]
    counts: list[int]
    numbers: list[Tensor]
    quantiles: QuantileAccumulator | None


def check_columns(columns: Any) -> None:
    """Raises ValueError if trees cannot split on a column."""
    for column in columns:
        if isinstance(column, CategoricalColumn) and not isinstance(column, (BucketizedColumn, IndicatorColumn)):
            raise ValueError("CategoricalColumn must be wrapped by IndicatorColumn, BoostedTrees got: "
                             f"{column}")
        if not isinstance(column, DenseColumn) and not hasattr(column, "_variable_shape"):
            raise ValueError(f"BoostedTrees splits on dense columns, but got: {column}")


def _width(column: Any) -> int:
    """The number of features that a column gives."""
    if isinstance(column, BucketizedColumn):
        return int(_shape(column.source_column).num_elements())
    return int(_shape(column).num_elements())


def _shape(column: Any) -> Any:
    return column.variable_shape if hasattr(column, "variable_shape") else column._variable_shape


def feature_names(columns: Any) -> list[str]:
    """The name of the column of each feature; indicators go by the name of their categorical column."""
    names: list[str] = []
    for column in in_order(columns):
        name = column.categorical_column.name if isinstance(column, IndicatorColumn) else column.name
        names += [name] * _width(column)
    return names


def tree_features(features: Any, columns: Any, epsilon: float) -> TreeFeatures:
    """Sorts the features of a batch into buckets.

    Args:
        features: tensors by name.
        columns: dense columns. Numbers get about 1 / epsilon buckets, which are quantiles of the training data.
        epsilon: the error of quantiles.
    """
    columns, inputs = in_order(columns), FeatureTransformationCache(features)
    numeric = [column for column in columns if not isinstance(column, (BucketizedColumn, IndicatorColumn))]
    count = int(1 / epsilon)
    streams = sum(map(_width, numeric))
    quantiles = QuantileAccumulator(epsilon, streams, count, name="QuantileAccumulator") if streams else None
    with name_scope("transform_features"):
        values = {column: _vectors(column, inputs) for column in columns}
    numbers = [vector for column in numeric for vector in values[column]]
    sorted_numbers = _by_quantiles(numbers, quantiles)
    buckets: list[Tensor] = []
    counts: list[int] = []
    for column in columns:
        if isinstance(column, BucketizedColumn):
            found, size = values[column], len(column.boundaries) + 1
        elif isinstance(column, IndicatorColumn):
            found, size = values[column], 2
        else:
            found, size = [next(sorted_numbers) for _ in values[column]], count
        buckets += [math.cast(each, dtypes.int32) for each in found]
        counts += [size] * len(found)
    return TreeFeatures(buckets, counts, numbers, quantiles)


def _by_quantiles(numbers: list[Tensor], quantiles: QuantileAccumulator | None) -> Any:
    if quantiles is None:
        return iter(())
    return iter(boosted_trees_bucketize(numbers, quantiles.get_bucket_boundaries()))


def _vectors(column: Any, inputs: FeatureTransformationCache) -> list[Tensor]:
    """The features of a column, a vector over examples each."""
    found = inputs.get(column, None)
    return array.unstack(array.reshape(found, [-1, _width(column)]), num=_width(column), axis=1)
