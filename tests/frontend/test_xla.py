"""tf.xla.experimental: computations and scopes; structures and attrs are those of TensorFlow 2.15."""

import pytest

import evergraph as tf


def test_structures(session):
    x = tf.placeholder(tf.float32)
    build = tf.xla.experimental.compile
    assert session.run(build(lambda a, b: a + b, [x, x]), {x: 2}) == [4.0]
    assert session.run(build(lambda a, b: (a + b, a * b), [x, x]), {x: 3}) == [6.0, 9.0]
    assert session.run(build(lambda a: {"x": a["k"]}, [{"k": x}]), {x: 3}) == {"x": 3.0}
    assert build(lambda: 3)[0].dtype == tf.int32
    assert isinstance(build(lambda: None), tf.Operation) and isinstance(build(lambda: tf.no_op()), tf.Operation)


def test_operations_run_first(session):
    counter = tf.Variable(0)
    session.run(counter.initializer)
    with tf.control_dependencies(None):
        found = tf.xla.experimental.compile(lambda: [tf.constant(1.0), counter.assign_add(1).op])
    assert session.run(found) == [1.0] and session.run(counter) == 1


def test_scopes_are_in_the_graph():
    x = tf.placeholder(tf.float32)
    with tf.xla.experimental.jit_scope():
        y = x + 1
        with tf.contrib.compiler.jit.experimental_jit_scope(compile_ops=False):
            z = x + 2
    with tf.xla.experimental.jit_scope(separate_compiled_gradients=True):
        w = x + 3
    attrs = [node.op.node_def.attr for node in (y, z, w)]
    assert [a["_XlaCompile"].b for a in attrs] == [True, False, True]
    assert [a["_XlaScope"].s for a in attrs] == [b"jit_scope_0", b"jit_scope_0", b"jit_scope_1"]
    assert [a["_XlaSeparateCompiledGradients"].b for a in attrs] == [False, False, True]
    with pytest.raises(TypeError), tf.xla.experimental.jit_scope(lambda node: True):
        pass
