"""Host nodes that follow from constants are part of the program that uses them, which then knows their sizes."""

import numpy as np
import pytest

import evergraph as tf
from evergraph.passes.partition import partition
from evergraph.passes.prune import prune
from tests.harness.session import KINDS, TIERS, evaluated, run

MASK = np.array([True, False, True, True])


def stages(fetches, feeds=()):
    return partition(prune(fetches, feeds), fetches, feeds)


def test_coordinates_of_a_constant_mask():
    x = tf.placeholder(tf.float32, [4, 2])
    (stage,) = stages([tf.boolean_mask(x, MASK) * 2.0], [x])
    assert not stage.on_host
    assert any(node.type == "Where" for node in stage.nodes)


def test_ids_of_a_constant_sparse_tensor():
    table = tf.get_variable("table", [9, 2])
    ids = tf.SparseTensor([[0, 0], [0, 1], [2, 0]], tf.constant([3, 1, 3], tf.int64), [3, 2])
    found = tf.nn.embedding_lookup_sparse(table, ids, None, combiner="sum")
    (stage,) = stages([found])
    assert not stage.on_host


@TIERS
def test_numbers(tier):
    x = tf.placeholder(tf.float32, [4, 2])
    masked = tf.boolean_mask(x, MASK)
    parts = tf.dynamic_partition(x, [1, 0, 1, 1], 2)
    slope = tf.gradients(tf.reduce_sum(masked * masked), x)[0]
    value = np.arange(8, dtype=np.float32).reshape(4, 2)
    for _ in range(2):
        found = run([masked, slope, *parts], {x: value}, tier)
        wanted = [value[MASK], 2 * value * MASK[:, None], value[~MASK], value[MASK]]
        for one, other in zip(found, wanted, strict=True):
            np.testing.assert_array_equal(one, other)


def test_what_the_host_needs_stays_there():
    text = tf.as_string(tf.unique([3, 1, 3])[0])
    (stage,) = stages([text])
    assert stage.on_host


def test_what_is_fetched_or_fed_stays_there():
    x = tf.placeholder(tf.float32, [])
    distinct = tf.unique(tf.constant([3, 1, 3]))[0]
    result = tf.cast(distinct, tf.float32) + x
    assert [stage.on_host for stage in stages([distinct, result], [x])] == [True, False]
    numbers = tf.constant([3, 1, 3])
    fed = tf.cast(tf.unique(numbers)[0], tf.float32) + x
    assert [stage.on_host for stage in stages([fed], [numbers, x])] == [True, False]
    assert run(fed, {numbers: [7, 7, 7], x: 1.0}).tolist() == [8.0]


@TIERS
def test_errors(tier):
    x = tf.placeholder(tf.float32, [])
    parts = tf.dynamic_partition([1.0, 2.0], [0, 5], 2)
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"partitions\[1\] = 5 is not in \[0, 2\)"):
        run(parts[0] + x, {x: 1.0}, tier)


@KINDS
def test_the_host_reads_variables_itself(resource):
    numbers = tf.Variable([3, 1, 3], use_resource=resource)
    distinct = tf.unique(numbers)[0]
    (stage,) = stages([distinct])
    assert stage.on_host
    assert evaluated(distinct).tolist() == [3, 1]
    with tf.control_dependencies([distinct]):
        update = tf.assign(numbers, [4, 4, 5])
    with tf.Session() as session:
        session.run(numbers.initializer)
        assert session.run([distinct, update])[0].tolist() == [3, 1]
        assert session.run(distinct).tolist() == [4, 5]
