"""tf.contrib.layers: reversible blocks, recomputed functions, target columns, sparse functions."""

import numpy as np
import pytest

import evergraph as tf
from evergraph.contrib.layers import sparse, targets
from evergraph.contrib.layers.reversible import RevBlock
from tests.harness.session import evaluated, started


def dense(x):
    return tf.layers.dense(x, 3, tf.nn.tanh, kernel_initializer=tf.constant_initializer(0.3))


def test_a_block_has_the_gradients_of_its_layers():
    x1, x2 = (tf.constant(np.random.RandomState(seed).randn(4, 3)) for seed in (0, 1))
    side = tf.constant(np.random.RandomState(2).randn(4, 3))
    found = []
    for training in (True, False):
        with tf.variable_scope("block", reuse=tf.AUTO_REUSE):
            y1, y2 = tf.contrib.layers.rev_block(x1, x2, lambda x, more: dense(x) * more[0], dense, num_layers=3,
                                                 f_side_input=[side], is_training=training)
        variables = tf.trainable_variables()
        found.append([y1, y2, *tf.gradients(y1**2 + y2, [x1, x2, side, *variables])])
    assert len(variables) == 12
    for ours, plain in zip(*evaluated(found)):
        np.testing.assert_allclose(ours, plain, rtol=1e-9)


def test_a_block_can_be_undone():
    x1, x2 = tf.constant([[1.0, 2, 3]]), tf.constant([[0.5, 0, -1]])
    block = RevBlock(dense, dense, num_layers=2)
    back = evaluated(block.backward(*block.forward(x1, x2)))
    np.testing.assert_allclose(back[0], [[1, 2, 3]], atol=1e-6)
    with pytest.raises(ValueError, match="functions for 2 layers"):
        RevBlock([dense], dense, num_layers=2)


@pytest.mark.parametrize("options", [{}, {"tupleize_grads": True, "use_data_dep": True}])
def test_recomputed_functions_have_the_same_gradients(options):
    x = tf.constant([[1.0, -2, 0.5]])
    calls = []

    @tf.contrib.layers.recompute_grad(**options)
    def layer(x, is_recomputing=False):
        calls.append(is_recomputing)
        return dense(x)

    with tf.variable_scope("a"):
        y = layer(x)
    kernel = tf.trainable_variables()[0]
    with tf.variable_scope("a", reuse=True):
        plain = dense(x)
    found = evaluated([tf.gradients(y**2, [x, kernel]), tf.gradients(plain**2, [x, kernel])])
    for ours, theirs in zip(*found):
        np.testing.assert_allclose(ours, theirs)
    assert calls == [False, True]


def test_what_cannot_be_recomputed_is_refused():
    outside = tf.constant(1.0)
    with pytest.raises(ValueError, match="closes over"):
        tf.contrib.layers.recompute_grad(lambda x: x * outside)
    twice = tf.contrib.layers.recompute_grad(dense)
    x = tf.ones([1, 3])
    y = twice(x) + twice(x)
    with pytest.raises(ValueError, match="called twice in the same enclosing scope"):
        tf.gradients(y, x)


def test_targets():
    features = {"w": tf.constant([2.0, 1.0])}
    regression = targets.regression_target(weight_column_name="w")
    binary, classes = targets.multi_class_target(2), targets.multi_class_target(3)
    margin = targets.binary_svm_target()
    found = evaluated([
        regression.loss(tf.constant([[1.0], [3.0]]), tf.constant([[0.0], [1.0]]), features),
        regression.training_loss(tf.constant([[1.0], [3.0]]), tf.constant([[0.0], [1.0]]), features),
        binary.loss(tf.constant([[1.0], [1.0]]), tf.constant([1, 0]), {}),
        classes.loss(tf.constant([[1.0, 0, 0]]), tf.constant([2]), {}),
        margin.loss(tf.constant([[-0.5], [1.2]]), tf.constant([0, 1]), {})])
    log = np.log1p(np.exp(-1.0))
    np.testing.assert_allclose(found, [6 / 3, 6 / 2, (log + 1 + log) / 2, np.log(np.e + 2), 0.25], rtol=1e-6)
    assert evaluated(binary.logits_to_predictions(tf.constant([[1.0], [-1.0]]))).tolist() == [1, 0]
    metrics = classes.get_eval_ops({}, tf.constant([[1.0, 0, 0]]), tf.constant([0]))
    session = started()
    session.run(tf.local_variables_initializer())
    assert session.run(metrics["accuracy"][1]) == 1
    with pytest.raises(ValueError, match="2 or more"):
        targets.multi_class_target(1)
    with pytest.raises(ValueError, match="no probabilities"):
        regression.logits_to_predictions(tf.zeros([1, 1]), proba=True)


def test_sparse_functions():
    ids = sparse.indicators_to_sparse_ids(tf.constant([[0, 1, 0, 1], [0, 0, 0, 0], [1, 0, 0, 0]]))
    made = sparse.dense_to_sparse_tensor(tf.constant([[b"a", b""], [b"", b"b"]]))
    flat = sparse.inner_flatten(made, 1)
    found = evaluated([ids, made, sparse.sparse_row_envelope(ids), flat])
    assert found[0].indices.tolist() == [[0, 0], [0, 1], [2, 0]] and found[0].values.tolist() == [1, 3, 0]
    assert found[0].dense_shape.tolist() == [3, 2] and found[2].tolist() == [2, 0, 1]
    assert found[1].values.tolist() == [b"a", b"b"] and found[3].indices.tolist() == [[0], [3]]
    with pytest.raises(ValueError, match="rank less than new_rank"):
        sparse.inner_flatten(tf.zeros([2, 3]), 3)
