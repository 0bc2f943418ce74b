# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.ffmpeg."""

from evergraph import Tensor
from typing import Any

def decode_audio(
    contents: Any, file_format: str | None = None, samples_per_second: int | None = None,
    channel_count: int | None = None, stream: Any = None,
) -> Tensor:
    """The samples of a sound file: float32, [samples, channels]."""

def decode_video(contents: Any) -> Tensor:
    """The pictures of a video: uint8, [pictures, height, width, 3]."""

def encode_audio(
    audio: Any, file_format: str | None = None, samples_per_second: int | None = None,
) -> Tensor:
    """The bytes of a sound file."""
