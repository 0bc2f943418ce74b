"""What a stage of Python code need not compute."""

import numpy as np
import pytest

import evergraph as tf
from evergraph.passes.prune import prune
from evergraph.passes.shortcuts import shortcuts
from tests.harness.session import TIERS


def found(*outputs):
    return shortcuts(prune(outputs, []), outputs)


def test_equal_nodes_and_identities():
    text = tf.placeholder(tf.string, [None])
    a, b = (tf.identity(tf.string_to_hash_bucket_fast(text, 9)) for _ in range(2))
    other = tf.string_to_hash_bucket_fast(text, 8)
    short = found(a * b, other * 2)
    assert short.same[a] is short.same[b] and other not in short.same


def test_each_output_is_made_anew():
    text = tf.placeholder(tf.string, [None])
    a, b = (tf.string_to_hash_bucket_fast(text, 9) for _ in range(2))
    assert not found(a, b).same
    with tf.Session() as session:
        one, other = session.run([a, b], {text: ["x"]})
        one += 1
        assert one[0] == other[0] + 1


def test_random_numbers_and_stateful_nodes_run_each():
    a, b = (tf.random_uniform([], seed=1) for _ in range(2))
    assert a not in found(a + b).same and b not in found(a + b).same


def test_small_integers_are_remembered_by_what_they_follow_from():
    shape = tf.placeholder(tf.int64, [2])
    rows, total = shape[0] * 2, tf.reduce_prod(shape)
    short = found(rows + 1, total + rows)
    groups = set(short.groups.values())
    assert len(groups) == 1 and next(iter(groups)).sources == (shape,)


def test_what_follows_from_constants_is_computed_once():
    part, total = tf.constant([3, 4])[0], tf.reduce_prod(tf.constant([5, 6]))
    short = found(part, total)
    assert not short.groups and short.folded[part] == 3 and short.folded[total] == 30
    text = tf.placeholder(tf.string, [])
    with tf.Session() as session:
        for _ in range(2):
            values = session.run([part, total, tf.strings.length(text)], {text: "a"})
            assert values == [3, 30, 1]


def test_remembered_values_belong_to_the_session():
    text = tf.placeholder(tf.string, [None, None])
    size = tf.shape(tf.string_to_hash_bucket_fast(text, 9), out_type=tf.int64)
    doubled = tf.where(tf.equal(tf.sparse.reorder(tf.SparseTensor([[0]], size[:1] * 2, [1])).values, 4))
    product = tf.reduce_prod(size * 3)
    with tf.Session() as session:
        for shape in ((2, 2), (1, 3), (2, 2)):
            value, there = session.run([product, doubled], {text: np.full(shape, b"a", object)})
            assert value == 9 * shape[0] * shape[1] and len(there) == (shape[0] == 2)
            value += 1


def test_remembered_values_are_no_views_of_feeds():
    fed = tf.placeholder(tf.int32, [2, 2])
    row, same, less = fed[0], tf.identity(fed), fed - 1
    with tf.Session(tier="numpy") as session:
        for _ in range(3):
            given = np.arange(4, dtype=np.int32).reshape(2, 2)
            first, whole, _ = session.run([row, same, less], {fed: given})
            assert first.tolist() == [0, 1] and whole.tolist() == [[0, 1], [2, 3]]
            given[...] = 9


def test_what_a_group_waits_for_and_nobody_uses_is_skipped():
    """The value of a metric, in a step that runs it for its updates."""
    values = tf.placeholder(tf.float32, [None])
    mean, update = tf.metrics.mean(values)
    done = tf.group(update)
    nodes = prune([done], [values])
    skipped = shortcuts(nodes, []).skipped
    assert {node.type for node in skipped} == {"DivNoNan", "Maximum"} and update.op in skipped
    assert update.op not in shortcuts(prune([update], [values]), [update]).skipped
    with tf.Session() as session:
        session.run(tf.local_variables_initializer())
        for _ in range(3):
            session.run(done, {values: [1, 2]})
        assert session.run(mean) == 1.5


def test_nodes_that_are_waited_for_and_may_fail():
    """As in TensorFlow, which leaves out what is only waited for, but no checks and no reads of variables."""
    fed, fixed = tf.placeholder(tf.float32, [None]), tf.ones([2])
    left_out = [fed + fixed, tf.reshape(fed, [7])]
    checks = [(tf.check_numerics(fed, "odd"), tf.errors.InvalidArgumentError),
              (tf.Variable([1.0, 2.0]) + fixed, tf.errors.FailedPreconditionError)]  # without a value
    with tf.Session() as session:
        for tensor in left_out:
            session.run(tf.group(tensor), {fed: [0, 1, np.nan]})
            with pytest.raises(tf.errors.InvalidArgumentError):
                session.run(tensor.op, {fed: [0, 1, np.nan]})
        for tensor, error in checks:
            with pytest.raises(error):
                session.run(tf.group(tensor), {fed: [0, 1, np.nan]})


def test_what_nodes_only_wait_for_is_not_computed():
    images = tf.placeholder(tf.float32, [2, 8, 8, 3])
    filter = tf.get_variable("filter", [3, 3, 3, 4], use_resource=True)
    loss = tf.reduce_sum(tf.nn.conv2d(images, filter, [1, 1, 1, 1], "SAME"))
    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    nodes = prune([train], [images])
    to_images, = [node for node in nodes if node.type == "Conv2DBackpropInput"]
    to_filter, = [node for node in nodes if node.type == "Conv2DBackpropFilter"]
    short = shortcuts(nodes, [])
    assert to_images in short.skipped and to_filter not in short.skipped
    assert to_images not in shortcuts(nodes, [to_images.outputs[0]]).skipped


def test_nodes_that_are_fetched_or_that_fail_run_although_nobody_uses_them():
    x = tf.placeholder(tf.float32, [None])
    root = tf.sqrt(x)
    assert not shortcuts(prune([root.op], [x]), []).skipped
    with tf.control_dependencies([tf.check_numerics(x, "odd"), tf.Assert(x[0] > 0, [x])]):
        last = tf.no_op()
    skipped = {node.type for node in shortcuts(prune([last], [x]), []).skipped}
    assert skipped.isdisjoint({"CheckNumerics", "Assert"})
    with tf.Session() as session, np.testing.assert_raises(tf.errors.InvalidArgumentError):
        session.run(last, {x: [np.nan]})


_ODD = {  # name -> a tensor that cannot be computed of 3 numbers, and only computes
    "sum": lambda fed: fed + [1.0, 2.0],
    "reshape": lambda fed: tf.reshape(fed, [7]),
    "a sum of it": lambda fed: tf.reduce_sum(tf.reshape(fed, [7])),
}


@TIERS
@pytest.mark.parametrize("name", _ODD)
def test_an_operation_that_is_fetched_runs_also_if_another_one_waits_for_it(tier, name):
    fed, count = tf.placeholder(tf.float32, [None]), tf.Variable(0)
    odd = _ODD[name](fed)
    with tf.control_dependencies([odd]):
        step = tf.assign_add(count, 1)
    done, feeds = tf.group(odd, step), {fed: np.ones(3)}
    with tf.Session(tier=tier) as session:
        session.run(count.initializer)
        for fetches in ([odd.op, step], [step.op, odd.op, done], [odd, step]):
            for _ in range(2):
                with pytest.raises(tf.errors.InvalidArgumentError):
                    session.run(fetches, feeds)
        assert session.run(count) == 0
        session.run([step.op, done], feeds)  # nobody asks for it
        assert session.run(count) == 1


@TIERS
def test_what_is_only_waited_for_in_a_loop_is_left_out(tier):
    fed = tf.placeholder(tf.float32, [None])

    def body(i):
        with tf.control_dependencies([fed + [1.0, 2.0]]):
            return tf.identity(i + 1)

    with tf.Session(tier=tier) as session:
        assert session.run(tf.while_loop(lambda i: i < 3, body, [0]), {fed: np.ones(3)}) == 3
