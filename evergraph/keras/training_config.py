"""How a model is trained, as files of models hold it: the optimizer, the loss, the metrics and their weights."""
from __future__ import annotations

from typing import Any

from evergraph.base import logging
from evergraph.graph.graph import default_graph
from evergraph.keras import losses_by_name, metrics_by_name, optimizers_by_name
from evergraph.keras.layer import described as described_value
from evergraph.keras.optimizer import Optimizer


def is_compiled(model: Any) -> bool:
    """Whether `compile` was called."""
    return getattr(model, "optimizer", None) is not None


def has_configured_optimizer(model: Any) -> bool:
    """Whether the optimizer is one of tf.keras, which a configuration describes."""
    return isinstance(model.optimizer, Optimizer) and not isinstance(model.optimizer, optimizers_by_name.TFOptimizer)


def described(model: Any) -> dict[str, Any]:
    """What a compiled model was compiled with."""
    optimizer = {"class_name": type(model.optimizer).__name__, "config": model.optimizer.get_config()}
    return {"loss": _mapped(described_value, model.loss), "metrics": _mapped(described_value, model._compile_metrics),
            "weighted_metrics": _mapped(described_value, model._compile_weighted_metrics),
            "sample_weight_mode": model.sample_weight_mode, "loss_weights": model.loss_weights,
            "optimizer_config": optimizer}


def _mapped(convert: Any, value: Any) -> Any:
    """A structure of losses or metrics, with each one converted."""
    if isinstance(value, (list, tuple)):
        return [_mapped(convert, item) for item in value]
    if isinstance(value, dict) and "class_name" not in value:
        return {key: _mapped(convert, item) for key, item in value.items()}
    return convert(value)


def compile_arguments(config: dict[str, Any], custom_objects: dict[str, Any] | None = None) -> dict[str, Any]:
    """The arguments of `compile`, from a training configuration."""
    own = custom_objects or {}
    optimizer = optimizers_by_name.deserialize(config["optimizer_config"], custom_objects)

    def made(key: str, deserialize: Any) -> Any:
        return _mapped(lambda item: deserialize(item, custom_objects) if isinstance(item, dict) else
                       own.get(item, item) if isinstance(item, str) else item, config.get(key))
    return {"optimizer": optimizer, "loss": made("loss", losses_by_name.deserialize),
            "metrics": made("metrics", metrics_by_name.deserialize),
            "weighted_metrics": made("weighted_metrics", metrics_by_name.deserialize),
            "loss_weights": config.get("loss_weights"), "sample_weight_mode": config.get("sample_weight_mode")}


def set_optimizer_weights(model: Any, values: list[Any]) -> None:
    """Sets the optimizer's state, whose variables are created for the model's."""
    if default_graph().is_eager:
        model.optimizer.create_weights(model.trainable_weights)
    else:
        model._make_train_function()
    try:
        model.optimizer.set_weights(values)
    except ValueError as error:
        logging.warning(f"The optimizer of the loaded model starts anew: its saved state does not fit ({error})")
