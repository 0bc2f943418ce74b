"""Integer work on results of host nodes stays on the host."""

import pytest

import evergraph as tf
from evergraph.passes.integers import integers_beside_host, static_inputs, static_sources, unknown_inputs
from evergraph.passes.partition import partition
from evergraph.passes.prune import prune


def stages(fetches, feeds):
    return partition(prune(fetches, feeds), fetches, feeds)


def hashed(text):
    return tf.string_to_hash_bucket_fast(text, 100)


def test_arithmetic_between_host_nodes_makes_no_stage():
    text = tf.placeholder(tf.string, [None])
    kept = tf.where(tf.not_equal(hashed(text) % 7, 3))
    only, = stages([kept], [text])
    assert only.on_host


def test_what_has_an_open_length_is_computed_on_the_host():
    text, x = tf.placeholder(tf.string, [None]), tf.placeholder(tf.float32, [None])
    ids = hashed(text) * 2
    host, device = stages([tf.gather(x, ids)], [text, x])
    assert ids.op in host.nodes and ids in device.inputs


def test_floats_views_and_what_needs_the_device_stay_there():
    text, x = tf.placeholder(tf.string, [None]), tf.placeholder(tf.int64, [None])
    ids = hashed(text)
    real, flat, mixed = tf.cast(ids, tf.float32), tf.reshape(ids, [-1]), ids + tf.cast(tf.cast(x, tf.float32), tf.int64)
    nodes = prune([real, flat, mixed], [text, x])
    assert not integers_beside_host(nodes, {ids.op}, {text, x})


def test_static_values_come_from_the_smallest_part_that_the_host_computes():
    text, x = tf.placeholder(tf.string, [None]), tf.placeholder(tf.float32, [None, 3])
    found = tf.unique(hashed(text))[0]
    length = tf.cast(found[0], tf.int32) + 1
    shape = tf.stack([length, tf.shape(x)[1]])
    y = tf.reshape(x, shape)
    assert static_inputs([y.op]) == [shape]
    assert static_sources(shape, {found}) == [length]
    assert static_sources(tf.concat([shape, tf.constant([4, 5])[1:]], 0), {found}) == [length]  # not the constant part
    assert static_sources(tf.cast(tf.reduce_sum(x), tf.int32), {found})[0].op.type == "Cast"
    with tf.Session() as session:
        for words in (["a", "b"], ["c"]):
            wanted = session.run(length, {text: words})
            if wanted * 3 == 9:
                assert session.run(y, {text: words, x: [[1.0] * 3] * 3}).shape == (3, 3)


def test_no_trace_knows_integers_that_follow_from_values():
    x, n, xs = tf.placeholder(tf.float32, [None]), tf.placeholder(tf.int32, []), tf.placeholder(tf.variant, [])
    drawn = tf.reshape(x, tf.random_uniform([2], 1, 3, tf.int32))
    cast = tf.reshape(x, [tf.cast(tf.reduce_sum(x), tf.int32), -1])
    fed = tf.tile(x, [n])
    by_shape, constant = tf.reshape(x, tf.shape(x) // 2), tf.reshape(x, [-1, 1])
    by_list = tf.tile(x, [tf.raw_ops.TensorListLength(input_handle=xs)])
    looped = tf.tile(x, [tf.while_loop(lambda i: i < 3, lambda i: i + 1, [0])])
    fetches = [drawn, cast, fed, by_shape, constant, by_list, looped]
    wanted = [drawn.op.inputs[1], cast.op.inputs[1], fed.op.inputs[1]]
    assert unknown_inputs(prune(fetches, [x, n, xs]), {x, n, xs}) == wanted
    assert unknown_inputs(prune([fed], [x, n]), {x}) == []  # n is static already


def test_floats_that_ids_are_made_of_are_compared_on_the_host():
    x, weights = tf.placeholder(tf.float32, [None]), tf.placeholder(tf.float32, [None])
    kept = tf.where(tf.logical_and(tf.greater(weights, 0), tf.raw_ops.Bucketize(input=x, boundaries=[0.0, 1.0]) > 0))
    taken = tf.gather(weights, tf.reshape(kept, [-1]))
    filled = tf.raw_ops.SparseFillEmptyRows(indices=kept, values=taken, dense_shape=[5], default_value=1.0)
    only, = stages([filled.output_values], [x, weights])
    assert only.on_host


def test_checks_of_ids_are_made_on_the_host():
    ids = tf.placeholder(tf.int64, [None])
    with tf.control_dependencies([tf.assert_less(ids, tf.constant(5, tf.int64))]):
        checked = tf.unique(tf.identity(ids) + 1)[0]
    only, = stages([checked], [ids])
    assert only.on_host
    with tf.Session() as session:
        assert session.run(checked, {ids: [4, 4, 2]}).tolist() == [5, 3]
        with pytest.raises(tf.errors.InvalidArgumentError):
            session.run(checked, {ids: [4, 5]})


def test_floats_that_are_computed_stay_on_the_device():
    x = tf.placeholder(tf.float32, [None])
    kept = tf.where(tf.greater(x * 2.0, 0))
    assert [stage.on_host for stage in stages([kept], [x])] == [False, True]
