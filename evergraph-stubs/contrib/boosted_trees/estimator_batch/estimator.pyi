# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.boosted_trees.estimator_batch.estimator."""

from collections.abc import Sequence
from evergraph.contrib.learn import Estimator as _Estimator
from evergraph.estimator import Estimator
from typing import Any

class CoreGradientBoostedDecisionTreeEstimator(Estimator):
    """Boosted trees under a head of tf.estimator."""
    def __init__(
        self, learner_config: Any, examples_per_layer: Any, head: Any, num_trees: int | None = None,
        feature_columns: Any = None, weight_column_name: str | None = None, model_dir: Any = None,
        config: Any = None, label_keys: Any = None, logits_modifier_function: Any = None,
        center_bias: bool = True, output_leaf_index: bool = False, num_quantiles: int = 100,
    ) -> None: ...

class CoreGradientBoostedDecisionTreeQuantileRegressor(Estimator):
    """Boosted trees that predict a quantile of numbers."""
    def __init__(
        self, learner_config: Any, examples_per_layer: Any, quantiles: Sequence[float],
        label_dimension: int = 1, num_trees: int | None = None, feature_columns: Any = None,
        weight_column_name: str | None = None, model_dir: Any = None, config: Any = None,
        label_keys: Any = None, logits_modifier_function: Any = None, center_bias: bool = True,
        output_leaf_index: bool = False, num_quantiles: int = 100,
    ) -> None: ...

class CoreGradientBoostedDecisionTreeRanker(Estimator):
    """Boosted trees that say which of two examples comes first: labels are 1 where the first one does."""
    def __init__(
        self, learner_config: Any, examples_per_layer: Any, head: Any, ranking_model_pair_keys: tuple[str, str],
        num_trees: int | None = None, feature_columns: Any = None, weight_column_name: str | None = None,
        model_dir: Any = None, config: Any = None, label_keys: Any = None, logits_modifier_function: Any = None,
        center_bias: bool = False, output_leaf_index: bool = False, num_quantiles: int = 100,
    ) -> None: ...

class GradientBoostedDecisionTreeClassifier(_Estimator):
    """Boosted trees that tell classes apart."""
    def __init__(
        self, learner_config: Any, examples_per_layer: Any, n_classes: int = 2, num_trees: int | None = None,
        feature_columns: Any = None, weight_column_name: str | None = None, model_dir: Any = None,
        config: Any = None, label_keys: Sequence[str] | None = None, feature_engineering_fn: Any = None,
        logits_modifier_function: Any = None, center_bias: bool = True, use_core_libs: bool = False,
        output_leaf_index: bool = False, override_global_step_value: int | None = None,
        num_quantiles: int = 100,
    ) -> None: ...

class GradientBoostedDecisionTreeEstimator(_Estimator):
    """Boosted trees under a head."""
    def __init__(
        self, learner_config: Any, examples_per_layer: Any, head: Any, num_trees: int | None = None,
        feature_columns: Any = None, weight_column_name: str | None = None, model_dir: Any = None,
        config: Any = None, feature_engineering_fn: Any = None, logits_modifier_function: Any = None,
        center_bias: bool = True, use_core_libs: bool = False, output_leaf_index: bool = False,
        override_global_step_value: int | None = None, num_quantiles: int = 100,
    ) -> None: ...

class GradientBoostedDecisionTreeQuantileRegressor(_Estimator):
    """Boosted trees that predict a quantile of numbers."""
    def __init__(
        self, learner_config: Any, examples_per_layer: Any, quantiles: Sequence[float],
        label_dimension: int = 1, num_trees: int | None = None, feature_columns: Any = None,
        weight_column_name: str | None = None, model_dir: Any = None, config: Any = None,
        feature_engineering_fn: Any = None, logits_modifier_function: Any = None, center_bias: bool = True,
        use_core_libs: bool = False, output_leaf_index: bool = False,
        override_global_step_value: int | None = None, num_quantiles: int = 100,
    ) -> None: ...

class GradientBoostedDecisionTreeRanker(_Estimator):
    """Boosted trees that say which of two examples comes first: labels are 1 where the first one does."""
    def __init__(
        self, learner_config: Any, examples_per_layer: Any, head: Any, ranking_model_pair_keys: tuple[str, str],
        num_trees: int | None = None, feature_columns: Any = None, weight_column_name: str | None = None,
        model_dir: Any = None, config: Any = None, label_keys: Any = None, feature_engineering_fn: Any = None,
        logits_modifier_function: Any = None, center_bias: bool = False, use_core_libs: bool = False,
        output_leaf_index: bool = False, override_global_step_value: int | None = None,
        num_quantiles: int = 100,
    ) -> None: ...

class GradientBoostedDecisionTreeRegressor(_Estimator):
    """Boosted trees that predict numbers, by the mean squared error."""
    def __init__(
        self, learner_config: Any, examples_per_layer: Any, label_dimension: int = 1,
        num_trees: int | None = None, feature_columns: Any = None, label_name: str | None = None,
        weight_column_name: str | None = None, model_dir: Any = None, config: Any = None,
        feature_engineering_fn: Any = None, logits_modifier_function: Any = None, center_bias: bool = True,
        use_core_libs: bool = False, output_leaf_index: bool = False,
        override_global_step_value: int | None = None, num_quantiles: int = 100,
    ) -> None: ...

def core_multiclass_head(
    n_classes: int, weight_column: Any = None, loss_reduction: str = 'weighted_sum_by_nonzero_weights',
) -> Any:
    """A head of tf.estimator for several classes, whose loss has second derivatives."""

def core_quantile_regression_head(
    quantiles: Any, label_dimension: int = 1, weight_column: Any = None,
    loss_reduction: str = 'weighted_sum_by_nonzero_weights',
) -> Any:
    """A head of tf.estimator for a quantile of numbers."""
