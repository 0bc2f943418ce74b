"""tf.image functions: what they refuse, and what the cases of the ops cannot show."""

import numpy as np
import pytest

import evergraph as tf
from evergraph.compile.policy import compilations

IMAGE = np.arange(4 * 6 * 3, dtype=np.float32).reshape(4, 6, 3)


@pytest.mark.parametrize(("build", "message"), [
    (lambda x: tf.image.flip_left_right(x[0, 0]), "at least three-dimensional"),
    (lambda x: tf.image.crop_to_bounding_box(x, 1, 1, 20, 3), "height must be >= target"),
    (lambda x: tf.image.crop_to_bounding_box(x, -1, 1, 2, 3), "offset_height"),
    (lambda x: tf.image.pad_to_bounding_box(x, 1, 1, 2, 30), "height must be <= target"),
    (lambda x: tf.image.resize_image_with_crop_or_pad(x, 0, 3), "target_height"),
    (lambda x: tf.image.central_crop(x, 1.5), "central_fraction"),
    (lambda x: tf.image.resize_images(x, [1, 2, 3]), "new height"),
    (lambda x: tf.image.resize_images(x, [1, 2], method=9), "not implemented"),
    (lambda x: tf.image.resize_images(tf.placeholder(tf.float32), [1, 2]), "no shape"),
    (lambda x: tf.image.rgb_to_grayscale(x[..., :2]), "3"),
    (lambda x: tf.image.grayscale_to_rgb(x), "one channel"),
    (lambda x: tf.image.adjust_gamma(x, -1), "non-negative"),
    (lambda x: tf.image.random_contrast(x, 0.5, 0.2), "upper must be > lower"),
    (lambda x: tf.image.random_saturation(x, -0.5, 0.2), "lower must be non-negative"),
    (lambda x: tf.image.random_brightness(x, -1), "max_delta"),
    (lambda x: tf.image.random_hue(x, 0.6), "max_delta"),
    (lambda x: tf.image.random_jpeg_quality(x, 50, 101), "between 0 and 100"),
    (lambda x: tf.image.total_variation(x[0]), "3 or 4"),
    (lambda x: tf.image.image_gradients(x), "batch, height, width"),
    (lambda x: tf.image.ssim(x, x, 1.0), "smaller than the filter"),
    (lambda x: tf.image.psnr(x, x[:2], 1.0), "incompatible"),
])
def test_refused(build, message):
    with pytest.raises(ValueError, match=message):
        build(tf.constant(IMAGE))


@pytest.mark.parametrize("tier", ["numpy", "xla"])
def test_refused_in_a_run(tier):
    x = tf.placeholder(tf.float32, [None, None, 3])
    cropped = tf.image.crop_to_bounding_box(x, 2, 2, 3, 3)
    with tf.Session(tier=tier) as session:
        assert session.run(cropped, {x: np.zeros((5, 5, 3))}).shape == (3, 3, 3)
        with pytest.raises(tf.errors.InvalidArgumentError, match="height must be >= target"):
            session.run(cropped, {x: np.zeros((4, 5, 3))})


def test_crops_of_unknown_size():
    x, size = tf.placeholder(tf.float32, [None, None, 3]), tf.placeholder(tf.int32, [])
    fetches = [tf.image.resize_image_with_crop_or_pad(x, size, 9), tf.image.central_crop(x, 0.5),
               tf.image.resize_images(x, tf.stack([size, size])),
               tf.image.resize_images(x, [8, 8], preserve_aspect_ratio=True)]
    assert [t.shape.as_list() for t in fetches] == [[None, 9, 3], [None, None, 3], [None, None, 3], [None, None, 3]]
    with tf.Session() as session:
        values = session.run(fetches, {x: IMAGE, size: 3})
    assert [v.shape for v in values] == [(3, 9, 3), (2, 4, 3), (3, 3, 3), (5, 8, 3)]
    np.testing.assert_array_equal(values[1], IMAGE[1:3, 1:5])


@pytest.mark.parametrize("tier", ["numpy", "xla"])
def test_boxes_of_images_that_are_not_there(tier):
    which = tf.placeholder(tf.int32, [1])
    crops = tf.image.crop_and_resize(IMAGE[None], [[0.0, 0.0, 1.0, 1.0]], which, [2, 2])
    with tf.Session(tier=tier) as session, pytest.raises(tf.errors.OutOfRangeError, match="box_index"):
        session.run(crops, {which: [1]})


def test_volume_patches():
    volume = np.arange(2 * 4 * 5 * 6 * 2, dtype=np.float32).reshape(2, 4, 5, 6, 2)
    patches = tf.extract_volume_patches(volume, [1, 2, 3, 2, 1], [1, 2, 1, 2, 1], "VALID")
    assert patches.shape.as_list() == [2, 2, 3, 3, 24]
    with tf.Session() as session:
        value = session.run(patches)
    np.testing.assert_array_equal(value[1, 1, 2, 0], volume[1, 2:4, 2:5, 0:2].ravel())


def test_glimpses_keep_to_the_colours_of_the_image():
    glimpse = tf.image.extract_glimpse(IMAGE[None] + 7, [40, 40], [[0.0, 0.0]])
    with tf.Session() as session:
        value = session.run(glimpse)
    assert value.shape == (1, 40, 40, 3) and value.min() >= 7 and value.max() <= IMAGE.max() + 7
    np.testing.assert_array_equal(value[0, 18:22, 17:23], IMAGE + 7)


def test_names(graph):
    x = tf.placeholder(tf.float32, [4, 6, 3])
    assert tf.image.resize_images(x, [2, 3]).name == "resize/Squeeze:0"
    assert tf.image.flip_left_right(x).name == "flip_left_right/ReverseV2:0"
    assert tf.image.convert_image_dtype(x, tf.uint8).name == "convert_image:0"
    assert tf.image.adjust_contrast(x, 0.5).op.type == "Identity"
    assert tf.image.random_flip_left_right(x, seed=1).shape.as_list() == [4, 6, 3]


def test_an_image_of_unknown_rank_is_one_image():
    image = tf.placeholder(tf.float32)
    cropped = tf.image.crop_to_bounding_box(image, 1, 2, 2, 3)
    padded = tf.image.pad_to_bounding_box(image, 1, 2, 7, 9)
    assert cropped.shape.as_list() == [2, 3, None] and padded.shape.as_list() == [7, 9, None]
    with tf.Session() as session:
        part, framed = session.run([cropped, padded], {image: IMAGE})
    assert (part == IMAGE[1:3, 2:5]).all() and (framed[1:5, 2:8] == IMAGE).all()


@pytest.mark.parametrize("resize", [tf.image.resize_images, tf.compat.v2.image.resize])
@pytest.mark.parametrize("size", [4, [4], [1, 2, 3], [6.0, 4], [None, 4]])
def test_sizes_are_two_integers(resize, size):
    with pytest.raises(ValueError, match="size"):
        resize(IMAGE, size)


def test_gradients_that_jax_derives_are_compiled_when_hot():
    x = tf.placeholder(tf.float32, [1, 4, 4, 1])
    slope, = tf.gradients(tf.image.extract_image_patches(x, [1, 2, 2, 1], [1, 1, 1, 1], [1, 1, 1, 1], "VALID"), x)
    assert slope.op.type == "SymbolicGradient"
    value = np.ones([1, 4, 4, 1], np.float32)
    with tf.Session() as session:
        before = compilations.count
        for _ in range(6):
            got = session.run(slope, {x: value})
    assert compilations.count == before + 1
    assert got[0, :, :, 0].tolist() == [[1, 2, 2, 1], [2, 4, 4, 2], [2, 4, 4, 2], [1, 2, 2, 1]]


@pytest.mark.parametrize("size, threshold", [([3], 0.5), (3, [[0.5]])])
def test_limits_of_suppression_are_scalars(size, threshold):
    with pytest.raises(ValueError, match="rank 0"):
        tf.image.non_max_suppression([[0.0, 0.0, 1.0, 1.0]], [0.9], size, threshold)


def test_areas_of_one_pixel_with_aligned_corners(session):
    resized = tf.image.resize_area(tf.fill([1, 1, 1, 1], 5.0), [2, 3], align_corners=True)
    np.testing.assert_array_equal(session.run(resized), np.full([1, 2, 3, 1], 5.0))
