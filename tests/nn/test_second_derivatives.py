"""Second derivatives through convolutions, batch normalization and recurrent networks, against finite differences."""

import numpy as np
import pytest

import evergraph as tf

_random = np.random.RandomState(0)


def _numbers(*shape, scale=1.0):
    return _random.randn(*shape) * scale


def _hessian_times(loss, xs, directions):
    """The second derivative of the loss along the directions, by each of xs: differentiates the gradient again."""
    first = tf.gradients(loss, xs)
    slope = tf.add_n([tf.reduce_sum(g * d) for g, d in zip(first, directions)])
    return first, tf.gradients(slope, xs)


def _check(build, values, dtype=tf.float64, step=1e-5, tolerance=1e-6):
    """Holds the derivative of (gradient . direction) to the difference of gradients a step along the direction."""
    with tf.Graph().as_default():
        xs = [tf.placeholder(dtype, v.shape) for v in values]
        directions = [_numbers(*v.shape) for v in values]
        loss = build(*xs)
        first, second = _hessian_times(loss, xs, [tf.constant(d, dtype) for d in directions])
        assert all(s is not None for s in second)
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            at = lambda t: dict(zip(xs, [v + t * d for v, d in zip(values, directions)]))
            found = sess.run(second, at(0.0))
            above, below = sess.run(first, at(step)), sess.run(first, at(-step))
    for got, high, low in zip(found, above, below):
        wanted = (high - low) / (2 * step)
        np.testing.assert_allclose(got, wanted, rtol=tolerance, atol=tolerance * max(1.0, np.abs(wanted).max()))


@pytest.mark.parametrize("strides, padding, dilations, data_format", [
    ([1, 1, 1, 1], "SAME", [1, 1, 1, 1], "NHWC"),
    ([1, 2, 2, 1], "VALID", [1, 1, 1, 1], "NHWC"),
    ([1, 1, 1, 1], "VALID", [1, 2, 2, 1], "NHWC"),
])  # fmt: skip
def test_conv2d(strides, padding, dilations, data_format):
    def build(image, kernel):
        y = tf.nn.conv2d(image, kernel, strides, padding, data_format=data_format, dilations=dilations)
        return tf.reduce_sum(tf.tanh(y) ** 2)

    _check(build, [_numbers(2, 6, 5, 2), _numbers(3, 3, 2, 3, scale=0.3)])


def test_conv2d_transpose():
    def build(image, kernel):
        y = tf.nn.conv2d_transpose(image, kernel, [2, 7, 7, 2], [1, 2, 2, 1], "VALID")
        return tf.reduce_sum(tf.tanh(y) ** 2)

    _check(build, [_numbers(2, 3, 3, 3), _numbers(3, 3, 2, 3, scale=0.3)])


def test_depthwise_and_separable():
    def build(image, depthwise, pointwise):
        y = tf.nn.separable_conv2d(image, depthwise, pointwise, [1, 1, 1, 1], "SAME")
        return tf.reduce_sum(tf.tanh(y) ** 2)

    _check(build, [_numbers(2, 4, 5, 2), _numbers(3, 3, 2, 2, scale=0.3), _numbers(1, 1, 4, 3, scale=0.5)])


def test_conv3d():
    def build(volume, kernel):
        return tf.reduce_sum(tf.tanh(tf.nn.conv3d(volume, kernel, [1] * 5, "SAME")) ** 2)

    _check(build, [_numbers(1, 3, 4, 3, 2), _numbers(2, 2, 2, 2, 2, scale=0.3)])


def test_avg_pool():
    _check(lambda x: tf.reduce_sum(tf.tanh(tf.nn.avg_pool(x, [1, 2, 2, 1], [1, 1, 1, 1], "SAME")) ** 2),
           [_numbers(2, 4, 5, 2)])


def test_max_pool():
    _check(lambda x: tf.reduce_sum(tf.nn.max_pool(tf.tanh(x) ** 2, [1, 2, 2, 1], [1, 2, 2, 1], "VALID") ** 2),
           [_numbers(2, 4, 4, 2)])


@pytest.mark.parametrize("training", [True, False])
def test_fused_batch_norm(training):
    """The fused op computes in single precision."""
    def build(x, scale, offset):
        mean, variance = (None, None) if training else (tf.constant([0.1, -0.2, 0.3]), tf.constant([0.5, 1.0, 2.0]))
        y, _, _ = tf.nn.fused_batch_norm(x, scale, offset, mean, variance, epsilon=0.1, is_training=training)
        return tf.reduce_sum(tf.tanh(y) ** 2)

    values = [v.astype("float32") for v in (_numbers(3, 2, 2, 3), _numbers(3), _numbers(3))]
    _check(build, values, tf.float32, step=1e-2, tolerance=5e-3)


def test_batch_normalization_layer():
    weights = np.random.RandomState(5).rand(3, 2, 2, 3)

    def build(x):
        y = tf.layers.batch_normalization(x, training=True, epsilon=0.1)
        return tf.reduce_sum(tf.tanh(y) ** 2 * tf.constant(weights, x.dtype))

    _check(build, [_numbers(3, 2, 2, 3).astype("float32")], tf.float32, step=1e-2, tolerance=1e-2)


def test_batch_normalization():
    def build(x, scale, offset):
        mean = tf.reduce_mean(x, [0, 1])
        variance = tf.reduce_mean(tf.squared_difference(x, mean), [0, 1])
        return tf.reduce_sum(tf.tanh(tf.nn.batch_normalization(x, mean, variance, offset, scale, 0.1)) ** 2)

    _check(build, [_numbers(4, 3, 2), _numbers(2), _numbers(2)])


def test_moments():
    """tf.nn.moments takes the mean as given inside the variance: the first derivative is right all the same, the second
    is what TensorFlow 2.15 gave here, not that of the variance."""
    x = tf.constant([[0.5, -1.0], [1.5, 0.25], [-0.75, 2.0]], tf.float64)
    mean, variance = tf.nn.moments(x, [0])
    y = tf.nn.batch_normalization(x, mean, variance, None, None, 0.1)
    direction = tf.constant([[1.0, 2.0], [3.0, -1.0], [0.5, 1.0]], tf.float64)
    _, (second,) = _hessian_times(tf.reduce_sum(tf.tanh(y) ** 2), [x], [direction])
    with tf.Session() as sess:
        np.testing.assert_allclose(sess.run(second), [[-1.1149044, 0.22035956], [-0.57886187, -0.80478019],
                                                      [-0.29457593, 0.06408876]], rtol=1e-6)


@pytest.mark.parametrize("cell", ["LSTMCell", "GRUCell", "BasicRNNCell"])
def test_dynamic_rnn(cell):
    def build(x):
        made = getattr(tf.nn.rnn_cell, cell)(3, dtype=tf.float64)
        outputs, _ = tf.nn.dynamic_rnn(made, x, sequence_length=[4, 2], dtype=tf.float64)
        return tf.reduce_sum(outputs ** 2)

    _check(build, [_numbers(2, 4, 2)])


def test_dynamic_rnn_by_its_weights():
    """By the kernel of the cell, which all steps of the loop share."""
    def build(x, kernel, bias):
        def step(state, row):
            c, h = state
            i, j, f, o = tf.split(tf.matmul(tf.concat([row, h], 1), kernel) + bias, 4, 1)
            c = tf.sigmoid(f) * c + tf.sigmoid(i) * tf.tanh(j)
            return c, tf.sigmoid(o) * tf.tanh(c)

        zeros = tf.zeros([2, 3], tf.float64)
        _, h = tf.scan(step, x, (zeros, zeros))
        return tf.reduce_sum(h ** 2)

    _check(build, [_numbers(4, 2, 2), _numbers(5, 12, scale=0.4), _numbers(12, scale=0.4)])


def test_softmax_cross_entropy():
    loss = tf.nn.softmax_cross_entropy_with_logits_v2
    _check(lambda x: tf.reduce_sum(loss(labels=tf.constant(np.eye(3)[[0, 2, 1, 1]]), logits=x) ** 2), [_numbers(4, 3)])


def test_sparse_softmax_cross_entropy():
    _check(lambda x: tf.reduce_sum(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[0, 2, 1, 1], logits=x) ** 2),
           [_numbers(4, 3)])


def test_gradient_penalty():
    """What a WGAN does: the gradient by the image is part of the loss, which is differentiated by the weights."""
    def build(image, kernel, weights):
        y = tf.nn.leaky_relu(tf.nn.conv2d(image, kernel, [1, 2, 2, 1], "SAME"))
        score = tf.matmul(tf.reshape(tf.tanh(y), [2, -1]), weights)
        slope, = tf.gradients(score, image)
        norm = tf.sqrt(tf.reduce_sum(slope ** 2, axis=[1, 2, 3]))
        return tf.reduce_mean((norm - 1.0) ** 2)

    _check(build, [_numbers(2, 4, 4, 1), _numbers(3, 3, 1, 2), _numbers(8, 1)], tolerance=1e-5)
