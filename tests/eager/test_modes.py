"""Turning eager execution on, and graphs beside it."""

import subprocess
import sys

import numpy as np
import pytest

import evergraph as tf
from evergraph.data.at_once import EagerIterator

START = "import evergraph as tf\n"


def ran(program):
    return subprocess.run([sys.executable, "-c", START + program], capture_output=True, text=True)


def test_enabling():
    program = ("tf.enable_eager_execution(); tf.enable_eager_execution()\n"
               "print(tf.executing_eagerly(), tf.contrib.eager.in_eager_mode(), (tf.constant(1) + 1).numpy())\n"
               "tf.disable_eager_execution(); print(tf.executing_eagerly())\n")
    assert ran(program).stdout.split() == ["True", "True", "2", "False"]


def test_enabling_too_late():
    late = ran("tf.constant(1)\ntf.enable_eager_execution()")
    assert "tf.enable_eager_execution belongs at the program's start" in late.stderr


def test_import_and_small_work_load_no_jax():
    program = "import sys; tf.enable_eager_execution(); tf.constant([1.0]) * 2.0; print('jax' in sys.modules)"
    assert ran(program).stdout.strip() == "False"


@pytest.mark.parametrize("options, error", [({"config": 1}, TypeError), ({"device_policy": 9}, ValueError),
                                            ({"execution_mode": 9}, ValueError)])
def test_arguments(options, error):
    with pytest.raises(error):
        tf.enable_eager_execution(**options)


def test_graphs_beside():
    assert tf.executing_eagerly()
    outside = tf.constant(2.0)
    with tf.Graph().as_default() as graph:
        assert not tf.executing_eagerly() and tf.get_default_graph() is graph
        y = tf.constant(1.0) + 1.0
        with pytest.raises(RuntimeError, match="without building a function"):
            y + outside
        assert tf.Session().run(y) == 2.0
    with pytest.raises(TypeError, match='"Graph" tensor'):
        outside + y
    assert isinstance(tf.get_default_graph(), tf.Graph) and not tf.get_default_graph().get_operations()


def test_init_scope():
    with tf.Graph().as_default(), tf.init_scope():
        assert not tf.executing_eagerly()
    with tf.init_scope():
        assert tf.executing_eagerly()


def test_a_function_takes_in_eager_tensors():
    offset = tf.Variable(10, dtype=tf.int64)
    scale = tf.constant([2, 3], tf.int64)
    dataset = tf.data.Dataset.range(2).map(lambda x: x * scale + offset)
    assert [x.numpy().tolist() for x in dataset] == [[10, 10], [12, 13]]
    offset.assign(20)
    assert [x.numpy().tolist() for x in dataset] == [[20, 20], [22, 23]]


@pytest.mark.parametrize("call, error, said", [
    (lambda: tf.placeholder(tf.float32), RuntimeError, "tf.placeholder() is fed by Session.run"),
    (lambda: tf.sparse_placeholder(tf.float32), RuntimeError, "not compatible with eager execution"),
    (lambda: tf.gradients(tf.constant(1.0), tf.constant(1.0)), RuntimeError, "tf.GradientTape"),
    (lambda: tf.raw_ops.VariableV2(shape=[], dtype=tf.float32), RuntimeError, "is a ref."),
    (lambda: tf.Session().run(tf.constant(1.0)), RuntimeError, "empty"),
    (lambda: tf.data.Dataset.range(1).make_initializable_iterator(), RuntimeError, "eager execution"),
    (lambda: tf.train.Saver(), RuntimeError, "var_list"),
    (lambda: tf.metrics.mean([1.0]), RuntimeError, "is not supported with eager execution."),
    (lambda: tf.summary.merge_all(), RuntimeError, "tf.contrib.summary"),
    (lambda: tf.summary.FileWriter("/tmp"), RuntimeError, "tf.contrib.summary"),
    (lambda: tf.train.batch([tf.constant(1)], 2), RuntimeError, "queue runners repeat operations of a graph"),
    (lambda: tf.train.string_input_producer(["a"] * 99), RuntimeError, "with tf.data"),
    (lambda: tf.train.GradientDescentOptimizer(1.0).minimize(tf.constant(1.0)), RuntimeError, "must be a function"),
], ids=lambda value: "" if callable(value) else getattr(value, "__name__", ""))
def test_what_only_graphs_have(call, error, said):
    with pytest.raises(error) as raised:
        call()
    assert said in str(raised.value)


def test_what_has_run_needs_no_group():
    assert tf.group(tf.constant(1)) is None and tf.global_variables_initializer() is None
    called = []
    with tf.control_dependencies([tf.constant(1), lambda: called.append(1)]):
        assert called == [1]


def test_iterators():
    dataset = tf.data.Dataset.range(2)
    iterator = tf.contrib.eager.Iterator(dataset)
    assert isinstance(iterator, EagerIterator) and int(iterator.next()) == 0 and int(iterator.get_next()) == 1
    with pytest.raises(tf.errors.OutOfRangeError):
        iterator.get_next()
    with pytest.raises(StopIteration):
        next(iterator)
    assert iterator.output_types is tf.int64 and iterator.element_spec == dataset.element_spec
    with tf.Graph().as_default(), pytest.raises(RuntimeError, match="eager"):
        tf.contrib.eager.Iterator(tf.data.Dataset.range(2))


def test_python_functions_see_tensors_in_graphs_and_have_gradients():
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.constant(np.array([3.0, -2.0], np.float32))
        y = tf.py_function(lambda v: tf.where(v > 0.0, v * v, -v), [x], tf.float32)
        assert session.run([y, tf.gradients(y, x)[0]])[1].tolist() == [6.0, -1.0]
