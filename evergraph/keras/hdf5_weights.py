"""The weights of layers in HDF5: a group for each layer, with a dataset for each variable."""
from __future__ import annotations

from collections import defaultdict
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

def read_layers(group: Any, layers: list[Any]) -> None:
    """Sets the weights of layers from a file, in the order of the layers that have any.

    Raises:
        ValueError: the file has other layers, or a layer other weights.
    """
    own = [layer for layer in layers if weights_of(layer)]
    names = [name for name in _layer_names(group) if hdf5.read_names(group[name], "weight_names")]
    if len(names) != len(own):
        raise ValueError(f"The weight file has {len(names)} layers with weights ({', '.join(names)}), and the model "
                         f"{len(own)} ({', '.join(layer.name for layer in own)})")
    found = []
    for place, (name, layer) in enumerate(zip(names, own)):
        variables, values = weights_of(layer), converted(layer, read_arrays(group[name]))
        if len(values) != len(variables):
            raise ValueError(f'Layer #{place} (named "{layer.name}" in the current model) has {len(variables)} '
                             f"weights, and the layer {name} of the file {len(values)}")
        _check_shapes(place, layer, variables, values)
        found += list(zip(variables, values))
    session.batch_set_value(found)


def read_layers_by_name(group: Any, layers: list[Any]) -> None:
    """Sets the weights of those layers that the file has by their names; other layers keep theirs.

    Raises:
        ValueError: a layer has other weights in the file.
    """
    by_name = defaultdict(list)
    for layer in layers:
        by_name[layer.name].append(layer)
    found = []
    for place, name in enumerate(_layer_names(group)):
        arrays = read_arrays(group[name])
        for layer in by_name[name]:
            variables, values = weights_of(layer), converted(layer, arrays)
            if len(values) != len(variables):
                raise ValueError(f'Layer #{place} (named "{layer.name}") expects {len(variables)} weight(s), but the '
                                 f"saved weights have {len(values)} element(s).")
            _check_shapes(place, layer, variables, values)
            found += list(zip(variables, values))
    session.batch_set_value(found)


def _layer_names(group: Any) -> list[str]:
    names = hdf5.read_names(group, "layer_names")
    if not names and "layer_names" not in group.attrs:
        raise ValueError("The HDF5 file holds no weights of Keras layers: it has no layer_names")
    missing = [name for name in names if name not in group]
    if missing:
        raise OSError(f"the file names the layers {missing} and does not hold them")
    return names


def read_arrays(group: Any) -> list[Any]:
    """The values that `write_variables` wrote."""
    return [np.asarray(group[name]) for name in hdf5.read_names(group, "weight_names")]


def _check_shapes(place: int, layer: Any, variables: list[Any], values: list[Any]) -> None:
    for variable, value in zip(variables, values):
        shape = tuple(variable.shape.as_list())
        if shape != value.shape:
            raise ValueError(f'Layer #{place} (named "{layer.name}"), weight {variable} has shape {shape}, but the '
                             f"saved weight has shape {value.shape}.")
