"""Audio: WAV files, spectrograms, and mel-frequency cepstral coefficients (MFCCs)."""
from __future__ import annotations

import struct

import numpy as np

from evergraph.base import errors
from evergraph.graph.opdef import op
from evergraph.graph.shaping import with_rank

_SCALE = 32768.0  # 16 bits


def _invalid(message):
    return errors.InvalidArgumentError(None, None, message)


# ---- WAV files

def _decoded_shape(contents, desired_channels, desired_samples):
    with_rank(contents, 0)
    return [(None if desired_samples == -1 else desired_samples, None if desired_channels == -1 else desired_channels),
            ()]


@op("DecodeWav(contents: string, *, desired_channels: int = -1, desired_samples: int = -1) -> audio: float, "
    "sample_rate: int32",
    shape=_decoded_shape, on="host", export=("audio.decode_wav",))
def decode_wav(contents, desired_channels, desired_samples):
    """Decodes a 16-bit PCM WAV file to samples from -1 to 1, [samples, channels], and the sample rate.

    Args:
        contents: the bytes of the file.
        desired_channels: how many channels to return; -1 for as many as there are.
        desired_samples: how many samples to return, filled up with zeros; -1 for all.
    """
    data = contents.item() if np.ndim(contents) == 0 else None
    if data is None:
        raise _invalid(f"contents must be scalar, got shape {np.shape(contents)}")
    channels, rate, values = _parsed(data)
    if channels < 1:
        raise _invalid("a WAV file must have at least one channel")
    audio = values.reshape(-1, channels).astype(np.float32) / np.float32(_SCALE)
    if desired_channels != -1 and desired_channels != channels:
        audio = _with_channels(audio, desired_channels)
    if desired_samples != -1:
        missing = max(0, desired_samples - len(audio))
        audio = np.pad(audio[:desired_samples], [(0, missing), (0, 0)])
    return audio, np.int32(rate)


def _with_channels(audio, wanted):
    """The first channels; the last channel is repeated for missing ones."""
    missing = max(0, wanted - audio.shape[1])
    return np.concatenate([audio[:, :wanted], np.repeat(audio[:, -1:], missing, axis=1)], axis=1)


def _parsed(data):
    """Parses a WAV file: (channels, sample rate, samples as int16)."""
    if data[:4] != b"RIFF" or data[8:12] != b"WAVE":
        raise _invalid("Header mismatch: not a WAV file (no RIFF and WAVE marks)")
    found, at = {}, 12
    while at + 8 <= len(data) and b"data" not in found:
        mark, size = data[at:at + 4], struct.unpack_from("<I", data, at + 4)[0]
        if at + 8 + size > len(data):
            raise _invalid(f"Data too short: the WAV file says that {size} bytes of {mark!r} follow, but "
                           f"{len(data) - at - 8} do")
        found[mark] = data[at + 8:at + 8 + size]
        at += 8 + size
    if b"fmt " not in found or b"data" not in found:
        raise _invalid("a WAV file needs a format and data")
    kind, channels, rate, per_second, per_sample, bits = struct.unpack_from("<HHIIHH", found[b"fmt "])
    if kind != 1 or bits != 16:
        raise _invalid(f"Can only read 16-bit PCM WAV files, not {bits} bits of format {kind}")
    if per_sample != channels * 2 or per_second != per_sample * rate:
        raise _invalid("the header of the WAV file contradicts itself about bytes a sample and a second")
    return channels, rate, np.frombuffer(found[b"data"], "<i2")


def _encoded_shape(audio, sample_rate):
    with_rank(audio, 2), with_rank(sample_rate, 0)
    return ()


@op("EncodeWav(audio: float, sample_rate: int32) -> contents: string", shape=_encoded_shape, on="host",
    export=("audio.encode_wav",))
def encode_wav(audio, sample_rate):
    """Encodes `audio`, samples from -1 to 1, [samples, channels], as a 16-bit PCM WAV file of a `sample_rate` in Hz."""
    if np.ndim(audio) != 2:
        raise _invalid(f"audio must be 2-dimensional, got shape {np.shape(audio)}")
    if np.ndim(sample_rate) != 0:
        raise _invalid(f"sample_rate should be a scalar, got shape {np.shape(sample_rate)}")
    samples, channels = np.shape(audio)
    if samples == 0 or channels == 0 or not 0 < int(sample_rate) <= 2**32 - 1:
        raise _invalid(f"nothing to write: {samples} samples, {channels} channels, {int(sample_rate)} a second")
    scaled = np.asarray(audio, np.float32) * np.float32(_SCALE)
    rounded = np.trunc(scaled + np.copysign(np.float32(0.5), scaled))
    values = np.clip(rounded, -32768, 32767).astype("<i2").tobytes()
    rate = int(sample_rate)
    header = struct.pack("<4sI4s4sIHHIIHH4sI", b"RIFF", 36 + len(values), b"WAVE", b"fmt ", 16, 1, channels, rate,
                         rate * channels * 2, channels * 2, 16, b"data", len(values))
    return np.array(header + values, object)


# ---- spectrograms

def _spectrogram_shape(input, window_size, stride):
    samples, channels = with_rank(input, 2)
    if window_size < 2 or stride < 1:
        raise ValueError(f"window_size must be >= 2 and stride >= 1, but they are {window_size} and {stride}")
    frames = None if samples is None else max(0, 1 + (samples - window_size) // stride)
    return (channels, frames, _points(window_size) // 2 + 1)


def _points(size):
    """The smallest power of two that is not less than the window size."""
    return 1 << max(0, size - 1).bit_length()


@op("AudioSpectrogram(input: float, *, window_size: int, stride: int, magnitude_squared: bool = False) -> "
    "spectrogram: float",
    shape=_spectrogram_shape)
def audio_spectrogram(xp, input, window_size, stride, magnitude_squared):
    """The spectrogram of audio: the magnitude of the short-time Fourier transform.

    The input is [samples, channels], the result [channels, windows, frequencies]. The window function is Hann's.
    """
    samples = input.shape[0]
    count = 0 if samples < window_size else 1 + (samples - window_size) // stride
    places = np.arange(count)[:, None] * stride + np.arange(window_size)
    window = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(window_size) / window_size)
    frames = xp.swapaxes(input, 0, 1)[:, places].astype(np.float64) * window
    if not count:
        return xp.zeros((input.shape[1], 0, _points(window_size) // 2 + 1), np.float32)
    spectrum = xp.fft.rfft(frames, _points(window_size), axis=-1)
    squares = spectrum.real ** 2 + spectrum.imag ** 2
    return squares if magnitude_squared else xp.sqrt(squares)


# ---- cepstral coefficients

def _mfcc_shape(spectrogram, sample_rate, dct_coefficient_count):
    channels, frames, _ = with_rank(spectrogram, 3)
    with_rank(sample_rate, 0)
    return (channels, frames, dct_coefficient_count)


@op("Mfcc(spectrogram: float, sample_rate: int32, *, upper_frequency_limit: float = 4000.0, "
    "lower_frequency_limit: float = 20.0, filterbank_channel_count: int = 40, dct_coefficient_count: int = 13) -> "
    "output: float",
    static=("sample_rate",), shape=_mfcc_shape)
def mfcc(xp, spectrogram, sample_rate, upper_frequency_limit, lower_frequency_limit, filterbank_channel_count,
         dct_coefficient_count):
    """The mel-frequency cepstral coefficients (MFCCs) of a squared spectrogram, [channels, windows, frequencies]."""
    if spectrogram.ndim != 3:
        raise _invalid(f"spectrogram must be 3-dimensional, got shape {spectrogram.shape}")
    bands = _mel_bands(spectrogram.shape[-1], int(sample_rate), lower_frequency_limit, upper_frequency_limit,
                       filterbank_channel_count)
    if dct_coefficient_count < 1 or dct_coefficient_count > filterbank_channel_count:
        raise _invalid(f"{dct_coefficient_count} coefficients of {filterbank_channel_count} bands")
    order, places = np.arange(dct_coefficient_count)[:, None], np.arange(filterbank_channel_count) + 0.5
    cosines = np.sqrt(2 / filterbank_channel_count) * np.cos(np.pi / filterbank_channel_count * order * places)
    strengths = xp.sqrt(spectrogram.astype(np.float64)) @ bands
    return xp.log(xp.maximum(strengths, 1e-12)) @ cosines.T


def _mel_bands(bins, rate, lowest, highest, count):
    """The mel filter bank, [frequencies, bands]: triangular filters on the mel scale."""
    if bins < 2 or rate <= 0 or count < 1 or lowest < 0 or highest <= lowest:
        raise _invalid(f"no mel bands: {bins} frequencies, {rate} samples a second, {count} bands, {lowest} to "
                       f"{highest} Hz")
    low, high = _mel(lowest), _mel(highest)
    step = (high - low) / (count + 1)
    centres = low + step * np.arange(1, count + 2)
    hertz = 0.5 * rate / (bins - 1)
    first, last = int(1.5 + lowest / hertz), int(highest / hertz)
    weights = np.zeros([bins, count])
    for place in range(first, min(last, bins - 1) + 1):
        mel = _mel(place * hertz)
        band = np.searchsorted(centres, mel, side="left")  # the first band whose centre is not below
        below = low if band == 0 else centres[band - 1]
        if band > count:
            continue
        share = (centres[band] - mel) / (centres[band] - below)
        if band > 0:
            weights[place, band - 1] += share
        if band < count:
            weights[place, band] += 1 - share
    return weights


def _mel(hertz):
    return 1127.0 * np.log1p(hertz / 700.0)
