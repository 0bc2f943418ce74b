# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.checkpoint."""

from typing import Any

class Checkpointable(CheckpointableBase):
    """The base of objects whose attributes `tf.train.Checkpoint` saves: variables, layers, optimizers,
    lists, ..."""
    def __setattr__(self, name: str, value: Any) -> None: ...

class CheckpointableBase:
    """The base of trackable objects, which define their own children and saveables."""

def list_objects(root_trackable: Any) -> list[Any]:
    """The objects reachable from an object, itself first, and the slots that optimizers keep for their
    variables."""

def object_metadata(save_path: Any) -> Any:
    """The TrackableObjectGraph message of a checkpoint: its objects, and the keys of their values."""
