"""Contrib's boosted trees: quantiles, statistics and the splits made of them, against values worked out by hand."""

import numpy as np
import pytest

import evergraph as tf
from evergraph.contrib.boosted_trees import losses
from evergraph.contrib.boosted_trees.accumulators import QuantileAccumulator, StatsAccumulator
from evergraph.proto import contrib_trees_pb2 as messages

raw = tf.raw_ops


def initialized(session):
    resources = tf.get_collection(tf.GraphKeys.RESOURCES)
    session.run([each.create for each in resources])


def test_quantiles_of_batches_become_boundaries_at_the_next_stamp(session):
    accumulator = QuantileAccumulator(0, epsilon=0.001, num_quantiles=4, name="q")
    values = tf.placeholder(tf.float32)
    add = accumulator.add_summary(0, values, tf.ones_like(values))
    late = accumulator.add_summary(7, [1e6], [1.0])
    session.run(accumulator.initializer)
    for start in range(0, 1000, 100):
        session.run([add, late], {values: np.arange(start, start + 100)})
    before = session.run(accumulator.get_buckets(0))
    session.run(accumulator.flush(0, 1))
    ready, found = session.run(accumulator.get_buckets(1))
    assert not before[0] and ready
    np.testing.assert_allclose(found, [0, 250, 500, 750, 999], atol=10)
    assert not session.run(accumulator.get_buckets(0))[0]
    with pytest.raises(tf.errors.FailedPreconditionError, match="stamp"):
        session.run(accumulator.flush(0, 1))


def test_boundaries_may_repeat_where_their_number_is_fixed(session):
    accumulator = QuantileAccumulator(0, 0.01, 3, name="q", generate_quantiles=True)
    session.run(accumulator.initializer)
    session.run(accumulator.add_summary(0, [5.0, 5.0], [1.0, 1.0]))
    session.run(accumulator.flush(0, 1))
    assert session.run(accumulator.get_buckets(1)[1]).tolist() == [5, 5, 5, 5]


def test_accumulators_are_saved_and_restored(tmp_path):
    path = str(tmp_path / "saved")
    for is_second in (False, True):
        with tf.Graph().as_default(), tf.Session() as session:
            quantiles = QuantileAccumulator(0, 0.1, 3, name="q")
            stats = StatsAccumulator(0, [], [], name="s")
            saver = tf.train.Saver()
            if is_second:
                saver.restore(session, path)
                flushed = quantiles.flush(0, 1)
                assert session.run(stats.flush(0, 1))[3].tolist() == [1.5]
                session.run(flushed)
                assert session.run(quantiles.get_buckets(1)[1]).tolist() == [1, 3]
            else:
                session.run([quantiles.initializer, stats.initializer])
                session.run([quantiles.add_summary(0, [1.0, 3.0], [1.0] * 2), stats.add(0, [0], [[1, 0]], [1.5],
                                                                                          [1.0])])
                saver.save(session, path, write_meta_graph=False)


def test_statistics_add_up_by_partition_and_feature(session):
    stats = StatsAccumulator(0, [2], [2], name="s")
    session.run(stats.initializer)
    session.run(stats.add(0, [1, 0, 1], [[2, 0], [3, 1], [2, 0]], [[1.0, 2], [3, 4], [5, 6]],
                          [[1.0, 1], [2, 2], [3, 3]]))
    session.run(stats.add(9, [1], [[2, 0]], [[100.0, 100]], [[100.0, 100]]))
    updates, partitions, features, gradients, hessians = session.run(stats.flush(0, 1))
    assert updates == 1 and partitions.tolist() == [0, 1] and features.tolist() == [[3, 1], [2, 0]]
    assert gradients.tolist() == [[3, 4], [6, 8]] and hessians.tolist() == [[2, 2], [4, 4]]
    assert session.run(stats.flush(1, 2))[0] == 0


SETTINGS = {"class_id": -1, "feature_column_group_id": 5, "l1_regularization": 0.0, "l2_regularization": 1.0,
            "tree_complexity_regularization": 0.5, "min_node_weight": 0.0, "multiclass_strategy": 1}


def gain(gradient, hessian):
    return gradient ** 2 / (hessian + 1.0)


def test_the_best_threshold_of_a_dense_column(session):
    partitions, gains, splits = session.run(raw.BuildDenseInequalitySplits(
        num_minibatches=2, partition_ids=[3, 3, 3], bucket_ids=[[0, 0], [1, 0], [2, 0]], gradients=[2.0, 4.0, -8.0],
        hessians=[2.0, 2.0, 2.0], bucket_boundaries=[0.1, 0.2, 0.3], weak_learner_type=0, **SETTINGS))
    split = messages.SplitInfo.FromString(splits[0])
    assert partitions.tolist() == [3]
    np.testing.assert_allclose(gains, [gain(3, 2) + gain(-4, 1) - gain(-1, 3) - 0.5], rtol=1e-6)
    test = split.split_node.dense_float_binary_split
    assert test.feature_column == 5 and test.threshold == np.float32(0.2)
    np.testing.assert_allclose([split.left_child.vector.value[0], split.right_child.vector.value[0]], [-1, 2])


def test_examples_without_a_value_go_where_they_gain_most(session):
    partitions, gains, splits = session.run(raw.BuildSparseInequalitySplits(
        num_minibatches=1, partition_ids=[0, 0, 0], bucket_ids=[[-1, 0], [0, 0], [1, 0]], gradients=[1.0, 3.0, -2.0],
        hessians=[3.0, 1.0, 1.0], bucket_boundaries=[0.1, 0.2], bias_feature_id=-1, **SETTINGS))
    # Without a value: gradient 0, hessian 1. It goes right, with -2.
    test = messages.SplitInfo.FromString(splits[0]).split_node.sparse_float_binary_split_default_right.split
    assert partitions.tolist() == [0] and test.threshold == np.float32(0.1)
    np.testing.assert_allclose(gains, [gain(3, 1) + gain(-2, 2) - gain(1, 3) - 0.5], rtol=1e-6)


@pytest.mark.parametrize("learner", [0, 1])
def test_the_best_category(session, learner):
    partitions, gains, splits = session.run(raw.BuildCategoricalEqualitySplits(
        num_minibatches=1, partition_ids=[0, 0, 0, 1, 1], feature_ids=[[-1, 0], [7, 0], [8, 0], [-1, 0], [8, 0]],
        gradients=[1.0, 4.0, -3.0, 2.0, 2.0], hessians=[2.0, 1.0, 1.0, 1.0, 1.0], bias_feature_id=-1,
        weak_learner_type=learner, **SETTINGS))
    assert partitions.tolist() == [0, 1]
    wanted = gain(4, 1) + gain(-3, 1) - gain(1, 2)
    if learner:
        message = messages.ObliviousSplitInfo.FromString(splits[0])
        assert message.split_node.oblivious_categorical_id_binary_split.feature_id == 7
        assert list(message.children_parent_id) == [0, 1] and len(message.children) == 4
        np.testing.assert_allclose(gains, [wanted - 0.5], rtol=1e-6)
    else:
        assert messages.SplitInfo.FromString(splits[0]).split_node.categorical_id_binary_split.feature_id == 7
        np.testing.assert_allclose(gains, [wanted - 0.5, -0.5], rtol=1e-6)


def test_a_handler_has_splits_from_its_second_layer_on(session):
    handlers = tf.contrib.boosted_trees.lib.learner.batch.ordinal_split_handler
    handler = handlers.DenseSplitHandler(
        tf.constant([0.1, 0.1, 0.9]), 0.0, 1.0, 0.0, 0.0, 0, 0.01, 3, tf.TensorShape([]), tf.TensorShape([]), 1)
    initialized(session)
    for stamp in (0, 1):
        session.run(handler.update_stats_sync(stamp, [0, 0, 0], [1.0, 1.0, -2.0], [1.0, 1.0, 1.0], None, None,
                                              tf.ones([3, 1]), [True, True]))
        ready, partitions, gains, splits = session.run(handler.make_splits(stamp, stamp + 1, -1))
        assert ready == (stamp == 1) and len(partitions) == stamp
    np.testing.assert_allclose(gains, [4 / 3 + 4 / 2], rtol=1e-6)
    assert messages.SplitInfo.FromString(splits[0]).split_node.dense_float_binary_split.threshold == np.float32(0.1)


def test_losses_of_examples(session):
    y, w, x = [[1.0], [0.0]], [[2.0], [1.0]], np.array([[0.5], [3.0]], np.float32)
    found = session.run([
        losses.per_example_squared_loss(y, w, x)[0], losses.per_example_logistic_loss(y, w, x)[0],
        losses.per_example_squared_hinge_loss(y, w, x)[0], losses.per_example_full_exp_loss(y, w, x)[0],
        losses.per_example_quantile_regression_loss(y, w, x, 0.2)[0],
        losses.per_example_maxent_loss([[0], [1]], w, [[0.0, 0], [1, 3]], 2)[0]])
    p = 1 / (1 + np.exp(-x))
    wanted = [[0.5, 9], [-2 * np.log(p[0, 0]), -np.log(1 - p[1, 0])], [0.5, 16], [2 * np.exp(-0.5), np.exp(3)],
              [0.02, 2.4], [2 * np.log(2), np.log(1 + np.exp(-2))]]
    for one, other in zip(found, wanted):
        np.testing.assert_allclose(one.ravel(), other, rtol=1e-5)


def test_a_learner_is_described_by_a_message():
    config = tf.contrib.boosted_trees.proto.learner_pb2.LearnerConfig()
    config.regularization.l2 = 0.5
    config.learning_rate_tuner.fixed.learning_rate = 0.25
    assert config.learning_rate_tuner.WhichOneof("tuner") == "fixed" and config.DIAGONAL_HESSIAN == 3
