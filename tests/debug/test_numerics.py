"""tf.debugging.enable_check_numerics: the first operation that gives an inf or NaN raises an error."""

import threading

import numpy as np
import pytest

import evergraph as tf
from evergraph.eager.graph import EAGER


@pytest.fixture(autouse=True)
def checking():
    tf.debugging.enable_check_numerics(stack_height_limit=2, path_length_limit=12)
    yield
    tf.debugging.disable_check_numerics()


def test_a_session(session):
    x = tf.placeholder(tf.float32, [3], name="x")
    w = tf.Variable(1.0)
    loss = tf.reduce_sum(tf.log(x, name="log"), name="loss")
    train = tf.train.GradientDescentOptimizer(0.5).minimize(loss + w, var_list=[w])
    session.run(w.initializer)
    assert session.run(loss, {x: [1.0, 1.0, 1.0]}) == 0.0
    with pytest.raises(tf.errors.InvalidArgumentError) as raised:
        session.run([train, loss], {x: [0.0, -1.0, 2.0]})
    message = str(raised.value)
    assert "Log 'log' gives an inf or NaN in output 0: float32 [3], 2 of 3 not finite" in message
    lines = [line for line in message.split("\n") if line.startswith(("  -> ", "     "))]
    assert len(lines) == 2 and lines[0].startswith("  -> ..._numerics.py:") and "loss = tf.reduce_sum" in lines[0]
    assert session.run(w) == 1.0  # as before the run
    assert session.make_callable(loss, [x])(np.ones(3)) == 0.0


def test_what_is_handed_on_may_be_anything(session):
    x = tf.placeholder(tf.float32, [2])
    fed, masked = tf.reshape(x, [2, 1]), tf.constant([np.inf, 1.0])
    found = session.run([fed, masked], {x: [np.nan, 1]})
    assert np.isnan(found[0][0, 0]) and np.isinf(found[1][0])
    with pytest.raises(tf.errors.InvalidArgumentError, match="AddV?2? 'more' gives"):
        session.run(tf.add(masked, 1.0, name="more"))


def test_loops_and_traced_runs(session):
    last = tf.while_loop(lambda i, x: i < 100, lambda i, x: (i + 1, x * 10), [0, tf.constant(1.0)])[1]
    metadata = tf.RunMetadata()
    with pytest.raises(tf.errors.InvalidArgumentError, match="Mul .* gives"):
        session.run(last, options=tf.RunOptions(trace_level=3), run_metadata=metadata)
    session.run(tf.constant(1.0) + 1, options=tf.RunOptions(trace_level=3), run_metadata=metadata)
    assert metadata.step_stats.dev_stats


def test_eager_operations_and_functions():
    @tf.function
    def ratio(x):
        return tf.divide(x, x, name="ratio") * 2.0

    with EAGER.as_default():
        with pytest.raises(tf.errors.InvalidArgumentError, match="Log .* gives an inf or NaN"):
            tf.math.log(tf.constant(0.0))
        assert ratio(tf.constant(3.0)).numpy() == 2.0
        with pytest.raises(tf.errors.InvalidArgumentError, match="RealDiv 'ratio' gives .*\\n.*numerics.py:"):
            ratio(tf.constant(0.0))
        tf.debugging.disable_check_numerics()
        assert np.isnan(ratio(tf.constant(0.0)).numpy())


def test_other_threads_and_afterwards(session):
    bad = tf.log(tf.constant(0.0) * tf.placeholder_with_default(1.0, []))
    found = []
    thread = threading.Thread(target=lambda: found.append(session.run(bad)))
    thread.start()
    thread.join()
    assert found == [-np.inf]
    tf.debugging.disable_check_numerics()
    assert session.run(bad) == -np.inf


def test_halves(session):
    with pytest.raises(tf.errors.InvalidArgumentError, match="bfloat16"):
        session.run(tf.cast(tf.placeholder_with_default([np.inf], [1]), tf.bfloat16))
