"""Loops over the steps of sequences that are fed: one program for all lengths that its lists have room for."""

import numpy as np
import pytest

import evergraph as tf
from evergraph.compile.policy import compilations
from evergraph.graph.traits import Kind
from evergraph.passes.dynamic_lengths import over_time
from evergraph.run import executor
from tests.harness.tiers import compile_loops_after

LENGTHS = (5, 9, 3)


@pytest.fixture(autouse=True)
def at_once(monkeypatch):
    """Loops are compiled when they first run."""
    compile_loops_after(monkeypatch, 0)


def recurrent():
    x = tf.placeholder(tf.float32, [2, None, 3])
    outputs, _ = tf.nn.dynamic_rnn(tf.nn.rnn_cell.BasicRNNCell(4), x, dtype=tf.float32)
    return outputs, tf.reduce_mean(tf.square(outputs)), lambda steps: {x: DATA[:2, :steps]}


def time_major():
    x, lengths = tf.placeholder(tf.float32, [None, 2, 3]), tf.placeholder(tf.int32, [2])
    outputs, state = tf.nn.dynamic_rnn(tf.nn.rnn_cell.BasicRNNCell(4), x, lengths, dtype=tf.float32, time_major=True)
    loss = tf.reduce_sum(state) + tf.reduce_sum(outputs ** 2)
    return outputs, loss, lambda steps: {x: DATA[:2, :steps].transpose(1, 0, 2), lengths: [steps, 1]}


def bidirectional():
    ids, lengths = tf.placeholder(tf.int32, [None, None]), tf.placeholder(tf.int32, [None])
    words = tf.nn.embedding_lookup(tf.get_variable("table", [7, 3]), ids)
    cells = [tf.nn.rnn_cell.BasicRNNCell(4) for _ in range(2)]
    outputs, states = tf.nn.bidirectional_dynamic_rnn(*cells, words, lengths, dtype=tf.float32)
    loss = tf.reduce_mean(tf.square(tf.concat(states, 1))) + tf.reduce_mean(tf.concat(outputs, 2))
    data = np.random.RandomState(1).randint(0, 7, [3, 20])
    return outputs[1], loss, lambda steps: {ids: data[:, :steps], lengths: [1, steps, steps]}


def scanned():
    x, w = tf.placeholder(tf.float32, [None, 3]), tf.get_variable("w", [3, 3])
    found = tf.scan(lambda state, row: tf.tanh(tf.matmul([state], w)[0] + row), x, initializer=tf.zeros([3]))
    return found, tf.reduce_sum(found ** 2), lambda steps: {x: DATA[0, :steps]}


def mapped():
    x, w = tf.placeholder(tf.float32, [None, 3]), tf.get_variable("w", [3, 3])
    found = tf.map_fn(lambda row: tf.tanh(tf.matmul([row], w)[0]), x)
    return found, tf.reduce_sum(found ** 2), lambda steps: {x: DATA[0, :steps]}


def scanned_behind_a_network():
    x, labels = tf.placeholder(tf.float32, [2, None, 3]), tf.placeholder(tf.int32, [2, None])
    outputs, _ = tf.nn.dynamic_rnn(tf.nn.rnn_cell.BasicRNNCell(4), x, dtype=tf.float32)
    rows, w = tf.transpose(outputs, [1, 0, 2]), tf.get_variable("w", [4, 4])
    found = tf.scan(lambda state, row: tf.tanh(tf.matmul(state, w) + row), rows[1:], rows[0])
    loss = tf.reduce_sum(found ** 2) - tf.reduce_sum(outputs * tf.one_hot(labels, 4))
    return found, loss, lambda steps: {x: DATA[:2, :steps], labels: np.ones((2, steps))}


DATA = np.random.RandomState(0).randn(3, 300, 3).astype(np.float32)


def trained(build, tier=None, lengths=LENGTHS):
    """(what each step returned, the variables at the end, how many programs each step compiled)."""
    with tf.Graph().as_default():
        outputs, loss, feeds = build()
        train = tf.train.AdagradOptimizer(0.1).minimize(loss)
        generator, results, counts = np.random.RandomState(3), [], []
        with tf.Session(tier=tier) as session:
            session.run(tf.global_variables_initializer())
            for variable in tf.trainable_variables():
                variable.load(0.5 * generator.randn(*variable.shape.as_list()), session)
            for steps in lengths:
                before = compilations.count
                results.append(session.run([outputs, loss, train], feeds(steps))[:2])
                counts.append(compilations.count - before)
            return results, session.run(tf.trainable_variables()), counts


def flat(found):
    return [part for step in found[0] for part in step] + list(found[1])


def padded(build):
    """What `trained` returns, which is right and takes no program for the third length."""
    found = trained(build)
    assert not any(found[2][2:]), found[2]
    for expected, value in zip(flat(trained(build, "numpy")), flat(found), strict=True):
        np.testing.assert_allclose(value, expected, rtol=2e-4, atol=1e-6)
    return found


@pytest.mark.cpus
@pytest.mark.parametrize("build", [recurrent, scanned, mapped])
def test_lengths_are_one_program(build):
    padded(build)


@pytest.mark.cpus
@pytest.mark.parametrize("build", [time_major, bidirectional])
def test_padding_changes_no_bit(build, monkeypatch):
    found = padded(build)
    monkeypatch.setattr(executor, "LEAST_ROOM", 0)
    monkeypatch.setattr(executor, "room_for", lambda length: length)
    monkeypatch.setattr(executor, "_MOST_ROOM", 1)  # every list has a buffer of its own length
    exact = trained(build)
    assert exact[2][-1] > 0
    for expected, value in zip(flat(exact), flat(found), strict=True):
        np.testing.assert_array_equal(value, expected)


def test_loops_behind_loops_are_planned_once():
    """The second loop runs over what the first one makes: it is given no room, and does not ask for it for ever."""
    found = trained(scanned_behind_a_network, lengths=(*LENGTHS, *LENGTHS))
    expected = trained(scanned_behind_a_network, "numpy", (*LENGTHS, *LENGTHS))
    for wanted, value in zip(flat(expected), flat(found), strict=True):
        np.testing.assert_allclose(value, wanted, rtol=2e-4, atol=1e-6)


def test_one_length_stays_one_program():
    assert sum(trained(recurrent, lengths=[5] * 4)[2]) == 1


@pytest.mark.cpus
def test_longer_sequences_get_more_room(monkeypatch):
    """Rooms are powers of two; one that is much too large is left for the next smaller one."""
    monkeypatch.setattr(executor, "LEAST_ROOM", 8)
    counts = trained(scanned, lengths=[4, 5, 8, 9, 16, 6, 200, 6])[2]
    assert [count > 0 for count in counts] == [True, True, False, True, False, False, True, False]


def test_other_batch_sizes_are_no_lengths():
    x = tf.placeholder(tf.float32, [None, None, 3])
    outputs, _ = tf.nn.dynamic_rnn(tf.nn.rnn_cell.BasicRNNCell(4), x, dtype=tf.float32)
    train = tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_mean(outputs))
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for batch in (3, 2, 3, 2):
            session.run(train, {x: DATA[:batch, :5]})
        plan = session._steps[0].plan
    assert not plan.findings.dynamic_lengths and len(plan.runners) == 1


def test_loops_that_look_at_the_whole_sequence_are_left_alone():
    x = tf.placeholder(tf.float32, [2, None, 3])
    attention = tf.contrib.seq2seq.LuongAttention(3, x)
    cell = tf.contrib.seq2seq.AttentionWrapper(tf.nn.rnn_cell.GRUCell(3), attention)
    tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)
    assert not over_time(tf.get_default_graph().get_operations(), [x]).lists


def test_what_belongs_to_the_loops():
    outputs, loss, _ = recurrent()
    nodes = [node for node in tf.get_default_graph().get_operations()]
    found = over_time(nodes, [node.outputs[0] for node in nodes if node.opdef.kind is Kind.PLACEHOLDER])
    assert [t.op.type for t in found.lists] == ["TensorListFromTensor"]
    assert {node.type for node in found.before} >= {"Transpose", "Shape", "StridedSlice", "TensorListFromTensor"}
    assert [t.name for t in found.stacked] == [outputs.op.inputs[0].op.inputs[0].name]
    assert over_time([loss.op], []) == type(found)()
