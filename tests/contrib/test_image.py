"""tf.contrib.image: projective transforms, with TensorFlow 2.15's numbers, and warps."""

import numpy as np
import pytest

import evergraph as tf

image = tf.contrib.image
X = np.arange(40, dtype=np.float32).reshape(2, 4, 5, 1)
TRANSFORMS = [[1, 0.2, -1, 0.1, 0.9, 0.5, 0.01, 0.02], [0, 1, 0, -1, 0, 3, 0, 0]]
LEANING = [[0, 5, 6, 7, 8], [0, 5, 11, 12, 13], [0, 10, 11, 12, 18], [15, 16, 16, 17, 18]]
TURNED = [[35, 30, 25, 20, 0], [36, 31, 26, 21, 0], [37, 32, 27, 22, 0], [38, 33, 28, 23, 0]]


def test_transforms_are_tensorflows(session):
    nearest = session.run(image.transform(X, TRANSFORMS))[..., 0]
    assert nearest.tolist() == [LEANING, TURNED]
    mixed = session.run(image.transform(X, TRANSFORMS, "BILINEAR"))[..., 0]
    np.testing.assert_allclose(mixed[0, 1], [1.4802, 7.475728, 8.846154, 10.190476, 11.509434], rtol=1e-5)
    np.testing.assert_allclose(mixed[1], TURNED, atol=1e-5)
    assert session.run(image.transform(X.astype(np.uint8), TRANSFORMS, "BILINEAR")).dtype == np.uint8
    small = image.transform(X[0, :, :, 0], TRANSFORMS[0], output_shape=[2, 3])
    assert session.run(small).tolist() == [[0, 5, 6], [0, 5, 11]]


def test_points_at_infinity_are_outside(session):
    ones = np.ones((4, 4), np.int32)
    for kind in ("NEAREST", "BILINEAR"):
        found = session.run(image.transform(ones, [1.0, 0, 0, 0, 1, 0, -1, 0], kind))
        assert found.tolist() == [[1, 0, 0, 0]] + [[1, 0, 0, 0]] * 3


def test_rotations_and_translations(session):
    square = np.arange(9.0, dtype=np.float32).reshape(3, 3)
    assert session.run(image.rotate(square, np.pi / 2)).tolist() == np.rot90(square).tolist()
    both = session.run(image.rotate(X, [0.0, np.pi]))[..., 0]
    assert both.tolist() == [X[0, ..., 0].tolist(), X[1, ::-1, ::-1, 0].tolist()]
    moved = session.run(image.translate(square, [1, -1]))
    assert moved.tolist() == [[0, 3, 4], [0, 6, 7], [0, 0, 0]]
    assert image.rotate(tf.placeholder(tf.float32, [None, 7, 7, 3]), 0.1).shape.as_list() == [None, 7, 7, 3]
    with pytest.raises(TypeError):
        image.rotate(tf.constant([["a"]]), 0.1)


def test_compositions(session):
    angle, shift = image.angles_to_projective_transforms(0.3, 4, 5), image.translations_to_projective_transforms([1, 2])
    composed = image.compose_transforms(shift, angle)
    matrices = [session.run(image.flat_transforms_to_matrices(each)) for each in (shift, angle, composed)]
    np.testing.assert_allclose(matrices[0] @ matrices[1], matrices[2], atol=1e-6)


def test_gradients_reach_the_images(session):
    fed = tf.constant(X)
    for kind in ("NEAREST", "BILINEAR"):
        gradient = session.run(tf.gradients(tf.reduce_sum(image.transform(fed, TRANSFORMS[1], kind)), fed)[0])
        assert gradient.sum() == 32


def test_dense_warps(session):
    flow = np.zeros((2, 4, 5, 2), np.float32)
    assert session.run(image.dense_image_warp(X, flow)).tolist() == X.tolist()
    flow[..., 0], flow[..., 1] = 1, -0.5
    found = session.run(image.dense_image_warp(X, flow))[0, ..., 0]
    wanted = X[0][[0, 0, 1, 2], :, 0] + [0.5, 0.5, 0.5, 0.5, 0]  # rows from above, columns half a pixel on
    np.testing.assert_allclose(found, wanted)


def test_splines_go_through_their_values(session):
    random = np.random.RandomState(0)
    points, values = random.rand(2, 6, 2).astype(np.float32), random.rand(2, 6, 3).astype(np.float32)
    for order in (1, 2, 3):
        found = session.run(image.interpolate_spline(points, values, points, order))
        np.testing.assert_allclose(found, values, atol=1e-3)
    linear = points @ np.array([[1.0], [2.0]], np.float32)
    found = session.run(image.interpolate_spline(points, linear, points[:, :2] + 0.1, 2))
    np.testing.assert_allclose(found, linear[:, :2] + 0.3, atol=1e-3)


def test_sparse_warps(session):
    picture = np.zeros((1, 9, 9, 1), np.float32)
    picture[0, 3, 3] = 1
    warped, flow = session.run(image.sparse_image_warp(picture, [[[3.0, 3.0]]], [[[4.0, 5.0]]], num_boundary_points=2))
    assert warped[0, 4, 5, 0] > 0.99 and np.abs(flow[0, 0, 0]).max() < 1e-2
    np.testing.assert_allclose(flow[0, 4, 5], [1, 2], atol=1e-3)
