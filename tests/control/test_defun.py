"""Functions that programs define with Defun: what calls give, their gradients, and what is refused."""

import numpy as np
import pytest

import evergraph as tf
from evergraph.frontend.defun import Defun
from tests.harness.session import run


def test_a_call_is_one_node(graph):
    @Defun(tf.float32, tf.float32)
    def line(x, y):
        return x * y + 1.0

    x = tf.constant([1.0, 2.0])
    y = line(x, 3.0)
    assert (y.op.type, y.op.name, y.shape.rank) == ("PartitionedCall", "line", None)
    assert [f.signature.name for f in graph.as_graph_def().library.function] == ["line"]
    np.testing.assert_allclose(run(y), [4.0, 7.0])
    np.testing.assert_allclose(run(tf.gradients(line(x, x), x)[0]), [2.0, 4.0])
    assert line(x, x, name="other").op.name == "other"
    assert line.declared_input_types == [tf.float32] * 2


def test_dtypes_of_each_call():
    @Defun()
    def both(x):
        return x, x * 2

    assert [a.tolist() for a in run(both([1.5]))] == [[1.5], [3.0]]
    assert [a.tolist() for a in run(both([1]))] == [[1], [2]]


def test_tensors_and_variables_from_outside(session):
    w, x = tf.Variable(3.0), tf.constant(2.0)

    @Defun(tf.float32)
    def scaled(x):
        return x * w * tf.get_variable("v", [], initializer=tf.constant_initializer(10.0))

    y = scaled(x)
    assert [v.name for v in tf.global_variables()] == ["Variable:0", "v:0"]
    assert len(scaled.captured_inputs) == 2
    session.run(tf.global_variables_initializer())
    assert session.run([y, *tf.gradients(y, [x, w])]) == [60.0, 30.0, 20.0]


def test_functions_call_functions_and_loops_do():
    @Defun(tf.float32)
    def inner(x):
        return tf.exp(x)

    @Defun(tf.float32)
    def outer(x):
        return inner(x) + inner(x + 1.0)

    x = tf.constant(1.0)
    np.testing.assert_allclose(run([outer(x), *tf.gradients(outer(x), x)]), [np.e + np.e ** 2] * 2, rtol=1e-6)
    count = tf.while_loop(lambda i: i < 5.0, lambda i: tf.reshape(inner(i * 0.0) + i, []), [0.0])
    assert run(count) == 5.0


def test_gradients_of_its_own():
    @Defun(python_grad_func=lambda op, dy: dy * 5.0, shape_func=lambda op: [op.inputs[0].shape])
    def same(x):
        return x

    @Defun(tf.float32, tf.float32)
    def hundredfold(x, dy):
        return dy * 100.0 * x

    @Defun(tf.float32, grad_func=hundredfold)
    def square(x):
        return x * x

    x = tf.constant([2.0, 3.0])
    assert same(x).shape == [2]
    assert run(tf.gradients(same(x), x)[0]).tolist() == [5.0, 5.0]
    assert run(tf.gradients(square(x), x)[0]).tolist() == [200.0, 300.0]


def test_functions_for_what_they_do(session):
    total = tf.Variable(0.0, use_resource=True)

    @Defun(tf.float32)
    def add(x):
        tf.assign_add(total, x)

    session.run(total.initializer)
    session.run(add(4.0))
    assert session.run(total) == 4.0


def test_what_is_refused():
    with pytest.raises(ValueError, match="2 dtypes"):
        Defun(tf.float32, tf.float32)(lambda x: x)
    with pytest.raises(ValueError, match="default"):
        Defun(tf.float32)(lambda x, y=1: x)
    with pytest.raises(ValueError, match="called"):
        Defun()(3)
    with pytest.raises(TypeError, match="options"):
        Defun(inline=True)
    with pytest.raises(ValueError, match="one gradient"):
        Defun(grad_func=print, python_grad_func=print)
    with pytest.raises(ValueError, match="takes 1 arguments"):
        Defun(tf.float32)(lambda x: x)(1.0, 2.0)
    with pytest.raises(ValueError, match="out_names"):
        Defun(tf.float32, out_names=["a", "b"])(lambda x: x)(1.0)
