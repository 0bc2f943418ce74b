# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.audio."""

from evergraph import Tensor
from evergraph.raw_ops import _DecodeWav
from typing import Any

def decode_wav(
    contents: Any, desired_channels: int = -1, desired_samples: int = -1, name: str | None = None,
) -> _DecodeWav:
    """Decodes a 16-bit PCM WAV file to samples from -1 to 1, [samples, channels], and the sample rate."""

def encode_wav(audio: Any, sample_rate: Any, name: str | None = None) -> Tensor:
    """Encodes `audio`, samples from -1 to 1, [samples, channels], as a 16-bit PCM WAV file of a
    `sample_rate` in Hz."""
