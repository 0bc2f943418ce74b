"""tf.keras.experimental.export_saved_model and load_from_saved_model: SavedModels with a configuration as JSON."""
from __future__ import annotations

import os
from typing import Any

import numpy as np

from evergraph.base import files, nest
from evergraph.base.export import export
from evergraph.base.text import path_to_str
from evergraph.formats.replace import replace_file
from evergraph.keras import model_text, saved_model_writing
from evergraph.keras.model_from_text import model_from_json
from evergraph.keras.network import is_functional
from evergraph.keras.objects import also
from evergraph.save import saved_model_constants as constants
from evergraph.save.saved_model_loader import parse_saved_model

_CONFIGURATION = "saved_model.json"


@export("keras.experimental.export_saved_model")
def export_saved_model(model: Any, saved_model_path: Any, custom_objects: dict[str, Any] | None = None,
                       as_text: bool = False, input_signature: Any = None, serving_only: bool = False) -> None:
    """Exports a model as a SavedModel that servers read, with its weights, and its configuration as JSON.

    Args:
        model: a functional or sequential model; or a subclassed one with `serving_only`.
        saved_model_path: the folder.
        custom_objects: additional classes and functions by name.
        as_text: whether the graph is written as text.
        input_signature: specs of the inputs of a model whose inputs are not known yet.
        serving_only: has no effect for a model that has a configuration: its graph for serving is written, never
            those for training and evaluation. Compile what `load_from_saved_model` returns.

    Raises:
        NotImplementedError: a subclassed model has no configuration.
        ValueError: the variables of the model are not created yet.
    """
    folder = path_to_str(saved_model_path)
    if not model.built and hasattr(model, "_stack"):
        raise ValueError("Weights for sequential model have not yet been created: give the first layer an input_shape, "
                         "or call the model or its `build`")
    if not is_functional(model) and not hasattr(model, "_stack") and not serving_only:
        raise NotImplementedError(f"{type(model).__name__} is a subclassed model, which has no configuration: "
                                  f"export it with serving_only=True")
    if input_signature is not None and not model.inputs:
        model._know_inputs(nest.map_structure(_example, input_signature))
    with also(custom_objects):
        saved_model_writing.write(model, folder, True, True, None)
        if not serving_only:
            assets = os.path.join(folder, constants.ASSETS_DIRECTORY)
            files.makedirs(assets)
            replace_file(os.path.join(assets, _CONFIGURATION), model_text.to_json(model).encode())
    if as_text:
        _rewrite_as_text(folder)


def _example(spec: Any) -> Any:
    """An array of a spec's shape, with one example."""
    return np.empty([size or 1 for size in spec.shape.as_list()], spec.dtype.as_numpy_dtype)


def _rewrite_as_text(folder: str) -> None:
    message = parse_saved_model(folder)
    replace_file(os.path.join(folder, constants.SAVED_MODEL_FILENAME_PBTXT), str(message).encode())
    files.remove(os.path.join(folder, constants.SAVED_MODEL_FILENAME_PB))


@export("keras.experimental.load_from_saved_model")
def load_from_saved_model(saved_model_path: Any, custom_objects: dict[str, Any] | None = None) -> Any:
    """The model that `export_saved_model` wrote, with its weights, and not compiled.

    Args:
        saved_model_path: the folder.
        custom_objects: additional classes and functions by name.

    Raises:
        NotFoundError: there is no such model.
    """
    folder = path_to_str(saved_model_path)
    text = files.read_file(os.path.join(folder, constants.ASSETS_DIRECTORY, _CONFIGURATION)).decode()
    model = model_from_json(text, custom_objects)
    model.load_weights(os.path.join(folder, constants.VARIABLES_DIRECTORY, constants.VARIABLES_FILENAME))
    return model
