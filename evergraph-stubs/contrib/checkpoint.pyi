# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.checkpoint."""

from collections.abc import Callable, Sequence
from typing import Any

import sys
if sys.platform == "":
    del (
        containers, numpy_state, visualize,
    )

from evergraph.train import CheckpointManager as CheckpointManager

class Checkpointable(CheckpointableBase):
    """The base of objects whose attributes `tf.train.Checkpoint` saves: variables, layers, optimizers,
    lists, ..."""
    def __setattr__(self, name: str, value: Any) -> None: ...

class CheckpointableBase:
    """The base of trackable objects, which define their own children and saveables."""

class List(list):
    """A list whose trackable elements checkpoints hold by their places."""
    def __init__(self, *args: Any) -> None: ...

class Mapping(dict):
    """A dictionary that only grows, whose values checkpoints hold by their keys."""
    def __delitem__(self, key: str) -> None: ...
    def __setitem__(self, key: str, value: Any) -> None: ...
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...

class NoDependency:
    """Wraps a value that is assigned to an attribute of a layer, a module or a trackable object."""
    def __init__(self, value: Any) -> None: ...
    value: Any

class NumpyState(CheckpointableBase):
    """An object whose attributes are NumPy arrays, which `tf.train.Checkpoint` saves and restores."""
    def __getattr__(self, name: str) -> Any: ...
    def __setattr__(self, name: str, value: Any) -> None: ...
    def __init__(self) -> None: ...

from evergraph.train.experimental import PythonState as PythonState

class UniqueNameTracker(CheckpointableBase):
    """Gives trackable objects names of their own, under which a checkpoint holds them: `x`, `x_1`,
    `x_2`."""
    def track(self, trackable: Any, base_name: str) -> Any:
        """Names an object after `base_name`, and returns it."""
    @property
    def layers(self) -> list[Any]:
        """Those of the objects that are layers."""
    @property
    def trainable_weights(self) -> list[Any]:
        """The trainable variables of the layers."""
    @property
    def variables(self) -> list[Any]:
        """All variables of the layers."""
    def __init__(self) -> None: ...

def dot_graph_from_checkpoint(save_path: str) -> str:
    """The objects of a checkpoint as a text in Graphviz' language: boxes are values, dashed edges lead to
    slots."""

def list_objects(root_trackable: Any) -> list[Any]:
    """The objects reachable from an object, itself first, and the slots that optimizers keep for their
    variables."""

def object_metadata(save_path: Any) -> Any:
    """The TrackableObjectGraph message of a checkpoint: its objects, and the keys of their values."""

def split_dependency(
    component_names: Sequence[str], component_dtypes: Sequence[Any],
    fill_save_buffer_fn: Callable[[Any], Any], consume_restore_buffer_fn: Callable[[Any], Any], device: Any,
) -> dict[str, Any]:
    """Trackable objects by name, which a checkpoint holds as the parts of one value."""
