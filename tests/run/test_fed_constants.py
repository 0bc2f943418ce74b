"""A constant that is fed has the value that is fed, wherever the constant's own value would have been known."""

import numpy as np
import pytest

import evergraph as tf
from tests.harness.session import TIERS

NUMBERS = np.arange(12, dtype=np.float32)

CASES = {  # name -> of a vector and the constant 3: a tensor, and its value when 8 is fed for the constant
    "identity": lambda x, c: (tf.identity(tf.identity(c)), 8),
    "arithmetic": lambda x, c: (c * 2 + 1, 17),
    "an equal constant": lambda x, c: (tf.constant(3) + c, 11),
    "gather": lambda x, c: (tf.gather(x, c), 8.0),
    "slice": lambda x, c: (tf.reduce_sum(x[:c]), 28.0),
    "range": lambda x, c: (tf.reduce_sum(tf.range(c)), 28),
    "fill": lambda x, c: (tf.reduce_sum(tf.fill([c], 2.0)), 16.0),
    "tile": lambda x, c: (tf.reduce_sum(tf.tile(x, tf.stack([c - 2]))), 396.0),
    "unique": lambda x, c: (tf.reduce_sum(tf.unique(tf.stack([c, 8]))[0]), 8),
    "mask": lambda x, c: (tf.reduce_sum(tf.boolean_mask([1.0, 2.0], tf.stack([c > 5, False]))), 1.0),
    "text": lambda x, c: (tf.as_string(c), b"8"),
    "gradient": lambda x, c: (tf.gradients(x * tf.cast(c, tf.float32), x)[0][0], 8.0),
}


@TIERS
@pytest.mark.parametrize("name", CASES)
def test_what_is_fed_counts(tier, name):
    x, c = tf.placeholder(tf.float32, [12]), tf.constant(3)
    tensor, wanted = CASES[name](x, c)
    with tf.Session(tier=tier) as session:
        own = session.run(tensor, {x: NUMBERS})
        for _ in range(5):
            assert session.run(tensor, {x: NUMBERS, c: 8}) == wanted
        assert session.run(tensor, {x: NUMBERS}) == own != wanted


@TIERS
def test_a_number_that_follows_from_constants(tier):
    x, n = tf.placeholder(tf.float32, [12]), tf.constant(3) * 2
    with tf.Session(tier=tier) as session:
        assert session.run(tf.reduce_sum(x[:n]), {x: NUMBERS, n: 4}) == 6.0


@TIERS
def test_a_rate_that_is_a_constant(tier):
    keep, x = tf.constant(1.0), tf.placeholder(tf.float32, [4])
    with tf.Session(tier=tier) as session:
        for fed in (0.5, 0.25):
            assert session.run(x * keep, {x: np.ones(4), keep: fed}).tolist() == [fed] * 4


def _loop(x, c, b):
    return tf.while_loop(lambda i, a: i < c, lambda i, a: (i + 1, a * tf.cast(c, tf.float32)), [0, x[1]])[1]


INSIDE = {  # name -> of a vector and the constants 3 and True: a tensor, and its value when 2 and False are fed
    "cond": lambda x, c, b: (tf.cond(x[1] > 0, lambda: c * 2, lambda: c - 1), 4),
    "a branch that is the constant": lambda x, c, b: (tf.cond(x[1] > 0, lambda: c, lambda: -c), 2),
    "cond in cond": lambda x, c, b: (tf.cond(x[1] > 0, lambda: tf.cond(b, lambda: c, lambda: -c), lambda: c), -2),
    "cond in a loop": lambda x, c, b: (
        tf.while_loop(lambda i: i < 5, lambda i: tf.cond(b, lambda: i + 10, lambda: i + c), [0]), 6),
    "switch_case": lambda x, c, b: (tf.switch_case(c - 1, [lambda: c, lambda: c + 1, lambda: c + 2]), 3),
    "loop": lambda x, c, b: (_loop(x, c, b), 4.0),
    "gradient of cond": lambda x, c, b: (
        tf.gradients(tf.cond(b, lambda: x, lambda: x * tf.cast(c, tf.float32)), x)[0][0], 2.0),
    "gradient of a loop": lambda x, c, b: (tf.gradients(_loop(x, c, b), x)[0][1], 4.0),
    "map_fn": lambda x, c, b: (tf.reduce_sum(tf.map_fn(lambda each: tf.where(b, each, -each), x)), -66.0),
    "a sum over an axis": lambda x, c, b: (
        tf.cond(x[1] > 0, lambda: tf.reduce_sum(tf.reduce_max(tf.reshape(x, [3, 4]), c - 2)), lambda: 0.0), 38.0),
    "text": lambda x, c, b: (tf.cond(x[1] > 0, lambda: tf.as_string(c), lambda: ""), b"2"),
    "a call": lambda x, c, b: (_called(x, c), 22.0),
}


def _called(x, c):
    @tf.contrib.eager.defun
    def times(values):
        return tf.gather(values, 11) * tf.cast(c, tf.float32)
    return times(x)


@TIERS
@pytest.mark.parametrize("name", INSIDE)
def test_conditionals_and_loops_see_what_is_fed(tier, name):
    x, c, b = tf.placeholder(tf.float32, [12]), tf.constant(3), tf.constant(True)
    tensor, wanted = INSIDE[name](x, c, b)
    with tf.Session(tier=tier) as session:
        own = session.run(tensor, {x: NUMBERS})
        for _ in range(3):
            assert session.run(tensor, {x: NUMBERS, c: 2, b: False}) == wanted
        assert session.run(tensor, {x: NUMBERS}) == own != wanted


@TIERS
def test_a_branch_that_updates_a_variable_by_a_fed_constant(tier):
    c, v = tf.constant(3), tf.Variable(1)
    update = tf.cond(tf.placeholder_with_default(True, []), lambda: tf.assign_add(v, c), lambda: v + 0)
    with tf.Session(tier=tier) as session:
        session.run(v.initializer)
        assert [session.run(update, {c: 10}), session.run(update), session.run(v)] == [11, 14, 14]


@TIERS
def test_beside_an_imported_loop(tier):
    with tf.Graph().as_default() as other:
        entered = tf.raw_ops.Enter(data=tf.constant(0), frame_name="loop")
        merged = tf.raw_ops.Merge(inputs=[entered, entered])
        less = tf.raw_ops.LoopCond(input=merged.output < tf.raw_ops.Enter(
            data=tf.constant(4, name="limit"), frame_name="loop", is_constant=True))
        switched = tf.raw_ops.Switch(data=merged.output, pred=less)
        merged.output.op._update_input(1, tf.raw_ops.NextIteration(data=switched.output_true + 1))
        tf.raw_ops.Exit(data=switched.output_false, name="count")
    count, limit = tf.import_graph_def(other.as_graph_def(), return_elements=["count:0", "limit:0"])
    sum = count + tf.cond(tf.placeholder_with_default(True, []), lambda: limit * 10, lambda: limit)
    with tf.Session(tier=tier) as session:
        assert [session.run(sum), session.run(sum, {limit: 6}), session.run(sum)] == [44, 66, 44]


def test_functions_of_datasets_refuse(session):
    c = tf.constant(3)
    dataset = tf.data.Dataset.range(3).map(lambda n: tf.cast(n, tf.int32) + c)
    iterator = tf.data.make_initializable_iterator(dataset)
    with pytest.raises(tf.errors.UnimplementedError, match="Const:0 is fed, .*MapDataset.* copies of it. tf.placehold"):
        session.run(iterator.initializer, {c: 7})
