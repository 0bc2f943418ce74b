# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.checkpoint."""

from typing import Any

class Checkpointable(CheckpointableBase):
    """A base for objects whose attributes `tf.train.Checkpoint` is to save: variables, layers, optimizers,
    lists, ..."""

class CheckpointableBase:
    """A base for objects that a checkpoint holds; what is below them and how they are saved they say
    themselves."""

def list_objects(root_trackable: Any) -> list[Any]:
    """The objects that are reached from one, itself first, and the slots that optimizers keep for their
    variables."""

def object_metadata(save_path: Any) -> Any:
    """The TrackableObjectGraph message of a checkpoint: which objects it holds, and where their values
    are."""
