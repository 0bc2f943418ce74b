"""Convolutions and pooling as compiled, against the plain definitions: odd sizes, strides, paddings, layouts."""

import itertools

import numpy as np
import pytest

import evergraph as tf
from evergraph.graph.registry import lookup

DRAW = np.random.RandomState(0)
LAYOUTS = {"NHWC": (0, 1, 2, 3), "NCHW": (0, 3, 1, 2)}
PADDINGS = [("SAME", []), ("VALID", []), ("EXPLICIT", [0, 0, 1, 2, 0, 3, 0, 0])]


def run(*tensors):
    with tf.Session(tier="xla") as session:
        return session.run(list(tensors))


def margins(size, window, stride, dilation, padding, explicit):
    """(zeros before, places of the window) along one axis."""
    reach = (window - 1) * dilation + 1
    if padding == "SAME":
        places = -(-size // stride)
        return max((places - 1) * stride + reach - size, 0) // 2, places
    before, after = explicit or (0, 0)
    return before, (size + before + after - reach) // stride + 1


def convolved(x, filter, stride, dilation, padding, explicit):
    """Sums of products, place by place."""
    rows, columns, taken, given = filter.shape
    groups = x.shape[3] // taken
    (top, height), (left, width) = (
        margins(x.shape[at], filter.shape[at - 1], stride, dilation, padding, explicit[2 * at : 2 * at + 2])
        for at in (1, 2))
    wide = np.pad(x, ((0, 0), (top, 99), (left, 99), (0, 0)))
    y = np.zeros([len(x), height, width, given])
    for row, column, channel in itertools.product(range(height), range(width), range(given)):
        start = channel // (given // groups) * taken
        seen = wide[:, row * stride :, column * stride :, start : start + taken]
        seen = seen[:, : rows * dilation : dilation, : columns * dilation : dilation]
        y[:, row, column, channel] = (seen * filter[..., channel]).sum((1, 2, 3))
    return y


# Filters of few elements are multiplied element by element, others convolved by XLA; (2, 4) means two groups.
@pytest.mark.parametrize("channels, taken, size", [(1, 1, (5, 4)), (3, 3, (3, 2)), (8, 8, (3, 3)), (4, 2, (3, 3))])
@pytest.mark.parametrize("padding, explicit", PADDINGS)
@pytest.mark.parametrize("stride, dilation", [(1, 1), (2, 1), (3, 1), (1, 2)])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_convolution(channels, taken, size, padding, explicit, stride, dilation, layout):
    order = LAYOUTS[layout]
    x, filter = DRAW.randn(2, 9, 11, channels), DRAW.randn(*size, taken, 4)
    want = convolved(x, filter, stride, dilation, padding, explicit)
    numbers = lambda step: [[1, step, step, 1][at] for at in order]
    with tf.Graph().as_default():
        images, weights = tf.constant(x.transpose(order)), tf.constant(filter)
        y = lookup("Conv2D")(
            images, weights, strides=numbers(stride), dilations=numbers(dilation), padding=padding, data_format=layout,
            explicit_paddings=sum(([explicit[2 * at], explicit[2 * at + 1]] for at in order), []) if explicit else [])
        dy = DRAW.randn(*want.shape)
        got, by_x, by_filter = run(y, *tf.gradients(y, [images, weights], tf.constant(dy.transpose(order))))
    np.testing.assert_allclose(got, want.transpose(order), atol=1e-12)
    # The gradient of something linear: what comes back, weighed with any direction, is what the direction gives.
    way, turn = DRAW.randn(*x.shape), DRAW.randn(*filter.shape)
    assert np.sum(by_x * way.transpose(order)) == pytest.approx(
        np.sum(convolved(way, filter, stride, dilation, padding, explicit) * dy))
    assert np.sum(by_filter * turn) == pytest.approx(
        np.sum(convolved(x, turn, stride, dilation, padding, explicit) * dy))


@pytest.mark.parametrize("window, stride", [(2, 2), (3, 2), (3, 1), (2, 3), (4, 3)])
@pytest.mark.parametrize("padding", ["SAME", "VALID"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_max_pooling(window, stride, padding, layout):
    order = LAYOUTS[layout]
    x = DRAW.randint(0, 4, [2, 9, 8, 3]).astype(np.float32)  # with equals: the first gets the gradient
    (top, height), (left, width) = (margins(size, window, stride, 1, padding, None) for size in x.shape[1:3])
    y, back = np.zeros([2, height, width, 3], np.float32), np.zeros([2, 99, 99, 3])
    wide = np.pad(x, ((0, 0), (top, 99), (left, 99), (0, 0)), constant_values=-np.inf)
    dy = DRAW.randn(*y.shape).astype(np.float32)
    for image, row, column, channel in np.ndindex(*y.shape):
        down, right = row * stride, column * stride
        seen = wide[image, down : down + window, right : right + window, channel]
        y[image, row, column, channel] = seen.max()
        first, second = np.unravel_index(seen.argmax(), seen.shape)
        back[image, down + first, right + second, channel] += dy[image, row, column, channel]
    want = back[:, top : top + 9, left : left + 8].transpose(order)
    with tf.Graph().as_default():
        images = tf.placeholder_with_default(x.transpose(order), [None] * 4)
        ksize, strides = ([[1, step, step, 1][at] for at in order] for step in (window, stride))
        pooled = tf.nn.max_pool(images, ksize, strides, padding, data_format=layout)
        got, by_x = run(pooled, *tf.gradients(pooled, images, tf.constant(dy.transpose(order))))
    np.testing.assert_array_equal(got, y.transpose(order))
    np.testing.assert_allclose(by_x, want, atol=1e-5)


@pytest.mark.parametrize("stride, dilation, padding", [(1, 1, "SAME"), (2, 1, "VALID"), (1, 2, "SAME")])
def test_depthwise_filter_gradient(stride, dilation, padding):
    x, filter = DRAW.randn(3, 9, 7, 4), DRAW.randn(3, 2, 4, 2)
    with tf.Graph().as_default():
        images, weights, turn = tf.constant(x), tf.constant(filter), tf.constant(DRAW.randn(*filter.shape))
        convolve = lambda weights: lookup("DepthwiseConv2dNative")(
            images, weights, strides=[1, stride, stride, 1], padding=padding, dilations=[1, dilation, dilation, 1])
        y = convolve(weights)
        dy = tf.constant(DRAW.randn(*y.shape.as_list()))
        by_filter, = tf.gradients(y, weights, dy)
        got, want = run(tf.reduce_sum(by_filter * turn), tf.reduce_sum(convolve(turn) * dy))
    assert got == pytest.approx(want)
