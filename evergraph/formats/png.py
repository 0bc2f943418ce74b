"""Reads and writes PNG files without other packages.

Pillow decodes most files much faster and is used where it is installed; it cannot decode 16-bit colour.
"""
from __future__ import annotations

import dataclasses
import io
import math
import struct
import zlib

import numpy as np

from evergraph import native
from evergraph.base.errors import invalid

MAGIC = b"\x89PNG\r\n\x1a\n"
_GRAY, _RGB, _PALETTE, _GRAY_ALPHA, _RGBA = 0, 2, 3, 4, 6
_SAMPLES = {_GRAY: 1, _RGB: 3, _PALETTE: 1, _GRAY_ALPHA: 2, _RGBA: 4}
# The seven passes of an interlaced file: first row and column, and the strides.
_PASSES = ((0, 0, 8, 8), (0, 4, 8, 8), (4, 0, 8, 4), (0, 2, 4, 4), (2, 0, 4, 2), (0, 1, 2, 2), (1, 0, 2, 1))


MOST_SAMPLES = 1 << 29  # of a picture that is taken, as in TensorFlow: a few bytes can say that they are gigabytes


def check_size(kind, *sizes):
    """Raises InvalidArgumentError for a picture (frames, height, width, samples) that is too large."""
    if math.prod(sizes) >= MOST_SAMPLES:
        raise invalid(f"{kind} size too large: {' x '.join(map(str, sizes))} is not less than {MOST_SAMPLES} samples")


@dataclasses.dataclass(frozen=True)
class Header:
    """The header of a file: size, bit depth, colour type, and the data that determines colours."""

    width: int
    height: int
    depth: int
    colour: int
    interlaced: bool
    palette: np.ndarray | None
    alpha: np.ndarray | None  # of the palette's colours


def _chunks(data):
    """The chunks of a file: (type, contents).

    Raises:
        InvalidArgumentError: the file is truncated or corrupt.
    """
    at = len(MAGIC)
    while at + 12 <= len(data):
        length, kind = struct.unpack_from(">I4s", data, at)
        body = data[at + 8:at + 8 + length]
        checksum = data[at + 8 + length:at + 12 + length]
        if len(checksum) < 4 or zlib.crc32(kind + body) != int.from_bytes(checksum, "big"):
            raise invalid("Invalid PNG data: damaged or cut off")
        yield kind, body
        if kind == b"IEND":
            return
        at += 12 + length
    raise invalid("Invalid PNG data: it ends too early")


def parse(data):
    """Parses a file: (header, compressed pixels)."""
    found: dict[bytes, bytes] = {}
    pixels = []
    for kind, body in _chunks(data):
        if kind == b"IDAT":
            pixels.append(body)
        else:
            found.setdefault(kind, body)
    if len(found.get(b"IHDR", b"")) != 13:
        raise invalid("Invalid PNG data: it has no header")
    width, height, depth, colour, _, _, interlaced = struct.unpack(">IIBBBBB", found[b"IHDR"])
    if not width or not height or colour not in _SAMPLES or depth not in (1, 2, 4, 8, 16):
        raise invalid(f"Invalid PNG data: size {width} x {height}, colour type {colour}, {depth} bits")
    check_size("PNG", height, width, _SAMPLES[colour])
    palette = np.frombuffer(found.get(b"PLTE", b""), np.uint8).reshape(-1, 3) if colour == _PALETTE else None
    alpha = np.frombuffer(found[b"tRNS"], np.uint8) if colour == _PALETTE and b"tRNS" in found else None
    return Header(width, height, depth, colour, bool(interlaced), palette, alpha), b"".join(pixels)


def read(data, pillow):
    """Decodes a file: (pixels, the alpha value of opaque pixels).

    The pixels have the shape [height, width, channels] and are uint8, or uint16 for 16-bit files. An opaque pixel's
    alpha is the largest value of the file's bit depth, as in TensorFlow, even where fewer than 8 bits become a byte.

    Args:
        data: the file.
        pillow: the PIL.Image module, or None if it is not installed.
    """
    header, compressed = parse(data)
    opaque = 2**header.depth - 1
    if header.depth < 16 and pillow is not None:
        return _read_with(pillow, data, header), opaque
    try:
        # Passes of an interlaced picture have a few more rows together than it has, each with one byte in front.
        most = 2 * header.height * (header.width * _SAMPLES[header.colour] * header.depth // 8 + 2) + 64
        raw = np.frombuffer(zlib.decompressobj().decompress(compressed, most), np.uint8)
    except zlib.error as error:
        raise invalid(f"Invalid PNG data: {error}") from None
    return _coloured(_samples(raw, header), header), opaque


def _read_with(pillow, data, header):
    mode = {_GRAY: "L", _RGB: "RGB", _GRAY_ALPHA: "LA", _RGBA: "RGBA",
            _PALETTE: "RGB" if header.alpha is None else "RGBA"}[header.colour]
    try:
        with pillow.open(io.BytesIO(data), formats=["PNG"]) as image:
            pixels = np.asarray(image.convert(mode))
    except (OSError, SyntaxError, ValueError, pillow.DecompressionBombError) as error:
        raise invalid(f"Invalid PNG data: {error}") from None
    return pixels.reshape(header.height, header.width, -1)


def _samples(raw, header):
    """The samples of the decompressed pixels, [height, width, samples]."""
    count = _SAMPLES[header.colour]
    result = np.zeros((header.height, header.width, count), np.uint16 if header.depth == 16 else np.uint8)
    for row, column, down, across in _PASSES if header.interlaced else ((0, 0, 1, 1),):
        part = result[row::down, column::across]
        if part.size:
            length = -(-part.shape[1] * count * header.depth // 8)
            size = part.shape[0] * (length + 1)
            if len(raw) < size:
                raise invalid("Invalid PNG data: too few pixels")
            rows = _unfiltered(raw[:size].reshape(-1, length + 1), max(count * header.depth // 8, 1))
            part[...] = _unpacked(rows, part.shape[1] * count, header.depth).reshape(part.shape)
            raw = raw[size:]
    return result


def _unpacked(rows, count, depth):
    """The first `count` samples of `depth` bits in each row of bytes."""
    if depth == 16:
        return rows.reshape(len(rows), -1, 2).copy().view(">u2")[..., 0][:, :count]
    if depth == 8:
        return rows[:, :count]
    bits = np.unpackbits(rows, axis=1).reshape(len(rows), -1, depth)
    return (bits @ (1 << np.arange(depth)[::-1]))[:, :count]


def _unfiltered(rows, step):
    """Reverses the row filters; the first byte of each row is its filter's number."""
    result = np.zeros((len(rows), rows.shape[1] - 1), np.uint8)
    above = np.zeros(rows.shape[1] - 1, np.uint8)
    for number, row in enumerate(rows):
        kind, line = row[0], row[1:]
        if kind == 1:
            line = np.cumsum(line.reshape(-1, step), axis=0, dtype=np.uint8).reshape(-1)
        elif kind == 2:
            line = line + above
        elif kind in (3, 4):
            line = _predicted(line.tolist(), above.tolist(), step, _mean if kind == 3 else _nearest)
        elif kind:
            raise invalid(f"Invalid PNG data: no filter {kind}")
        result[number] = above = line
    return result


def _predicted(line, above, step, predict):
    """Reverses a filter that stores differences from a prediction."""
    before, corner = [0] * step + line, [0] * step + above
    for at, up in enumerate(above):
        before[at + step] = (line[at] + predict(before[at], up, corner[at])) & 255
    return np.array(before[step:], np.uint8)


def _mean(left, up, corner):
    return (left + up) // 2


def _nearest(left, up, corner):
    """The Paeth predictor: whichever of the three is nearest to left + up - corner."""
    a, b, c = abs(up - corner), abs(left - corner), abs(left + up - 2 * corner)
    if a <= b and a <= c:
        return left
    return up if b <= c else corner


def _coloured(samples, header):
    if header.colour == _PALETTE:
        opaque = np.full(len(header.palette), 255, np.uint8)
        colours = header.palette
        if header.alpha is not None:
            opaque[:len(header.alpha)] = header.alpha
            colours = np.concatenate([colours, opaque[:, None]], axis=1)
        if samples.size and int(samples.max()) >= len(colours):
            raise invalid("Invalid PNG data: a pixel has a colour that the palette lacks")
        return colours[samples[..., 0]]
    if header.depth < 8:
        return samples * np.uint8(255 // (2**header.depth - 1))
    return samples


def write(pixels, compression):
    """Encodes pixels, [height, width, 1 to 4 channels], uint8 or uint16, as a PNG file."""
    height, width, channels = pixels.shape
    colour = {1: _GRAY, 2: _GRAY_ALPHA, 3: _RGB, 4: _RGBA}[channels]
    depth = 8 * pixels.dtype.itemsize
    rows = np.ascontiguousarray(pixels.astype(pixels.dtype.newbyteorder(">"))).view(np.uint8).reshape(height, -1)
    return b"".join([
        MAGIC, _chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, 0)),
        _chunk(b"IDAT", zlib.compress(_filtered(rows, channels * depth // 8).tobytes(), compression)),
        _chunk(b"IEND", b"")])


def _filtered(rows, step):
    """Applies to each row the filter with the smallest differences, which compress best, and prepends its number."""
    if native.images is not None:
        result = np.empty((len(rows), rows.shape[1] + 1), np.uint8)
        native.images.filtered(rows, len(rows), step, result)
        return result
    values = rows.astype(np.int16)
    left = np.pad(values, [(0, 0), (step, 0)])[:, :-step]
    up = np.pad(values, [(1, 0), (0, 0)])[:-1]
    corner = np.pad(up, [(0, 0), (step, 0)])[:, :-step]
    a, b, c = abs(up - corner), abs(left - corner), abs(left + up - 2 * corner)
    nearest = np.where((a <= b) & (a <= c), left, np.where(b <= c, up, corner))
    predictions = (np.zeros_like(values), left, up, (left + up) // 2, nearest)
    tries = np.stack([(values - each).astype(np.uint8) for each in predictions])
    sizes = abs(tries.view(np.int8).astype(np.int32)).sum(axis=2)
    best = sizes.argmin(axis=0)
    chosen = tries[best, np.arange(len(rows))]
    return np.concatenate([best[:, None].astype(np.uint8), chosen], axis=1)


def _chunk(kind, body):
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
