"""Initializers give TensorFlow's numbers."""


import numpy as np
import pytest

import evergraph as tf
from tests.harness.recorded import numbers
from tests.variables.initializers import INITIALIZERS, started

GOLDENS = numbers("initializers")


@pytest.mark.parametrize("name", INITIALIZERS)
def test_values(name):
    value = started(tf, name)
    assert value.dtype == GOLDENS[name].dtype
    np.testing.assert_allclose(value, GOLDENS[name], rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("name", INITIALIZERS)
def test_config(name):
    initializer = INITIALIZERS[name][0](tf)
    again = type(initializer).from_config(initializer.get_config())
    assert type(again) is type(initializer) and again.get_config() == initializer.get_config()


def test_parts_are_scaled_as_the_whole():
    with tf.Graph().as_default():
        parts = tf.get_variable("p", [1000, 10], initializer=tf.glorot_uniform_initializer(seed=1),
                                partitioner=tf.fixed_size_partitioner(10))
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            largest = max(abs(session.run(part)).max() for part in parts)
    assert 0.9 < largest / np.sqrt(6 / 1010) <= 1


def test_wrong_arguments():
    with pytest.raises(ValueError, match="positive"):
        tf.variance_scaling_initializer(scale=0)
    with pytest.raises(ValueError, match="mode"):
        tf.variance_scaling_initializer(mode="fan")
    with pytest.raises(ValueError, match="distribution"):
        tf.variance_scaling_initializer(distribution="cauchy")
    with pytest.raises(TypeError, match="a number, a list of numbers or an array"):
        tf.constant_initializer(object())
    with pytest.raises(ValueError, match="rank 2 or more"):
        tf.orthogonal_initializer()([3])
    with pytest.raises(ValueError, match="only a matrix"):
        tf.initializers.identity()([3])
    with pytest.raises(ValueError, match="floating"):
        tf.random_normal_initializer(dtype=tf.int32)
