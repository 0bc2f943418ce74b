"""tf.contrib.resampler against interpolation one pixel at a time, and finite differences."""

import numpy as np
import pytest

import evergraph as tf
from evergraph.run.session import Session


def interpolated(image, x, y):
    """One place of an image [height, width, channels] with zeros around it."""
    height, width, channels = image.shape
    total = np.zeros(channels)
    for column in range(width):
        for row in range(height):
            total += image[row, column] * max(0, 1 - abs(x - column)) * max(0, 1 - abs(y - row))
    return total


def images_and_places(dtype):
    random = np.random.RandomState(0)
    images = random.rand(2, 4, 5, 3)
    places = random.uniform(-2, 6, [2, 6, 7, 2])  # inside, at the edge, and beyond it
    return images.astype(dtype), places.astype(dtype)


@pytest.mark.parametrize("tier", ["numpy", "xla"])
@pytest.mark.parametrize("dtype, tolerance", [("float16", 2e-2), ("float32", 1e-5), ("float64", 1e-12)])
def test_values(tier, dtype, tolerance):
    images, places = images_and_places(dtype)
    with tf.Graph().as_default() as graph:
        data, warp = (tf.placeholder(dtype, [None, *each.shape[1:]]) for each in (images, places))
        output = tf.contrib.resampler.resampler(data, warp)
        assert output.shape.as_list() == [None, 6, 7, 3] and output.op.type == "Resampler"
        with Session(graph=graph, tier=tier) as session:
            got = session.run(output, {data: images, warp: places})
    wanted = [[[interpolated(image.astype(float), *place) for place in row] for row in warps]
              for image, warps in zip(images, places.astype(float))]
    np.testing.assert_allclose(got, wanted, atol=tolerance)


@pytest.mark.parametrize("tier", ["numpy", "xla"])
def test_gradients_are_slopes(tier):
    images, places = images_and_places("float64")
    weight = np.random.RandomState(1).randn(2, 6, 7, 3)
    with tf.Graph().as_default() as graph:
        data, warp = (tf.placeholder(tf.float64, each.shape) for each in (images, places))
        total = tf.reduce_sum(tf.contrib.resampler.resampler(data, warp) * weight)
        slopes = tf.gradients(total, [data, warp])
        assert slopes[0].op.type == "ResamplerGrad"
        with Session(graph=graph, tier=tier) as session:
            computed = session.run(slopes, {data: images, warp: places})
            for number, point in enumerate((images, places)):
                direction = np.random.RandomState(2).randn(*point.shape)
                ends = []
                for sign in (1, -1):
                    moved = [images, places]
                    moved[number] = point + sign * 1e-6 * direction
                    ends.append(session.run(total, dict(zip((data, warp), moved))))
                np.testing.assert_allclose(np.sum(computed[number] * direction), (ends[0] - ends[1]) / 2e-6, rtol=1e-4)


@pytest.mark.parametrize("data, warp, error", [
    ([2, 4, 5, 6, 3], [2, 6, 7, 2], tf.errors.UnimplementedError),
    ([2, 4, 5, 3], [2], tf.errors.InvalidArgumentError),
    ([2, 4, 5, 3], [3, 6, 7, 2], tf.errors.InvalidArgumentError),
    ([2, 4, 5, 3], [2, 6, 7, 3], tf.errors.UnimplementedError),
])
def test_what_is_refused(data, warp, error):
    with tf.Graph().as_default(), tf.Session() as session:
        output = tf.contrib.resampler.resampler(tf.zeros(data), tf.zeros(warp))
        with pytest.raises(error):
            session.run(output)
