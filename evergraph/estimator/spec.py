"""What a model function returns: tf.estimator.EstimatorSpec, and how its parts are checked."""
from __future__ import annotations

import collections
from collections.abc import Iterable, Mapping
from typing import Any

from evergraph.base import nest
from evergraph.base.export import export
from evergraph.estimator.calls import call_with
from evergraph.estimator.export.outputs import ExportOutput, PredictOutput, is_metric, metric_pair
from evergraph.estimator.mode_keys import ModeKeys
from evergraph.frontend.collections import GraphKeys, add_to_collection, get_collection
from evergraph.graph.convert import is_tensor_like
from evergraph.graph.graph import default_graph
from evergraph.graph.node import Operation
from evergraph.ops.arrays.reshape import reshape
from evergraph.save.saved_model_constants import DEFAULT_SERVING_SIGNATURE_DEF_KEY
from evergraph.train.scaffold import Scaffold
from evergraph.train.session_run_hook import SessionRunHook

_FIELDS = ("mode", "predictions", "loss", "train_op", "eval_metric_ops", "export_outputs", "training_chief_hooks",
           "training_hooks", "scaffold", "evaluation_hooks", "prediction_hooks")


@export("estimator.EstimatorSpec")
class EstimatorSpec(collections.namedtuple("EstimatorSpec", _FIELDS)):
    """What a model function tells an Estimator about the graph it has built.

    Training needs `loss` and `train_op`, evaluation `loss`, prediction `predictions`; a model function may always give
    all of them.

    >>> def model_fn(features, labels, mode):
    ...     w = tf.get_variable("w", [], initializer=tf.zeros_initializer())
    ...     predictions = w * features["x"]
    ...     if mode == tf.estimator.ModeKeys.PREDICT:
    ...         return tf.estimator.EstimatorSpec(mode, predictions=predictions)
    ...     loss = tf.losses.mean_squared_error(labels, predictions)
    ...     train_op = tf.train.GradientDescentOptimizer(0.1).minimize(loss, tf.train.get_global_step())
    ...     return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)

    Args:
        mode: a tf.estimator.ModeKeys.
        predictions: a tensor, or a dict of tensors.
        loss: a tensor with a single number.
        train_op: the operation or tensor that makes a step of training.
        eval_metric_ops: name -> (value, update_op), as functions of tf.metrics give them, or a metric object.
        export_outputs: name of a signature -> ExportOutput. One of several must have the name "serving_default"; a
            single one is that as well. Without any, the predictions are exported.
        training_chief_hooks: hooks that the chief alone runs in training.
        training_hooks: hooks that every worker runs in training.
        scaffold: the tf.train.Scaffold of the session; by default a new one.
        evaluation_hooks: hooks of evaluation.
        prediction_hooks: hooks of prediction.

    Raises:
        ValueError: the mode needs something that is missing, or a tensor is from another graph or no scalar.
        TypeError: something has the wrong type.
    """

    __slots__ = ()

    def __new__(cls, mode: str, predictions: Any = None, loss: Any = None, train_op: Any = None,
                eval_metric_ops: Any = None, export_outputs: Any = None,
                training_chief_hooks: Iterable[SessionRunHook] | None = None,
                training_hooks: Iterable[SessionRunHook] | None = None, scaffold: Scaffold | None = None,
                evaluation_hooks: Iterable[SessionRunHook] | None = None,
                prediction_hooks: Iterable[SessionRunHook] | None = None) -> EstimatorSpec:
        train_op = _checked_train_op(train_op, mode)
        loss = _checked_loss(loss, mode)
        predictions = _checked_predictions(predictions, mode)
        return super().__new__(
            cls, mode=mode, predictions=predictions, loss=loss, train_op=train_op,
            eval_metric_ops=_checked_metrics(eval_metric_ops),
            export_outputs=_checked_outputs(export_outputs, predictions, mode),
            training_chief_hooks=_checked_hooks(training_chief_hooks), training_hooks=_checked_hooks(training_hooks),
            scaffold=_checked_scaffold(scaffold), evaluation_hooks=_checked_hooks(evaluation_hooks),
            prediction_hooks=_checked_hooks(prediction_hooks))

    def _replace(self, **kwds: Any) -> EstimatorSpec:
        """A spec with other parts, checked like a new one.

        Raises:
            ValueError: the mode would change.
        """
        if kwds.get("mode", self.mode) != self.mode:
            raise ValueError(f"mode of EstimatorSpec cannot be changed, from {self.mode} to {kwds['mode']}")
        return EstimatorSpec(**{**self._asdict(), **kwds})


# ---- the checks


def _check_graph(value: Any, what: str) -> None:
    if value.graph is not default_graph():
        raise ValueError(f"{what} must be from the default graph, which it is not: {value}")


def _check_tensor(value: Any, what: str) -> Any:
    if not is_tensor_like(value):
        raise TypeError(f"{what} must be Tensor, given: {value}")
    return value


def _checked_train_op(train_op: Any, mode: str) -> Any:
    if train_op is None:
        if mode == ModeKeys.TRAIN:
            raise ValueError("Missing train_op: a spec for training needs one")
        return None
    if not isinstance(train_op, Operation) and not is_tensor_like(train_op):
        raise TypeError(f"train_op must be Operation or Tensor, given: {train_op}")
    _check_graph(train_op, "train_op")
    return train_op


def _checked_loss(loss: Any, mode: str) -> Any:
    """The loss as a scalar."""
    if loss is None:
        if mode in (ModeKeys.TRAIN, ModeKeys.EVAL):
            raise ValueError(f"Missing loss: a spec of mode {mode!r} needs one")
        return None
    shape = _check_tensor(loss, "loss").shape
    if shape.num_elements() not in (None, 1):
        raise ValueError(f"Loss must be scalar, given: {loss}")
    _check_graph(loss, "loss")
    return loss if shape.is_compatible_with(()) else reshape(loss, [])


def _checked_predictions(predictions: Any, mode: str) -> Any:
    if predictions is None:
        if mode == ModeKeys.PREDICT:
            raise ValueError("Missing predictions: a spec for prediction needs them")
        return {}
    if isinstance(predictions, Mapping):
        for key, value in predictions.items():
            _check_graph(_check_tensor(value, f"predictions[{key}]"), f"predictions[{key}]")
    else:
        _check_graph(_check_tensor(predictions, "predictions"), "predictions")
    return predictions


def _checked_metrics(metrics: Any) -> dict[str, Any]:
    if metrics is None:
        return {}
    if not isinstance(metrics, dict):
        raise TypeError(f"eval_metric_ops must be a dict from names to metrics, got {metrics}")
    for key, metric in metrics.items():
        if is_metric(metric):
            metric_pair(metric)
            _collect_variables(metric)
        elif not isinstance(metric, tuple) or len(metric) != 2:
            raise TypeError(f"eval_metric_ops holds (metric_value, update_op) tuples, but {key!r} is {metric}")
    for key, metric in metrics.items():
        for part in nest.flatten(list(metric_pair(metric))):
            if not isinstance(part, Operation):
                _check_tensor(part, f"eval_metric_ops[{key}]")
            _check_graph(part, f"eval_metric_ops[{key}]")
    return metrics


def _collect_variables(metric: Any) -> None:
    """Lets the session initialize the variables of a metric object."""
    for key in (GraphKeys.LOCAL_VARIABLES, GraphKeys.METRIC_VARIABLES):
        known = set(map(id, get_collection(key)))
        for variable in metric.variables:
            if id(variable) not in known:
                add_to_collection(key, variable)


def _checked_outputs(outputs: Any, predictions: Any, mode: str) -> Any:
    """The exports by name of signature, one of which is the default."""
    if mode != ModeKeys.PREDICT:
        return outputs
    if outputs is None:
        return {DEFAULT_SERVING_SIGNATURE_DEF_KEY: PredictOutput(predictions)}
    if not isinstance(outputs, dict):
        raise TypeError(f"export_outputs must be dict, got {outputs}")
    if not all(isinstance(output, ExportOutput) for output in outputs.values()):
        raise TypeError(f"export_outputs holds ExportOutput objects as values; got {outputs}")
    if len(outputs) == 1:
        (only,) = outputs.values()
        return {**outputs, DEFAULT_SERVING_SIGNATURE_DEF_KEY: only}
    if len(outputs) > 1 and DEFAULT_SERVING_SIGNATURE_DEF_KEY not in outputs:
        raise ValueError("One of several export_outputs is what a server runs by default: name it by "
                         f"DEFAULT_SERVING_SIGNATURE_DEF_KEY, {DEFAULT_SERVING_SIGNATURE_DEF_KEY!r}.")
    return outputs


def _checked_hooks(hooks: Iterable[SessionRunHook] | None) -> tuple[SessionRunHook, ...]:
    hooks = tuple(hooks or ())
    for hook in hooks:
        if not isinstance(hook, SessionRunHook):
            raise TypeError(f"All hooks must be SessionRunHook instances, got {hook}")
    return hooks


def _checked_scaffold(scaffold: Scaffold | None) -> Scaffold:
    scaffold = Scaffold() if scaffold is None else scaffold
    if not isinstance(scaffold, Scaffold):
        raise TypeError(f"scaffold must be tf.train.Scaffold, got {scaffold}")
    return scaffold


@export("estimator.experimental.call_logit_fn", "contrib.estimator.call_logit_fn")
def call_logit_fn(logit_fn: Any, features: Any, mode: str, params: Any, config: Any) -> Any:
    """Calls a function that computes logits with those arguments among these that it declares.

    Args:
        logit_fn: the function; `features` is passed to all, `mode`, `params` and `config` to those that ask.
        features: the features.
        mode: a tf.estimator.ModeKeys.
        params: hyperparameters.
        config: a RunConfig.

    Returns:
        A tensor, or a dict from names of heads to tensors.

    Raises:
        ValueError: the function returns something else.
    """
    logits = call_with(logit_fn, features=features, mode=mode, params=params, config=config)
    is_named = isinstance(logits, dict) and all(isinstance(key, str) and is_tensor_like(value)
                                                for key, value in logits.items())
    if not is_named and not is_tensor_like(logits):
        raise ValueError("logit_fn should return a Tensor or a dictionary mapping strings to Tensors, not "
                         f"{logits}")
    return logits
