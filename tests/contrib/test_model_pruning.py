"""tf.contrib.model_pruning."""

import numpy as np
import pytest

import evergraph as tf
from tests.harness.session import started

pruning = tf.contrib.model_pruning


def hparams(text):
    return pruning.get_pruning_hparams().parse(text)


def test_the_smallest_weights_are_masked():
    tf.train.get_or_create_global_step()
    weights = tf.Variable([[0.1, -0.9, 0.3, 0.0], [0.5, -0.2, 0.7, -0.4]], name="weights")
    masked = pruning.apply_mask(weights)
    update = pruning.Pruning(sparsity=tf.constant(0.5)).mask_update_op()
    session = started()
    assert (session.run(masked) != 0).sum() == 7
    session.run(update)
    np.testing.assert_allclose(session.run(masked), [[0, -0.9, 0, 0], [0.5, 0, 0.7, -0.4]])
    assert session.run(pruning.get_weight_sparsity()) == [0.5]
    assert session.run(pruning.get_thresholds()) == [np.float32(0.4)]


def test_the_sparsity_rises_with_the_step():
    step = tf.train.get_or_create_global_step()
    spec = hparams("target_sparsity=0.8,initial_sparsity=0.2,sparsity_function_begin_step=10,"
                   "sparsity_function_end_step=110,sparsity_function_exponent=3")
    sparsity = pruning.Pruning(spec)._sparsity
    session = started()
    found = []
    for at in (0, 60, 200):
        session.run(step.assign(at))
        found.append(session.run(sparsity))
    np.testing.assert_allclose(found, [0.2, 0.8 - 0.6 * 0.5**3, 0.8], rtol=1e-6)


def test_blocks_and_targets_by_name():
    tf.train.get_or_create_global_step()
    with tf.variable_scope("first"):
        pruning.apply_mask(tf.Variable([[0.1, 0.1, 0.9, 0.9], [0.2, 0.2, 0.4, 0.4]], name="weights"))
    with tf.variable_scope("second"):
        pruning.apply_mask(tf.Variable([0.1, 0.2, 0.3, 0.4], name="weights"))
    spec = hparams("block_dims_map=[first:1x2],weight_sparsity_map=[second:0.75],sparsity_function_end_step=1")
    update = pruning.Pruning(spec).mask_update_op()
    session = started()
    session.run(tf.train.get_global_step().assign(1))
    session.run(update)
    first, second = session.run(pruning.get_masks())
    assert first.tolist() == [[0, 0, 1, 1], [0, 0, 1, 1]] and second.tolist() == [0, 0, 0, 1]
    with pytest.raises(ValueError, match="pattern:value"):
        pruning.Pruning(hparams("weight_sparsity_map=[second]"))


def test_layers_with_masks_can_be_stripped():
    tf.train.get_or_create_global_step()
    x = tf.constant(np.random.RandomState(0).randn(2, 5, 5, 3), tf.float32)
    y = pruning.masked_fully_connected(tf.layers.flatten(pruning.masked_conv2d(x, 4, 3)), 3)
    cell = pruning.MaskedLSTMCell(4)
    y = tf.identity(cell(y, cell.zero_state(2, tf.float32))[0], name="output")
    update = pruning.Pruning(sparsity=tf.constant(0.5)).mask_update_op()
    session = started()
    session.run(update)
    before = session.run(y)
    frozen = tf.graph_util.convert_variables_to_constants(session, tf.get_default_graph().as_graph_def(), ["output"])
    stripped = pruning.strip_pruning_vars_fn(frozen, ["output"])
    assert any("mask" in node.name.split("/") for node in frozen.node)
    assert not any(node.name.endswith(("mask", "threshold")) for node in stripped.node)
    with tf.Graph().as_default(), tf.Session() as other:
        again, = tf.import_graph_def(stripped, return_elements=["output:0"])
        np.testing.assert_array_equal(other.run(again), before)


def test_a_loop_of_training_updates_masks(tmp_path):
    tf.train.get_or_create_global_step()
    weights = tf.Variable([1.0, 2.0, 3.0, 4.0], name="weights")
    loss = tf.reduce_sum(pruning.apply_mask(weights) ** 2)
    train_op = tf.contrib.slim.learning.create_train_op(loss, tf.train.GradientDescentOptimizer(0.01))
    update = pruning.Pruning(sparsity=tf.constant(0.5)).mask_update_op()
    assert pruning.train(train_op, str(tmp_path), update, number_of_steps=2) < 30
    with tf.Session() as session:
        tf.train.Saver().restore(session, tf.train.latest_checkpoint(str(tmp_path)))
        assert session.run(pruning.get_masks())[0].tolist() == [0, 0, 1, 1]
