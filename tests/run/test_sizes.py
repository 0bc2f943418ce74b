"""How many programs steps need whose sizes, or whose values, move: each case counts compilations."""

import contextlib

import numpy as np
import pytest

import evergraph as tf
from evergraph import native
from evergraph.compile.footprint import footprint
from evergraph.compile.policy import compilations
from evergraph.passes.partition import partition
from evergraph.passes.prune import prune
from tests.harness.tiers import compile_after

DATA = np.arange(200, dtype=np.float32).reshape(2, 100)


@contextlib.contextmanager
def compiles(count):
    """A block that compiles so many programs."""
    before = compilations.count
    yield
    assert compilations.count - before == count


def with_set_shape(x, at):
    """What a reader of texts does: the ends of a slice move, and the program says how long it is."""
    part = tf.strided_slice(x, [0, at * 10], [2, (at + 1) * 10])
    part.set_shape([2, 10])
    return part


def with_open_end(x, at):
    part = x[:, at + 90:]
    part.set_shape([2, 10])
    return part


def with_size_of_slice(x, at):
    part = tf.slice(x, [0, at * 10], [2, tf.minimum(10, 11 + at)])
    part.set_shape([2, 10])
    return part


WINDOWS = [
    (with_set_shape, lambda at: DATA[:, 10 * at:10 * at + 10]),
    (with_size_of_slice, lambda at: DATA[:, 10 * at:10 * at + 10]),
    (lambda x, at: x[:, at * 10:(at + 1) * 10], lambda at: DATA[:, 10 * at:10 * at + 10]),
    (lambda x, at: x[:, at + 1:at + 4], lambda at: DATA[:, at + 1:at + 4]),
    (lambda x, at: tf.slice(x, [0, at], [2, 5]), lambda at: DATA[:, at:at + 5]),
    (lambda x, at: tf.gather(x, tf.range(3 * at, 3 * at + 7, 2), axis=1), lambda at: DATA[:, 3 * at:3 * at + 7:2]),
    (lambda x, at: tf.gather(x, tf.range(at + 5, at, -1), axis=1), lambda at: DATA[:, at + 5:at:-1]),
]


def test_windows_that_move_are_one_program():
    at = tf.placeholder(tf.int32, [])
    x = tf.Variable(DATA)
    parts = [window(x, at) for window, _ in WINDOWS]
    gradients = [tf.gradients(tf.reduce_sum(part * part), x)[0] for part in parts]
    with tf.Session(tier="xla") as session:
        session.run(x.initializer)
        with compiles(1):
            for step in range(9):
                values, slopes = session.run([parts, gradients], {at: step})
                for value, slope, (_, expected) in zip(values, slopes, WINDOWS, strict=True):
                    np.testing.assert_array_equal(value, expected(step))
                    assert slope.sum() == 2 * value.sum()


def test_an_open_end_with_a_known_size():
    at = tf.placeholder(tf.int32, [])
    part = with_open_end(tf.Variable(DATA), at)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for _ in range(6):
            np.testing.assert_array_equal(session.run(part * 2.0, {at: 0}), DATA[:, 90:] * 2)
        np.testing.assert_array_equal(session.run(part * 2.0, {at: 3}), DATA[:, 93:] * 2)


@pytest.fixture
def at_once(monkeypatch):
    """Steps are compiled when they first run."""
    compile_after(monkeypatch, 0)


def test_the_last_window_is_shorter(at_once):
    """Every epoch ends with a batch that the data cut short: it runs on NumPy, and nothing is compiled for it."""
    at = tf.placeholder(tf.int32, [])
    x = tf.constant(np.arange(1000, dtype=np.float32).reshape(100, 10))
    w = tf.Variable(tf.ones([10, 3]))
    batch = x[at * 11:(at + 1) * 11]
    loss = tf.reduce_sum(tf.matmul(batch, w))
    step = tf.assign_add(w, tf.gradients(loss, w)[0])
    with tf.Session() as session:
        session.run(w.initializer)
        with compiles(1):
            for _ in range(4):
                sizes = [len(session.run([batch, step.op], {at: number})[0]) for number in range(10)]
        assert sizes == [11] * 9 + [1]
        total = np.arange(1000, dtype=np.float32).reshape(100, 10).sum(0)
        np.testing.assert_allclose(session.run(w)[:, 0], 1 + 4 * total)


@pytest.mark.parametrize("tier", ["xla", None])
def test_windows_that_are_cut_short_all_the_time(tier):
    at = tf.placeholder(tf.int32, [])
    x = tf.Variable(DATA)
    part = x[:, at:at + 50] * 2.0
    with tf.Session(tier=tier) as session:
        session.run(x.initializer)
        for step in (0, 90, 80, 95, 80, -10, 0, 70, 90):
            np.testing.assert_array_equal(session.run(part, {at: step}), DATA[:, step:step + 50] * 2)


def test_a_window_of_a_variable_is_assigned():
    at = tf.placeholder(tf.int32, [])
    x = tf.Variable(DATA)
    step = x[:, at:at + 3].assign(tf.ones([2, 3]))
    with tf.Session(tier="xla") as session:
        session.run(x.initializer)
        with compiles(1):
            for number in (0, 10, 97):
                session.run(step.op, {at: number})
        assert session.run(x)[:, [0, 2, 10, 12, 97, 99]].tolist() == [[1] * 6] * 2
        with pytest.raises(tf.errors.InvalidArgumentError):
            session.run(step.op, {at: 98})


def test_random_crops_are_one_program():
    images = tf.placeholder(tf.float32, [8, 8, 3])
    crop = tf.random_crop(images, [4, 4, 3], seed=1) * 2.0
    with tf.Session(tier="xla") as session, compiles(1):
        assert {session.run(crop, {images: np.ones([8, 8, 3])}).sum() for _ in range(5)} == {96.0}


# ---- fetch lists


def trained():
    """(train, loss, summary, the global step, accuracy, feeds) of a small classifier."""
    x, y = tf.placeholder(tf.float32, [None, 8]), tf.placeholder(tf.int64, [None])
    logits = tf.layers.dense(tf.layers.dense(x, 64, tf.nn.relu), 4)
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))
    count = tf.train.get_or_create_global_step()
    train = tf.train.AdamOptimizer(0.01).minimize(loss, global_step=count)
    accuracy = tf.reduce_mean(tf.cast(tf.equal(tf.argmax(logits, 1), y), tf.float32))
    generator = np.random.RandomState(0)
    feeds = {x: generator.rand(16, 8), y: generator.randint(0, 4, 16)}
    return train, loss, tf.summary.scalar("loss", loss), count, accuracy, feeds


LISTS = [lambda train, loss, summary, count, accuracy: train,
         lambda train, loss, summary, count, accuracy: [train, loss],
         lambda train, loss, summary, count, accuracy: [train, loss, summary],
         lambda train, loss, summary, count, accuracy: [train, count],
         lambda train, loss, summary, count, accuracy: [train, loss, accuracy, summary, count]]


@pytest.mark.cpus
@pytest.mark.parametrize("runs", [0, 8])
def test_fetch_lists_share_a_step(runs, monkeypatch):
    compile_after(monkeypatch, runs)
    *nodes, feeds = trained()
    tf.set_random_seed(1)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        with compiles(1):
            for fetches in LISTS * 5:
                session.run(fetches(*nodes), feeds)
        assert session.run(nodes[3]) == 25


@pytest.mark.parametrize("order", [1, -1])
def test_fetch_lists_give_the_same_numbers_in_any_order(order):
    *nodes, feeds = trained()
    _, loss, summary, count, accuracy = nodes
    found = []
    with tf.Session() as shared, tf.Session() as alone:
        for session in (shared, alone):
            session.run(tf.global_variables_initializer())
        for variable in tf.global_variables():
            variable.load(shared.run(variable), alone)
        for number in range(10):
            fetches = LISTS[::order][number % 5](*nodes)
            shared.run(fetches, feeds)
            alone.run(nodes[0], feeds)
            found.append(shared.run([loss, accuracy, count], feeds))
            np.testing.assert_allclose(found[-1], alone.run([loss, accuracy, count], feeds), rtol=1e-5)
        values = shared.run([nodes[0], loss, accuracy, summary, count], feeds)
        before = alone.run([loss, accuracy], feeds)
        np.testing.assert_allclose(values[1:3], before, rtol=1e-5)  # what is looked at is from before the update
        assert values[4] == 11 and tf.Summary.FromString(values[3]).value[0].simple_value == pytest.approx(before[0])


def test_a_host_stage_behind_an_update_that_fails_restores_the_variables():
    *nodes, feeds = trained()
    train, loss = nodes[:2]
    broken = tf.py_func(lambda value: 1 / 0, [loss], tf.float32)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run([train, loss], feeds)
        for _ in range(3):
            before = session.run(tf.global_variables())
            with pytest.raises(tf.errors.UnknownError):
                session.run([train, broken], feeds)
            for old, new in zip(before, session.run(tf.global_variables()), strict=True):
                np.testing.assert_array_equal(old, new)


def test_lists_with_other_updates_share_nothing():
    *nodes, feeds = trained()
    train, loss = nodes[:2]
    extra = tf.Variable(0.0)
    raised = tf.assign_add(extra, loss)
    w = tf.trainable_variables()[0]
    norm = tf.norm(w)
    with tf.control_dependencies([train]):
        after = tf.reduce_sum(w.read_value() if hasattr(w, "read_value") else w)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(train, feeds)
        _, value = session.run([train, raised], feeds)
        assert session.run(extra) == value
        expected = session.run(norm)
        assert session.run([train, norm], feeds)[1] == pytest.approx(expected)
        assert session.run([train, after], feeds)[1] == pytest.approx(session.run(w).sum(), rel=1e-4)


def test_a_shared_step_does_not_fail_where_a_list_asks_for_less():
    x = tf.placeholder(tf.float32, [None, 8])
    w = tf.Variable(tf.ones([8, 64]))
    hidden = tf.matmul(x, w)
    train = tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_mean(tf.square(hidden)))
    one_row = tf.reshape(hidden, [64])  # of a batch of one
    with tf.Session() as session:
        session.run(w.initializer)
        session.run([train, one_row], {x: np.ones([1, 8])})
        with compiles(0):
            session.run(train, {x: np.ones([1, 8])})
        session.run(train, {x: np.ones([3, 8])})
        with pytest.raises(tf.errors.InvalidArgumentError):
            session.run([train, one_row], {x: np.ones([3, 8])})


CHOICES = {
    "boolean_mask": lambda each, mask: tf.reduce_mean(tf.boolean_mask(each, mask)),
    "where": lambda each, mask: tf.reduce_mean(tf.sqrt(tf.gather_nd(each, tf.where(mask)))),
    "dynamic_partition": lambda each, mask: tf.reduce_sum(tf.dynamic_partition(each, tf.cast(mask, tf.int32), 2)[1]),
}


def masked(choose, tier, counts):
    """(the losses, the number of programs, the variables) of a network with a mask in its loss, in these steps."""
    generator = np.random.RandomState(0)
    with tf.Graph().as_default():
        tf.set_random_seed(1)
        x, mask = tf.placeholder(tf.float32, [16, 6]), tf.placeholder(tf.bool, [16])
        hidden = tf.layers.dense(tf.layers.dense(x, 12, tf.nn.tanh), 12, tf.nn.tanh)
        loss = choose(tf.reduce_sum(tf.square(tf.layers.dense(hidden, 2)), 1) + 1.0, mask)
        train = tf.train.MomentumOptimizer(0.01, 0.9).minimize(loss)
        with tf.Session(tier=tier) as session:
            session.run(tf.global_variables_initializer())
            losses, before = [], compilations.count
            for count in counts:
                feeds = {x: generator.randn(16, 6), mask: generator.permutation(16) < count}
                losses.append(session.run([loss, train], feeds)[0])
            return losses, compilations.count - before, session.run(tf.trainable_variables())


@pytest.mark.cpus
@pytest.mark.parametrize("choose", CHOICES.values(), ids=CHOICES)
def test_a_mask_in_a_loss_takes_no_program_for_each_count(choose, monkeypatch):
    """The network and its gradient are compiled once; the few nodes between them, which have the size, run on NumPy."""
    compile_after(monkeypatch, 0, start=20)
    counts = [7, 9, 3, 16, 1, 9, 12, 5, 2, 8]
    few, all_counts = masked(choose, None, counts[:6]), masked(choose, None, counts)
    assert all_counts[1] == 0 < few[1] <= 5  # the second graph finds the programs of the first
    expected = masked(choose, "numpy", counts)
    np.testing.assert_allclose(all_counts[0], expected[0], rtol=1e-4)
    for value, wanted in zip(all_counts[2], expected[2], strict=True):
        np.testing.assert_allclose(value, wanted, rtol=1e-3, atol=1e-5)


def convolutional(dtype=tf.float32):
    """(the step, the input) of a network over images of any size."""
    x = tf.placeholder(dtype, [2, None, None, 3])
    hidden = tf.layers.max_pooling2d(tf.layers.conv2d(x, 4, 3, activation=tf.nn.relu), 3, 2)
    loss = tf.reduce_mean(tf.square(tf.layers.separable_conv2d(hidden, 5, 3)))
    return [tf.train.GradientDescentOptimizer(0.1).minimize(loss), loss], x


@pytest.mark.cpus
@pytest.mark.skipif(native.convolve is None, reason="the C code was not built here, or is turned off")
def test_images_of_new_sizes_run_without_a_program():
    step, x = convolutional()
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        with compiles(0):
            for size in (9, 12, 30, 211, 212):
                assert np.isfinite(session.run(step, {x: np.ones([2, size, size, 3])})[1])


def test_a_table_counts_by_what_a_step_uses_of_it():
    ids, table = tf.placeholder(tf.int32, [8]), tf.get_variable("table", [20_000, 32])
    rows = tf.nn.embedding_lookup(table, ids)
    step = tf.train.AdagradOptimizer(0.1).minimize(tf.reduce_sum(rows))
    dense = tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_sum(rows) + tf.nn.l2_loss(table))
    made = []
    for fetch in (step, dense):
        stage, = partition(prune([fetch], [ids]), [fetch], [ids])
        made.append(footprint(stage).work(0, [8]).elements)
    assert made[0] < 10_000 < 20_000 * 32 <= made[1]
