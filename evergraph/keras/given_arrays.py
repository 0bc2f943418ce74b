"""Checks and orders the arrays that programs give to `fit`, `evaluate` and `predict`."""
from __future__ import annotations

from typing import Any

import numpy as np

from evergraph.base import dtypes
from evergraph.graph.node import Tensor
from evergraph.keras import settings
from evergraph.keras.compilation import Output, name_of_loss

_SAME_SHAPE = ("mean_squared_error", "binary_crossentropy", "categorical_crossentropy")


def in_order(data: Any, names: list[str], shapes: list[Any], what: str) -> list[Any]:
    """Arrays in the order of the names of inputs or outputs, with the ranks of their shapes.

    Args:
        data: an array, a list or a dict of arrays, or None.
        names: the names.
        shapes: the expected shapes, None where anything goes.
        what: "input" or "target", for messages.

    Raises:
        ValueError: there are other names, another number of arrays, or other shapes.
        TypeError: it is no array.
    """
    if not names:
        if data is not None and len(data) and not isinstance(data, dict):
            raise ValueError(f"Error when checking model {what}: expected no data, but got: {data}")
        return []
    if data is None:
        return [None] * len(names)
    found = [as_array(each) for each in _listed(data, names, what)]
    if len(found) != len(names):
        raise ValueError(f"Error when checking model {what}: the model wants {len(names)} array(s), got {len(found)}, "
                         f"of shapes {[np.shape(each) for each in found]}")
    found = [_with_rank(each, shape) for each, shape in zip(found, shapes)]
    for each, name, shape in zip(found, names, shapes):
        _check_shape(each, name, shape, what)
    return found


def _listed(data: Any, names: list[str], what: str) -> list[Any]:
    if isinstance(data, dict):
        missing = [name for name in names if name not in data]
        if missing:
            raise ValueError(f"No data provided for {missing}. Need data for each key in: {names}")
        return [data[name] for name in names]
    if not isinstance(data, (list, tuple)):
        return [data]
    if len(names) == 1 and (not data or not hasattr(data[0], "shape")):
        if len(data) == 1 and isinstance(data[0], (list, tuple)) is False and not np.isscalar(data[0]):
            raise TypeError(f"Error when checking model {what}: wanted an array, or a list or dict of arrays; got "
                            f"{str(data)[:200]}")
        return [np.asarray(data)]
    if any(not hasattr(each, "shape") for each in data) and len(data) != len(names):
        raise ValueError(f"Error when checking model {what}: wanted a list of {len(names)} arrays, got one of "
                         f"{len(data)} with other things: {str(data)[:200]}")
    return list(data)


def without_lists(data: Any) -> Any:
    """Data whose lists of numbers are arrays: `[1, 0]` is one, `[[1, 0], [2, 3]]` two, as it is one for each name."""
    if isinstance(data, dict):
        return {name: as_array(each) if isinstance(each, list) else each for name, each in data.items()}
    if not isinstance(data, (list, tuple)) or not data:
        return data
    return np.asarray(data) if isinstance(data[0], (bool, int, float)) else [
        as_array(each) if isinstance(each, (list, tuple)) else each for each in data]


def as_array(value: Any) -> Any:
    """Data frames and series as arrays; others as they are, lists as arrays."""
    is_of_pandas = type(value).__module__.partition(".")[0] == "pandas"  # "pandas.core.series", later "pandas"
    if value is None or hasattr(value, "shape") and not is_of_pandas:
        return value
    return np.asarray(value)


def _with_rank(value: Any, shape: Any) -> Any:
    """Vectors get a last axis of size 1, unless a vector is expected."""
    return value if value is None or shape is not None and len(shape) == 1 else as_matrix(value)


def as_matrix(value: Any) -> Any:
    """A vector with a last axis of size 1; others as they are."""
    return np.expand_dims(value, -1) if isinstance(value, np.ndarray) and value.ndim == 1 else value


def _check_shape(value: Any, name: str, shape: Any, what: str) -> None:
    if value is None or shape is None:
        return
    got = tuple(value.shape.as_list() if hasattr(value.shape, "as_list") else value.shape)
    if len(got) != len(shape):
        raise ValueError(f"Error when checking {what}: expected {name} to have {len(shape)} dimensions, but got array "
                         f"with shape {got}")
    if any(want is not None and have is not None and want != have for want, have in zip(shape[1:], got[1:])):
        raise ValueError(f"Error when checking {what}: expected {name} to have shape {tuple(shape[1:])} but got array "
                         f"with shape {got[1:]}")


def in_dtype(value: Any, dtype: Any) -> Any:
    """Floating point arrays in the dtype of the input; others as they are, the feed converts them."""
    if isinstance(value, np.ndarray) and value.dtype.kind == "f":
        wanted = dtypes.as_dtype(dtype or settings.floatx()).as_numpy_dtype
        return value if value.dtype == wanted else value.astype(wanted)
    return value


# ---- labels

def target_shapes(outputs: list[Output]) -> list[Any]:
    """The shapes of labels: those of the outputs, but class indices have a last axis of size 1; None for any."""
    shapes = []
    for output in outputs:
        if output.has_sparse_labels:
            shapes.append(None if output.shape is None else [*output.shape[:-1], 1])
        elif name_of_loss(output.loss) in _KNOWN_LOSSES:
            shapes.append(output.shape)
        else:
            shapes.append(None)
    return shapes


_KNOWN_LOSSES = {*_SAME_SHAPE, "mean_absolute_error", "mean_absolute_percentage_error",
                 "mean_squared_logarithmic_error", "squared_hinge", "hinge", "categorical_hinge", "logcosh",
                 "kullback_leibler_divergence", "poisson", "cosine_proximity"}


def check_targets(targets: list[Any], outputs: list[Output]) -> None:
    """Raises ValueError for labels that the loss cannot take."""
    for target, output in zip(targets, outputs):
        loss = name_of_loss(output.loss)
        if target is None or isinstance(target, Tensor) or output.shape is None:
            continue
        if loss == "categorical_crossentropy" and target.shape[-1] == 1:
            raise ValueError(f"Labels of shape {target.shape} for the loss `categorical_crossentropy`, which wants "
                             f"one-hot labels of shape (samples, classes). For class indices, use the loss "
                             f"`sparse_categorical_crossentropy`.")
        wanted = output.shape[1:]
        if loss in _SAME_SHAPE and any(want is not None and want != got for want, got in zip(wanted, target.shape[1:])):
            raise ValueError(f"Labels of shape {target.shape} for an output of shape {tuple(output.shape)}: the loss "
                             f"`{loss}` wants one shape for both.")


# ---- weights of examples

def by_output(given: Any, names: list[str], what: str) -> list[Any]:
    """Weights of examples or classes in the order of outputs.

    Raises:
        ValueError: there is another number of them.
        TypeError: with several outputs, they are neither a list nor a dict.
    """
    if given is None or isinstance(given, (list, dict)) and not given:
        return [None] * len(names)
    if len(names) == 1:
        if isinstance(given, list) and len(given) == 1:
            return given
        return [given[names[0]]] if isinstance(given, dict) and names[0] in given else [given]
    if isinstance(given, (list, tuple)):
        if len(given) != len(names):
            raise ValueError(f"Provided `{what}` was a list of {len(given)} elements, but the model has {len(names)} "
                             f"outputs. You should provide one `{what}` array per model output.")
        return list(given)
    if isinstance(given, dict):
        return [given.get(name) for name in names]
    raise TypeError(f"`{what}` for several outputs is a list or a dict, with an entry for each output; got {given}")


def weights_of_examples(target: Any, given: Any, classes: Any, mode: Any) -> Any:
    """The weights of the examples of an output: those given, times those of their classes; None for none.

    Raises:
        ValueError: a shape does not fit the labels, or a class has no weight.
    """
    if mode not in (None, "temporal"):
        raise ValueError(f'"sample_weight_mode should be None or "temporal". Found: {mode}')
    if given is not None and not isinstance(given, Tensor):
        given = np.asarray(given)
        _check_weights(given, target, mode)
    if not classes:
        return given
    found = _class_weights(target, classes)
    return found if given is None else given * found


def _check_weights(given: Any, target: Any, mode: Any) -> None:
    if mode == "temporal":
        if target is not None and len(target.shape) < 3:
            raise ValueError(f'Weights of time steps (sample_weight_mode="temporal") are for labels with three '
                             f"dimensions or more, the second of which is time; got the shape {target.shape}")
        if given.ndim != 2:
            raise ValueError(f"Weights of time steps are a matrix (samples, steps); got a sample_weight of shape "
                             f"{given.shape}")
    elif given.ndim != 1:
        raise ValueError(f"Weights of examples are a vector; got a sample_weight of shape {given.shape}. For weights "
                         f'of time steps, compile the model with sample_weight_mode="temporal"; it has {mode!r}')
    if target is not None and given.shape[0] != target.shape[0]:
        raise ValueError(f"Found a sample_weight array with {given.shape[0]} samples, for {target.shape[0]} labels")
    if target is not None and given.ndim > 1 and given.shape != tuple(target.shape[:given.ndim]):
        raise ValueError(f"Found a sample_weight array with shape {given.shape} for an input with shape "
                         f"{target.shape}. sample_weight cannot be broadcast.")


def _class_weights(target: Any, classes: dict[int, float]) -> Any:
    if len(target.shape) > 2:
        raise ValueError(f"`class_weight` not supported for 3+ dimensional targets, got {target.shape}")
    labels = np.argmax(target, axis=1) if len(target.shape) == 2 and target.shape[1] > 1 else np.reshape(target, [-1])
    present = np.unique(labels)
    missing = [int(each) for each in present if each not in classes]
    if missing:
        raise ValueError(f"`class_weight` has no weight for the classes {set(missing)}, which are among the labels.")
    table = np.asarray([classes[each] for each in present], settings.floatx())
    return table[np.searchsorted(present, labels)]


# ---- lengths

def check_lengths(inputs: list[Any], targets: list[Any], weights: list[Any]) -> None:
    """Raises ValueError unless all arrays have the same number of examples."""
    lengths = [sorted({each.shape[0] for each in arrays if isinstance(each, np.ndarray) and each.ndim})
               for arrays in (inputs, targets, weights)]
    for found, arrays, what in zip(lengths, (inputs, targets, weights), ("input arrays (x)", "target arrays (y)",
                                                                         "sample_weight arrays")):
        if len(found) > 1:
            raise ValueError(f"The {what} differ in the number of samples: they have the shapes "
                             f"{[each.shape for each in arrays if each is not None]}")
    x, y, w = (found[0] if found else None for found in lengths)
    if None not in (x, y) and x != y:
        raise ValueError(f"Each input needs its label: got {x} inputs and {y} labels.")
    if None not in (y, w) and y != w:
        raise ValueError(f"Each label needs its weight: got {w} weights and {y} labels.")
