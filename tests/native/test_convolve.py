"""The convolutions in C compute what their definition says."""

import jax
import numpy as np
import pytest

from evergraph import native
from evergraph.ops.nn import conv, conv_native, windows

pytestmark = pytest.mark.skipif(native.convolve is None, reason="the C code was not built here, or is turned off")

# images, filter, strides, dilations, padding
SHAPES = {
    "few channels": ((2, 11, 9, 3), (3, 3, 3, 5), (1, 1), (1, 1), "SAME"),
    "one channel, a stride": ((3, 12, 13, 1), (5, 4, 1, 17), (2, 3), (1, 1), "SAME"),
    "a column of text": ((5, 9, 20, 1), (3, 20, 1, 24), (1, 1), (1, 1), "VALID"),
    "dilation along rows": ((2, 9, 14, 7), (2, 3, 7, 33), (1, 1), (1, 2), "SAME"),
    "dilation along columns": ((2, 14, 4, 7), (3, 4, 7, 8), (1, 1), (2, 1), "VALID"),
    "one element": ((4, 7, 7, 19), (1, 1, 19, 40), (1, 1), (1, 1), "SAME"),
    "elements that no window sees": ((2, 10, 11, 6), (2, 2, 6, 9), (4, 3), (1, 1), "VALID"),
    "a window larger than the image": ((1, 3, 2, 4), (5, 5, 4, 3), (1, 1), (1, 1), "SAME"),
    "deep": ((2, 5, 5, 300), (3, 3, 300, 20), (1, 1), (1, 1), "SAME"),
    "volumes": ((2, 5, 6, 7, 3), (3, 2, 3, 3, 18), (1, 2, 1), (1, 1, 1), "SAME"),
    "volumes, dilation": ((1, 7, 6, 7, 2), (2, 2, 2, 2, 4), (1, 1, 1), (2, 1, 3), "VALID"),
    "many images": ((50, 6, 6, 4), (3, 3, 4, 8), (2, 2), (1, 1), "SAME"),
}


def reference(x, w, dy, axes):
    """The convolution of `x` with `w` and its gradients for `dy`, in NumPy."""
    space = range(1, x.ndim - 1)
    y, dw, dx = np.zeros(dy.shape), np.zeros(w.shape), np.zeros(x.shape)
    around, back = (windows.padded(np, each, axes, space) for each in (x.astype(np.float64), dx))
    for offset in windows.offsets(axes):
        seen = windows.seen_at(around, axes, space, offset)
        y += seen @ w[offset]
        dw[offset] = np.tensordot(seen, dy, [range(x.ndim - 1)] * 2)
        back_seen = windows.seen_at(back, axes, space, offset)
        back_seen += dy @ w[offset].T
    inside = tuple(slice(axis.before, axis.before + axis.size) for axis in axes)
    kept = back[(slice(None), *inside)]
    dx[tuple(map(slice, kept.shape))] = kept
    return y, dw, dx


def example(images, filter, strides, dilations, padding):
    """Images, filter, gradient and the geometry of their axes."""
    axes = [windows.axis_of(*each[:3], padding, each[3]) for each in zip(images[1:], filter, strides, dilations)]
    gradient = (images[0], *(axis.places for axis in axes), filter[-1])
    generator = np.random.RandomState(0)
    return *(generator.randn(*shape).astype(np.float32) for shape in (images, filter, gradient)), axes


def check(found, wanted):
    for ours, theirs in zip(found, wanted, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-4, atol=1e-5 * abs(theirs).max())


@pytest.mark.parametrize("shape", SHAPES)
def test_same_as_numpy(shape):
    x, w, dy, axes = example(*SHAPES[shape])
    run = jax.jit(lambda x, w, dy: (conv_native.forward(x, w, axes), conv_native.to_filter(x, dy, axes),
                                    conv_native.to_input(w, dy, axes)))
    check(run(x, w, dy), reference(x, w, dy, axes))


def test_gradients_of_all_three():
    x, w, dy, axes = example(*SHAPES["one channel, a stride"])
    y, dw, dx = reference(x, w, dy, axes)
    back = lambda function, upstream, *inputs: jax.vjp(lambda *xs: function(*xs, axes), *inputs)[1](upstream)
    check(back(conv_native.forward, dy, x, w), (dx, dw))
    check(back(conv_native.to_filter, w, x, dy), (dx, y))
    check(back(conv_native.to_input, x, w, dy), (dw, y))


def test_one_call_for_each_example_of_a_batch():
    x, w, _, axes = example(*SHAPES["few channels"])
    several = np.stack([x, 2 * x])
    found = jax.vmap(lambda x: conv_native.forward(x, w, axes))(several)
    np.testing.assert_allclose(found[1], 2 * found[0], rtol=1e-5)


def test_padding_on_one_side():
    x, w, dy, axes = example(*SHAPES["few channels"])
    rest = ((1, 1, 1, 1), "EXPLICIT", "NHWC", (1, 1, 1, 1), (0, 0, 2, 0, 0, 2, 0, 0))
    y = conv.convolve(jax.lax, x, w, *rest)
    axes = [windows.axis_of(11, 3, 1, "EXPLICIT", 1, (2, 0)), windows.axis_of(9, 3, 1, "EXPLICIT", 1, (0, 2))]
    found = y, conv.back_to_filter(jax.lax, x, w.shape, dy, *rest), conv.back_to_input(jax.lax, x.shape, w, dy, *rest)
    check(found, reference(x, w, dy, axes))


def test_infinities_stay_in_their_windows():
    x = np.zeros([1, 6, 6, 3], np.float32)
    x[0, 0, 0, 0] = np.inf
    w = np.ones([3, 3, 3, 5], np.float32)
    y = conv.convolve(jax.lax, x, w, (1, 1, 1, 1), "SAME", "NHWC", (1, 1, 1, 1))
    assert np.isinf(y[0, :2, :2]).all() and not np.isnan(y).any() and np.isfinite(y[0, 2:]).all()


def test_takes_float32_with_channels_last():
    assert conv_native.takes(np.float32, 1, "NHWC")
    for other in ((np.float64, 1, "NHWC"), (np.float32, 2, "NHWC"), (np.float32, 1, "NCHW")):
        assert not conv_native.takes(*other)
