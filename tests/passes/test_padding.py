"""Ids are padded where no use of them notices, and one compiled program serves every number of ids."""

import argparse

import numpy as np
import pytest

import evergraph as tf
from evergraph.compile.policy import compilations
from evergraph.passes.partition import partition
from evergraph.passes.prune import prune
from evergraph.train.optimizer import added_up

ROWS = 50


class Model:
    """A table, bags of ids, the combined rows and a training op."""

    def __init__(self, combiner="mean", resource=False, optimizer=tf.train.AdagradOptimizer):
        self.table = tf.get_variable("table", initializer=np.linspace(-1, 1, ROWS * 4).reshape(ROWS, 4).astype("f"),
                                     use_resource=resource)
        self.ids = tf.sparse_placeholder(tf.int64)
        self.rows = tf.nn.safe_embedding_lookup_sparse(self.table, self.ids, combiner=combiner)
        self.loss = tf.reduce_sum(tf.square(self.rows - 0.5))
        self.train = optimizer(0.1).minimize(self.loss)

    def feed(self, bags):
        at = [[row, place] for row, bag in enumerate(bags) for place in range(len(bag))]
        values = [each for bag in bags for each in bag]
        return {self.ids: tf.SparseTensorValue(np.array(at, np.int64).reshape(-1, 2), np.array(values, np.int64),
                                               [len(bags), max(map(len, bags), default=0)])}


def batches(count=6):
    generator = np.random.RandomState(0)
    return [[generator.randint(0, ROWS, generator.randint(0, 6)).tolist() for _ in range(7)] for _ in range(count)]


def stages(fetches, feeds=()):
    return partition(prune(fetches, feeds), fetches, feeds)


def trained(model, tier):
    with tf.Session(tier=tier) as session:
        session.run(tf.global_variables_initializer())
        losses = [session.run([model.loss, model.train], model.feed(bags))[0] for bags in batches()]
        return losses, session.run(model.table)


@pytest.mark.parametrize("combiner, resource", [("sum", False), ("mean", True), ("sqrtn", False)])
def test_both_tiers_agree(combiner, resource):
    model = Model(combiner, resource)
    (losses, table), (wanted_losses, wanted) = trained(model, "xla"), trained(model, "numpy")
    np.testing.assert_allclose(losses, wanted_losses, rtol=1e-5)
    np.testing.assert_allclose(table, wanted, rtol=1e-5, atol=1e-6)


def test_a_table_that_columns_share():
    bags, others = batches(), batches()[::-1]
    table = tf.get_variable("table", initializer=np.linspace(-1, 1, ROWS * 4).reshape(ROWS, 4).astype("f"))
    ids = [tf.sparse_placeholder(tf.int64) for _ in range(2)]
    rows = [tf.nn.safe_embedding_lookup_sparse(table, each, combiner="mean") for each in ids]
    loss = tf.reduce_sum(tf.square(tf.concat(rows, 1) - 0.5))
    train = tf.train.AdagradOptimizer(0.1).minimize(loss)
    feeds = [{key: Model.feed(argparse.Namespace(ids=key), each)[key] for key, each in zip(ids, pair)}
             for pair in zip(bags, others)]
    fed = [part for each in ids for part in (each.indices, each.values, each.dense_shape)]
    assert [stage.on_host for stage in stages([train, loss], fed)] == [True, False]
    found = {}
    for tier in ("xla", "numpy"):
        with tf.Session(tier=tier) as session:
            session.run(tf.global_variables_initializer())
            found[tier] = [session.run([loss, train], feed)[0] for feed in feeds], session.run(table)
    for ours, theirs in zip(found["xla"], found["numpy"], strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-5, atol=1e-6)


def test_few_programs_serve_all_lengths():
    model = Model()
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        longest = [[1, 2, 3, 4, 5, 6]] * 7
        session.run(model.train, model.feed(longest))
        before = compilations.count
        for bags in batches():
            session.run(model.train, model.feed(bags))
        assert compilations.count == before


def test_what_a_step_has():
    model = Model()
    host, device = stages([model.train], [model.ids.indices, model.ids.values, model.ids.dense_shape])
    assert host.on_host and not device.on_host
    assert len(device.padding.rooms) == 3 and list(device.padding.limits.values()) == [ROWS]
    assert {n.type for n in device.fixed} >= {"GatherV2", "SparseSegmentMean", "SparseSegmentMeanGrad", "Unique"}


@pytest.mark.parametrize("use", [
    lambda rows, ids: rows,
    lambda rows, ids: tf.reduce_mean(rows),
    lambda rows, ids: tf.shape(rows)[0] + 1,
    lambda rows, ids: tf.reverse(rows, [0]),
    lambda rows, ids: rows * tf.cast(ids, tf.float32)[:, None],
])  # fmt: skip
def test_uses_that_would_notice(use):
    table, text = tf.Variable(tf.ones([ROWS, 4])), tf.placeholder(tf.string, [None])
    ids = tf.string_to_hash_bucket_fast(text, ROWS)
    rows = tf.gather(table, ids)
    combined = tf.sparse_segment_sum(rows, tf.range(tf.size(ids)) * 0, tf.cast(ids, tf.int32) * 0)
    fetches = [combined, use(rows, ids)]
    assert not any(stage.padding.rooms for stage in stages(fetches, [text]))
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        np.testing.assert_allclose(session.run(combined, {text: ["a", "b", "c"]}), [[3.0] * 4])


@pytest.mark.parametrize("tier", ["xla", "numpy", None])
def test_ids_out_of_range_fail_the_step(tier):
    model = Model()
    with tf.Session(tier=tier) as session:
        session.run(tf.global_variables_initializer())
        for _ in range(2):
            session.run(model.train, model.feed([[1, 2], [3]]))
        before = session.run(model.table)
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"in \[0, 50\)"):
            session.run(model.train, model.feed([[1, 50], [3]]))
        np.testing.assert_array_equal(session.run(model.table), before)


def test_ids_of_segments_that_do_not_ascend():
    table = tf.Variable(tf.ones([5, 2]))
    ids, segments = tf.placeholder(tf.int32, [None]), tf.placeholder(tf.int32, [None])
    total = tf.sparse_segment_sum(table * 1.0, ids, segments)
    with tf.Session(tier="xla") as session:
        session.run(tf.global_variables_initializer())
        assert session.run(total, {ids: [0, 1, 2], segments: [0, 0, 2]}).tolist() == [[2, 2], [0, 0], [1, 1]]
        assert session.run(total, {ids: [], segments: []}).shape == (0, 2)
        for bad in ([0, 2, 1], [-1, 0, 1]):
            with pytest.raises(tf.errors.InvalidArgumentError):
                session.run(total, {ids: [0, 1, 2], segments: bad})
        with pytest.raises(tf.errors.InvalidArgumentError, match="needs its segment id"):
            session.run(total, {ids: [0, 1], segments: [0, 1, 2]})


@pytest.mark.parametrize("use_resource", [False, True])
def test_rows_of_an_embedding_are_updated_by_a_scatter(use_resource):
    kinds = tf.feature_column.categorical_column_with_identity("kind", 5)
    ids = np.array([[4], [2], [4], [4], [2], [4]])
    features = tf.data.make_one_shot_iterator(tf.data.Dataset.from_tensors({"kind": ids}).repeat()).get_next()
    with tf.variable_scope("model", use_resource=use_resource):
        rows = tf.feature_column.input_layer(
            features, [tf.feature_column.embedding_column(kinds, 2, initializer=tf.ones_initializer())])
    step = tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_sum(rows))
    with tf.Session() as session:
        session.run([tf.global_variables_initializer(), tf.tables_initializer()])
        session.run(step)
        table = session.run(tf.trainable_variables()[0])
    np.testing.assert_allclose(table[:, 0], [1.0, 1.0, 0.8, 1.0, 0.6], rtol=1e-6)


@pytest.mark.parametrize("use_resource", [False, True])
def test_rows_that_a_reshape_counts_on_the_host(use_resource):
    """A gradient of rows as a dense one: its shape comes from the host, which knows nothing of padding."""
    def batches():
        random = np.random.RandomState(1)
        while True:
            yield random.randint(-1, 5, (6, random.randint(1, 4)))

    ids = tf.data.Dataset.from_generator(batches, tf.int64, [6, None]).make_one_shot_iterator().get_next()
    column = tf.feature_column.embedding_column(
        tf.feature_column.categorical_column_with_identity("kind", 5), 3, initializer=tf.ones_initializer())
    with tf.variable_scope("model", use_resource=use_resource):
        rows = tf.feature_column.input_layer({"kind": ids}, [column])
    table, = tf.trainable_variables()
    gradient, = tf.gradients(tf.reduce_sum(rows * rows * np.arange(18.0, dtype=np.float32).reshape(6, 3)), table)
    values, distinct = added_up(gradient.values, gradient.indices)
    step = table.assign_sub(0.01 * tf.unsorted_segment_sum(values, distinct, tf.shape(table)[0]))
    found = []
    for tier in ("numpy", None):
        with tf.Session(tier=tier) as session:
            session.run(table.initializer)
            for _ in range(6):
                session.run(step)
            found.append(session.run(table))
    np.testing.assert_allclose(found[1], found[0], rtol=1e-5)
