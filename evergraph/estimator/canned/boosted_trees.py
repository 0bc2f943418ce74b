"""Gradient-boosted decision trees: BoostedTreesClassifier, BoostedTreesRegressor and BoostedTreesEstimator."""
from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from evergraph.base.docstrings import with_parts
from evergraph.base.export import export
from evergraph.data.dataset import DatasetV2
from evergraph.estimator.canned.documents import documented
from evergraph.estimator.canned.models import check_features, model_of
from evergraph.estimator.canned.tree_explanations import explained, identity, importances, sigmoid
from evergraph.estimator.canned.tree_features import TreeFeatures, check_columns, feature_names, tree_features
from evergraph.estimator.canned.tree_growing import (
    EnsembleGrower,
    LossDerivatives,
    StopWhenGrown,
    TreeSettings,
    binary_derivatives,
    update_quantiles,
)
from evergraph.estimator.estimator import Estimator
from evergraph.estimator.heads import legacy
from evergraph.estimator.heads.binary import BinaryClassHead
from evergraph.estimator.heads.regression import RegressionHead
from evergraph.estimator.mode_keys import ModeKeys
from evergraph.frontend import array
from evergraph.frontend.blocks import control_dependencies, name_scope
from evergraph.frontend.boosted_trees import TreeEnsemble
from evergraph.frontend.control_flow import cond, group
from evergraph.frontend.gradients import gradients
from evergraph.frontend.variables.variable import ResourceVariable
from evergraph.graph.node import Tensor
from evergraph.losses.weighting import Reduction
from evergraph.ops.trees.prediction import (
    boosted_trees_example_debug_outputs,
    boosted_trees_predict,
    boosted_trees_training_predict,
)
from evergraph.summary.summaries import scalar
from evergraph.train.global_step import get_global_step

_NAME = "boosted_trees"
_SERIALIZED = f"{_NAME}:0_serialized"
_DEBUG = "__serialized_debug_outputs__"


# ---- the model

def tree_model_fn(features: Any, labels: Any, mode: Any, head: Any, feature_columns: Any, tree_hparams: TreeSettings,
                  n_batches_per_layer: int, config: Any, derivatives: Any = None, train_in_memory: bool = False,
                  weight_column: Any = None, explains: bool = False) -> Any:
    """The EstimatorSpec of boosted trees.

    Args:
        features, labels, mode, head, config: as for every model function.
        feature_columns: dense columns.
        tree_hparams: how trees grow.
        n_batches_per_layer: how many batches make a layer.
        derivatives: a function of (features, mode, logits, labels) for the derivatives of the loss; by default they
            are the gradients of the head's loss.
        train_in_memory: whether every batch is the whole data set.
        weight_column: the weights of examples in the quantiles of numbers.
        explains: whether predictions come with what explains them.
    """
    check_features(features)
    if train_in_memory:
        _check_in_memory(n_batches_per_layer, config)
    ensemble = TreeEnsemble(_NAME)
    with name_scope(f"{_NAME}/"):
        found = tree_features(features, feature_columns, tree_hparams.quantile_sketch_epsilon)
        if mode != ModeKeys.TRAIN:
            logits = boosted_trees_predict(ensemble.resource_handle, found.buckets,
                                           logits_dimension=head.logits_dimension)
            spec = head.create_estimator_spec(features, mode, logits, labels)
            return _with_debug_outputs(spec, ensemble, found, head) if explains else spec
    step = _TrainingStep(ensemble, found, head, tree_hparams, n_batches_per_layer)
    return step.spec(features, labels, mode, derivatives, _weights(features, weight_column))


def _check_in_memory(n_batches_per_layer: int, config: Any) -> None:
    if n_batches_per_layer != 1:
        raise AssertionError("train_in_memory=True takes all examples as one batch, which input_fn returns, so "
                             f"n_batches_per_layer must be 1, not {n_batches_per_layer}")
    if config is not None and (config.num_worker_replicas > 1 or config.num_ps_replicas > 0):
        raise ValueError(f"train_in_memory=True needs one process: the config has "
                         f"{config.num_worker_replicas} workers and {config.num_ps_replicas} parameter servers")


def _weights(features: Any, weight_column: Any) -> Any:
    """The weights of examples, a vector, or one weight for all."""
    if weight_column is None:
        return array.ones([1])
    name = weight_column if isinstance(weight_column, str) else weight_column.key
    return array.reshape(features[name], [-1])


def _with_debug_outputs(spec: Any, ensemble: TreeEnsemble, found: TreeFeatures, head: Any) -> Any:
    """Adds the paths of examples through the trees to their predictions."""
    outputs = boosted_trees_example_debug_outputs(ensemble.resource_handle, found.buckets,
                                                  logits_dimension=head.logits_dimension)
    return spec._replace(predictions={**spec.predictions, _DEBUG: outputs})


class _TrainingStep:
    """The graph of a training step."""

    def __init__(self, ensemble: TreeEnsemble, found: TreeFeatures, head: Any, settings: TreeSettings,
                 n_batches_per_layer: int) -> None:
        self._ensemble, self._found, self._head, self._settings = ensemble, found, head, settings
        self._batches = n_batches_per_layer
        with name_scope(f"{_NAME}/"):
            self._are_ready = ResourceVariable(found.quantiles is None, trainable=False, name="are_boundaries_ready")
            self._needs_bias = ResourceVariable(settings.center_bias, trainable=False, name="center_bias_needed")
            self._states = ensemble.get_states()
            for name, value in zip(("num_trees", "num_finalized_trees", "num_attempted_layers"), self._states[1:4],
                                   strict=True):
                scalar(f"ensemble/{name}", value)
            self._grower = EnsembleGrower(ensemble, self._states, settings, n_batches_per_layer)
            batch = array.shape(found.buckets[0])
            self.logits, _, self._nodes = boosted_trees_training_predict(
                ensemble.resource_handle, array.zeros(batch, "int32"), array.fill(batch, -1), found.buckets,
                logits_dimension=head.logits_dimension)

    def spec(self, features: Any, labels: Any, mode: Any, derivatives: Any, weights: Any) -> Any:
        """The EstimatorSpec, with the hook that stops at the last tree."""
        def train_op_fn(loss: Tensor) -> Any:
            if derivatives is None:
                first = gradients(loss, self.logits, name="Gradients")[0]
                second = gradients(first, self.logits, name="Hessians")[0]
                return self._train_op(LossDerivatives(first, second), weights)
            return self._train_op(derivatives(features, mode, self.logits, labels), weights)
        spec = self._head.create_estimator_spec(features, mode, self.logits, labels, train_op_fn=train_op_fn)
        with control_dependencies([spec.train_op]):
            after = self._ensemble.get_states()
        stop = StopWhenGrown(after[2], after[3], self._settings)
        return spec._replace(training_hooks=(*spec.training_hooks, stop))

    def _train_op(self, derivatives: LossDerivatives, weights: Any) -> Any:
        """Finds quantiles first, then centers the bias, then grows trees."""
        def grow() -> Any:
            with control_dependencies([self._change(derivatives)]):
                return group(get_global_step().assign_add(1))
        if self._found.quantiles is None:
            return grow()
        return cond(self._are_ready, grow,
                    lambda: update_quantiles(self._found, weights, self._are_ready, self._batches))

    def _change(self, derivatives: LossDerivatives) -> Any:
        grow = lambda: self._grower.grow_tree(self._found, self._nodes, derivatives)
        if not self._settings.center_bias:
            return grow()
        return cond(self._needs_bias, lambda: self._grower.center_bias(self._needs_bias, derivatives), grow)


# ---- estimators

class BoostedTrees(Estimator):
    """What estimators of boosted trees share: importances and explanations."""

    _OVERRIDABLE = Estimator._OVERRIDABLE | {"_OVERRIDABLE", "_call_input_fn"}

    def __init__(self, head: Any, feature_columns: Any, model_dir: Any, config: Any, activation: Any,
                 settings: TreeSettings, train_in_memory: bool = False, **options: Any) -> None:
        check_columns(feature_columns)
        self._feature_col_names = feature_names(feature_columns)
        self._activation, self._center_bias = activation, settings.center_bias
        self._train_in_memory = train_in_memory
        options = {"feature_columns": list(feature_columns), "tree_hparams": settings,
                   "train_in_memory": train_in_memory, **options}
        self._explaining_model = model_of(tree_model_fn, head, explains=True, **options)
        super().__init__(model_of(tree_model_fn, head, **options), model_dir, config)

    def _call_input_fn(self, input_fn: Callable[..., Any], mode: str, **offered: Any) -> Any:
        """What the input function returns; with `train_in_memory` training reads a data set once."""
        found = super()._call_input_fn(input_fn, mode, **offered)
        if self._train_in_memory and mode == ModeKeys.TRAIN and isinstance(found, DatasetV2):
            return found.take(1).cache().repeat()
        return found

    def experimental_feature_importances(self, normalize: bool = False) -> dict[str, float]:
        """How much the splits on each column lowered the loss, the sum of their gains, the largest first.

        Args:
            normalize: whether the sums are divided by their total.

        Raises:
            ValueError: the model has no trees yet.
            AssertionError: the sums are to be normalized, but there is no split, or one is negative.
        """
        return importances(bytes(self.get_variable_value(_SERIALIZED)), self._feature_col_names, normalize)

    def experimental_predict_with_explanations(self, input_fn: Callable[..., Any], predict_keys: Any = None,
                                               hooks: Any = None, checkpoint_path: Any = None) -> Iterator[Any]:
        """Predictions with "bias" and "dfc", what each column contributed; they add up to the prediction.

        Args:
            input_fn, predict_keys, hooks, checkpoint_path: as for `predict`.

        Raises:
            ValueError: the model was made without `center_bias`, or its head has no known activation.
        """
        if not self._center_bias:
            raise ValueError("experimental_predict_with_explanations needs an estimator that was made with "
                             "center_bias=True")
        if self._activation is None:
            raise ValueError("predictions can be explained under heads of regression and of two classes alone")
        keys = None if predict_keys is None else [*predict_keys, _DEBUG]
        explaining = Estimator(self._explaining_model, self.model_dir, self.config)
        for each in explaining.predict(input_fn, keys, hooks, checkpoint_path):
            each["bias"], each["dfc"] = explained(each.pop(_DEBUG), self._activation, self._feature_col_names)
            yield each


def classification_head(n_classes: int, weight_column: Any = None, label_vocabulary: Any = None) -> Any:
    """The head of a classifier: the mean of the losses.

    Raises:
        ValueError: there are more than two classes.
    """
    if n_classes != 2:
        raise ValueError(f"BoostedTreesClassifier has 2 classes, but n_classes is {n_classes}")
    return legacy.binary_head(weight_column, label_vocabulary=label_vocabulary,
                              loss_reduction=Reduction.SUM_OVER_BATCH_SIZE)


def regression_head(label_dimension: int, weight_column: Any = None) -> Any:
    """The head of a regression: the mean of the squared errors.

    Raises:
        ValueError: a label has more than one number.
    """
    if label_dimension != 1:
        raise ValueError(f"BoostedTreesRegressor has labels of 1 number, but label_dimension is {label_dimension}")
    return legacy.regression_head(weight_column, label_dimension, Reduction.SUM_OVER_BATCH_SIZE)


def _classifier_derivatives(head: Any) -> Callable[..., LossDerivatives]:
    def derivatives(features: Any, mode: Any, logits: Any, labels: Any) -> LossDerivatives:
        found = head.head.losses(labels, logits, features)
        return binary_derivatives(logits, found.labels, found.weights)
    return derivatives


_GROWTH = """n_trees: how many trees to grow.
        max_depth: the number of layers of a tree.
        learning_rate: what the logits of each tree are multiplied by.
        l1_regularization, l2_regularization: penalties on the logits of leaves, per example.
        tree_complexity: a penalty on each leaf; it needs pruning.
        min_node_weight: the least sum of hessians that a node must have to be split.
        center_bias: whether the mean prediction is moved to that of the labels before trees grow; explanations need it.
        pruning_mode: "none"; "pre", which makes no splits of negative gain; or "post", which removes them from complete
            trees.
        quantile_sketch_epsilon: the error of the quantiles that numeric columns are sorted by.
        train_in_memory: whether a batch is the whole data set; it is read once then, and `n_batches_per_layer` is 1."""
_COLUMNS = """feature_columns: dense columns: numeric, bucketized and indicator columns.
        n_batches_per_layer: how many batches make a layer of a tree, about the number of batches of an epoch."""
_trees = with_parts(growth=_GROWTH, columns=_COLUMNS)


@export("estimator.BoostedTreesClassifier")
@_trees
@documented
class BoostedTreesClassifier(BoostedTrees):
    """A classifier of two classes by gradient-boosted decision trees (Friedman, 2001), grown layer by layer.

    >>> size = tf.feature_column.bucketized_column(tf.feature_column.numeric_column("size"), [1.0, 2.0])
    >>> classifier = tf.estimator.BoostedTreesClassifier([size], n_batches_per_layer=10, n_trees=50)

    Training stops when the trees are grown.

    Args:
        {columns}
        {classes} There must be two.
        {growth}
        {common}

    Raises:
        ValueError: there are more than two classes, or a column is not dense.
    """

    def __init__(self, feature_columns: Any, n_batches_per_layer: int, model_dir: Any = None, n_classes: int = 2,
                 weight_column: Any = None, label_vocabulary: Any = None, n_trees: int = 100, max_depth: int = 6,
                 learning_rate: float = 0.1, l1_regularization: float = 0.0, l2_regularization: float = 0.0,
                 tree_complexity: float = 0.0, min_node_weight: float = 0.0, config: Any = None,
                 center_bias: bool = False, pruning_mode: str = "none", quantile_sketch_epsilon: float = 0.01,
                 train_in_memory: bool = False) -> None:
        head = classification_head(n_classes, weight_column, label_vocabulary)
        settings = TreeSettings(n_trees, max_depth, learning_rate, l1_regularization, l2_regularization,
                                tree_complexity, min_node_weight, center_bias, pruning_mode, quantile_sketch_epsilon)
        super().__init__(head, feature_columns, model_dir, config, sigmoid, settings, train_in_memory,
                         n_batches_per_layer=n_batches_per_layer, weight_column=weight_column,
                         derivatives=_classifier_derivatives(head))


@export("estimator.BoostedTreesRegressor")
@_trees
@documented
class BoostedTreesRegressor(BoostedTrees):
    """A regression by gradient-boosted decision trees (Friedman, 2001), grown layer by layer, on the squared error.

    >>> regressor = tf.estimator.BoostedTreesRegressor([tf.feature_column.numeric_column("size")],
    ...                                                n_batches_per_layer=10, n_trees=50)

    Training stops when the trees are grown.

    Args:
        {columns}
        {numbers} There must be one.
        {growth}
        {common}

    Raises:
        ValueError: labels have more than one number, or a column is not dense.
    """

    def __init__(self, feature_columns: Any, n_batches_per_layer: int, model_dir: Any = None, label_dimension: int = 1,
                 weight_column: Any = None, n_trees: int = 100, max_depth: int = 6, learning_rate: float = 0.1,
                 l1_regularization: float = 0.0, l2_regularization: float = 0.0, tree_complexity: float = 0.0,
                 min_node_weight: float = 0.0, config: Any = None, center_bias: bool = False,
                 pruning_mode: str = "none", quantile_sketch_epsilon: float = 0.01,
                 train_in_memory: bool = False) -> None:
        settings = TreeSettings(n_trees, max_depth, learning_rate, l1_regularization, l2_regularization,
                                tree_complexity, min_node_weight, center_bias, pruning_mode, quantile_sketch_epsilon)
        super().__init__(regression_head(label_dimension, weight_column), feature_columns, model_dir, config, identity,
                         settings, train_in_memory, n_batches_per_layer=n_batches_per_layer,
                         weight_column=weight_column)


@export("estimator.BoostedTreesEstimator")
@_trees
@documented
class BoostedTreesEstimator(BoostedTrees):
    """Gradient-boosted decision trees under any head of one logit.

    >>> head = tf.estimator.PoissonRegressionHead()
    >>> estimator = tf.estimator.BoostedTreesEstimator([tf.feature_column.numeric_column("size")], 10, head)

    Args:
        {columns}
        {head}
        weight_column: the weights of examples in the quantiles of numeric columns.
        {growth}
        {common}

    Raises:
        ValueError: a column is not dense.
    """

    def __init__(self, feature_columns: Any, n_batches_per_layer: int, head: Any, model_dir: Any = None,
                 weight_column: Any = None, n_trees: int = 100, max_depth: int = 6, learning_rate: float = 0.1,
                 l1_regularization: float = 0.0, l2_regularization: float = 0.0, tree_complexity: float = 0.0,
                 min_node_weight: float = 0.0, config: Any = None, center_bias: bool = False,
                 pruning_mode: str = "none", quantile_sketch_epsilon: float = 0.01) -> None:
        settings = TreeSettings(n_trees, max_depth, learning_rate, l1_regularization, l2_regularization,
                                tree_complexity, min_node_weight, center_bias, pruning_mode, quantile_sketch_epsilon)
        super().__init__(head, feature_columns, model_dir, config, _activation(head), settings,
                         n_batches_per_layer=n_batches_per_layer, weight_column=weight_column)


def _activation(head: Any) -> Any:
    """What makes a prediction of a logit under a head, if that is known."""
    kind = getattr(head, "head", head)
    if isinstance(kind, BinaryClassHead):
        return sigmoid
    return identity if type(kind) is RegressionHead else None
