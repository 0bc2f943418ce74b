# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.signal."""

from evergraph.signal import dct as dct
from evergraph import fft as fft
from evergraph import fft2d as fft2d
from evergraph import fft3d as fft3d
from evergraph.signal import fftshift as fftshift
from evergraph.signal import frame as frame
from evergraph.signal import hamming_window as hamming_window
from evergraph.signal import hann_window as hann_window
from evergraph.signal import idct as idct
from evergraph import ifft as ifft
from evergraph import ifft2d as ifft2d
from evergraph import ifft3d as ifft3d
from evergraph.signal import ifftshift as ifftshift
from evergraph.signal import inverse_stft as inverse_stft
from evergraph.signal import inverse_stft_window_fn as inverse_stft_window_fn
from evergraph.signal import irfft as irfft
from evergraph.signal import irfft2d as irfft2d
from evergraph.signal import irfft3d as irfft3d
from evergraph.signal import linear_to_mel_weight_matrix as linear_to_mel_weight_matrix
from evergraph.signal import mfccs_from_log_mel_spectrograms as mfccs_from_log_mel_spectrograms
from evergraph.signal import overlap_and_add as overlap_and_add
from evergraph.signal import rfft as rfft
from evergraph.signal import rfft2d as rfft2d
from evergraph.signal import rfft3d as rfft3d
from evergraph.signal import stft as stft
