"""The weights of layers in HDF5: a group for each layer, with a dataset for each variable."""
from __future__ import annotations

from typing import Any

import numpy as np

from evergraph.keras import hdf5, session
from evergraph.keras.recurrent_weights import converted
from evergraph.keras.version import VERSION


def weights_of(layer: Any) -> list[Any]:
    """The variables of a layer in the order of files: those that are trained first."""
    return [*layer.trainable_weights, *layer.non_trainable_weights]


# ---- writing

def write_layers(group: Any, layers: list[Any]) -> None:
    """Writes the weights of layers.

    Raises:
        RuntimeError: a name is too long for HDF5.
    """
    hdf5.write_names(group, "layer_names", [layer.name for layer in layers])
    group.attrs["backend"], group.attrs["keras_version"] = b"tensorflow", VERSION.encode()
    for layer in layers:
        write_variables(group.create_group(layer.name), weights_of(layer))


def write_variables(group: Any, variables: list[Any]) -> None:
    """Writes the values of variables by their names, and the names in their order."""
    names = [variable.name for variable in variables]
    hdf5.write_names(group, "weight_names", names)
    for name, value in zip(names, session.batch_get_value(variables)):
        array = np.asarray(value)
        group.create_dataset(name, data=array, dtype=array.dtype)


# ---- reading

Stored = list[tuple[str, list[Any]]]
"""The names of layers in a file, with the values of their variables."""


def stored(group: Any) -> Stored:
    """What `write_layers` wrote.

    Raises:
        OSError: the group lacks a layer that it names.
        ValueError: it holds no layers.
    """
    names = hdf5.read_names(group, "layer_names")
    if not names and "layer_names" not in group.attrs:
        raise ValueError("The HDF5 file holds no weights of Keras layers: it has no layer_names")
    missing = [name for name in names if name not in group]
    if missing:
        raise OSError(f"the file names the layers {missing} and does not hold them")
    return [(name, read_arrays(group[name])) for name in names]


def read_arrays(group: Any) -> list[Any]:
    """The values that `write_variables` wrote."""
    return [np.asarray(group[name]) for name in hdf5.read_names(group, "weight_names")]


def set_in_order(found: Stored, layers: list[Any]) -> None:
    """Sets the weights of layers from those of a file, in the order of the layers that have any.

    Raises:
        ValueError: the file has other layers, or a layer other weights.
    """
    own = [layer for layer in layers if weights_of(layer)]
    entries = [(name, arrays) for name, arrays in found if arrays]
    if len(entries) != len(own):
        names = ", ".join(name for name, _ in entries)
        raise ValueError(f"The weight file has {len(entries)} layers with weights ({names}), and the model {len(own)} "
                         f"({', '.join(layer.name for layer in own)})")
    _set([(place, layer, arrays) for place, ((_, arrays), layer) in enumerate(zip(entries, own))])


def set_by_name(found: Stored, layers: list[Any]) -> None:
    """Sets the weights of those layers that the file has by their names; other layers keep theirs.

    Raises:
        ValueError: a layer has other weights in the file.
    """
    _set([(place, layer, arrays) for place, (name, arrays) in enumerate(found) for layer in layers
          if layer.name == name])


def read_layers(group: Any, layers: list[Any]) -> None:
    """Sets the weights of layers from a file in their order: TensorFlow's `load_weights_from_hdf5_group`."""
    set_in_order(stored(group), layers)


def read_layers_by_name(group: Any, layers: list[Any]) -> None:
    """Sets the weights of layers from a file by their names."""
    set_by_name(stored(group), layers)


def _set(entries: list[tuple[int, Any, list[Any]]]) -> None:
    """Sets the weights of layers, which have a place in the file."""
    pairs = []
    for place, layer, arrays in entries:
        variables, values = weights_of(layer), converted(layer, arrays)
        if len(values) != len(variables):
            raise ValueError(f'Layer #{place} (named "{layer.name}" in the current model) expects {len(variables)} '
                             f"weight(s), but the saved weights have {len(values)} element(s).")
        for variable, value in zip(variables, values):
            if tuple(variable.shape.as_list()) != value.shape:
                raise ValueError(f'Layer #{place} (named "{layer.name}"), weight {variable} has shape '
                                 f"{tuple(variable.shape.as_list())}, but the saved weight has shape {value.shape}.")
        pairs += list(zip(variables, values))
    session.batch_set_value(pairs)
