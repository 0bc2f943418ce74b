"""tf.py_func and tf.py_function: what they take and give back."""

import numpy as np
import pytest

import evergraph as tf


@pytest.mark.parametrize("returned, text", [
    (np.array([], dtype=[("a", np.float32)]), "Unsupported numpy data type"),
    ({"a": 1}, "Unsupported object type"),
])
def test_results_without_a_tensor_form(returned, text):
    result = tf.py_func(lambda: returned, [], tf.int64)
    with tf.Session() as session, pytest.raises(tf.errors.InternalError, match=text):
        session.run(result)


def test_text_in_object_arrays_becomes_bytes():
    result = tf.py_func(lambda: np.array([b"a", "b\u00e9"], dtype=object), [], tf.string)
    with tf.Session() as session:
        assert session.run(result).tolist() == [b"a", "b\u00e9".encode()]


@pytest.mark.parametrize("call", [tf.py_func, tf.py_function, tf.numpy_function])
def test_what_is_not_callable_is_refused(call):
    with pytest.raises(ValueError, match="callable"):
        call(tf.constant(1), [], tf.int32)


def test_no_results():
    assert tf.py_func(lambda: None, [], [], stateful=False) == []
    assert isinstance(tf.py_func(lambda: None, [], [], stateful=True), tf.Operation)


@pytest.mark.parametrize("update", [lambda v: v, lambda v: tf.assign_add(v, [1.0, 1.0])])
def test_variables_and_their_updates_are_arguments(session, update):
    """What a Python function gets of a reference is the value, also when the update runs in another stage."""
    v = tf.Variable([1.0, 2.0])
    doubled = tf.py_func(lambda x: 2 * x, [update(v)], tf.float32)
    session.run(v.initializer)
    value = session.run(doubled)
    assert value.tolist() == (2 * session.run(v)).tolist()


def test_a_function_without_arguments_and_state_is_called_once(session):
    numbers = iter(range(3))
    fixed = tf.py_func(lambda: np.array([next(numbers)]), [], tf.int64, stateful=False)
    first = session.run(fixed)
    first += 5
    assert session.run([fixed, fixed + 1]) == [[0], [1]]
    assert next(numbers) == 1
