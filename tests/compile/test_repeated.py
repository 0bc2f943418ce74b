"""Loops that C code repeats: the same values, errors and interrupts as in Python."""

import signal

import numpy as np
import pytest

import evergraph as tf
from evergraph import native
from evergraph.compile.calls import Function
from evergraph.compile.contexts import NumpyContext
from evergraph.compile.loop import run_loop
from evergraph.compile.repeated import repeater
from evergraph.kernel import recording
from evergraph.kernel.reasons import LongLoop

pytestmark = pytest.mark.skipif(native.loops is None or not recording.available(), reason="needs the C code")

X = np.random.RandomState(0).randn(4, 3).astype(np.float32)


@pytest.fixture
def repeated(monkeypatch):
    """The numbers of iterations that C code has run, of each call."""
    found = []
    repeat = native.loops.repeat

    class Loops:
        make, prepare = native.loops.make, native.loops.prepare

        @staticmethod
        def repeat(*given):
            result = repeat(*given)
            found.append(result[1])
            return result
    monkeypatch.setattr(native, "loops", Loops)
    return found


def repeater_of(tensor):
    loop = tensor.op.inputs[0].op
    return repeater(*(loop.graph.function(loop.attrs[name].name) for name in ("cond", "body")))


def run(fetches, feeds=None):
    with tf.Session(tier="numpy") as session:
        return session.run(fetches, feeds)


def in_python(monkeypatch, build):
    """What a graph computes without such loops."""
    with monkeypatch.context() as patch, tf.Graph().as_default():
        patch.setattr(native, "loops", None)
        return run(build())


def same(monkeypatch, build):
    expected = in_python(monkeypatch, build)
    for ours, theirs in zip(run(build()), expected, strict=True):
        np.testing.assert_array_equal(ours, theirs)


def test_a_loop_of_kernels(repeated, monkeypatch):
    def build():
        return tf.while_loop(lambda at, x: at < 300, lambda at, x: (at + 1, tf.tanh(x * 1.01) + 0.01), [0, X])
    same(monkeypatch, build)
    assert sum(repeated) == 300 and max(repeated) == 64


def test_variables_that_change_places(repeated, monkeypatch):
    def build():
        return tf.while_loop(lambda at, *_: at < 7, lambda at, a, b, c: (at + 1, b, a * 2.0 + c, c),
                             [0, X, X + 1, X - 1])
    same(monkeypatch, build)
    assert repeated


def test_lists_are_read_written_and_stacked(repeated, monkeypatch):
    def build():
        rows = tf.TensorArray(tf.float32, 4).unstack(X)
        def step(at, found, growing):
            row = tf.sqrt(tf.abs(rows.read(at))) * 2.0
            return at + 1, found.write(3 - at, row), growing.write(at, row + 1.0)
        _, found, growing = tf.while_loop(lambda at, *_: at < 4, step, [
            0, tf.TensorArray(tf.float32, 4), tf.TensorArray(tf.float32, 0, dynamic_size=True)])
        return [found.stack(), growing.stack()]
    same(monkeypatch, build)
    assert sum(repeated) == 4


def test_gradients_of_reads_from_lists(repeated, monkeypatch):
    def build():
        x = tf.constant(X)
        rows = tf.TensorArray(tf.float32, 4).unstack(x)
        _, total = tf.while_loop(lambda at, _: at < 8, lambda at, total: (
            at + 1, total * 0.9 + tf.tanh(rows.read(at % 4) * 2.0)), [0, tf.zeros([3])])
        return tf.gradients(tf.reduce_sum(total ** 2), x)
    same(monkeypatch, build)
    assert repeated


def test_kernels_that_are_not_recorded_stand_between(repeated, monkeypatch):
    def build():
        return tf.while_loop(lambda at, x: at < 20, lambda at, x: (
            at + 1, tf.cumsum(tf.sort(tf.sin(x) * 1.5 + 0.1, axis=1) * 0.5 - 0.1, axis=0) * 0.9), [0, X])
    same(monkeypatch, build)


def test_loops_inside_of_loops(repeated, monkeypatch):
    def build():
        def step(at, x):
            _, y = tf.while_loop(lambda i, _: i < at, lambda i, y: (i + 1, tf.tanh(y) * 1.1 + 0.1), [0, x])
            return at + 1, tf.exp(-y) * 0.5 + x * 0.1
        return tf.while_loop(lambda at, x: at < 6, step, [0, X])
    same(monkeypatch, build)
    assert repeated


def test_results_that_follow_from_shapes(repeated, monkeypatch):
    def build():
        return tf.while_loop(lambda at, *_: at < 5, lambda at, x, n: (at + 1, x * 2.0 + 1.0, tf.shape(x)),
                             [0, X, np.int32([0, 0])])
    same(monkeypatch, build)


def test_a_condition_on_numbers(repeated, monkeypatch):
    def build():
        return tf.while_loop(lambda x: tf.reduce_sum(x) < 1e3, lambda x: (tf.abs(x) * 1.5 + 0.1,), [X])
    same(monkeypatch, lambda: [build()])
    assert repeated


def test_the_node_that_fails_is_named(repeated):
    x = tf.constant(X)
    _, _, total = tf.while_loop(lambda at, *_: at < 6, lambda at, ids, total: (
        at + 1, ids + 1, tf.tanh(total) + tf.gather(x, ids, name="chosen") * 2.0),
        [0, tf.zeros([20], tf.int32), tf.zeros([20, 3])])
    with pytest.raises(tf.errors.InvalidArgumentError, match="chosen.*test_repeated"):
        run(total)
    assert sum(repeated) == 4 and repeated[-1] == 0


def test_effects_are_left_to_python():
    v = tf.get_variable("v", initializer=0.0, use_resource=True)
    def step(at, x):
        with tf.control_dependencies([v.assign_add(1.0)]):
            return at + 1, tf.tanh(x) * 2.0 + 0.5
    _, x = tf.while_loop(lambda at, _: at < 5, step, [0, X])
    assert repeater_of(x) is None
    with tf.Session(tier="numpy") as session:
        session.run(v.initializer)
        session.run(x)
        assert session.run(v) == 5


def test_loops_of_many_kernels_are_given_up_for_the_compiler(repeated, monkeypatch):
    _, x = tf.while_loop(lambda at, _: at < 10_000, lambda at, x: (at + 1, tf.tanh(x) * 2.0 + 0.5), [0, X])
    assert repeater_of(x) is not None
    loop = x.op.inputs[0].op
    context = NumpyContext(lambda key: None)
    context.most_calls = 1000
    cond, step = (Function(context, loop.graph.function(loop.attrs[name].name)) for name in ("cond", "body"))
    with pytest.raises(LongLoop):
        run_loop(loop, cond, step, [np.asarray(0, np.int32), X], context.count_calls)
    assert sum(repeated) < 1000


def test_interrupts_end_the_loop():
    _, x = tf.while_loop(lambda at, _: at < 2_000_000_000, lambda at, x: (at + 1, tf.tanh(x) * 2.0 + 0.5), [0, X])
    assert repeater_of(x) is not None

    def interrupt(*_):
        raise KeyboardInterrupt
    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.5)
        with pytest.raises(KeyboardInterrupt):
            run(x)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize("given", [
    (1, 2, (), ((len, (0,), (5,), True),), (1,), (), (0,)),
    (1, 2, (), (), (1, 0), (), (0,)),
    (-1, 2, (), (), (1,), (), (0,)),
    (1, 1, (3, 4), (), (0,), (), (0,)),
    (1, 2, (), ((len, (0,), (0, 1), True),), (1,), (), (0,)),
])
def test_lines_that_are_no_loop_are_refused(given):
    with pytest.raises((ValueError, TypeError)):
        native.loops.make(*given)


def test_lines_that_make_too_much_are_left():
    native.loops.prepare(np.ndarray, np.dtype(bool))
    loop = native.loops.make(1, 2, (), ((lambda context, x: (x < 3, 1), (0,), (1,), False),), (1,), (), (0,))
    assert native.loops.repeat(loop, None, (np.asarray(0),), 5) == ((np.asarray(0),), 0, False)
    with pytest.raises(ValueError, match="1 variables got 2"):
        native.loops.repeat(loop, None, (1, 2), 5)
