"""Sizes that need more than 32 bits are what they are, or errors: never their lowest 32 bits."""

import contextlib

import numpy as np
import pytest

import evergraph as tf
from evergraph.eager.graph import EAGER

MANY = 2**32 + 3
NOTHING = np.zeros([0, 3], np.float32)


@pytest.fixture(params=["graph", "eagerly"], autouse=True)
def mode(request, graph):
    with EAGER.as_default() if request.param == "eagerly" else contextlib.nullcontext():
        yield request.param


def shape_of(made):
    return list(made.shape)


@pytest.mark.parametrize(("make", "shape"), [
    (lambda: tf.zeros([MANY, 0]), [MANY, 0]),
    (lambda: tf.zeros(tf.TensorShape([MANY, 0])), [MANY, 0]),
    (lambda: tf.ones([0, 2**40]), [0, 2**40]),
    (lambda: tf.fill([MANY, 0], 1), [MANY, 0]),
    (lambda: tf.reshape(NOTHING, [2**33, 0]), [2**33, 0]),
    (lambda: tf.broadcast_to(NOTHING[:, :1], [0, MANY]), [0, MANY]),
    (lambda: tf.tile(NOTHING, [1, MANY]), [0, 3 * MANY]),
    (lambda: tf.pad(NOTHING, [[0, 0], [0, MANY]]), [0, MANY + 3]),
    (lambda: tf.random_uniform([MANY, 0]), [MANY, 0]),
    (lambda: tf.random_gamma([MANY, 0], 1.0), [MANY, 0]),
    (lambda: tf.random_poisson(1.0, [MANY, 0]), [MANY, 0]),
    (lambda: tf.zeros_initializer()([MANY, 0]), [MANY, 0]),
    (lambda: tf.unsorted_segment_sum(NOTHING[:, :0], np.zeros([0], np.int64), MANY), [MANY, 0]),
    (lambda: tf.range(MANY, MANY + 3), [3]),
])
def test_a_large_size(make, shape):
    assert shape_of(make()) == shape


@pytest.mark.parametrize("make", [
    lambda: tf.zeros([2**40]),
    lambda: tf.ones([MANY, 2**20]),
    lambda: tf.fill([2**40 + 3], 1),
    lambda: tf.zeros_initializer()([2**40]),
    lambda: tf.tile(tf.constant([1.0, 2.0]), [2**40 + 3]),
    lambda: tf.pad(tf.constant([1.0]), [[0, 2**40 + 3]]),
    lambda: tf.random_gamma([2**40 + 3], 1.0),
    lambda: tf.eye(2**40 + 3),
    lambda: tf.linspace(0.0, 1.0, 2**40 + 3),
    lambda: tf.unsorted_segment_sum([1.0], [0], 2**40 + 3),
])
def test_what_has_no_room(make, mode):
    with pytest.raises(tf.errors.ResourceExhaustedError, match="Unable to allocate|Out of memory"):
        made = make()
        assert mode == "graph" and shape_of(made)[0] >= MANY
        with tf.Session() as session:
            session.run(made)


@pytest.mark.parametrize("make", [
    lambda: tf.broadcast_to(tf.constant([1.0]), [2**40 + 3]),
    lambda: tf.transpose(tf.broadcast_to(tf.constant(1.0), [2**20, 2**21])),
])
def test_a_view_that_a_program_has_no_room_for(make, mode):
    made = make()
    with tf.Session(tier="numpy") as session:
        for fetch in [made.numpy, made.__array__] if mode == "eagerly" else [lambda: session.run(made), made.eval]:
            with pytest.raises(tf.errors.ResourceExhaustedError, match="Unable to allocate"):
                fetch()


@pytest.mark.parametrize("make", [
    lambda: tf.reshape(tf.constant([1.0, 2.0, 3.0]), [MANY]),
    lambda: tf.one_hot([1], MANY),
    lambda: tf.multinomial([[1.0, 1.0]], MANY),
    lambda: tf.nn.top_k(tf.constant([1.0, 2.0, 3.0, 4.0]), MANY),
    lambda: tf.bincount([1], minlength=MANY),
    lambda: tf.scatter_nd([[1]], [1.0], [MANY]),
    lambda: tf.slice(tf.constant([1.0, 2.0, 3.0, 4.0]), [0], [MANY]),
    lambda: tf.sparse_to_dense([1], [MANY], 1.0),
    lambda: tf.transpose(tf.zeros([1, 2]), [2**32 + 1, 2**32]),
    lambda: tf.expand_dims(tf.zeros([2]), 2**32),
    lambda: tf.reduce_sum(tf.zeros([2, 3]), 2**32),
    lambda: tf.concat([[1.0], [2.0]], 2**32),
    lambda: tf.argmax([[1.0, 2.0]], 2**32),
    lambda: tf.image.resize_images(np.zeros([1, 1, 1], np.float32), [MANY, 1]),
    lambda: tf.nn.conv2d_transpose(np.ones([3, 1, 1, 1], np.float32), np.ones([1, 1, 1, 1], np.float32),
                                   [MANY, 1, 1, 1], [1, 1, 1, 1]),
    lambda: tf.signal.frame(tf.zeros([8]), MANY, 1),
    lambda: tf.TensorArray(tf.float32, MANY).stack(),
])
def test_what_cannot_be(make):
    with pytest.raises((tf.errors.InvalidArgumentError, ValueError, OverflowError)):
        make()


def test_a_dtype_that_was_asked_for_still_wraps():
    np.testing.assert_array_equal(tf.get_static_value(tf.constant(MANY, tf.int32)), 3)
    np.testing.assert_array_equal(tf.get_static_value(tf.constant(-1, tf.uint8)), 255)
