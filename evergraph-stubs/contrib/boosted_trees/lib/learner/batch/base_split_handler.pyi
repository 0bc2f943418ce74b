# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.boosted_trees.lib.learner.batch.base_split_handler."""

from evergraph import Operation
from typing import Any

class BaseSplitHandler:
    """The base of split handlers."""
    def update_stats_sync(
        self, stamp_token: Any, example_partition_ids: Any, gradients: Any, hessians: Any, empty_gradients: Any,
        empty_hessians: Any, weights: Any, is_active: Any,
    ) -> Operation:
        """Takes in a batch."""
    def make_splits(
        self, stamp_token: Any, next_stamp_token: Any, class_id: int,
    ) -> tuple[Any, Any, Any, Any]:
        """Makes splits of what came in, and goes on to the next stamp."""
    def reset(self, stamp_token: Any, next_stamp_token: Any) -> Operation:
        """Forgets what came in, and goes on to the next stamp."""
    def __init__(
        self, l1_regularization: float, l2_regularization: float, tree_complexity_regularization: float,
        min_node_weight: float, feature_column_group_id: int, gradient_shape: Any, hessian_shape: Any,
        multiclass_strategy: int, loss_uses_sum_reduction: bool = False, name: str | None = None,
    ) -> None: ...
