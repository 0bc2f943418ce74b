"""tf.keras.models.save_model."""
from __future__ import annotations

from typing import Any

from evergraph.base.export import export
from evergraph.keras import hdf5_models, saved_model_writing, weight_files
from evergraph.keras.network import is_functional


@export("keras.models.save_model")
def save_model(model: Any, filepath: Any, overwrite: bool = True, include_optimizer: bool = True,
               save_format: str | None = None, signatures: Any = None) -> None:
    """Saves a model: how its layers are connected, their weights, how it is trained, and the state of the optimizer.

    A file that exists is replaced when the new one is complete.

    Args:
        model: the model.
        filepath: the HDF5 file, by its name or opened by h5py; or the folder of a SavedModel.
        overwrite: False asks before it replaces a file.
        include_optimizer: whether to save how the model is trained, with the optimizer's state.
        save_format: "h5", the default, for an HDF5 file; "tf" for a SavedModel.
        signatures: the signatures of a SavedModel.

    Raises:
        ImportError: the package h5py is not installed.
        NotImplementedError: a subclassed model cannot be saved to HDF5.
        ValueError: the variables of the model are not created yet.
    """
    if weight_files.format_of(filepath, save_format, default="h5") == "tf":
        saved_model_writing.write(model, filepath, overwrite, include_optimizer, signatures)
        return
    if not is_functional(model) and not hasattr(model, "_stack"):
        raise NotImplementedError(
            f"{type(model).__name__} is a subclassed model, whose layers HDF5 cannot describe. Save it with "
            f'save_format="tf", or its weights with `save_weights`')
    model._check_weights()
    hdf5_models.write(model, filepath, overwrite, include_optimizer)
