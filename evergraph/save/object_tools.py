"""Tools for object-based checkpoints and trackable objects."""

from __future__ import annotations

from functools import partial
from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.base.text import as_text, path_to_str
from evergraph.frontend.variables.base import Variable
from evergraph.frontend.variables.scope import default_initializer
from evergraph.graph.node import Operation
from evergraph.save.object_graph import listed
from evergraph.save.object_message import read_graph


@export("contrib.checkpoint.object_metadata")
def object_metadata(save_path: Any) -> Any:
    """The TrackableObjectGraph message of a checkpoint: its objects, and the keys of their values.

    Raises:
        ValueError: the checkpoint is name-based.
        NotFoundError: the checkpoint does not exist.
    """
    message = read_graph(as_text(path_to_str(save_path)))
    if message is None:
        raise ValueError(f"{save_path} holds variables by name, and no objects")
    return message


@export("contrib.checkpoint.list_objects")
def list_objects(root_trackable: Any) -> list[Any]:
    """The objects reachable from an object, itself first, and the slots that optimizers keep for their variables."""
    return [item.value for item in listed(root_trackable)]


def gather_initializers(root_trackable: Any) -> list[Operation]:
    """The initializers of the variables reachable from an object."""
    return [value.initializer for value in list_objects(root_trackable) if isinstance(value, Variable)]


def add_variable(
    trackable: Any, name: str, shape: Any = None, dtype: Any = dtypes.float32, initializer: Any = None,
    trainable: bool = True,
) -> Variable:  # fmt: skip
    """Creates a variable as an attribute of an object.

    Args:
        trackable: the object.
        name: the name of the attribute and, made unique, of the variable.
        shape: the shape of the variable, if the initializer is a function or not given.
        dtype: its dtype.
        initializer: a value, or a function of a shape and a dtype.
        trainable: whether the variable is trainable.

    Raises:
        ValueError: the object has such an attribute, or both a shape and a value are given.
    """
    if name in vars(trackable):
        raise ValueError(f"A variable named {name!r} is already declared in the object")
    if initializer is not None and not callable(initializer):
        if shape is not None:
            raise ValueError("a value as initializer has a shape of its own: do not specify shape, too")
        initial = initializer
    else:
        initializer = initializer() if isinstance(initializer, type) else initializer
        initial = partial(initializer or default_initializer(name, dtypes.as_dtype(dtype)), shape, dtype=dtype)
    setattr(trackable, name, Variable(initial, name=name, dtype=dtype, trainable=trainable, use_resource=True))
    return getattr(trackable, name)
