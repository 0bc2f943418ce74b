"""The cell of a Neural Turing Machine against NumPy."""

import numpy as np

import evergraph as tf


def _softmax(x):
    raised = np.exp(x - x.max(-1, keepdims=True))
    return raised / raised.sum(-1, keepdims=True)


def _sigmoid(x):
    return 1 / (1 + np.exp(-x))


def _weights(p, before, memory):
    """Where a head goes, by the equations of the paper; one row may be stepped over to both sides."""
    size = memory.shape[2]
    key, strength, gate, shift, sharp = (np.tanh(p[:, :size]), np.log1p(np.exp(p[:, size:size + 1])),
                                         _sigmoid(p[:, size + 1:size + 2]), _softmax(p[:, size + 2:size + 5]),
                                         1 + np.log1p(np.exp(p[:, size + 5:])))
    cosine = np.einsum("brs,bs->br", memory, key) / (
        np.linalg.norm(memory, axis=2) * np.linalg.norm(key, axis=1, keepdims=True))
    blended = gate * _softmax(strength * cosine) + (1 - gate) * before
    moved = sum(shift[:, i:i + 1] * np.roll(blended, i - 1, axis=1) for i in range(3)) ** sharp
    return moved / moved.sum(1, keepdims=True)


def test_a_step(session):
    draw = np.random.RandomState(0)
    cell = tf.contrib.rnn.NTMCell(tf.nn.rnn_cell.BasicRNNCell(4), memory_size=5, memory_vector_dim=3, read_head_num=1,
                                  write_head_num=1, output_dim=2)
    state = cell.zero_state(2, tf.float32)
    start = state._replace(M=tf.constant(draw.randn(2, 5, 3), tf.float32))
    inputs = draw.randn(2, 6).astype(np.float32)
    output, after = cell(inputs, start)
    session.run(tf.global_variables_initializer())
    (output, after, memory, heads), values = session.run(
        [(output, after, start.M, start.w_list), {v.op.name: v for v in tf.trainable_variables()}])
    kernel = lambda scope: next(values[name] for name in values
                                if f"/{scope}/" in f"/{name}" and "init_state" not in name and values[name].ndim == 2)
    steering = np.tanh(np.concatenate([inputs, np.full([2, 3], 1e-6), np.zeros([2, 4])], 1) @ kernel("controller"))
    parameters = steering @ kernel("parameters")
    read, write = (_weights(parameters[:, i * 9:(i + 1) * 9], heads[i], memory) for i in range(2))
    erase, add = _sigmoid(parameters[:, 18:21]), np.tanh(parameters[:, 21:])
    reading = np.einsum("br,brs->bs", read, memory)
    written = memory * (1 - write[..., None] * erase[:, None]) + write[..., None] * add[:, None]
    for found, wanted in [(after.w_list[0], read), (after.w_list[1], write), (after.read_vector_list[0], reading),
                          (after.M, written), (output, np.concatenate([steering, reading], 1) @ kernel("output"))]:
        np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-5)


def test_the_state_before_the_first_step(session):
    cell = tf.contrib.rnn.NTMCell(tf.nn.rnn_cell.LSTMCell(4), 5, 3, 2, 1)
    outputs, state = tf.nn.static_rnn(cell, [tf.ones([2, 6])] * 3, cell.zero_state(2, tf.float32))
    session.run(tf.global_variables_initializer())
    found = session.run(state)
    assert outputs[0].shape.as_list() == [2, 4] and found.M.shape == (2, 5, 3) and found.time == 3
    np.testing.assert_allclose([each.sum(1) for each in found.w_list], np.ones([3, 2]), rtol=1e-5)
    assert all(g is not None for g in tf.gradients(outputs[-1], tf.trainable_variables()))
