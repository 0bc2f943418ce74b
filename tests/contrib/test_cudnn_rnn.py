"""tf.contrib.cudnn_rnn: layers on portable cells, with the names and values of the cells' own checkpoints."""

import numpy as np
import pytest

import evergraph as tf

cudnn = tf.contrib.cudnn_rnn
X = np.random.RandomState(0).rand(5, 2, 3).astype(np.float32)


def test_lstm_is_that_of_its_cells(session, tmp_path):
    layer = cudnn.CudnnLSTM(2, 4)
    outputs, (h, c) = layer(X, training=False)
    assert [v.op.name for v in layer.trainable_variables] == [
        f"cudnn_lstm/rnn/multi_rnn_cell/cell_{i}/cudnn_compatible_lstm_cell/{part}" for i in (0, 1)
        for part in ("kernel", "bias")]
    assert outputs.shape.as_list() == [5, 2, 4] and h.shape.as_list() == c.shape.as_list() == [2, 2, 4]
    session.run(tf.global_variables_initializer())
    wanted = session.run([outputs, h, c])
    again, _ = layer(X, training=False)
    np.testing.assert_array_equal(session.run(again), wanted[0])
    assert len(tf.trainable_variables()) == 4
    path = tf.train.Saver().save(session, str(tmp_path / "model"))
    with tf.Graph().as_default(), tf.Session() as other:
        cell = tf.nn.rnn_cell.MultiRNNCell([cudnn.CudnnCompatibleLSTMCell(4) for _ in range(2)])
        with tf.variable_scope("cudnn_lstm"):
            found, states = tf.nn.dynamic_rnn(cell, X, dtype=tf.float32, time_major=True)
        tf.train.Saver().restore(other, path)
        values, ends = other.run([found, states])
        np.testing.assert_allclose(values, wanted[0], rtol=1e-6)
        np.testing.assert_allclose([end.h for end in ends], wanted[1], rtol=1e-6)


@pytest.mark.parametrize("kind", ["CudnnGRU", "CudnnRNNTanh", "CudnnRNNRelu"])
def test_other_kinds_both_ways(session, kind):
    layer = getattr(cudnn, kind)(1, 4, direction="bidirectional", name="net")
    start = np.ones((2, 2, 4), np.float32)
    outputs, (h,) = layer(X, (start,), training=False)
    assert all(v.op.name.startswith("net/stack_bidirectional_rnn/cell_0/bidirectional_rnn/")
               for v in layer.trainable_variables)
    session.run(tf.global_variables_initializer())
    values, ends = session.run([outputs, h])
    assert values.shape == (5, 2, 8) and ends.shape == (2, 2, 4)
    np.testing.assert_allclose(ends[0], values[-1, :, :4], rtol=1e-6)
    np.testing.assert_allclose(ends[1], values[0, :, 4:], rtol=1e-6)
    turned, (other,) = layer(X.transpose(1, 0, 2), (start.transpose(1, 0, 2),), time_major=False, training=False)
    np.testing.assert_allclose(session.run(turned).transpose(1, 0, 2), values, rtol=1e-6)
    assert other.shape.as_list() == [2, 2, 4]


def test_initializers_see_gates(session):
    seen = []

    def kernel(shape, dtype=None, partition_info=None):
        seen.append(tuple(shape))
        return tf.ones(shape, dtype)

    layer = cudnn.CudnnLSTM(1, 4, kernel_initializer=kernel, bias_initializer=tf.constant_initializer(0.5))
    layer.build([None, None, 3])
    assert seen == [(4, 3), (4, 4)] * 4
    session.run(tf.global_variables_initializer())
    weights, bias = session.run(layer.variables)
    assert weights.shape == (7, 16) and (weights == 1).all() and (bias == 0.5).all()


def test_dropout_is_between_layers(session):
    layer = cudnn.CudnnLSTM(2, 4, dropout=0.99, seed=1)
    one, two = layer(X, training=True)[0], layer(X, training=False)[0]
    session.run(tf.global_variables_initializer())
    assert not np.allclose(*session.run([one, two]))
    alone = cudnn.CudnnLSTM(1, 4, dropout=0.99)
    one, two = alone(X, training=True)[0], alone(X, training=False)[0]
    session.run(tf.global_variables_initializer())
    np.testing.assert_array_equal(*session.run([one, two]))


def test_what_does_not_fit():
    with pytest.raises(ValueError):
        cudnn.CudnnLSTM(1, 4, direction="sideways")
    with pytest.raises(ValueError, match="linear_input"):
        cudnn.CudnnLSTM(1, 4, input_mode="skip_input")
    with pytest.raises(ValueError, match="2 tensors"):
        cudnn.CudnnLSTM(1, 4)(X, (tf.zeros([1, 2, 4]),))
    with pytest.raises(ValueError, match="known size"):
        cudnn.CudnnGRU(1, 4).build([None, None, None])
