"""tf.contrib.image: connected components, bipartite matches, colours in YIQ."""

import colorsys

import numpy as np
import pytest
from scipy import ndimage

import evergraph as tf

image = tf.contrib.image


def test_parts_are_numbered_by_their_first_pixels(session):
    found = image.connected_components([[1, 1, 0, 2], [0, 2, 2, 2], [1, 0, 0, 1]])
    assert session.run(found).tolist() == [[1, 1, 0, 2], [0, 2, 2, 2], [3, 0, 0, 4]]
    many = np.random.RandomState(0).rand(3, 30, 20) > 0.5
    counts, wanted = 0, []
    for each in many:
        labels, count = ndimage.label(each)
        wanted.append(np.where(labels, labels + counts, 0))
        counts += count
    np.testing.assert_array_equal(session.run(image.connected_components(many)), wanted)
    texts = image.connected_components([["a", "a", ""], ["b", "a", "b"]])
    assert session.run(texts).tolist() == [[1, 1, 0], [2, 1, 3]]
    with pytest.raises(ValueError, match="height"):
        image.connected_components([1, 2])


@pytest.mark.parametrize(("valid", "top", "rows", "columns"), [
    (2, -1, [2, 1], [-1, 1, 0]), (-1, -1, [2, 1], [-1, 1, 0]), (1, -1, [2, -1], [-1, -1, 0]),
    (2, 1, [2, -1], [-1, -1, 0]), (0, -1, [-1, -1], [-1, -1, -1])])
def test_the_nearest_are_matched_first(session, valid, top, rows, columns):
    distances = [[0.5, 0.8, 0.1], [0.3, 0.2, 0.15]]
    found = session.run(image.bipartite_match(distances, valid, top))
    assert [each.tolist() for each in found] == [rows, columns]


def yiq(pixels):
    return np.array([colorsys.rgb_to_yiq(*pixel) for pixel in pixels.reshape(-1, 3).tolist()])


def test_colours_turn_in_yiq(session):
    pixels = np.random.RandomState(0).uniform(0.3, 0.6, [4, 2, 3]).astype(np.float32)
    found = session.run(image.adjust_hsv_in_yiq(pixels, 0.5, 0.8, 1.1))
    before, after = yiq(pixels), yiq(found)
    turned = (before[:, 1] + 1j * before[:, 2]) * np.exp(0.5j) * 0.8 * 1.1
    np.testing.assert_allclose(after[:, 0], before[:, 0] * 1.1, rtol=2e-2)
    np.testing.assert_allclose(after[:, 1] + 1j * after[:, 2], turned, atol=5e-3)
    np.testing.assert_allclose(session.run(image.adjust_hsv_in_yiq(pixels)), pixels, rtol=1e-5)
    whole = tf.constant([[[10, 20, 200]]], tf.uint8)
    assert session.run(image.random_hsv_in_yiq(whole, lower_value=0.5, upper_value=0.5)).tolist() == [[[5, 10, 100]]]
    spread = [session.run(image.random_hsv_in_yiq(pixels, 1.0, seed=seed)) for seed in (1, 2)]
    assert not np.allclose(*spread)
    with pytest.raises(ValueError, match="no such range"):
        image.random_hsv_in_yiq(pixels, lower_saturation=2.0)
    with pytest.raises(ValueError, match="rank"):
        image.adjust_hsv_in_yiq(pixels[0])
