# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.signal."""

from evergraph import Tensor
from typing import Any

def dct(
    input: Any, type: Any = 2, n: Any = None, axis: Any = -1, norm: Any = None, name: str | None = None,
) -> Any:
    """The discrete cosine transform along the last axis, of type I, II, III or IV, scaled as SciPy does."""

from evergraph import fft as fft
from evergraph import fft2d as fft2d
from evergraph import fft3d as fft3d

def fftshift(x: Any, axes: Any = None, name: str | None = None) -> Tensor:
    """Moves the zero frequency to the middle of each axis."""

def frame(
    signal: Any, frame_length: Any, frame_step: Any, pad_end: Any = False, pad_value: Any = 0,
    axis: Any = -1, name: str | None = None,
) -> Any:
    """Cuts an axis into pieces of equal length, which overlap when the step is smaller."""

def hamming_window(
    window_length: Any, periodic: Any = True, dtype: Any = ..., name: str | None = None,
) -> Tensor:
    """The same as `tf.signal.hann_window`, but falling to 0.08 instead of zero."""

def hann_window(
    window_length: Any, periodic: Any = True, dtype: Any = ..., name: str | None = None,
) -> Tensor:
    """A window that rises from zero to one and falls again, as half a cosine wave."""

def idct(
    input: Any, type: Any = 2, n: Any = None, axis: Any = -1, norm: Any = None, name: str | None = None,
) -> Any:
    """The inverse of `tf.signal.dct` of the same type; without "ortho" up to a factor of 2 n, or 2 (n - 1)
    for type I."""

from evergraph import ifft as ifft
from evergraph import ifft2d as ifft2d
from evergraph import ifft3d as ifft3d

def ifftshift(x: Any, axes: Any = None, name: str | None = None) -> Tensor:
    """Undoes `fftshift`."""

def inverse_stft(
    stfts: Any, frame_length: Any, frame_step: Any, fft_length: Any = None, window_fn: Any = ...,
    name: str | None = None,
) -> Any:
    """The signal whose `tf.signal.stft` is given, up to the windows; see
    `tf.signal.inverse_stft_window_fn`."""

def inverse_stft_window_fn(
    frame_step: Any, forward_window_fn: Any = ..., name: str | None = None,
) -> Any:
    """The `window_fn` for `tf.signal.inverse_stft` that undoes what `forward_window_fn` did."""

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
    """The matrix that turns spectra, as rows, into overlapping triangular bands of the mel scale."""

def mfccs_from_log_mel_spectrograms(log_mel_spectrograms: Any, name: str | None = None) -> Tensor:
    """The mel-frequency cepstral coefficients, all of them, of the logarithms of mel spectra."""

def overlap_and_add(signal: Any, frame_step: Any, name: str | None = None) -> Any:
    """Puts frames together again, each `frame_step` samples after the one before, and adds where they
    overlap."""

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
    """The Fourier transforms of overlapping frames of a signal."""
