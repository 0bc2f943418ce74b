"""tf.losses has TensorFlow's numbers, dtypes, nodes, collections and errors."""

import numpy as np
import pytest

import evergraph as tf
from tests.harness.nodes import as_in_1_15
from tests.harness.recorded import assert_as_recorded, numbers, texts
from tests.losses.programs import PROGRAMS, VALUES_ONLY, recorded

VALUES, TEXTS = numbers("losses"), texts("losses")


@pytest.mark.parametrize("name", PROGRAMS)
def test_as_recorded(name):
    nodes, values, collected = recorded(tf, PROGRAMS[name])
    wanted_collected, wanted_nodes = TEXTS[name]
    assert_as_recorded(VALUES, name, values, rtol=1e-5, atol=1e-6)
    assert collected == wanted_collected
    if name not in VALUES_ONLY:
        assert nodes == as_in_1_15(wanted_nodes)


@pytest.mark.parametrize("function, names", [
    (tf.losses.absolute_difference, ("labels", "predictions")),
    (tf.losses.hinge_loss, ("labels", "logits")),
    (tf.losses.sigmoid_cross_entropy, ("multi_class_labels", "logits")),
    (tf.losses.softmax_cross_entropy, ("onehot_labels", "logits")),
    (tf.losses.sparse_softmax_cross_entropy, ("labels", "logits")),
    (tf.losses.mean_pairwise_squared_error, ("labels", "predictions")),
])
def test_missing_arguments(function, names):
    for missing in names:
        with pytest.raises(ValueError, match=f"^{missing} must not be None"):
            function(**{name: None if name == missing else [1.0] for name in names})


def test_shapes_that_do_not_fit():
    with pytest.raises(ValueError):
        tf.losses.mean_squared_error(tf.zeros([2, 3]), tf.zeros([3, 2]))
    with pytest.raises(ValueError, match="weights can not be broadcast to values"):
        tf.losses.mean_squared_error(tf.zeros([2, 3]), tf.zeros([2, 3]), weights=[1.0, 2.0])
    with pytest.raises(ValueError, match="weights can not be broadcast to values"):
        tf.losses.mean_squared_error(tf.zeros([2, 3]), tf.zeros([2, 3]), weights=[[1.0, 2.0]])


@pytest.mark.parametrize("value, loss", [(2.0, 2.0), ([[1.0], [3.0]], 2.0), ([[1.0, 0.0], [3.0, 3.0]], 7.0 / 3)])
def test_weights_of_unknown_shape(value, loss):
    weights = tf.placeholder(tf.float32)
    result = tf.losses.compute_weighted_loss(tf.ones([2, 2]), weights)
    with tf.Session() as session:
        assert session.run(result, {weights: value}) == pytest.approx(loss)


@pytest.mark.parametrize("value", [[1.0, 2.0], [[1.0, 2.0, 3.0]], [[[1.0]]]])
def test_weights_that_do_not_fit_when_it_runs(value):
    weights = tf.placeholder(tf.float32)
    result = tf.losses.compute_weighted_loss(tf.ones([2, 2]), weights)
    with tf.Session() as session, pytest.raises(tf.errors.InvalidArgumentError, match="weights can not be broadcast"):
        session.run(result, {weights: value})


def test_sparse_labels_of_unknown_shape():
    labels, logits = tf.placeholder(tf.int32), tf.placeholder(tf.float32)
    weights = tf.placeholder(tf.float32)
    loss = tf.losses.sparse_softmax_cross_entropy(labels, logits, weights)
    feeds = {labels: [[0], [1]], logits: [[0.0, 0.0], [0.0, 0.0]], weights: [[1.0], [3.0]]}
    with tf.Session() as session:
        assert session.run(loss, feeds) == pytest.approx(2 * np.log(2))


def test_reductions():
    assert set(tf.losses.Reduction.all()) == {
        "none", "weighted_sum", "weighted_mean", "weighted_sum_over_batch_size", "weighted_sum_by_nonzero_weights"}
    with pytest.raises(ValueError, match="Invalid ReductionKey bogus"):
        tf.losses.absolute_difference([1.0], [2.0], reduction="bogus")


def test_axis_is_needed():
    with pytest.raises(ValueError, match="You must specify 'axis'"):
        tf.losses.cosine_distance([[1.0]], [[1.0]])


def test_total_of_nothing():
    with pytest.raises(ValueError):
        tf.losses.get_total_loss()


def test_own_collection():
    loss = tf.losses.mean_squared_error([1.0], [2.0], loss_collection="mine")
    assert tf.losses.get_losses() == []
    assert tf.losses.get_losses(loss_collection="mine") == [loss] == tf.get_collection("mine")
