"""Batch normalization in C gives what float64 gives."""

import numpy as np
import pytest

import evergraph as tf
from evergraph import native
from evergraph.kernel import foreign
from evergraph.ops.nn import norms

pytestmark = pytest.mark.skipif(native.norms is None, reason="the C code was not built here, or is turned off")
SHAPES = [(1, 9000, 1, 1), (4, 50, 50, 3), (20, 10, 10, 7), (2, 31, 33, 16), (3, 20, 5, 63), (2, 10, 10, 64),
          (2, 13, 5, 65), (1, 3, 3, 1000)]  # fmt: skip
random = np.random.RandomState(0)


@pytest.fixture(params=[1, 3])
def _threads(request, monkeypatch):
    monkeypatch.setattr(foreign, "_WORTH_A_THREAD", 1)
    monkeypatch.setattr(foreign, "_cores", lambda: request.param)


def given(shape):
    channels = shape[-1:]
    x = random.randn(*shape) * random.rand(*channels) * 3 + random.randn(*channels) * 10
    return [a.astype(np.float32) for a in (x, random.randn(*shape), random.randn(*channels), random.randn(*channels))]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.usefixtures("_threads")
def test_channels_of_all_sizes(shape):
    x, dy, scale, offset = given(shape)
    assert norms.takes(x, dy)
    y, mean, variance = norms.normalized(x, scale, offset, 1e-3)
    wide = [a.astype(np.float64) for a in (x, dy, scale, offset)]
    x64, dy64, scale64, offset64 = wide
    mean64, variance64 = x64.mean((0, 1, 2)), x64.var((0, 1, 2))
    inverse = 1 / np.sqrt(variance64 + 1e-3)
    np.testing.assert_allclose(mean, mean64, rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(variance, variance64, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(y, (x64 - mean64) * inverse * scale64 + offset64, rtol=2e-4, atol=2e-4)
    dx, by_scale, by_offset = norms.gradients(dy, x, scale, mean, variance, 1e-3)
    over, count = (x64 - mean64) * inverse, x64[..., 0].size
    np.testing.assert_allclose(by_offset, dy64.sum((0, 1, 2)), rtol=1e-3, atol=2e-3)
    np.testing.assert_allclose(by_scale, (dy64 * over).sum((0, 1, 2)), rtol=1e-3, atol=2e-3)
    slopes = dy64 - dy64.sum((0, 1, 2)) / count - over * (dy64 * over).sum((0, 1, 2)) / count
    np.testing.assert_allclose(dx, slopes * inverse * scale64, rtol=1e-3, atol=2e-3)


def test_results_do_not_depend_on_threads(monkeypatch):
    x, dy, scale, offset = given((2, 40, 40, 24))
    monkeypatch.setattr(foreign, "_WORTH_A_THREAD", 1)
    found = []
    for threads in (1, 2, 5):
        monkeypatch.setattr(foreign, "_cores", lambda threads=threads: threads)
        y, mean, variance = norms.normalized(x, scale, offset, 1e-3)
        found.append([y, mean, variance, *norms.gradients(dy, x, scale, mean, variance, 1e-3)])
    for other in found[1:]:
        for one, same in zip(found[0], other, strict=True):
            np.testing.assert_array_equal(one, same)


def test_what_is_no_number_stays_in_its_channel():
    x, dy, scale, offset = given((4, 50, 50, 3))
    x[0, 0, 0, 1] = np.nan
    y, mean, variance = norms.normalized(x, scale, offset, 1e-3)
    assert np.isnan(mean).tolist() == [False, True, False] == np.isnan(y).any((0, 1, 2)).tolist()
    assert np.isnan(variance).tolist() == [False, True, False]


@pytest.mark.parametrize("tier", ["numpy", "xla"])
def test_layers_train_the_same(tier):
    x = tf.placeholder(tf.float32, [4, None, None, 3])
    with tf.variable_scope("layer", reuse=tf.AUTO_REUSE):
        y = tf.layers.batch_normalization(tf.layers.conv2d(x, 8, 3, kernel_initializer=tf.ones_initializer()),
                                          training=True)
    slopes = tf.gradients(tf.reduce_sum(y ** 3), [x, *tf.trainable_variables()])
    data = np.random.RandomState(1).randn(4, 30, 30, 3).astype(np.float32)
    with tf.Session(tier=tier) as session:
        session.run(tf.global_variables_initializer())
        found = [session.run([y, *slopes], {x: data[:, :size, :size]}) for size in (30, 20) for _ in range(10)]
    mean, variance = (lambda z: (z.mean((0, 1, 2)), z.var((0, 1, 2))))(found[0][0].astype(np.float64))
    np.testing.assert_allclose(mean, np.zeros(8), atol=1e-4)
    np.testing.assert_allclose(variance, np.ones(8), atol=2e-3)
    for first, later in zip(found[0], found[9], strict=True):  # recorded by then
        np.testing.assert_allclose(first, later, rtol=1e-5, atol=1e-4)
