"""Ops on the trees of random forests. Trees are objects of the session."""

from __future__ import annotations

import numpy as np

from evergraph.graph.opdef import STOP, op
from evergraph.graph.shaping import scalar
from evergraph.ops.trees.random_tree import RandomTree, TreeSettings
from evergraph.ops.trees.random_tree_models import paths


@op("EvergraphRandomTree(*, outputs: int, is_regression: bool, max_nodes: int, candidates: int, split_after: int, "
    "seed: int, at_threshold: bool, least: int, shared_name: string = '') -> tree: resource", stateful=True, on="host",
    grad=STOP, shape=scalar)
def random_tree(shared, node, outputs, is_regression, max_nodes, candidates, split_after, seed, at_threshold, least):
    """Creates a handle of a tree."""
    settings = TreeSettings(outputs, is_regression, max_nodes, candidates, split_after, seed, at_threshold, least)
    return shared(lambda: RandomTree(node.attrs["shared_name"] or node.name, settings))


@op("EvergraphRandomTreeCreate(tree: resource, serialized: string) -> ()", stateful=True, on="host", grad=STOP)
def random_tree_create(tree, serialized):
    """Makes a tree a root, or the serialized tree."""
    with tree.lock:
        tree.restore(np.asarray(serialized).item())


@op("EvergraphRandomTreeIsInitialized(tree: resource) -> is_initialized: bool", stateful=True, on="host", grad=STOP,
    shape=scalar)
def random_tree_is_initialized(tree):
    """Whether a tree has been created."""
    return np.bool_(tree.is_initialized)


@op("EvergraphRandomTreeSerialize(tree: resource) -> serialized: string", stateful=True, on="host", grad=STOP,
    shape=scalar)
def random_tree_serialize(tree):
    """The nodes of a tree."""
    with tree.lock:
        return np.array(tree.serialized(), object)


@op("EvergraphRandomTreeTrain(tree: resource, data: float, labels: T, weights: float, *, T: {float, int32, int64}) "
    "-> ()", stateful=True, on="host", grad=STOP)
def random_tree_train(tree, data, labels, weights):
    """Counts a batch of examples in a tree, which may grow."""
    with tree.lock:
        tree.train(np.asarray(data), np.asarray(labels), np.asarray(weights))


@op("EvergraphRandomTreePredict(tree: resource, data: float, *, outputs: int) -> predictions: float", stateful=True,
    on="host", grad=STOP, shape=lambda data, outputs: (data[0] if data else None, outputs))
def random_tree_predict(tree, data):
    """The probabilities of classes, or the mean values, by a tree."""
    with tree.lock:
        return tree.predict(np.asarray(data))


@op("EvergraphRandomTreePaths(tree: resource, data: float) -> paths: string", stateful=True, on="host", grad=STOP,
    shape=lambda data: (data[0] if data else None,))
def random_tree_paths(tree, data):
    """The way of every example through a tree, a serialized TreePath."""
    with tree.lock:
        return paths(tree, np.asarray(data))


@op("EvergraphRandomTreeSize(tree: resource) -> size: int32", stateful=True, on="host", grad=STOP, shape=scalar)
def random_tree_size(tree):
    """The number of nodes of a tree."""
    return np.int32(tree.size)


@op("EvergraphRandomTreeUsage(tree: resource, *, features: int) -> counts: int32", stateful=True, on="host", grad=STOP,
    shape=lambda features: (features,))
def random_tree_usage(tree, features):
    """How many nodes of a tree test each feature."""
    return tree.usage(features)
