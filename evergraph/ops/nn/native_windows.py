"""Convolutions, depthwise convolutions and the gradient of max pooling in C, and the rules when to use them.

On CPUs XLA's own convolution is fast for some shapes and takes 2 to 400 times as long for others: windows over few
channels, whole columns of text, strides, three dimensions, and most gradients. Sums over the offsets of a window,
which XLA fuses, are computed again for every consumer. The kernels in `native/convolve.h` and `native/windows.h`
multiply patches of images with the filter, whatever the shape. Of the 13 shapes compared by processor time they were
faster or as fast, within a fifth, for all. So the rule is `takes`: all windows over float32 and float64 images with
channels last are theirs, where these kernels are available. Max pooling without overlap stays with XLA, which fuses its
gradient with what comes before.

On NumPy arrays the functions here call the same kernels at once, with the same results.
"""

from __future__ import annotations

import functools
import math

import numpy as np

from evergraph.kernel.foreign import available, available_now, call, call_now
from evergraph.kernel.recording import ARRAYS
from evergraph.kernel.values import is_traced
from evergraph.ops.nn.windows import POINT, Axis

CONVOLVE = ("convolve.convolve", "convolve.convolve_to_filter", "convolve.convolve_to_input")
DEPTHWISE = ("windows.depthwise", "windows.depthwise_to_filter", "windows.depthwise_to_input")
MAX_POOL = ("windows.max_pool_gradient",)
_COMPARISON = 4  # products that take as long as a comparison
_MODULES = {np.dtype(np.float32): ".", np.dtype(np.float64): "64."}  # how the name of the module ends


def takes(kernels, dtype, on_numpy=False):
    """Whether these kernels compute with numbers of this dtype: in programs that are compiled here, or on NumPy."""
    is_there = available_now if on_numpy else available
    return np.dtype(dtype) in _MODULES and all(is_there(_for(dtype, kernel)) for kernel in kernels)


def _for(dtype, kernel):
    """The name of the kernel for numbers of this dtype."""
    return kernel.replace(".", _MODULES[np.dtype(dtype)])


@functools.lru_cache(1024)
def _chosen(kernels, at, dtype, last):
    """The name of one of three kernels for a dtype and the filter's last two sizes: that with AVX-512, if the processor
    has it and shorter vectors would be as many."""
    name = _for(dtype, kernels[at])
    wide = name.replace(".", "_512.")
    lanes, width = 64 // dtype.itemsize, last[0] if at == 2 else last[1]
    return wide if kernels is CONVOLVE and -width % lanes < lanes // 2 and available_now(wide) else name


# ---- convolutions: three functions, each linear in both of its arguments


def forward(kernels, input, filter, axes):
    """The convolution."""
    if not is_traced(input) and not is_traced(filter):
        shape = (input.shape[0], *[axis.places for axis in axes], _outputs(kernels, filter.shape[-2:]))
        return _now(kernels, 0, axes, filter.shape[-2:], shape, input, filter)
    return _made(kernels, tuple(axes), filter.shape[-2:], np.dtype(filter.dtype))[0](input, filter)


def to_filter(kernels, input, dy, axes, sizes):
    """The gradient with respect to a filter of these sizes."""
    if not is_traced(input) and not is_traced(dy):
        return _now(kernels, 1, axes, tuple(sizes[-2:]), sizes, input, dy)
    return _made(kernels, tuple(axes), tuple(sizes[-2:]), np.dtype(dy.dtype))[1](input, dy)


def to_input(kernels, filter, dy, axes):
    """The gradient with respect to the images."""
    if not is_traced(filter) and not is_traced(dy):
        shape = (dy.shape[0], *[axis.size for axis in axes], filter.shape[-2])
        return _now(kernels, 2, axes, filter.shape[-2:], shape, filter, dy)
    return _made(kernels, tuple(axes), filter.shape[-2:], np.dtype(dy.dtype))[2](filter, dy)


def _now(kernels, at, axes, last, shape, left, right):
    """What one of the three kernels returns for arrays of NumPy."""
    images = right.shape[0] if at == 2 else left.shape[0]
    numbers, products = _described(kernels, tuple(axes), images, last)
    return call_now(_chosen(kernels, at, left.dtype, last), [shape], (left, right), numbers, products, left.dtype)[0]


@functools.lru_cache(1024)
def _described(kernels, axes, images, last):
    """(the geometry as the kernels read it, how many products the convolution has)."""
    outputs = _outputs(kernels, last)
    depth = math.prod([axis.window for axis in axes]) * (last[0] if kernels is CONVOLVE else 1)
    products = images * outputs * math.prod([axis.places for axis in axes]) * depth
    return np.asarray(_numbers(axes, images, last[0], outputs), np.int64).tobytes(), products


def _outputs(kernels, last):
    """The number of output channels, by the last two sizes of the filter."""
    return last[1] if kernels is CONVOLVE else last[0] * last[1]


@functools.lru_cache(256)
def _made(kernels, axes, last, dtype):
    """The three functions for a geometry, the filter's last two sizes and a dtype; each has the others as gradients."""
    import jax

    windows, sizes, places = ([getattr(a, name) for a in axes] for name in ("window", "size", "places"))
    channels, outputs = last[0], _outputs(kernels, last)
    run = lambda at, images, shape, *operands: call(
        _chosen(kernels, at, dtype, last), shape, dtype, operands, _numbers(axes, images, channels, outputs))
    convolve = jax.custom_vjp(lambda x, w: run(0, x.shape[0], (x.shape[0], *places, outputs), x, w))
    of_filter = jax.custom_vjp(lambda x, dy: run(1, x.shape[0], (*windows, *last), x, dy))
    of_input = jax.custom_vjp(lambda w, dy: run(2, dy.shape[0], (dy.shape[0], *sizes, channels), w, dy))
    convolve.defvjp(_keeping(convolve), lambda xw, dy: (of_input(xw[1], dy), of_filter(xw[0], dy)))
    of_filter.defvjp(_keeping(of_filter), lambda xdy, dw: (of_input(dw, xdy[1]), convolve(xdy[0], dw)))
    of_input.defvjp(_keeping(of_input), lambda wdy, dx: (of_filter(dx, wdy[1]), convolve(dx, wdy[0])))
    return convolve, of_filter, of_input


def _keeping(function):
    """The forward half of a gradient that needs all arguments."""
    return lambda *arguments: (function(*arguments), arguments)


def _numbers(axes, images, channels, outputs):
    """The geometry as the list of integers that kernels read; axes that are missing have one element."""
    axes = (POINT,) * (3 - len(axes)) + tuple(axes)
    names = ("size", "window", "stride", "dilation", "before", "places")
    return [images, channels, outputs, *(getattr(axis, name) for name in names for axis in axes)]


# ---- max pooling


def pools(xp, x, dy, axes, positions):
    """Whether the kernel in C computes the gradient of pooling along these axes."""
    pays = xp is np or any(axis.window > axis.stride for axis in axes)
    pooled = list(x.shape)
    for axis, at in zip(axes, positions):
        pooled[at] = axis.places
    fits = dy.shape == tuple(pooled) and dy.dtype == x.dtype and 0 not in dy.shape
    return pays and _are_spatial(x, positions) and fits and takes(MAX_POOL, x.dtype, xp is np)


def max_pool(x, axes, positions):
    """The largest numbers of windows on NumPy, where NaN is never one; None if the kernel in C does not take them."""
    module = {np.dtype(np.float32): "windows", np.dtype(np.float64): "windows64"}.get(x.dtype)
    if module is None or type(x) not in ARRAYS or not available_now(f"{module}.max_pool") \
            or not _are_spatial(x, positions) or not x.size or min([axis.places for axis in axes], default=0) < 1:
        return None
    shape = list(x.shape)
    for axis, at in zip(axes, positions):
        shape[at] = axis.places
    work = _COMPARISON * math.prod(shape) * math.prod([axis.window for axis in axes])
    numbers = np.asarray(_pool_numbers(x, axes, positions), np.int64).tobytes()
    return call_now(f"{module}.max_pool", [shape], (x,), numbers, work, x.dtype)[0]


def _pool_numbers(x, axes, positions):
    every = [_whole(x.shape[at]) for at in range(1, x.ndim - 1)]
    for axis, at in zip(axes, positions):
        every[at - 1] = axis
    return _numbers(every, x.shape[0], x.shape[-1], x.shape[-1])


def _are_spatial(x, positions):
    """Whether windows move along no other axes than those between images and channels."""
    return 3 <= x.ndim <= 5 and all(0 < at < x.ndim - 1 for at in positions)


def max_pool_gradient(x, dy, axes, positions, back):
    """The gradient of max pooling; `back(x, upstream)` is its own gradient with respect to `dy`."""
    numbers = _pool_numbers(x, axes, positions)
    if not is_traced(x) and not is_traced(dy):
        seen = _COMPARISON * dy.size * math.prod([axis.window for axis in axes])
        packed = np.asarray(numbers, np.int64).tobytes()
        return call_now(_for(x.dtype, MAX_POOL[0]), [x.shape], (x, dy), packed, seen, x.dtype)[0]
    import jax

    run = jax.custom_vjp(lambda x, dy: call(_for(x.dtype, MAX_POOL[0]), x.shape, x.dtype, (x, dy), numbers))
    run.defvjp(_keeping(run), lambda xdy, upstream: (jax.numpy.zeros_like(xdy[0]), back(xdy[0], upstream)))
    return run(x, dy)


def _whole(size):
    """An axis along which windows have one element."""
    return Axis(size=size, window=1, stride=1, dilation=1, before=0, after=0, places=size)
