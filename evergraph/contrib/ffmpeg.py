"""tf.contrib.ffmpeg: sound and pictures by the program ffmpeg, which must be installed."""

from __future__ import annotations

import shutil
import subprocess
from typing import Any

import numpy as np

from evergraph.base import dtypes
from evergraph.base.errors import InvalidArgumentError, UnavailableError
from evergraph.base.export import export
from evergraph.frontend.script import py_func
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Tensor

_READ, _WRITTEN = ("mp3", "mp4", "ogg", "wav"), ("wav",)
_SECONDS = 600  # the longest that a call of ffmpeg may take


def _program() -> str:
    found = shutil.which("ffmpeg")
    if found is None:
        raise UnavailableError(None, None, "tf.contrib.ffmpeg needs the program ffmpeg, which is not installed")
    return found


def _ffmpeg(arguments: list[str], data: bytes) -> bytes:
    """What ffmpeg writes for these bytes.

    Raises:
        InvalidArgumentError: it cannot read them.
    """
    done = subprocess.run([_program(), "-nostdin", "-hide_banner", "-loglevel", "error", *arguments], input=data,
                          capture_output=True, timeout=_SECONDS, check=False)
    if done.returncode:
        raise InvalidArgumentError(None, None, f"ffmpeg: {done.stderr.decode(errors='replace').strip()[-500:]}")
    return done.stdout


def _checked(file_format: Any, formats: tuple[str, ...]) -> None:
    if file_format not in formats:
        raise ValueError(f"file_format must be {' or '.join(formats)}, got {file_format!r}")


@export("contrib.ffmpeg.decode_audio")
def decode_audio(contents: Any, file_format: str | None = None, samples_per_second: int | None = None,
                 channel_count: int | None = None, stream: Any = None) -> Tensor:
    """The samples of a sound file: float32, [samples, channels].

    Args:
        contents: the bytes of the file: a scalar.
        file_format: "mp3", "mp4", "ogg" or "wav".
        samples_per_second: the rate to convert to.
        channel_count: how many channels.
        stream: the number of the stream in the file, as a text; None for the one that ffmpeg chooses.

    Raises:
        ValueError: the format is unknown.
        UnavailableError: ffmpeg is not installed.
    """
    _checked(file_format, _READ)
    _program()

    def decode(data: bytes, rate: Any, channels: Any, which: bytes) -> np.ndarray:
        if int(rate) < 1 or int(channels) < 1:
            raise InvalidArgumentError(None, None, f"The rate and the channels must be positive, got {int(rate)} and "
                                       f"{int(channels)}")
        chosen = ["-map", f"0:{which.decode()}"] if which else []
        found = _ffmpeg(["-f", file_format, "-i", "pipe:0", *chosen, "-f", "f32le", "-ac", str(int(channels)), "-ar",
                         str(int(rate)), "pipe:1"], data)
        return np.frombuffer(found, "<f4").reshape(-1, int(channels)).astype(np.float32)

    made = py_func(decode, [contents, samples_per_second, channel_count, stream or ""], dtypes.float32)
    made.set_shape([None, channel_count if isinstance(channel_count, int) else None])
    return made


@export("contrib.ffmpeg.encode_audio")
def encode_audio(audio: Any, file_format: str | None = None, samples_per_second: int | None = None) -> Tensor:
    """The bytes of a sound file.

    Args:
        audio: samples from -1 to 1, [samples, channels].
        file_format: "wav".
        samples_per_second: the rate.

    Raises:
        ValueError: the format is not "wav".
        UnavailableError: ffmpeg is not installed.
    """
    _checked(file_format, _WRITTEN)
    _program()

    def encode(samples: np.ndarray, rate: Any) -> bytes:
        if samples.ndim != 2:
            raise InvalidArgumentError(None, None, f"Samples are [samples, channels], not {list(samples.shape)}")
        shape = ["-f", "f32le", "-ac", str(samples.shape[1]), "-ar", str(int(rate))]
        return _ffmpeg([*shape, "-i", "pipe:0", "-f", file_format, "pipe:1"], samples.astype("<f4").tobytes())

    made = py_func(encode, [convert_to_tensor(audio, dtypes.float32), samples_per_second], dtypes.string)
    made.set_shape([])
    return made


@export("contrib.ffmpeg.decode_video")
def decode_video(contents: Any) -> Tensor:
    """The pictures of a video: uint8, [pictures, height, width, 3].

    Args:
        contents: the bytes of the file: a scalar.

    Raises:
        UnavailableError: ffmpeg is not installed.
    """
    _program()

    def decode(data: bytes) -> np.ndarray:
        found = _ffmpeg(["-i", "pipe:0", "-f", "image2pipe", "-vcodec", "ppm", "pipe:1"], data)
        pictures = []
        while found:
            kind, sizes, _, found = found.split(b"\n", 3)
            if kind != b"P6":
                raise InvalidArgumentError(None, None, "ffmpeg wrote something else than pictures")
            width, height = map(int, sizes.split())
            pictures.append(np.frombuffer(found[:3 * width * height], np.uint8).reshape(height, width, 3))
            found = found[3 * width * height:]
        return np.stack(pictures)

    made = py_func(decode, [contents], dtypes.uint8)
    made.set_shape([None, None, None, 3])
    return made
