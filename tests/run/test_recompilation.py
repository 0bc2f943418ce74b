"""What makes a step compile again, and what does not."""


import evergraph as tf
from evergraph.compile.policy import compilations
from tests.harness.session import KINDS, TIERS


def test_other_variables_do_not_matter():
    w, other = tf.Variable([1.0, 2.0]), tf.Variable([3.0])
    step = tf.assign_add(w, [1.0, 1.0])
    with tf.Session(tier="xla") as session:
        session.run(w.initializer)
        session.run(step)
        before = compilations.count
        session.run(step)
        assert compilations.count == before
        session.run(other.initializer)
        before = compilations.count
        session.run(step)
        assert compilations.count == before


def test_a_variable_of_another_shape_does():
    w = tf.Variable([1.0, 2.0], validate_shape=False)
    grow = tf.assign(w, tf.concat([w, [0.0]], 0), validate_shape=False)
    double = w * 2.0
    with tf.Session(tier="xla") as session:
        session.run(w.initializer)
        assert session.run(double).tolist() == [2, 4]
        session.run(grow.op)
        assert session.run(double).tolist() == [2, 4, 0]


@TIERS
@KINDS
def test_a_step_that_asks_whether_it_has_to_initialize(tier, resource):
    v = tf.Variable([1.0, 2.0], use_resource=resource)
    was_set = tf.is_variable_initialized(v)
    with tf.control_dependencies([was_set]):
        set_now = tf.assign(v, [3.0, 4.0]).op
    with tf.Session(tier=tier) as session:
        assert [session.run([was_set, set_now])[0] for _ in range(3)] == [False, True, True]


def test_a_step_that_only_assigns_is_compiled_once():
    v = tf.Variable([1.0, 2.0])
    with tf.Session(tier="xla") as session:
        before = compilations.count
        for _ in range(3):
            session.run(v.initializer)
        assert compilations.count == before + 1
