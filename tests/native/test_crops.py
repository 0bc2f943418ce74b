"""The kernels in C that crop images give what NumPy gives."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from evergraph import native
from evergraph.ops.image import boxes as ops
from evergraph.ops.image import resize, scale

pytestmark = [pytest.mark.cpus,
              pytest.mark.skipif(native.crops is None, reason="the C code was not built here, or is turned off")]

RANDOM = np.random.RandomState(0)
IMAGES = RANDOM.randn(3, 9, 7, 5).astype(np.float32)
BOXES = np.float32([[0.1, 0.2, 0.8, 0.7], [0, 0, 1, 1], [0.9, 0.9, 0.1, 0.1], [-0.2, 0.3, 0.5, 1.4],
                    [0.5, np.nan, 1, 1]])
WHICH = np.int32([2, 0, 0, 1, 2])
unchecked = lambda *_, **__: None


@pytest.mark.parametrize("count", [(4, 6), (1, 3)])
def test_crops(count):
    run = lambda xp, images, boxes: ops.crop_and_resize.kernel(
        xp, images, boxes, WHICH, np.array(count), "bilinear", 0.25, unchecked)
    found = jax.jit(lambda images, boxes: run(jnp, images, boxes))(IMAGES, BOXES)
    np.testing.assert_allclose(found, run(np, IMAGES, BOXES), rtol=1e-5, atol=1e-6)
    crops = RANDOM.randn(5, *count, 5).astype(np.float32)
    back = lambda xp, crops: ops.crop_and_resize_grad_image.kernel(
        xp, crops, BOXES, WHICH, np.array(IMAGES.shape), "bilinear", unchecked)
    wanted = back(np, crops)
    np.testing.assert_allclose(jax.jit(lambda crops: back(jnp, crops))(crops), wanted, rtol=1e-4, atol=1e-5)
    whole = jax.jit(lambda x, dy: jax.vjp(lambda x: run(jnp, x, BOXES), x)[1](dy)[0])(IMAGES, crops)
    np.testing.assert_allclose(whole, wanted, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("channels", [1, 3, 5])
@pytest.mark.parametrize("sizes", [(4, 11), (20, 1), (9, 7)])
def test_resampled_images(channels, sizes):
    images, small = RANDOM.randn(2, 9, 7, channels).astype(np.float32), np.zeros((2, *sizes, channels), np.float32)
    options, place = (False, False), (np.array(sizes), np.float32([0.7, 1.5]), np.float32([0.7, 1.5]))
    for run in (lambda xp, x: resize.resize_area.kernel(xp, x, np.array(sizes), False),
                lambda xp, x: resize.resize_bilinear_grad.kernel(xp, x, small, *options),
                lambda xp, x: resize.resize_bicubic_grad.kernel(xp, x, small, *options),
                lambda xp, x: resize.resize_nearest_neighbor_grad.kernel(xp, x, np.array(sizes), *options),
                lambda xp, x: scale.scale_and_translate.kernel(xp, x, *place, "gaussian", True)):
        found = jax.jit(lambda x, run=run: run(jnp, x))(images)
        np.testing.assert_allclose(found, run(np, images), rtol=1e-5, atol=1e-6)


def test_a_pixel_that_is_not_a_number_stays_where_it_is():
    images = np.zeros((1, 8, 8, 3), np.float32)
    images[0, 2, 3, 1] = np.nan
    found = jax.jit(lambda x: resize.resize_area.kernel(jnp, x, np.array([4, 4]), False))(images)
    np.testing.assert_array_equal(np.argwhere(np.isnan(found)), [[0, 1, 1, 1]])


@pytest.mark.parametrize("shape, sizes", [((2, 9, 12, 5), (4, 7)), ((1, 40, 30, 32), (81, 59)), ((3, 1, 5, 2), (6, 1))])
def test_resampling_on_numpy(shape, sizes):
    random = np.random.RandomState(0)
    x = random.randn(*shape).astype(np.float32)
    matrices = [(random.randn(new, old) * (random.rand(new, old) < 0.3)).astype(np.float32)
                for new, old in zip(sizes, shape[1:3])]
    want = np.einsum("ah,bw,nhwc->nabc", *(each.astype(np.float64) for each in matrices), x)
    np.testing.assert_allclose(resize.resampled(np, matrices, x), want, rtol=0, atol=2e-4)
