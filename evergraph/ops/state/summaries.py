"""Summary ops, which convert values to Summary messages for TensorBoard. They run on the host."""
from __future__ import annotations

import functools
import struct
import zlib

import numpy as np

from evergraph import proto
from evergraph.base import errors
from evergraph.formats.tensor_messages import tensor_to_proto
from evergraph.graph.opdef import op
from evergraph.graph.shaping import scalar
from evergraph.proto.wire import from_bytes

LARGEST = np.finfo(np.float64).max


def _text(value):
    return bytes(np.asarray(value, object).reshape(-1)[0]).decode("utf-8", "replace")


@op("ScalarSummary(tags: string, values: T, *, T: real) -> summary: string", on="host", shape=scalar)
def scalar_summary(tags, values):
    """A Summary with one scalar for each tag."""
    if np.shape(tags) != np.shape(values):
        raise errors.InvalidArgumentError(None, None, f"tags and values not the same shape: {list(np.shape(tags))} != "
                                          f"{list(np.shape(values))}")
    message = proto.summary_pb2.Summary()
    for tag, value in zip(np.reshape(tags, -1), np.reshape(values, -1)):
        message.value.add(tag=_text(tag), simple_value=float(value))
    return message.SerializeToString()


@op("HistogramSummary(tag: string, values: T, *, T: real = float) -> summary: string", on="host", shape=scalar)
def histogram_summary(tag, values, node):
    """A Summary with the histogram of the values."""
    return histogram_message(_text(tag), values, node.name).SerializeToString()


def histogram_message(tag, values, where):
    """A Summary with the histogram of the values; `where` names the node in error messages."""
    numbers = np.asarray(values, np.float64).reshape(-1)
    if not np.isfinite(numbers).all():
        kind = "Nan" if np.isnan(numbers).any() else "Infinity"
        raise errors.InvalidArgumentError(None, None, f"{kind} in summary histogram for: {where}")
    message = proto.summary_pb2.Summary()
    fill_histogram(message.value.add(tag=tag).histo, numbers)
    return message


def fill_histogram(histogram, numbers):
    """Fills a histogram with TensorFlow's buckets, which grow by a tenth."""
    histogram.min = numbers.min() if numbers.size else LARGEST
    histogram.max = numbers.max() if numbers.size else -LARGEST
    histogram.num, histogram.sum, histogram.sum_squares = numbers.size, numbers.sum(), (numbers * numbers).sum()
    fill_buckets(histogram, bucket_counts(numbers))


def bucket_counts(numbers):
    """How many of the numbers are in each bucket."""
    limits = bucket_limits()
    return np.bincount(np.searchsorted(limits, numbers, side="right"), minlength=len(limits))[:len(limits)]


def fill_buckets(histogram, counts):
    """Adds the buckets to a histogram; a run of empty ones is one."""
    limits = bucket_limits()
    starts = np.flatnonzero(np.concatenate([[True], (counts[1:] > 0) | (counts[:-1] > 0)]))
    for start, stop in zip(starts, [*starts[1:], len(limits)]):
        histogram.bucket_limit.append(limits[stop - 1])
        histogram.bucket.append(counts[start])


@functools.cache
def bucket_limits():
    """The upper limits of the buckets, from the most negative to the most positive."""
    positive = []
    limit = 1e-12
    while limit < 1e20:
        positive.append(limit)
        limit *= 1.1
    return np.array([-v for v in [*positive, LARGEST][::-1]] + [0.0] + [*positive, LARGEST])


@op("ImageSummary(tag: string, tensor: T, *, max_images: int >= 1 = 3, T: {uint8, float, half, double} = float, "
    "bad_color: tensor = uint8[255, 0, 0, 255]) -> summary: string", on="host", shape=scalar)
def image_summary(tag, tensor, max_images, bad_color):
    """A Summary with the first images of a batch, as PNG files."""
    return image_message(_text(tag), tensor, max_images, bad_color).SerializeToString()


def image_message(name, tensor, max_images, bad_color):
    """A Summary with the first images of a batch."""
    if np.ndim(tensor) != 4 or tensor.shape[3] not in (1, 3, 4):
        raise errors.InvalidArgumentError(None, None, "an image summary takes [images, height, width, channels] "
                                                      f"with 1, 3 or 4 channels, not {list(np.shape(tensor))}")
    message = proto.summary_pb2.Summary()
    for i, image in enumerate(tensor[:max_images]):
        pixels = image if image.dtype == np.uint8 else _as_bytes(image.astype(np.float32), bad_color)
        entry = message.value.add(tag=f"{name}/image" if max_images == 1 else f"{name}/image/{i}").image
        entry.height, entry.width, entry.colorspace = pixels.shape
        entry.encoded_image_string = png(pixels)
    return message


def _as_bytes(image, bad_color):
    """Scales pixels to bytes: [0, max] to [0, 255]; with negative ones, 0 becomes 128. NaN and inf get a colour."""
    bad = ~np.isfinite(image).all(-1)
    good = image[~bad]
    low, high = (good.min(), good.max()) if good.size else (0.0, 0.0)
    if low < 0:
        largest = max(-low, high)
        scale, offset = (127.0 / largest if largest >= 1e-6 else 0.0), 128.0
    else:
        scale, offset = (255.0 / high if high >= 1e-6 else 0.0), 0.0
    pixels = (np.where(bad[..., None], 0, image) * scale + offset).astype(np.uint8)
    pixels[bad] = np.asarray(bad_color).reshape(-1)[:image.shape[-1]]
    return pixels


def png(pixels):
    """Encodes an image of bytes as a PNG file: grey, RGB or RGBA, by the number of channels."""
    height, width, channels = pixels.shape
    rows = b"".join(b"\0" + row.tobytes() for row in np.ascontiguousarray(pixels))
    header = struct.pack(">IIBBBBB", width, height, 8, {1: 0, 3: 2, 4: 6}[channels], 0, 0, 0)
    chunks = [(b"IHDR", header), (b"IDAT", zlib.compress(rows)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(_png_chunk(kind, data) for kind, data in chunks)


def _png_chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


@op("AudioSummaryV2(tag: string, tensor: float, sample_rate: float, *, max_outputs: int >= 1 = 3) -> summary: string",
    on="host", shape=scalar)
def audio_summary_v2(tag, tensor, sample_rate, max_outputs):
    """A Summary with the first audio clips of a batch, as WAV files."""
    return audio_message(_text(tag), tensor, sample_rate, max_outputs).SerializeToString()


@op("AudioSummary(tag: string, tensor: float, *, sample_rate: float, max_outputs: int >= 1 = 3) -> summary: string",
    on="host", shape=scalar)
def audio_summary(tag, tensor, sample_rate, max_outputs):
    """A Summary with the first audio clips of a batch, in the form of older graphs."""
    return audio_message(_text(tag), tensor, sample_rate, max_outputs).SerializeToString()


def audio_message(name, tensor, sample_rate, max_outputs):
    """A Summary with the first audio clips of a batch."""
    if np.ndim(tensor) not in (2, 3):
        raise errors.InvalidArgumentError(None, None, f"Tensor must be 3-D or 2-D, got: {list(np.shape(tensor))}")
    message = proto.summary_pb2.Summary()
    rate = float(sample_rate)
    if not 1 <= rate < 2**32:
        raise errors.InvalidArgumentError(None, None, f"sample_rate must be in [1, 2^32), got: {rate}")
    if tensor.ndim == 3 and tensor.shape[2] >= 2**16:
        raise errors.InvalidArgumentError(None, None, f"a clip has at most 65,535 channels, got: {tensor.shape[2]}")
    for i, clip in enumerate(tensor[:max_outputs]):
        frames = clip.reshape(len(clip), -1)
        audio = message.value.add(tag=f"{name}/audio" if max_outputs == 1 else f"{name}/audio/{i}").audio
        audio.sample_rate, audio.num_channels, audio.length_frames = rate, frames.shape[1], len(frames)
        audio.encoded_audio_string, audio.content_type = wav(frames, int(rate)), "audio/wav"
    return message


def wav(frames, rate):
    """Encodes samples in [-1, 1] as a 16-bit WAV file."""
    whole = np.trunc(frames * np.float32(32768) + np.copysign(np.float32(0.5), frames))  # rounds half away from zero
    samples = np.clip(whole, -32768, 32767).astype("<i2").tobytes()
    channels = frames.shape[1]
    form = struct.pack("<HHIIHH", 1, channels, rate, rate * channels * 2 % 2**32, channels * 2 % 2**16, 16)
    body = b"WAVEfmt " + struct.pack("<I", len(form)) + form + b"data" + struct.pack("<I", len(samples)) + samples
    return b"RIFF" + struct.pack("<I", len(body)) + body


@op("TensorSummaryV2(tag: string, tensor: T, serialized_summary_metadata: string, *, T: type) -> summary: string",
    on="host", shape=scalar)
def tensor_summary_v2(tag, tensor, serialized_summary_metadata, node):
    """A Summary with a whole tensor."""
    message = proto.summary_pb2.Summary()
    value = message.value.add(tag=_text(tag))
    from_bytes(bytes(np.asarray(serialized_summary_metadata, object).reshape(-1)[0]), value.metadata)
    value.tensor.CopyFrom(tensor_to_proto(tensor, node.attrs["T"]))
    return message.SerializeToString()


@op("TensorSummary(tensor: T, *, T: type, description: string = '', labels: list(string) = [], "
    "display_name: string = '') -> summary: string", on="host", shape=scalar)
def tensor_summary(tensor, node):
    """A Summary with a whole tensor, tagged with the node's name; the description and labels are not used."""
    message = proto.summary_pb2.Summary()
    message.value.add(node_name=node.name).tensor.CopyFrom(tensor_to_proto(tensor, node.attrs["T"]))
    return message.SerializeToString()


@op("MergeSummary(inputs: N * string, *, N: int >= 1) -> summary: string", on="host", shape=scalar)
def merge_summary(inputs):
    """Merges Summary messages into one.

    Raises (when it runs):
        InvalidArgumentError: two of them have the same tag.
    """
    message, seen = proto.summary_pb2.Summary(), set()
    for serialized in (item for array in inputs for item in np.reshape(array, -1)):
        part = from_bytes(bytes(serialized), proto.summary_pb2.Summary())
        for value in part.value:
            if value.tag and value.tag in seen:
                raise errors.InvalidArgumentError(None, None, f"Duplicate tag {value.tag} found in summary inputs")
            seen.add(value.tag)
        message.MergeFrom(part)
    return message.SerializeToString()
