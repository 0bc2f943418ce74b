"""Ops that change an ensemble: they split the nodes of its last tree, finalize trees, prune them, center the bias."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from evergraph.base.errors import invalid
from evergraph.graph.opdef import STOP, op
from evergraph.graph.shaping import merge, require_rank, scalar, with_rank
from evergraph.ops.trees.splits import DEFAULT_RIGHT, EQUALITY, Penalty, weights_and_gains

NO_PRUNING, PRE_PRUNING, POST_PRUNING = range(3)
_LEAST_CHANGE = 0.01  # centering goes on while it changes the bias by more than this part of it
_TINY_GAIN = 1e-15


@dataclass(frozen=True)
class Candidate:
    """A possible split of a node."""

    feature: int
    dimension: int
    gain: float
    threshold: int
    left: np.float32
    right: np.float32
    kind: bytes


# ---- leaves and trees


def _add_leaf(tree: Any, value: float) -> None:
    tree.nodes.add().leaf.SetInParent()
    tree.nodes[-1].leaf.scalar = value


def _add_tree(message: Any, value: float) -> None:
    """Appends a tree of one leaf."""
    _add_leaf(message.trees.add(), value)
    message.tree_weights.append(1.0)
    message.tree_metadata.add()


def _split(tree: Any, at: int, candidate: Candidate, rate: np.float32) -> None:
    """Replaces a leaf by a split; its logit becomes that of the children before their contributions."""
    node, first = tree.nodes[at], len(tree.nodes)
    before = np.float32(node.leaf.scalar)
    if before:
        node.metadata.original_leaf.CopyFrom(node.leaf)
    node.metadata.gain = candidate.gain
    split = node.categorical_split if candidate.kind == EQUALITY else node.bucketized_split
    split.feature_id, split.dimension_id = candidate.feature, candidate.dimension
    split.left_id, split.right_id = first, first + 1
    if candidate.kind == EQUALITY:
        split.value = candidate.threshold
    else:
        split.threshold, split.default_direction = candidate.threshold, int(candidate.kind == DEFAULT_RIGHT)
    for contribution in (candidate.left, candidate.right):
        _add_leaf(tree, before + rate * contribution)


# ---- pruning


def _children(node: Any) -> tuple[int, int] | None:
    kind = node.WhichOneof("node")
    if kind in ("leaf", None):
        return None
    split = getattr(node, kind)
    return split.left_id, split.right_id


def _prune(tree: Any, metadata: Any) -> None:
    """Makes leaves of splits that have a negative gain and no split below them, and records where nodes went."""
    children = [_children(node) for node in tree.nodes]
    goes_to = list(range(len(children)))
    for at in reversed(range(len(children))):
        pair = children[at]
        if pair and tree.nodes[at].metadata.gain < 0 and not any(children[child] for child in pair):
            children[at] = None
            for child in pair:
                goes_to[child] = at
    for at, target in enumerate(goes_to):  # parents come before their children
        goes_to[at] = goes_to[target]
    kept = [at for at, target in enumerate(goes_to) if at == target]
    if len(kept) == len(children):
        return
    _record_pruning(tree, metadata, goes_to, kept)
    _drop_nodes(tree, children, kept)


def _record_pruning(tree: Any, metadata: Any, goes_to: list[int], kept: list[int]) -> None:
    new_ids = {old: new for new, old in enumerate(kept)}
    values = [np.float32(_value(node)) for node in tree.nodes]
    for at, target in enumerate(goes_to):
        metadata.post_pruned_nodes_meta.add(new_node_id=new_ids[target], logit_change=[values[target] - values[at]])


def _value(node: Any) -> float:
    """The logit of a leaf, or that which a split had while it was a leaf."""
    return (node.leaf if _children(node) is None else node.metadata.original_leaf).scalar


def _drop_nodes(tree: Any, children: list[tuple[int, int] | None], kept: list[int]) -> None:
    new_ids = {old: new for new, old in enumerate(kept)}
    nodes = [type(tree.nodes[at]).FromString(tree.nodes[at].SerializeToString()) for at in kept]
    for at, node in zip(kept, nodes, strict=True):
        if children[at] is None and node.WhichOneof("node") != "leaf":
            node.leaf.CopyFrom(node.metadata.original_leaf)
            node.ClearField("metadata")
        elif (pair := children[at]) is not None:
            split = getattr(node, node.WhichOneof("node"))
            split.left_id, split.right_id = (new_ids[child] for child in pair)
    del tree.nodes[:]
    tree.nodes.extend(nodes)


# ---- growing


def _best_of_each_node(candidates: list[tuple[int, Candidate]]) -> dict[int, Candidate]:
    """The candidate of each node that has the largest gain; of equal ones that of the lowest feature."""
    best: dict[int, Candidate] = {}
    for node, candidate in candidates:
        known = best.get(node)
        if known is None or candidate.gain - known.gain > _TINY_GAIN:
            best[node] = candidate
        elif abs(candidate.gain - known.gain) <= _TINY_GAIN and candidate.feature < known.feature:
            best[node] = candidate
    return best


def _grow(ensemble, candidates, max_depth, learning_rate, pruning_mode):
    """Adds a layer to the last tree, and a new tree after one that has become deep enough."""
    with ensemble.lock:
        message = ensemble.message
        growing = message.growing_metadata
        if not message.trees:
            _add_tree(message, 0.0)
        last = len(message.trees) - 1
        tree, metadata = message.trees[last], message.tree_metadata[last]
        growing.num_layers_attempted += 1
        growing.num_trees_attempted += metadata.num_layers_grown == 0
        first_new = len(tree.nodes)
        for node, candidate in sorted(_best_of_each_node(candidates).items()):
            if pruning_mode == PRE_PRUNING and candidate.gain < 0:
                continue
            if not 0 <= node < first_new or _children(tree.nodes[node]) is not None:
                raise invalid(f"node {node} of the last tree of ensemble {ensemble.name!r} is no leaf to split")
            _split(tree, node, candidate, learning_rate)
        if len(tree.nodes) > first_new:
            _finish_layer(message, tree, metadata, first_new, max_depth, pruning_mode)
        ensemble.changed(range(last, last + 1))


def _finish_layer(message, tree, metadata, first_new, max_depth, pruning_mode):
    growing = message.growing_metadata
    growing.last_layer_node_start, growing.last_layer_node_end = first_new, len(tree.nodes)
    metadata.num_layers_grown += 1
    if metadata.num_layers_grown < max_depth:
        return
    metadata.is_finalized = True
    if pruning_mode == POST_PRUNING:
        _prune(tree, metadata)
    _add_tree(message, 0.0)
    growing.last_layer_node_start, growing.last_layer_node_end = 0, 1


_LISTS = ("node_ids: num_features * int32, gains: num_features * float, thresholds: num_features * int32, "
          "left_node_contribs: num_features * float, right_node_contribs: num_features * float")


def _candidates(feature_ids, node_ids, gains, thresholds, left, right, dimensions=None, kinds=None):
    """Pairs of a node and a candidate for it, from the lists of the ops."""
    found = []
    for at, feature in enumerate(feature_ids):
        rows = zip(node_ids[at], gains[at], thresholds[at], left[at], right[at], strict=True)
        for row, (node, gain, threshold, left_row, right_row) in enumerate(rows):
            dimension = 0 if dimensions is None else int(dimensions[at][row])
            kind = b"" if kinds is None else kinds[at][row]
            found.append((int(node), Candidate(int(feature), dimension, float(gain), int(threshold), left_row[0],
                                               right_row[0], kind)))
    return found


def _update_shapes(feature_ids, node_ids, gains, thresholds, left_node_contribs, right_node_contribs):
    with_rank(feature_ids, 1)
    for vectors in (node_ids, gains, thresholds):
        for each in vectors:
            require_rank(each, 1)
    for matrices in (left_node_contribs, right_node_contribs):
        for each in matrices:
            merge(each, (None, 1))


@op("BoostedTreesUpdateEnsemble(tree_ensemble_handle: resource, feature_ids: int32, "
    f"{_LISTS}, max_depth: int32, learning_rate: float, *, pruning_mode: int >= 0, num_features: int >= 0) -> ()",
    stateful=True, on="host", grad=STOP, shape=_update_shapes)
def boosted_trees_update_ensemble(tree_ensemble_handle, feature_ids, node_ids, gains, thresholds, left_node_contribs,
                                  right_node_contribs, max_depth, learning_rate, pruning_mode):
    """Splits the last layer of the last tree by the best candidates of all features."""
    found = _candidates(feature_ids, node_ids, gains, thresholds, left_node_contribs, right_node_contribs)
    _grow(tree_ensemble_handle, found, int(max_depth), np.float32(learning_rate), pruning_mode)


@op("BoostedTreesUpdateEnsembleV2(tree_ensemble_handle: resource, feature_ids: int32, "
    f"dimension_ids: num_features * int32, {_LISTS}, split_types: num_features * string, max_depth: int32, "
    "learning_rate: float, pruning_mode: int32, *, num_features: int >= 0) -> ()", stateful=True, on="host", grad=STOP,
    shape=_update_shapes, later={"logits_dimension": 1, "num_groups": 1})
def boosted_trees_update_ensemble_v2(tree_ensemble_handle, feature_ids, dimension_ids, node_ids, gains, thresholds,
                                     left_node_contribs, right_node_contribs, split_types, max_depth, learning_rate,
                                     pruning_mode):
    """As UpdateEnsemble, with candidates in several dimensions of a feature and of several kinds."""
    found = _candidates(feature_ids, node_ids, gains, thresholds, left_node_contribs, right_node_contribs,
                        dimension_ids, split_types)
    _grow(tree_ensemble_handle, found, int(max_depth), np.float32(learning_rate), int(pruning_mode))


@op("BoostedTreesCenterBias(tree_ensemble_handle: resource, mean_gradients: float, mean_hessians: float, l1: float, "
    "l2: float) -> continue_centering: bool", stateful=True, on="host", grad=STOP, shape=scalar)
def boosted_trees_center_bias(tree_ensemble_handle, mean_gradients, mean_hessians, l1, l2):
    """Moves the logit of the first leaf to where the mean loss is least; whether it changed it by much."""
    penalty = Penalty(np.float32(l1), np.float32(l2))
    weights, _ = weights_and_gains(mean_gradients[:1, :1], mean_hessians[:1, :1], penalty)
    change = weights[0, 0]
    with tree_ensemble_handle.lock:
        message = tree_ensemble_handle.message
        if not message.trees:
            _add_tree(message, change)
            is_changing = True
        else:
            leaf = message.trees[0].nodes[0].leaf
            bias = np.float32(leaf.scalar)
            with np.errstate(divide="ignore", invalid="ignore"):
                is_changing = np.abs(change / bias) > _LEAST_CHANGE
            leaf.scalar = bias + change
        tree_ensemble_handle.changed(range(1))
        return np.bool_(is_changing)
