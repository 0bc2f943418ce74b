"""Ops that decode and encode image files.

JPEG files are decoded by `native/jpeg.c` where it was built, with TensorFlow's pixels. Pillow decodes the files that it
declines, and all of them where it is missing, with the accurate DCT and smooth chroma upsampling: pixels may then
differ by a few units from TensorFlow's, whose default is the fast DCT. Pillow also encodes JPEG and decodes GIF files,
and is imported at the first of them; PNG and BMP files do not need it.
"""
from __future__ import annotations

import io
import struct
import threading
from typing import NamedTuple

import numpy as np

from evergraph import native
from evergraph.base import errors
from evergraph.base.errors import invalid
from evergraph.formats import png
from evergraph.graph.opdef import STOP, op
from evergraph.graph.shaping import with_rank
from evergraph.kernel.rows import Rows, stacked

_truncated = threading.Lock()


def _pillow(needed=True):
    """The PIL.Image module; None if it is not installed and not `needed`.

    Raises:
        UnimplementedError: Pillow is needed and not installed.
    """
    try:
        from PIL import Image
    except ImportError:
        if not needed:
            return None
        raise errors.UnimplementedError(
            None, None, "JPEG and GIF files need the package Pillow: pip install pillow") from None
    return Image


def _file(contents):
    if np.ndim(contents):
        raise invalid(f"contents must be scalar, got shape {list(np.shape(contents))}")
    return np.asarray(contents, object).item()


def _kind(data):
    """The format of a file by its first bytes, or None."""
    if data.startswith(b"\xff\xd8\xff"):
        return "JPEG"
    if data.startswith(png.MAGIC):
        return "PNG"
    if data.startswith(b"GIF8"):
        return "GIF"
    return "BMP" if data.startswith(b"BM") else None


# ---- JPEG


class _Decoding(NamedTuple):
    """How to decode a JPEG file: at 1 / ratio of its size, also a truncated one, and with which algorithms."""

    ratio: int = 1
    recovers: bool = False
    is_smooth: bool = True
    is_fast: bool = True


def _jpeg_shape(data):
    """(height, width, channels) from the frame header of a file.

    Raises:
        InvalidArgumentError: there is no frame header.
    """
    at = 2
    while at + 4 <= len(data) and data[at] == 0xFF:
        marker, length = data[at + 1], int.from_bytes(data[at + 2:at + 4], "big")
        if marker == 0xFF:  # padding between segments
            at += 1
            continue
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC) and at + 10 <= len(data):
            height, width, channels = struct.unpack_from(">HHB", data, at + 5)
            return height, width, channels
        at += 2 + length
    raise invalid("Invalid JPEG data: it has no frame header")


def _read_jpeg(data, channels, how):
    """Decodes a file, [height, width, channels]."""
    height, width, stored = _jpeg_shape(data)
    png.check_size("JPEG", height, width, stored)
    found = native.jpeg and native.jpeg.decode(data, channels, how.ratio, how.is_smooth, how.is_fast)
    if found:
        *shape, pixels = found
        return np.frombuffer(pixels, np.uint8).reshape(shape)
    return _read_with_pillow(data, height, width, stored, "L" if (channels or stored) == 1 else "RGB", how)


def _read_with_pillow(data, height, width, stored, mode, how):
    image_module = _pillow()
    if how.ratio == 1 and stored == len(mode):
        plain = _decoded_at_once(image_module, data, mode, width, height)
        if plain is not None:
            return plain
    try:
        with image_module.open(io.BytesIO(data), formats=["JPEG"]) as image:
            size = tuple(-(-side // how.ratio) for side in image.size)
            image.draft("L" if mode == "L" else None, size)
            _load(image, how.recovers)
            pixels = np.asarray(_from_cmyk(image) if image.mode == "CMYK" else image.convert(mode))
    except (OSError, SyntaxError, ValueError, image_module.DecompressionBombError) as error:
        raise invalid(f"Invalid JPEG data: {error}") from None
    pixels = pixels if pixels.ndim == 3 else pixels[..., None]
    return pixels if mode == "RGB" or pixels.shape[2] == 1 else pixels[..., :1]


def _decoded_at_once(image_module, data, mode, width, height):
    """The pixels of a file that Pillow's decoder takes as it is; None where anything is unusual.

    It leaves out what Pillow finds out about a file before it decodes it, which takes as long as decoding a small one.
    """
    core, box = image_module.core, (0, 0, width, height)
    try:
        image, decoder = core.new(mode, box[2:]), core.jpeg_decoder(mode, mode, "")
        encoder = core.raw_encoder(mode, mode)
        decoder.setimage(image, box)
        consumed, problem = decoder.decode(data)
        if consumed >= 0 or problem:
            return None
        encoder.setimage(image, box)
        _, is_done, content = encoder.encode(height * width * len(mode))
    except (AttributeError, TypeError, ValueError):  # Pillow does not promise what its decoders take
        return None
    return np.frombuffer(content, np.uint8).reshape(height, width, len(mode)) if is_done == 1 else None


def _load(image, recover):
    """Decodes the pixels; with `recover`, the missing part of a truncated file is grey."""
    from PIL import ImageFile
    with _truncated:
        before, ImageFile.LOAD_TRUNCATED_IMAGES = ImageFile.LOAD_TRUNCATED_IMAGES, recover
        try:
            image.load()
        finally:
            ImageFile.LOAD_TRUNCATED_IMAGES = before


def _from_cmyk(image):
    """Converts CMYK, which JPEG files store inverted, to RGB."""
    inks = np.asarray(image).astype(np.int32)
    light = 255 - inks
    return (light[..., :3] * light[..., 3:] // 255).astype(np.uint8)


def _checked_jpeg(channels, ratio, fancy_upscaling, try_recover_truncated, dct_method):
    if channels not in (0, 1, 3):
        raise invalid(f"channels must be 0, 1, or 3 for JPEG, got {channels}")
    if ratio not in (1, 2, 4, 8):
        raise invalid(f"ratio must be 1, 2, 4, or 8, got {ratio}")
    if dct_method not in ("", "INTEGER_FAST", "INTEGER_ACCURATE"):
        raise invalid("dct_method must be one of {'', 'INTEGER_FAST', 'INTEGER_ACCURATE'}")
    return _Decoding(ratio, try_recover_truncated, fancy_upscaling, dct_method != "INTEGER_ACCURATE")


def _decoded_shape(contents, channels):
    with_rank(contents, 0)
    if channels < 0:
        raise ValueError(f"channels must be non-negative, got {channels}")
    return (None, None, channels or None)


def _decoded(data, channels, what, how=_Decoding(), bits=np.uint8):
    """Decodes a JPEG, PNG or single-frame GIF file: the ops of these formats accept each other's files."""
    kind = _kind(data)
    if kind == "JPEG":
        if channels not in (0, 1, 3):
            raise invalid(f"channels must be 0, 1, or 3 for JPEG, got {channels}")
        return _widened(_read_jpeg(data, channels, how), bits)
    if kind == "PNG":
        pixels, opaque = png.read(data, _pillow(needed=False))
        return _of_bits(_with_channels(pixels, channels, opaque), bits)
    if kind == "GIF":
        frames = _read_gif(data)
        if len(frames) != 1:
            raise invalid(f"this GIF is animated ({len(frames)} frames); tf.io.decode_gif and tf.io.decode_image "
                          "decode those")
        if channels not in (0, 3):
            raise invalid("channels must be 0, 1, or 3, got " + str(channels))
        return _widened(frames[0], bits)
    if kind == "BMP":
        raise invalid(f"this is a BMP file, which decode_bmp and decode_image read, and {what} does not")
    raise invalid("Expected image (JPEG, PNG, or GIF), got " +
                  ("empty file" if not data else "unknown format starting with " + repr(data[:16])))


def _decoded_rows(call, node, values, count):
    """Decodes the files of all rows. Those of one size take one call of C, during which other threads run."""
    files = values[0]
    first = call(files.at(0))[0]
    if native.jpeg is None or count == 1:
        return [Rows(stacked([first, *_each_decoded(call, files, range(1, count))]))]
    attrs = [node.attrs[name] for name in ("channels", "ratio", "fancy_upscaling", "try_recover_truncated",
                                           "dct_method")]
    how, (height, width, depth) = _checked_jpeg(*attrs), first.shape
    images = np.empty((count, height, width, depth), np.uint8)
    images[0] = first
    contents = [_file(files.at(place)) for place in range(1, count)]
    done = 1 + native.jpeg.decode_all(contents, attrs[0], how.ratio, how.is_smooth, how.is_fast, height, width,
                                      images[1:])
    if done == count:
        return [Rows(images)]
    return [Rows(stacked([*images[:done], *_each_decoded(call, files, range(done, count))]))]


def _each_decoded(call, files, places):
    return [call(files.at(place))[0] for place in places]


@op("DecodeJpeg(contents: string, *, channels: int = 0, ratio: int = 1, fancy_upscaling: bool = True, "
    "try_recover_truncated: bool = False, acceptable_fraction: float = 1.0, dct_method: string = '') -> image: uint8",
    shape=_decoded_shape, grad=STOP, worth_threads=True, in_batches=_decoded_rows)
def decode_jpeg(contents, channels, ratio, fancy_upscaling, try_recover_truncated, dct_method):
    """Decodes a JPEG file to a uint8 tensor [height, width, channels]."""
    how = _checked_jpeg(channels, ratio, fancy_upscaling, try_recover_truncated, dct_method)
    return _decoded(_file(contents), channels, "DecodeJpeg", how)


@op("DecodeAndCropJpeg(contents: string, crop_window: int32, *, channels: int = 0, ratio: int = 1, "
    "fancy_upscaling: bool = True, try_recover_truncated: bool = False, acceptable_fraction: float = 1.0, "
    "dct_method: string = '') -> image: uint8", grad=STOP, worth_threads=True)
def decode_and_crop_jpeg(contents, crop_window, channels, ratio, fancy_upscaling, try_recover_truncated, dct_method):
    """Decodes a part of a JPEG file: `crop_window` is (top row, left column, height, width)."""
    how = _checked_jpeg(channels, ratio, fancy_upscaling, try_recover_truncated, dct_method)
    if np.shape(crop_window) != (4,):
        raise invalid(f"crop_window must have four elements, got shape {list(np.shape(crop_window))}")
    data = _file(contents)
    if _kind(data) != "JPEG":
        raise invalid("Expected image (JPEG), got another format")
    image = _read_jpeg(data, channels, how)
    top, left, height, width = crop_window.tolist()
    if top < 0 or left < 0 or height <= 0 or width <= 0 or top + height > len(image) or left + width > image.shape[1]:
        raise invalid(f"Invalid JPEG data or crop window, data size {len(data)}, window {crop_window.tolist()}, "
                      f"image {list(image.shape)}")
    return image[top:top + height, left:left + width]


@decode_and_crop_jpeg.shape
def _(contents, crop_window, channels, value_of):
    window = value_of("crop_window")
    with_rank(crop_window, 1)
    _, _, depth = _decoded_shape(contents, channels)
    return (None, None, depth) if window is None else (int(window[2]), int(window[3]), depth)


@op("ExtractJpegShape(contents: string, *, output_type: index = int32) -> image_shape: output_type", grad=STOP)
def extract_jpeg_shape(contents):
    """The height, width and channels of a JPEG file, from its header."""
    data = _file(contents)
    if _kind(data) != "JPEG":
        raise invalid("Invalid JPEG data")
    return np.array(_jpeg_shape(data), np.int64)


@extract_jpeg_shape.shape
def _(contents):
    with_rank(contents, 0)
    return (3,)


def _jpeg_pixels(image, format):
    """`image` in Pillow's form: without the axis of a single channel."""
    if np.ndim(image) != 3:
        raise invalid(f"image must be 3-dimensional, got shape {list(np.shape(image))}")
    channels = {"": image.shape[2], "grayscale": 1, "rgb": 3}[format]
    if channels not in (1, 3):
        raise invalid(f"image must have 1 or 3 channels, got {image.shape[2]}")
    if image.shape[2] != channels:
        raise invalid(f"format '{format}' expects {channels} channels, got {image.shape[2]}")
    return np.ascontiguousarray(image if channels == 3 else image[..., 0])


def _write_jpeg(pixels, quality, unit="in", density=(300, 300), **options):
    if not 0 <= quality <= 100:
        raise invalid(f"quality must be in [0,100], got {quality}")
    target = io.BytesIO()
    # Quality 0 selects Pillow's default.
    _pillow().fromarray(pixels).save(target, "JPEG", quality=max(quality, 1), **options)
    data = bytearray(target.getvalue())
    if data[6:11] == b"JFIF\0":
        data[13:18] = struct.pack(">BHH", 1 if unit == "in" else 2, *density)
    return np.array(bytes(data), object)


@op("EncodeJpeg(image: uint8, *, format: {'', 'grayscale', 'rgb'} = '', quality: int = 95, progressive: bool = False, "
    "optimize_size: bool = False, chroma_downsampling: bool = True, density_unit: {'in', 'cm'} = 'in', "
    "x_density: int = 300, y_density: int = 300, xmp_metadata: string = '') -> contents: string", grad=STOP)
def encode_jpeg(image, format, quality, progressive, optimize_size, chroma_downsampling, density_unit, x_density,
                y_density, xmp_metadata):
    """Encodes an image as a JPEG file."""
    options = {"xmp": xmp_metadata.encode()} if xmp_metadata else {}
    return _write_jpeg(_jpeg_pixels(image, format), quality, density_unit, (x_density, y_density),
                       progressive=progressive, optimize=optimize_size,
                       subsampling="4:2:0" if chroma_downsampling else "4:4:4", **options)


@encode_jpeg.shape
def _(image):
    with_rank(image, 3)
    return ()


@op("EncodeJpegVariableQuality(images: uint8, quality: int32) -> contents: string", grad=STOP)
def encode_jpeg_variable_quality(images, quality):
    """Encodes an image as a JPEG file, with the quality as a tensor."""
    if np.ndim(quality):
        raise invalid(f"quality must be scalar: {list(np.shape(quality))}")
    return _write_jpeg(_jpeg_pixels(images, ""), int(quality), subsampling="4:2:0")


@encode_jpeg_variable_quality.shape
def _(images, quality):
    with_rank(images, 3)
    with_rank(quality, 0)
    return ()


# ---- PNG


def _with_channels(pixels, channels, opaque):
    """Converts pixels to 1 (grey), 3 (RGB) or 4 (RGBA) channels; 0 keeps them."""
    have = pixels.shape[2]
    if channels in (0, have):
        return pixels
    colour, alpha = (pixels[..., :-1], pixels[..., -1:]) if have in (2, 4) else (pixels, None)
    if channels == 1 and colour.shape[2] == 3:
        weights = np.array([9797, 19234, 3737], np.int64)  # libpng's fixed point for 0.299, 0.587 and 0.114
        half = 1 << 14 if pixels.dtype == np.uint16 else 0  # libpng rounds wide samples only
        colour = ((colour @ weights + half) >> 15).astype(pixels.dtype)[..., None]
    elif channels > 1 and colour.shape[2] == 1:
        colour = np.repeat(colour, 3, axis=2)
    if channels in (2, 4):
        alpha = np.full_like(colour[..., :1], opaque) if alpha is None else alpha
        return np.concatenate([colour, alpha], axis=2)
    return colour


def _widened(pixels, bits):
    """Converts 8-bit pixels to `bits`; 255 becomes 65535."""
    return pixels if bits == np.uint8 else pixels.astype(np.uint16) * np.uint16(257)


def _of_bits(pixels, bits):
    if pixels.dtype == bits:
        return pixels
    return _widened(pixels, bits) if bits == np.uint16 else (pixels >> 8).astype(np.uint8)


@op("DecodePng(contents: string, *, channels: int = 0, dtype: {uint8, uint16} = uint8) -> image: dtype",
    shape=_decoded_shape, grad=STOP)
def decode_png(contents, channels, dtype):
    """Decodes a PNG file to a uint8 or uint16 tensor [height, width, channels]."""
    if channels not in (0, 1, 3, 4):
        raise invalid(f"channels must be 0, 1, 3, or 4, got {channels}")
    return _decoded(_file(contents), channels, "DecodePng", bits=dtype)


@op("EncodePng(image: T, *, compression: int = -1, T: {uint8, uint16} = uint8) -> contents: string", grad=STOP)
def encode_png(image, compression):
    """Encodes an image as a PNG file with a zlib compression level (-1 is zlib's default)."""
    if not -1 <= compression <= 9:
        raise invalid(f"compression should be in [-1,9], got {compression}")
    if np.ndim(image) != 3 or image.size == 0:
        raise invalid(f"image must be 3-dimensional and not empty, got shape {list(np.shape(image))}")
    if image.shape[2] not in (1, 2, 3, 4):
        raise invalid(f"image must have 1, 2, 3, or 4 channels, got {image.shape[2]}")
    return np.array(png.write(image, compression), object)


@encode_png.shape
def _(image):
    with_rank(image, 3)
    return ()


# ---- GIF and BMP


def _read_gif(data):
    """Decodes the frames of a file, [frames, height, width, 3]."""
    try:
        with _pillow().open(io.BytesIO(data), formats=["GIF"]) as image:
            count = getattr(image, "n_frames", 1)
            png.check_size("GIF", count, *image.size, 3)
            frames = np.empty((count, *image.size[::-1], 3), np.uint8)  # once: a small file may hold half a gigabyte
            for number in range(count):
                image.seek(number)
                frames[number] = image.convert("RGB")
    except (OSError, SyntaxError, ValueError, EOFError, _pillow().DecompressionBombError) as error:
        raise invalid(f"Invalid GIF data: {error}") from None
    return frames


@op("DecodeGif(contents: string) -> image: uint8", grad=STOP)
def decode_gif(contents):
    """Decodes the frames of a GIF file, [frames, height, width, 3]."""
    data = _file(contents)
    kind = _kind(data)
    if kind in ("JPEG", "PNG"):
        return _decoded(data, 3, "DecodeGif")[None]
    if kind != "GIF":
        raise invalid("Expected image (JPEG, PNG, or GIF), got unknown format starting with " + repr(data[:16]))
    return _read_gif(data)


@decode_gif.shape
def _(contents):
    with_rank(contents, 0)
    return (None, None, None, 3)


@op("DecodeBmp(contents: string, *, channels: int = 0) -> image: uint8", shape=_decoded_shape, grad=STOP)
def decode_bmp(contents, channels):
    """Decodes an uncompressed BMP file: grey, RGB or RGBA."""
    data = _file(contents)
    if channels not in (0, 1, 3, 4):
        raise invalid(f"channels attribute {channels} must be 0, 1, 3 or 4")
    if len(data) < 32:
        raise invalid(f"the BMP file ends within its header: it has {len(data)} bytes of 32")
    start, = struct.unpack_from("<I", data, 10)
    width, height, _, bits = struct.unpack_from("<iiHH", data, 18)
    depth = bits // 8
    if depth not in (1, 3, 4) or width <= 0 or height == 0:
        raise invalid(f"a BMP file has 1, 3 or 4 channels, this one has {depth}; {width} x {height}")
    if channels not in (0, depth):
        raise invalid(f"channels attribute {channels} does not match bits per pixel from file {depth}")
    length = -(-width * depth // 4) * 4  # rows are padded to four bytes
    if start + length * abs(height) > len(data):
        raise invalid(f"the BMP file ends early: it has {len(data)} bytes of {start + length * abs(height)}")
    rows = np.frombuffer(data, np.uint8, length * abs(height), start).reshape(abs(height), length)
    pixels = rows[::-1 if height > 0 else 1, :width * depth].reshape(abs(height), width, depth)
    return pixels if depth == 1 else pixels[..., [2, 1, 0, 3][:depth]]


# ---- any format


def _frames(data, channels, expand, bits):
    """Decodes a file of any format to `bits`; all frames of a GIF, or only the first."""
    kind = _kind(data)
    if kind == "PNG":
        return _decoded(data, channels, "DecodeImage", bits=bits)
    if kind == "BMP":
        pixels = decode_bmp.kernel(np.array(data, object), channels)
    elif kind != "GIF":
        pixels = _decoded(data, channels, "DecodeImage")
    elif channels not in (0, 3):
        raise invalid(f"a GIF decodes to 3 channels; channels is {channels}")
    else:
        pixels = _read_gif(data) if expand else _read_gif(data)[0]
    return pixels.astype(bits) << 8 if bits == np.uint16 else pixels  # only this op fills the lower bits with zeros


@op("DecodeImage(contents: string, *, channels: int = 0, dtype: {uint8, uint16, float} = uint8, "
    "expand_animations: bool = True) -> image: dtype", grad=STOP)
def decode_image(contents, channels, dtype, expand_animations):
    """Decodes a JPEG, PNG, GIF or BMP file; float pixels are between 0 and 1."""
    if channels not in (0, 1, 3, 4):
        raise invalid(f"channels must be 0, 1, 3, or 4, got {channels}")
    data = _file(contents)
    if dtype != np.float32:
        return _frames(data, channels, expand_animations, dtype)
    bits = np.uint16 if _kind(data) == "PNG" else np.uint8
    return _frames(data, channels, expand_animations, bits) / np.float32(np.iinfo(bits).max)


@decode_image.shape
def _(contents, channels, expand_animations):
    with_rank(contents, 0)
    return None if expand_animations else (None, None, channels or None)
