"""Signatures of inputs: which are compiled, which programs are dropped, and what the log says of them."""

import numpy as np
import pytest

import evergraph as tf
from evergraph.compile import blas, policy, signatures
from evergraph.compile.policy import compilations
from tests.harness.tiers import compile_after

pytestmark = pytest.mark.cpus

SWITCH = 6  # how often a signature runs on NumPy


def compiled(run, sizes):
    """Which of the runs on inputs of these sizes compile."""
    found = []
    for size in sizes:
        before = compilations.count
        run(size)
        found.append(compilations.count > before)
    return found


@pytest.fixture
def compiles(monkeypatch):
    """Nothing is compiled ahead: the run that needs a program compiles it."""
    compile_after(monkeypatch, SWITCH)
    monkeypatch.setattr("evergraph.compile.programs.MOST_COPIED", 0)


@pytest.fixture
def step(compiles):
    """Runs a training step on a batch of some size."""
    x = tf.placeholder(tf.float32, [None, 4], name="x")
    w = tf.Variable(tf.ones([4, 64]))
    train = tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_mean(tf.square(tf.matmul(x, w))))
    with tf.Session() as session:
        session.run(w.initializer)
        yield lambda size: session.run(train, {x: np.ones([size, 4])})


def test_each_signature_is_compiled_when_it_has_come_back_often_enough(step):
    assert compiled(step, [7] * (SWITCH + 2)) == [False] * SWITCH + [True, False]
    assert compiled(step, [5] * (SWITCH + 2)) == [False] * SWITCH + [True, False]
    assert not any(compiled(step, range(10, 40)))
    assert sum(compiled(step, [1, 2, 3, 4, 6] * (SWITCH + 2))) == 5


def test_what_is_unknown_is_compiled_when_it_comes_back(monkeypatch):
    """And later for each program that there is."""
    monkeypatch.setattr("evergraph.compile.programs.MOST_COPIED", 0)
    monkeypatch.setattr("evergraph.compile.choice.Choice._work", lambda *_: policy.Work(50))
    monkeypatch.setattr("evergraph.compile.choice.Choice._with_known_sizes", lambda _, work, args: work)
    x, w = tf.placeholder(tf.float32, [None, 4]), tf.Variable(tf.ones([4, 64]))
    product = tf.matmul(x, w)
    with tf.Session() as session:
        session.run(w.initializer)
        run = lambda size: session.run(product, {x: np.ones([size, 4])})
        once, twice = policy.COMES_BACK, 2 * policy.COMES_BACK
        assert compiled(run, [3] * (once + 2)) == [False] * once + [True, False]
        assert compiled(run, [5] * (twice + 2)) == [False] * twice + [True, False]


def test_the_program_that_is_used_least_is_dropped(step, monkeypatch):
    monkeypatch.setattr(signatures, "MOST_PROGRAMS", 2)
    compiled(step, [1] * (SWITCH + 1) + [2] * (SWITCH + 3))
    assert compiled(step, [3] * (SWITCH + 1))[-1]                 # instead of the program for 1
    assert compiled(step, [2, 3, 1]) == [False] * 3


def test_the_tenth_program_is_reported_once(step, monkeypatch):
    said = []
    monkeypatch.setattr(signatures.logging, "warn", said.append)
    monkeypatch.setattr(signatures, "MANY", 3)
    compiled(step, [1, 2, 3, 4] * (SWITCH + 1))
    (line,) = said
    assert "compiled 3 times" in line and "the size of x:0" in line and "test_signatures.py:" in line


def test_values_that_decide_a_size_are_counted_too(compiles, monkeypatch):
    said = []
    monkeypatch.setattr(signatures.logging, "warn", said.append)
    monkeypatch.setattr(signatures, "MANY", 3)
    count, w = tf.placeholder(tf.int32, [], name="count"), tf.Variable(tf.ones([8, 8]))
    tiled = tf.tile(w, [count, 1])
    train = tf.assign_add(w, tf.gradients(tf.reduce_sum(tf.square(tf.matmul(tiled, w))), w)[0] * 1e-9)
    with tf.Session() as session:
        session.run(w.initializer)
        run = lambda size: session.run(train.op, {count: size})
        assert compiled(run, [1] * (SWITCH + 2)) == [False] * SWITCH + [True, False]
        found = compiled(run, [*[2] * (SWITCH + 1), *[3] * (SWITCH + 1)])
        assert sum(found) == 2 and not any(compiled(run, range(4, 20)))
    assert len(said) == 1 and "the value of Tile/multiples:0" in said[0]


def test_small_products_take_one_thread():
    controls = blas._threads()
    if controls is None:
        pytest.skip("the number of threads is the user's, or NumPy has another library")
    threads = controls[0]()
    with blas.one_thread, blas.one_thread:
        assert controls[0]() == 1
    assert controls[0]() == threads
