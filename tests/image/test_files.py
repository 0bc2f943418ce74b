"""Image files: what Pillow reads and writes, what is read without it, and what happens when it is missing."""

import io
import struct
import sys
import tracemalloc
import zlib

import numpy as np
import pytest
from PIL import Image

import evergraph as tf
from evergraph import native
from evergraph.formats import png as image_png
from tests.harness.session import run
from tests.image import files

PNGS = ["PNG", "GRAY_PNG", "GRAY_ALPHA_PNG", "RGBA_PNG", "PALETTE_PNG", "CLEAR_PALETTE_PNG", "BIT_PNG"]


def noise(*shape, dtype=np.uint8):
    return np.random.RandomState(7).randint(0, np.iinfo(dtype).max + 1, shape).astype(dtype)


def smooth(height, width):
    rows, columns = np.mgrid[:height, :width]
    return np.stack([rows * 5, columns * 4, rows + columns], axis=-1).astype(np.uint8)


@pytest.fixture
def no_pillow(monkeypatch):
    monkeypatch.setitem(sys.modules, "PIL", None)
    monkeypatch.setitem(sys.modules, "PIL.Image", None)


@pytest.mark.parametrize("name", PNGS)
def test_png_without_pillow(name):
    data = getattr(files, name)
    np.testing.assert_array_equal(image_png.read(data, None)[0], image_png.read(data, Image)[0])


def filtered(rows, step, kinds):
    """Rows of bytes as a PNG file holds them, each filtered in one of the given ways in turn."""
    result, above = [], np.zeros(rows.shape[1], int)
    for number, row in enumerate(rows.astype(int)):
        left = np.concatenate([np.zeros(step, int), row[:-step]])
        corner = np.concatenate([np.zeros(step, int), above[:-step]])
        away = [abs(above - corner), abs(left - corner), abs(left + above - 2 * corner)]
        paeth = np.where((away[0] <= away[1]) & (away[0] <= away[2]), left,
                         np.where(away[1] <= away[2], above, corner))
        kind = kinds[number % len(kinds)]
        guess = [0 * row, left, above, (left + above) // 2, paeth][kind]
        result.append(bytes([kind]) + ((row - guess) % 256).astype(np.uint8).tobytes())
        above = row
    return b"".join(result)


def chunk(kind, body):
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def png(width, height, interlaced, pixels):
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, interlaced)
    return image_png.MAGIC + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(pixels)) + chunk(b"IEND", b"")


@pytest.mark.parametrize("kinds", [[0], [1], [2], [3], [4], [4, 3, 2, 1, 0]])
def test_png_filters(kinds):
    image = noise(9, 5, 3)
    data = png(5, 9, 0, filtered(image.reshape(9, -1), 3, kinds))
    for reader in (None, Image):
        np.testing.assert_array_equal(image_png.read(data, reader)[0], image)


def test_interlaced_png():
    image = noise(11, 9, 3)
    passes = [(0, 0, 8, 8), (0, 4, 8, 8), (4, 0, 8, 4), (0, 2, 4, 4), (2, 0, 4, 2), (0, 1, 2, 2), (1, 0, 2, 1)]
    parts = [image[row::down, column::across] for row, column, down, across in passes]
    data = png(9, 11, 1, b"".join(filtered(part.reshape(len(part), -1), 3, [4]) for part in parts))
    for reader in (None, Image):
        np.testing.assert_array_equal(image_png.read(data, reader)[0], image)


@pytest.mark.parametrize("channels", [1, 2, 3, 4])
@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
def test_png_is_written_for_others(channels, dtype):
    image = noise(6, 7, channels, dtype=dtype)
    data = run(tf.image.encode_png(image))
    np.testing.assert_array_equal(image_png.read(data, None)[0], image)
    if dtype == np.uint8:
        np.testing.assert_array_equal(np.asarray(Image.open(io.BytesIO(data))).reshape(image.shape), image)


def test_damaged_png():
    damaged = bytearray(files.PNG)
    damaged[45] ^= 1
    with pytest.raises(tf.errors.InvalidArgumentError, match="damaged"):
        run(tf.image.decode_png(bytes(damaged)))


def test_missing_pillow(no_pillow, monkeypatch):
    monkeypatch.setattr(native, "jpeg", None)
    with pytest.raises(tf.errors.UnimplementedError, match="Pillow"):
        run(tf.image.decode_jpeg(files.JPEG))
    with pytest.raises(tf.errors.UnimplementedError, match="Pillow"):
        run(tf.image.decode_gif(files.GIF))
    with pytest.raises(tf.errors.UnimplementedError, match="Pillow"):
        run(tf.image.encode_jpeg(noise(4, 4, 3)))
    assert run([tf.image.decode_png(files.PNG), tf.image.decode_bmp(files.BMP)])[0].shape == (12, 16, 3)
    assert run(tf.image.extract_jpeg_shape(files.JPEG)).tolist() == [12, 16, 3]


@pytest.mark.skipif(native.jpeg is None, reason="libjpeg was not there when the C code was built")
def test_jpeg_without_pillow(no_pillow):
    assert run(tf.image.decode_jpeg(files.JPEG)).shape == (12, 16, 3)
    with pytest.raises(tf.errors.UnimplementedError, match="Pillow"):
        run(tf.image.decode_jpeg(files.JPEG[:400]))


def test_jpeg_round_trip():
    image = smooth(24, 40)
    for options in ({}, {"progressive": True}, {"optimize_size": True}, {"chroma_downsampling": False}):
        again = run(tf.image.decode_jpeg(tf.image.encode_jpeg(image, quality=98, **options)))
        assert np.abs(again.astype(int) - image).mean() < 4
    gray = run(tf.image.decode_jpeg(tf.image.encode_jpeg(image[..., :1], format="grayscale")))
    assert gray.shape == (24, 40, 1) and np.abs(gray.astype(int) - image[..., :1]).mean() < 2


def test_what_a_jpeg_file_says():
    data = run(tf.image.encode_jpeg(smooth(8, 8), density_unit="cm", x_density=72, y_density=96, xmp_metadata="<x/>"))
    assert struct.unpack(">BHH", data[13:18]) == (2, 72, 96)
    assert b"<x/>" in data
    small, large = (len(run(tf.image.encode_jpeg(noise(16, 16, 3), quality=quality))) for quality in (0, 100))
    assert small < large


def test_truncated_jpeg():
    data = run(tf.image.encode_jpeg(noise(64, 64, 3)))[:4000]
    with pytest.raises(tf.errors.InvalidArgumentError, match="JPEG"):
        run(tf.image.decode_jpeg(data))
    assert run(tf.image.decode_jpeg(data, try_recover_truncated=True)).shape == (64, 64, 3)


def test_jpeg_quality():
    image = smooth(16, 16).astype(np.float32) / 255
    poor, good = run([tf.image.adjust_jpeg_quality(image, 5), tf.image.adjust_jpeg_quality(image, 95)])
    assert np.abs(good - image).mean() < np.abs(poor - image).mean()
    tf.set_random_seed(1)
    assert run(tf.image.random_jpeg_quality(image, 20, 30, seed=1)).shape == (16, 16, 3)


def test_bmp_must_have_the_channels_asked_for():
    with pytest.raises(tf.errors.InvalidArgumentError, match="does not match"):
        run(tf.image.decode_bmp(files.BMP, channels=4))


def test_decode_image_of_something_else():
    with pytest.raises(tf.errors.InvalidArgumentError, match="no JPEG, PNG, GIF or BMP"):
        run(tf.image.decode_image(b"text"))
    with pytest.raises(ValueError, match="channels"):
        tf.image.decode_image(files.PNG, channels=2)


def test_static_shapes():
    contents = tf.placeholder(tf.string)
    assert tf.image.decode_jpeg(contents, channels=3).shape.as_list() == [None, None, 3]
    assert tf.image.decode_gif(contents).shape.as_list() == [None, None, None, 3]
    assert tf.image.decode_image(contents).shape.ndims is None
    assert tf.image.decode_image(contents, 3, expand_animations=False).shape.as_list() == [None, None, 3]


@pytest.mark.parametrize("channels", [1, 2, 3, 4])
@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
def test_ramps_become_small_files(channels, dtype):
    rows, columns = np.mgrid[:64, :64]
    image = np.stack([rows, columns, rows + columns, 255 - rows], axis=-1)[..., :channels].astype(dtype)
    file = run(tf.image.encode_png(image, compression=7))
    assert len(file) < 700 * np.dtype(dtype).itemsize
    assert (run(tf.image.decode_png(file, dtype=dtype)) == image).all()


def _png_that_says(width, height, depth=8):
    """A PNG file of a few bytes whose header promises so many pixels, and whose data unpack to many zeros."""
    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    header = struct.pack(">IIBBBBB", width, height, depth, 2, 0, 0, 0)
    parts = chunk(b"IHDR", header), chunk(b"IDAT", zlib.compress(bytes(1 << 24))), chunk(b"IEND", b"")
    return image_png.MAGIC + b"".join(parts)


@pytest.mark.parametrize("depth", [8, 16])
@pytest.mark.parametrize("width, height", [(1 << 16, 1 << 14), (1 << 26, 1 << 4), ((1 << 31) - 1, 1)])
def test_pictures_that_unpack_to_gigabytes_are_refused(width, height, depth):
    with pytest.raises(tf.errors.InvalidArgumentError, match="size too large"):
        run(tf.image.decode_png(tf.constant(_png_that_says(width, height, depth))))


def test_more_pixels_than_the_header_says_are_not_unpacked():
    file = _png_that_says(2, 2, 16)
    tracemalloc.start()
    try:
        pixels, _ = image_png.read(file, None)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert pixels.shape == (2, 2, 3) and peak < 1 << 20


def decoded_in_batches(contents, options):
    """What a pipeline makes of files, all in one batch, made equally large."""
    def prepared(content):
        return tf.image.resize_images(tf.image.decode_jpeg(content, **options), [5, 5])
    dataset = tf.data.Dataset.from_tensor_slices(contents).map(prepared, num_parallel_calls=2).batch(len(contents))
    return run(tf.data.make_one_shot_iterator(dataset).get_next())


@pytest.mark.parametrize("options", [{"channels": 3}, {"channels": 3, "ratio": 2, "dct_method": "INTEGER_ACCURATE"}])
def test_files_of_a_batch_are_decoded_like_single_ones(options):
    large, small, grey = (run(tf.image.encode_jpeg(noise(*size))) for size in ((24, 32, 3), (8, 8, 3), (24, 32, 1)))
    png = run(tf.image.encode_png(noise(24, 32, 3)))
    for contents in ([large] * 6, [large, large, large, small, grey, png], [png, small, small, large]):
        single = [run(tf.image.resize_images(tf.image.decode_jpeg(each, **options), [5, 5])) for each in contents]
        np.testing.assert_array_equal(decoded_in_batches(contents, options), single)


def test_a_damaged_file_of_a_batch():
    good = run(tf.image.encode_jpeg(noise(24, 32, 3)))
    with pytest.raises(tf.errors.InvalidArgumentError, match="JPEG"):
        decoded_in_batches([good, good, good[:300], good], {})
