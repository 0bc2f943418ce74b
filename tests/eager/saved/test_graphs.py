"""Objects are saved in graphs too, with the functions that were traced there, and load into graphs."""

import functools
import inspect

import pytest

import evergraph as tf


@pytest.fixture(autouse=True)
def in_a_graph(eagerly):
    with tf.Graph().as_default():
        yield


def again(root, folder, times=2):
    """The object after being saved and loaded so often, without a session of the program's."""
    for time in range(times):
        tf.saved_model.save(root, str(folder / str(time)))
        root = tf.saved_model.load_v2(str(folder / str(time)))
    return root


def test_captured_constants_and_arguments(tmp_path):
    root = tf.Module()
    two = tf.constant(2.0)
    root.f = tf.function(lambda a, b=3.0: two * a + b)
    root.g = tf.function(lambda: two * 5.0)
    root.f(tf.constant(1.0)), root.g()
    loaded = again(root, tmp_path)
    assert inspect.getfullargspec(loaded.f).args == ["a", "b"]
    with tf.Session() as session:
        assert session.run([loaded.f(tf.constant(4.0)), loaded.g()]) == [11.0, 10.0]
    traces = [f._list_all_concrete_functions_for_serialization()[0] for f in (loaded.f, loaded.g)]
    assert traces[0].captured_inputs[0] is traces[1].captured_inputs[0]


def test_variables_have_the_values_of_the_session(tmp_path):
    root = tf.Module()
    root.v = tf.Variable(2.0, use_resource=True)
    root.f = tf.function(lambda x: root.v * x, input_signature=[tf.TensorSpec(None)])
    session = tf.keras.backend.get_session()
    session.run(root.v.assign(5.0))
    loaded = again(root, tmp_path, times=1)
    session.run(loaded.v.initializer)
    assert session.run(loaded.f(tf.constant(3.0))) == 15.0


def test_defaults_that_are_tensors(tmp_path):
    root = tf.Module()
    root.f = tf.function(functools.partial(lambda x, y: x + y, x=tf.zeros([2]), y=tf.ones([2])))
    root.f()
    with tf.Session() as session:
        assert session.run(again(root, tmp_path).f()).tolist() == [1.0, 1.0]
