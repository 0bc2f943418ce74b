"""Split handlers: each gathers the statistics of one feature column and makes splits of them."""

from __future__ import annotations

import abc
from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.contrib.boosted_trees.accumulators import QuantileAccumulator, StatsAccumulator
from evergraph.frontend import array, math
from evergraph.frontend.blocks import control_dependencies, name_scope
from evergraph.frontend.control_flow import group
from evergraph.frontend.indexing import gather, where
from evergraph.graph.composite import SparseTensor
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Operation, Tensor
from evergraph.ops.contrib import quantile_accumulators as quantile_ops
from evergraph.ops.contrib import split_builders as ops
from evergraph.ops.math import elementwise

_BATCH = "contrib.boosted_trees.lib.learner.batch"
NORMAL = 0  # LearnerConfig.NORMAL_DECISION_TREE
_BIAS = -1  # the feature of all examples


def _rows_if(is_wanted: Any, *columns: Any) -> list[Tensor]:
    """The columns as they are, or without their rows."""
    return [each[:where(is_wanted, array.shape(each)[0], 0)] for each in columns]


@export(f"{_BATCH}.base_split_handler.BaseSplitHandler")
class BaseSplitHandler(abc.ABC):
    """The base of split handlers.

    Args:
        l1_regularization: the penalty of weights.
        l2_regularization: the penalty of their squares.
        tree_complexity_regularization: what a split must gain.
        min_node_weight: the hessian that a node must have.
        feature_column_group_id: the number of the column.
        gradient_shape: that of a gradient.
        hessian_shape: that of a hessian.
        multiclass_strategy: a MultiClassStrategy of LearnerConfig.
        loss_uses_sum_reduction: whether statistics are sums over batches, not means.
        name: a name for the operations.
    """

    def __init__(self, l1_regularization: float, l2_regularization: float, tree_complexity_regularization: float,
                 min_node_weight: float, feature_column_group_id: int, gradient_shape: Any, hessian_shape: Any,
                 multiclass_strategy: int, loss_uses_sum_reduction: bool = False, name: str | None = None) -> None:
        self._name = name
        self._sums_losses = loss_uses_sum_reduction
        self._settings = {
            "feature_column_group_id": feature_column_group_id, "l1_regularization": l1_regularization,
            "l2_regularization": l2_regularization, "tree_complexity_regularization": tree_complexity_regularization,
            "min_node_weight": min_node_weight, "multiclass_strategy": multiclass_strategy}
        self._shapes = gradient_shape, hessian_shape

    def _accumulate_stats(self, stamp: Any) -> None:
        self._stats = StatsAccumulator(stamp, *self._shapes, name=f"StatsAccumulator/{self._name}")

    @abc.abstractmethod
    def update_stats_sync(self, stamp_token: Any, example_partition_ids: Any, gradients: Any, hessians: Any,
                          empty_gradients: Any, empty_hessians: Any, weights: Any, is_active: Any) -> Operation:
        """Takes in a batch.

        Args:
            stamp_token: the stamp.
            example_partition_ids: the node of each example.
            gradients: of the loss of each example.
            hessians: likewise.
            empty_gradients: has no meaning: where nothing is taken in, rows are left out.
            empty_hessians: likewise.
            weights: the weights of the examples.
            is_active: two booleans: whether to gather statistics for this layer, and quantiles for the next.
        """

    @abc.abstractmethod
    def make_splits(self, stamp_token: Any, next_stamp_token: Any, class_id: int) -> tuple[Any, Any, Any, Any]:
        """Makes splits of what came in, and goes on to the next stamp.

        Args:
            stamp_token: the stamp.
            next_stamp_token: the next one.
            class_id: the class that trees are of; -1 if there are no trees of one class.

        Returns:
            (whether there are splits, the nodes, the gains, the splits as serialized SplitInfo).
        """

    def reset(self, stamp_token: Any, next_stamp_token: Any) -> Operation:
        """Forgets what came in, and goes on to the next stamp."""
        return self._stats.flush(stamp_token, next_stamp_token)[0].op

    def _batches(self, updates: Tensor) -> Tensor:
        return array.ones_like(updates) if self._sums_losses else updates

    def _with_bias(self, partitions: Tensor, features: Tensor, rows: Tensor, gradients: Tensor,
                   hessians: Tensor) -> list[Tensor]:
        """The statistics of values in rows, and those of all examples under the feature -1."""
        everyone = array.stack([array.fill(array.shape(partitions), math.cast(_BIAS, dtypes.int64)),
                                array.zeros_like(partitions, dtypes.int64)], axis=1)
        return [array.concat([partitions, gather(partitions, rows)], 0), array.concat([everyone, features], 0),
                array.concat([gradients, gather(gradients, rows)], 0),
                array.concat([hessians, gather(hessians, rows)], 0)]


def _tensors(partitions: Any, gradients: Any, hessians: Any) -> list[Tensor]:
    return [convert_to_tensor(partitions, dtypes.int32), convert_to_tensor(gradients), convert_to_tensor(hessians)]


@export(f"{_BATCH}.ordinal_split_handler.InequalitySplitHandler")
class InequalitySplitHandler(BaseSplitHandler):
    """The base of handlers of numbers, whose thresholds are quantiles of the layer before.

    Args:
        l1_regularization: see BaseSplitHandler, as for those without a description.
        l2_regularization: see there.
        tree_complexity_regularization: see there.
        min_node_weight: see there.
        feature_column_group_id: see there.
        epsilon: the greatest error of a quantile.
        num_quantiles: how many quantiles.
        gradient_shape: see there.
        hessian_shape: see there.
        multiclass_strategy: see there.
        init_stamp_token: the first stamp.
        loss_uses_sum_reduction: see there.
        name: see there.
    """

    def __init__(self, l1_regularization: float, l2_regularization: float, tree_complexity_regularization: float,
                 min_node_weight: float, feature_column_group_id: int, epsilon: float, num_quantiles: int,
                 gradient_shape: Any, hessian_shape: Any, multiclass_strategy: int, init_stamp_token: Any = 0,
                 loss_uses_sum_reduction: bool = False, name: str | None = None) -> None:
        super().__init__(l1_regularization, l2_regularization, tree_complexity_regularization, min_node_weight,
                         feature_column_group_id, gradient_shape, hessian_shape, multiclass_strategy,
                         loss_uses_sum_reduction, name)
        self._accumulate_stats(init_stamp_token)
        self._quantiles = QuantileAccumulator(init_stamp_token, epsilon, num_quantiles,
                                              name=f"QuantileAccumulator/{self._name}")

    def reset(self, stamp_token: Any, next_stamp_token: Any) -> Operation:
        return group(super().reset(stamp_token, next_stamp_token), self._quantiles.flush(stamp_token, next_stamp_token))

    def _flushed(self, stamp: Any, following: Any) -> tuple[Tensor, Tensor, Any]:
        """(whether there were thresholds, the thresholds, the statistics); goes on to the next stamp."""
        ready, thresholds = self._quantiles.get_buckets(stamp)
        with control_dependencies([ready, thresholds]):
            flushed = self._quantiles.flush(stamp, following)
            stats = self._stats.flush(stamp, following)
        with control_dependencies([flushed, stats[0]]):
            return array.identity(ready), thresholds, stats


@export(f"{_BATCH}.ordinal_split_handler.DenseSplitHandler")
class DenseSplitHandler(InequalitySplitHandler):
    """Splits by a number that every example has.

    Args:
        dense_float_column: the numbers.
        l1_regularization: see BaseSplitHandler, as for those without a description.
        l2_regularization: see there.
        tree_complexity_regularization: see there.
        min_node_weight: see there.
        feature_column_group_id: see there.
        epsilon: the greatest error of a quantile.
        num_quantiles: how many quantiles.
        gradient_shape: see there.
        hessian_shape: see there.
        multiclass_strategy: see there.
        init_stamp_token: the first stamp.
        loss_uses_sum_reduction: see there.
        weak_learner_type: whether nodes of a layer share a split: a WeakLearnerType of LearnerConfig.
        name: see there.
    """

    def __init__(self, dense_float_column: Any, l1_regularization: float, l2_regularization: float,
                 tree_complexity_regularization: float, min_node_weight: float, feature_column_group_id: int,
                 epsilon: float, num_quantiles: int, gradient_shape: Any, hessian_shape: Any, multiclass_strategy: int,
                 init_stamp_token: Any = 0, loss_uses_sum_reduction: bool = False, weak_learner_type: int = NORMAL,
                 name: str | None = None) -> None:
        super().__init__(l1_regularization, l2_regularization, tree_complexity_regularization, min_node_weight,
                         feature_column_group_id, epsilon, num_quantiles, gradient_shape, hessian_shape,
                         multiclass_strategy, init_stamp_token, loss_uses_sum_reduction, name)
        self._column, self._learner = convert_to_tensor(dense_float_column), weak_learner_type

    def update_stats_sync(self, stamp_token: Any, example_partition_ids: Any, gradients: Any, hessians: Any,
                          empty_gradients: Any, empty_hessians: Any, weights: Any, is_active: Any) -> Operation:
        with name_scope(self._name, "DenseSplitHandler"):
            ready, thresholds = self._quantiles.get_buckets(stamp_token)
            column, weights = _rows_if(is_active[1], array.reshape(self._column, [-1]), array.reshape(weights, [-1]))
            placed, _ = quantile_ops.quantiles([array.reshape(self._column, [-1])], [], [thresholds], [], [])
            stats = _tensors(example_partition_ids, gradients, hessians)
            stats.insert(1, math.cast(placed[0], dtypes.int64))
            return group(self._quantiles.add_summary(stamp_token, column, weights),
                         self._stats.add(stamp_token, *_rows_if(elementwise.logical_and(ready, is_active[0]), *stats)))

    def make_splits(self, stamp_token: Any, next_stamp_token: Any, class_id: int) -> tuple[Any, Any, Any, Any]:
        ready, thresholds, (updates, *stats) = self._flushed(stamp_token, next_stamp_token)
        return ready, *ops.build_dense_inequality_splits(
            self._batches(updates), *stats, thresholds, class_id=class_id, weak_learner_type=self._learner,
            **self._settings)


@export(f"{_BATCH}.ordinal_split_handler.SparseSplitHandler")
class SparseSplitHandler(InequalitySplitHandler):
    """Splits by numbers that not every example has.

    Args:
        sparse_float_column: the numbers: a sparse tensor whose rows are examples.
        l1_regularization: see BaseSplitHandler, as for those without a description.
        l2_regularization: see there.
        tree_complexity_regularization: see there.
        min_node_weight: see there.
        feature_column_group_id: see there.
        epsilon: the greatest error of a quantile.
        num_quantiles: how many quantiles.
        gradient_shape: see there.
        hessian_shape: see there.
        multiclass_strategy: see there.
        init_stamp_token: the first stamp.
        loss_uses_sum_reduction: see there.
        name: see there.
    """

    def __init__(self, sparse_float_column: SparseTensor, l1_regularization: float, l2_regularization: float,
                 tree_complexity_regularization: float, min_node_weight: float, feature_column_group_id: int,
                 epsilon: float, num_quantiles: int, gradient_shape: Any, hessian_shape: Any, multiclass_strategy: int,
                 init_stamp_token: Any = 0, loss_uses_sum_reduction: bool = False, name: str | None = None) -> None:
        super().__init__(l1_regularization, l2_regularization, tree_complexity_regularization, min_node_weight,
                         feature_column_group_id, epsilon, num_quantiles, gradient_shape, hessian_shape,
                         multiclass_strategy, init_stamp_token, loss_uses_sum_reduction, name)
        self._column = sparse_float_column

    def update_stats_sync(self, stamp_token: Any, example_partition_ids: Any, gradients: Any, hessians: Any,
                          empty_gradients: Any, empty_hessians: Any, weights: Any, is_active: Any) -> Operation:
        with name_scope(self._name, "SparseSplitHandler"):
            ready, thresholds = self._quantiles.get_buckets(stamp_token)
            column = self._column
            kept = SparseTensor(*_rows_if(is_active[1], column.indices, column.values), column.dense_shape)
            _, placed = quantile_ops.quantiles([], [column.values], [], [thresholds], [column.indices])
            partitions, gradients, hessians = _tensors(example_partition_ids, gradients, hessians)
            stats = self._with_bias(partitions, math.cast(placed[0], dtypes.int64), column.indices[:, 0], gradients,
                                    hessians)
            return group(self._quantiles.add_summary(stamp_token, kept, weights),
                         self._stats.add(stamp_token, *_rows_if(elementwise.logical_and(ready, is_active[0]), *stats)))

    def make_splits(self, stamp_token: Any, next_stamp_token: Any, class_id: int) -> tuple[Any, Any, Any, Any]:
        ready, thresholds, (updates, *stats) = self._flushed(stamp_token, next_stamp_token)
        return ready, *ops.build_sparse_inequality_splits(
            self._batches(updates), *stats, thresholds, class_id=class_id, bias_feature_id=_BIAS, **self._settings)


@export(f"{_BATCH}.categorical_split_handler.EqualitySplitHandler")
class EqualitySplitHandler(BaseSplitHandler):
    """Splits by whether an example has a category.

    Args:
        sparse_int_column: the categories: a sparse tensor whose rows are examples.
        l1_regularization: see BaseSplitHandler, as for those without a description.
        l2_regularization: see there.
        tree_complexity_regularization: see there.
        min_node_weight: see there.
        feature_column_group_id: see there.
        gradient_shape: see there.
        hessian_shape: see there.
        multiclass_strategy: see there.
        init_stamp_token: the first stamp.
        loss_uses_sum_reduction: see there.
        weak_learner_type: whether nodes of a layer share a split: a WeakLearnerType of LearnerConfig.
        name: see there.
    """

    def __init__(self, sparse_int_column: SparseTensor, l1_regularization: float, l2_regularization: float,
                 tree_complexity_regularization: float, min_node_weight: float, feature_column_group_id: int,
                 gradient_shape: Any, hessian_shape: Any, multiclass_strategy: int, init_stamp_token: Any = 0,
                 loss_uses_sum_reduction: bool = False, weak_learner_type: int = NORMAL,
                 name: str | None = None) -> None:
        super().__init__(l1_regularization, l2_regularization, tree_complexity_regularization, min_node_weight,
                         feature_column_group_id, gradient_shape, hessian_shape, multiclass_strategy,
                         loss_uses_sum_reduction, name)
        self._accumulate_stats(init_stamp_token)
        self._column, self._learner = sparse_int_column, weak_learner_type

    def update_stats_sync(self, stamp_token: Any, example_partition_ids: Any, gradients: Any, hessians: Any,
                          empty_gradients: Any, empty_hessians: Any, weights: Any, is_active: Any) -> Operation:
        with name_scope(self._name, "EqualitySplitHandler"):
            partitions, gradients, hessians = _tensors(example_partition_ids, gradients, hessians)
            values = math.cast(self._column.values, dtypes.int64)
            features = array.stack([values, array.zeros_like(values)], axis=1)
            stats = self._with_bias(partitions, features, self._column.indices[:, 0], gradients, hessians)
            return self._stats.add(stamp_token, *_rows_if(is_active[0], *stats))

    def make_splits(self, stamp_token: Any, next_stamp_token: Any, class_id: int) -> tuple[Any, Any, Any, Any]:
        updates, *stats = self._stats.flush(stamp_token, next_stamp_token)
        with control_dependencies([updates]):
            ready = array.constant(True)
        return ready, *ops.build_categorical_equality_splits(
            self._batches(updates), *stats, class_id=class_id, bias_feature_id=_BIAS, weak_learner_type=self._learner,
            **self._settings)
