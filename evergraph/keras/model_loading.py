"""tf.keras.models.load_model."""
from __future__ import annotations

from typing import Any

from evergraph.base import files, logging
from evergraph.base.export import export
from evergraph.base.text import path_to_str
from evergraph.keras import hdf5, hdf5_models, hdf5_weights, saved_model_reading, training_config
from evergraph.keras.as_json import from_json
from evergraph.keras.model_from_text import model_from_config
from evergraph.keras.objects import also


@export("keras.models.load_model")
def load_model(filepath: Any, custom_objects: dict[str, Any] | None = None, compile: bool = True) -> Any:
    """A model from what `save` wrote: here, in TensorFlow 1.13 to 2.15, or in Keras 2.2 and 2.3.

    Code is not taken from files: the function of a Lambda layer that was not given a name is found in
    `custom_objects`, or see `tf.keras.layers.Lambda`.

    Args:
        filepath: the HDF5 file, by its name or opened by h5py; or the folder of a SavedModel.
        custom_objects: additional classes and functions by name.
        compile: whether to compile the model as it was, with the state of the optimizer.

    Raises:
        ImportError: the package h5py is not installed.
        OSError: there is no such file, or it is damaged or of another format.
        ValueError: it holds no model; or a class in it is unknown.
    """
    if not hasattr(filepath, "read") and not isinstance(filepath, hdf5.h5py().Group):
        path = path_to_str(filepath)
        if files.isdir(path):
            return saved_model_reading.read(path, custom_objects, compile)
    with hdf5.reading(filepath) as file:
        found = hdf5_models.read(file)
    if found.config is None:
        raise ValueError(f"No model found in config file: {filepath} has no model_config, as a file of weights has "
                         f"none; `load_weights` reads those into a model")
    if found.weights is None:
        raise OSError(f"{filepath} is damaged: it has no model_weights")
    with also(custom_objects):
        model = model_from_config(from_json(found.config), custom_objects)
        hdf5_weights.set_in_order(found.weights, model.layers)
        if compile:
            _compile(model, found, custom_objects)
    return model


def _compile(model: Any, found: hdf5_models.StoredModel, custom_objects: dict[str, Any] | None) -> None:
    if found.training is None:
        logging.warning("The file does not say how the model is trained: it is not compiled. Compile it to train it")
        return
    model.compile(**training_config.compile_arguments(found.training, custom_objects))
    if found.optimizer is not None:
        training_config.set_optimizer_weights(model, found.optimizer)
