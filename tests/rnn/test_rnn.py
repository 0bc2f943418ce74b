"""Recurrent networks have TensorFlow's variables, names, shapes and numbers, in both tiers, and its errors."""

import json

import numpy as np
import pytest

import evergraph as tf
from tests.harness.recorded import assert_as_recorded, numbers, texts
from tests.harness.session import interpreted as evaluated
from tests.rnn.programs import PROGRAMS, recorded

VALUES, TEXTS = numbers("rnn"), texts("rnn")
# What compiles in a way of its own; the others differ from these in their cells alone.
COMPILED = ("lstm_all-dynamic-lengths", "multi-dynamic", "multi_joined-dynamic-lengths", "lstm-static-lengths",
            "several_inputs", "bidirectional_lengths", "raw", "raw_with_loop_state", "saved_state")


@pytest.mark.parametrize("name, tier", [(name, "numpy") for name in PROGRAMS] + [(name, "xla") for name in COMPILED])
def test_as_recorded(name, tier):
    variables, results, values = recorded(tf, PROGRAMS[name], tier=tier)
    wanted_variables, wanted_results = TEXTS[name]
    assert variables == wanted_variables
    assert results == wanted_results
    assert_as_recorded(VALUES, name, values, rtol=2e-5, atol=2e-6)


# ---- cells that only tf.contrib has, by their formulas

def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def constant(value):
    return tf.variable_scope("", initializer=tf.constant_initializer(value))


X = np.random.RandomState(5).randn(2, 3).astype(np.float32)


def names():
    return [v.op.name for v in tf.global_variables()]


def test_layer_norm_lstm():
    cell = tf.contrib.rnn.LayerNormBasicLSTMCell(2, norm_gain=0.5, norm_shift=0.1)
    values = np.random.RandomState(6).randn(5, 8).astype(np.float32)
    with tf.variable_scope("", initializer=lambda shape, dtype=None, partition_info=None: values):
        output, state = cell(X, tf.nn.rnn_cell.LSTMStateTuple(tf.zeros([2, 2]), tf.zeros([2, 2])))
    assert names() == ["layer_norm_basic_lstm_cell/kernel"] + [
        f"layer_norm_basic_lstm_cell/{gate}/{what}" for gate in ("input", "transform", "forget", "output", "state")
        for what in ("gamma", "beta")]
    assert len(cell.trainable_variables) == 11

    def normed(x):
        return (x - x.mean(1, keepdims=True)) / np.sqrt(x.var(1, keepdims=True) + 1e-12) * 0.5 + 0.1
    i, j, f, o = (normed(part) for part in np.split(X @ values[:3], 4, axis=1))
    c = normed(sigmoid(i) * np.tanh(j))
    h, (got_c, got_h) = evaluated([output, state])
    np.testing.assert_allclose(got_c, c, rtol=1e-3)
    np.testing.assert_allclose(h, np.tanh(c) * sigmoid(o), rtol=1e-3)
    np.testing.assert_array_equal(h, got_h)


def test_projections_and_embeddings():
    cells = tf.contrib.rnn
    with constant(0.1):
        inner = cells.InputProjectionWrapper(cells.BasicRNNCell(2), 4)
        cell = cells.OutputProjectionWrapper(cells.EmbeddingWrapper(inner, 7, 3), 5, activation=tf.nn.relu)
        output, state = cell(tf.constant([[1], [2]]), cell.zero_state(2, tf.float32))
    assert cell.output_size == 5 and cell.state_size == 2
    prefix = "output_projection_wrapper"
    within = f"{prefix}/embedding_wrapper/input_projection_wrapper"
    assert names() == [f"{prefix}/embedding_wrapper/embedding", f"{within}/kernel", f"{within}/bias",
                       f"{within}/basic_rnn_cell/kernel", f"{within}/basic_rnn_cell/bias", f"{prefix}/kernel",
                       f"{prefix}/bias"]
    hidden = np.tanh(4 * 0.1 * 0.03)
    got, got_state = evaluated([output, state])
    np.testing.assert_allclose(got_state, np.full((2, 2), hidden), rtol=1e-5)
    np.testing.assert_allclose(got, np.full((2, 5), 0.2 * hidden), rtol=1e-5)
    with pytest.raises(ValueError, match="must be > 0"):
        cells.OutputProjectionWrapper(inner, 0)
    with pytest.raises(ValueError, match="must be > 0"):
        cells.EmbeddingWrapper(inner, 0, 3)


def test_block_lstm_is_an_lstm():
    with tf.variable_scope("a", initializer=tf.constant_initializer(0.3)):
        cell = tf.contrib.rnn.LSTMBlockCell(2, use_peephole=True, cell_clip=0.2)
        first = cell(X, cell.zero_state(2, tf.float32))
    with tf.variable_scope("b", initializer=tf.constant_initializer(0.3)):
        cell = tf.nn.rnn_cell.LSTMCell(2, use_peepholes=True, cell_clip=0.2)
        second = cell(X, cell.zero_state(2, tf.float32))
    assert "a/lstm_cell/kernel" in names()
    tf.nest.map_structure(np.testing.assert_array_equal, *evaluated([first, second]))


def test_stacked_bidirectional():
    cells = lambda: [tf.nn.rnn_cell.GRUCell(size) for size in (2, 3)]
    x = np.random.RandomState(7).randn(2, 4, 3).astype(np.float32)
    with constant(0.2):
        dynamic = tf.contrib.rnn.stack_bidirectional_dynamic_rnn(cells(), cells(), tf.constant(x), dtype=tf.float32)
        static = tf.contrib.rnn.stack_bidirectional_rnn(cells(), cells(), tf.unstack(x, axis=1), dtype=tf.float32,
                                                        scope="static")
    assert dynamic[0].shape.as_list() == [2, 4, 6]
    assert "stack_bidirectional_rnn/cell_1/bidirectional_rnn/bw/gru_cell/gates/kernel" in names()
    got, other = evaluated([dynamic, static])
    np.testing.assert_allclose(got[0], np.stack(other[0], 1), rtol=1e-5)
    tf.nest.map_structure(lambda a, b: np.testing.assert_allclose(a, b, rtol=1e-5), got[1:], other[1:])
    with pytest.raises(ValueError, match="as many cells forward"):
        tf.contrib.rnn.stack_bidirectional_dynamic_rnn(cells(), cells()[:1], tf.constant(x), dtype=tf.float32)


# ---- dropout

def test_dropout_keeps_the_expectation_and_the_memory():
    keep = tf.placeholder(tf.float32, [])

    class Same(tf.nn.rnn_cell.RNNCell):
        state_size = property(lambda self: tf.nn.rnn_cell.LSTMStateTuple(1000, 1000))
        output_size = property(lambda self: 1000)

        def call(self, inputs, state):
            return inputs, tf.nn.rnn_cell.LSTMStateTuple(tf.ones_like(inputs), inputs)

    cell = tf.nn.rnn_cell.DropoutWrapper(Same(), output_keep_prob=keep, state_keep_prob=0.25, seed=3)
    outputs, state = cell(tf.ones([4, 1000]), cell.zero_state(4, tf.float32))
    out, (c, h) = evaluated([outputs, state], {keep: 0.5})
    assert set(np.unique(out)) == {0.0, 2.0} and abs(out.mean() - 1) < 0.1
    assert set(np.unique(h)) == {0.0, 4.0} and abs(h.mean() - 1) < 0.15
    assert (c == 1).all()


# ---- errors, configurations

def test_errors():
    cells, x = tf.nn.rnn_cell, tf.zeros([2, 3, 4])
    with pytest.raises(ValueError, match="one cell or more"):
        cells.MultiRNNCell([])
    with pytest.raises(TypeError, match="must be a list"):
        cells.MultiRNNCell(cells.GRUCell(3))
    with pytest.raises(TypeError, match="not an RNNCell"):
        tf.nn.dynamic_rnn("cell", x, dtype=tf.float32)
    with pytest.raises(ValueError, match="need state_is_tuple"):
        cells.MultiRNNCell([cells.LSTMCell(3)], state_is_tuple=False)
    with pytest.raises(ValueError, match="must be between 0 and 1"):
        cells.DropoutWrapper(cells.GRUCell(3), 1.5)
    with pytest.raises(ValueError, match="dtype must be provided"):
        cells.DropoutWrapper(cells.GRUCell(3), variational_recurrent=True)
    with pytest.raises(ValueError, match="the dtype must be given"):
        tf.nn.dynamic_rnn(cells.GRUCell(3), x)
    with pytest.raises(ValueError, match="dtype must be given"):
        tf.nn.static_rnn(cells.GRUCell(3), tf.unstack(x))
    with pytest.raises(ValueError, match="must not be empty"):
        tf.nn.static_rnn(cells.GRUCell(3), [], dtype=tf.float32)
    with pytest.raises(TypeError, match="must be a sequence"):
        tf.nn.static_rnn(cells.GRUCell(3), x, dtype=tf.float32)
    with pytest.raises(ValueError, match="last axis of the inputs"):
        tf.nn.dynamic_rnn(cells.GRUCell(3), tf.placeholder(tf.float32, [2, 3, None]), dtype=tf.float32)
    with pytest.raises(ValueError, match="only supports floating"):
        cells.LSTMCell(3, dtype=tf.int32)


def test_too_many_lengths_fail_the_step():
    lengths = tf.placeholder(tf.int32, [None])
    outputs, _ = tf.nn.dynamic_rnn(tf.nn.rnn_cell.GRUCell(2), tf.ones([2, 3, 4]), lengths, dtype=tf.float32)
    with pytest.raises(tf.errors.InvalidArgumentError, match="Expected shape for Tensor"):
        evaluated(outputs, {lengths: [1, 2, 3]})


def test_configurations():
    cells = tf.nn.rnn_cell
    cell = cells.MultiRNNCell([cells.LSTMCell(3, num_proj=2, activation="relu"),
                               cells.DropoutWrapper(cells.GRUCell(4), 0.5, seed=3)])
    again = cells.MultiRNNCell.from_config(json.loads(json.dumps(cell.get_config())))
    assert again.state_size == cell.state_size
    assert again.get_config() == cell.get_config()


def test_states():
    cell = tf.nn.rnn_cell.LSTMCell(3, num_proj=2)
    state = cell.zero_state(tf.placeholder(tf.int32, []), tf.float64)
    assert state.c.shape.as_list() == [None, 3] and state.h.shape.as_list() == [None, 2]
    assert state.dtype is tf.float64 and state.c.op.name == "LSTMCellZeroState/zeros"
    with pytest.raises(TypeError, match="Inconsistent"):
        print(tf.nn.rnn_cell.LSTMStateTuple(tf.zeros([1]), tf.zeros([1], tf.float64)).dtype)
