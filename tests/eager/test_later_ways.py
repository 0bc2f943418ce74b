"""`tf.enable_v2_behavior` and the switches that it consists of, as TensorFlow 2.15 has them."""

import subprocess
import sys
import textwrap

import numpy as np
import pytest

import evergraph as tf


@pytest.fixture
def later():
    """Shapes and comparisons of TensorFlow 2, beside eager execution."""
    tf.enable_v2_tensorshape()
    tf.enable_tensor_equality()
    yield
    tf.disable_v2_tensorshape()
    tf.disable_tensor_equality()


def test_what_the_switch_turns():
    program = """
        import evergraph as tf
        ways = lambda: (tf.executing_eagerly(), tf.resource_variables_enabled(), tf.control_flow_v2_enabled(),
                        isinstance(tf.TensorShape([1])[0], int), tf.constant(1) == tf.constant(1))
        tf.enable_v2_behavior()
        assert all(ways())
        tf.disable_v2_behavior()
        assert not any(ways())
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(program)], check=True)


def test_shapes_of_numbers(later):
    shape = tf.TensorShape([2, None])
    assert (repr(shape), str(shape), str(tf.TensorShape([None]))) == ("TensorShape([2, None])", "(2, None)", "(None,)")
    assert (shape[0], shape[1], list(shape), shape[:1]) == (2, None, [2, None], tf.TensorShape([2]))
    assert repr(tf.TensorShape(None)) == "TensorShape(None)" and tf.TensorShape(None)[0] is None
    assert [type(each) for each in shape.dims] == [tf.Dimension] * 2
    assert tf.zeros([3, 1]).shape[0] == 3


@pytest.mark.parametrize("other, equal", [
    ([1, 3], [True, False]), ([[1], [2]], [[True, False], [False, True]]), ([1, 2, 3], False), (1, [True, False])])
@pytest.mark.parametrize("make", [tf.constant, tf.Variable])
def test_elements_are_compared(later, make, other, equal):
    x = make([1, 2])
    assert (x == other).numpy().tolist() == equal and (other == x).numpy().tolist() == equal
    assert (x != other).numpy().tolist() == np.logical_not(equal).tolist()


def test_nothing_else_is_equal(later):
    x = tf.constant(3)
    assert (x == None) is False and (x != None) is True  # noqa: E711
    assert x in [1, 3] and {x: "kept"}[x] == "kept"
    with pytest.raises(TypeError):
        x == "three"  # noqa: B015
    with pytest.raises(tf.errors.InvalidArgumentError):
        x == tf.constant(3.0)  # noqa: B015


def test_functions_compare_elements_too(later):
    @tf.function
    def next_after_one(x, y):
        if x == 1:
            x += 1
        return x, y == [1, 2], y != None  # noqa: E711

    x, same, there = next_after_one(tf.constant(1), tf.constant([1, 3]))
    assert (x.numpy(), same.numpy().tolist(), there.numpy()) == (2, [True, False], True)


def test_graphs_of_sessions_tell_objects_apart(later):
    with tf.Graph().as_default():
        x, y = tf.constant(1), tf.constant(1)
        assert (x == y) is False and (x == x) is True and (x != y) is True


def test_tensors_tell_how_they_compare():
    told = [tf.Tensor._USE_EQUALITY]
    for switch in (tf.enable_tensor_equality, tf.disable_tensor_equality):
        switch()
        told.append(tf.Tensor._USE_EQUALITY)
    assert told == [False, True, False]
