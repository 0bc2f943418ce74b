"""The kernels in C for sliding windows compute what their definitions say."""

import functools
import os
import subprocess
import sys

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from evergraph import native
from evergraph.base import errors
from evergraph.kernel import foreign
from evergraph.ops.arrays.limits import floored
from evergraph.ops.nn import conv, conv_on_numpy, depthwise, native_windows, pool, windows
from evergraph.ops.nn.native_windows import CONVOLVE, DEPTHWISE

pytestmark = [pytest.mark.cpus,
              pytest.mark.skipif(native.windows is None, reason="the C code was not built here, or is turned off")]


@pytest.fixture(autouse=True)
def _wide():
    """JAX keeps float64, as in evergraph's programs."""
    with jax.enable_x64(True):
        yield


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
    "bands of rows": ((3, 70, 41, 16), (3, 3, 16, 8), (1, 1), (1, 1), "SAME"),
    "bands of rows, strides and dilation": ((2, 90, 60, 24), (4, 3, 24, 20), (2, 1), (1, 2), "SAME"),
    "rows longer than a block": ((1, 3, 500, 12), (2, 3, 12, 70), (1, 1), (1, 1), "SAME"),
    "few outputs": ((2, 13, 14, 40), (3, 3, 40, 3), (1, 1), (1, 1), "SAME"),
    "one output": ((2, 40, 40, 33), (2, 3, 33, 1), (1, 1), (1, 1), "SAME"),
    "few channels, many outputs": ((2, 9, 8, 2), (3, 5, 2, 33), (1, 1), (1, 1), "SAME"),
    "few of both": ((3, 20, 20, 2), (3, 3, 2, 2), (1, 1), (1, 1), "VALID"),
}
DEPTHS = {
    "depthwise": ((2, 11, 9, 19), (3, 3, 19, 1), (1, 1), (1, 1), "SAME"),
    "depthwise, a stride": ((3, 12, 13, 5), (3, 4, 5, 1), (2, 2), (1, 1), "VALID"),
    "depthwise, two for each channel": ((2, 6, 7, 9), (2, 3, 9, 2), (1, 2), (1, 1), "SAME"),
    "depthwise, four for each channel": ((2, 5, 6, 3), (3, 3, 3, 4), (1, 1), (1, 1), "SAME"),
    "depthwise, three for each channel": ((2, 5, 6, 3), (3, 3, 3, 3), (1, 1), (1, 1), "SAME"),
    "depthwise, dilation": ((1, 9, 9, 8), (3, 3, 8, 1), (1, 1), (2, 3), "SAME"),
}
ALL = {name: (CONVOLVE, shape) for name, shape in SHAPES.items()} | {
    name: (DEPTHWISE, shape) for name, shape in DEPTHS.items()}


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


def as_diagonal(w):
    """The filter of a convolution that is a depthwise one."""
    *window, channels, multiplier = w.shape
    full = np.zeros([*window, channels, channels, multiplier], w.dtype)
    for channel in range(channels):
        full[..., channel, channel, :] = w[..., channel, :]
    return full.reshape(*window, channels, channels * multiplier)


def diagonal(full, multiplier):
    channels = full.shape[-2]
    split = full.reshape(*full.shape[:-1], channels, multiplier)
    return np.stack([split[..., channel, channel, :] for channel in range(channels)], -2)


def example(kernels, images, filter, strides, dilations, padding, dtype=np.float32):
    """Images, filter, gradient, the geometry of their axes, and what the kernels should give."""
    axes = [windows.axis_of(*each[:3], padding, each[3]) for each in zip(images[1:], filter, strides, dilations)]
    outputs = filter[-1] if kernels is CONVOLVE else filter[-2] * filter[-1]
    gradient = (images[0], *(axis.places for axis in axes), outputs)
    generator = np.random.RandomState(0)
    x, w, dy = (generator.randn(*shape).astype(dtype) for shape in (images, filter, gradient))
    y, dw, dx = reference(x, w if kernels is CONVOLVE else as_diagonal(w), dy, axes)
    return x, w, dy, axes, (y, dw if kernels is CONVOLVE else diagonal(dw, filter[-1]), dx)


def check(found, wanted):
    for ours, theirs in zip(found, wanted, strict=True):
        rounding = 100 * np.finfo(ours.dtype).eps
        np.testing.assert_allclose(ours, theirs, rtol=10 * rounding, atol=rounding * abs(theirs).max())


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_same_as_numpy(name, dtype):
    kernels, shape = ALL[name]
    x, w, dy, axes, wanted = example(kernels, *shape, dtype=dtype)
    found = jax.jit(lambda x, w, dy: (
        native_windows.forward(kernels, x, w, axes), native_windows.to_filter(kernels, x, dy, axes, w.shape),
        native_windows.to_input(kernels, w, dy, axes)))(x, w, dy)
    assert found[0].dtype == dtype
    check(found, wanted)


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("threads", [1, 3])
def test_same_bits_on_arrays_of_numpy(name, threads, monkeypatch):
    monkeypatch.setattr(foreign, "_WORTH_A_THREAD", 1)
    monkeypatch.setattr(foreign, "_cores", lambda: threads)
    kernels, shape = ALL[name]
    x, w, dy, axes, _ = example(kernels, *shape)
    three = lambda x, w, dy: (
        native_windows.forward(kernels, x, w, axes), native_windows.to_filter(kernels, x, dy, axes, w.shape),
        native_windows.to_input(kernels, w, dy, axes))
    for ours, compiled in zip(three(x, w, dy), jax.jit(three)(x, w, dy), strict=True):
        assert type(ours) is np.ndarray
        np.testing.assert_array_equal(ours, compiled)


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("vectors", ["", "_512"])
def test_vectors_of_all_lengths(name, dtype, vectors):
    module = getattr(native, ("convolve" if dtype is np.float32 else "convolve64") + vectors)
    if module is None:
        pytest.skip("this processor does not have them")
    x, w, dy, axes, wanted = example(CONVOLVE, *SHAPES[name], dtype=dtype)
    numbers = np.asarray(native_windows._numbers(axes, x.shape[0], *w.shape[-2:]), np.int64).tobytes()
    for threads in (1, 3):
        found = [np.full(each.shape, np.nan, dtype) for each in (dy, w, x)]
        for kernel, operands, made in zip(CONVOLVE, ((x, w), (x, dy), (w, dy)), found, strict=True):
            module.call(getattr(module, kernel.partition(".")[2]), operands, (made,), numbers, threads)
        check(found, wanted)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_a_forked_process_has_threads_of_its_own():
    code = """if True:
        import os
        import numpy as np
        from evergraph import native
        from evergraph.ops.nn import native_windows, windows
        axes = [windows.axis_of(30, 3, 1, "SAME")] * 2
        numbers = np.asarray(native_windows._numbers(axes, 4, 16, 16), np.int64).tobytes()
        def convolved():
            y = np.empty([4, 30, 30, 16], np.float32)
            native.convolve.call(native.convolve.convolve, (np.ones_like(y), np.ones([3, 3, 16, 16], np.float32)), (y,),
                                 numbers, 3)
            return y[0, 1, 1, 0]
        found = [convolved() for _ in range(20)]
        child = os.fork()
        found += [convolved() for _ in range(20)]
        assert set(found) == {144}, found
        if not child:
            os._exit(0)
        assert os.waitpid(child, 0)[1] == 0
    """
    assert subprocess.run([sys.executable, "-W", "ignore", "-c", code], timeout=100).returncode == 0


def test_arrays_that_do_not_fit_are_refused():
    x, w, dy, axes, _ = example(CONVOLVE, *SHAPES["few channels"])
    numbers = np.asarray(native_windows._numbers(axes, 2, 3, 5), np.int64)
    call = lambda *operands, numbers=numbers, made=dy: native.convolve.call(
        native.convolve.convolve, operands, (np.empty_like(made),), numbers.tobytes(), 1)
    assert call(x, w) is None
    for operands in ((x[:1], w), (x, w[1:]), (x,), (w, x)):
        with pytest.raises(ValueError, match="do not fit"):
            call(*operands)
    for place, number in ((0, 3), (0, -2), (6, 0), (15, -1), (20, 8)):
        wrong = numbers.copy()
        wrong[place] = number
        with pytest.raises(ValueError, match="do not fit"):
            call(x, w, numbers=wrong)
    for wrong in (numbers[:20], np.append(numbers, 1)):
        with pytest.raises(ValueError, match="do not fit"):
            call(x, w, numbers=wrong)
    with pytest.raises(ValueError, match="do not fit"):
        call(x, w, made=dy[1:])
    with pytest.raises(ValueError, match="at most 8"):
        call(*[x] * 9)
    with pytest.raises((ValueError, BufferError)):
        call(x[:, ::2], w)


@pytest.mark.parametrize("name", ["one channel, a stride", "depthwise, two for each channel"])
def test_gradients_of_all_three(name):
    kernels, shape = ALL[name]
    x, w, dy, axes, (y, dw, dx) = example(kernels, *shape)
    forward = lambda x, w: native_windows.forward(kernels, x, w, axes)
    to_filter = lambda x, dy: native_windows.to_filter(kernels, x, dy, axes, w.shape)
    to_input = lambda w, dy: native_windows.to_input(kernels, w, dy, axes)
    back = lambda function, upstream, *inputs: jax.vjp(function, *inputs)[1](upstream)
    check(back(forward, dy, x, w), (dx, dw))
    check(back(to_filter, w, x, dy), (dx, y))
    check(back(to_input, x, w, dy), (dw, y))


def test_one_call_for_each_example_of_a_batch():
    x, w, _, axes, _ = example(*ALL["few channels"][:1], *SHAPES["few channels"])
    found = jax.vmap(lambda x: native_windows.forward(CONVOLVE, x, w, axes))(np.stack([x, 2 * x]))
    np.testing.assert_allclose(found[1], 2 * found[0], rtol=1e-5)


@pytest.mark.parametrize("pads", [((2, 0), (0, 2)), ((5, 4), (3, 7))])
def test_padding_on_one_side_and_beyond_the_window(pads):
    axes = [windows.axis_of(size, 3, 1, "EXPLICIT", 1, pad) for size, pad in zip((11, 9), pads, strict=True)]
    x, w, _, _, _ = example(CONVOLVE, *SHAPES["few channels"])
    dy = np.random.RandomState(1).randn(2, *(axis.places for axis in axes), 5).astype(np.float32)
    rest = ((1, 1, 1, 1), "EXPLICIT", "NHWC", (1, 1, 1, 1), (0, 0, *pads[0], *pads[1], 0, 0))
    y = conv.convolve(jax.lax, x, w, *rest)
    found = y, conv.back_to_filter(jax.lax, x, w.shape, dy, *rest), conv.back_to_input(jax.lax, x.shape, w, dy, *rest)
    check(found, reference(x, w, dy, axes))


def test_whole_columns_without_the_kernels(monkeypatch):
    monkeypatch.setattr(native_windows, "takes", lambda *_, **__: False)
    x, w, dy, axes, wanted = example(CONVOLVE, *SHAPES["a column of text"])
    assert conv._is_whole(axes, 1, "NHWC")
    rest = ((1, 1, 1, 1), "VALID", "NHWC", (1, 1, 1, 1))
    found = jax.jit(lambda x, w, dy: (
        conv.convolve(jax.lax, x, w, *rest), conv.back_to_filter(jax.lax, x, w.shape, dy, *rest),
        conv.back_to_input(jax.lax, x.shape, w, dy, *rest)))(x, w, dy)
    check(found, wanted)


def test_infinities_stay_in_their_windows():
    x = np.zeros([1, 6, 6, 3], np.float32)
    x[0, 0, 0, 0] = np.inf
    w = np.ones([3, 3, 3, 5], np.float32)
    y = conv.convolve(jax.lax, x, w, (1, 1, 1, 1), "SAME", "NHWC", (1, 1, 1, 1))
    assert np.isinf(y[0, :2, :2]).all() and not np.isnan(y).any() and np.isfinite(y[0, 2:]).all()


def test_batches_of_other_sizes_are_refused():
    x, w, dy, _, _ = example(CONVOLVE, *SHAPES["few channels"])
    with pytest.raises(errors.InvalidArgumentError, match="for 1 images, the input has 2"):
        conv.back_to_filter(jax.lax, x, w.shape, dy[:1], (1, 1, 1, 1), "SAME", "NHWC", (1, 1, 1, 1))


@pytest.mark.parametrize("data_format", ["NHWC", "NCHW"])
def test_depthwise_of_either_layout(data_format):
    x, w, dy, _, wanted = example(DEPTHWISE, *DEPTHS["depthwise"])
    turn = (lambda each: each) if data_format == "NHWC" else lambda each: np.transpose(each, (0, 3, 1, 2))
    rest = ((1, 1, 1, 1), "SAME", data_format, (1, 1, 1, 1))
    found = (depthwise.depthwise_conv2d_native.kernel(jnp, turn(x), w, *rest),
             depthwise.depthwise_conv2d_native_backprop_filter.kernel(jnp, turn(x), np.array(w.shape), turn(dy), *rest),
             depthwise.depthwise_conv2d_native_backprop_input.kernel(jnp, np.array(turn(x).shape), w, turn(dy), *rest))
    check(found, (turn(wanted[0]), wanted[1], turn(wanted[2])))


# ---- max pooling: the same as without the kernel

POOLS = {
    "3 x 3": ((2, 9, 8, 70), (1, 3, 3, 1), (1, 1, 1, 1), "SAME"),
    "3 x 3, a stride": ((3, 9, 8, 5), (1, 3, 3, 1), (1, 2, 2, 1), "SAME"),
    "5 x 2 VALID": ((2, 9, 8, 12), (1, 5, 2, 1), (1, 1, 2, 1), "VALID"),
    "a column": ((4, 20, 1, 9), (1, 20, 1, 1), (1, 1, 1, 1), "VALID"),
    "volumes": ((2, 4, 5, 6, 3), (1, 2, 3, 2, 1), (1, 1, 2, 1, 1), "SAME"),
}


@pytest.mark.parametrize("name", POOLS)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_gradient_of_max_pooling(name, dtype, monkeypatch):
    shape, ksize, strides, padding = POOLS[name]
    generator = np.random.RandomState(0)
    x = generator.randint(-4, 4, shape).astype(dtype)  # many are equal: the first one counts
    x.flat[::7] = np.nan
    dy = np.zeros(pool._pooled(shape, ksize, strides, padding, x.ndim), dtype)
    dy += generator.randn(*dy.shape)
    axes, positions = pool._axes(shape, ksize, strides, padding)
    assert native_windows.pools(jnp, x, dy, axes, positions) and native_windows.pools(np, x, dy, axes, positions)
    back = lambda xp, x, dy: pool._largest_back(xp, x, dy, ksize, strides, padding)
    found, compiled = back(np, x, dy), jax.jit(functools.partial(back, jnp))(x, dy)
    np.testing.assert_array_equal(found, compiled)
    monkeypatch.setattr(native_windows, "takes", lambda *_: False)
    check([found], [back(np, x, dy)])


def test_gradient_of_the_gradient_of_max_pooling():
    shape, ksize, strides, padding = (1, 4, 3, 2), (1, 2, 2, 1), (1, 1, 1, 1), "VALID"
    x, upstream = np.random.RandomState(0).randn(2, *shape).astype(np.float32)
    back = jax.jit(lambda dy: pool._largest_back(jnp, x, dy, ksize, strides, padding))
    found = jax.vjp(back, np.ones([1, 3, 2, 2], np.float32))[1](upstream)
    check(found, [pool._largest_back_back(np, x, upstream, ksize, strides, padding)])


@pytest.mark.parametrize("name", SHAPES)
def test_products_of_matrices_without_the_kernels(name, monkeypatch):
    monkeypatch.setattr(native_windows, "takes", lambda *_, **__: False)
    x, w, dy, axes, wanted = example(CONVOLVE, *SHAPES[name])
    check((conv_on_numpy.convolved(x, w, axes, 1), conv_on_numpy.filter_gradient(x, w.shape, dy, axes, 1),
           conv_on_numpy.input_gradient(x.shape, w, dy, axes, 1)), wanted)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("shape, ksize, strides, padding", [
    ((2, 9, 11, 5), (1, 2, 2, 1), (1, 2, 2, 1), "SAME"),
    ((2, 9, 11, 17), (1, 3, 2, 1), (1, 1, 2, 1), "VALID"),
    ((1, 40, 30, 8), (1, 3, 3, 1), (1, 2, 2, 1), "SAME"),
    ((2, 5, 6, 7, 3), (1, 2, 3, 2, 1), (1, 1, 2, 3, 1), "SAME"),
])
@pytest.mark.parametrize("cores", [1, 3])
def test_max_pooling_on_numpy(shape, ksize, strides, padding, dtype, cores, monkeypatch):
    monkeypatch.setattr(foreign, "_WORTH_A_THREAD", 1)
    monkeypatch.setattr(foreign, "_cores", lambda: cores)
    random = np.random.RandomState(0)
    x = random.randn(*shape).astype(dtype)
    for odd in (np.nan, np.inf, -np.inf):
        x.flat[random.randint(0, x.size, 9)] = odd
    x[0, 0, :3, :4] = np.nan  # a window of nothing else
    got = pool._largest_number(np, x, ksize, strides, padding)
    np.testing.assert_array_equal(got, pool._largest(np, floored(np, x), ksize, strides, padding))
    assert got.dtype == dtype


def test_max_pooling_that_is_left_to_numpy():
    x = np.arange(3 * 8 * 8, dtype=np.float32).reshape(1, 3, 8, 8)
    for given, ksize in ((x, (1, 1, 2, 2)), (x.astype(np.float16), (1, 2, 2, 1)), (x.astype(np.int32), (1, 2, 2, 1)),
                         (x[:0], (1, 2, 2, 1))):
        axes = pool._axes(given.shape, ksize, ksize, "VALID")
        assert native_windows.max_pool(given, *axes) is None
    with pytest.raises(ValueError, match="do not fit"):
        native.windows.call(native.windows.max_pool, (x,), (np.empty((1, 1, 4, 8), np.float32),),
                            np.ones(21, np.int64).tobytes(), 1)
