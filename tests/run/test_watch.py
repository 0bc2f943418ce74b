"""Options of a run: how long it may take, and what RunMetadata says about it."""

import time

import numpy as np
import pytest

import evergraph as tf

FULL = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE)


def traced(session, fetches, feed_dict=None, options=FULL):
    metadata = tf.RunMetadata()
    return session.run(fetches, feed_dict, options=options, run_metadata=metadata), metadata


def stats(metadata):
    return {node.node_name: node for device in metadata.step_stats.dev_stats for node in device.node_stats}


def slow(x):
    time.sleep(0.02)
    return x


def test_nodes_that_run_as_python_have_times():
    x = tf.placeholder(tf.float32, [2], name="x")
    y = tf.add(tf.py_func(slow, [x], tf.float32, name="slow"), 1.0, name="more")
    with tf.Session(tier="numpy") as session:
        before = time.time()
        value, metadata = traced(session, y, {x: [1, 2]})
        after = time.time()
    assert value.tolist() == [2, 3]
    (device,) = metadata.step_stats.dev_stats
    assert device.device == "/job:localhost/replica:0/task:0/device:CPU:0"
    nodes = stats(metadata)
    assert nodes["slow"].all_end_rel_micros >= 20_000 > nodes["more"].all_end_rel_micros >= 1
    assert before * 1e6 <= nodes["slow"].all_start_micros <= nodes["more"].all_start_micros <= after * 1e6
    assert nodes["more"].timeline_label == "more = Add(slow, more/y)"
    (output,) = nodes["more"].output
    described = output.tensor_description
    assert [d.size for d in described.shape.dim] == [2] and described.dtype == tf.float32.as_datatype_enum
    assert described.allocation_description.requested_bytes == 8


@pytest.mark.parametrize("tier, op, wanted", [
    (None, tf.square, "a program is no faster"),
    ("xla", tf.square, "XLA; as the session asks"),
    (None, lambda x: tf.py_func(slow, [x], tf.float32), "NumPy; ops of the host"),
])
def test_each_stage_says_why_it_runs_where_it_does(tier, op, wanted):
    x = tf.placeholder(tf.float32, [2])
    y = op(x)
    with tf.Session(tier=tier) as session:
        metadata = traced(session, y, {x: [1, 2]})[1]
    device = metadata.step_stats.dev_stats[0]
    line = device.thread_names[stats(metadata)[y.op.name].thread_id]
    assert line.startswith(f"stage {y.op.name} (1 nodes") and line.endswith(wanted)


def test_a_compiled_stage_is_one_entry_and_says_which_nodes_it_is():
    x = tf.placeholder(tf.float32, [3, 3], name="x")
    w = tf.get_variable("w", [3, 3], initializer=tf.ones_initializer())
    y = tf.matmul(x, w, name="y")
    with tf.Session(tier="xla") as session:
        session.run(w.initializer)
        _, first = traced(session, y, {x: np.eye(3)})
        _, second = traced(session, y, {x: np.eye(3)})
    assert "compiling it" in stats(first)["compiled_0"].timeline_label
    nodes = stats(second)
    assert "compiling it" not in nodes["compiled_0"].timeline_label and nodes["compiled_0"].all_end_rel_micros > 0
    assert nodes["y"].timeline_label == "y = MatMul(in compiled_0)"
    assert 0 < nodes["y"].all_end_rel_nanos <= nodes["compiled_0"].all_end_rel_nanos
    assert [d.size for d in nodes["y"].output[0].tensor_description.shape.dim] == [3, 3]


def test_nothing_is_traced_unless_asked():
    y = tf.constant(1.0) + 2.0
    with tf.Session() as session:
        for options in (None, tf.RunOptions(), tf.RunOptions(timeout_in_ms=10_000)):
            assert not traced(session, y, options=options)[1].ByteSize()
        assert session.run(y, options=FULL) == 3.0


def test_iterations_of_a_loop_have_times_and_memory():
    y = tf.while_loop(lambda i, x: i < 3, lambda i, x: (i + 1, tf.matmul(x, x)), [0, tf.ones([4, 4])], name="loop")[1]
    metadata = tf.RunMetadata()
    with tf.Session(tier="numpy") as session:
        session.run(y, options=FULL, run_metadata=metadata)
    products = [n for d in metadata.step_stats.dev_stats for n in d.node_stats if n.node_name == "loop/MatMul"]
    assert len(products) == 3 and all(n.memory[0].total_bytes == 64 for n in products)
    assert products[0].all_start_nanos < products[1].all_start_nanos < products[2].all_start_nanos
    assert stats(metadata)["ones"].memory_stats.persistent_memory_size == 64


@pytest.mark.cpus
def test_nodes_of_compiled_programs_have_the_times_of_their_kernels():
    x = tf.placeholder(tf.float32, [200, 200], name="x")
    total = tf.reduce_sum(tf.exp(tf.matmul(x, x, name="product"), name="exp"), name="total")
    with tf.Session(tier="xla") as session:
        traced(session, total, {x: np.ones([200, 200])})
        _, metadata = traced(session, total, {x: np.ones([200, 200])})
        _, cheap = traced(session, total, {x: np.ones([200, 200])}, tf.RunOptions(trace_level=1))
    nodes = stats(metadata)
    assert {"compiled_0", "product", "exp"} <= set(nodes) and "x" not in nodes
    program, kernels = nodes["compiled_0"], sum(n.all_end_rel_nanos for n in nodes.values())
    assert program.all_end_rel_nanos >= nodes["product"].all_end_rel_nanos > 0
    assert kernels <= 2 * program.all_end_rel_nanos  # no kernel counts twice
    assert [d.device.rpartition("/")[2] for d in metadata.step_stats.dev_stats] == ["device:CPU:0", "programs"]
    assert stats(cheap)["exp"].all_end_rel_nanos == stats(cheap)["compiled_0"].all_end_rel_nanos


def test_the_graphs_that_ran():
    x = tf.placeholder(tf.float32, [], name="x")
    y = tf.cond(x > 0, lambda: x * 2, lambda: x)
    tf.constant(5, name="unused")
    with tf.Session() as session:
        _, metadata = traced(session, y, {x: 1.0}, tf.RunOptions(output_partition_graphs=True))
    (graph,) = metadata.partition_graphs
    names = [node.name for node in graph.node]
    assert "x" in names and "unused" not in names and not metadata.step_stats.dev_stats
    assert len(graph.library.function) == 2 and all(node.device.endswith("CPU:0") for node in graph.node)


def test_costs():
    y = tf.py_func(slow, [tf.constant(1.0, name="c")], tf.float32, name="slow")
    config = tf.ConfigProto(graph_options=tf.GraphOptions(build_cost_model=1))
    with tf.Session(config=config) as session:
        _, metadata = traced(session, y)
    nodes = {node.name: node for node in metadata.cost_graph.node}
    assert nodes["slow"].compute_cost >= 20_000 and not nodes["slow"].inaccurate
    assert [i.preceding_node for i in nodes["slow"].input_info] == [nodes["c"].id]


def test_tensorboard_reads_it(tmp_path):
    with tf.Session() as session, tf.summary.FileWriter(str(tmp_path), session.graph) as writer:
        writer.add_run_metadata(traced(session, tf.constant(1.0) + 2.0)[1], "step 0")
    events = list(tf.train.summary_iterator(writer.path))
    assert tf.RunMetadata.FromString(events[-1].tagged_run_metadata.run_metadata).step_stats.dev_stats


# ---- time


@pytest.mark.parametrize("blocked", [
    lambda queue: queue.dequeue(), lambda queue: queue.dequeue_many(3),
    lambda queue: tf.ConditionalAccumulator(tf.float32, shape=[]).take_grad(1),
])  # fmt: skip
def test_a_run_that_waits_ends_in_time(blocked):
    queue = tf.FIFOQueue(10, tf.float32, shapes=[[]])
    fetch = blocked(queue)
    with tf.Session() as session:
        session.run(queue.enqueue(1.0))
        if fetch.op.type == "QueueDequeueV2":
            session.run(fetch)
        began = time.monotonic()
        with pytest.raises(tf.errors.DeadlineExceededError):
            session.run(fetch, options=tf.RunOptions(timeout_in_ms=50))
        assert 0.04 < time.monotonic() - began < 5


def test_an_enqueue_that_waits_too_long_adds_nothing():
    queue = tf.FIFOQueue(1, tf.float32)
    with tf.Session() as session:
        session.run(queue.enqueue(1.0))
        with pytest.raises(tf.errors.DeadlineExceededError):
            session.run(queue.enqueue(2.0), options=tf.RunOptions(timeout_in_ms=20))
        assert session.run(queue.size()) == 1 and session.run(queue.dequeue()) == 1.0


def test_the_options_go_before_the_session():
    queue = tf.FIFOQueue(1, tf.float32)
    config = tf.ConfigProto(operation_timeout_in_ms=20)
    with tf.Session(config=config) as session:
        began = time.monotonic()
        with pytest.raises(tf.errors.DeadlineExceededError):
            session.run(queue.dequeue(), options=tf.RunOptions(timeout_in_ms=200))
        assert time.monotonic() - began > 0.15
        with pytest.raises(tf.errors.DeadlineExceededError):
            session.run(queue.dequeue())


def test_what_has_not_begun_does_not_begin():
    w = tf.get_variable("w", initializer=1.0)
    waited = tf.py_func(slow, [tf.constant(1.0)], tf.float32, stateful=True)
    change = tf.assign(w, tf.reshape(waited, []) + 5.0)
    with tf.Session() as session:
        session.run(w.initializer)
        with pytest.raises(tf.errors.DeadlineExceededError):
            session.run(change, options=tf.RunOptions(timeout_in_ms=5))
        assert session.run(w) == 1.0
        assert session.run(change, options=tf.RunOptions(timeout_in_ms=60_000)) == 6.0


def test_callables_take_options():
    y = tf.constant(1.0) + 2.0
    with tf.Session() as session:
        metadata = tf.RunMetadata()
        assert session.make_callable(y, accept_options=True)(options=FULL, run_metadata=metadata) == 3.0
        assert metadata.step_stats.dev_stats


def test_a_loop_without_an_end():
    endless = tf.while_loop(lambda x: True, lambda x: x + 1, [tf.constant(0)])
    with tf.Session() as session, pytest.raises(tf.errors.DeadlineExceededError):
        session.run(endless, options=tf.RunOptions(timeout_in_ms=20))


def test_a_long_loop_with_a_deadline_stays_where_it_can_be_ended(monkeypatch):
    """Without a deadline it would be given up for a program of XLA, which nothing ends."""
    monkeypatch.setattr("evergraph.compile.choice.most_calls", lambda work: 10)
    limit = tf.placeholder(tf.int64, [])
    last = tf.while_loop(lambda i: i < limit, lambda i: i + 1, [tf.constant(0, tf.int64)])
    with tf.Session() as session, pytest.raises(tf.errors.DeadlineExceededError):
        session.run(last, {limit: 2**60}, options=tf.RunOptions(timeout_in_ms=200))
