"""Ops that predict with an ensemble of trees, all examples at once, a level of the trees at a time."""

from __future__ import annotations

import numpy as np

from evergraph import proto
from evergraph.base.errors import invalid
from evergraph.graph.opdef import STOP, op
from evergraph.graph.shaping import merge_size, with_rank


class _Buckets:
    """The features of a batch as the columns of one matrix."""

    def __init__(self, features):
        columns = [each[:, None] if each.ndim == 1 else each for each in map(np.asarray, features)]
        sizes = {len(each) for each in columns}
        if len(sizes) > 1:
            raise invalid(f"features must have as many examples as one another, but have {sorted(sizes)}")
        self.first_columns = np.cumsum([0] + [each.shape[1] for each in columns])
        self.matrix = np.concatenate(columns, axis=1)

    def __len__(self):
        return len(self.matrix)

    def of(self, nodes, at, examples):
        """The buckets of examples in the features of the splits `at`."""
        feature = nodes.feature[at]
        if feature.size and feature.max() >= len(self.first_columns) - 1:
            raise invalid(f"a tree splits on feature {feature.max()}, but there are {len(self.first_columns) - 1}")
        columns = self.first_columns[feature] + nodes.dimension[at]
        if (columns >= self.first_columns[feature + 1]).any():
            raise invalid("a tree splits on a dimension that its feature does not have")
        return self.matrix[examples, columns]


def _descend(nodes, buckets, at, examples):
    """The leaves that examples reach from the nodes `at`."""
    at = at.copy()
    moving = np.flatnonzero(~nodes.is_leaf[at])
    while moving.size:
        splits = at[moving]
        at[moving] = nodes.children(splits, buckets.of(nodes, splits, examples[moving]))
        moving = moving[~nodes.is_leaf[at[moving]]]
    return at


def _logits_shape(bucketized_features, logits_dimension):
    size = None
    for each in bucketized_features:
        if each is not None:
            size = merge_size(size, each[0] if each else None)
    return (size, logits_dimension)


@op("BoostedTreesPredict(tree_ensemble_handle: resource, bucketized_features: num_bucketized_features * int32, *, "
    "num_bucketized_features: int >= 1, logits_dimension: int) -> logits: float", stateful=True, on="host", grad=STOP,
    shape=_logits_shape)
def boosted_trees_predict(tree_ensemble_handle, bucketized_features, logits_dimension):
    """The logits of examples: the sum of the leaves that they reach, times the weights of their trees."""
    buckets = _Buckets(bucketized_features)
    everyone = np.arange(len(buckets))
    logits = np.zeros((len(buckets), logits_dimension), np.float32)
    with tree_ensemble_handle.lock:
        for tree, weight in enumerate(tree_ensemble_handle.message.tree_weights):
            nodes = tree_ensemble_handle.nodes(tree, logits_dimension)
            leaves = _descend(nodes, buckets, np.zeros(len(buckets), np.int64), everyone)
            logits += np.float32(weight) * nodes.values[leaves]
    return logits


def _pruned(metadata, at, logits):
    """Where post-pruning moved the nodes `at` of a tree, and by how much it changed their logits."""
    meta = metadata.post_pruned_nodes_meta
    if not meta:
        return at, np.zeros((len(at), logits), np.float32)
    moved = np.array([each.new_node_id for each in meta], np.int64)
    change = np.zeros((len(meta), logits), np.float32)
    for row, each in zip(change, meta, strict=True):
        row[:len(each.logit_change)] = each.logit_change
    return moved[at], change[at]


def _training_shape(cached_tree_ids, cached_node_ids, bucketized_features, logits_dimension):
    size = merge_size(with_rank(cached_tree_ids, 1)[0], with_rank(cached_node_ids, 1)[0])
    size = merge_size(size, _logits_shape(bucketized_features, logits_dimension)[0])
    return [(size, logits_dimension), (size,), (size,)]


@op("BoostedTreesTrainingPredict(tree_ensemble_handle: resource, cached_tree_ids: int32, cached_node_ids: int32, "
    "bucketized_features: num_bucketized_features * int32, *, num_bucketized_features: int >= 1, "
    "logits_dimension: int) -> partial_logits: float, tree_ids: int32, node_ids: int32", stateful=True, on="host",
    grad=STOP, shape=_training_shape)
def boosted_trees_training_predict(tree_ensemble_handle, cached_tree_ids, cached_node_ids, bucketized_features,
                                   logits_dimension):
    """What the logits of examples gained since they were at the cached nodes, and the nodes where they are now."""
    buckets, at = _Buckets(bucketized_features), np.array(cached_node_ids, np.int64)
    logits = np.zeros((len(buckets), logits_dimension), np.float32)
    with tree_ensemble_handle.lock:
        message = tree_ensemble_handle.message
        if not message.trees:
            return logits, np.zeros(len(at), np.int32), np.zeros(len(at), np.int32)
        for tree in range(int(min(cached_tree_ids, default=0)), len(message.trees)):
            nodes = tree_ensemble_handle.nodes(tree, logits_dimension)
            started = np.flatnonzero(cached_tree_ids <= tree)
            gained = np.zeros((len(started), logits_dimension), np.float32)
            waiting = (cached_tree_ids[started] == tree) & (at[started] >= 0)  # -1 is an example not seen before
            moved, change = _pruned(message.tree_metadata[tree], at[started[waiting]], logits_dimension)
            gained[waiting] = change - nodes.values[moved]
            start = np.zeros(len(started), np.int64)
            start[waiting] = moved
            at[started] = _descend(nodes, buckets, start, started)
            gained += nodes.values[at[started]]
            logits[started] += np.float32(message.tree_weights[tree]) * gained
        return logits, np.full(len(at), len(message.trees) - 1, np.int32), at.astype(np.int32)


def _debug_shape(bucketized_features, logits_dimension):
    return _logits_shape(bucketized_features, logits_dimension)[:1]


@op("BoostedTreesExampleDebugOutputs(tree_ensemble_handle: resource, "
    "bucketized_features: num_bucketized_features * int32, *, num_bucketized_features: int >= 1, "
    "logits_dimension: int) -> examples_debug_outputs_serialized: string", stateful=True, on="host", grad=STOP,
    shape=_debug_shape)
def boosted_trees_example_debug_outputs(tree_ensemble_handle, bucketized_features, logits_dimension):
    """How each prediction came about: the features on its paths, and the logit after each split, as DebugOutputs."""
    buckets = _Buckets(bucketized_features)
    outputs = [proto.boosted_trees_pb2.DebugOutput() for _ in range(len(buckets))]
    everyone = np.arange(len(buckets))
    past = np.zeros(len(buckets), np.float32)
    with tree_ensemble_handle.lock:
        for tree, weight in enumerate(tree_ensemble_handle.message.tree_weights):
            nodes = tree_ensemble_handle.nodes(tree, logits_dimension)
            values = np.float32(weight) * nodes.values[:, 0]
            if tree == 0:
                for each in outputs:
                    each.logits_path.append(values[0])
            at, moving = np.zeros(len(buckets), np.int64), everyone
            while (moving := moving[~nodes.is_leaf[at[moving]]]).size:
                splits = at[moving]
                at[moving] = nodes.children(splits, buckets.of(nodes, splits, moving))
                for example, feature, logit in zip(moving, nodes.feature[splits], past[moving] + values[at[moving]],
                                                   strict=True):
                    outputs[example].feature_ids.append(feature)
                    outputs[example].logits_path.append(logit)
            past = past + values[at]
    return np.array([each.SerializeToString() for each in outputs], object)
