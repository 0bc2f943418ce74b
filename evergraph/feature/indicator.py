"""Dense columns that count the ids of a categorical column."""
from __future__ import annotations

import collections
from typing import Any

from evergraph.base.export import export
from evergraph.base.shapes import TensorShape, dimension_value
from evergraph.feature.column import BothDense, BothSequence, buckets_of, sparse_tensors_of, spec_of
from evergraph.feature.sequence import check_is_sequence, check_no_sequence, sequence_lengths
from evergraph.feature.serial import Configured
from evergraph.frontend import indexing
from evergraph.frontend.reduce import reduce_sum
from evergraph.frontend.sparse.arithmetic import sparse_merge, sparse_tensor_to_dense
from evergraph.frontend.sparse.shape import sparse_slice
from evergraph.ops.arrays.gather import scatter_nd


@export("feature_column.indicator_column")
def indicator_column(categorical_column: Any) -> IndicatorColumn:
    """A dense column that says how often each id occurs: one-hot where an example has one value.

    The ids of a weighted column count as much as they weigh.

    Args:
        categorical_column: the ids.
    """
    return IndicatorColumn(categorical_column)


class IndicatorColumn(
    Configured, BothDense, BothSequence, collections.namedtuple("IndicatorColumn", ["categorical_column"])
):
    """What `tf.feature_column.indicator_column` makes."""

    @property
    def name(self) -> str:
        return f"{self.categorical_column.name}_indicator"

    @property
    def parents(self) -> list[Any]:
        return [self.categorical_column]

    @property
    def parse_example_spec(self) -> dict[str, Any]:
        return spec_of(self.categorical_column)

    @property
    def variable_shape(self) -> TensorShape:
        return TensorShape([1, buckets_of(self.categorical_column)])

    def transform_feature(self, transformation_cache: Any, state_manager: Any) -> Any:
        """The counts, [batch, buckets] or [batch, steps, buckets]."""
        ids, weights = sparse_tensors_of(self.categorical_column, transformation_cache, state_manager)
        return self._counted(ids) if weights is None else self._weighed(ids, weights)

    def _counted(self, ids: Any) -> Any:
        dense = sparse_tensor_to_dense(ids, default_value=-1)
        ones = indexing.one_hot(dense, depth=buckets_of(self.categorical_column), on_value=1.0, off_value=0.0)
        return reduce_sum(ones, axis=[-2])

    def _weighed(self, ids: Any, weights: Any) -> Any:
        merged = sparse_merge(ids, weights, vocab_size=buckets_of(self.categorical_column))
        # An id of -1, a word out of the vocabulary, lies outside of the slice.
        merged = sparse_slice(merged, [0] * dimension_value(merged.dense_shape.shape[0]), merged.dense_shape)
        return scatter_nd(merged.indices, merged.values, merged.dense_shape)

    def get_dense_tensor(self, transformation_cache: Any, state_manager: Any) -> Any:
        check_no_sequence(self, "indicator_column")
        return transformation_cache.get(self, state_manager)

    def get_sequence_dense_tensor(self, transformation_cache: Any, state_manager: Any) -> Any:
        check_is_sequence(self, "indicator_column")
        tensor = transformation_cache.get(self, state_manager)
        ids = sparse_tensors_of(self.categorical_column, transformation_cache, state_manager).id_tensor
        return self.TensorSequenceLengthPair(tensor, sequence_lengths(ids))
