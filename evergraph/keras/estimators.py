"""tf.keras.estimator.model_to_estimator: an Estimator from a compiled model."""
from __future__ import annotations

from typing import Any

from evergraph.base import nest
from evergraph.base.export import export
from evergraph.estimator.estimator import Estimator
from evergraph.estimator.mode_keys import ModeKeys
from evergraph.estimator.spec import EstimatorSpec
from evergraph.graph.convert import convert_to_tensor
from evergraph.keras import layers_by_name, network, settings, training_config
from evergraph.keras.inputs import InputLayer
from evergraph.keras.model import Model
from evergraph.keras.model_loading import load_model
from evergraph.keras.objects import also
from evergraph.keras.optimizers_by_name import TFOptimizer
from evergraph.keras.sequential import Sequential
from evergraph.train.global_step import get_or_create_global_step
from evergraph.train.scaffold import Scaffold


@export("keras.estimator.model_to_estimator", "estimator.model_to_estimator")
def model_to_estimator(keras_model: Any = None, keras_model_path: Any = None,
                       custom_objects: dict[str, Any] | None = None, model_dir: Any = None, config: Any = None,
                       checkpoint_format: str = "saver") -> Estimator:
    """An Estimator that trains, evaluates and uses a copy of a compiled model, which begins with the model's weights.

    Args:
        keras_model: the model, functional or sequential with known inputs; or
        keras_model_path: the file of a model that `save` wrote.
        custom_objects: additional classes and functions by name.
        model_dir: the folder of checkpoints and summaries.
        config: a `tf.estimator.RunConfig`.
        checkpoint_format: has no effect: an Estimator's checkpoints hold variables by name.

    The input function returns features by the names of the model's inputs, or one tensor, and labels by the names of
    its outputs, or one tensor.

    Raises:
        ValueError: neither or both of the model and its path are given, or the model is not compiled.
    """
    if (keras_model is None) == (keras_model_path is None):
        raise ValueError("Give the model or the path of its file, and not both")
    if checkpoint_format not in ("saver", "checkpoint", None):
        raise ValueError(f'checkpoint_format is "saver" or "checkpoint", not {checkpoint_format!r}')
    model = keras_model if keras_model is not None else load_model(keras_model_path, custom_objects)
    if not training_config.is_compiled(model):
        raise ValueError("The model is not compiled: call its `compile` first")
    described = _Described(model, custom_objects)
    return Estimator(described.model_fn, model_dir=model_dir, config=config)


class _Described:
    """A compiled model without its graph, from which it is made in other graphs."""

    def __init__(self, model: Any, custom_objects: dict[str, Any] | None) -> None:
        self._sequential = isinstance(model, Sequential)
        self._config, self._custom_objects = model.get_config(), custom_objects
        self._input_names, self._output_names = model.input_names, model.output_names
        self._input_dtypes = [tensor.dtype for tensor in model.inputs]
        self._optimizer = model.optimizer
        self._training = {"loss": model.loss, "metrics": model._compile_metrics,
                          "weighted_metrics": model._compile_weighted_metrics, "loss_weights": model.loss_weights,
                          "sample_weight_mode": model.sample_weight_mode}
        self._weights = model.get_weights()

    def model_fn(self, features: Any, labels: Any, mode: str) -> EstimatorSpec:
        """The model function of the Estimator."""
        settings.set_learning_phase(int(mode == ModeKeys.TRAIN))
        with also(self._custom_objects):
            model = self._made(self._by_name(features, self._input_names, "features"))
        predictions = dict(zip(self._output_names, model.outputs))
        scaffold = Scaffold(init_fn=lambda _, session: self._set_weights(model, session))
        if mode == ModeKeys.PREDICT:
            return EstimatorSpec(mode, predictions=predictions, scaffold=scaffold)
        targets = list(self._by_name(labels, self._output_names, "labels").values())
        model.compile(optimizer=self._new_optimizer(), target_tensors=targets, **self._training)
        loss = model.total_loss
        if mode == ModeKeys.EVAL:
            metrics = {metric.name: (metric.result(), metric.latest) for metric in model.metrics}
            return EstimatorSpec(mode, predictions=predictions, loss=loss, eval_metric_ops=metrics, scaffold=scaffold)
        engine = model._settled_engine()
        train_op = engine._train_op((False,) * len(targets))
        return EstimatorSpec(mode, predictions=predictions, loss=loss, train_op=train_op, scaffold=scaffold)

    def _made(self, tensors: dict[str, Any]) -> Any:
        """The model in the default graph, with tensors for its inputs."""
        if self._sequential:
            layers = [layers_by_name.deserialize(entry, self._custom_objects) for entry in self._config["layers"]
                      if entry["class_name"] != "InputLayer"]
            [(name, tensor)] = tensors.items()
            return Sequential([InputLayer(input_tensor=tensor, name=name), *layers], name=self._config["name"])
        inputs, outputs = network.connected(self._config, self._custom_objects, tensors)
        return Model(inputs=inputs, outputs=outputs, name=self._config["name"])

    def _by_name(self, given: Any, names: list[str], what: str) -> dict[str, Any]:
        if isinstance(given, dict):
            missing = [name for name in names if name not in given]
            if missing:
                raise KeyError(f"The {what} of the input function are {sorted(given)}, and the model has {names}: "
                               f"there is nothing for {missing}")
            found = [given[name] for name in names]
        else:
            found = nest.flatten(given)
        if len(found) != len(names):
            raise ValueError(f"The model has {len(names)} {what}, and the input function gives {len(found)}")
        return dict(zip(names, map(convert_to_tensor, found)))

    def _new_optimizer(self) -> Any:
        """An optimizer like the model's, which counts its steps in the global step."""
        if isinstance(self._optimizer, TFOptimizer):
            return TFOptimizer(self._optimizer.optimizer, get_or_create_global_step())
        made = type(self._optimizer).from_config(self._optimizer.get_config())
        made.iterations = get_or_create_global_step()
        return made

    def _set_weights(self, model: Any, session: Any) -> None:
        for variable, value in zip(model.weights, self._weights):
            variable.load(value, session)
