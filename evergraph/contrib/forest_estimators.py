"""tf.contrib.tensor_forest.client.random_forest: random forests as Estimators."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from evergraph.base import dtypes, logging
from evergraph.base.docstrings import with_parts
from evergraph.base.export import export
from evergraph.contrib.boosted_trees.model_fns import made_spec, with_step
from evergraph.contrib.forest_data import only_features
from evergraph.contrib.learn.estimator import Estimator
from evergraph.contrib.learn.heads import multi_class_head, regression_head
from evergraph.contrib.learn.mode_keys import ModeKeys
from evergraph.contrib.learn.model_fn import ModelFnOps
from evergraph.contrib.random_forests import RandomForestGraphs
from evergraph.estimator.estimator import Estimator as CoreEstimator
from evergraph.estimator.export.outputs import PredictOutput
from evergraph.estimator.heads import legacy
from evergraph.feature.column import CategoricalColumn
from evergraph.feature.inputs import FeatureTransformationCache
from evergraph.feature.numeric import NumericColumn
from evergraph.frontend import math
from evergraph.frontend.clip import clip_by_value
from evergraph.graph.node import Tensor
from evergraph.losses.weighting import Reduction
from evergraph.ops.math.elementwise import log
from evergraph.train.global_step import get_global_step
from evergraph.train.session_run_hook import SessionRunArgs, SessionRunHook

KEYS_NAME, LOSS_NAME, TREE_PATHS_PREDICTION_KEY, VARIANCE_PREDICTION_KEY = (
    "keys", "rf_training_loss", "tree_paths", "prediction_variance")
_HOME = "contrib.tensor_forest.client.random_forest"
_LEAST = 1e-7  # the least probability of a class that has a logit


@export(f"{_HOME}.TensorForestLossHook")
class TensorForestLossHook(SessionRunHook):
    """Ends training when the loss gets no better.

    Args:
        early_stopping_rounds: after how many steps without a better loss; None for never.
        early_stopping_loss_threshold: a loss is better if it is less by this part of the best one.
        loss_op: the loss.
    """

    def __init__(self, early_stopping_rounds: int | None, early_stopping_loss_threshold: float | None = None,
                 loss_op: Any = None) -> None:
        self.early_stopping_rounds, self.loss_op = early_stopping_rounds, loss_op
        self.early_stopping_loss_threshold = early_stopping_loss_threshold or 0.0
        self.min_loss: float | None = None
        self.last_step = -1
        self.min_loss_step = 0

    def before_run(self, run_context: Any) -> SessionRunArgs:
        return SessionRunArgs({"step": get_global_step(), "loss": self.loss_op})

    def after_run(self, run_context: Any, run_values: Any) -> None:
        step, loss = int(run_values.results["step"]), float(run_values.results["loss"])
        best = self.min_loss
        if best is None or loss < best - abs(best) * self.early_stopping_loss_threshold:
            self.min_loss, self.min_loss_step = loss, step
        self.last_step = step
        rounds = self.early_stopping_rounds
        if rounds is not None and step - self.min_loss_step >= rounds:
            logging.info("the loss has not become better for %d steps: training ends", rounds)
            run_context.request_stop()


@export(f"{_HOME}.TensorForestRunOpAtEndHook")
class TensorForestRunOpAtEndHook(SessionRunHook):
    """Logs what tensors are when training has ended.

    Args:
        op_dict: tensors by name.
    """

    def __init__(self, op_dict: Mapping[str, Any]) -> None:
        self._ops = dict(op_dict)

    def end(self, session: Any) -> None:
        for name, value in session.run(self._ops).items():
            logging.info("%s: %s", name, value)


def get_default_head(params: Any, weights_name: str | None, name: str | None = None) -> Any:
    """The head of tf.contrib.learn for what a forest predicts.

    Args:
        params: ForestHParams.
        weights_name: the feature with the weights of examples.
        name: the name of the head.
    """
    if params.regression:
        return regression_head(weight_column_name=weights_name, label_dimension=params.num_outputs, head_name=name)
    return multi_class_head(params.num_classes, weight_column_name=weights_name, head_name=name)


def _default_core_head(params: Any, weights_name: str | None) -> Any:
    reduction = Reduction.SUM_OVER_NONZERO_WEIGHTS
    if params.regression:
        return legacy.regression_head(weights_name, params.num_outputs, reduction)
    return legacy.classification_head(params.num_classes, weights_name, None, reduction)


def _logits(params: Any, predictions: Tensor) -> Tensor:
    """What a head takes: of two classes the log of the odds."""
    if params.regression or params.num_classes > 2:
        return predictions
    chance = clip_by_value(predictions[:, 1:], _LEAST, 1.0 - _LEAST)
    return log(chance / (1.0 - chance))


def _columns(features: Mapping[str, Any], feature_columns: Any) -> dict[str, Any]:
    """What columns make of features.

    Raises:
        ValueError: a column is neither of numbers nor of categories.
    """
    inputs = FeatureTransformationCache(features)
    for column in feature_columns:
        if not isinstance(column, (NumericColumn, CategoricalColumn)):
            raise ValueError(f"a forest takes numbers and categories, and column {column.name} is a "
                             f"{type(column).__name__}")
    return {column.name: inputs.get(column) for column in feature_columns}


def _model_fn(features: Any, labels: Any, mode: str, params: Mapping[str, Any], config: Any) -> Any:
    """The model of a forest; `params` are the arguments of its Estimator."""
    forest, weights, keys = params["params"], None, None
    if isinstance(features, Mapping):
        features = dict(features)
        weights, keys = features.get(params["weight_column"]), features.pop(params["keys_column"], None)
    inputs = {name: each for name, each in features.items() if name != params["weight_column"]} if isinstance(
        features, Mapping) else features
    data = only_features(_columns(inputs, params["feature_columns"]) if params["feature_columns"] else inputs)
    graphs = params["graph_builder_class"](forest)
    predictions, paths, variance = graphs.inference_graph(data)

    def train_op_fn(loss: Tensor) -> Any:
        more = {} if weights is None else {"input_weights": weights}
        return with_step(graphs.training_graph(data, labels, num_trainers=params["num_trainers"],
                                               trainer_id=params["trainer_id"], **more))
    if forest.regression and labels is not None:
        labels = math.cast(labels, dtypes.float32)
    spec = made_spec(params["head"], features, mode, labels, _logits(forest, predictions), train_op_fn)
    found: dict[str, Any] = {} if keys is None else {KEYS_NAME: keys}
    if forest.inference_tree_paths:
        found[TREE_PATHS_PREDICTION_KEY] = paths
    found[VARIANCE_PREDICTION_KEY] = variance
    spec = _with_predictions(spec, mode, found, params["include_all_in_serving"])
    return spec._replace(training_hooks=(*spec.training_hooks, *_hooks(params, spec, graphs, mode)))


def _with_predictions(spec: Any, mode: str, found: dict[str, Any], are_served: bool) -> Any:
    """The spec with more predictions, which are exported too if that is wished."""
    if mode == ModeKeys.TRAIN:
        return spec
    spec = spec._replace(predictions={**spec.predictions, **found})
    if not are_served or mode != ModeKeys.INFER:
        return spec
    if isinstance(spec, ModelFnOps):
        return spec._replace(output_alternatives={
            name: (kind, {**outputs, **spec.predictions}) for name, (kind, outputs) in
            spec.output_alternatives.items()})
    return spec._replace(export_outputs={**spec.export_outputs, "all": PredictOutput(spec.predictions)})


def _hooks(params: Mapping[str, Any], spec: Any, graphs: RandomForestGraphs, mode: str) -> list[Any]:
    if mode != ModeKeys.TRAIN:
        return []
    hooks: list[Any] = []
    if params["early_stopping_rounds"]:
        hooks.append(TensorForestLossHook(params["early_stopping_rounds"], params["early_stopping_loss_threshold"],
                                          spec.loss))
    if params["report_feature_importances"]:
        hooks.append(TensorForestRunOpAtEndHook({"feature_importances": graphs.feature_importances()}))
    return hooks


documented = with_parts(forest="""params: ForestHParams, filled.
        device_assigner: has no meaning: trees are on the host.
        model_dir: the directory of checkpoints and events.
        graph_builder_class: what builds the graphs of the forest.
        config: a RunConfig.
        weight_column: the feature with the weights of examples.
        keys_column: the feature with the keys of examples, which predictions have too.
        feature_engineering_fn: a function of (features, labels) that returns those of the model.
        early_stopping_rounds: after how many steps without a better loss training ends.
        early_stopping_loss_threshold: a loss is better if it is less by this part of the best one.
        num_trainers: among how many workers the trees are divided.
        trainer_id: which of them this one is.
        report_feature_importances: whether to log at the end how much each feature is used.
        local_eval: has no meaning: trees are on this machine.
        version: has no meaning.
        head: a head; by default the one for what the forest predicts.
        include_all_in_serving: whether all predictions are exported.""")


@export(f"{_HOME}.TensorForestEstimator")
@documented
class TensorForestEstimator(Estimator):
    """A random forest that is trained with batches, as an Estimator of tf.contrib.learn.

    Args:
        {forest}
    """

    def __init__(self, params: Any, device_assigner: Any = None, model_dir: Any = None,
                 graph_builder_class: Any = RandomForestGraphs, config: Any = None, weight_column: str | None = None,
                 keys_column: str | None = None, feature_engineering_fn: Any = None,
                 early_stopping_rounds: int | None = 100, early_stopping_loss_threshold: float = 0.001,
                 num_trainers: int = 1, trainer_id: int = 0, report_feature_importances: bool = False,
                 local_eval: bool = False, version: Any = None, head: Any = None,
                 include_all_in_serving: bool = False) -> None:
        super().__init__(_model_fn, model_dir, config, {
            "params": params.fill(), "head": head or get_default_head(params, weight_column), "feature_columns": None,
            "graph_builder_class": graph_builder_class, "weight_column": weight_column, "keys_column": keys_column,
            "early_stopping_rounds": early_stopping_rounds, "num_trainers": num_trainers, "trainer_id": trainer_id,
            "early_stopping_loss_threshold": early_stopping_loss_threshold,
            "report_feature_importances": report_feature_importances,
            "include_all_in_serving": include_all_in_serving}, feature_engineering_fn)


@export(f"{_HOME}.CoreTensorForestEstimator")
@documented
class CoreTensorForestEstimator(CoreEstimator):
    """A random forest that is trained with batches, as a tf.estimator.Estimator.

    Args:
        {forest}
        feature_columns: columns of numbers or categories of tf.feature_column; by default all features.
    """

    def __init__(self, params: Any, device_assigner: Any = None, model_dir: Any = None, feature_columns: Any = None,
                 graph_builder_class: Any = RandomForestGraphs, config: Any = None, weight_column: str | None = None,
                 keys_column: str | None = None, feature_engineering_fn: Any = None,
                 early_stopping_rounds: int | None = 100, early_stopping_loss_threshold: float = 0.001,
                 num_trainers: int = 1, trainer_id: int = 0, report_feature_importances: bool = False,
                 local_eval: bool = False, version: Any = None, head: Any = None,
                 include_all_in_serving: bool = False) -> None:
        def model_fn(features: Any, labels: Any, mode: str, params: Mapping[str, Any], config: Any) -> Any:
            if feature_engineering_fn is not None:
                features, labels = feature_engineering_fn(features, labels)
            return _model_fn(features, labels, mode, params, config)
        super().__init__(model_fn, model_dir, config, {
            "params": params.fill(), "head": head or _default_core_head(params, weight_column),
            "feature_columns": feature_columns, "graph_builder_class": graph_builder_class,
            "weight_column": weight_column, "keys_column": keys_column,
            "early_stopping_rounds": early_stopping_rounds, "num_trainers": num_trainers, "trainer_id": trainer_id,
            "early_stopping_loss_threshold": early_stopping_loss_threshold,
            "report_feature_importances": report_feature_importances,
            "include_all_in_serving": include_all_in_serving})
