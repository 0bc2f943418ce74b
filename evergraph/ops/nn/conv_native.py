"""Convolutions in C (`native/convolve.c`) and the rule when to use them.

On CPUs XLA's own convolution is fast for some shapes and takes 2 to 400 times as long for others: windows over few
channels, whole columns of text, strides, three dimensions, and most gradients. The C kernels multiply patches of images
with the filter, whatever the shape, and were never slower by more than a tenth where they were compared. So the rule is
`takes`: all float32 convolutions with channels last and one group are theirs, where these kernels are available.
"""

from __future__ import annotations

import functools

import numpy as np

from evergraph.kernel.foreign import available, call
from evergraph.ops.nn.windows import Axis

_POINT = Axis(size=1, window=1, stride=1, dilation=1, before=0, after=0, places=1)
_KERNELS = ("convolve.convolve", "convolve.convolve_to_filter", "convolve.convolve_to_input")


def takes(dtype, groups, data_format):
    """Whether the kernels in C compute such convolutions."""
    return (np.dtype(dtype) == np.float32 and groups == 1 and not data_format.startswith("NC")
            and all(map(available, _KERNELS)))


def forward(input, filter, axes):
    """The convolution."""
    return _differentiable(axes)[0](input, filter)


def to_filter(input, dy, axes):
    """The gradient with respect to the filter."""
    return _differentiable(axes)[1](input, dy)


def to_input(filter, dy, axes):
    """The gradient with respect to the images."""
    return _differentiable(axes)[2](filter, dy)


@functools.lru_cache(256)
def _made(axes):
    """The three functions for one geometry; each has the other two in its gradient."""
    import jax

    windows, sizes, places = ([getattr(a, name) for a in axes] for name in ("window", "size", "places"))

    @jax.custom_vjp
    def convolve(x, w):
        return _call("convolve", (x.shape[0], *places, w.shape[-1]), x, w, axes, x.shape[0], *w.shape[-2:])

    @jax.custom_vjp
    def of_filter(x, dy):
        return _call("convolve_to_filter", (*windows, x.shape[-1], dy.shape[-1]), x, dy, axes, x.shape[0], x.shape[-1],
                     dy.shape[-1])

    @jax.custom_vjp
    def of_input(w, dy):
        return _call("convolve_to_input", (dy.shape[0], *sizes, w.shape[-2]), w, dy, axes, dy.shape[0], *w.shape[-2:])

    kept = lambda function: lambda *arguments: (function(*arguments), arguments)
    convolve.defvjp(kept(convolve), lambda xw, dy: (of_input(xw[1], dy), of_filter(xw[0], dy)))
    of_filter.defvjp(kept(of_filter), lambda xdy, dw: (of_input(dw, xdy[1]), convolve(xdy[0], dw)))
    of_input.defvjp(kept(of_input), lambda wdy, dx: (of_filter(dx, wdy[1]), convolve(dx, wdy[0])))
    return convolve, of_filter, of_input


def _differentiable(axes):
    return _made(tuple(axes))


def _call(kernel, shape, left, right, axes, images, channels, outputs):
    """Calls a kernel with the geometry as the list of numbers that it reads."""
    axes = (_POINT,) * (3 - len(axes)) + tuple(axes)
    lists = ([getattr(axis, name) for axis in axes]
             for name in ("size", "window", "stride", "dilation", "before", "places"))
    return call(f"convolve.{kernel}", shape, np.float32, (left, right),
                [images, channels, outputs, *(number for each in lists for number in each)])
