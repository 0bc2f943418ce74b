# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.boosted_trees.proto.learner_pb2."""

from evergraph.contrib.boosted_trees.proto.tree_config_pb2 import DecisionTreeConfig
from google.protobuf.message import Message
from typing import Any

class AveragingConfig(Message):
    average_last_n_trees: float
    average_last_percent_trees: float
    def __init__(self, *, average_last_n_trees: Any = ..., average_last_percent_trees: Any = ...) -> None: ...

class LearnerConfig(Message):
    PruningMode: Any
    PRUNING_MODE_UNSPECIFIED: int
    PRE_PRUNE: int
    POST_PRUNE: int
    GrowingMode: Any
    GROWING_MODE_UNSPECIFIED: int
    WHOLE_TREE: int
    LAYER_BY_LAYER: int
    MultiClassStrategy: Any
    MULTI_CLASS_STRATEGY_UNSPECIFIED: int
    TREE_PER_CLASS: int
    FULL_HESSIAN: int
    DIAGONAL_HESSIAN: int
    WeakLearnerType: Any
    NORMAL_DECISION_TREE: int
    OBLIVIOUS_DECISION_TREE: int
    num_classes: int
    feature_fraction_per_tree: float
    feature_fraction_per_level: float
    regularization: TreeRegularizationConfig
    constraints: TreeConstraintsConfig
    pruning_mode: int
    growing_mode: int
    learning_rate_tuner: LearningRateConfig
    multi_class_strategy: int
    averaging_config: AveragingConfig
    weak_learner_type: int
    each_tree_start: DecisionTreeConfig
    each_tree_start_num_layers: int
    def __init__(
        self, *, num_classes: Any = ..., feature_fraction_per_tree: Any = ...,
        feature_fraction_per_level: Any = ..., regularization: Any = ..., constraints: Any = ...,
        pruning_mode: Any = ..., growing_mode: Any = ..., learning_rate_tuner: Any = ...,
        multi_class_strategy: Any = ..., averaging_config: Any = ..., weak_learner_type: Any = ...,
        each_tree_start: Any = ..., each_tree_start_num_layers: Any = ...,
    ) -> None: ...

class LearningRateConfig(Message):
    fixed: LearningRateFixedConfig
    dropout: LearningRateDropoutDrivenConfig
    line_search: LearningRateLineSearchConfig
    def __init__(self, *, fixed: Any = ..., dropout: Any = ..., line_search: Any = ...) -> None: ...

class LearningRateDropoutDrivenConfig(Message):
    dropout_probability: float
    probability_of_skipping_dropout: float
    learning_rate: float
    def __init__(
        self, *, dropout_probability: Any = ..., probability_of_skipping_dropout: Any = ...,
        learning_rate: Any = ...,
    ) -> None: ...

class LearningRateFixedConfig(Message):
    learning_rate: float
    def __init__(self, *, learning_rate: Any = ...) -> None: ...

class LearningRateLineSearchConfig(Message):
    max_learning_rate: float
    num_steps: int
    def __init__(self, *, max_learning_rate: Any = ..., num_steps: Any = ...) -> None: ...

class TreeConstraintsConfig(Message):
    max_tree_depth: int
    min_node_weight: float
    max_number_of_unique_feature_columns: int
    def __init__(
        self, *, max_tree_depth: Any = ..., min_node_weight: Any = ...,
        max_number_of_unique_feature_columns: Any = ...,
    ) -> None: ...

class TreeRegularizationConfig(Message):
    l1: float
    l2: float
    tree_complexity: float
    def __init__(self, *, l1: Any = ..., l2: Any = ..., tree_complexity: Any = ...) -> None: ...
