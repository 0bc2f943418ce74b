"""Ops that find the best split of each node from sums of gradients and hessians."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from evergraph.base.errors import UnimplementedError, invalid
from evergraph.graph.opdef import STOP, op
from evergraph.graph.shaping import require_rank, with_rank
from evergraph.ops.math.linalg import pseudo_inverse

DEFAULT_LEFT, DEFAULT_RIGHT = b"INEQUALITY_DEFAULT_LEFT", b"INEQUALITY_DEFAULT_RIGHT"
EQUALITY = b"EQUALITY_DEFAULT_RIGHT"
_TINY = np.float32(1e-15)


@dataclass(frozen=True)
class Penalty:
    """Regularization of the logits of a leaf."""

    l1: np.float32
    l2: np.float32


def weights_and_gains(gradients, hessians, penalty):
    """The logits that minimize the regularized loss of leaves, and by how much they lower it (times two).

    Args:
        gradients: [..., logits].
        hessians: [..., logits], the diagonal of the hessian, or [..., logits * logits].
        penalty: the regularization; l1 acts on a single logit only.
    """
    logits = gradients.shape[-1]
    if hessians.shape[-1] != logits:
        return _full_weights_and_gains(gradients, hessians, penalty)
    curvature = hessians + penalty.l2
    flat = np.abs(curvature) <= _TINY if logits > 1 else curvature <= _TINY
    if logits == 1 and penalty.l1 > 0:
        flat |= np.abs(gradients) <= penalty.l1
        gradients = np.sign(gradients) * np.maximum(np.abs(gradients) - penalty.l1, np.float32(0))
    weights = np.where(flat, np.float32(0), -gradients / np.where(flat, np.float32(1), curvature))
    return weights, (-gradients * weights).sum(axis=-1)


def _full_weights_and_gains(gradients, hessians, penalty):
    logits = gradients.shape[-1]
    matrices = hessians.reshape(*hessians.shape[:-1], logits, logits) + penalty.l2 * np.eye(logits, dtype=np.float32)
    try:
        weights = -np.linalg.solve(matrices, gradients[..., None])[..., 0]
    except np.linalg.LinAlgError:  # some have no inverse, such as those of empty buckets
        weights = -(pseudo_inverse(np, matrices) @ gradients[..., None])[..., 0]
    return weights, -(gradients * weights).sum(axis=-1)


def _numbers(**values):
    """Scalars as float32; negative ones are refused."""
    for name, value in values.items():
        if value < 0:
            raise invalid(f"{name} must not be negative, but is {value}")
    return [np.float32(value) for value in values.values()]


def _node_range(node_id_range, stats):
    first, last = (int(each) for each in node_id_range)
    if not 0 <= first <= last <= len(stats):
        raise invalid(f"the nodes [{first}, {last}) are not among the {len(stats)} of the statistics")
    return np.arange(first, last, dtype=np.int32)


# ---- one feature of one dimension, no missing values


@op("BoostedTreesCalculateBestGainsPerFeature(node_id_range: int32, stats_summary_list: num_features * float, "
    "l1: float, l2: float, tree_complexity: float, min_node_weight: float, *, max_splits: int >= 1, "
    "num_features: int >= 1) -> node_ids_list: num_features * int32, gains_list: num_features * float, "
    "thresholds_list: num_features * int32, left_node_contribs_list: num_features * float, "
    "right_node_contribs_list: num_features * float", on="host", grad=STOP)
def boosted_trees_calculate_best_gains_per_feature(node_id_range, stats_summary_list, l1, l2, tree_complexity,
                                                   min_node_weight):
    """The best split of each node in each feature: gain, bucket, and the logits of both children."""
    l1, l2, tree_complexity, min_node_weight = _numbers(
        l1=l1, l2=l2, tree_complexity=tree_complexity, min_node_weight=min_node_weight)
    found = [_best_buckets(_node_range(node_id_range, each), each, Penalty(l1, l2), tree_complexity, min_node_weight)
             for each in stats_summary_list]
    return tuple(list(each) for each in zip(*found, strict=True))


def _best_buckets(nodes, stats, penalty, tree_complexity, min_node_weight):
    left = np.cumsum(stats[nodes], axis=1, dtype=np.float32)
    total = left[:, -1]
    heavy = total[:, 1] >= min_node_weight
    nodes, left, total = nodes[heavy], left[heavy], total[heavy][:, None]
    right = total - left
    _, parent = weights_and_gains(total[..., :1], total[..., 1:], penalty)
    left_weights, left_gains = weights_and_gains(left[..., :1], left[..., 1:], penalty)
    right_weights, right_gains = weights_and_gains(right[..., :1], right[..., 1:], penalty)
    gains = left_gains + right_gains
    best, rows = gains.argmax(axis=1), np.arange(len(nodes))
    gain = gains[rows, best] - parent[:, 0] - tree_complexity
    return nodes, gain, best.astype(np.int32), left_weights[rows, best], right_weights[rows, best]


@boosted_trees_calculate_best_gains_per_feature.shape
def _(node_id_range, stats_summary_list, l1, l2, tree_complexity, min_node_weight):
    _check_shapes(node_id_range, l1, l2, tree_complexity, min_node_weight)
    for each in stats_summary_list:
        with_rank(each, 3)
    count = len(stats_summary_list)
    return ([(None,)] * (3 * count)) + [(None, 1)] * (2 * count)


def _check_shapes(node_id_range, *scalars):
    size = with_rank(node_id_range, 1)[0]
    if size not in (None, 2):
        raise ValueError(f"node_id_range must have 2 elements, but has {size}")
    for each in scalars:
        require_rank(each, 0)


# ---- a feature of several dimensions, with a bucket of missing values


def _left_of_candidates(stats, ways):
    """The sums left of each candidate: [node, dimension, way, bucket, stats]."""
    values, missing = stats[:, :, :-1], stats[:, :, -1:]
    below = np.cumsum(values, axis=2, dtype=np.float32)
    sums = {DEFAULT_LEFT: below + missing, DEFAULT_RIGHT: below, EQUALITY: values}
    return np.stack([sums[way] for way in ways], axis=2)


def _best_splits(nodes, stats, logits, ways, penalty, tree_complexity, min_node_weight, is_candidate=None):
    """The best split of each node over the dimensions of a feature.

    Args:
        nodes: their ids.
        stats: the statistics of these nodes, [node, dimension, bucket, stats].
        logits: how many of the statistics are gradients.
        ways: the kinds of splits, the one that wins a tie first.
        penalty, tree_complexity, min_node_weight: the op's.
        is_candidate: the buckets that can be thresholds, [node, dimension, bucket]; None for all that hold values.
    """
    total = stats[:, 0].sum(axis=1, dtype=np.float32)
    heavy = _weight(total[:, logits:], logits) >= min_node_weight
    nodes, stats, total = nodes[heavy], stats[heavy], total[heavy][:, None, None, None]
    left = _left_of_candidates(stats, ways)
    right = total - left
    _, parent = weights_and_gains(total[..., :logits], total[..., logits:], penalty)
    left_weights, left_gains = weights_and_gains(left[..., :logits], left[..., logits:], penalty)
    right_weights, right_gains = weights_and_gains(right[..., :logits], right[..., logits:], penalty)
    gains = left_gains + right_gains
    if is_candidate is not None:
        gains = np.where(is_candidate[heavy][:, :, None, :-1], gains, -np.inf).astype(np.float32)
    flat = gains.reshape(len(nodes), int(np.prod(gains.shape[1:]))).argmax(axis=1)
    dimension, way, bucket = np.unravel_index(flat, gains.shape[1:])
    best = (np.arange(len(nodes)), dimension, way, bucket)
    return (nodes, gains[best] - parent[:, 0, 0, 0] - tree_complexity, dimension.astype(np.int32),
            bucket.astype(np.int32), left_weights[best], right_weights[best],
            np.array(ways, object)[way])


def _weight(hessians, logits):
    """How much weight nodes have: their hessian, or the norm of it where there are several logits."""
    return hessians[:, 0] if logits == 1 else np.linalg.norm(hessians, axis=1)


_FOUND = ("node_ids: int32, gains: float, feature_dimensions: int32, thresholds: int32, left_node_contribs: float, "
          "right_node_contribs: float, split_with_default_directions: string")


def _found_shapes(logits):
    return [(None,)] * 4 + [(None, logits)] * 2 + [(None,)]


@op("BoostedTreesCalculateBestFeatureSplit(node_id_range: int32, stats_summary: float, l1: float, l2: float, "
    "tree_complexity: float, min_node_weight: float, *, logits_dimension: int >= 1, "
    f"split_type: {{'inequality', 'equality'}} = 'inequality') -> {_FOUND}", on="host", grad=STOP)
def boosted_trees_calculate_best_feature_split(node_id_range, stats_summary, l1, l2, tree_complexity, min_node_weight,
                                               logits_dimension, split_type):
    """The best split of each node in a feature: gain, dimension, bucket, logits of both children, kind of split."""
    l1, l2, tree_complexity, min_node_weight = _numbers(
        l1=l1, l2=l2, tree_complexity=tree_complexity, min_node_weight=min_node_weight)
    nodes = _node_range(node_id_range, stats_summary)
    ways = [EQUALITY] if split_type == "equality" else [DEFAULT_LEFT, DEFAULT_RIGHT]
    return _best_splits(nodes, stats_summary[nodes], logits_dimension, ways, Penalty(l1, l2), tree_complexity,
                        min_node_weight)


@boosted_trees_calculate_best_feature_split.shape
def _(node_id_range, stats_summary, l1, l2, tree_complexity, min_node_weight, logits_dimension):
    _check_shapes(node_id_range, l1, l2, tree_complexity, min_node_weight)
    with_rank(stats_summary, 4)
    return _found_shapes(logits_dimension)


@op("BoostedTreesSparseCalculateBestFeatureSplit(node_id_range: int32, stats_summary_indices: int32, "
    "stats_summary_values: float, stats_summary_shape: int32, l1: float, l2: float, tree_complexity: float, "
    "min_node_weight: float, *, logits_dimension: int >= 1, split_type: {'inequality'} = 'inequality') -> "
    f"{_FOUND}", on="host", grad=STOP)
def boosted_trees_sparse_calculate_best_feature_split(node_id_range, stats_summary_indices, stats_summary_values,
                                                      stats_summary_shape, l1, l2, tree_complexity, min_node_weight,
                                                      logits_dimension):
    """As CalculateBestFeatureSplit for sparse statistics: splits nodes that have some, at buckets that have some."""
    if logits_dimension != 1:
        raise UnimplementedError(None, None, "BoostedTreesSparseCalculateBestFeatureSplit splits for one logit, but "
                                 f"logits_dimension is {logits_dimension}")
    l1, l2, tree_complexity, min_node_weight = _numbers(
        l1=l1, l2=l2, tree_complexity=tree_complexity, min_node_weight=min_node_weight)
    stats = np.zeros(stats_summary_shape, np.float32)
    stats[tuple(stats_summary_indices.T)] = stats_summary_values
    _node_range(node_id_range, stats)
    present = np.zeros(stats.shape[:3], bool)
    present[tuple(stats_summary_indices.T[:3])] = True
    nodes = np.unique(stats_summary_indices[:, 0])
    return _best_splits(nodes, stats[nodes], logits_dimension, [DEFAULT_RIGHT, DEFAULT_LEFT], Penalty(l1, l2),
                        tree_complexity, min_node_weight, present[nodes])


@boosted_trees_sparse_calculate_best_feature_split.shape
def _(node_id_range, stats_summary_indices, stats_summary_values, stats_summary_shape, l1, l2, tree_complexity,
      min_node_weight, logits_dimension):
    _check_shapes(node_id_range, l1, l2, tree_complexity, min_node_weight)
    with_rank(stats_summary_indices, 2)
    with_rank(stats_summary_values, 1)
    with_rank(stats_summary_shape, 1)
    return _found_shapes(logits_dimension)
