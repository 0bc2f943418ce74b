"""Discrete Fourier transforms: tf.signal, tf.spectral and the older tf.fft names."""
from __future__ import annotations

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.frontend.array import concat, pad, shape, stack, zeros_like
from evergraph.graph.convert import convert_to_tensor, sizes_to_tensor
from evergraph.graph.graph import default_graph
from evergraph.graph.shaping import denoted_shape
from evergraph.ops.arrays.pad import roll
from evergraph.ops.math import fft as ops
from evergraph.ops.math.elementwise import floor_div, maximum, neg


def _public(transform):
    """Exports FFT or IFFT under its public names; the older ones without a namespace are tf.fft, tf.ifft2d, ..."""
    plain = transform.name.lower()
    return export(plain, f"signal.{plain}", f"spectral.{plain}")(transform)


fft, fft2d, fft3d = map(_public, ops.TRANSFORMS.values())
ifft, ifft2d, ifft3d = map(_public, ops.INVERSE_TRANSFORMS.values())


def _real_transform(rank, inverse):
    declared = (ops.INVERSE_REAL_TRANSFORMS if inverse else ops.REAL_TRANSFORMS)[rank]
    name = ("irfft" if inverse else "rfft") + ops.RANKS[rank].lower()

    def transform(input_tensor, fft_length=None, name=name):
        with default_graph().name_scope(name) as scope:
            wanted = dtypes.complex64 if inverse else dtypes.float32
            input_tensor = convert_to_tensor(input_tensor, wanted)
            input_tensor.shape.with_rank_at_least(rank)
            if fft_length is None:
                lengths = _own_lengths(input_tensor, rank, inverse)
            else:
                lengths = sizes_to_tensor(fft_length)
                lengths.shape.with_rank(1)
                input_tensor = _padded(input_tensor, lengths, rank, inverse)
            return declared(input_tensor, lengths, name=scope)

    transform.__name__ = transform.__qualname__ = name
    transform.__doc__ = f"""{declared.__doc__}

    Args:
        input_tensor: {'complex64' if inverse else 'float32'}.
        fft_length: int32 [{rank}], the number of points along each axis; the input is cropped or zero-padded to it.
        name: a name for the operation.
    """
    public = declared.name.lower()
    return export(f"signal.{public}", f"spectral.{public}")(transform)


def _own_lengths(x, rank, inverse):
    """The default lengths: the input's sizes; for the inverse, 2 * (n - 1) along the last axis."""
    sizes = denoted_shape(shape(x))
    known = None if sizes is None else list(sizes[-rank:])
    if known is not None and None not in known:
        known[-1] = max(0, 2 * (known[-1] - 1)) if inverse else known[-1]
        return convert_to_tensor(known, dtypes.int32)
    lengths = shape(x)[-rank:]
    return lengths * ([1] * (rank - 1) + [2]) - ([0] * (rank - 1) + [2]) if inverse else lengths


def _padded(x, lengths, rank, inverse):
    """The input padded with zeros along axes that are shorter than the transform."""
    wanted, have = denoted_shape(lengths), x.shape.tuple
    if wanted is not None and len(wanted) != rank:
        return x  # the op rejects it
    if wanted is None or None in wanted or have is None or None in have[-rank:]:
        return _padded_when_run(x, lengths, rank, inverse)
    needed = [*wanted[:-1], wanted[-1] // 2 + 1 if inverse else wanted[-1]]
    missing = [max(0, n - size) for n, size in zip(needed, have[-rank:])]
    return pad(x, [[0, 0]] * (len(have) - rank) + [[0, n] for n in missing]) if any(missing) else x


def _padded_when_run(x, lengths, rank, inverse):
    """As `_padded`, for sizes that are not static."""
    sizes = shape(x)
    needed = stack([lengths[at] // 2 + 1 if inverse and at == rank - 1 else lengths[at] for at in range(rank)])
    missing = maximum(needed - sizes[-rank:], 0)
    behind = concat([zeros_like(sizes[:-rank]), missing], 0)
    return pad(x, stack([zeros_like(behind), behind], axis=1))


rfft, rfft2d, rfft3d = (_real_transform(rank, inverse=False) for rank in ops.RANKS)
irfft, irfft2d, irfft3d = (_real_transform(rank, inverse=True) for rank in ops.RANKS)


@export("signal.fftshift")
def fftshift(x, axes=None, name=None):
    """Shifts the zero frequency to the centre of each axis."""
    with default_graph().name_scope(name or "fftshift") as scope:
        x = convert_to_tensor(x)
        axes, sizes = _shifted_axes(x, axes)
        return roll(x, floor_div(sizes, 2), axes, name=scope)


@export("signal.ifftshift")
def ifftshift(x, axes=None, name=None):
    """The inverse of `fftshift`."""
    with default_graph().name_scope(name or "ifftshift") as scope:
        x = convert_to_tensor(x)
        axes, sizes = _shifted_axes(x, axes)
        return roll(x, neg(floor_div(sizes, 2)), axes, name=scope)


def _shifted_axes(x, axes):
    """(the axes, their sizes), as tensors."""
    if axes is None:
        axes = list(range(x.shape.ndims))
    axes = [axes] if isinstance(axes, int) else list(axes)
    whole = shape(x)
    return convert_to_tensor(axes), convert_to_tensor([whole[a] for a in axes])
