# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.signal."""

from evergraph import Tensor
from typing import Any

def dct(
    input: Any, type: Any = 2, n: Any = None, axis: Any = -1, norm: Any = None, name: str | None = None,
) -> Any:
    """The discrete cosine transform (DCT) of type I, II, III or IV along the last axis, scaled as in
    SciPy."""

from evergraph import fft as fft
from evergraph import fft2d as fft2d
from evergraph import fft3d as fft3d

def fftshift(x: Any, axes: Any = None, name: str | None = None) -> Tensor:
    """Shifts the zero frequency to the centre of each axis."""

def frame(
    signal: Any, frame_length: Any, frame_step: Any, pad_end: Any = False, pad_value: Any = 0,
    axis: Any = -1, name: str | None = None,
) -> Any:
    """Splits an axis into frames of equal length, which overlap if the step is smaller."""

def hamming_window(
    window_length: Any, periodic: Any = True, dtype: Any = ..., name: str | None = None,
) -> Tensor:
    """The Hamming window: 0.54 - 0.46 * cos(2 pi n / N); arguments as `tf.signal.hann_window`."""

def hann_window(
    window_length: Any, periodic: Any = True, dtype: Any = ..., name: str | None = None,
) -> Tensor:
    """The Hann window: 0.5 - 0.5 * cos(2 pi n / N)."""

def idct(
    input: Any, type: Any = 2, n: Any = None, axis: Any = -1, norm: Any = None, name: str | None = None,
) -> Any:
    """The inverse DCT of the same type as `tf.signal.dct`; without "ortho" up to a factor 2 n, or 2 (n - 1)
    for type I."""

from evergraph import ifft as ifft
from evergraph import ifft2d as ifft2d
from evergraph import ifft3d as ifft3d

def ifftshift(x: Any, axes: Any = None, name: str | None = None) -> Tensor:
    """The inverse of `fftshift`."""

def inverse_stft(
    stfts: Any, frame_length: Any, frame_step: Any, fft_length: Any = None, window_fn: Any = ...,
    name: str | None = None,
) -> Any:
    """The inverse short-time Fourier transform, up to the windows; see
    `tf.signal.inverse_stft_window_fn`."""

def inverse_stft_window_fn(
    frame_step: Any, forward_window_fn: Any = ..., name: str | None = None,
) -> Any:
    """The `window_fn` of `tf.signal.inverse_stft` that inverts `forward_window_fn` exactly."""

def irfft(input_tensor: Any, fft_length: Any = None, name: str = 'irfft') -> Any:
    """The inverse of the real discrete Fourier transform in 1 dimensions."""

def irfft2d(input_tensor: Any, fft_length: Any = None, name: str = 'irfft2d') -> Any:
    """The inverse of the real discrete Fourier transform in 2 dimensions."""

def irfft3d(input_tensor: Any, fft_length: Any = None, name: str = 'irfft3d') -> Any:
    """The inverse of the real discrete Fourier transform in 3 dimensions."""

def linear_to_mel_weight_matrix(
    num_mel_bins: Any = 20, num_spectrogram_bins: Any = 129, sample_rate: Any = 8000,
    lower_edge_hertz: Any = 125.0, upper_edge_hertz: Any = 3800.0, dtype: Any = ...,
    name: str | None = None,
) -> Tensor:
    """The matrix from linear-frequency spectra, as rows, to triangular mel-scale bands."""

def mfccs_from_log_mel_spectrograms(log_mel_spectrograms: Any, name: str | None = None) -> Tensor:
    """The mel-frequency cepstral coefficients (MFCCs) of log mel spectrograms: their DCT-II."""

def overlap_and_add(signal: Any, frame_step: Any, name: str | None = None) -> Any:
    """Reconstructs a signal from overlapping frames (overlap-add): adds frames at offsets of
    `frame_step`."""

def rfft(input_tensor: Any, fft_length: Any = None, name: str = 'rfft') -> Any:
    """The discrete Fourier transform of real numbers in 1 dimensions, without its redundant half."""

def rfft2d(input_tensor: Any, fft_length: Any = None, name: str = 'rfft2d') -> Any:
    """The discrete Fourier transform of real numbers in 2 dimensions, without its redundant half."""

def rfft3d(input_tensor: Any, fft_length: Any = None, name: str = 'rfft3d') -> Any:
    """The discrete Fourier transform of real numbers in 3 dimensions, without its redundant half."""

def stft(
    signals: Any, frame_length: Any, frame_step: Any, fft_length: Any = None, window_fn: Any = ...,
    pad_end: Any = False, name: str | None = None,
) -> Any:
    """The short-time Fourier transform (STFT): Fourier transforms of overlapping frames."""
