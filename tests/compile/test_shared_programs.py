"""Equal stages of different graphs share one compiled program; stages that differ in anything do not."""

import gc
import weakref

import numpy as np
import pytest

import evergraph as tf
from evergraph.compile.policy import compilations

BATCH = np.arange(12, dtype=np.float32).reshape(4, 3)


def trained(scale=2.0, rate=0.1, limit=1e6, body=lambda row: row + 1, name="w"):
    """What three steps of a model give that is built anew, with how many programs they were compiled to."""
    with tf.Graph().as_default(), tf.Session(tier="xla") as session:
        x = tf.placeholder(tf.float32, [None, 3], "x")
        w = tf.get_variable(name, [3, 1], initializer=tf.ones_initializer())
        y = tf.while_loop(lambda i, rows: i < 3, lambda i, rows: (i + 1, body(rows)), [0, tf.matmul(x, w) * scale])[1]
        loss = tf.reduce_mean(tf.check_numerics(tf.square(y), "y"))
        with tf.control_dependencies([tf.assert_less(loss, limit, name="bound")]):
            train = tf.train.GradientDescentOptimizer(rate / 1000).minimize(loss)
        session.run(tf.global_variables_initializer())
        before = compilations.count
        losses = [session.run([train, loss], {x: BATCH})[1] for _ in range(3)]
        return losses, compilations.count - before


def test_an_equal_graph_compiles_nothing_and_gives_the_same_numbers():
    losses, compiled = trained()
    assert compiled == 1
    assert trained() == (losses, 0)


@pytest.mark.parametrize("other", [{"scale": 3.0}, {"rate": 0.2}, {"limit": 1e7}, {"body": lambda row: row + 2}])
def test_a_constant_or_a_body_of_a_loop_that_differs_is_another_program(other):
    trained()
    losses, compiled = trained(**other)
    assert compiled == 1
    assert np.isfinite(losses).all()


def test_names_do_not_matter():
    losses, _ = trained()
    assert trained(name="v") == (losses, 0)


def test_an_error_names_the_operation_of_its_own_graph():
    def failing():
        graph = tf.Graph()
        with graph.as_default(), tf.Session(tier="xla") as session:
            x = tf.placeholder(tf.float32, [None], "x")
            with pytest.raises(tf.errors.InvalidArgumentError, match="bad numbers") as error:
                session.run(tf.check_numerics(x * 2, "bad numbers", name="checked"), {x: [np.nan]})
            return error.value.op is graph.get_operation_by_name("checked")

    assert failing() and failing()


def test_a_shared_program_keeps_no_graph():
    def ran():
        graph = tf.Graph()
        with graph.as_default(), tf.Session(tier="xla") as session:
            session.run(tf.sqrt(tf.placeholder_with_default([4.0], [1])))
        return weakref.ref(graph)

    graphs = [ran(), ran()]
    gc.collect()
    assert [graph() for graph in graphs] == [None, None]


def test_a_program_outlives_the_session_that_compiled_it():
    def session_and_fetch():
        with tf.Graph().as_default():
            x = tf.placeholder(tf.float32, [None], "x")
            return tf.Session(tier="xla"), tf.sqrt(x), x

    first, y, x = session_and_fetch()
    second, other_y, other_x = session_and_fetch()
    first.run(y, {x: [4.0]})
    assert second.run(other_y, {other_x: [9.0]}).tolist() == [3.0]
    first.close()
    del first, y, x
    gc.collect()
    before = compilations.count
    assert second.run(other_y, {other_x: [16.0]}).tolist() == [4.0]
    assert second.run(other_y, {other_x: [1.0, 4.0]}).tolist() == [1.0, 2.0]
    assert compilations.count == before + 1


def test_checks_in_a_loop_of_which_a_part_is_not_used():
    """The loop is cut to what is used, so that the node of the check is none of the graph's: it is not shared."""
    x = tf.placeholder(tf.float32, [3])
    sums = tf.cond(tf.reduce_any(x > 0), lambda: x + 1, lambda: tf.map_fn(lambda unused: tf.reduce_sum(x), x))
    with tf.Session(tier="xla") as session:
        assert session.run(sums, {x: [-1.0, -2.0, -3.0]}).tolist() == [-6.0] * 3


def replicas(count):
    """What replicas with random numbers of their own add up in three steps, and how many programs that took."""
    config = tf.ConfigProto(device_count={"CPU": count})
    with tf.Graph().as_default(), tf.Session(config=config, tier="xla") as session:
        tf.set_random_seed(3)
        strategy = tf.distribute.MirroredStrategy([f"/cpu:{number}" for number in range(count)])
        with strategy.scope():
            data = tf.data.Dataset.from_tensors(np.ones((16 * count, 8), np.float32)).repeat()
            batches = strategy.make_dataset_iterator(data)

            def replica(batch):
                w = tf.get_variable("w", [8, 1], initializer=tf.ones_initializer())
                kept = tf.nn.dropout(batch, rate=0.5)
                chosen = tf.cond(tf.reduce_sum(kept) > 0.0, lambda: kept, lambda: -kept)
                loss = tf.reduce_mean(tf.check_numerics(tf.matmul(chosen, w), "loss"))
                with tf.control_dependencies([tf.train.MomentumOptimizer(0.1, 0.9).minimize(loss)]):
                    return tf.identity(loss), tf.reduce_sum(kept)

            _, sums = strategy.experimental_run_v2(replica, (batches.get_next(),))
        session.run([tf.global_variables_initializer(), batches.initialize()])
        before = compilations.count
        found = [session.run(strategy.unwrap(sums)) for _ in range(3)]
        copies = session.run(strategy.unwrap(tf.global_variables()[0]))
        assert all(np.array_equal(copies[0], each) for each in copies)
        return np.array(found), compilations.count - before


def test_replicas_are_compiled_once_and_draw_numbers_of_their_own():
    found, compiled = replicas(4)
    assert replicas(2)[1] <= compiled <= 3
    assert len(np.unique(found)) > 6
