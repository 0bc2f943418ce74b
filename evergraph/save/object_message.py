"""Reads the object graph message of a checkpoint."""

from __future__ import annotations

from typing import Any

from evergraph import proto
from evergraph.base import errors
from evergraph.ops.state.checkpoints import open_checkpoint

KEY = "_CHECKPOINTABLE_OBJECT_GRAPH"


def read_graph(path: str) -> Any:
    """The TrackableObjectGraph of a checkpoint; None for a name-based one.

    Raises:
        NotFoundError: the checkpoint does not exist.
        DataLossError: the checkpoint is corrupt.
    """
    reader = open_checkpoint(path)
    if KEY not in reader:
        return None
    try:
        return proto.trackable_object_graph_pb2.TrackableObjectGraph.FromString(reader.read(KEY).item())
    except Exception as error:  # protobuf's own class for it differs between its implementations
        raise errors.DataLossError(None, None, f"{path}: the graph of objects cannot be read: {error}") from None


def keys_by_name(path: str) -> dict[str, str] | None:
    """Name of a variable at the time of saving -> its key; None for a name-based checkpoint."""
    message = read_graph(path)
    if message is None:
        return None
    return {each.full_name: each.checkpoint_key for node in message.nodes for each in node.attributes if each.full_name}
