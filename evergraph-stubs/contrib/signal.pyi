# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.signal."""

from evergraph.signal import frame as _frame

from evergraph.signal import frame as frame
frames = _frame
from evergraph.signal import hamming_window as hamming_window
from evergraph.signal import hann_window as hann_window
from evergraph.signal import inverse_stft as inverse_stft
from evergraph.signal import inverse_stft_window_fn as inverse_stft_window_fn
from evergraph.signal import linear_to_mel_weight_matrix as linear_to_mel_weight_matrix
from evergraph.signal import mfccs_from_log_mel_spectrograms as mfccs_from_log_mel_spectrograms
from evergraph.signal import overlap_and_add as overlap_and_add
from evergraph.signal import stft as stft
