"""Biases, sums of channels and rectified numbers in C give what NumPy gives."""

import numpy as np
import pytest

import evergraph as tf
from evergraph import native
from evergraph.kernel import foreign
from evergraph.ops.math import channels

pytestmark = pytest.mark.skipif(native.channels is None, reason="the C code was not built here, or is turned off")
SHAPES = [(9000, 1), (4, 50, 50, 3), (2000, 7), (1024, 8), (3, 31, 33, 16), (300, 63), (200, 64), (130, 65), (9, 1000)]
random = np.random.RandomState(0)


def numbers(shape, dtype):
    """Numbers of both signs, zeros of both signs, NaN and infinities."""
    x = random.randn(*shape).astype(dtype)
    for odd in (0, -0.0, np.nan, np.inf, -np.inf):
        x.flat[random.randint(0, x.size, 5)] = odd
    return x


@pytest.fixture(params=[1, 3])
def _threads(request, monkeypatch):
    monkeypatch.setattr(foreign, "_WORTH_A_THREAD", 1)
    monkeypatch.setattr(foreign, "_cores", lambda: request.param)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.usefixtures("_threads")
def test_channels_of_all_sizes(shape, dtype):
    x, other, bias = numbers(shape, dtype), numbers(shape, dtype), numbers(shape[-1:], dtype)
    assert channels.takes(x)
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(channels.biased(x, bias), x + bias)
        np.testing.assert_array_equal(channels.rectified(x), np.maximum(x, 0))
        np.testing.assert_array_equal(channels.rectified_gradient(x, other), x * (other > 0).astype(dtype))
    finite = random.randn(*shape).astype(dtype)
    wanted = finite.reshape(-1, shape[-1]).sum(0, dtype=np.float64)
    np.testing.assert_allclose(channels.sums(finite), wanted, rtol=0, atol=np.finfo(dtype).eps * finite.size)


def test_sums_do_not_depend_on_threads(monkeypatch):
    x = random.randn(3, 70, 71, 5).astype(np.float32)
    alone = channels.sums(x)
    monkeypatch.setattr(foreign, "_WORTH_A_THREAD", 1)
    monkeypatch.setattr(foreign, "_cores", lambda: 4)
    np.testing.assert_array_equal(channels.sums(x), alone)


def test_what_is_left_to_numpy():
    for x in (numbers((10, 10), np.float32), numbers((9000, 2), np.float32)[:, ::2], numbers((90, 100), np.float32).T,
              np.zeros((9000, 0), np.float32), np.ones((9000, 2), np.float16), np.ones((9000, 2), np.int32),
              np.ones((5, 5000), np.float32)):
        assert not channels.takes(x)


def test_arrays_that_do_not_fit_are_refused():
    x, bias, module = np.ones((5, 4), np.float32), np.ones(4, np.float32), native.channels
    call = lambda name, operands, shape: module.call(
        getattr(module, name), operands, (np.empty(shape, np.float32),), b"", 1)
    assert call("add", (x, bias), (5, 4)) is None
    for name, operands, shape in [
            ("add", (x, bias[1:]), (5, 4)), ("add", (x,), (5, 4)), ("add", (x, bias), (4, 4)), ("sums", (x,), (5,)),
            ("sums", (x, x), (4,)), ("rectify", (x,), (4, 4)), ("rectify", (x, x), (5, 4)),
            ("rectify_gradient", (x, x[1:]), (5, 4)), ("rectify_gradient", (x,), (5, 4))]:
        with pytest.raises(ValueError, match="do not fit"):
            call(name, operands, shape)


def test_steps_on_images_of_changing_sizes():
    images = tf.placeholder(tf.float32, [2, None, None, 3])
    hidden = tf.nn.relu(tf.nn.bias_add(images * 2.0, tf.constant([0.5, -0.5, 0.0])))
    bias = tf.get_variable("bias", [3], initializer=tf.zeros_initializer())
    biased = tf.nn.relu(tf.nn.bias_add(hidden, bias))
    gradient, = tf.gradients(tf.reduce_sum(biased * images), [bias])
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for size in (3, 40, 60):
            x = random.randn(2, size, size, 3).astype(np.float32)
            first = np.maximum(x * 2 + np.float32([0.5, -0.5, 0.0]), 0)
            found, back = session.run([biased, gradient], {images: x})
            np.testing.assert_array_equal(found, first)
            np.testing.assert_allclose(back, (x * (first > 0)).sum((0, 1, 2)), rtol=1e-4)
