"""Ops of contrib's boosted trees that find the best split of every node by one feature column."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from evergraph import proto
from evergraph.graph.opdef import STOP, op
from evergraph.ops.trees.splits import Penalty, weights_and_gains

_OBLIVIOUS = 1  # LearnerConfig.OBLIVIOUS_DECISION_TREE
_SAME = 1e-4  # relative: sums of float32 that differ by less are equal
_SCALARS = ("class_id: int32, feature_column_group_id: int32, {}l1_regularization: float, l2_regularization: float, "
            "tree_complexity_regularization: float, min_node_weight: float, multiclass_strategy: int32")
_FOUND = "output_partition_ids: int32, gains: float, split_infos: string"
_BIAS = "bias_feature_id: int64, "


@dataclass(frozen=True)
class _Rules:
    """How gains are computed, and what messages of leaves look like."""

    class_id: int
    group: int
    penalty: Penalty
    complexity: float
    least: float

    def solved(self, gradients: np.ndarray, hessians: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(weights, gain) of a node; nothing for one that is too light."""
        heavy = hessians if hessians.size == 1 else np.linalg.norm(hessians)
        if float(np.sum(heavy)) < self.least or not hessians.any():
            # Without examples a leaf of several classes has no weights at all.
            return np.zeros(1 if hessians.size == 1 else 0, np.float32), np.float32(0)
        weights, gain = weights_and_gains(gradients.astype(np.float32), hessians.reshape(-1).astype(np.float32),
                                          self.penalty)
        return weights, gain

    def leaf(self, weights: np.ndarray) -> Any:
        messages = proto.contrib_trees_pb2
        if self.class_id < 0:
            return messages.Leaf(vector=messages.Vector(value=weights.tolist()))
        return messages.Leaf(sparse_vector=messages.SparseVector(index=[self.class_id], value=weights[:1].tolist()))


@dataclass(frozen=True)
class _Split:
    """A split of a node: its gain, the weights of its children, and what it tests."""

    gain: float
    left: np.ndarray
    right: np.ndarray
    test: Any


def _split(rules, total, root_gain, left, test):
    """The split whose left child has these sums."""
    right = total[0] - left[0], total[1] - left[1]
    left_weights, left_gain = rules.solved(*left)
    right_weights, right_gain = rules.solved(*right)
    return _Split(float(left_gain + right_gain - root_gain), left_weights, right_weights, test)


def _rules(class_id, group, l1, l2, complexity, least):
    return _Rules(int(class_id), int(group), Penalty(np.float32(l1), np.float32(l2)), float(complexity), float(least))


class _Stats:
    """Statistics of an example by partition, as sums (gradients, hessians) by (feature, dimension)."""

    def __init__(self, count, partitions, features, gradients, hessians):
        times = max(int(count), 1)
        self.by_partition: dict[int, dict[tuple[int, int], tuple[np.ndarray, np.ndarray]]] = {}
        if not len(partitions):
            return
        gradients = (gradients / np.float32(times)).reshape(len(partitions), -1)
        hessians = (hessians / np.float32(times)).reshape(len(partitions), -1)
        for partition, feature, gradient, hessian in zip(partitions.tolist(), features.tolist(), gradients, hessians):
            self.by_partition.setdefault(partition, {})[(feature[0], feature[1] if len(feature) > 1 else 0)] = (
                gradient, hessian)

    @staticmethod
    def total(sums):
        """The sums of several features."""
        listed = list(sums)
        return sum(each[0] for each in listed), sum(each[1] for each in listed)


def _result(found):
    """The outputs, from (partition, gain, message) of each split."""
    return (np.array([each[0] for each in found], np.int32), np.array([each[1] for each in found], np.float32),
            np.array([each[2].SerializeToString() for each in found] or [], object))


def _ordinary(rules, partition, split):
    message = proto.contrib_trees_pb2.SplitInfo(split_node=split.test, left_child=rules.leaf(split.left),
                                                right_child=rules.leaf(split.right))
    return partition, split.gain - rules.complexity, message


def _oblivious(rules, stats, lefts, test_of, bias=None):
    """One split for all partitions: the candidate with the greatest sum of gains.

    Args:
        rules: how gains are computed.
        stats: the statistics.
        lefts: a function from sums of a partition and a candidate to the sums of the left child.
        test_of: from a candidate to the message of the test.
        bias: the feature that has the sums of all examples; None if these are the sums of all features.
    """
    parts = {partition: (sums, _Stats.total(each for (feature, _), each in sums.items() if bias in (None, feature)))
             for partition, sums in stats.by_partition.items()}
    candidates = sorted({feature for sums in stats.by_partition.values() for feature, _ in sums if feature != bias})
    best = None
    for candidate in candidates:
        splits = [_split(rules, total, rules.solved(*total)[1], lefts(sums, candidate, total), None)
                  for sums, total in parts.values()]
        gain = sum(each.gain for each in splits)
        if best is None or gain > best[0]:
            best = gain, candidate, splits
    if best is None:
        return _result([])
    gain, candidate, splits = best
    message = proto.contrib_trees_pb2.ObliviousSplitInfo(
        split_node=test_of(candidate), children_parent_id=list(parts),
        children=[rules.leaf(weights) for each in splits for weights in (each.left, each.right)])
    return (np.array(list(parts), np.int32), np.array([gain - rules.complexity], np.float32),
            np.array([message.SerializeToString()], object))


def _nothing_like(total):
    return np.zeros_like(total[0]), np.zeros_like(total[1])


def _shapes():
    return [(None,), (None,), (None,)]


@op("BuildDenseInequalitySplits(num_minibatches: int64, partition_ids: int32, bucket_ids: int64, gradients: float, "
    f"hessians: float, bucket_boundaries: float, {_SCALARS.format('')}, weak_learner_type: int32) -> {_FOUND}",
    on="host", grad=STOP, shape=_shapes)
def build_dense_inequality_splits(num_minibatches, partition_ids, bucket_ids, gradients, hessians, bucket_boundaries,
                                  class_id, feature_column_group_id, l1_regularization, l2_regularization,
                                  tree_complexity_regularization, min_node_weight, weak_learner_type):
    """The best threshold of every node by a dense column."""
    rules = _rules(class_id, feature_column_group_id, l1_regularization, l2_regularization,
                   tree_complexity_regularization, min_node_weight)
    stats = _Stats(num_minibatches, partition_ids, bucket_ids, gradients, hessians)
    messages = proto.contrib_trees_pb2
    if int(weak_learner_type) == _OBLIVIOUS:
        return _oblivious(
            rules, stats,
            lambda sums, bucket, total: _Stats.total([_nothing_like(total), *(
                each for (feature, _), each in sums.items() if feature <= bucket)]),
            lambda bucket: messages.TreeNode(oblivious_dense_float_binary_split=messages.ObliviousDenseFloatBinarySplit(
                feature_column=rules.group, threshold=float(bucket_boundaries[bucket]))))
    found: list[Any] = []
    for partition, sums in stats.by_partition.items() if len(bucket_boundaries) else ():
        total, left = _Stats.total(sums.values()), None
        root_gain, best = rules.solved(*total)[1], None
        for (bucket, _), each in sorted(sums.items()):
            left = each if left is None else (left[0] + each[0], left[1] + each[1])
            test = messages.TreeNode(dense_float_binary_split=messages.DenseFloatBinarySplit(
                feature_column=rules.group, threshold=float(bucket_boundaries[bucket])))
            split = _split(rules, total, root_gain, left, test)
            if best is None or split.gain > best.gain:
                best = split
        found.append(_ordinary(rules, partition, best))
    return _result(found)


def _sparse_test(rules, threshold, dimension, goes_left):
    messages = proto.contrib_trees_pb2
    split = messages.DenseFloatBinarySplit(feature_column=rules.group, threshold=float(threshold),
                                           dimension_id=dimension)
    if goes_left:
        return messages.TreeNode(sparse_float_binary_split_default_left={"split": split})
    return messages.TreeNode(sparse_float_binary_split_default_right={"split": split})


@op("BuildSparseInequalitySplits(num_minibatches: int64, partition_ids: int32, bucket_ids: int64, gradients: float, "
    f"hessians: float, bucket_boundaries: float, {_SCALARS.format(_BIAS)}) -> {_FOUND}", on="host", grad=STOP,
    shape=_shapes)
def build_sparse_inequality_splits(num_minibatches, partition_ids, bucket_ids, gradients, hessians, bucket_boundaries,
                                   class_id, feature_column_group_id, bias_feature_id, l1_regularization,
                                   l2_regularization, tree_complexity_regularization, min_node_weight):
    """The best threshold of every node by a sparse column, and where examples go that have no value."""
    rules = _rules(class_id, feature_column_group_id, l1_regularization, l2_regularization,
                   tree_complexity_regularization, min_node_weight)
    found: list[Any] = []
    stats = _Stats(num_minibatches, partition_ids, bucket_ids, gradients, hessians)
    for partition, sums in stats.by_partition.items() if len(bucket_boundaries) else ():
        total = next((each for (bucket, _), each in sums.items() if bucket == int(bias_feature_id)), None)
        if total is None:
            continue
        root_gain, best = rules.solved(*total)[1], None
        for dimension in sorted({place for bucket, place in sums if bucket != int(bias_feature_id)}):
            present = sorted((bucket, each) for (bucket, place), each in sums.items()
                             if place == dimension and bucket != int(bias_feature_id))
            best = _best_of_dimension(rules, total, root_gain, present, dimension, bucket_boundaries, best)
        if best is not None:
            found.append(_ordinary(rules, partition, best))
    return _result(found)


def _best_of_dimension(rules, total, root_gain, present, dimension, boundaries, best):
    """The best split by one dimension, or the one that was the best before."""
    known = _Stats.total(each for _, each in present)
    missing = total[0] - known[0], total[1] - known[1]
    is_sparse = any(not np.allclose(have, whole, rtol=_SAME, atol=1e-7) for have, whole in zip(known, total))
    for goes_left in (True, False) if is_sparse else (True,):
        left = missing if goes_left else _nothing_like(total)
        for bucket, each in present:
            left = left[0] + each[0], left[1] + each[1]
            split = _split(rules, total, root_gain, left, (boundaries[bucket], dimension, goes_left))
            if best is None or split.gain > best.gain + 1e-7:
                best = _Split(split.gain, split.left, split.right, _sparse_test(rules, *split.test))
    return best


@op("BuildCategoricalEqualitySplits(num_minibatches: int64, partition_ids: int32, feature_ids: int64, "
    f"gradients: float, hessians: float, {_SCALARS.format(_BIAS)}, weak_learner_type: int32) -> {_FOUND}", on="host",
    grad=STOP, shape=_shapes)
def build_categorical_equality_splits(num_minibatches, partition_ids, feature_ids, gradients, hessians, class_id,
                                      feature_column_group_id, bias_feature_id, l1_regularization, l2_regularization,
                                      tree_complexity_regularization, min_node_weight, weak_learner_type):
    """The category of every node that tells examples apart best, by a categorical column."""
    rules = _rules(class_id, feature_column_group_id, l1_regularization, l2_regularization,
                   tree_complexity_regularization, min_node_weight)
    stats = _Stats(num_minibatches, partition_ids, feature_ids, gradients, hessians)
    messages, bias = proto.contrib_trees_pb2, int(bias_feature_id)
    if int(weak_learner_type) == _OBLIVIOUS:
        return _oblivious(
            rules, stats,
            lambda sums, feature, total: next((each for (one, _), each in sums.items() if one == feature),
                                              _nothing_like(total)),
            lambda feature: messages.TreeNode(
                oblivious_categorical_id_binary_split=messages.ObliviousCategoricalIdBinarySplit(
                    feature_column=rules.group, feature_id=feature)), bias)
    found = []
    for partition, sums in stats.by_partition.items():
        total = next((each for (feature, _), each in sums.items() if feature == bias), None)
        if total is None:
            continue
        root_gain, best = rules.solved(*total)[1], None
        for (feature, _), each in sorted(sums.items(), key=lambda item: item[0]):
            if feature == bias:
                continue
            test = messages.TreeNode(categorical_id_binary_split=messages.CategoricalIdBinarySplit(
                feature_column=rules.group, feature_id=feature))
            split = _split(rules, total, root_gain, each, test)
            if best is None or split.gain > best.gain:
                best = split
        if best is not None:
            found.append(_ordinary(rules, partition, best))
    return _result(found)
