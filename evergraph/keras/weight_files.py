"""tf.keras.Model.save_weights and load_weights: HDF5 files and checkpoints."""
from __future__ import annotations

import os
from typing import Any

from evergraph.base import errors, files
from evergraph.base.text import path_to_str
from evergraph.frontend.variables.base import Variable
from evergraph.graph.graph import default_graph
from evergraph.keras import hdf5, hdf5_weights, session
from evergraph.ops.state.checkpoints import open_checkpoint
from evergraph.save import state
from evergraph.save.checkpoint import Checkpoint, CheckpointLoadStatus
from evergraph.save.tracking import children_of

_FORMATS = {"tensorflow": "tf", "tf": "tf", "hdf5": "h5", "h5": "h5", "keras": "h5"}


def format_of(path: Any, save_format: str | None, default: str = "tf") -> str:
    """The format of a file: "h5" or "tf", as asked for or by the ending of its name.

    Raises:
        ValueError: there is no such format.
    """
    named = not isinstance(path, (str, os.PathLike)) or str(path).endswith((".h5", ".keras", ".hdf5"))
    if save_format is None:
        return "h5" if named else default
    found = _FORMATS.get(save_format.lower().strip())
    if found is None:
        raise ValueError(f'Unknown format "{save_format}". A model is saved as "tf" or "h5"')
    return found


def save(model: Any, filepath: Any, overwrite: bool, save_format: str | None) -> None:
    """Saves a model's weights; see `tf.keras.Model.save_weights`.

    Raises:
        ValueError: the variables are not created yet; or a checkpoint has a name that says HDF5.
    """
    model._check_weights()
    kind = format_of(filepath, save_format)
    if kind == "tf" and format_of(filepath, None) == "h5":
        raise ValueError(f'save_weights with save_format="tf" got {filepath}, whose name says that it is an HDF5 file: '
                         f'choose another one, or save_format="h5"')
    target = filepath if kind == "h5" else f"{path_to_str(filepath)}.index"
    if not hdf5.may_write(target, overwrite):
        return
    if kind == "h5":
        with hdf5.writing(filepath) as file:
            hdf5_weights.write_layers(file, model.layers)
    else:
        _write_checkpoint(model, path_to_str(filepath))


def load(model: Any, filepath: Any, by_name: bool) -> Any:
    """Sets a model's weights; see `tf.keras.Model.load_weights`.

    Raises:
        NotImplementedError: the weights of a checkpoint are asked for by name.
        OSError: there is no such HDF5 file, or it is damaged.
        NotFoundError: there is no such checkpoint.
        ValueError: the file has other weights.
    """
    if not _is_hdf5(filepath):
        path = path_to_str(filepath)
        if files.exists(f"{path}.index"):
            return _read_checkpoint(model, path, by_name)
        if not files.exists(path):
            raise errors.NotFoundError(None, None, f"there is neither a checkpoint {path} nor such a file")
    with hdf5.reading(filepath) as file:
        found = hdf5_weights.stored(
            file if "layer_names" in file.attrs or "model_weights" not in file else file["model_weights"])
    model._check_weights()
    (hdf5_weights.set_by_name if by_name else hdf5_weights.set_in_order)(found, model.layers)
    return None


def _is_hdf5(path: Any) -> bool:
    return not isinstance(path, (str, os.PathLike)) or format_of(path, None) == "h5"


# ---- checkpoints

class _Weights(Checkpoint):
    """A checkpoint whose root is a model, and not a dictionary of objects."""

    def __init__(self, model: Any) -> None:
        super().__init__()
        self._model = model

    def _checkpoint_children(self) -> dict[str, Any]:
        return children_of(self._model)


def _checkpoint_of(model: Any) -> _Weights:
    """The checkpoint of a model, which keeps the nodes that save it."""
    if model._weights_checkpoint is None:
        model._weights_checkpoint = _Weights(model)
    return model._weights_checkpoint


def _write_checkpoint(model: Any, prefix: str) -> None:
    folder = os.path.dirname(prefix)
    if folder:
        files.makedirs(folder)
    used = None if default_graph().is_eager else session.get_session()
    written = _checkpoint_of(model).write(prefix, used)
    state.write_state(folder or ".", written, [written], relative=True)


def _read_checkpoint(model: Any, path: str, by_name: bool) -> Any:
    if by_name:
        raise NotImplementedError("The layers of a checkpoint cannot be loaded by name (by_name=True): save the "
                                  "weights as HDF5, with a name that ends with .h5")
    status = _checkpoint_of(model).read(path)
    if not isinstance(status, CheckpointLoadStatus):
        raise errors.InvalidArgumentError(
            None, None, f"{path} holds variables by name and no objects: load it with tf.train.Saver")
    status.assert_nontrivial_match()
    if default_graph().is_eager:
        status.restore_at_once()
        return status
    values = _Values(status, path)
    session.when_initialized(values.set_new)
    return status


class _Values:
    """The values of a checkpoint, each of which is set once its variable exists."""

    def __init__(self, status: CheckpointLoadStatus, path: str) -> None:
        self._status, self._path = status, path
        self._done: set[tuple[Any, str]] = set()

    def set_new(self) -> bool:
        """Sets the variables that exist and are not set yet; returns whether the checkpoint has more."""
        matches = self._status._matches()
        pairs = [(target, key) for target, key in matches.restorable()
                 if isinstance(target, Variable) and (target, key) not in self._done]
        reader = open_checkpoint(self._path)
        values = [(variable, reader.read(key)) for variable, key in pairs]
        for variable, value in values:
            if not variable.shape.is_compatible_with(value.shape):
                raise ValueError(f"{variable.name} has shape {variable.shape}, and {value.shape} in {self._path}")
        session.batch_set_value(values)
        self._done.update(pairs)
        if any(not isinstance(target, Variable) for target, _ in matches.restorable()):
            self._status.run_restore_ops(session.get_session())
        return bool(matches.not_in_program())
