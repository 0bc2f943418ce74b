"""tf.signal: the transforms against NumPy's."""

import numpy as np
import pytest

import evergraph as tf


@pytest.fixture(autouse=True)
def session():
    with tf.Graph().as_default(), tf.Session() as session:
        yield session


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
