"""Names and results of Python functions that only eager execution meets."""

import numpy as np
import pytest

import evergraph as tf


@pytest.mark.parametrize("name", ["変数", "a b", ">x", "a\\b", "b:0"])
def test_any_name_goes(name):
    assert tf.Variable(1.0, name=name).name == f"{name}:0"
    assert tf.get_variable(name, [2]).name == f"{name}:0"
    assert tf.add(1, 2, name=name).numpy() == 3
    with tf.name_scope(name) as scope:
        assert scope == f"{name}/"


@pytest.mark.parametrize(("result", "dtype"), [
    (lambda x: None, tf.float32),
    (lambda x: 1.5, tf.int32),
    (lambda x: np.float64(1.5), tf.int32),
    (lambda x: "a", tf.float32),
    (lambda x: object(), tf.float32),
    (lambda x: 1j, tf.float32),
    (lambda x: 1, tf.bool),
    (lambda x: 3, tf.string),
    (lambda x: tf.constant(3), tf.float32),
    (lambda x: (x, x), tf.float32),
    (lambda x: (x, x), [tf.float32]),
    (lambda x: x, [tf.float32, tf.float32]),
    (lambda x: [[[1.0], [1.0, 2.0]]], tf.float32),
])
@pytest.mark.parametrize("in_graph", [False, True])
def test_what_a_py_function_may_not_return(result, dtype, in_graph):
    def call():
        return tf.py_function(result, [tf.constant(1.0)], dtype)

    with pytest.raises(tf.errors.InvalidArgumentError, match="but expects"):
        tf.function(call)() if in_graph else call()


@pytest.mark.parametrize(("result", "dtype", "value"), [
    (np.float64(2.5), tf.float32, 2.5), (3, tf.float32, 3.0), (True, tf.float32, 1.0), (np.int64(3), tf.int32, 3),
    (300, tf.uint8, 44), (b"q", tf.string, b"q"), (2, tf.complex64, 2.0), (True, tf.bool, True)])
def test_what_it_may_return(result, dtype, value):
    found = tf.py_function(lambda: result, [], dtype)
    assert found.dtype is dtype and found.numpy() == value
