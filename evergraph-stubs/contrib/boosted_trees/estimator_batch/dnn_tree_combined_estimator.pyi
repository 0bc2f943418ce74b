# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.boosted_trees.estimator_batch.dnn_tree_combined_estimator."""

from collections.abc import Callable, Sequence
from evergraph import Tensor
from evergraph.contrib.learn import Estimator as _Estimator
from evergraph.estimator import Estimator
from typing import Any

class CoreDNNBoostedTreeCombinedEstimator(Estimator):
    """A deep network and boosted trees as an Estimator of tf.estimator, with its heads and columns."""
    def __init__(
        self, dnn_hidden_units: Sequence[int], dnn_feature_columns: Any, tree_learner_config: Any,
        num_trees: int, tree_examples_per_layer: Any, head: Any, model_dir: Any = None, config: Any = None,
        dnn_optimizer: Any = 'Adagrad', dnn_activation_fn: Any = ..., dnn_dropout: float | None = None,
        dnn_input_layer_partitioner: Any = None, dnn_input_layer_to_tree: bool = True,
        dnn_steps_to_train: int = 10000, predict_with_tree_only: bool = False, tree_feature_columns: Any = None,
        tree_center_bias: bool = False,
        dnn_to_tree_distillation_param: tuple[float, Callable[[Tensor, Tensor, Any], Tensor] | None] | None = None,
    ) -> None: ...

class DNNBoostedTreeCombinedClassifier(_Estimator):
    """A deep network and boosted trees that tell classes apart."""
    def __init__(
        self, dnn_hidden_units: Sequence[int], dnn_feature_columns: Any, tree_learner_config: Any,
        num_trees: int, tree_examples_per_layer: Any, n_classes: int = 2, weight_column_name: str | None = None,
        model_dir: Any = None, config: Any = None, label_name: str | None = None,
        label_keys: Sequence[str] | None = None, feature_engineering_fn: Any = None,
        dnn_optimizer: Any = 'Adagrad', dnn_activation_fn: Any = ..., dnn_dropout: float | None = None,
        dnn_input_layer_partitioner: Any = None, dnn_input_layer_to_tree: bool = True,
        dnn_steps_to_train: int = 10000, predict_with_tree_only: bool = False, tree_feature_columns: Any = None,
        tree_center_bias: bool = False,
        dnn_to_tree_distillation_param: tuple[float, Callable[[Tensor, Tensor, Any], Tensor] | None] | None = None,
        use_core_versions: bool = False, override_global_step_value: int | None = None,
    ) -> None: ...

class DNNBoostedTreeCombinedEstimator(_Estimator):
    """A deep network and boosted trees under a head."""
    def __init__(
        self, dnn_hidden_units: Sequence[int], dnn_feature_columns: Any, tree_learner_config: Any,
        num_trees: int, tree_examples_per_layer: Any, head: Any, model_dir: Any = None, config: Any = None,
        feature_engineering_fn: Any = None, dnn_optimizer: Any = 'Adagrad', dnn_activation_fn: Any = ...,
        dnn_dropout: float | None = None, dnn_input_layer_partitioner: Any = None,
        dnn_input_layer_to_tree: bool = True, dnn_steps_to_train: int = 10000,
        predict_with_tree_only: bool = False, tree_feature_columns: Any = None, tree_center_bias: bool = False,
        dnn_to_tree_distillation_param: tuple[float, Callable[[Tensor, Tensor, Any], Tensor] | None] | None = None,
        use_core_versions: bool = False, override_global_step_value: int | None = None,
    ) -> None: ...

class DNNBoostedTreeCombinedRegressor(_Estimator):
    """A deep network and boosted trees that predict numbers, by the mean squared error."""
    def __init__(
        self, dnn_hidden_units: Sequence[int], dnn_feature_columns: Any, tree_learner_config: Any,
        num_trees: int, tree_examples_per_layer: Any, weight_column_name: str | None = None,
        model_dir: Any = None, config: Any = None, label_name: str | None = None, label_dimension: int = 1,
        feature_engineering_fn: Any = None, dnn_optimizer: Any = 'Adagrad', dnn_activation_fn: Any = ...,
        dnn_dropout: float | None = None, dnn_input_layer_partitioner: Any = None,
        dnn_input_layer_to_tree: bool = True, dnn_steps_to_train: int = 10000,
        predict_with_tree_only: bool = False, tree_feature_columns: Any = None, tree_center_bias: bool = False,
        dnn_to_tree_distillation_param: tuple[float, Callable[[Tensor, Tensor, Any], Tensor] | None] | None = None,
        use_core_versions: bool = False, override_global_step_value: int | None = None,
    ) -> None: ...
