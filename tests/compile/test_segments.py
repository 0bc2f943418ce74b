"""Segments: what nodes compute when they are replayed is what they compute one by one."""

import gc
import threading
import weakref

import numpy as np
import pytest

import evergraph as tf
from evergraph.compile import segments
from evergraph.compile.segments import RUNS_BEFORE, Segment
from evergraph.kernel import recording
from evergraph.kernel.foreign import available_now

pytestmark = pytest.mark.skipif(not recording.available(), reason="needs the C code")

RUNS = 5 * RUNS_BEFORE  # some after what was divided, and two signatures, were recorded


@pytest.fixture
def recorded(monkeypatch):
    """The segments that were recorded, each as often as it was."""
    found = []
    record = Segment._record
    monkeypatch.setattr(Segment, "_record", lambda self, *given: found.append(self) or record(self, *given))
    return found


@pytest.fixture
def divided(monkeypatch):
    """The errors at which segments were divided."""
    monkeypatch.setattr(segments, "_refused", set())
    found = []
    divide = Segment._divide
    monkeypatch.setattr(Segment, "_divide", lambda self, error, refuses: (
        found.append(error), divide(self, error, refuses)))
    return found


def fed(seed, *shape):
    return np.random.RandomState(seed).randn(*shape).astype(np.float32)


def assert_same_in_all_runs(fetches, feeds):
    """Each of many runs of a session gives what the first run of another one gives, to the bit."""
    with tf.Session(tier="numpy") as session:
        for run in range(RUNS):
            found = session.run(fetches, feeds(run))
            with tf.Session(tier="numpy") as other:
                for one, expected in zip(found, other.run(fetches, feeds(run)), strict=True):
                    np.testing.assert_array_equal(one, expected)


def test_a_segment_is_recorded_after_some_runs(recorded):
    x = tf.placeholder(tf.float32, [3, 4])
    y = tf.tanh(x) * 2.0 + tf.reduce_sum(x, 1, keepdims=True)
    with tf.Session(tier="numpy") as session:
        for run in range(RUNS):
            assert len(recorded) == (run >= RUNS_BEFORE)
            given = fed(run, 3, 4)
            np.testing.assert_array_equal(session.run(y, {x: given}), np.tanh(given) * 2 + given.sum(1, keepdims=True))


def test_each_signature_is_recorded_for_itself(recorded):
    x = tf.placeholder(tf.float32, [None, 4])
    y = [tf.nn.softmax(x), tf.matmul(x, x, transpose_a=True) + 1.0, tf.reshape(x, [-1]) * 2.0]
    assert_same_in_all_runs(y, lambda run: {x: fed(run, 2 + run % 2, 4)})
    assert len(recorded) >= 2


def test_a_node_that_cannot_be_recorded_divides_its_segment(divided):
    x = tf.placeholder(tf.float32, [5])
    y = tf.sin(tf.square(x)) + 1.0
    z = tf.cumsum(y)
    assert_same_in_all_runs([tf.sqrt(tf.abs(z)) * 2.0 + y, y * 3.0], lambda run: {x: fed(run, 5)})
    assert len(divided) == 1


@pytest.mark.skipif(not available_now("reduce.positions"), reason="needs a processor with AVX2")
@pytest.mark.parametrize("axis", [0, 1, 2, -1])
def test_positions_are_recorded(recorded, divided, axis):
    x = tf.placeholder(tf.float32, [None, 3, 4])
    most = tf.argmax(x * 2.0, axis, output_type=tf.int32) + 1
    least = tf.argmin(x * 2.0, axis) + 1
    odd = np.array([np.nan, np.inf, -np.inf, np.finfo(np.float32).max, np.finfo(np.float32).min, 0, 1], np.float32)

    def feeds(run):
        return {x: np.random.RandomState(run).choice(odd, [run % 3 + (axis == 0), 3, 4])}

    assert_same_in_all_runs([most, least], feeds)
    with tf.Session(tier="numpy") as session:
        for run in range(1, 8):
            with np.errstate(over="ignore"):
                numbers = feeds(run)[x] * 2
            numbers = np.where(numbers > np.finfo(np.float32).min, numbers, np.finfo(np.float32).min)
            np.testing.assert_array_equal(session.run(most, feeds(run)), numbers.argmax(axis) + 1)
    assert recorded and not divided


def test_numbers_that_decide_may_change(divided):
    """A slice whose place is fed: after a few places the node runs by itself."""
    x, start = tf.placeholder(tf.float32, [20]), tf.placeholder(tf.int32, [])
    y = tf.slice(tf.exp(x), [start], [3]) * 2.0 + 1.0
    runs = 24 * RUNS_BEFORE
    with tf.Session(tier="numpy") as session:
        for run in range(runs):
            given = fed(run, 20)
            found = session.run(y, {x: given, start: run % 13})
            np.testing.assert_array_equal(found, np.exp(given)[run % 13:run % 13 + 3] * 2 + 1)
    assert len(divided) == 1


def test_an_error_comes_in_every_run_and_names_its_node():
    table, ids = tf.constant(fed(0, 5, 2)), tf.placeholder(tf.int32, [3])
    y = tf.gather(table * 2.0, ids, name="rows") + 1.0
    with tf.Session(tier="numpy") as session:
        for _ in range(RUNS):
            np.testing.assert_array_equal(session.run(y, {ids: [0, 4, 1]}), fed(0, 5, 2)[[0, 4, 1]] * 2 + 1)
            with pytest.raises(tf.errors.InvalidArgumentError, match=r"= 5 is not in \[0, 5\)") as caught:
                session.run(y, {ids: [0, 5, 1]})
            assert caught.value.op.name == "rows"


def test_a_kernel_that_gets_no_memory_while_it_is_recorded_is_recorded_later(recorded, divided, monkeypatch):
    called, failures = recording.Recorder.called, [MemoryError()]

    def scarce(self, ufunc, inputs):
        if failures:
            raise failures.pop()
        return called(self, ufunc, inputs)
    monkeypatch.setattr(recording.Recorder, "called", scarce)
    x = tf.placeholder(tf.float32, [3])
    assert_same_in_all_runs([tf.tanh(x) * 2.0 + 1.0], lambda run: {x: fed(run, 3)})
    assert len(recorded) == 2 and not divided and not failures


def test_wrong_values_of_the_run_that_is_recorded_refuse_no_op(recorded, divided):
    x, y = (tf.placeholder(tf.float32, [None]) for _ in range(2))
    z = tf.exp(x + y) * 2.0
    with tf.Session(tier="numpy") as session:
        for run in range(RUNS):
            with pytest.raises(tf.errors.InvalidArgumentError, match="Incompatible shapes"):
                session.run(z, {x: fed(run, 2), y: fed(run, 3)})
    assert recorded and divided and not segments._refused


def test_variables_are_read_and_written_in_order():
    v = tf.Variable(fed(0, 3), use_resource=False)
    before = v.read_value() * 2.0 + 1.0
    with tf.control_dependencies([before]):
        step = tf.assign_add(v, before * 0.1)
    with tf.control_dependencies([step]):
        after = v.read_value() * 3.0 - 1.0
    with tf.Session(tier="numpy") as session:
        session.run(v.initializer)
        value = fed(0, 3)
        for _ in range(RUNS):
            found = session.run([before, after])
            old, value = value, value + (value * 2 + 1) * np.float32(0.1)
            np.testing.assert_allclose(found, [old * 2 + 1, value * 3 - 1], rtol=1e-6)


def test_what_a_user_does_with_results_and_feeds_changes_nothing():
    x, v = tf.placeholder(tf.float32, [3]), tf.Variable(tf.zeros([3]))
    y = [tf.reshape(x, [3, 1]), x * 1.0, v * 1.0 + x, tf.identity(v)]
    with tf.Session(tier="numpy") as session:
        session.run(v.initializer)
        for run in range(RUNS):
            given = fed(run, 3)
            found = session.run(y, {x: given})
            expected = given.copy()
            given[:] = 7
            np.testing.assert_array_equal(found[0][:, 0], expected)
            for each in found:
                each[...] = -1
        np.testing.assert_array_equal(session.run(v), np.zeros(3))


def test_loops(recorded):
    x, size = tf.placeholder(tf.float32, [4, None, 3]), tf.placeholder(tf.int32, [4])
    outputs, state = tf.nn.dynamic_rnn(tf.nn.rnn_cell.GRUCell(5), x, size, dtype=tf.float32)
    gradient, = tf.gradients(tf.reduce_sum(outputs * outputs), x)
    with tf.Session(tier="numpy") as session:
        session.run(tf.global_variables_initializer())
        feeds = lambda run: {x: fed(run, 4, 3 + run % 3, 3), size: [1, 2, 3, 3]}
        first = [session.run([outputs, state, gradient], feeds(run)) for run in range(RUNS)]
        for run, expected in enumerate(first):
            for one, other in zip(session.run([outputs, state, gradient], feeds(run)), expected, strict=True):
                np.testing.assert_array_equal(one, other)
    assert recorded


def test_threads_share_segments():
    x = tf.placeholder(tf.float32, [None, 8])
    y = tf.nn.softmax(tf.matmul(x, tf.ones([8, 8])) * 0.1 + x)
    failures = []

    def run(session, rows):
        for seed in range(60):
            given = fed(seed, rows, 8)
            mixed = (given @ np.ones((8, 8), np.float32)) * np.float32(0.1) + given
            raised = np.exp(mixed - mixed.max(1, keepdims=True))
            if not np.allclose(session.run(y, {x: given}), raised / raised.sum(1, keepdims=True), atol=1e-5):
                failures.append((seed, rows))

    with tf.Session(tier="numpy") as session:
        threads = [threading.Thread(target=run, args=[session, rows]) for rows in (2, 3, 500)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert not failures


def test_times_of_nodes_are_known_where_they_are_replayed():
    x = tf.placeholder(tf.float32, [4])
    y = tf.exp(tf.square(x, name="squared"), name="raised") + 1.0
    with tf.Session(tier="numpy") as session:
        for _ in range(RUNS):
            session.run(y, {x: fed(0, 4)})
        metadata = tf.RunMetadata()
        session.run(y, {x: fed(0, 4)}, tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE), metadata)
    nodes = {each.node_name: each for device in metadata.step_stats.dev_stats for each in device.node_stats}
    first, second = nodes["squared"], nodes["raised"]
    assert 0 < first.all_end_rel_nanos < 1e6 and 0 < second.all_end_rel_nanos < 1e6
    assert first.all_start_nanos + first.all_end_rel_nanos <= second.all_start_nanos
    assert second.output[0].tensor_description.allocation_description.requested_bytes == 16


def test_a_traced_loop_is_replayed_and_has_the_times_of_each_iteration():
    x = tf.placeholder(tf.float32, [4])
    last = tf.while_loop(lambda i, v: i < 5, lambda i, v: (i + 1, tf.tanh(tf.sin(v, name="sine") * 2.0)), [0, x],
                         name="loop")[1]
    with tf.Session(tier="numpy") as session:
        for _ in range(RUNS):
            plain = session.run(last, {x: fed(0, 4)})
        for _ in range(2):
            metadata = tf.RunMetadata()
            traced = session.run(last, {x: fed(0, 4)}, tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE), metadata)
            assert traced.tolist() == plain.tolist()
    (device,) = metadata.step_stats.dev_stats
    sines = [each for each in device.node_stats if each.node_name == "loop/sine"]
    (loop,) = [each for each in device.node_stats if each.node_name == last.op.inputs[0].op.name]
    assert len(sines) == 5 and all(each.all_end_rel_nanos > 0 for each in sines)
    spans = sorted((each.all_start_nanos, each.all_start_nanos + each.all_end_rel_nanos) for each in sines)
    assert all(before[1] <= after[0] for before, after in zip(spans, spans[1:]))
    assert loop.all_start_nanos <= spans[0][0]  # and its time is without that of its body
    assert sum(each.all_end_rel_nanos for each in device.node_stats) <= spans[-1][1] - loop.all_start_nanos + 1e6


def test_a_variable_that_is_read_again_after_an_update():
    v = tf.Variable(1.0, use_resource=False)
    doubled = v * 2.0 + 0.0
    update = v.assign_add(10.0)
    with tf.control_dependencies([update]):
        tripled = v * 3.0 + 0.0
    with tf.Session(tier="numpy") as session:
        session.run(v.initializer)
        for run in range(RUNS):
            old = 1.0 + 10.0 * run
            assert session.run([doubled, tripled, v, update])[:3] == [2 * old, 3 * (old + 10), old + 10]


def test_nodes_whose_results_nobody_uses():
    x = tf.placeholder(tf.float32, [3])
    with tf.control_dependencies([tf.square(x) + 1.0]):
        y = tf.identity(x)
    with tf.Session(tier="numpy") as session:
        for run in range(RUNS):
            np.testing.assert_array_equal(session.run(y, {x: fed(run, 3)}), fed(run, 3))


def test_what_stands_behind_a_check_runs_behind_it():
    x, most = tf.placeholder(tf.float32, [None]), tf.placeholder(tf.int32, [])
    with tf.control_dependencies([tf.assert_less_equal(most * 2, tf.shape(x)[0] + 0, message="too long")]):
        y = tf.slice(tf.square(x), [most], [most]) + 1.0
    with tf.Session(tier="numpy") as session:
        for run in range(RUNS):
            found = session.run(y, {x: fed(run, 6), most: 2})
            np.testing.assert_array_equal(found, fed(run, 6)[2:4] ** 2 + 1)
            with pytest.raises(tf.errors.InvalidArgumentError, match="too long"):
                session.run(y, {x: fed(run, 6), most: 4})


def test_a_graph_whose_kernels_were_recorded_and_timed_is_freed():
    with tf.Graph().as_default() as graph:
        x = tf.placeholder(tf.float32, [4])
        y = tf.exp(tf.square(x)) + 1.0
        with tf.Session(tier="numpy") as session:
            for _ in range(RUNS):
                session.run(y, {x: fed(0, 4)})
            session.run(y, {x: fed(0, 4)}, tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE), tf.RunMetadata())
    left = weakref.ref(graph)
    del graph, x, y, session
    gc.collect()
    assert left() is None


def test_a_kernel_may_call_a_function_whose_segments_are_replayed():
    """Its replay is none of the lines around it."""
    scale = tf.placeholder(tf.float32, [4])
    dataset = tf.data.Dataset.from_tensors(np.ones(4, np.float32)).repeat()
    element = dataset.map(lambda v: tf.tanh(tf.sin(v) * 2.0)).make_one_shot_iterator().get_next()
    y = tf.exp(tf.square(element * scale, name="squared"), name="raised") + 1.0
    with tf.Session(tier="numpy") as session:
        for number in range(2 * RUNS):
            metadata = tf.RunMetadata()
            session.run(y, {scale: fed(0, 4)}, tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE), metadata)
            names = [each.node_name for device in metadata.step_stats.dev_stats for each in device.node_stats]
            assert names.count("squared") == names.count("raised") == 1, number
