"""Whole models in HDF5: the configuration, the weights, how the model is trained, and the optimizer's state."""
from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from evergraph.base import logging
from evergraph.keras import hdf5, hdf5_weights, model_text, training_config
from evergraph.keras.as_json import as_json


def write(model: Any, filepath: Any, overwrite: bool, include_optimizer: bool) -> None:
    """Writes a model; see `tf.keras.models.save_model`.

    Raises:
        ValueError: the variables are not created yet.
    """
    if not hdf5.may_write(filepath, overwrite):
        return
    with hdf5.writing(filepath) as file:
        described = model_text.described(model)
        file.attrs["keras_version"], file.attrs["backend"] = (
            described.pop(key).encode() for key in ("keras_version", "backend"))
        file.attrs["model_config"] = json.dumps(described, default=as_json).encode()
        hdf5_weights.write_layers(file.create_group("model_weights"), model.layers)
        if include_optimizer and training_config.is_compiled(model):
            _write_training(file, model)


def _write_training(file: Any, model: Any) -> None:
    if not training_config.has_configured_optimizer(model):
        logging.warning("The optimizer of a model is saved if it is one of tf.keras.optimizers. This model has one of "
                        "tf.train, so that it has to be compiled again after it is loaded")
        return
    file.attrs["training_config"] = json.dumps(training_config.described(model), default=as_json).encode()
    weights = getattr(model.optimizer, "weights", ())
    if weights:
        hdf5_weights.write_variables(file.create_group("optimizer_weights"), weights)


@dataclass
class StoredModel:
    """What a file says of a model; None for what it does not say."""

    config: Any
    weights: hdf5_weights.Stored | None
    training: Any
    optimizer: list[Any] | None


def read(file: Any) -> StoredModel:
    """What `write` wrote.

    Raises:
        OSError: it is damaged.
    """
    part = lambda name, read: read(file[name]) if name in file else None
    return StoredModel(_json(file, "model_config"), part("model_weights", hdf5_weights.stored),
                       _json(file, "training_config"), part("optimizer_weights", hdf5_weights.read_arrays))


def _json(file: Any, name: str) -> Any:
    text = hdf5.read_text(file, name)
    try:
        return None if text is None else json.loads(text)
    except json.JSONDecodeError as error:
        raise OSError(f"the {name} of the file is damaged: {error}") from error
