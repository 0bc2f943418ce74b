"""tensorflow.contrib.tensor_forest: random forests that are trained with batches."""

from __future__ import annotations

import math as numbers
import random
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from evergraph.base import dtypes, errors
from evergraph.frontend import array, control_flow, math, reduce
from evergraph.frontend.collections import GraphKeys, add_to_collection
from evergraph.frontend.indexing import gather
from evergraph.frontend.random import random_shuffle
from evergraph.frontend.resources import register_resource
from evergraph.frontend.sparse.arithmetic import sparse_tensor_to_dense
from evergraph.frontend.variables.saveable import SaveableObject, SaveSpec
from evergraph.graph.composite import SparseTensor
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Operation, Tensor
from evergraph.ops.math import elementwise
from evergraph.ops.trees import random_forest as ops
from evergraph.ops.trees.random_tree import TreeSettings
from evergraph.ops.trees.random_tree_models import serialized_of_model

# The value of each argument of ForestHParams that is here; others need what TensorFlow's forests have and these do not.
_ONLY = {"max_fertile_nodes": (0,), "model_name": ("all_dense", "all_sparse"), "split_finish_name": ("basic",),
         "split_pruning_name": ("none",), "initialize_average_splits": (False,), "param_file": (None,),
         "split_name": ("less_or_equal", "less"), "prune_every_samples": (0,), "early_finish_check_every_samples": (0,)}


class ForestHParams:
    """The hyperparameters of a forest: attributes, which `fill` completes.

    Args:
        num_trees: the number of trees.
        max_nodes: the number of nodes at which a tree stops to grow.
        bagging_fraction: the part of each batch that a tree sees.
        num_splits_to_consider: the number of splits that a leaf compares; 0 for the root of the number of features,
            from 10 to 1000.
        feature_bagging_fraction: the part of the features that a tree sees.
        max_fertile_nodes: must be 0, for no limit.
        split_after_samples: the number of examples after which a leaf splits.
        valid_leaf_threshold: the least number of examples of a leaf that predicts.
        dominate_method: has no meaning with the "basic" way to finish a split, nor has `dominate_fraction`.
        dominate_fraction: see `dominate_method`.
        model_name: "all_dense" or "all_sparse".
        split_finish_name: must be "basic".
        split_pruning_name: must be "none".
        prune_every_samples: must be 0.
        early_finish_check_every_samples: must be 0.
        collate_examples: has no meaning: examples of a leaf are always counted together.
        checkpoint_stats: must be False: candidates of leaves are not saved.
        use_running_stats_method: has no meaning: impurities are computed when a leaf splits.
        initialize_average_splits: must be False.
        inference_tree_paths: whether `inference_graph` gives the ways of examples through the trees.
        param_file: must be None.
        split_name: "less_or_equal" or "less".
        **kwargs: `num_classes` and `num_features`, which `fill` needs; `regression`; `base_random_seed`; others.

    Raises:
        UnimplementedError: an argument has another value than it must have.
    """

    def __init__(self, num_trees: int = 100, max_nodes: int = 10000, bagging_fraction: float = 1.0,
                 num_splits_to_consider: Any = 0, feature_bagging_fraction: float = 1.0, max_fertile_nodes: int = 0,
                 split_after_samples: Any = 250, valid_leaf_threshold: int = 1, dominate_method: str = "bootstrap",
                 dominate_fraction: float = 0.99, model_name: str = "all_dense", split_finish_name: str = "basic",
                 split_pruning_name: str = "none", prune_every_samples: int = 0,
                 early_finish_check_every_samples: int = 0, collate_examples: bool = False,
                 checkpoint_stats: bool = False, use_running_stats_method: bool = False,
                 initialize_average_splits: bool = False, inference_tree_paths: bool = False, param_file: Any = None,
                 split_name: str = "less_or_equal", **kwargs: Any) -> None:
        given = {name: value for name, value in locals().items() if name not in ("self", "kwargs", "__class__")}
        for name, allowed in {**_ONLY, "checkpoint_stats": (False,)}.items():
            if given[name] not in allowed:
                raise errors.UnimplementedError(None, None, f"ForestHParams: {name} must be "
                                                f"{' or '.join(map(repr, allowed))}, got {given[name]!r}")
        self.__dict__.update(given, **kwargs)

    def values(self) -> dict[str, Any]:
        """The hyperparameters by name."""
        return dict(self.__dict__)

    def fill(self) -> ForestHParams:
        """Completes the hyperparameters by those that follow from others.

        Raises:
            ValueError: there is no number of classes or features.
        """
        for name in ("num_classes", "num_features"):
            if not hasattr(self, name):
                raise ValueError(f"ForestHParams needs {name}")
        self.regression = getattr(self, "regression", False)
        self.base_random_seed = getattr(self, "base_random_seed", 0)
        self.num_outputs = self.num_classes
        self.num_output_columns = self.num_classes + 1
        if not self.num_splits_to_consider:
            self.num_splits_to_consider = min(max(10, int(numbers.sqrt(self.num_features))), 1000)
        self.bagged_num_features = int(self.feature_bagging_fraction * self.num_features)
        self.bagged_features = None
        if self.feature_bagging_fraction < 1.0:
            draw = random.Random(self.base_random_seed or None)
            self.bagged_features = [sorted(draw.sample(range(self.num_features), self.bagged_num_features))
                                    for _ in range(self.num_trees)]
        return self


class _TreeSaveable(SaveableObject):
    """A tree as one string of a checkpoint."""

    def __init__(self, tree: Tensor, name: str) -> None:
        self._tree = tree
        super().__init__(tree, [SaveSpec(ops.random_tree_serialize(tree), "", name)], name)

    def restore(self, restored_tensors: Sequence[Tensor], restored_shapes: Any) -> Operation:
        return ops.random_tree_create(self._tree, restored_tensors[0])


class RandomForestGraphs:
    """Builds the graphs of a random forest.

    The trees are resources, which `resources.initialize_resources(resources.shared_resources())` creates.

    Args:
        params: ForestHParams, filled.
        tree_configs: the trees to begin with: a serialized Model of tf.contrib.decision_trees for each.
        tree_stats: must be None.
        device_assigner: has no meaning: trees are on the host.
        variables: must be None.
        tree_variables_class: must be None.
        tree_graphs: must be None.
        training: has no meaning: a tree that is not trained does not grow.

    Raises:
        UnimplementedError: an argument has another value than it must have.
    """

    def __init__(self, params: ForestHParams, tree_configs: Any = None, tree_stats: Any = None,
                 device_assigner: Any = None, variables: Any = None, tree_variables_class: Any = None,
                 tree_graphs: Any = None, training: bool = True) -> None:
        for name, value in (("tree_stats", tree_stats), ("variables", variables),
                            ("tree_variables_class", tree_variables_class), ("tree_graphs", tree_graphs)):
            if value is not None:
                raise errors.UnimplementedError(None, None, f"RandomForestGraphs: {name} must be None")
        self.params = params
        models = [b""] * params.num_trees if tree_configs is None else list(tree_configs)
        if len(models) != params.num_trees:
            raise ValueError(f"tree_configs has {len(models)} trees, and num_trees is {params.num_trees}")
        self.trees = [self._tree(number, model) for number, model in enumerate(models)]

    def _tree(self, number: int, model: bytes) -> Tensor:
        params, name = self.params, f"tree-{number}"
        settings = TreeSettings(
            params.num_classes, params.regression, int(params.max_nodes), int(params.num_splits_to_consider),
            int(params.split_after_samples), params.base_random_seed and params.base_random_seed + number,
            params.split_name == "less_or_equal", params.valid_leaf_threshold)
        tree = ops.random_tree(**asdict(settings), name=name)
        start = serialized_of_model(model, settings) if model else b""
        register_resource(tree, ops.random_tree_create(tree, start, name=f"{name}_create"),
                          ops.random_tree_is_initialized(tree))
        add_to_collection(GraphKeys.SAVEABLE_OBJECTS, _TreeSaveable(tree, tree.op.name))
        return tree

    def training_graph(self, input_data: Any, input_labels: Any, num_trainers: int = 1, trainer_id: int = 0,
                       input_weights: Any = None) -> Operation:
        """An operation that trains all trees with a batch.

        Args:
            input_data: the features [examples, features]: a tensor, a sparse tensor, or a dict of tensors.
            input_labels: the classes [examples], or the values [examples, num_classes].
            num_trainers: among how many workers the trees are divided.
            trainer_id: which of them this one is.
            input_weights: the weights of the examples.
        """
        data = _features(input_data)
        labels = convert_to_tensor(input_labels)
        if labels.dtype not in (dtypes.float32, dtypes.int32, dtypes.int64):
            labels = math.cast(labels, dtypes.float32 if self.params.regression else dtypes.int64)
        weights = (array.ones(array.shape(data)[:1]) if input_weights is None
                   else convert_to_tensor(input_weights, dtypes.float32))
        trained = []
        for number in range(trainer_id, len(self.trees), num_trainers):
            rows = self._bag([self._columns(number, data), labels, weights])
            trained.append(ops.random_tree_train(self.trees[number], *rows))
        return control_flow.group(*trained, name="train")

    def _bag(self, rows: list[Tensor]) -> list[Tensor]:
        """A random part of the batch."""
        if self.params.bagging_fraction >= 1.0:
            return rows
        count = array.shape(rows[0])[0]
        kept = math.cast(math.cast(count, dtypes.float32) * self.params.bagging_fraction, dtypes.int32)
        chosen = random_shuffle(math.range(count))[:kept]
        return [gather(each, chosen) for each in rows]

    def _columns(self, number: int, data: Tensor) -> Tensor:
        """The features that a tree sees."""
        bagged = self.params.bagged_features
        return data if bagged is None else gather(data, bagged[number], axis=1)

    def inference_graph(self, input_data: Any) -> tuple[Tensor, Tensor, Tensor]:
        """(predictions, paths, variance): probabilities of classes or values, the mean of all trees; the way of each
        example through each tree, a serialized TreePath, or "" without `inference_tree_paths`; and the variance of the
        trees' predictions."""
        data = _features(input_data)
        each = array.stack([ops.random_tree_predict(tree, self._columns(number, data), outputs=self.params.num_classes)
                            for number, tree in enumerate(self.trees)])
        mean = reduce.reduce_mean(each, 0, name="probabilities")
        variance = elementwise.maximum(reduce.reduce_mean(each * each, 0) - mean * mean, 0.0)
        if not self.params.inference_tree_paths:
            return mean, array.fill(array.shape(each)[1::-1], "", name="tree_paths"), variance
        paths = array.stack([ops.random_tree_paths(tree, self._columns(number, data))
                             for number, tree in enumerate(self.trees)], axis=1, name="tree_paths")
        return mean, paths, variance

    def average_size(self) -> Tensor:
        """The mean number of nodes of the trees."""
        return reduce.reduce_mean(math.cast(array.stack([ops.random_tree_size(tree) for tree in self.trees]),
                                            dtypes.float32))

    def training_loss(self, features: Any, labels: Any, name: str = "training_loss") -> Tensor:
        """How far the trees have grown: the mean number of nodes, negative. It does not depend on the arguments."""
        return elementwise.neg(self.average_size(), name=name)

    def validation_loss(self, features: Any, labels: Any) -> Tensor:
        """The same as `training_loss`."""
        return elementwise.neg(self.average_size(), name="validation_loss")

    def feature_importances(self) -> Tensor:
        """The part of all tests in nodes that are tests of each feature.

        Raises:
            UnimplementedError: each tree sees other features.
        """
        if self.params.bagged_features is not None:
            raise errors.UnimplementedError(None, None, "feature_importances needs feature_bagging_fraction=1.0")
        counts = math.add_n([math.cast(ops.random_tree_usage(tree, features=self.params.num_features), dtypes.float32)
                             for tree in self.trees])
        return counts / elementwise.maximum(reduce.reduce_sum(counts), 1.0)


def _features(data: Any) -> Tensor:
    """Features as one matrix of floats; the columns of a dict in the order of its keys."""
    if isinstance(data, Mapping):
        columns = [_features(data[name]) for name in sorted(data)]
        return array.concat([array.reshape(each, [array.shape(each)[0], -1]) for each in columns], 1)
    if isinstance(data, SparseTensor):
        return math.cast(sparse_tensor_to_dense(data), dtypes.float32)
    return math.cast(convert_to_tensor(data), dtypes.float32)
