"""Estimators made from estimators: with further metrics, with features passed on, with clipped gradients."""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from evergraph.base.export import export
from evergraph.estimator.calls import call_with, declared
from evergraph.estimator.estimator import Estimator
from evergraph.estimator.export.outputs import PredictOutput
from evergraph.estimator.mode_keys import ModeKeys
from evergraph.estimator.spec import EstimatorSpec
from evergraph.frontend.clip import clip_by_global_norm
from evergraph.frontend.sparse.arithmetic import sparse_tensor_to_dense
from evergraph.graph.composite import SparseTensor
from evergraph.graph.convert import convert_to_tensor
from evergraph.save.saved_model_constants import DEFAULT_SERVING_SIGNATURE_DEF_KEY
from evergraph.train.optimizer import Optimizer

_METRIC_ARGUMENTS = {"features", "predictions", "labels", "config", "self"}


@export("estimator.add_metrics", "contrib.estimator.add_metrics")
def add_metrics(estimator: Estimator, metric_fn: Callable[..., dict[str, Any]]) -> Estimator:
    """An Estimator like another one, with further metrics.

    >>> def metric_fn(labels, predictions):
    ...     return {"auc": tf.metrics.auc(labels, predictions["logistic"])}
    >>> estimator = tf.estimator.add_metrics(estimator, metric_fn)

    Args:
        estimator: the Estimator.
        metric_fn: gives name -> (value, update_op). It is called with those of `features`, `predictions`, `labels` and
            `config` that it declares. A metric of the same name takes the place of the other one.

    Raises:
        ValueError: `metric_fn` declares other arguments.
    """
    unknown = set(declared(metric_fn)) - _METRIC_ARGUMENTS
    if unknown:
        raise ValueError(f"metric_fn {metric_fn} takes arguments that nobody passes: {sorted(unknown)}")

    def new_model_fn(features: Any, labels: Any, mode: str, config: Any) -> EstimatorSpec:
        spec = estimator.model_fn(features, labels, mode, config)
        if mode != ModeKeys.EVAL:
            return spec
        added = call_with(metric_fn, features=features, labels=labels, predictions=spec.predictions, config=config)
        return spec._replace(eval_metric_ops={**spec.eval_metric_ops, **added})

    return _like(estimator, new_model_fn)


def _like(estimator: Estimator, model_fn: Callable[..., EstimatorSpec]) -> Estimator:
    """An Estimator with another model function in the same directory."""
    return Estimator(model_fn, model_dir=estimator.model_dir, config=estimator.config,
                     warm_start_from=estimator._warm_start_settings)


@export("contrib.estimator.forward_features")
def forward_features(estimator: Estimator, keys: str | Sequence[str] | None = None,
                     sparse_default_values: Mapping[str, Any] | None = None) -> Estimator:
    """An Estimator like another one, whose predictions have some of the features too.

    Args:
        estimator: the Estimator, whose predictions are a dict.
        keys: the key or keys of the features; by default all.
        sparse_default_values: key of each sparse feature -> what its missing values become.

    Raises:
        ValueError: a prediction has the name of such a feature, there is no such feature, a sparse one has no default,
            or the predictions are no dict.
        TypeError: a key is no string.
    """
    wanted = [keys] if isinstance(keys, str) else keys
    if wanted is not None and not isinstance(wanted, (list, tuple)):
        raise TypeError(f"keys should be either a string or several in a list, not {type(keys)}")
    for key in wanted or ():
        if not isinstance(key, str):
            raise TypeError(f"each of keys should be a string, not {key!r}")

    def new_model_fn(features: Any, labels: Any, mode: str, config: Any) -> EstimatorSpec:
        forwarded = _forwarded(features, wanted, sparse_default_values or {})
        spec = estimator.model_fn(features, labels, mode, config)
        if not isinstance(spec.predictions, dict):
            raise ValueError(f"Predictions should be a dict, to which forward_features adds; got {spec.predictions}")
        same = sorted(set(forwarded) & set(spec.predictions))
        if same:
            raise ValueError(f"Cannot forward feature key {same[0]!r}: the predictions have it already")
        predictions = {**spec.predictions, **forwarded}
        return spec._replace(predictions=predictions, export_outputs=_exported(spec.export_outputs, forwarded))

    return _like(estimator, new_model_fn)


def _forwarded(features: Any, keys: Sequence[str] | None, defaults: Mapping[str, Any]) -> dict[str, Any]:
    """The features to pass on, as tensors."""
    found = {}
    for key in (keys or list(features)):
        if key not in features:
            raise ValueError(f"keys should be exist in features. Key {key!r} was not found in {sorted(features)}")
        found[key] = _dense(key, features[key], defaults)
    return found


def _dense(key: str, value: Any, defaults: Mapping[str, Any]) -> Any:
    """A feature as a tensor."""
    if isinstance(value, SparseTensor):
        if key not in defaults:
            raise ValueError(f"Feature {key} should be a Tensor. A SparseTensor becomes one with a value for it in "
                             "sparse_default_values.")
        return sparse_tensor_to_dense(value, default_value=defaults[key])
    if key in defaults:
        raise ValueError(f"Feature {key} is expected to be a `SparseTensor`.")
    return convert_to_tensor(value)


def _exported(outputs: Any, forwarded: dict[str, Any]) -> Any:
    """Outputs whose predictions have the features too."""
    if not isinstance(outputs, dict):
        return outputs
    names = [DEFAULT_SERVING_SIGNATURE_DEF_KEY, "predict"]
    return {name: PredictOutput({**output.outputs, **forwarded})
            if name in names and isinstance(output, PredictOutput) else output for name, output in outputs.items()}


@export("contrib.estimator.clip_gradients_by_norm")
def clip_gradients_by_norm(optimizer: Any, clip_norm: float) -> Any:
    """An optimizer like another one that clips gradients to a global norm before it applies them.

    Args:
        optimizer: a tf.train.Optimizer.
        clip_norm: the norm.
    """

    def clip(gradients: Sequence[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
        clipped, _ = clip_by_global_norm([gradient for gradient, _ in gradients], clip_norm)
        return list(zip(clipped, [variable for _, variable in gradients]))

    return TransformGradients(optimizer, clip, f"ClipByNorm{optimizer.get_name()}")


class TransformGradients(Optimizer):
    """An optimizer that gives the gradients to a function before another optimizer applies them."""

    def __init__(self, optimizer: Any, transform: Callable[..., Any], name: str) -> None:
        super().__init__(use_locking=False, name=name)
        self._optimizer, self._transform = optimizer, transform

    def compute_gradients(self, *args: Any, **kwargs: Any) -> Any:
        """The gradients, as the other optimizer computes them."""
        return self._optimizer.compute_gradients(*args, **kwargs)

    def apply_gradients(self, grads_and_vars: Any, global_step: Any = None, name: str | None = None) -> Any:
        """Applies what the function makes of the gradients."""
        return self._optimizer.apply_gradients(self._transform(list(grads_and_vars)), global_step, name)

    def get_slot(self, *args: Any, **kwargs: Any) -> Any:
        """A slot of the other optimizer."""
        return self._optimizer.get_slot(*args, **kwargs)

    def get_slot_names(self, *args: Any, **kwargs: Any) -> Any:
        """The names of the other optimizer's slots."""
        return self._optimizer.get_slot_names(*args, **kwargs)
