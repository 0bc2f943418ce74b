"""The loops of a graph as a tree of frames."""

import pytest

import evergraph as tf
from evergraph.graph.registry import lookup
from evergraph.passes.imported.frames import behind_identities, find_frames, is_loop_switch
from evergraph.passes.imported.functionalize import without_back_edges
from evergraph.passes.prune import in_order, needed
from tests.passes.imported.control_flow import while_loop


def frames(*fetches):
    return find_frames(in_order(needed(fetches, []), [], without_back_edges), [])


def counting(body=lambda i: i + 1, start=0, name="loop"):
    start = tf.convert_to_tensor(start)
    with tf.control_dependencies([start]):  # says in which frame the constant is
        limit = tf.constant(3)
    return while_loop(lambda i, n: i < n, lambda i, n: [body(i)], [start], [limit], name)[0]


def test_a_graph_without_loops_is_one_frame():
    total = tf.constant(1.0) + tf.constant(2.0)
    whole = frames(total)
    assert whole.inner == [] and whole.depth == 0 and total.op in whole.nodes


def test_the_parts_of_a_loop():
    end = counting()
    whole = frames(tf.square(end))
    (loop,) = whole.inner
    assert loop.name == "loop" and loop.parent is whole and loop.depth == 1
    (variable,) = loop.variables()
    assert variable.enter.type == "Enter" and variable.merge.type == "Merge" and variable.next.op.type == "AddV2"
    assert loop.condition().type == "LoopCond"
    assert loop.exits() == {end.op: variable.merge}
    assert end.op in loop.nodes and end.consumers()[0] in whole.nodes


def test_loops_in_loops():
    end = counting(name="outer", body=lambda i: counting(start=i, name="inner") + 1)
    (outer,) = frames(end).inner
    (inner,) = outer.inner
    assert (outer.name, inner.name, inner.depth) == ("outer", "inner", 2)
    assert set(inner.nodes) < set(outer.all_nodes()) and not set(inner.nodes) & set(outer.nodes)


def test_two_loops_after_each_other():
    whole = frames(counting(start=counting(name="first"), name="second"))
    assert sorted(frame.name for frame in whole.inner) == ["first", "second"]


def test_the_switch_of_a_loop():
    end = counting()
    switch = behind_identities(end.op.inputs[0]).op
    assert is_loop_switch(switch)
    assert not is_loop_switch(lookup("Switch")(1.0, True).output_true.op)


def appending(goes_on):
    """(the loop that appends a row in each iteration as long as `goes_on(rows)` holds, the row)."""
    enter = lambda tensor, **attrs: lookup("Enter")(tensor, frame_name="loop", **attrs)
    first, row = enter(tf.placeholder(tf.float32, [None, 2])), enter(tf.ones([1, 2]), is_constant=True)
    rows = lookup("Merge")([first, first]).output
    switch = lookup("Switch")(rows, lookup("LoopCond")(goes_on(rows)))
    with tf.control_dependencies([switch.output_true]):
        axis = tf.constant(0)
    rows.op._update_input(1, lookup("NextIteration")(tf.concat([switch.output_true, row], axis)))
    (loop,) = frames(lookup("Exit")(switch.output_false)).inner
    return loop, row


def test_a_variable_that_only_grows():
    loop, row = appending(lambda rows: lookup("Enter")(False, frame_name="loop", is_constant=True))
    assert loop.appended(loop.variables()[0]) is row


def test_a_variable_that_the_loop_also_reads():
    loop, _ = appending(lambda rows: tf.reduce_all(tf.is_finite(rows)))
    assert loop.appended(loop.variables()[0]) is None


def test_forms_that_are_no_loops():
    lost = lookup("Exit")(tf.constant(1.0))
    with pytest.raises(tf.errors.InvalidArgumentError, match="is in no loop"):
        frames(tf.square(lost))
    entered = lookup("Enter")(tf.constant(1.0), frame_name="loop")
    (loop,) = frames(tf.square(entered)).inner
    with pytest.raises(tf.errors.UnimplementedError, match="0 conditions"):
        loop.condition()


def test_inputs_from_two_loops():
    inside = [lookup("Enter")(tf.constant(1.0), frame_name=name) for name in ("one", "other")]
    with pytest.raises(ValueError, match="neither inside the other"):
        frames(tf.add(*inside))
