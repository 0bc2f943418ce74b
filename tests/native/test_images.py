"""The C code for images and its twin in Python give the same results."""

import io
import zlib

import numpy as np
import pytest

import evergraph as tf
from evergraph import native
from evergraph.formats import png
from evergraph.ops.image import files
from evergraph.ops.image.boxes import non_max_suppression
from evergraph.ops.image.resize import resize_bilinear
from tests.harness.session import run
from tests.image.files import GRAY_JPEG, JPEG

needs_native = pytest.mark.skipif(native.images is None, reason="the C code was not built here, or is turned off")
needs_libjpeg = pytest.mark.skipif(native.jpeg is None, reason="libjpeg was not there when the C code was built")


@needs_native
@pytest.mark.parametrize("dtype", [np.uint8, np.float32])
@pytest.mark.parametrize("options", [(False, False), (True, False), (False, True)])
@pytest.mark.parametrize("size", [(5, 9), (1, 1), (13, 3)])
def test_bilinear(dtype, options, size, monkeypatch):
    images = (np.random.RandomState(1).rand(2, 7, 6, 3) * 255).astype(dtype)[:, ::-1]
    found = resize_bilinear.kernel(np, images, np.array(size, np.int32), *options)
    monkeypatch.setattr(native, "images", None)
    wanted = resize_bilinear.kernel(np, images, np.array(size, np.int32), *options)
    assert found.dtype == wanted.dtype and found.tobytes() == wanted.tobytes()


@needs_native
def test_sizes_are_checked():
    pixels, result = np.zeros([1, 2, 2, 1], np.uint8), np.zeros([1, 1, 1, 1], np.float32)
    good, bad = (np.array([0]), np.array([1]), np.array([0.5], np.float32)), (np.array([0]), np.array([2]),
                                                                              np.array([0.5], np.float32))
    native.images.bilinear(pixels, result, pixels.shape, False, *good, *good)
    for arguments in ((pixels.shape, False, *bad, *good), (pixels.shape, True, *good, *good),
                      ((1, 2, 3, 1), False, *good, *good)):
        with pytest.raises(ValueError, match="fit"):
            native.images.bilinear(pixels, result, *arguments)


@pytest.mark.parametrize("mode", ["RGB", "L"])
@pytest.mark.parametrize("options", [{}, {"progressive": True}, {"quality": 30, "subsampling": 0}])
def test_plain_files_are_decoded_at_once(mode, options):
    image_module = pytest.importorskip("PIL.Image")
    pixels = np.random.RandomState(2).randint(0, 256, [9, 7, 3]).astype(np.uint8)
    content = io.BytesIO()
    image_module.fromarray(pixels).convert(mode).resize([35, 50]).save(content, "JPEG", **options)
    data = content.getvalue()
    found = files._decoded_at_once(image_module, data, mode, 35, 50)
    with image_module.open(io.BytesIO(data)) as image:
        assert found.tolist() == np.asarray(image).reshape(50, 35, -1).tolist()
    assert files._decoded_at_once(image_module, data[:-50], mode, 35, 50) is None


@needs_libjpeg
@pytest.mark.parametrize("content, options, shape, checksum", [  # of the pixels that TensorFlow 2.15 decodes
    (JPEG, {}, (12, 16, 3), 3407094350),
    (JPEG, {"channels": 1}, (12, 16, 1), 821276489),
    (JPEG, {"ratio": 2}, (6, 8, 3), 3931582189),
    (JPEG, {"ratio": 8}, (2, 2, 3), 2558352699),
    (JPEG, {"dct_method": "INTEGER_ACCURATE"}, (12, 16, 3), 1183431889),
    (JPEG, {"fancy_upscaling": False}, (12, 16, 3), 2160568365),
    (GRAY_JPEG, {}, (12, 16, 1), 952719656),
    (GRAY_JPEG, {"channels": 3}, (12, 16, 3), 4218136938),
    (GRAY_JPEG, {"dct_method": "INTEGER_ACCURATE"}, (12, 16, 1), 2763577250),
])
def test_pixels_of_jpeg_files(content, options, shape, checksum):
    pixels = run(tf.image.decode_jpeg(content, **options))
    assert (pixels.shape, zlib.crc32(pixels.tobytes())) == (shape, checksum)


@needs_libjpeg
def test_unusual_jpeg_files_are_declined():
    inks = io.BytesIO()
    pytest.importorskip("PIL.Image").new("CMYK", (8, 8)).save(inks, "JPEG")
    damaged = bytearray(JPEG)
    damaged[400:440] = b"\xff\xd9" * 20
    for content in (b"", b"\xff\xd8", JPEG[:100], JPEG[:-40], bytes(damaged), inks.getvalue()):
        assert native.jpeg.decode(content, 0, 1, True, True) is None


@needs_native
@pytest.mark.parametrize("limit", [0.0, 0.3, 1.0])
def test_choice_of_boxes(limit, monkeypatch):
    generator = np.random.RandomState(0)
    starts = generator.randint(0, 12, [60, 2])
    boxes = np.concatenate([starts, starts + generator.randint(-1, 6, [60, 2])], 1).astype(np.float32)
    choose = lambda: non_max_suppression.kernel(boxes, generator.rand(60).astype(np.float32), np.int32(25), limit)
    state = generator.get_state()
    found = choose()
    generator.set_state(state)
    monkeypatch.setattr(native, "images", None)
    np.testing.assert_array_equal(found, choose())
    assert found.dtype == np.int32 and len(found) > 1


@needs_native
def test_boxes_are_checked():
    corners, chosen = np.zeros([5, 3], np.float32), np.zeros(2, np.int32)
    with pytest.raises(ValueError, match="fit"):
        native.images.choose(corners, np.array([0, 3]), 0.5, chosen)


@needs_native
@pytest.mark.parametrize("shape, dtype", [((9, 7, 3), np.uint8), ((1, 1, 1), np.uint8), ((5, 1, 4), np.uint8),
                                          ((4, 300, 2), np.uint8), ((6, 5, 3), np.uint16)])
def test_filters_of_png(shape, dtype, monkeypatch):
    smooth = np.add.outer(np.arange(shape[0]) * 9, np.arange(shape[1]) * 5)[..., None] * np.ones(shape[2], int)
    for pixels in (smooth.astype(dtype), np.random.RandomState(1).randint(0, 2**16, shape).astype(dtype)):
        found = png.write(pixels, 6)
        with monkeypatch.context() as patch:
            patch.setattr(native, "images", None)
            assert found == png.write(pixels, 6)


@needs_native
def test_filters_of_other_sizes():
    rows = np.zeros([2, 6], np.uint8)
    for count, step, size in ((0, 1, 12), (5, 1, 17), (2, 0, 14), (2, 1, 13)):
        with pytest.raises(ValueError, match="do not fit"):
            native.images.filtered(rows, count, step, np.zeros(size, np.uint8))
