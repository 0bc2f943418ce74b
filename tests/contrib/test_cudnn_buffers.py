"""The buffers of cuDNN's networks: what cells and checkpoints hold of them, by the networks' formulas in NumPy."""

import numpy as np
import pytest

import evergraph as tf

cudnn = tf.contrib.cudnn_rnn
UNITS, SIZE, LAYERS = 3, 2, 2
X = np.random.RandomState(1).randn(4, 2, SIZE).astype(np.float32)
GATES = {"LSTM": 4, "GRU": 3, "RNNTanh": 1, "RNNRelu": 1}
CLASSES = {"LSTM": (cudnn.CudnnParamsFormatConverterLSTM, cudnn.CudnnLSTMSaveable, cudnn.CudnnLSTM),
           "GRU": (cudnn.CudnnParamsFormatConverterGRU, cudnn.CudnnGRUSaveable, cudnn.CudnnGRU),
           "RNNTanh": (cudnn.CudnnParamsFormatConverterTanh, cudnn.CudnnRNNTanhSaveable, cudnn.CudnnRNNTanh),
           "RNNRelu": (cudnn.CudnnParamsFormatConverterRelu, cudnn.CudnnRNNReluSaveable, cudnn.CudnnRNNRelu)}


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def matrices(buffer, gates, directions):
    """For every layer and direction (matrices of the input, of the state, biases of the input, of the state)."""
    at, found = 0, []
    for number in range(LAYERS * directions):
        depth = SIZE if number < directions else UNITS * directions
        parts = []
        for columns in (depth, UNITS):
            parts.append(buffer[at:at + gates * UNITS * columns].reshape(gates, UNITS, columns))
            at += gates * UNITS * columns
        found.append(parts)
    biases = buffer[at:].reshape(len(found), 2, gates, UNITS)
    return [(*parts, *pair) for parts, pair in zip(found, biases)]


def stepped(kind, x, h, c, w, r, bw, br):
    """A step by cuDNN's formulas."""
    of_input, of_state = x @ w.transpose(0, 2, 1) + bw[:, None], h @ r.transpose(0, 2, 1) + br[:, None]
    if kind == "LSTM":
        i, f, candidate, o = of_input + of_state
        c = sigmoid(f) * c + sigmoid(i) * np.tanh(candidate)
        return sigmoid(o) * np.tanh(c), c
    if kind == "GRU":
        reset, update = sigmoid(of_input + of_state)[:2]
        return (1 - update) * np.tanh(of_input[2] + reset * of_state[2]) + update * h, c
    return (np.tanh if kind == "RNNTanh" else lambda z: np.maximum(z, 0))((of_input + of_state)[0]), c


def network(kind, buffer, directions):
    x, layers = X, matrices(buffer, GATES[kind], directions)
    for layer in range(LAYERS):
        ways = []
        for way in range(directions):
            h = c = np.zeros([2, UNITS])
            outputs = []
            for step in x[::-1] if way else x:
                h, c = stepped(kind, step, h, c, *layers[layer * directions + way])
                outputs.append(h)
            ways.append(np.stack(outputs[::-1] if way else outputs))
        x = np.concatenate(ways, -1)
    return x


@pytest.mark.parametrize("direction", ["unidirectional", "bidirectional"])
@pytest.mark.parametrize("kind", GATES)
def test_a_buffer_is_saved_as_the_cells_of_its_network(tmp_path, kind, direction):
    convert, saved, layer = CLASSES[kind]
    converter = convert(LAYERS, UNITS, SIZE, direction=direction)
    buffer = np.random.RandomState(0).randn(converter.params_size).astype(np.float32)
    with tf.Graph().as_default(), tf.Session() as session, tf.variable_scope("net"):
        opaque = tf.get_variable("opaque", initializer=buffer)
        saveable = saved(opaque, LAYERS, UNITS, SIZE, direction=direction)
        session.run(opaque.initializer)
        path = tf.train.Saver([saveable]).save(session, str(tmp_path / "buffer"))
    with tf.Graph().as_default(), tf.Session() as session:
        outputs, _ = layer(LAYERS, UNITS, direction=direction, name="net")(X, training=False)
        saver = tf.train.Saver()
        saver.restore(session, path)
        wanted = network(kind, buffer, 1 if direction == "unidirectional" else 2)
        np.testing.assert_allclose(session.run(outputs), wanted, rtol=1e-4, atol=1e-5)
        path = saver.save(session, str(tmp_path / "cells"))
    with tf.Graph().as_default(), tf.Session() as session, tf.variable_scope("net"):
        opaque = tf.get_variable("opaque", initializer=np.zeros_like(buffer))
        saveable = saved(opaque, LAYERS, UNITS, SIZE, direction=direction)
        tf.train.Saver([saveable]).restore(session, path)
        found = session.run(opaque)
    np.testing.assert_allclose(network(kind, found, saveable.format_converter.directions), wanted, rtol=1e-4, atol=1e-5)
    assert (found[converter.params_size - UNITS * GATES[kind]:] == 0).any() or kind == "GRU"  # one bias for two


def test_cells_to_a_buffer_and_back(session):
    converter = cudnn.CudnnParamsFormatConverterLSTM(LAYERS, UNITS, SIZE)
    kernels = [np.random.RandomState(n).randn(depth + UNITS, 4 * UNITS).astype(np.float32)
               for n, depth in enumerate((SIZE, UNITS))]
    biases = [np.arange(4.0 * UNITS, dtype=np.float32) + n for n in range(LAYERS)]
    back = session.run(converter.opaque_to_tf_canonical(converter.tf_canonical_to_opaque((kernels, biases))))
    for found, wanted in zip(back, (kernels, biases)):
        for one, other in zip(found, wanted):
            np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("options, error, what", [
    ({"num_proj": 2}, tf.errors.UnimplementedError, "num_proj is 2"),
    ({"input_mode": "skip_input"}, tf.errors.UnimplementedError, "not of 'skip_input'"),
    ({"direction": "up"}, ValueError, "not 'up'")])
def test_what_is_refused(options, error, what):
    with pytest.raises(error, match=what):
        cudnn.CudnnParamsFormatConverterLSTM(1, 2, 3, **options)


def test_a_buffer_has_the_size_of_its_network():
    with pytest.raises(ValueError, match="reshape"):
        cudnn.CudnnParamsFormatConverterGRU(1, 2, 3).opaque_to_tf_canonical(np.zeros(5, np.float32))
