"""Ops that sum gradients and hessians by node and bucket, and that sort values into buckets."""

from __future__ import annotations

import numpy as np

from evergraph.base.errors import invalid
from evergraph.graph.opdef import STOP, op
from evergraph.graph.shaping import merge_size, with_rank
from evergraph.ops.trees.ensemble import MISSING


@op("BoostedTreesBucketize(float_values: num_features * float, bucket_boundaries: num_features * float, *, "
    "num_features: int >= 0) -> buckets: num_features * int32", on="host", grad=STOP)
def boosted_trees_bucketize(float_values, bucket_boundaries):
    """Sorts each feature's values into buckets; the last bucket also holds what lies above the last boundary."""
    return [np.minimum(np.searchsorted(boundaries, values), max(len(boundaries) - 1, 0)).astype(np.int32)
            for values, boundaries in zip(float_values, bucket_boundaries, strict=True)]


@boosted_trees_bucketize.shape
def _(float_values, bucket_boundaries):
    for each in bucket_boundaries:
        with_rank(each, 1)
    size = None
    for each in float_values:
        size = merge_size(size, with_rank(each, 1)[0])
    return [(size,) for _ in float_values]


def _summed(shape, cells, rows):
    """Sums of rows by cell, added up in double precision as TensorFlow does.

    Args:
        shape: the shape of the sums without their last axis.
        cells: indices of cells, one array an axis, of as many elements as there are rows.
        rows: a matrix; the last axis of the result has its columns.
    """
    flat, size = np.ravel_multi_index(cells, shape), int(np.prod(shape))
    columns = [np.bincount(flat, column, size) for column in rows.T]
    return np.stack(columns, axis=-1).reshape(*shape, len(columns))


def _check_range(values, size, what):
    if values.size and (values.min() < 0 or values.max() >= size):
        raise invalid(f"{what} must lie in [0, {size}), but are from {values.min()} to {values.max()}")


@op("BoostedTreesMakeStatsSummary(node_ids: int32, gradients: float, hessians: float, "
    "bucketized_features_list: num_features * int32, *, max_splits: int >= 1, num_buckets: int >= 1, "
    "num_features: int >= 1) -> stats_summary: float", on="host", grad=STOP)
def boosted_trees_make_stats_summary(node_ids, gradients, hessians, bucketized_features_list, max_splits, num_buckets):
    """Sums of gradients and hessians: [feature, node, bucket, 2]."""
    _check_range(node_ids, max_splits, "node_ids")
    shape = (len(bucketized_features_list), max_splits, num_buckets)
    # TensorFlow does not compare buckets with their number: one too many counts as the first bucket of the next node.
    # Its estimators have such buckets: sketches of 100 quantiles often have 101 boundaries.
    cells = (np.arange(shape[0])[:, None] * max_splits + node_ids) * num_buckets + np.stack(bucketized_features_list)
    inside = np.flatnonzero(cells < np.prod(shape))
    pairs = np.tile(np.concatenate([gradients, hessians], axis=1), (shape[0], 1))
    sums = _summed((int(np.prod(shape)),), (cells.ravel()[inside],), pairs[inside])
    return sums.reshape(*shape, 2).astype(np.float32)


@boosted_trees_make_stats_summary.shape
def _(node_ids, gradients, hessians, bucketized_features_list, max_splits, num_buckets):
    size = with_rank(node_ids, 1)[0]
    for each in (gradients, hessians):
        size = merge_size(size, with_rank(each, 2)[0])
    for each in bucketized_features_list:
        size = merge_size(size, with_rank(each, 1)[0])
    return (len(bucketized_features_list), max_splits, num_buckets, 2)


@op("BoostedTreesAggregateStats(node_ids: int32, gradients: float, hessians: float, feature: int32, *, "
    "max_splits: int >= 1, num_buckets: int >= 1) -> stats_summary: float", on="host", grad=STOP)
def boosted_trees_aggregate_stats(node_ids, gradients, hessians, feature, max_splits, num_buckets):
    """Sums of gradients and hessians: [node, dimension, bucket, stats]; one bucket more holds missing values."""
    _check_range(node_ids, max_splits, "node_ids")
    buckets = np.where(feature == MISSING, num_buckets, feature)
    _check_range(buckets, num_buckets + 1, "buckets")
    stats = np.concatenate([gradients, hessians], axis=1)
    dimensions = feature.shape[1]
    cells = np.broadcast_arrays(node_ids[:, None], np.arange(dimensions), buckets)
    sums = _summed((max_splits, dimensions, num_buckets + 1), [each.ravel() for each in cells],
                   np.repeat(stats, dimensions, axis=0))
    return sums.astype(np.float32)


@boosted_trees_aggregate_stats.shape
def _(node_ids, gradients, hessians, feature, max_splits, num_buckets):
    size = with_rank(node_ids, 1)[0]
    gradients, hessians, feature = (with_rank(each, 2) for each in (gradients, hessians, feature))
    for each in (gradients, hessians, feature):
        size = merge_size(size, each[0])
    known = gradients[1] is not None and hessians[1] is not None
    return (max_splits, feature[1], num_buckets + 1, gradients[1] + hessians[1] if known else None)


@op("BoostedTreesSparseAggregateStats(node_ids: int32, gradients: float, hessians: float, feature_indices: int32, "
    "feature_values: int32, feature_shape: int32, *, max_splits: int >= 1, num_buckets: int >= 1) -> "
    "stats_summary_indices: int32, stats_summary_values: float, stats_summary_shape: int32", on="host", grad=STOP)
def boosted_trees_sparse_aggregate_stats(node_ids, gradients, hessians, feature_indices, feature_values, feature_shape,
                                         max_splits, num_buckets):
    """As AggregateStats for a sparse matrix of buckets: the indices, values and shape of a sparse tensor of sums."""
    stats = np.concatenate([gradients, hessians], axis=1)
    dimensions = int(feature_shape[1])
    shape = (max_splits, dimensions, num_buckets + 1, stats.shape[1])
    examples, columns = feature_indices[:, 0], feature_indices[:, 1]
    _check_range(node_ids, max_splits, "node_ids")
    _check_range(feature_values, num_buckets, "buckets")
    sums = _summed(shape[:3], (node_ids[examples], columns, feature_values), stats[examples])
    total = _summed((max_splits,), (node_ids,), stats)
    missing = np.ones((len(node_ids), dimensions), bool)
    missing[examples, columns] = False
    used = np.zeros(shape[:3], bool)
    used[node_ids[examples], columns, feature_values] = True
    without, lacking = np.nonzero(missing)
    used[node_ids[without], lacking, num_buckets] = True
    sums[:, :, num_buckets] = total[:, None] - sums[:, :, :num_buckets].sum(axis=2)
    cells = np.argwhere(used)
    indices = np.concatenate([np.repeat(cells, shape[3], axis=0),
                              np.tile(np.arange(shape[3]), len(cells))[:, None]], axis=1).astype(np.int32)
    return indices, sums[tuple(indices.T)].astype(np.float32), np.array(shape, np.int32)


@boosted_trees_sparse_aggregate_stats.shape
def _(node_ids, gradients, hessians):
    size = with_rank(node_ids, 1)[0]
    for each in (gradients, hessians):
        size = merge_size(size, with_rank(each, 2)[0])
    return [(None, 4), (None,), (4,)]
