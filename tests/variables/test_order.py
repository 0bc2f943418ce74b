"""Which value of a variable a node sees, when the same step updates the variable."""

import numpy as np

import evergraph as tf
from tests.harness.session import KINDS, TIERS, started


@KINDS
@TIERS
def test_what_depends_on_an_update_sees_it(resource, tier):
    v = tf.Variable([1.0, 2.0], use_resource=resource)
    train = tf.train.GradientDescentOptimizer(0.5).minimize(tf.reduce_sum(v))
    averages = tf.train.ExponentialMovingAverage(0.9)
    with tf.control_dependencies([train]):
        average = averages.apply([v])
        product = v * 2.0
    with started(tier) as session:
        session.run(average)
        np.testing.assert_allclose(session.run(averages.average(v)), [0.95, 1.95])
        assert session.run(product).tolist() == [0.0, 2.0]


@KINDS
@TIERS
def test_what_does_not_depend_on_an_update_sees_the_value_before(resource, tier):
    v = tf.Variable([1.0, 2.0], use_resource=resource)
    before = v * 1.0
    train = tf.train.GradientDescentOptimizer(0.5).minimize(tf.reduce_sum(v))
    made_later = v * 1.0
    with started(tier) as session:
        values = session.run([train, before, made_later])[1:]
        assert [value.tolist() for value in values] == [[1.0, 2.0], [1.0, 2.0]]


@TIERS
def test_a_fetched_ref_variable_is_what_the_step_leaves(tier):
    v = tf.Variable([1.0, 2.0])
    train = tf.train.GradientDescentOptimizer(0.5).minimize(tf.reduce_sum(v))
    with started(tier) as session:
        assert session.run([v, train])[0].tolist() == [0.5, 1.5]
        assert session.run([tf.assign_add(v, [1.0, 1.0]), v])[1].tolist() == [1.5, 2.5]


@KINDS
def test_a_step_may_initialize_and_use_a_variable(resource):
    v = tf.Variable([1.0, 2.0], use_resource=resource)
    w = tf.Variable(3.0, use_resource=resource)
    with tf.control_dependencies([tf.variables_initializer([v, w])]):
        product = v * w
    with tf.Session() as session:
        assert session.run(product).tolist() == [3.0, 6.0]


@TIERS
def test_updates_in_a_row(tier):
    v = tf.Variable(1.0)
    first = tf.assign_add(v, 1.0)
    with tf.control_dependencies([first]):
        seen = v * 10.0
        second = tf.assign(v, v * 3.0)
    with tf.control_dependencies([second]):
        last = v + 0.5
    with started(tier) as session:
        assert session.run([seen, last]) == [20.0, 6.5]


def test_both_operands_of_an_update():
    v = tf.Variable(1.0)
    twice = tf.assign_add(v, 1.0) + v
    with started(None) as session:
        assert session.run(twice) == 4.0
