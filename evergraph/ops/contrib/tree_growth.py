"""Ops that grow the ensembles of contrib's boosted trees: a layer from the best splits, and the bias."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from evergraph import proto
from evergraph.base.errors import invalid
from evergraph.graph.opdef import STOP, op
from evergraph.graph.shaping import scalar
from evergraph.ops.contrib.tree_dropout import dropped, reweigh
from evergraph.ops.contrib.tree_ensembles import learner_of
from evergraph.ops.contrib.tree_paths import OBLIVIOUS, leaf_weights, split_of
from evergraph.proto.wire import from_bytes

_messages = proto.contrib_trees_pb2
_KINDS = {each.name: each.number for each in _messages.TreeNode.DESCRIPTOR.fields}


class _Candidate(NamedTuple):
    """A split that a handler offers for a node."""

    node: int
    gain: float
    handler: int
    split: Any

    @property
    def rank(self) -> tuple[float, int, int]:
        """What the best split of a node is greatest in: its gain, how simple its test is, the number of its handler."""
        return self.gain, -_KINDS[self.split.split_node.WhichOneof("node")], self.handler


def _candidates(kind, partitions, gains, splits, prunes_now) -> Iterator[_Candidate]:
    for handler, parts in enumerate(zip(partitions, gains, splits)):
        for at, gain in enumerate(parts[1].tolist()):
            if not (prunes_now and gain < 0):
                yield _Candidate(int(parts[0][at]), gain, handler, from_bytes(bytes(parts[2][at]), kind()))


def _leaf_sum(leaf: Any, more: Any) -> Any:
    """A leaf with the numbers of two."""
    kinds = {each.WhichOneof("leaf") for each in (leaf, more)} - {None}
    if kinds == {"sparse_vector"}:
        numbers = dict(zip(leaf.sparse_vector.index, leaf.sparse_vector.value))
        for index, value in zip(more.sparse_vector.index, more.sparse_vector.value):
            numbers[index] = np.float32(numbers.get(index, 0)) + np.float32(value)
        return _messages.Leaf(sparse_vector=_messages.SparseVector(index=list(numbers), value=list(numbers.values())))
    size = max(len(leaf_weights(each, 0)) for each in (leaf, more))
    found = _messages.Leaf()
    if kinds:
        found.vector.value.extend((leaf_weights(leaf, size) + leaf_weights(more, size)).tolist())
    return found


class _Growth:
    """Adds one layer to an ensemble."""

    def __init__(self, ensemble: Any, learner: Any, learning_rate: float) -> None:
        self._message, self._learner, self._rate = ensemble.message, learner, learning_rate
        self._adds_up = learner.growing_mode == _messages.LearnerConfig.LAYER_BY_LAYER
        self.prunes_later = learner.pruning_mode == _messages.LearnerConfig.POST_PRUNE
        self._tree = ensemble.growing

    @property
    def starts_with_layers(self) -> bool:
        """Whether every tree begins as the same given tree."""
        return len(self._learner.each_tree_start.nodes) > 0

    def begin(self, tree: Any = None) -> None:
        """Adds a tree: a root alone, or a copy of one."""
        message = self._message
        self._tree = message.trees.add()
        if tree is None:
            self._tree.nodes.add().leaf.SetInParent()
            message.growing_metadata.num_trees_attempted += 1
        else:
            self._tree.CopyFrom(tree)
        message.tree_weights.append(self._rate)
        message.tree_metadata.add(num_tree_weight_updates=1)

    def start(self, has_candidates: bool) -> bool:
        """Makes sure of a tree that grows; whether the candidates are for it.

        Candidates for a root are nothing to a tree that begins with layers of its own.
        """
        if self._tree is not None:
            return has_candidates
        if self.starts_with_layers:
            self.begin(self._learner.each_tree_start)
            self._message.tree_metadata[-1].num_layers_grown = self._learner.each_tree_start_num_layers
            return False
        if has_candidates:
            self.begin()
        else:
            self._message.growing_metadata.num_trees_attempted += 1
        return has_candidates

    # ---- splits

    def split_nodes(self, candidates: list[_Candidate]) -> set[int]:
        """Splits every node by its best candidate; the handlers that these are of."""
        best: dict[int, _Candidate] = {}
        for each in candidates:
            if each.node not in best or each.rank > best[each.node].rank:
                best[each.node] = each
        for number in sorted(best):
            self._split_node(best[number])
        return {each.handler for each in best.values()}

    def _split_node(self, chosen: _Candidate) -> None:
        nodes = self._tree.nodes
        if not 0 <= chosen.node < len(nodes) or nodes[chosen.node].WhichOneof("node") != "leaf":
            raise invalid(f"a split is for node {chosen.node}, which is no leaf of the tree that grows")
        leaf = _messages.Leaf()
        leaf.CopyFrom(nodes[chosen.node].leaf)
        node = nodes[chosen.node]
        node.CopyFrom(chosen.split.split_node)
        split = split_of(node)
        split.left_id, split.right_id = len(nodes), len(nodes) + 1
        node.node_metadata.gain = chosen.gain
        if self.prunes_later:
            node.node_metadata.original_leaf.CopyFrom(leaf)
        for child in (chosen.split.left_child, chosen.split.right_child):
            nodes.add().leaf.CopyFrom(_leaf_sum(leaf, child) if self._adds_up else child)

    def split_layer(self, candidates: list[_Candidate]) -> set[int]:
        """Splits all leaves by the one best test; its handler."""
        chosen = max(candidates, key=lambda each: each.rank)
        nodes = self._tree.nodes
        depth = sum(node.WhichOneof("node") in OBLIVIOUS for node in nodes)
        leaves = [_copied(node.leaf) for node in nodes[depth:]]
        children = dict(zip(chosen.split.children_parent_id, _pairs(chosen.split.children)))
        if len(children) and not all(depth <= parent < len(nodes) for parent in children):
            raise invalid(f"a split is for nodes {sorted(children)}, which are not all leaves of the tree that grows")
        del nodes[depth:]
        test = nodes.add()
        test.CopyFrom(chosen.split.split_node)
        test.node_metadata.gain = chosen.gain
        test.node_metadata.original_oblivious_leaves.extend(leaves)
        for place, leaf in enumerate(leaves):
            for child in children.get(depth + place, (None, None)):
                nodes.add().leaf.CopyFrom(leaf if child is None else
                                          _leaf_sum(leaf, child) if self._adds_up else child)
        return {chosen.handler}

    # ---- the end of a tree

    def count_layer(self, max_depth: int, seed: int, center_bias: bool) -> None:
        """Counts a layer that was added, and finishes a tree that has all of them."""
        metadata = self._message.tree_metadata[-1]
        metadata.num_layers_grown += 1
        if metadata.num_layers_grown < max_depth:
            return
        if self.prunes_later:
            _prune(self._tree)
            if len(self._tree.nodes) == 1:
                del self._message.trees[-1], self._message.tree_weights[-1], self._message.tree_metadata[-1]
                return
        metadata.is_finalized = True
        tuner = self._learner.learning_rate_tuner
        if tuner.WhichOneof("tuner") == "dropout":
            older = self._message.tree_weights[:-1]
            reweigh(self._message, dropped(tuner.dropout, older, seed, center_bias))
        if self.starts_with_layers:
            self._tree = None
            self.start(False)


def _copied(leaf: Any) -> Any:
    found = _messages.Leaf()
    found.CopyFrom(leaf)
    return found


def _pairs(children: Any) -> Any:
    return zip(children[::2], children[1::2])


def _prune(tree: Any) -> None:
    """Takes back splits that gained less than nothing and have no splits below them."""
    if tree.nodes[0].WhichOneof("node") in OBLIVIOUS:
        _prune_layers(tree)
        return
    kept: list[Any] = []
    _keep(tree.nodes, 0, kept)
    del tree.nodes[:]
    tree.nodes.extend(kept)


def _prune_layers(tree: Any) -> None:
    depth = sum(node.WhichOneof("node") in OBLIVIOUS for node in tree.nodes)
    while depth and tree.nodes[depth - 1].node_metadata.gain < 0:
        depth -= 1
        leaves = [_copied(each) for each in tree.nodes[depth].node_metadata.original_oblivious_leaves]
        del tree.nodes[depth:]
        for leaf in leaves:
            tree.nodes.add().leaf.CopyFrom(leaf)


def _pruned(nodes: Any, at: int, found: dict[int, Any]) -> bool:
    """Whether a node is a leaf after pruning; collects the leaves that splits become."""
    if nodes[at].WhichOneof("node") == "leaf":
        return True
    split = split_of(nodes[at])
    are_leaves = [_pruned(nodes, child, found) for child in (split.left_id, split.right_id)]
    if all(are_leaves) and nodes[at].node_metadata.gain < 0:
        found[at] = nodes[at].node_metadata.original_leaf
        return True
    return False


def _keep(nodes: Any, root: int, kept: list[Any]) -> None:
    """Collects the nodes that stay, layer by layer, with the numbers that they get."""
    leaves: dict[int, Any] = {}
    _pruned(nodes, root, leaves)
    waiting = [root]
    for at in waiting:
        node = _messages.TreeNode()
        if at in leaves:
            node.leaf.CopyFrom(leaves[at])
        else:
            node.CopyFrom(nodes[at])
            node.node_metadata.ClearField("original_leaf")
        if node.WhichOneof("node") == "leaf":
            node.ClearField("node_metadata")
        else:
            split = split_of(node)
            waiting += [split.left_id, split.right_id]
            split.left_id, split.right_id = len(waiting) - 2, len(waiting) - 1
        kept.append(node)


@op("GrowTreeEnsemble(tree_ensemble_handle: resource, stamp_token: int64, next_stamp_token: int64, "
    "learning_rate: float, dropout_seed: int64, max_tree_depth: int32, weak_learner_type: int32, "
    "partition_ids: num_handlers * int32, gains: num_handlers * float, splits: num_handlers * string, *, "
    "learner_config: string, num_handlers: int >= 0, center_bias: bool) -> ()", on="host", grad=STOP)
def grow_tree_ensemble(tree_ensemble_handle, stamp_token, next_stamp_token, learning_rate, dropout_seed,
                       max_tree_depth, weak_learner_type, partition_ids, gains, splits, learner_config, center_bias):
    """Splits the leaves of the tree that grows, or of a new one, by the best of what all handlers offer."""
    learner = learner_of(learner_config)
    is_oblivious = int(weak_learner_type) == _messages.LearnerConfig.OBLIVIOUS_DECISION_TREE
    with tree_ensemble_handle.lock:
        tree_ensemble_handle.advance(stamp_token, next_stamp_token)
        growth = _Growth(tree_ensemble_handle, learner, float(learning_rate))
        kind = _messages.ObliviousSplitInfo if is_oblivious else _messages.SplitInfo
        candidates = list(_candidates(kind, partition_ids, gains, splits, not growth.prunes_later))
        metadata = tree_ensemble_handle.message.growing_metadata
        metadata.num_layers_attempted += 1
        if not growth.start(bool(candidates)):
            return
        used = growth.split_layer(candidates) if is_oblivious else growth.split_nodes(candidates)
        if learner.constraints.max_number_of_unique_feature_columns:
            known = sorted(used | set(metadata.used_handler_ids))
            del metadata.used_handler_ids[:]
            metadata.used_handler_ids.extend(known)
        growth.count_layer(int(max_tree_depth), int(dropout_seed), center_bias)


@op("CenterTreeEnsembleBias(tree_ensemble_handle: resource, stamp_token: int64, next_stamp_token: int64, "
    "delta_updates: float, *, learner_config: string, centering_epsilon: float = 0.01) -> continue_centering: bool",
    on="host", grad=STOP, shape=scalar)
def center_tree_ensemble_bias(tree_ensemble_handle, stamp_token, next_stamp_token, delta_updates, centering_epsilon):
    """Adds to the bias, the first tree, which is final when it changes by less than epsilon."""
    with tree_ensemble_handle.lock:
        tree_ensemble_handle.advance(stamp_token, next_stamp_token)
        message = tree_ensemble_handle.message
        if not message.trees:
            message.trees.add().nodes.add().leaf.vector.value.extend([0.0] * len(delta_updates))
            message.tree_weights.append(1.0)
            message.tree_metadata.add(num_layers_grown=1)
            message.growing_metadata.num_trees_attempted += 1
            message.growing_metadata.num_layers_attempted += 1
        values = message.trees[0].nodes[0].leaf.vector.value
        if len(message.trees) > 1 or len(values) != len(delta_updates):
            raise invalid(f"the bias has {len(values)} numbers in an ensemble of {len(message.trees)} trees, and "
                          f"{len(delta_updates)} are added")
        values[:] = (np.array(values, np.float32) + delta_updates).tolist()
        goes_on = bool((np.abs(delta_updates) > centering_epsilon).any())
        message.tree_metadata[0].is_finalized = not goes_on
        return np.bool_(goes_on)
