# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.boosted_trees.lib.learner.batch.ordinal_split_handler."""

from evergraph import Operation, SparseTensor
from evergraph.contrib.boosted_trees.lib.learner.batch.base_split_handler import BaseSplitHandler
from typing import Any

class DenseSplitHandler(InequalitySplitHandler):
    """Splits by a number that every example has."""
    def update_stats_sync(
        self, stamp_token: Any, example_partition_ids: Any, gradients: Any, hessians: Any, empty_gradients: Any,
        empty_hessians: Any, weights: Any, is_active: Any,
    ) -> Operation: ...
    def make_splits(
        self, stamp_token: Any, next_stamp_token: Any, class_id: int,
    ) -> tuple[Any, Any, Any, Any]: ...
    def __init__(
        self, dense_float_column: Any, l1_regularization: float, l2_regularization: float,
        tree_complexity_regularization: float, min_node_weight: float, feature_column_group_id: int,
        epsilon: float, num_quantiles: int, gradient_shape: Any, hessian_shape: Any, multiclass_strategy: int,
        init_stamp_token: Any = 0, loss_uses_sum_reduction: bool = False, weak_learner_type: int = 0,
        name: str | None = None,
    ) -> None: ...

class InequalitySplitHandler(BaseSplitHandler):
    """The base of handlers of numbers, whose thresholds are quantiles of the layer before."""
    def reset(self, stamp_token: Any, next_stamp_token: Any) -> Operation: ...
    def __init__(
        self, l1_regularization: float, l2_regularization: float, tree_complexity_regularization: float,
        min_node_weight: float, feature_column_group_id: int, epsilon: float, num_quantiles: int,
        gradient_shape: Any, hessian_shape: Any, multiclass_strategy: int, init_stamp_token: Any = 0,
        loss_uses_sum_reduction: bool = False, name: str | None = None,
    ) -> None: ...

class SparseSplitHandler(InequalitySplitHandler):
    """Splits by numbers that not every example has."""
    def update_stats_sync(
        self, stamp_token: Any, example_partition_ids: Any, gradients: Any, hessians: Any, empty_gradients: Any,
        empty_hessians: Any, weights: Any, is_active: Any,
    ) -> Operation: ...
    def make_splits(
        self, stamp_token: Any, next_stamp_token: Any, class_id: int,
    ) -> tuple[Any, Any, Any, Any]: ...
    def __init__(
        self, sparse_float_column: SparseTensor, l1_regularization: float, l2_regularization: float,
        tree_complexity_regularization: float, min_node_weight: float, feature_column_group_id: int,
        epsilon: float, num_quantiles: int, gradient_shape: Any, hessian_shape: Any, multiclass_strategy: int,
        init_stamp_token: Any = 0, loss_uses_sum_reduction: bool = False, name: str | None = None,
    ) -> None: ...
