"""Small recurrent networks run on NumPy first: when their programs take over, and what happens to long loops."""

import numpy as np
import pytest

import evergraph as tf
from evergraph.compile.policy import compilations
from tests.harness.tiers import compile_loops_after

pytestmark = pytest.mark.cpus

DATA = np.random.RandomState(0).randn(2, 30, 3).astype(np.float32)


@pytest.fixture
def soon(monkeypatch):
    compile_loops_after(monkeypatch, 1000)


def trained(lengths, tier=None):
    """(the losses, how many programs were compiled up to each step, those in the background included)."""
    with tf.Graph().as_default():
        tf.set_random_seed(3)
        x = tf.placeholder(tf.float32, [2, None, 3])
        outputs, _ = tf.nn.dynamic_rnn(tf.nn.rnn_cell.BasicRNNCell(4), x, dtype=tf.float32)
        loss = tf.reduce_mean(tf.square(outputs))
        train = tf.train.AdagradOptimizer(0.1).minimize(loss)
        losses, counts, before = [], [], compilations.count
        with tf.Session(tier=tier) as session:
            session.run(tf.global_variables_initializer())
            for length in lengths:
                losses.append(session.run([loss, train], {x: DATA[:, :length]})[0])
                counts.append(compilations.count - before)
            return losses, counts, [len(executor.plan.runners) for executor in session._steps]


def test_one_length_becomes_one_program(soon):
    losses, counts, _ = trained([9] * 12)
    assert counts[0] == 0 and counts[-1] == 1
    np.testing.assert_allclose(losses, trained([9] * 12, "numpy")[0], rtol=1e-4)
    assert trained([9] * 12)[0] == losses


def test_many_lengths_get_programs_with_room_and_none_for_one_length(soon):
    lengths = [9, 5, 12, 7, 3, 11, 8, 20, 6, 10, 13, 4]
    losses, counts, stages = trained(lengths)
    assert counts[0] == 0 and sorted(set(counts)) == [0, 2]  # the loop and its gradient, which takes its lists
    assert stages[-1] > 1
    np.testing.assert_allclose(losses, trained(lengths, "numpy")[0], rtol=1e-4)
    assert trained(lengths)[0] == losses


def test_many_lengths_whose_outputs_nobody_uses_get_one_program(soon):
    x = tf.placeholder(tf.float32, [2, None, 3])
    _, state = tf.nn.dynamic_rnn(tf.nn.rnn_cell.BasicRNNCell(4), x, dtype=tf.float32)
    train = tf.train.AdagradOptimizer(0.1).minimize(tf.reduce_mean(tf.square(state)))
    found = {}
    for tier in (None, "numpy"):
        tf.set_random_seed(3)
        with tf.Session(tier=tier) as session:
            session.run([v.assign(tf.ones(v.shape) / 3) for v in tf.global_variables()])
            before = compilations.count
            for length in [9, 5, 12, 7, 3, 11, 8, 20, 6, 10, 13, 4]:
                session.run(train, {x: DATA[:, :length]})
            assert compilations.count - before == (tier is None)
            found[tier] = session.run(tf.trainable_variables())
    for ours, wanted in zip(found[None], found["numpy"], strict=True):
        np.testing.assert_allclose(ours, wanted, rtol=1e-4)


def test_a_list_whose_length_is_found_out_is_compiled_for_all_lengths(soon):
    """That the length has to be static is found when compiling begins; the loop then waits for a program of its own."""
    most, w = tf.placeholder(tf.int32, []), tf.Variable(2.0)
    found = tf.TensorArray(tf.float32, 0, dynamic_size=True, element_shape=[])
    _, total, found = tf.while_loop(
        lambda at, *_: at < most, lambda at, total, found: (at + 1, total * 0.5 + w, found.write(at, total)),
        (0, 0.0, found))
    fetches, results = [found.stack(), total], {}
    for tier in (None, "numpy"):
        with tf.Session(tier=tier) as session:
            session.run(w.initializer)
            before = compilations.count
            results[tier] = [session.run(fetches, {most: length}) for length in [9, 5, 12, 7, 3] * 8]
            assert compilations.count - before == (2 if tier is None else 0)  # the first is given up
    for ours, wanted in zip(results[None], results["numpy"], strict=True):
        np.testing.assert_allclose(ours[0], wanted[0], rtol=1e-5)
        np.testing.assert_allclose(ours[1], wanted[1], rtol=1e-5)


@pytest.fixture
def replayed(monkeypatch):
    compile_loops_after(monkeypatch, 1000, replays=True)


def test_loops_over_many_lengths_stay_on_numpy_where_they_are_replayed(replayed):
    lengths = [9, 5, 12, 7, 3, 11, 8, 20, 6, 10, 13, 4]
    assert trained([5] + [9] * 11)[1][-1] == 0 == trained(lengths)[1][-1]
    assert trained([9] * 12)[1][-1] == 1


@pytest.mark.parametrize("sizes, programs", [([1, 2, 3, 4, 5] * 8, 0), ([3] * 40, 1)])
def test_loops_on_many_shapes_stay_on_numpy_where_they_are_replayed(replayed, sizes, programs):
    x, w = tf.placeholder(tf.float32, [None, 4]), tf.Variable(tf.ones([4, 4]) / 5)
    _, y = tf.while_loop(lambda at, _: at < 20, lambda at, y: (at + 1, tf.tanh(tf.matmul(y, w))), [0, x])
    with tf.Session() as session:
        session.run(w.initializer)
        before = compilations.count
        for size in sizes:
            session.run(y, {x: np.ones([size, 4])})
        assert compilations.count - before == programs


def test_few_steps_compile_nothing():
    assert trained([9, 5, 12, 9])[1][-1] == 0


@pytest.mark.parametrize("updates", [True, False])
def test_a_long_loop_is_compiled_in_its_first_run(updates):
    many = tf.placeholder(tf.int32, [])
    w = tf.get_variable("w", [], initializer=tf.ones_initializer())
    _, total = tf.while_loop(lambda i, _: i < many, lambda i, total: (i + 1, total + w), [0, 0.0])
    step = tf.assign_add(w, total) if updates else total * 2.0
    with tf.Session() as session:
        session.run(w.initializer)
        before = compilations.count
        assert session.run(step, {many: 100}) == (101.0 if updates else 200.0)
        assert compilations.count == before
        session.run(w.initializer)
        assert session.run(step, {many: 1_000_000}) == (1_000_001.0 if updates else 2_000_000.0)
        assert compilations.count == before + 1
        assert session.run(w) == (1_000_001.0 if updates else 1.0)
