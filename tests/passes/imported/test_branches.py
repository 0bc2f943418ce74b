"""The conditions under which the nodes of a region run."""

import pytest

import evergraph as tf
from evergraph.graph.registry import lookup
from evergraph.passes.imported.frames import find_frames
from evergraph.passes.imported.functionalize import region_of, without_back_edges
from evergraph.passes.prune import in_order, needed
from tests.passes.imported.control_flow import cond


def region(*fetches):
    nodes = in_order(needed(fetches, []), [], without_back_edges)
    return region_of(find_frames(nodes, []), [])


def path(found, tensor):
    """[(name of the predicate, its value)] on the way to a tensor's node."""
    return [(predicate.op.name, value) for predicate, value in found.path[found.producer[tensor]]]


@pytest.fixture
def p():
    return tf.placeholder(tf.bool, [], name="p")


@pytest.fixture
def q():
    return tf.placeholder(tf.bool, [], name="q")


def test_the_sides_of_a_conditional(p):
    sides = {}
    merged = cond(p, lambda t: sides.setdefault(True, t * 2.0), lambda f: sides.setdefault(False, -f), tf.constant(1.0))
    found = region(merged)
    assert path(found, sides[True]) == [("p", True)] and path(found, sides[False]) == [("p", False)]
    assert path(found, merged) == []
    choice = found.choices[found.producer[merged]]
    assert choice.predicate.op.name == "p" and choice.inputs == (0, 1)


def test_conditionals_in_conditionals(p, q):
    inner = {}
    merged = cond(p, lambda t: cond(q, lambda u: inner.setdefault("q", tf.exp(u)), tf.identity, t), tf.identity,
                  tf.constant(1.0))  # fmt: skip
    found = region(merged)
    assert sorted(path(found, inner["q"])) == [("p", True), ("q", True)]
    assert path(found, merged) == []


def test_nodes_that_never_run_are_left_out(p):
    switch = lookup("Switch")(tf.constant(1.0), p)
    never = lookup("Switch")(switch.output_true, p).output_false
    lost = tf.exp(never)
    merged = lookup("Merge")([tf.square(switch.output_false), lookup("Merge")([lost, switch.output_true]).output])
    found = region(merged.output)
    assert lost.op not in {node for unit in found.units for node in unit.nodes}
    (inner,) = found.single
    assert found.single[inner] == 1


def test_a_control_dependency_on_a_side(p):
    switch = lookup("Switch")(tf.constant(1.0), p)
    with tf.control_dependencies([tf.identity(switch.output_true)]):
        waits = tf.exp(tf.placeholder(tf.float32, []))
    found = region(waits)
    assert path(found, waits) == [("p", True)]


def test_a_merge_of_unrelated_sides_takes_the_first_that_has_a_value(p, q):
    mixed = lookup("Merge")([lookup("Switch")(1.0, p).output_true, lookup("Switch")(1.0, q).output_false]).output
    found = region(mixed)
    assert path(found, mixed) == []
    (cases,) = found.cases.values()
    assert [(case.literal[0].op.name, case.literal[1], case.input) for case in cases] == [
        ("p", True, 0), ("q", False, 1)]


def test_a_merge_whose_inputs_have_several_conditions_each_is_refused(p, q):
    def both(value):
        return lookup("Switch")(lookup("Switch")(value, p)[value > 1.0], q)[value > 1.0]

    with pytest.raises(tf.errors.UnimplementedError, match="one predicate for each of its inputs"):
        region(lookup("Merge")([both(1.0), both(2.0)]).output)


@pytest.mark.parametrize("tier", ["numpy", "xla"])
def test_a_constant_comes_before_what_is_switched(p, tier):
    """A Merge forwards what is there first, and a constant outside of all branches always is, as in TensorFlow."""
    off, on = tf.raw_ops.Switch(data=tf.constant([2.0, 3.0]), pred=p)
    merged = tf.raw_ops.Merge(inputs=[tf.zeros_like(off), on])
    other = tf.raw_ops.Merge(inputs=[off, tf.ones_like(on)])
    with tf.Session(tier=tier) as session:
        for value in (True, False):
            found = session.run([*merged, *other], {p: value})
            assert [each.tolist() for each in found] == [[0.0, 0.0], 0, [1.0, 1.0], 1]


def test_a_constant_that_is_made_in_many_steps_is_one_too():
    doubled = tf.constant(1.0)
    for _ in range(2000):  # each way through these sums is followed once
        doubled = tf.raw_ops.Add(x=doubled, y=doubled) * 0.5
    off, _ = tf.raw_ops.Switch(data=tf.constant(3.0), pred=tf.placeholder_with_default(False, []))
    merged = tf.raw_ops.Merge(inputs=[off, doubled]).output
    with tf.Session(tier="numpy") as session:
        assert session.run(merged) == 1.0


def test_a_constant_of_a_branch_is_no_such_constant():
    p = tf.placeholder(tf.bool, [])
    off, on = tf.raw_ops.Switch(data=tf.constant(3.0), pred=p)
    with tf.control_dependencies([tf.identity(on)]):
        constant = tf.constant(1.0)
    merged = tf.raw_ops.Merge(inputs=[off, constant]).output
    with tf.Session() as session:
        assert [session.run(merged, {p: value}) for value in (True, False)] == [1.0, 3.0]
