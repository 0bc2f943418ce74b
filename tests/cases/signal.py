"""tf.signal beyond Fourier transforms, and sound: evergraph/frontend/signal_*.py and evergraph/ops/image/audio.py."""

import struct

import numpy as np

from tests.harness import case, floats, i32, ints, program

x2_24 = floats(2, 24)
spectra = (floats(2, 3, 5) + 1j * floats(2, 3, 5, seed=1)).astype("complex64")


def wav(values, channels=1, rate=16000, bits=16, kind=1):
    data = np.array(values, "<i2").tobytes()
    size = channels * bits // 8
    return struct.pack("<4sI4s4sIHHIIHH4sI", b"RIFF", 36 + len(data), b"WAVE", b"fmt ", 16, kind, channels, rate,
                       rate * size, size, bits, b"data", len(data)) + data


STEREO = wav([0, 1, -32768, 32767, 100, -100], channels=2, rate=8000)

CASES = [
    case("DecodeWav", wav([0, 1, -32768, 32767])),
    case("DecodeWav", STEREO),
    case("DecodeWav", STEREO, desired_channels=1),
    case("DecodeWav", STEREO, desired_channels=3, desired_samples=5),
    case("DecodeWav", STEREO, desired_samples=2),
    case("DecodeWav", b"not a wav file at all, but long enough to have a header").fails("InvalidArgumentError"),
    case("DecodeWav", wav([1, 2], bits=8)).fails("InvalidArgumentError"),
    case("DecodeWav", STEREO[:-2]).fails("InvalidArgumentError"),
    case("EncodeWav", floats(5, 2), 16000),
    case("EncodeWav", np.float32([[0.5], [-1.0], [1.0], [1.5 / 32768], [-0.5 / 32768]]), 44100),
    case("EncodeWav", floats(5), 16000).fails("ValueError"),
    case("AudioSpectrogram", floats(40, 2), window_size=16, stride=8),
    case("AudioSpectrogram", floats(40, 1), window_size=10, stride=7, magnitude_squared=True),
    case("AudioSpectrogram", floats(40, 1), window_size=1, stride=7).fails("ValueError"),
    case("Mfcc", np.abs(floats(2, 3, 65)), 16000),
    case("Mfcc", np.abs(floats(1, 2, 33)), i32(8000), upper_frequency_limit=3000.0, lower_frequency_limit=100.0,
         filterbank_channel_count=10, dct_coefficient_count=5),
]


@program(x2_24)
def frames(tf, x):
    return (tf.signal.frame(x, 6, 4), tf.signal.frame(x, 6, 4, pad_end=True), tf.signal.frame(x, 5, 7),
            tf.signal.frame(x, 30, 7, pad_end=True, pad_value=2.0), tf.signal.frame(x, 30, 7),
            tf.signal.frame(tf.transpose(x), 4, 3, axis=0, pad_end=True))


@program(ints(11), i32(4), i32(3))
def frames_of_sizes_that_are_fed(tf, x, length, step):
    return tf.signal.frame(x, length, step), tf.signal.frame(x, length, step, pad_end=True)


# Sizes that follow from fed ones are found to be needed one after the other, the last in the second run.
frames_of_sizes_that_are_fed = frames_of_sizes_that_are_fed.repeated(2)


@program(floats(2, 3, 5))
def overlap_and_add(tf, x):
    return [tf.signal.overlap_and_add(x, step) for step in (1, 2, 3, 5)]


@program()
def windows(tf):
    return [window(size, periodic=periodic, dtype=dtype) for window in (tf.signal.hann_window, tf.signal.hamming_window)
            for size in (1, 2, 7, 8) for periodic in (True, False) for dtype in (tf.float32, tf.float64)]


@program(x2_24)
def stft(tf, x):
    return [tf.signal.stft(x, 8, 4), tf.signal.stft(x, 7, 3, pad_end=True), tf.signal.stft(x, 6, 3, fft_length=10),
            tf.signal.stft(x, 8, 4, window_fn=None), tf.signal.stft(x, 8, 4, window_fn=tf.signal.hamming_window)]


@program(spectra)
def inverse_stft(tf, x):
    return [tf.signal.inverse_stft(x, 8, 4), tf.signal.inverse_stft(x, 6, 3, fft_length=8, window_fn=None),
            tf.signal.inverse_stft(x, 8, 2, window_fn=tf.signal.inverse_stft_window_fn(2)),
            tf.signal.inverse_stft(x, 8, 3, window_fn=tf.signal.inverse_stft_window_fn(3, tf.signal.hamming_window))]


@program(floats(2, 6))
def cosine_transforms(tf, x):
    kinds = [(kind, norm) for kind in (1, 2, 3, 4) for norm in (None, "ortho") if (kind, norm) != (1, "ortho")]
    return [f(x, type=kind, norm=norm) for f in (tf.signal.dct, tf.signal.idct) for kind, norm in kinds]


@program(floats(2, 5))
def cosine_transforms_of_other_lengths(tf, x):
    return [tf.signal.dct(x, type=kind, n=n) for kind in (1, 2, 3, 4) for n in (3, 9)]


@program()
def mel_weights(tf):
    return (tf.signal.linear_to_mel_weight_matrix(), tf.signal.linear_to_mel_weight_matrix(
        8, 33, tf.constant(16000.0), 80.0, 7600.0, dtype=tf.float64))


@program(floats(2, 3, 20))
def mfccs(tf, x):
    return tf.signal.mfccs_from_log_mel_spectrograms(x)
