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
    with hdf5.reading(filepath) as file, also(custom_objects):
        return _from_hdf5(file, filepath, custom_objects, compile)


def _from_hdf5(file: Any, filepath: Any, custom_objects: dict[str, Any] | None, compile: bool) -> Any:
    config = hdf5_models.read_config(file, "model_config")
    if config is None:
        raise ValueError(f"No model found in config file: {filepath} has no model_config, as a file of weights has "
                         f"none; `load_weights` reads those into a model")
    model = model_from_config(from_json(config), custom_objects)
    if "model_weights" not in file:
        raise OSError("it has no model_weights")
    hdf5_weights.read_layers(file["model_weights"], model.layers)
    if compile:
        _compile(model, file, custom_objects)
    return model


def _compile(model: Any, file: Any, custom_objects: dict[str, Any] | None) -> None:
    config = hdf5_models.read_config(file, "training_config")
    if config is None:
        logging.warning("The file does not say how the model is trained: it is not compiled. Compile it to train it")
        return
    model.compile(**training_config.compile_arguments(config, custom_objects))
    values = hdf5_models.optimizer_weights(file)
    if values is not None:
        training_config.set_optimizer_weights(model, values)
