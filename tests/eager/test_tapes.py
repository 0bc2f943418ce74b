"""Gradient tapes: their rules and their errors."""

import gc
import subprocess
import sys
import weakref

import numpy as np
import pytest

import evergraph as tf
from evergraph.compile import backend

tfe = tf.contrib.eager


def test_once_or_persistent():
    x = tf.constant(3.0)
    for persistent in (False, True):
        with tf.GradientTape(persistent=persistent) as tape:
            tape.watch(x)
            y = x * x
        assert tape.gradient(y, x).numpy() == 6.0
        if persistent:
            assert tape.gradient(y, x).numpy() == 6.0
        else:
            with pytest.raises(RuntimeError, match="once"):
                tape.gradient(y, x)


PROCESS = """
import evergraph as tf
from evergraph.compile import backend
tf.enable_eager_execution()
from tests.eager.test_tapes import power
for _ in range(5):
    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = power(x, tf.constant(3))
    assert tape.gradient(y, x).numpy() == 12.0
"""


@tf.function
def power(x, times):
    y = tf.ones_like(x)
    i = tf.constant(0)
    while i < times:
        i += 1
        y *= x
    return y


def test_the_first_program_of_a_process_is_a_gradient_of_a_loop():
    subprocess.run([sys.executable, "-c", PROCESS], check=True)


def test_gradients_of_a_loop_that_runs_another_number_of_times():
    x = tf.constant(2.0)
    for times, wanted in [(3, 12.0), (3, 12.0), (3, 12.0), (3, 12.0), (3, 12.0), (0, 0.0), (2, 4.0), (3, 12.0)]:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = power(x, tf.constant(times))
        assert tape.gradient(y, x).numpy() == wanted


def test_structures():
    x, y = tf.constant(2.0), tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch({"x": x, "y": [y]})
        z = x * y
    found = tape.gradient(z, {"x": x, "y": [y]})
    assert found["x"].numpy() == 3.0 and found["y"][0].numpy() == 2.0


def test_reset_and_stop():
    x = tf.constant(2.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * x
        tape.reset()
        tape.watch(x)
        with tape.stop_recording():
            hidden = x * x
        z = x * 3.0
    assert tape.gradient(y, x) is None and tape.gradient(hidden, x) is None and tape.gradient(z, x).numpy() == 3.0
    with pytest.raises(ValueError, match="not recording"), tape.stop_recording():
        pass


@pytest.mark.parametrize("thing", [np.array(1.0), 2.0, "a"])
def test_only_tensors_are_watched(thing):
    with tf.GradientTape() as tape, pytest.raises(ValueError, match=type(thing).__name__):
        tape.watch(thing)


def test_wrong_arguments():
    x = tf.constant([[1.0]])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * x
    with pytest.raises(ValueError, match="unconnected_gradients"):
        tape.gradient(y, x, unconnected_gradients="nonsense")
    with pytest.raises(ValueError, match="rank at least 2"):
        tape.batch_jacobian(y, tf.constant([1.0]))
    with pytest.raises(ValueError, match="Need first dimension equal"):
        tape.batch_jacobian(y, tf.ones([2, 1]))


def test_a_tape_lets_go():
    x = tf.Variable(1.0)
    with tf.GradientTape() as tape:
        y = x * 2.0
        seen = weakref.ref(y)
        z = y * y
    tape.gradient(z, x)
    del y, z
    gc.collect()
    assert seen() is None


def test_in_graphs():
    with tf.Graph().as_default(), tf.Session() as session:
        x, v = tf.constant(2.0), tf.get_variable("v", initializer=3.0, use_resource=True)
        session.run(v.initializer)
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = tf.cond(x > 1.0, lambda: x * x * v, lambda: x)
            unwatched = tf.constant(1.0) * 2.0
        assert session.run(tape.gradient(y, [x, v])) == [12.0, 4.0]
        assert tape.gradient(unwatched, x) is None
        grads = tfe.gradients_function(lambda a, b: a * b)(tf.constant(2.0), tf.constant(5.0))
        assert session.run(grads) == [5.0, 2.0]


def test_functions_of_gradients():
    f = lambda x, y: x * x * y
    value, grads = tfe.value_and_gradients_function(f, params=["y"])(3.0, 2.0)
    assert value.numpy() == 18.0 and [g.numpy() for g in grads] == [9.0]
    assert [g.numpy() for g in tfe.gradients_function(f, params=[0])(3.0, 2.0, dy=2.0)] == [24.0]
    with pytest.raises(ValueError, match="by position"):
        tfe.gradients_function(f)(x=3.0, y=2.0)
    with pytest.raises(ValueError, match="only names or only positions"):
        tfe.gradients_function(f, params=[0, "y"])(3.0, 2.0)
    with pytest.raises(ValueError, match="returns None"):
        tfe.gradients_function(lambda x: None)(1.0)


def test_functions_of_variables():
    w, unused = tfe.Variable(3.0, name="w"), tfe.Variable(1.0)
    value, pairs = tfe.implicit_value_and_gradients(lambda x: w * w * x)(2.0)
    assert value.numpy() == 18.0 and [(g.numpy(), v is w) for g, v in pairs] == [(12.0, True)]
    with pytest.raises(ValueError, match="No trainable variables"):
        tfe.implicit_gradients(lambda x: x * 2.0)(1.0)
    assert unused.numpy() == 1.0


def test_recomputed_gradients():
    w, calls = tf.Variable(2.0), []

    @tf.recompute_grad
    def square(x):
        calls.append(1)
        return x * x * w

    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = square(x)
    assert [g.numpy() for g in tape.gradient(y, [x, w])] == [12.0, 9.0] and len(calls) == 2


def test_gradients_of_a_loop_in_the_branch_that_is_not_taken(monkeypatch):
    """The lists of that loop do not exist, also where calls of functions are compiled at once, as on accelerators."""
    monkeypatch.setattr(backend, "platform", lambda: "gpu")

    @tf.function
    def power(x, n):
        return tf.cond(n > 1, lambda: x * 3.0, lambda: tf.while_loop(
            lambda i, _: i < 2, lambda i, y: (i + 1, tf.tanh(y * x)), [0, x])[1])

    x = tf.constant([0.1, 0.2])
    for n, wanted in ((3, [3.0, 3.0]), (0, None), (3, [3.0, 3.0])):
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = power(x, tf.constant(n))
        found = np.diag(tape.jacobian(y, x, experimental_use_pfor=False).numpy())
        np.testing.assert_allclose(found, tape.gradient(y, x).numpy() if wanted is None else wanted, rtol=1e-5)
