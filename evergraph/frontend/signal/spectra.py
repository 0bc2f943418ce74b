"""Short-time Fourier and cosine transforms: tf.signal.stft, inverse_stft, dct, idct, mel scale and MFCCs."""
from __future__ import annotations

import math as python_math

import numpy as np

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.frontend import array, math
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.reduce import reduce_sum
from evergraph.frontend.signal.fourier import irfft, rfft
from evergraph.frontend.signal.frames import filled_up, frame, hann_window, number, overlap_and_add
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.shaping import static_value
from evergraph.ops.arrays import basic
from evergraph.ops.arrays.pad import reverse_v2, tile
from evergraph.ops.math import elementwise

# ---- short-time Fourier transform

@export("signal.stft", "contrib.signal.stft")
def stft(signals, frame_length, frame_step, fft_length=None, window_fn=hann_window, pad_end=False, name=None):
    """The short-time Fourier transform (STFT): Fourier transforms of overlapping frames.

    Args:
        signals: float32 [..., samples].
        frame_length: the length of a frame in samples.
        frame_step: the distance between the starts of frames.
        fft_length: the number of points of the transforms; by default the smallest power of two >= frame_length.
        window_fn: called with (frame_length, dtype=...), returns the window; None for no window.
        pad_end: whether to pad frames that extend beyond the signal with zeros; else they are dropped.
        name: a name for the operations.

    Returns:
        complex64 [..., frames, fft_length // 2 + 1].
    """
    with name_scope(name, "stft", [signals, frame_length, frame_step]):
        signals = convert_to_tensor(signals, name="signals")
        if signals.shape.ndims == 0:
            raise ValueError("signals must have at least one axis")
        frame_length, frame_step = number(frame_length, "frame_length"), number(frame_step, "frame_step")
        points = _power_of_two(frame_length) if fft_length is None else number(fft_length, "fft_length")
        frames = frame(signals, frame_length, frame_step, pad_end=pad_end)
        if window_fn is not None:
            frames = frames * window_fn(frame_length, dtype=frames.dtype)
        return rfft(frames, array.reshape(convert_to_tensor(points), [1]))


def _power_of_two(value):
    """The smallest power of two that is at least `value`."""
    if isinstance(value, int):
        return 1 << max(0, value - 1).bit_length()
    exponent = elementwise.ceil(elementwise.log(math.cast(value, dtypes.float32)) / np.float32(python_math.log(2.0)))
    return math.cast(elementwise.pow_(2.0, exponent), dtypes.int32)


@export("signal.inverse_stft", "contrib.signal.inverse_stft")
def inverse_stft(stfts, frame_length, frame_step, fft_length=None, window_fn=hann_window, name=None):
    """The inverse short-time Fourier transform, up to the windows; see `tf.signal.inverse_stft_window_fn`.

    Args:
        stfts: complex64 [..., frames, fft_length // 2 + 1].
        frame_length: the length of a frame in samples.
        frame_step: the distance between the starts of frames.
        fft_length: the number of points of the transforms; by default the smallest power of two >= frame_length.
        window_fn: called with (frame_length, dtype=...), returns the window; None for no window.
        name: a name for the operations.

    Returns:
        float32 [..., samples].
    """
    with name_scope(name, "inverse_stft", [stfts]):
        stfts = convert_to_tensor(stfts, name="stfts")
        if stfts.shape.ndims is not None and stfts.shape.ndims < 2:
            raise ValueError("stfts must have at least two axes, of frames and of frequencies")
        frame_length, frame_step = number(frame_length, "frame_length"), number(frame_step, "frame_step")
        points = _power_of_two(frame_length) if fft_length is None else number(fft_length, "fft_length")
        frames = irfft(stfts, array.reshape(convert_to_tensor(points), [1]))[..., :frame_length]
        frames = filled_up(frames, 0, -1, array.shape(frames)[-1], frame_length)
        if isinstance(frame_length, int) and stfts.shape.ndims is not None:
            frames.set_shape([*stfts.shape.as_list()[:-1], frame_length])
        if window_fn is not None:
            frames = frames * window_fn(frame_length, dtype=frames.dtype)
        return overlap_and_add(frames, frame_step)


@export("signal.inverse_stft_window_fn", "contrib.signal.inverse_stft_window_fn")
def inverse_stft_window_fn(frame_step, forward_window_fn=hann_window, name=None):
    """The `window_fn` of `tf.signal.inverse_stft` that inverts `forward_window_fn` exactly.

    Args:
        frame_step: the distance between the starts of frames.
        forward_window_fn: the window function of `tf.signal.stft`.
        name: a name for the operations.

    Returns:
        A function of (frame_length, dtype).
    """
    def inverse_window(frame_length, dtype):
        """The forward window divided by the sum of the squares of all windows that cover a sample."""
        with name_scope(name, "inverse_stft_window_fn", [forward_window_fn]):
            length, step = number(frame_length, "frame_length"), number(frame_step, "frame_step")
            forward = forward_window_fn(length, dtype=dtype)
            overlaps = -(-length // step)
            squares = filled_up(elementwise.square(forward), 0, 0, length, overlaps * step)
            total = reduce_sum(array.reshape(squares, array.stack([overlaps, step])), 0, keepdims=True)
            repeated = array.reshape(tile(total, array.stack([overlaps, 1])), [-1])
            return forward / repeated[:length]
    return inverse_window


# ---- cosine transforms

_INVERSES = {1: 1, 2: 3, 3: 2, 4: 4}


@export("signal.dct", "spectral.dct")
def dct(input, type=2, n=None, axis=-1, norm=None, name=None):  # noqa: A002 - TensorFlow's own names
    """The discrete cosine transform (DCT) of type I, II, III or IV along the last axis, scaled as in SciPy.

    Args:
        input: float32 [..., samples].
        type: 1, 2, 3 or 4.
        n: the number of points; the input is cropped or zero-padded to it.
        axis: must be -1, the last axis.
        norm: "ortho" for the orthonormal transform (not of type 1), or None.
        name: a name for the operations.

    Raises:
        ValueError: the type, n or norm is invalid.
        NotImplementedError: the axis is not -1.
    """
    _check_transform(type, n, axis, norm)
    with name_scope(name, "dct", [input]):
        x = convert_to_tensor(input, dtypes.float32)
        if n is not None:
            x = filled_up(x[..., :n], 0, -1, array.shape(x[..., :n])[-1], n)
            if x.shape.ndims is not None:
                x.set_shape([*x.shape.as_list()[:-1], n])
        known = None if x.shape.ndims is None else x.shape.as_list()[-1]
        if type == 1 and known is not None and known < 2:
            raise ValueError("a cosine transform of type I needs two points or more")
        size = array.shape(x)[-1] if known is None else known
        result = _TRANSFORMS[type](x, size, norm)
        result.set_shape(x.shape)
        return result


@export("signal.idct", "spectral.idct")
def idct(input, type=2, n=None, axis=-1, norm=None, name=None):  # noqa: A002 - TensorFlow's own names
    """The inverse DCT of the same type as `tf.signal.dct`; without "ortho" up to a factor 2 n, or 2 (n - 1) for type I.

    Args:
        input: float32 [..., samples].
        type: 1, 2, 3 or 4.
        n: must be None.
        axis: must be -1, the last axis.
        norm: "ortho", or None.
        name: a name for the operations.

    Raises:
        ValueError: the type or norm is invalid.
        NotImplementedError: the axis is not -1, or n is given.
    """
    if n is not None:
        raise NotImplementedError("an inverse cosine transform of another length (n)")
    _check_transform(type, n, axis, norm)
    with name_scope(name, "idct", [input]):
        return dct(input, type=_INVERSES[type], norm=norm)


def _check_transform(kind, n, axis, norm):
    if axis != -1:
        raise NotImplementedError(f"a cosine transform along another axis than the last: {axis}")
    if n is not None and n < 1:
        raise ValueError(f"n must be a positive integer or None, not {n}")
    if kind not in _INVERSES:
        raise ValueError(f"the types of cosine transforms are 1, 2, 3 and 4, not {kind}")
    if norm not in (None, "ortho"):
        raise ValueError(f"norm must be None or 'ortho', not {norm!r}")
    if kind == 1 and norm == "ortho":
        raise ValueError("the cosine transform of type I has no orthonormal form here")


def _turns(size, sign):
    """exp(sign * i * pi * k / (2 size)) for k below size."""
    angles = math.cast(math.range(size), dtypes.float32) * (np.float32(np.pi / 2) / math.cast(size, dtypes.float32))
    return math.complex(elementwise.cos(angles), sign * elementwise.sin(angles))


def _first_and_rest(size, first, rest):
    """A factor for each of `size` coefficients, with a different first one."""
    at_first = math.cast(elementwise.equal(math.range(size), 0), dtypes.float32)
    return at_first * first + (1.0 - at_first) * rest


def _length(size):
    return array.reshape(convert_to_tensor(size), [1])


def _type_one(x, size, norm):
    mirrored = array.concat([x, reverse_v2(x[..., 1:-1], [-1])], -1)
    return math.real(rfft(mirrored))


def _type_two(x, size, norm):
    spectrum = rfft(x, _length(2 * size))[..., :size]
    result = 2.0 * math.real(spectrum * _turns(size, -1.0))
    if norm is None:
        return result
    points = math.cast(size, dtypes.float32)
    return result * _first_and_rest(size, 0.5 * elementwise.rsqrt(points), elementwise.rsqrt(2.0 * points))


def _type_three(x, size, norm):
    points = math.cast(size, dtypes.float32)
    if norm == "ortho":
        x = x * _first_and_rest(size, elementwise.rsqrt(points), elementwise.rsqrt(2.0 * points))
    turned = math.cast(2.0 * points * x, dtypes.complex64) * _turns(size, 1.0)
    return irfft(turned, _length(2 * size))[..., :size]


def _type_four(x, size, norm):
    """DCT-IV as the odd coefficients of a DCT-II over twice as many points."""
    spectrum = rfft(x, _length(4 * size))[..., :2 * size]
    result = 2.0 * math.real(spectrum * _turns(2 * size, -1.0))[..., 1::2]
    return result if norm is None else result * elementwise.rsqrt(2.0 * math.cast(size, dtypes.float32))


_TRANSFORMS = {1: _type_one, 2: _type_two, 3: _type_three, 4: _type_four}


# ---- the mel scale

_BREAK_HERTZ, _HIGH_QUALITY = 700.0, 1127.0  # HTK's scale


@export("signal.linear_to_mel_weight_matrix", "contrib.signal.linear_to_mel_weight_matrix")
def linear_to_mel_weight_matrix(num_mel_bins=20, num_spectrogram_bins=129, sample_rate=8000, lower_edge_hertz=125.0,
                                upper_edge_hertz=3800.0, dtype=dtypes.float32, name=None):
    """The matrix from linear-frequency spectra, as rows, to triangular mel-scale bands.

    Args:
        num_mel_bins: the number of mel bands.
        num_spectrogram_bins: the number of frequencies of a spectrum.
        sample_rate: samples per second of the signal; the last frequency is half of it.
        lower_edge_hertz: the lower edge of the lowest band.
        upper_edge_hertz: the upper edge of the highest band.
        dtype: a floating dtype.
        name: a name for the operations.

    Returns:
        [num_spectrogram_bins, num_mel_bins]; the first row, for the DC component, is zero.

    Raises:
        ValueError: an argument is out of range, or the sample rate is not static.
    """
    dtype = dtypes.as_dtype(dtype)
    with name_scope(name, "linear_to_mel_weight_matrix"):
        rate = static_value(convert_to_tensor(sample_rate, name="sample_rate"))
        _check_bands(num_mel_bins, num_spectrogram_bins, rate, lower_edge_hertz, upper_edge_hertz, dtype)
        nyquist = np.array(float(rate) / 2, dtype.np)
        hertz = basic.lin_space(np.array(0, dtype.np), nyquist, convert_to_tensor(num_spectrogram_bins))[1:]
        mels = array.expand_dims(_mel(hertz, dtype), 1)
        lowest, highest = (_mel(array.constant(edge, dtype), dtype) for edge in (lower_edge_hertz, upper_edge_hertz))
        edges = basic.lin_space(lowest, highest, num_mel_bins + 2)
        lower, centre, upper = (array.reshape(edges[at:at + num_mel_bins], [1, -1]) for at in range(3))
        rising, falling = (mels - lower) / (centre - lower), (upper - mels) / (upper - centre)
        weights = elementwise.maximum(array.zeros([], dtype), elementwise.minimum(rising, falling))
        return array.pad(weights, [[1, 0], [0, 0]])


def _mel(hertz, dtype):
    scale = np.array(_HIGH_QUALITY, dtype.np), np.array(_BREAK_HERTZ, dtype.np)
    return scale[0] * elementwise.log(np.array(1, dtype.np) + hertz / scale[1])


def _check_bands(num_mel_bins, num_spectrogram_bins, rate, lower, upper, dtype):
    bins = static_value(convert_to_tensor(num_spectrogram_bins))
    wrong = ("num_mel_bins must be positive" if num_mel_bins <= 0 else
             "num_spectrogram_bins must be positive" if bins is not None and bins <= 0 else
             "sample_rate must be known when the graph is built" if rate is None else
             "sample_rate must be positive" if rate <= 0 else
             "lower_edge_hertz must not be negative" if lower < 0 else
             "lower_edge_hertz must be below upper_edge_hertz" if lower >= upper else
             "upper_edge_hertz must not be above half of the sample rate" if upper > float(rate) / 2 else
             "dtype must be floating" if not dtype.is_floating else None)
    if wrong:
        raise ValueError(f"{wrong}: num_mel_bins {num_mel_bins}, num_spectrogram_bins {num_spectrogram_bins}, "
                         f"sample_rate {rate}, from {lower} to {upper} Hz, {dtype.name}")


@export("signal.mfccs_from_log_mel_spectrograms", "contrib.signal.mfccs_from_log_mel_spectrograms")
def mfccs_from_log_mel_spectrograms(log_mel_spectrograms, name=None):
    """The mel-frequency cepstral coefficients (MFCCs) of log mel spectrograms: their DCT-II.

    Args:
        log_mel_spectrograms: float32 [..., num_mel_bins].
        name: a name for the operations.

    Returns:
        float32 [..., num_mel_bins], scaled as HTK does.

    Raises:
        ValueError: there are no bands, or the dtype is not float32.
    """
    with name_scope(name, "mfccs_from_log_mel_spectrograms", [log_mel_spectrograms]):
        spectra = convert_to_tensor(log_mel_spectrograms, dtypes.float32)
        known = spectra.shape.as_list()[-1] if spectra.shape.ndims else None
        if known == 0:
            raise ValueError("num_mel_bins must be positive")
        bands = math.cast(array.shape(spectra)[-1] if known is None else known, dtypes.float32)
        return dct(spectra, type=2) * elementwise.rsqrt(bands * 2.0)
