"""Discrete Fourier transforms over the last one, two or three axes."""
from __future__ import annotations

import numpy as np

from evergraph.base import dtypes, errors
from evergraph.graph.opdef import VJP, op
from evergraph.graph.shaping import at_least_rank, same_as, with_rank
from evergraph.ops.arrays.basic import cast, shape
from evergraph.ops.arrays.index import strided_slice
from evergraph.ops.math.elementwise import mul, real_div
from evergraph.ops.math.reduce import prod

RANKS = {1: "", 2: "2D", 3: "3D"}
_OTHER_FLOATS = {"Treal": dtypes.float32, "Tcomplex": dtypes.complex64}


def _axes(rank):
    return tuple(range(-rank, 0))


def _points(x, rank):
    """The number of points of each transform, in the dtype of `x`."""
    sizes = strided_slice(shape(x), [-rank], [0], [1], end_mask=1)
    return cast(prod(sizes, [0]), DstT=x.dtype)


def _complex(name, rank, inverse):
    """FFT and IFFT: the complex discrete Fourier transform and its inverse."""
    def kernel(xp, input):
        transform = xp.fft.ifftn if inverse else xp.fft.fftn
        return transform(input, axes=_axes(rank)) if input.size else input
    kernel.__doc__ = f"The {'inverse ' * inverse}discrete Fourier transform in {rank} dimensions, over the last axes."
    return op(f"{name}(input: Tcomplex, *, Tcomplex: {{complex64, complex128}} = complex64) -> output: Tcomplex",
              shape=lambda input: at_least_rank(input, rank))(kernel)


def _from_real(rank):
    """RFFT: the discrete Fourier transform of real numbers, without its redundant half."""
    def kernel(xp, input, fft_length):
        part = _fitted(xp, input, fft_length)
        if not part.size:
            return xp.zeros(_sizes(input.shape, fft_length, rank, _half), np.complex64)
        return xp.fft.rfftn(part, axes=_axes(rank))
    kernel.__doc__ = f"The discrete Fourier transform of real numbers in {rank} dimensions, without its redundant half."

    def sizes(input, fft_length, value_of):
        return _sizes(input, _checked_lengths(fft_length, value_of("fft_length"), rank), rank, _half)
    return op(f"RFFT{RANKS[rank]}(input: float, fft_length: int32) -> output: complex64", static=("fft_length",),
              shape=sizes, grad=VJP, multilinear=True, later=_OTHER_FLOATS)(kernel)


def _to_real(rank):
    """IRFFT: the inverse of RFFT."""
    def kernel(xp, input, fft_length):
        lengths = [int(n) for n in fft_length]
        half = _fitted(xp, input, [*lengths[:-1], _half(lengths[-1])])
        if not half.size:
            return xp.zeros((*input.shape[:-rank], *lengths), np.float32)
        return xp.fft.irfftn(half, s=lengths, axes=_axes(rank))
    kernel.__doc__ = f"The inverse of the real discrete Fourier transform in {rank} dimensions."

    def sizes(input, fft_length, value_of):
        return _sizes(input, _checked_lengths(fft_length, value_of("fft_length"), rank), rank, lambda n: n)
    return op(f"IRFFT{RANKS[rank]}(input: complex64, fft_length: int32) -> output: float", static=("fft_length",),
              shape=sizes, grad=VJP, multilinear=True, later=_OTHER_FLOATS)(kernel)


def _half(points):
    """The number of non-redundant points of the transform of `points` real numbers."""
    return points // 2 + 1 if points else 0


def _checked_lengths(shape, lengths, rank):
    """The static lengths, after checking that there is one per axis."""
    count = with_rank(shape, 1)[0]
    if count is not None and count != rank:
        raise ValueError(f"Dimension must be {rank} but is {count}")
    return lengths


def _sizes(input, lengths, rank, last):
    if at_least_rank(input, rank) is None:
        return None
    if lengths is None:
        return (*input[:-rank], *[None] * rank)
    return (*input[:-rank], *(int(n) for n in lengths[:-1]), last(int(lengths[-1])))


def _fitted(xp, input, lengths):
    """Crops the last axes to `lengths`; fails if they are shorter."""
    have = input.shape[-len(lengths):]
    for axis, (size, wanted) in enumerate(zip(have, lengths), input.ndim - len(lengths)):
        if size < wanted:
            raise errors.InvalidArgumentError(None, None, f"Input dimension {axis} must have length of at least "
                                              f"{int(wanted)} but got: {size}")
    return input[(..., *(slice(int(n)) for n in lengths))]


TRANSFORMS = {rank: _complex(f"FFT{suffix}", rank, False) for rank, suffix in RANKS.items()}
INVERSE_TRANSFORMS = {rank: _complex(f"IFFT{suffix}", rank, True) for rank, suffix in RANKS.items()}
REAL_TRANSFORMS = {rank: _from_real(rank) for rank in RANKS}
INVERSE_REAL_TRANSFORMS = {rank: _to_real(rank) for rank in RANKS}


def _set_gradients(rank):
    forward, backward = TRANSFORMS[rank], INVERSE_TRANSFORMS[rank]
    forward.grad(lambda op, dy: mul(backward(dy), _points(dy, rank)))
    backward.grad(lambda op, dy: real_div(forward(dy), _points(dy, rank)))


for _rank in RANKS:
    _set_gradients(_rank)


def _older(transform):
    """A transform under its deprecated name, for complex64 only."""
    def kernel(xp, input):
        return transform.kernel(xp, input)
    kernel.__doc__ = transform.__doc__
    return op(f"Batch{transform.name}(input: complex64) -> output: complex64", shape=same_as("input"))(kernel)


OLDER_TRANSFORMS = [_older(transform) for transform in (*TRANSFORMS.values(), *INVERSE_TRANSFORMS.values())]
