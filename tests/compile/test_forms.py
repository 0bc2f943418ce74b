"""Forms of inputs: which are compiled, which programs are dropped, and what the log says of them."""

import numpy as np
import pytest

import evergraph as tf
from evergraph.compile import blas, forms
from evergraph.compile.cache import HOT_RUNS, compilations

pytestmark = pytest.mark.cpus

THIRD = 2 * HOT_RUNS  # how often the third form runs on NumPy


def compiled(run, sizes):
    """Which of the runs on inputs of these sizes compile."""
    found = []
    for size in sizes:
        before = compilations.count
        run(size)
        found.append(compilations.count > before)
    return found


@pytest.fixture
def compiles_at_once(monkeypatch):
    """Stages are heavy, and nothing is compiled ahead: the run that needs a program compiles it."""
    monkeypatch.setattr("evergraph.compile.cache.LIGHT_VOLUME", -1)
    monkeypatch.setattr("evergraph.compile.stage.AHEAD_ELEMENTS", 0)


@pytest.fixture
def step(compiles_at_once):
    """Runs a training step on a batch of some size."""
    x = tf.placeholder(tf.float32, [None, 4], name="x")
    w = tf.Variable(tf.ones([4, 64]))
    train = tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_mean(tf.square(tf.matmul(x, w))))
    with tf.Session() as session:
        session.run(w.initializer)
        yield lambda size: session.run(train, {x: np.ones([size, 4])})


def test_few_forms_are_compiled_at_once_and_others_when_they_come_back(step):
    assert compiled(step, [3, 5, 3, 5]) == [True, True, False, False]
    assert compiled(step, [7] * (THIRD + 2)) == [False] * THIRD + [True, False]
    assert not any(compiled(step, range(10, 40)))


def test_many_forms_are_compiled_in_the_end(step, monkeypatch):
    monkeypatch.setattr("evergraph.compile.cache.MOST_HOT_RUNS", 8)
    assert sum(compiled(step, [1, 2, 3, 4, 5, 6] * 9)) == 6
    assert not any(compiled(step, [1, 2, 3, 4, 5, 6]))


def test_the_program_that_is_used_least_is_dropped(step, monkeypatch):
    monkeypatch.setattr(forms, "MOST_EXECUTABLES", 2)
    compiled(step, [1, 2, 2, 2])
    assert compiled(step, [3] * (THIRD + 1))[-1]                 # instead of the program for 1
    assert compiled(step, [2, 3, 1]) == [False] * 3


def test_the_tenth_program_is_reported_once(step, monkeypatch):
    said = []
    monkeypatch.setattr(forms.logging, "warn", said.append)
    monkeypatch.setattr(forms, "MANY_FORMS", 3)
    compiled(step, [1, 2, *[3] * 8, *[4] * 12])
    (line,) = said
    assert "compiled 3 times" in line and "the size of x:0" in line and "test_forms.py:" in line


def test_values_that_decide_a_size_are_counted_too(compiles_at_once, monkeypatch):
    said = []
    monkeypatch.setattr(forms.logging, "warn", said.append)
    monkeypatch.setattr(forms, "MANY_FORMS", 3)
    count, w = tf.placeholder(tf.int32, [], name="count"), tf.Variable(tf.ones([8, 8]))
    tiled = tf.tile(w, [count, 1])
    train = tf.assign_add(w, tf.gradients(tf.reduce_sum(tf.square(tf.matmul(tiled, w))), w)[0] * 1e-9)
    with tf.Session() as session:
        session.run(w.initializer)
        run = lambda size: session.run(train.op, {count: size})
        assert compiled(run, [1, 2, 1, 2]) == [True, True, False, False]
        assert compiled(run, [3] * (THIRD + 2)) == [False] * THIRD + [True, False]
        assert not any(compiled(run, range(4, 20)))
    assert len(said) == 1 and "the value of Tile/multiples:0" in said[0]


def test_small_products_take_one_thread():
    controls = blas._threads()
    if controls is None:
        pytest.skip("the number of threads is the user's, or NumPy has another library")
    threads = controls[0]()
    with blas.one_thread, blas.one_thread:
        assert controls[0]() == 1
    assert controls[0]() == threads
