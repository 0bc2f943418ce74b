"""Ops that create, save and look at the ensembles of contrib's boosted trees. Ensembles are objects of the session."""

from __future__ import annotations

from typing import Any

import numpy as np

from evergraph import proto
from evergraph.base.errors import invalid
from evergraph.graph.opdef import STOP, op
from evergraph.graph.shaping import scalar
from evergraph.ops.contrib.stamped import Stamped
from evergraph.proto.wire import from_bytes

_HANDLE = "tree_ensemble_handle: resource"


class Ensemble(Stamped):
    """Trees and their weights, a DecisionTreeEnsembleConfig; who changes it holds the lock."""

    what = "tree ensemble"

    def restore(self, stamp: int, serialized: bytes) -> None:
        """Replaces the trees by those of a serialized ensemble.

        Raises:
            InvalidArgumentError: the bytes are no ensemble.
        """
        try:
            self.message = from_bytes(serialized, proto.contrib_trees_pb2.DecisionTreeEnsembleConfig())
        except ValueError:
            raise invalid(f"the tree ensemble {self.name!r} was given {len(serialized)} bytes that are no "
                          "DecisionTreeEnsembleConfig") from None
        self.stamp = stamp

    def is_final(self, tree: int) -> bool:
        """Whether a tree has stopped to grow; those without metadata have."""
        metadata = self.message.tree_metadata
        return tree >= len(metadata) or metadata[tree].is_finalized

    @property
    def growing(self) -> Any:
        """The last tree, if it still grows."""
        count = len(self.message.trees)
        return self.message.trees[-1] if count and not self.is_final(count - 1) else None


def learner_of(serialized: Any) -> Any:
    """The LearnerConfig of an attr.

    Raises:
        InvalidArgumentError: the bytes are none.
    """
    given = serialized.encode("utf-8", "surrogateescape") if isinstance(serialized, str) else bytes(serialized)
    try:
        return from_bytes(given, proto.contrib_trees_pb2.LearnerConfig())
    except ValueError:
        raise invalid(f"learner_config has {len(given)} bytes that are no LearnerConfig") from None


@op("DecisionTreeEnsembleResourceHandleOp(*, container: string = '', shared_name: string = '') -> resource: resource",
    stateful=True, on="host", grad=STOP, shape=scalar)
def decision_tree_ensemble_resource_handle_op(shared, node):
    """Creates a handle of an ensemble."""
    return shared(lambda: Ensemble(node.attrs["shared_name"] or node.name))


@op(f"TreeEnsembleIsInitializedOp({_HANDLE}) -> is_initialized: bool", on="host", grad=STOP, shape=scalar)
def tree_ensemble_is_initialized_op(tree_ensemble_handle):
    """Whether an ensemble has been created."""
    return np.bool_(tree_ensemble_handle.is_initialized)


@op(f"CreateTreeEnsembleVariable({_HANDLE}, stamp_token: int64, tree_ensemble_config: string) -> ()", on="host",
    grad=STOP)
def create_tree_ensemble_variable(tree_ensemble_handle, stamp_token, tree_ensemble_config):
    """Creates an ensemble from its serialized form, unless it exists."""
    with tree_ensemble_handle.lock:
        if not tree_ensemble_handle.is_initialized:
            tree_ensemble_handle.restore(int(stamp_token), np.asarray(tree_ensemble_config).item())


@op(f"TreeEnsembleStampToken({_HANDLE}) -> stamp_token: int64", on="host", grad=STOP, shape=scalar)
def tree_ensemble_stamp_token(tree_ensemble_handle):
    """The stamp of an ensemble."""
    with tree_ensemble_handle.lock:
        return np.int64(tree_ensemble_handle.require().stamp)


@op(f"TreeEnsembleSerialize({_HANDLE}) -> stamp_token: int64, tree_ensemble_config: string", on="host", grad=STOP,
    shape=lambda: [(), ()])
def tree_ensemble_serialize(tree_ensemble_handle):
    """The stamp of an ensemble and its serialized form."""
    with tree_ensemble_handle.lock:
        ensemble = tree_ensemble_handle.require()
        return np.int64(ensemble.stamp), np.array(ensemble.message.SerializeToString(deterministic=True), object)


@op(f"TreeEnsembleDeserialize({_HANDLE}, stamp_token: int64, tree_ensemble_config: string) -> ()", on="host",
    grad=STOP)
def tree_ensemble_deserialize(tree_ensemble_handle, stamp_token, tree_ensemble_config):
    """Replaces an ensemble by a serialized one."""
    with tree_ensemble_handle.lock:
        tree_ensemble_handle.require().restore(int(stamp_token), np.asarray(tree_ensemble_config).item())


@op(f"TreeEnsembleUsedHandlers({_HANDLE}, stamp_token: int64, *, num_all_handlers: int >= 0) -> "
    "num_used_handlers: int64, used_handlers_mask: bool", on="host", grad=STOP,
    shape=lambda num_all_handlers: [(), (num_all_handlers,)])
def tree_ensemble_used_handlers(tree_ensemble_handle, stamp_token, num_all_handlers):
    """How many handlers have made splits, and which; none of them for an older stamp."""
    mask = np.zeros(num_all_handlers, bool)
    with tree_ensemble_handle.lock:
        ensemble = tree_ensemble_handle.require()
        if ensemble.stamp == int(stamp_token):
            mask[list(ensemble.message.growing_metadata.used_handler_ids)] = True
    return np.int64(mask.sum()), mask


@op(f"TreeEnsembleStats({_HANDLE}, stamp_token: int64) -> num_trees: int64, num_layers: int64, active_tree: int64, "
    "active_layer: int64, attempted_trees: int64, attempted_layers: int64", on="host", grad=STOP,
    shape=lambda: [()] * 6)
def tree_ensemble_stats(tree_ensemble_handle, stamp_token):
    """How many trees are final and how many layers there are; the number of the last tree and of its layers; and how
    many trees and layers were begun. Zeros for an older stamp."""
    with tree_ensemble_handle.lock:
        ensemble = tree_ensemble_handle.require()
        if ensemble.stamp != int(stamp_token):
            return (np.int64(0),) * 6
        message, layers = ensemble.message, [each.num_layers_grown for each in ensemble.message.tree_metadata]
        begun = message.growing_metadata
        return tuple(map(np.int64, (
            len(message.trees) - (ensemble.growing is not None), sum(layers), len(message.trees),
            layers[-1] if layers else 0, begun.num_trees_attempted, begun.num_layers_attempted)))
