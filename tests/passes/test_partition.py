"""What no host stage needs stands in the last device stage, and shapes that cross between stages are plain values."""

import numpy as np

import evergraph as tf
from evergraph.compile import cache
from evergraph.graph.composite import IndexedSlices
from evergraph.passes.partition import partition
from evergraph.passes.prune import prune


def stages(fetches, feeds):
    return partition(prune(fetches, feeds), fetches, feeds)


def on_the_host(x):
    """A host op between device ops."""
    return tf.raw_ops.SparseReorder(input_indices=[[0]], input_values=tf.reshape(x, [-1])[:1], input_shape=[1])[1]


def test_device_nodes_wait_for_their_users():
    x = tf.placeholder(tf.float32, [2, 3])
    early, late = x + 1.0, x * 2.0
    result = on_the_host(early) + late
    first, host, last = stages([result], [x])
    assert early.op in first.nodes and late.op in last.nodes and host.on_host
    assert {t.op.type for t in last.inputs} == {"Placeholder", "SparseReorder"}


def test_a_variable_does_not_cross():
    table, x = tf.Variable(tf.zeros([9, 2])), tf.placeholder(tf.float32, [1])
    rows = tf.gather(table, tf.cast(on_the_host(x * 1.0), tf.int32))
    slope = tf.gradients(tf.reduce_sum(tf.square(rows)), table)[0]
    assert isinstance(slope, IndexedSlices)
    update = tf.scatter_sub(table, slope.indices, slope.values)
    *_, last = stages([update], [x])
    assert update.op in last.nodes and last.is_last
    assert not any(t.op.type == "Identity" for t in last.inputs)


def test_reads_stay_before_the_updates_they_came_before():
    v, x = tf.Variable(1.0, use_resource=True), tf.placeholder(tf.float32, [1])
    before = v.read_value()
    with tf.control_dependencies([before]):
        update = v.assign_add(on_the_host(x + 1.0)[0])
    with tf.control_dependencies([update]):
        after = v.read_value()
    with tf.Session() as session:
        session.run(v.initializer)
        assert session.run([before, after], {x: [2.0]}) == [1.0, 4.0]
        assert session.run([before, after], {x: [0.0]}) == [4.0, 5.0]


def test_shapes_that_cross_are_plain():
    x = tf.placeholder(tf.float32, [None, 3])
    total = x * 2.0
    count = tf.shape(total)[0] * 3
    host = on_the_host(total + tf.cast(count, tf.float32))
    result = tf.reshape(total + host, tf.stack([count]))
    *_, last = stages([result], [x])
    assert count in last.static and total not in last.static
    with tf.Session(tier="xla") as session:
        for rows in (2, 4, 2):
            fed = np.ones((rows, 3), np.float32)
            np.testing.assert_allclose(session.run(result, {x: fed}), np.full(3 * rows, 4.0 + 3 * rows))
        compiled = cache.compilations.count
        session.run(result, {x: np.ones((4, 3), np.float32)})
        assert cache.compilations.count == compiled
