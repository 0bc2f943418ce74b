# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.boosted_trees.lib.learner.batch.categorical_split_handler."""

from evergraph import Operation, SparseTensor
from evergraph.contrib.boosted_trees.lib.learner.batch.base_split_handler import BaseSplitHandler
from typing import Any

class EqualitySplitHandler(BaseSplitHandler):
    """Splits by whether an example has a category."""
    def update_stats_sync(
        self, stamp_token: Any, example_partition_ids: Any, gradients: Any, hessians: Any, empty_gradients: Any,
        empty_hessians: Any, weights: Any, is_active: Any,
    ) -> Operation: ...
    def make_splits(
        self, stamp_token: Any, next_stamp_token: Any, class_id: int,
    ) -> tuple[Any, Any, Any, Any]: ...
    def __init__(
        self, sparse_int_column: SparseTensor, l1_regularization: float, l2_regularization: float,
        tree_complexity_regularization: float, min_node_weight: float, feature_column_group_id: int,
        gradient_shape: Any, hessian_shape: Any, multiclass_strategy: int, init_stamp_token: Any = 0,
        loss_uses_sum_reduction: bool = False, weak_learner_type: int = 0, name: str | None = None,
    ) -> None: ...
