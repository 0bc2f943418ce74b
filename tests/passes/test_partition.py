"""What no host stage needs stands in the last device stage of its place; shapes cross stages as plain values."""

import numpy as np
import pytest

import evergraph as tf
from evergraph.base.devices import Place
from evergraph.compile import policy
from evergraph.graph.composite import IndexedSlices
from evergraph.graph.traits import Kind
from evergraph.passes.partition import partition
from evergraph.passes.prune import prune
from evergraph.run import plan


def stages(fetches, feeds):
    return partition(prune(fetches, feeds), fetches, feeds)


def on_the_host(x):
    """A host op between device ops."""
    return tf.raw_ops.SparseReorder(input_indices=[[0]], input_values=tf.reshape(x, [-1])[:1], input_shape=[1])[1]


def test_device_nodes_wait_for_their_users():
    x = tf.placeholder(tf.float32, [2, 3])
    early, late = x + 1.0, x * 2.0
    result = on_the_host(early) + late
    first, host, last = stages([result], [x])
    assert early.op in first.nodes and late.op in last.nodes and host.on_host
    assert {t.op.type for t in last.inputs} == {"Placeholder", "SparseReorder"}


def test_a_variable_does_not_cross():
    table, x = tf.Variable(tf.zeros([9, 2])), tf.placeholder(tf.float32, [1])
    rows = tf.gather(table, tf.cast(on_the_host(x * 1.0), tf.int32))
    slope = tf.gradients(tf.reduce_sum(tf.square(rows)), table)[0]
    assert isinstance(slope, IndexedSlices)
    update = tf.scatter_sub(table, slope.indices, slope.values)
    *_, last = stages([update], [x])
    assert update.op in last.nodes and last.donates
    assert not any(t.op.type == "Identity" for t in last.inputs)


def test_reads_stay_before_the_updates_they_came_before():
    v, x = tf.Variable(1.0, use_resource=True), tf.placeholder(tf.float32, [1])
    before = v.read_value()
    with tf.control_dependencies([before]):
        update = v.assign_add(on_the_host(x + 1.0)[0])
    with tf.control_dependencies([update]):
        after = v.read_value()
    with tf.Session() as session:
        session.run(v.initializer)
        assert session.run([before, after], {x: [2.0]}) == [1.0, 4.0]
        assert session.run([before, after], {x: [0.0]}) == [4.0, 5.0]


def test_shapes_that_cross_are_plain():
    x = tf.placeholder(tf.float32, [None, 3])
    total = x * 2.0
    count = tf.shape(total)[0] * 3
    host = on_the_host(total + tf.cast(count, tf.float32))
    result = tf.reshape(total + host, tf.stack([count]))
    *_, last = stages([result], [x])
    assert count in last.static and total not in last.static
    with tf.Session(tier="xla") as session:
        for rows in (2, 4, 2):
            fed = np.ones((rows, 3), np.float32)
            np.testing.assert_allclose(session.run(result, {x: fed}), np.full(3 * rows, 4.0 + 3 * rows))
        compiled = policy.compilations.count
        session.run(result, {x: np.ones((4, 3), np.float32)})
        assert policy.compilations.count == compiled


def test_lists_of_strings_stay_on_the_host():
    x, words = tf.placeholder(tf.float32, [3]), tf.constant(["a", "b"])
    upper = tf.map_fn(lambda _: tf.strings.upper(words), x, dtype=tf.string)
    found = stages([upper, tf.exp(x)], [x])
    assert not any(t.dtype == tf.variant for stage in found if not stage.on_host for t in stage.inputs)


def test_large_device_stages_are_cut():
    x = tf.placeholder(tf.float32, [])
    y = x
    for _ in range(10):
        y = tf.tanh(y) + x
    whole, nodes = stages([y], [x]), prune([y], [x])
    cut = partition(nodes, [y], [x], most_nodes=8)
    assert [len(stage.nodes) for stage in whole] == [20]
    assert [len(stage.nodes) for stage in cut] == [7, 7, 6]
    assert [stage.donates for stage in cut] == [False, False, True]
    assert [node for stage in cut for node in stage.nodes] == nodes


def trained(monkeypatch, most, tier):
    """The loss and the weights over five steps, with programs of so many nodes."""
    monkeypatch.setattr(plan, "MOST_NODES", most)
    with tf.Graph().as_default(), tf.Session(tier=tier) as session:
        x = tf.placeholder(tf.float32, [4, 3])
        h = x
        for number in range(3):
            w = tf.get_variable(f"w{number}", [3, 3], initializer=tf.constant_initializer(0.3))
            h = tf.tanh(tf.matmul(h, w)) + h
        loss = tf.reduce_mean(h * h)
        step = tf.train.AdamOptimizer(0.1).minimize(loss)
        session.run(tf.global_variables_initializer())
        rows = np.linspace(-1, 1, 12).reshape(4, 3)
        losses = [session.run([loss, step], {x: rows})[0] for _ in range(5)]
        return losses, session.run(tf.trainable_variables())


@pytest.mark.parametrize("tier", ["numpy", "xla", None])
def test_a_step_of_several_programs_trains_as_one(monkeypatch, tier):
    losses, weights = trained(monkeypatch, 10_000, tier)
    cut_losses, cut_weights = trained(monkeypatch, 25, tier)
    np.testing.assert_allclose(cut_losses, losses, rtol=1e-5)
    np.testing.assert_allclose(cut_weights, weights, rtol=1e-4, atol=1e-6)


def test_a_step_of_several_programs_that_fails_changes_nothing(monkeypatch):
    monkeypatch.setattr(plan, "MOST_NODES", 4)
    with tf.Graph().as_default(), tf.Session(tier="xla") as session:
        x, v = tf.placeholder(tf.float32, []), tf.Variable(1.0)
        with tf.control_dependencies([v.assign_add(x)]):
            y = x
            for _ in range(5):
                y = tf.tanh(y) + x
            bad = tf.check_numerics(1.0 / (y - y + x), "divided by zero")
        session.run(v.initializer)
        with pytest.raises(tf.errors.InvalidArgumentError):
            session.run(bad, {x: 0.0})
        assert session.run(v) == 1
        session.run(bad, {x: 2.0})
        assert session.run(v) == 3


# ---- places


HERE, THERE = Place(), Place(device="CPU:1")


def by_place(fetches, places, feeds=()):
    found = partition(prune(fetches, feeds), fetches, feeds, best=HERE, places=places)
    return [(stage.place.device, [n.name for n in stage.nodes if n.opdef.kind is not Kind.CONSTANT]) for stage in found]


def test_stages_are_cut_by_place():
    x = tf.placeholder(tf.float32, [2], name="x")
    a, b = tf.exp(x, name="a"), tf.tanh(x, name="b")
    c = tf.add(a, b, name="c")
    assert by_place([c], {}, [x]) == [("CPU:0", ["a", "b", "c"])]
    assert by_place([c], {b.op: THERE}, [x]) == [("CPU:0", ["a"]), ("CPU:1", ["b"]), ("CPU:0", ["c"])]
    assert by_place([a, b], {b.op: THERE}, [x]) == [("CPU:0", ["a"]), ("CPU:1", ["b"])]
    assert by_place([c], dict.fromkeys((a.op, b.op, c.op), THERE), [x]) == [("CPU:1", ["a", "b", "c"])]


def test_stages_of_one_level_do_not_depend_on_each_other():
    x = tf.placeholder(tf.float32, [2], name="x")
    a, b = tf.exp(x, name="a"), tf.tanh(x, name="b")
    c, w = tf.add(a, b, name="c"), tf.get_variable("w", [2])
    up = tf.assign_add(w, c * 2.0)
    first, second, third = partition(prune([up], [x]), [up], [x], best=HERE, places={b.op: THERE})
    assert first.level == second.level != third.level
    assert [stage.donates for stage in (first, second, third)] == [False, False, True]
    both = partition(prune([a, b], [x]), [a, b], [x], best=HERE, places={b.op: THERE})
    assert both[0].level == both[1].level and not any(stage.donates for stage in both)
    assert [stage.level for stage in partition(prune([up], [x]), [up], [x])] == [None]


def test_what_runs_on_the_host_is_on_the_first_cpu_of_its_task():
    text = tf.placeholder(tf.string, [2], name="text")
    number, elsewhere = tf.string_to_number(text, name="number"), Place("/job:ps/replica:0/task:0", "GPU:1")
    stages = partition(prune([number], [text]), [number], [text], best=HERE, places={number.op: elsewhere})
    assert [stage.place for stage in stages] == [Place(elsewhere.task, "CPU:0")]


def test_nodes_that_only_wait_are_in_the_stage_of_the_last_one():
    x = tf.placeholder(tf.float32, [2], name="x")
    a, b = tf.exp(x, name="a"), tf.tanh(x, name="b")
    done = tf.group(tf.group(a, name="first"), b, name="done")
    assert by_place([done], {b.op: THERE}, [x]) == [("CPU:0", ["a", "first"]), ("CPU:1", ["b", "done"])]


def test_variables_of_another_place_are_guests():
    w = tf.get_variable("w", [2], use_resource=True)
    loop = tf.while_loop(lambda i: i < 3, lambda i: i + tf.cast(tf.reduce_sum(w), tf.int32), [0])
    nodes, node = prune([loop], []), loop.op._inputs[0].op
    found = partition(nodes, [loop], [], best=HERE, places={node: THERE})
    assert [(stage.place, stage.guests) for stage in found] == [(THERE, {w.handle.op}), (HERE, frozenset())]
    assert [stage.guests for stage in partition(nodes, [loop], [], best=HERE)] == [frozenset()]
