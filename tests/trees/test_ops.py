"""What TensorFlow 1.15 gives where later versions differ; the numbers here are its own."""

import numpy as np
import pytest

import evergraph as tf
from evergraph.proto import boosted_trees_pb2


def ensemble(session, **trees):
    """A handle of an ensemble that holds the trees given as fields of a TreeEnsemble."""
    handle = tf.raw_ops.BoostedTreesEnsembleResourceHandleOp()
    serialized = boosted_trees_pb2.TreeEnsemble(**trees).SerializeToString()
    session.run(tf.raw_ops.BoostedTreesCreateEnsemble(tree_ensemble_handle=handle, stamp_token=np.int64(0),
                                                      tree_ensemble_serialized=serialized))
    return handle


def split(feature, threshold, left, right, kind="bucketized_split", bias=0.0):
    name = "value" if kind == "categorical_split" else "threshold"
    return {kind: {"feature_id": feature, name: threshold, "left_id": left, "right_id": right},
            "metadata": {"gain": 1.0, "original_leaf": {"scalar": bias}}}


def leaf(value):
    return {"leaf": {"scalar": value}}


def grow(session, handle, nodes, kind):
    count = len(nodes)
    session.run(tf.raw_ops.BoostedTreesUpdateEnsembleV2(
        tree_ensemble_handle=handle, feature_ids=[0, 1], dimension_ids=[[0] * count, [1] * count],
        node_ids=[nodes, nodes], gains=[[0.5] * count, [0.75] * count], thresholds=[[2] * count, [3] * count],
        left_node_contribs=[[[0.1]] * count, [[0.3]] * count], right_node_contribs=[[[0.2]] * count, [[0.4]] * count],
        split_types=[[kind] * count] * 2, max_depth=3, learning_rate=0.5, pruning_mode=0))


def test_kinds_of_splits(session):
    handle = ensemble(session)
    grow(session, handle, [0], "INEQUALITY_DEFAULT_RIGHT")
    grow(session, handle, [1, 2], "EQUALITY_DEFAULT_RIGHT")
    stamp, serialized = session.run(tf.raw_ops.BoostedTreesSerializeEnsemble(tree_ensemble_handle=handle))
    nodes = boosted_trees_pb2.TreeEnsemble.FromString(serialized).trees[0].nodes
    assert stamp == 2
    assert nodes[0].bucketized_split == boosted_trees_pb2.BucketizedSplit(
        feature_id=1, threshold=3, dimension_id=1, left_id=1, right_id=2, default_direction="DEFAULT_RIGHT")
    assert nodes[2].categorical_split == boosted_trees_pb2.CategoricalSplit(
        feature_id=1, value=3, dimension_id=1, left_id=5, right_id=6)
    assert not nodes[0].metadata.HasField("original_leaf")
    assert [each.leaf.scalar for each in nodes[3:]] == pytest.approx([0.3, 0.35, 0.35, 0.4])


def test_of_equal_gains_the_lowest_feature_wins(session):
    handle = ensemble(session)
    session.run(tf.raw_ops.BoostedTreesUpdateEnsemble(
        tree_ensemble_handle=handle, feature_ids=[5, 2], node_ids=[[0], [0]], gains=[[0.5], [0.5]],
        thresholds=[[1], [2]], left_node_contribs=[[[0.1]]] * 2, right_node_contribs=[[[0.2]]] * 2, max_depth=2,
        learning_rate=1.0, pruning_mode=0))
    _, serialized = session.run(tf.raw_ops.BoostedTreesSerializeEnsemble(tree_ensemble_handle=handle))
    assert boosted_trees_pb2.TreeEnsemble.FromString(serialized).trees[0].nodes[0].bucketized_split.feature_id == 2


def test_missing_values_go_left(session):
    root = split(0, 3, 1, 2)
    root["bucketized_split"]["default_direction"] = "DEFAULT_RIGHT"
    handle = ensemble(session, trees=[{"nodes": [root, leaf(1.0), leaf(2.0)]}], tree_weights=[1.0], tree_metadata=[{}])
    logits = tf.raw_ops.BoostedTreesPredict(tree_ensemble_handle=handle, bucketized_features=[[-1, 3, 4]],
                                            logits_dimension=1)
    assert session.run(logits).ravel().tolist() == [1.0, 1.0, 2.0]


def test_explanations(session):
    handle = ensemble(
        session, tree_weights=[1.0, 0.5], tree_metadata=[{}, {}],
        trees=[{"nodes": [split(1, 3, 1, 2, bias=0.25), leaf(1.0), split(0, 2, 3, 4, "categorical_split", bias=0.5),
                          leaf(2.0), leaf(3.0)]},
               {"nodes": [split(0, 1, 1, 2), leaf(-1.0), leaf(-2.0)]}])
    outputs = session.run(tf.raw_ops.BoostedTreesExampleDebugOutputs(
        tree_ensemble_handle=handle, bucketized_features=[[0, 2], [1, 9]], logits_dimension=1))
    first, second = (boosted_trees_pb2.DebugOutput.FromString(each) for each in outputs)
    assert list(first.feature_ids) == [1, 0]
    assert list(first.logits_path) == [0.25, 1.0, 0.5]
    assert list(second.feature_ids) == [1, 0, 0]
    assert list(second.logits_path) == [0.25, 0.5, 2.0, 1.0]


def test_boundaries_of_buckets(session):
    handle = tf.raw_ops.BoostedTreesQuantileStreamResourceHandleOp()
    session.run(tf.raw_ops.BoostedTreesCreateQuantileStreamResource(
        quantile_stream_resource_handle=handle, epsilon=0.01, num_streams=np.int64(1)))
    values = np.float32([(7 * at) % 40 for at in range(120)])
    summaries = tf.raw_ops.BoostedTreesMakeQuantileSummaries(float_values=[values], example_weights=np.ones(120, "f"),
                                                             epsilon=0.01)
    session.run(tf.raw_ops.BoostedTreesQuantileStreamResourceAddSummaries(quantile_stream_resource_handle=handle,
                                                                          summaries=summaries))
    session.run(tf.raw_ops.BoostedTreesQuantileStreamResourceFlush(quantile_stream_resource_handle=handle,
                                                                   num_buckets=np.int64(6)))
    boundaries = tf.raw_ops.BoostedTreesQuantileStreamResourceGetBucketBoundaries(
        quantile_stream_resource_handle=handle, num_features=1)
    assert session.run(boundaries)[0].tolist() == [0.0, 7.0, 14.0, 20.0, 27.0, 34.0, 39.0]


def test_sparse_statistics_of_several_logits_are_refused(session):
    with pytest.raises(tf.errors.UnimplementedError, match="logits_dimension is 2"):
        session.run(tf.raw_ops.BoostedTreesSparseCalculateBestFeatureSplit(
            node_id_range=[0, 1], stats_summary_indices=[[0, 0, 0, 0]], stats_summary_values=[1.0],
            stats_summary_shape=[1, 1, 2, 4], l1=0.0, l2=0.0, tree_complexity=0.0, min_node_weight=0.0,
            logits_dimension=2))
