"""Boosted trees over a deep network: the network is trained first, then trees learn what it does not explain."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from evergraph.base.docstrings import with_parts
from evergraph.base.export import export
from evergraph.contrib.boosted_trees.estimators import maxent
from evergraph.contrib.boosted_trees.features import transformed
from evergraph.contrib.boosted_trees.hooks import SwitchTrainOp
from evergraph.contrib.boosted_trees.model import GradientBoostedDecisionTreeModel
from evergraph.contrib.boosted_trees.model_fns import TreeParams, made_model, made_spec, stopped, with_step
from evergraph.contrib.layers.optimize import optimize_loss
from evergraph.contrib.learn.canned import features_by_name, made_optimizer, network_input
from evergraph.contrib.learn.dnn import MIN_SLICE, tower_logits
from evergraph.contrib.learn.estimator import Estimator
from evergraph.contrib.learn.heads import multi_class_head, regression_head
from evergraph.contrib.learn.mode_keys import ModeKeys
from evergraph.estimator.estimator import Estimator as CoreEstimator
from evergraph.frontend import array, math
from evergraph.frontend.nn.cross_entropy import (
    sigmoid_cross_entropy_with_logits,
    softmax_cross_entropy_with_logits_v2,
)
from evergraph.frontend.reduce import reduce_mean
from evergraph.frontend.variables.partitions import min_max_variable_partitioner
from evergraph.frontend.variables.scope import variable_scope
from evergraph.graph.node import Tensor
from evergraph.ops.arrays.basic import no_op, stop_gradient
from evergraph.ops.math.elementwise import sigmoid
from evergraph.ops.nn.activations import relu, softmax
from evergraph.summary import summaries
from evergraph.train.global_step import get_global_step

_HOME = "contrib.boosted_trees.estimator_batch.dnn_tree_combined_estimator"
_SCOPE, _INPUT = "dnn", "dnn_input_layer"
_LEARNING_RATE = 0.001
Distillation = tuple[float, Callable[[Tensor, Tensor, Any], Tensor] | None]

documented = with_parts(
    network="""dnn_hidden_units: the number of units of each hidden layer.
        dnn_feature_columns: the columns of the network.
        tree_learner_config: a LearnerConfig: regularization, depth and strategies.
        num_trees: how many trees to grow.
        tree_examples_per_layer: after how many examples a layer grows, or a function of the number of the layer.""",
    run="""model_dir: the directory of checkpoints and events.
        config: a RunConfig.""",
    options="""dnn_optimizer: the network's optimizer, its name, or a function that makes one.
        dnn_activation_fn: the activation of hidden layers.
        dnn_dropout: the share of units that are dropped in training.
        dnn_input_layer_partitioner: divides the variables of the input layer.
        dnn_input_layer_to_tree: whether trees also split on the input layer of the network.
        dnn_steps_to_train: for how many steps the network is trained, before trees grow.
        predict_with_tree_only: whether trees learn and predict alone, rather than what the network lacks.
        tree_feature_columns: the columns that trees split on; by default all features.
        tree_center_bias: whether the first tree is a bias alone.
        dnn_to_tree_distillation_param: (weight, function of the network's logits, the trees' logits and the weights of
            examples): how much of that loss is added to that of the trees, which then predict alone. Without a
            function it is the cross entropy with what the network predicts.""",
    versions="""use_core_versions: whether columns are of tf.feature_column.
        override_global_step_value: what the global step becomes when there are enough trees.""")


class _Params(NamedTuple):
    """What the estimators are given; their docstrings explain it."""

    head: Any
    dnn_hidden_units: Sequence[int]
    dnn_feature_columns: Any
    tree_learner_config: Any
    num_trees: int
    tree_examples_per_layer: Any
    dnn_optimizer: Any
    dnn_activation_fn: Any
    dnn_dropout: float | None
    dnn_input_layer_partitioner: Any
    dnn_input_layer_to_tree: bool
    dnn_steps_to_train: int
    predict_with_tree_only: bool
    tree_feature_columns: Any
    tree_center_bias: bool
    dnn_to_tree_distillation_param: Distillation | None
    use_core_versions: bool = False
    override_global_step_value: int | None = None
    weight_column_name: str | None = None

    @property
    def trees_alone(self) -> bool:
        """Whether the trees predict without the network."""
        return self.predict_with_tree_only or self.dnn_to_tree_distillation_param is not None


def _network(params: _Params, features: Mapping[str, Any], mode: str, config: Any) -> tuple[Tensor, Tensor]:
    """(the input layer, the logits) of the network."""
    replicas = config.num_ps_replicas
    partitioner = params.dnn_input_layer_partitioner or min_max_variable_partitioner(
        max_partitions=replicas, min_slice_size=MIN_SLICE)
    with variable_scope(_SCOPE, values=tuple(features.values())):
        with variable_scope("input_from_feature_columns", values=tuple(features.values()),
                            partitioner=partitioner) as scope:
            first = network_input(dict(features), params.dnn_feature_columns, _SCOPE, scope)
        return first, tower_logits(first, params.dnn_hidden_units, params.head.logits_dimension, mode,
                                   params.dnn_activation_fn, params.dnn_dropout, replicas, _SCOPE)


def _trees(params: _Params, features: Mapping[str, Any], first: Tensor,
           config: Any) -> tuple[TreeParams, GradientBoostedDecisionTreeModel]:
    """The trees over their columns, and over the network's input layer."""
    columns = params.tree_feature_columns
    split_on = dict(features) if columns is None else transformed(features, columns, params.use_core_versions)
    if params.dnn_input_layer_to_tree:
        split_on[_INPUT] = stop_gradient(first)
    given = TreeParams(params.head, params.tree_learner_config, params.tree_examples_per_layer, params.num_trees,
                       weight_column_name=params.weight_column_name, center_bias=params.tree_center_bias,
                       override_global_step_value=params.override_global_step_value)
    return given, made_model(given, split_on, config)


def _distilled(params: _Params, features: Mapping[str, Any], dnn_logits: Tensor, tree_logits: Tensor) -> Any:
    """The loss by which trees learn what the network predicts, times its weight; 0 without it."""
    if params.dnn_to_tree_distillation_param is None:
        return 0.0
    factor, loss_fn = params.dnn_to_tree_distillation_param
    weights = None if params.weight_column_name is None else math.cast(
        features[params.weight_column_name], tree_logits.dtype)
    loss = factor * (loss_fn or _cross_entropy)(stop_gradient(dnn_logits), tree_logits, weights)
    summaries.scalar("dnn_to_tree_distillation_loss", loss)
    return loss


def _cross_entropy(dnn_logits: Tensor, tree_logits: Tensor, weights: Tensor | None) -> Tensor:
    """The cross entropy of the trees with what the network predicts: of one class, or of several."""
    if tree_logits.shape.as_list()[-1] == 1:
        losses = sigmoid_cross_entropy_with_logits(labels=sigmoid(dnn_logits), logits=tree_logits)
    else:
        losses = array.expand_dims(softmax_cross_entropy_with_logits_v2(softmax(dnn_logits), tree_logits), 1)
    return reduce_mean(losses if weights is None else losses * array.reshape(weights, [-1, 1]))


def _model_fn(features: Any, labels: Any, mode: str, params: Mapping[str, Any], config: Any) -> Any:
    """The model of a network and of trees; `params` are _Params by name."""
    given, features = _Params(**params), features_by_name(features)
    first, dnn_logits = _network(given, features, mode, config)
    tree_params, trees = _trees(given, features, first, config)
    predictions = trees.predict(mode)
    tree_logits = predictions["predictions"]
    logits = tree_logits if given.trees_alone else stop_gradient(dnn_logits) + tree_logits
    if mode != ModeKeys.TRAIN:
        return made_spec(given.head, features, mode, labels, logits, lambda loss: no_op())

    def train_network(loss: Tensor) -> Any:
        return optimize_loss(loss, get_global_step(), _LEARNING_RATE, made_optimizer(given.dnn_optimizer),
                             name=_SCOPE, summaries=[])

    def grow_trees(loss: Tensor) -> Any:
        whole = loss + _distilled(given, features, dnn_logits, tree_logits)
        return with_step(trees.train(whole, predictions, labels))

    network = made_spec(given.head, features, mode, labels, dnn_logits, train_network)
    spec = made_spec(given.head, features, mode, labels, logits, grow_trees)
    switch = SwitchTrainOp(network.train_op, given.dnn_steps_to_train, spec.train_op)
    # The hook's counts may not depend on the growth of trees, which the network's steps would run then.
    hooks = (switch, stopped(tree_params, trees))
    return spec._replace(train_op=no_op(), training_hooks=(*spec.training_hooks, *hooks))


class _Combined(Estimator):
    """A network and trees as an Estimator of tf.contrib.learn."""

    def __init__(self, model_dir: Any, config: Any, feature_engineering_fn: Any, **params: Any) -> None:
        super().__init__(_model_fn, model_dir, config, _Params(**params)._asdict(), feature_engineering_fn)


@export(f"{_HOME}.DNNBoostedTreeCombinedClassifier")
@documented
class DNNBoostedTreeCombinedClassifier(_Combined):
    """A deep network and boosted trees that tell classes apart.

    Args:
        {network}
        n_classes: how many classes there are.
        weight_column_name: the feature with the weights of examples.
        {run}
        label_name: the label where there are several by name.
        label_keys: the names of the classes, where labels are strings.
        feature_engineering_fn: a function of (features, labels) that returns those of the model.
        {options}
        {versions}
    """

    def __init__(self, dnn_hidden_units: Sequence[int], dnn_feature_columns: Any, tree_learner_config: Any,
                 num_trees: int, tree_examples_per_layer: Any, n_classes: int = 2,
                 weight_column_name: str | None = None, model_dir: Any = None, config: Any = None,
                 label_name: str | None = None, label_keys: Sequence[str] | None = None,
                 feature_engineering_fn: Any = None, dnn_optimizer: Any = "Adagrad", dnn_activation_fn: Any = relu,
                 dnn_dropout: float | None = None,
                 dnn_input_layer_partitioner: Any = None, dnn_input_layer_to_tree: bool = True,
                 dnn_steps_to_train: int = 10000, predict_with_tree_only: bool = False,
                 tree_feature_columns: Any = None, tree_center_bias: bool = False,
                 dnn_to_tree_distillation_param: Distillation | None = None, use_core_versions: bool = False,
                 override_global_step_value: int | None = None) -> None:
        head = multi_class_head(n_classes, label_name=label_name, weight_column_name=weight_column_name,
                                label_keys=label_keys, loss_fn=maxent(n_classes) if n_classes > 2 else None)
        super().__init__(
            model_dir, config, feature_engineering_fn, head=head, weight_column_name=weight_column_name,
            dnn_hidden_units=dnn_hidden_units, dnn_feature_columns=dnn_feature_columns,
            tree_learner_config=tree_learner_config, num_trees=num_trees,
            tree_examples_per_layer=tree_examples_per_layer, dnn_optimizer=dnn_optimizer,
            dnn_activation_fn=dnn_activation_fn, dnn_dropout=dnn_dropout,
            dnn_input_layer_partitioner=dnn_input_layer_partitioner,
            dnn_input_layer_to_tree=dnn_input_layer_to_tree, dnn_steps_to_train=dnn_steps_to_train,
            predict_with_tree_only=predict_with_tree_only, tree_feature_columns=tree_feature_columns,
            tree_center_bias=tree_center_bias, dnn_to_tree_distillation_param=dnn_to_tree_distillation_param,
            use_core_versions=use_core_versions, override_global_step_value=override_global_step_value)


@export(f"{_HOME}.DNNBoostedTreeCombinedRegressor")
@documented
class DNNBoostedTreeCombinedRegressor(_Combined):
    """A deep network and boosted trees that predict numbers, by the mean squared error.

    Args:
        {network}
        weight_column_name: the feature with the weights of examples.
        {run}
        label_name: the label where there are several by name.
        label_dimension: how many numbers there are for an example.
        feature_engineering_fn: a function of (features, labels) that returns those of the model.
        {options}
        {versions}
    """

    def __init__(self, dnn_hidden_units: Sequence[int], dnn_feature_columns: Any, tree_learner_config: Any,
                 num_trees: int, tree_examples_per_layer: Any,
                 weight_column_name: str | None = None, model_dir: Any = None, config: Any = None,
                 label_name: str | None = None, label_dimension: int = 1, feature_engineering_fn: Any = None,
                 dnn_optimizer: Any = "Adagrad", dnn_activation_fn: Any = relu, dnn_dropout: float | None = None,
                 dnn_input_layer_partitioner: Any = None, dnn_input_layer_to_tree: bool = True,
                 dnn_steps_to_train: int = 10000, predict_with_tree_only: bool = False,
                 tree_feature_columns: Any = None, tree_center_bias: bool = False,
                 dnn_to_tree_distillation_param: Distillation | None = None, use_core_versions: bool = False,
                 override_global_step_value: int | None = None) -> None:
        head = regression_head(label_name=label_name, label_dimension=label_dimension,
                               weight_column_name=weight_column_name)
        super().__init__(
            model_dir, config, feature_engineering_fn, head=head, weight_column_name=weight_column_name,
            dnn_hidden_units=dnn_hidden_units, dnn_feature_columns=dnn_feature_columns,
            tree_learner_config=tree_learner_config, num_trees=num_trees,
            tree_examples_per_layer=tree_examples_per_layer, dnn_optimizer=dnn_optimizer,
            dnn_activation_fn=dnn_activation_fn, dnn_dropout=dnn_dropout,
            dnn_input_layer_partitioner=dnn_input_layer_partitioner,
            dnn_input_layer_to_tree=dnn_input_layer_to_tree, dnn_steps_to_train=dnn_steps_to_train,
            predict_with_tree_only=predict_with_tree_only, tree_feature_columns=tree_feature_columns,
            tree_center_bias=tree_center_bias, dnn_to_tree_distillation_param=dnn_to_tree_distillation_param,
            use_core_versions=use_core_versions, override_global_step_value=override_global_step_value)


@export(f"{_HOME}.DNNBoostedTreeCombinedEstimator")
@documented
class DNNBoostedTreeCombinedEstimator(_Combined):
    """A deep network and boosted trees under a head.

    Args:
        {network}
        head: a head of tf.contrib.learn or of tf.estimator, whose loss has second derivatives.
        {run}
        feature_engineering_fn: a function of (features, labels) that returns those of the model.
        {options}
        {versions}
    """

    def __init__(self, dnn_hidden_units: Sequence[int], dnn_feature_columns: Any, tree_learner_config: Any,
                 num_trees: int, tree_examples_per_layer: Any, head: Any,
                 model_dir: Any = None, config: Any = None, feature_engineering_fn: Any = None,
                 dnn_optimizer: Any = "Adagrad", dnn_activation_fn: Any = relu, dnn_dropout: float | None = None,
                 dnn_input_layer_partitioner: Any = None, dnn_input_layer_to_tree: bool = True,
                 dnn_steps_to_train: int = 10000, predict_with_tree_only: bool = False,
                 tree_feature_columns: Any = None, tree_center_bias: bool = False,
                 dnn_to_tree_distillation_param: Distillation | None = None, use_core_versions: bool = False,
                 override_global_step_value: int | None = None) -> None:
        super().__init__(
            model_dir, config, feature_engineering_fn, head=head,
            weight_column_name=getattr(head, "weight_column_name", None),
            dnn_hidden_units=dnn_hidden_units, dnn_feature_columns=dnn_feature_columns,
            tree_learner_config=tree_learner_config, num_trees=num_trees,
            tree_examples_per_layer=tree_examples_per_layer, dnn_optimizer=dnn_optimizer,
            dnn_activation_fn=dnn_activation_fn, dnn_dropout=dnn_dropout,
            dnn_input_layer_partitioner=dnn_input_layer_partitioner,
            dnn_input_layer_to_tree=dnn_input_layer_to_tree, dnn_steps_to_train=dnn_steps_to_train,
            predict_with_tree_only=predict_with_tree_only, tree_feature_columns=tree_feature_columns,
            tree_center_bias=tree_center_bias, dnn_to_tree_distillation_param=dnn_to_tree_distillation_param,
            use_core_versions=use_core_versions, override_global_step_value=override_global_step_value)


@export(f"{_HOME}.CoreDNNBoostedTreeCombinedEstimator")
@documented
class CoreDNNBoostedTreeCombinedEstimator(CoreEstimator):
    """A deep network and boosted trees as an Estimator of tf.estimator, with its heads and columns.

    Args:
        {network}
        head: a head of tf.estimator, whose loss has second derivatives.
        {run}
        {options}
    """

    def __init__(self, dnn_hidden_units: Sequence[int], dnn_feature_columns: Any, tree_learner_config: Any,
                 num_trees: int, tree_examples_per_layer: Any, head: Any,
                 model_dir: Any = None, config: Any = None,
                 dnn_optimizer: Any = "Adagrad", dnn_activation_fn: Any = relu, dnn_dropout: float | None = None,
                 dnn_input_layer_partitioner: Any = None, dnn_input_layer_to_tree: bool = True,
                 dnn_steps_to_train: int = 10000, predict_with_tree_only: bool = False,
                 tree_feature_columns: Any = None, tree_center_bias: bool = False,
                 dnn_to_tree_distillation_param: Distillation | None = None) -> None:
        params = _Params(
            head=head, use_core_versions=True,
            dnn_hidden_units=dnn_hidden_units, dnn_feature_columns=dnn_feature_columns,
            tree_learner_config=tree_learner_config, num_trees=num_trees,
            tree_examples_per_layer=tree_examples_per_layer, dnn_optimizer=dnn_optimizer,
            dnn_activation_fn=dnn_activation_fn, dnn_dropout=dnn_dropout,
            dnn_input_layer_partitioner=dnn_input_layer_partitioner,
            dnn_input_layer_to_tree=dnn_input_layer_to_tree, dnn_steps_to_train=dnn_steps_to_train,
            predict_with_tree_only=predict_with_tree_only, tree_feature_columns=tree_feature_columns,
            tree_center_bias=tree_center_bias, dnn_to_tree_distillation_param=dnn_to_tree_distillation_param)
        super().__init__(_model_fn, model_dir, config, params._asdict())
