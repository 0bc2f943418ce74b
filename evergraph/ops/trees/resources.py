"""Ops that create, save and restore ensembles of trees. Ensembles are objects of the session."""

from __future__ import annotations

import numpy as np

from evergraph.graph.opdef import STOP, op
from evergraph.graph.shaping import require_rank, scalar
from evergraph.ops.trees.ensemble import Ensemble


@op("BoostedTreesEnsembleResourceHandleOp(*, container: string = '', shared_name: string = '') -> resource: resource",
    stateful=True, on="host", grad=STOP, shape=scalar)
def boosted_trees_ensemble_resource_handle_op(shared, node):
    """Creates a handle of an ensemble of trees."""
    return shared(lambda: Ensemble(node.attrs["shared_name"] or node.name))


def _scalars(stamp_token, tree_ensemble_serialized):
    require_rank(stamp_token, 0)
    require_rank(tree_ensemble_serialized, 0)


@op("BoostedTreesCreateEnsemble(tree_ensemble_handle: resource, stamp_token: int64, tree_ensemble_serialized: string) "
    "-> ()", stateful=True, on="host", grad=STOP, shape=_scalars)
def boosted_trees_create_ensemble(tree_ensemble_handle, stamp_token, tree_ensemble_serialized):
    """Initializes an ensemble from its serialized form, unless it is initialized already."""
    with tree_ensemble_handle.lock:
        if not tree_ensemble_handle.is_initialized:
            tree_ensemble_handle.restore(int(stamp_token), np.asarray(tree_ensemble_serialized).item())


@op("BoostedTreesDeserializeEnsemble(tree_ensemble_handle: resource, stamp_token: int64, "
    "tree_ensemble_serialized: string) -> ()", stateful=True, on="host", grad=STOP, shape=_scalars)
def boosted_trees_deserialize_ensemble(tree_ensemble_handle, stamp_token, tree_ensemble_serialized):
    """Replaces an ensemble by a serialized one."""
    with tree_ensemble_handle.lock:
        tree_ensemble_handle.message  # noqa: B018  an ensemble that was not created raises here
        tree_ensemble_handle.restore(int(stamp_token), np.asarray(tree_ensemble_serialized).item())


@op("IsBoostedTreesEnsembleInitialized(tree_ensemble_handle: resource) -> is_initialized: bool", stateful=True,
    on="host", grad=STOP, shape=scalar)
def is_boosted_trees_ensemble_initialized(tree_ensemble_handle):
    """Whether an ensemble has been created."""
    return np.bool_(tree_ensemble_handle.is_initialized)


@op("BoostedTreesSerializeEnsemble(tree_ensemble_handle: resource) -> stamp_token: int64, "
    "tree_ensemble_serialized: string", stateful=True, on="host", grad=STOP, shape=lambda: [(), ()])
def boosted_trees_serialize_ensemble(tree_ensemble_handle):
    """The stamp of an ensemble and its serialized form."""
    with tree_ensemble_handle.lock:
        return np.int64(tree_ensemble_handle.stamp), np.array(
            tree_ensemble_handle.message.SerializeToString(deterministic=True), object)


@op("BoostedTreesGetEnsembleStates(tree_ensemble_handle: resource) -> stamp_token: int64, num_trees: int32, "
    "num_finalized_trees: int32, num_attempted_layers: int32, last_layer_nodes_range: int32", stateful=True,
    on="host", grad=STOP, shape=lambda: [(), (), (), (), (2,)])
def boosted_trees_get_ensemble_states(tree_ensemble_handle):
    """The stamp, the numbers of trees, of finalized trees and of layers, and the nodes that can be split next."""
    with tree_ensemble_handle.lock:
        message = tree_ensemble_handle.message
        finalized = sum(each.is_finalized for each in message.tree_metadata)
        growing = message.growing_metadata
        end = growing.last_layer_node_end or 1  # the root of the first tree, before there is one
        return (np.int64(tree_ensemble_handle.stamp), np.int32(len(message.trees)), np.int32(finalized),
                np.int32(growing.num_layers_attempted),
                np.array([growing.last_layer_node_start, end], np.int32))
