"""ScaleAndTranslate: resampling with kernels that widen when images shrink (antialiasing)."""
from __future__ import annotations

import numpy as np

from evergraph.base.errors import invalid
from evergraph.graph.opdef import op
from evergraph.graph.shaping import with_rank
from evergraph.ops.image.resize import new_sizes, resampled, resized_shape

_F = np.float32


def _lanczos(radius):
    def kernel(x):
        safe = np.where(x <= 1e-3, 1, x)
        value = radius * np.sin(np.pi * safe) * np.sin(np.pi * safe / radius) / (np.pi * np.pi * safe * safe)
        return np.where(x > radius, 0, np.where(x <= 1e-3, 1, value))
    return radius, kernel


def _keys_cubic(x):
    near, far = ((1.5 * x - 2.5) * x) * x + 1, ((-0.5 * x + 2.5) * x - 4) * x + 2
    return np.where(x >= 2, 0, np.where(x >= 1, far, near))


def _mitchell_cubic(x):
    near = ((7 / 6 * x - 2) * x) * x + 8 / 9
    far = ((-7 / 18 * x + 2) * x - 10 / 3) * x + 16 / 9
    return np.where(x >= 2, 0, np.where(x >= 1, far, near))


# Kernels by name: radius, and weight as a function of distance.
_KERNELS = {
    "lanczos1": _lanczos(1.0), "lanczos3": _lanczos(3.0), "lanczos5": _lanczos(5.0),
    "gaussian": (1.5, lambda x: np.where(x < 1.5, np.exp(-2.0 * x * x), 0)),
    "box": (1.0, lambda x: np.where(x < 0.5, 1, np.where(x == 0.5, 0.5, 0))),
    "triangle": (1.0, lambda x: np.where(x < 1, 1 - x, 0)),
    "keyscubic": (2.0, _keys_cubic), "mitchellcubic": (2.0, _mitchell_cubic),
}


def _weights(size, new_size, scale, translation, kernel_type, antialias):
    """The weight of each input row in each output row: [new_size, size]."""
    if kernel_type not in _KERNELS:
        raise invalid(f"there is no kernel {kernel_type!r}, only {', '.join(_KERNELS)}")
    if not scale > 0:
        raise invalid(f"scale must be greater than zero, got {scale}")
    radius, kernel = _KERNELS[kernel_type]
    inverse = _F(1) / _F(scale)
    stretch = max(inverse, _F(1)) if antialias else _F(1)
    centres = (np.arange(new_size).astype(_F) + _F(0.5)) * inverse - inverse * _F(translation)
    rows = np.arange(size).astype(_F)
    distances = np.abs(rows + _F(0.5) - centres[:, None]) / stretch
    reach = _F(radius) * stretch
    first = np.clip(np.ceil(centres - reach - _F(0.5)), 0, size - 1)[:, None]
    last = np.clip(np.floor(centres + reach - _F(0.5)), 0, size - 1)[:, None]
    seen = ((centres >= 0) & (centres <= size))[:, None] & (rows >= first) & (rows <= last)
    weights = np.where(seen, kernel(distances.astype(np.float64)), 0).astype(_F)
    total = weights.sum(axis=1, keepdims=True)
    enough = np.abs(total) >= 1000 * np.finfo(_F).tiny
    return np.where(enough, weights / np.where(enough, total, 1), 0).astype(_F)


def _matrices(sizes, new, scale, translation, kernel_type, antialias):
    for name, pair in (("scale", scale), ("translation", translation)):
        if np.shape(pair) != (2,):
            raise invalid(f"{name} must be a vector of two numbers, not of shape {np.shape(pair)}")
    return [_weights(*each, kernel_type, antialias) for each in zip(sizes, new, scale, translation)]


@op("ScaleAndTranslate(images: T, size: int32, scale: float, translation: float, *, "
    "T: {floating, index, int8, uint8, int16, uint16}, kernel_type: string = 'lanczos3', antialias: bool = True) -> "
    "resized_images: float", static=("size", "scale", "translation"), shape=resized_shape)
def scale_and_translate(xp, images, size, scale, translation, kernel_type, antialias):
    """Scales, translates and crops images, resampling with a kernel."""
    if images.ndim != 4:
        raise invalid(f"input must be 4-dimensional, not of shape {images.shape}")
    matrices = _matrices(images.shape[1:3], new_sizes(size), scale, translation, kernel_type, antialias)
    return resampled(xp, matrices, images.astype(_F))


@op("ScaleAndTranslateGrad(grads: T, original_image: T, scale: float, translation: float, *, T: {float}, "
    "kernel_type: string = 'lanczos3', antialias: bool = True) -> output: T", static=("scale", "translation"),
    shape=lambda original_image: with_rank(original_image, 4))
def scale_and_translate_grad(xp, grads, original_image, scale, translation, kernel_type, antialias):
    """The gradient of ScaleAndTranslate."""
    matrices = _matrices(original_image.shape[1:3], grads.shape[1:3], scale, translation, kernel_type, antialias)
    return resampled(xp, [matrix.T for matrix in matrices], grads)


@scale_and_translate.grad
def _(op, dy):
    options = {name: op.attrs[name] for name in ("kernel_type", "antialias")}
    return [scale_and_translate_grad(dy, op.inputs[0], op.inputs[2], op.inputs[3], **options), None, None, None]
