"""passes/alike.py: initializers that are alike share a program."""

import numpy as np
import pytest

import evergraph as tf
from evergraph.compile.policy import compilations
from evergraph.passes.alike import split_alike
from evergraph.passes.partition import partition
from evergraph.passes.prune import prune
from tests.harness.session import KINDS


def stages(*fetches):
    found = [part for stage in partition(prune(list(fetches), []), fetches, []) for part in split_alike(stage)]
    return [(stage, {n.name for n in stage.nodes if n.type in ("Assign", "AssignVariableOp")}) for stage in found]


def normal(name, shape=(2, 3), stddev=1.0):
    return tf.Variable(tf.random_normal(shape, stddev=stddev), name=name, use_resource=False)


def test_parts_of_the_same_form():
    for name, shape, stddev in [("a", (2, 3), 1.0), ("b", (2, 3), 1.0), ("c", (3, 2), 1.0), ("d", (2, 3), 2.0)]:
        normal(name, shape, stddev)
    tf.Variable(tf.zeros([2, 3]), name="e", use_resource=False)
    tf.Variable(tf.zeros([2, 3]), name="f", use_resource=False)
    (first, assigns_a), (second, assigns_b), (rest, others) = stages(tf.global_variables_initializer())
    assert (assigns_a, assigns_b) == ({"a/Assign"}, {"b/Assign"})
    assert first.alike == second.alike and hash(first.alike) is not None and rest.alike is None
    assert others == {"c/Assign", "d/Assign", "e/Assign", "f/Assign"}


def test_what_depends_on_each_other_stays_together():
    a, b = normal("a"), normal("b")
    c = tf.Variable(a.initialized_value() + b.initialized_value(), name="c")
    assert len(stages(tf.global_variables_initializer())) == 1
    assert len(stages(a.initializer, b.initializer)) == 3 and c is not None
    with tf.control_dependencies([a.initializer]):
        late = tf.assign(b, tf.random_normal([2, 3])).op
    assert len(stages(late)) == 1


def test_stages_with_outputs_stay_whole():
    a, b = normal("a"), normal("b")
    assert len(stages(a.initializer, b.initializer, tf.random_uniform([2]))) == 1


@KINDS
def test_one_program_serves_all(resource):
    tf.set_random_seed(1)
    variables = [tf.get_variable(f"v{i}", [4, 5], use_resource=resource,
                                 initializer=tf.truncated_normal_initializer(stddev=0.1, seed=i)) for i in range(5)]
    start = tf.global_variables_initializer()
    found = []
    for tier in ("numpy", "xla"):
        with tf.Session(tier=tier) as session:
            before = compilations.count
            session.run(start)
            values = session.run(variables)
            assert tier == "numpy" or compilations.count - before <= 3  # the form, the rest, the reads
            session.run(start)
            found.append([*values, *session.run(variables)])
    np.testing.assert_allclose(*found, rtol=1e-5)
    assert len(np.unique(found[0])) == 2 * 5 * 4 * 5  # the streams go on


def test_a_failure_leaves_nothing_behind():
    """The stages that ran before the one that fails are undone."""
    variables = [normal(name) for name in "ab"]
    fails = tf.Assert(tf.equal(tf.reduce_sum(tf.random_uniform([2])), -1.0), ["never"])
    with tf.Session(tier="xla") as session:
        with pytest.raises(tf.errors.InvalidArgumentError):
            session.run([*(v.initializer for v in variables), fails])
        for v in variables:
            with pytest.raises(tf.errors.FailedPreconditionError):
                session.run(v)
