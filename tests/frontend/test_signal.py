"""tf.signal: the transforms against NumPy's."""

import numpy as np
import pytest

import evergraph as tf

pytestmark = pytest.mark.usefixtures("session")


@pytest.mark.parametrize("length", [None, 4, 8, 11])
def test_real_transforms_cut_and_pad(session, length):
    x = np.random.RandomState(0).rand(3, 8).astype(np.float32)
    lengths = None if length is None else [length]
    half = tf.signal.rfft(x, lengths)
    np.testing.assert_allclose(session.run(half), np.fft.rfft(x, length), rtol=1e-5, atol=1e-5)
    back = tf.signal.irfft(half, lengths)
    np.testing.assert_allclose(session.run(back), np.fft.irfft(np.fft.rfft(x, length), length), rtol=1e-5, atol=1e-5)


def test_transforms_of_unknown_size(session):
    x = tf.placeholder(tf.float32, [None, None])
    value = np.random.RandomState(0).rand(4, 6).astype(np.float32)
    got = session.run(tf.signal.irfft2d(tf.signal.rfft2d(x)), {x: value})
    np.testing.assert_allclose(got, value, rtol=1e-5, atol=1e-5)


def test_shifts(session):
    x = np.arange(15.0, dtype=np.float32).reshape(3, 5)
    assert (session.run(tf.signal.fftshift(x)) == np.fft.fftshift(x)).all()
    assert (session.run(tf.signal.ifftshift(x, axes=[1])) == np.fft.ifftshift(x, axes=[1])).all()


def test_transforms_pad_what_is_too_short_of_unknown_size(session):
    x, length = tf.placeholder(tf.float32), tf.placeholder(tf.int32, [1])
    value = np.random.RandomState(0).rand(2, 6).astype(np.float32)
    got = session.run(tf.signal.rfft(x, length), {x: value, length: [9]})
    np.testing.assert_allclose(got, np.fft.rfft(value, 9), rtol=1e-5, atol=1e-5)


def test_spectra_of_signals_of_unknown_rank_and_back(session):
    x = tf.placeholder(tf.float32)
    value = np.random.RandomState(0).randn(2, 100).astype(np.float32)
    spectra = tf.signal.stft(x, 16, 4)
    back = tf.signal.inverse_stft(spectra, 16, 4, window_fn=tf.signal.inverse_stft_window_fn(4))
    got, frames = session.run([back, tf.shape(spectra)], {x: value})
    assert frames.tolist() == [2, 22, 9]
    np.testing.assert_allclose(got[:, 16:-16], value[:, 16:-16], rtol=1e-4, atol=1e-5)


def test_frames_that_lie_side_by_side_are_put_together_without_adding(session):
    together = tf.signal.overlap_and_add(tf.ones([3, 5]), 5)
    assert together.name == "overlap_and_add/fast_path:0" and together.shape == [15]
    unknown = tf.signal.overlap_and_add(tf.placeholder(tf.int32, [None, None, None]), tf.placeholder(tf.int32, []))
    assert unknown.shape.as_list() == [None, None]


def test_static_shapes_of_frames(session):
    length = tf.placeholder(tf.int32, [])
    x = tf.placeholder(tf.int32, [1, 2, 3, 4])
    assert tf.signal.frame(x, length, 1, pad_end=True, axis=1).shape.as_list() == [1, 2, None, 3, 4]
    assert tf.signal.frame(x, length, 1, axis=1).shape.as_list() == [1, None, None, 3, 4]
    partly = tf.placeholder(tf.int32, [None, 5, None, 20, 5, 3])
    assert tf.signal.frame(partly, 4, 3, pad_end=True, axis=3).shape.as_list() == [None, 5, None, 7, 4, 5, 3]


@pytest.mark.parametrize("make, error", [
    (lambda: tf.signal.frame(1, 1, 1), ValueError), (lambda: tf.signal.frame([1], [1], 1), ValueError),
    (lambda: tf.signal.frame([1], 1, 1, pad_end=True, pad_value=[1]), ValueError),
    (lambda: tf.signal.overlap_and_add([1.0], 1), ValueError),
    (lambda: tf.signal.overlap_and_add([[1.0]], 1.0), ValueError),
    (lambda: tf.signal.hann_window(3, dtype=tf.int32), ValueError),
    (lambda: tf.signal.dct(np.ones(4), type=5), ValueError), (lambda: tf.signal.dct(np.ones(4), n=-2), ValueError),
    (lambda: tf.signal.dct(np.ones(4), type=1, norm="ortho"), ValueError),
    (lambda: tf.signal.dct(np.ones(1), type=1), ValueError),
    (lambda: tf.signal.dct(np.ones(4), norm="bad"), ValueError),
    (lambda: tf.signal.dct(np.ones(4), axis=0), NotImplementedError),
    (lambda: tf.signal.idct(np.ones(4), n=2), NotImplementedError),
    (lambda: tf.signal.linear_to_mel_weight_matrix(num_mel_bins=0), ValueError),
    (lambda: tf.signal.linear_to_mel_weight_matrix(sample_rate=tf.placeholder(tf.float32)), ValueError),
    (lambda: tf.signal.linear_to_mel_weight_matrix(lower_edge_hertz=100, upper_edge_hertz=10), ValueError),
    (lambda: tf.signal.linear_to_mel_weight_matrix(upper_edge_hertz=1000, sample_rate=800), ValueError),
    (lambda: tf.signal.linear_to_mel_weight_matrix(dtype=tf.int32), ValueError),
    (lambda: tf.signal.mfccs_from_log_mel_spectrograms(tf.zeros([2, 3, 0])), ValueError),
    (lambda: tf.signal.mfccs_from_log_mel_spectrograms(tf.zeros([2, 3, 5], tf.float64)), ValueError),
])
def test_what_is_refused(make, error):
    with pytest.raises(error):
        make()


def test_older_names():
    assert tf.contrib.signal.stft is tf.signal.stft and tf.contrib.signal.frames is tf.signal.frame
    assert tf.spectral.dct is tf.signal.dct
    assert tf.contrib.framework.python.ops.audio_ops.decode_wav is tf.audio.decode_wav


@pytest.mark.parametrize("make", [
    lambda: tf.signal.rfft2d(tf.zeros([3])), lambda: tf.signal.irfft(tf.zeros([], tf.complex64)),
    lambda: tf.signal.rfft(tf.zeros([3]), [[2]]), lambda: tf.signal.rfft(tf.zeros([3]), [2, 2]),
])
def test_real_transforms_of_wrong_rank_are_refused(make):
    with pytest.raises(ValueError, match="rank|Dimension"):
        make()


def test_real_transforms_of_nothing(session):
    assert session.run(tf.signal.rfft2d(tf.zeros([2, 0, 0]))).shape == (2, 0, 0)
    assert session.run(tf.signal.irfft(tf.zeros([2, 0], tf.complex64))).shape == (2, 0)
