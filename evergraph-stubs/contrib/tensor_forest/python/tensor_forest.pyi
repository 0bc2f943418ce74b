# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.tensor_forest.python.tensor_forest."""

from evergraph import Operation, Tensor
from typing import Any

class ForestHParams:
    """The hyperparameters of a forest: attributes, which `fill` completes."""
    def values(self) -> dict[str, Any]:
        """The hyperparameters by name."""
    def fill(self) -> ForestHParams:
        """Completes the hyperparameters by those that follow from others."""
    def __init__(
        self, num_trees: int = 100, max_nodes: int = 10000, bagging_fraction: float = 1.0,
        num_splits_to_consider: Any = 0, feature_bagging_fraction: float = 1.0, max_fertile_nodes: int = 0,
        split_after_samples: Any = 250, valid_leaf_threshold: int = 1, dominate_method: str = 'bootstrap',
        dominate_fraction: float = 0.99, model_name: str = 'all_dense', split_finish_name: str = 'basic',
        split_pruning_name: str = 'none', prune_every_samples: int = 0,
        early_finish_check_every_samples: int = 0, collate_examples: bool = False,
        checkpoint_stats: bool = False, use_running_stats_method: bool = False,
        initialize_average_splits: bool = False, inference_tree_paths: bool = False, param_file: Any = None,
        split_name: str = 'less_or_equal', **kwargs: Any,
    ) -> None: ...
    regression: Any
    base_random_seed: Any
    num_outputs: Any
    num_output_columns: Any
    bagged_num_features: Any
    bagged_features: Any
    num_splits_to_consider: Any

class RandomForestGraphs:
    """Builds the graphs of a random forest."""
    def training_graph(
        self, input_data: Any, input_labels: Any, num_trainers: int = 1, trainer_id: int = 0,
        input_weights: Any = None,
    ) -> Operation:
        """An operation that trains all trees with a batch."""
    def inference_graph(self, input_data: Any) -> tuple[Tensor, Tensor, Tensor]:
        """(predictions, paths, variance): probabilities of classes or values, the mean of all trees; "" for
        each tree and example; and the variance of the trees' predictions."""
    def average_size(self) -> Tensor:
        """The mean number of nodes of the trees."""
    def training_loss(self, features: Any, labels: Any, name: str = 'training_loss') -> Tensor:
        """How far the trees have grown: the mean number of nodes, negative."""
    def validation_loss(self, features: Any, labels: Any) -> Tensor:
        """The same as `training_loss`."""
    def feature_importances(self) -> Tensor:
        """The part of all tests in nodes that are tests of each feature."""
    def __init__(
        self, params: ForestHParams, tree_configs: Any = None, tree_stats: Any = None,
        device_assigner: Any = None, variables: Any = None, tree_variables_class: Any = None,
        tree_graphs: Any = None, training: bool = True,
    ) -> None: ...
    params: Any
    trees: Any
