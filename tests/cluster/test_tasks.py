"""Steps that several processes share give what they give in one process."""

import threading

import numpy as np
import pytest

import evergraph as tf

VARIABLES = pytest.mark.parametrize("use_resource", [False, True], ids=["ref", "resource"])


def model(use_resource, optimizer):
    """A model with an embedding and two dense layers: (ids, labels, loss, train)."""
    rng = np.random.RandomState(0)
    tf.get_variable_scope().set_use_resource(use_resource)
    ids, labels = tf.placeholder(tf.int32, [None, 3]), tf.placeholder(tf.float32, [None, 1])
    table = tf.get_variable("table", initializer=rng.randn(1000, 4).astype("f"))
    w = tf.get_variable("w", initializer=rng.randn(12, 5).astype("f"))
    u = tf.get_variable("u", initializer=rng.randn(5, 1).astype("f"))
    rows = tf.reshape(tf.nn.embedding_lookup(table, ids), [-1, 12])
    loss = tf.reduce_mean(tf.square(tf.matmul(tf.nn.tanh(tf.matmul(rows, w)), u) - labels))
    return ids, labels, loss, optimizer().minimize(loss, tf.train.get_or_create_global_step())


def trajectory(target, use_resource, optimizer, scope):
    rng = np.random.RandomState(1)
    with tf.Graph().as_default(), scope():
        ids, labels, loss, train = model(use_resource, optimizer)
        with tf.Session(target) as session:
            session.run(tf.global_variables_initializer())
            feeds = [{ids: rng.randint(0, 50, [8, 3]), labels: rng.randn(8, 1)} for _ in range(8)]
            losses = [session.run([loss, train], feed)[0] for feed in feeds]
            return losses, session.run(tf.train.get_global_step()), session.run(tf.trainable_variables())


OPTIMIZERS = {
    "sgd": lambda: tf.train.GradientDescentOptimizer(0.1), "adam": lambda: tf.train.AdamOptimizer(0.05),
    "adagrad": lambda: tf.train.AdagradOptimizer(0.1), "momentum": lambda: tf.train.MomentumOptimizer(0.05, 0.9),
}  # fmt: skip


@VARIABLES
@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_the_same_trajectory(target, on_ps, use_resource, optimizer):
    wanted = trajectory("", use_resource, OPTIMIZERS[optimizer], lambda: tf.device(None))
    losses, step, variables = trajectory(target, use_resource, OPTIMIZERS[optimizer], on_ps)
    np.testing.assert_allclose(losses, wanted[0], rtol=1e-5)
    assert step == wanted[1] == 8
    for found, each in zip(variables, wanted[2], strict=True):
        np.testing.assert_allclose(found, each, rtol=1e-5, atol=1e-6)


def parts_of(session, fetches, feeds):
    return session._find(fetches, [(feed, None) for feed in feeds])[0]._parts


@VARIABLES
def test_a_task_is_called_twice_a_step_and_rows_travel(target, on_ps, cluster, use_resource):
    with on_ps():
        ids, labels, loss, train = model(use_resource, OPTIMIZERS["sgd"])
    with tf.Session(target) as session:
        parts = parts_of(session, [train, loss], [ids, labels])
    assert [part.task for part in parts if part.task == cluster[0]["ps"][1]] == [cluster[0]["ps"][1]] * 2
    travels = {tensor for part in parts for tensor in (*part.outputs, *part.inputs)}
    assert not [tensor for tensor in travels if tensor.shape.as_list()[:1] == [1000]]


def test_what_a_step_writes_is_read_by_those_who_wait(target, on_ps):
    with on_ps():
        v = tf.get_variable("v", initializer=1.0)
        before = v + 0.0
        with tf.control_dependencies([v.assign_add(10.0)]):
            after = v + 0.0
    with tf.Session(target) as session:
        session.run(v.initializer)
        assert session.run([before, after]) == [1.0, 11.0]
        assert session.run(v) == 11.0
        assert session.run([v.assign_add(1.0), v.op]) == [12.0, None]


@VARIABLES
def test_branches_and_loops(target, on_ps, use_resource):
    with on_ps():
        v = tf.get_variable("v", initializer=2.0, use_resource=use_resource)
        fed = tf.placeholder(tf.float32, [])
        value = v * 1.0
        powers = tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, a * value), [0, fed])[1]
        chosen = tf.cond(fed > 1.0, lambda: value + fed, lambda: value - fed)
        gradient, = tf.gradients(powers, value)
    with tf.Session(target) as session:
        session.run(v.initializer)
        assert session.run([powers, chosen, gradient], {fed: 3.0}) == [24.0, 5.0, 36.0]


def test_sessions_of_all_processes_share(target, on_ps, cluster):
    with tf.device("/job:ps/task:1"):
        v = tf.get_variable("v", initializer=[1.0, 2.0])
        queue = tf.FIFOQueue(5, tf.string, shapes=[()], shared_name="words")
    put, take = queue.enqueue_many([["a", "b"]]), queue.dequeue()
    with tf.Session(target) as session:
        session.run([v.initializer, put])
    with tf.Session(f"grpc://{cluster[0]['ps'][1]}") as session:
        assert session.run(v).tolist() == [1.0, 2.0]
        assert session.run(take) == b"a"
    with tf.Session(f"grpc://{cluster[0]['ps'][0]}") as session:
        assert session.run(take) == b"b"  # one parameter server asks the other


def test_isolated_sessions(target):
    with tf.device("/job:ps/task:0"):
        v = tf.get_variable("v", initializer=1.0)
    with tf.Session(target) as session, \
            tf.Session(target, config=tf.ConfigProto(isolate_session_state=True)) as isolated:
        session.run(v.initializer)
        with pytest.raises(tf.errors.FailedPreconditionError):
            isolated.run(v)
        isolated.run(v.initializer)
        isolated.run(v.assign_add(5.0))
        assert (session.run(v), isolated.run(v)) == (1.0, 6.0)


def test_containers(target):
    with tf.device("/job:ps/task:0"):
        with tf.container("kept"):
            kept = tf.get_variable("kept", initializer=1.0)
        gone = tf.get_variable("gone", initializer=1.0)
    with tf.Session(target) as session:
        session.run([kept.initializer, gone.initializer])
    tf.Session.reset(target, ["localhost"])
    with tf.Session(target) as session:
        assert session.run(kept) == 1.0
        with pytest.raises(tf.errors.FailedPreconditionError):
            session.run(gone)


def test_errors_of_other_tasks_have_their_class(target):
    x = tf.placeholder(tf.float32, [None])
    with tf.device("/job:ps/task:0"):
        v, queue = tf.get_variable("v", [2]), tf.FIFOQueue(2, tf.float32, shapes=[()])
        wrong, close, take = tf.constant([1.0, 2.0]) + x, queue.close(), queue.dequeue()
    with tf.Session(target) as session:
        with pytest.raises(tf.errors.FailedPreconditionError, match="v"):
            session.run(v)
        with pytest.raises(tf.errors.InvalidArgumentError, match="shapes"):
            session.run(wrong, {x: [1.0, 2.0, 3.0]})
        with pytest.raises(tf.errors.DeadlineExceededError):
            session.run(take, options=tf.RunOptions(timeout_in_ms=50))
        session.run(close)
        with pytest.raises(tf.errors.OutOfRangeError, match="closed"):
            session.run(take)


def test_a_step_waits_for_another_in_a_queue_elsewhere(target):
    with tf.device("/job:ps/task:0"):
        queue = tf.FIFOQueue(2, tf.float32, shapes=[()])
        take, put, size = queue.dequeue(), queue.enqueue(7.0), queue.size()
    with tf.Session(target) as session:
        session.run(size)
        found = []
        thread = threading.Thread(target=lambda: found.append(session.run(take)))
        thread.start()
        session.run(put)
        thread.join()
        assert found == [7.0]


def test_a_session_that_ends_waits_no_longer(target):
    """Otherwise it would take what somebody else waits for."""
    with tf.device("/job:ps/task:0"):
        queue = tf.FIFOQueue(2, tf.float32, shapes=[()])
        take, put = queue.dequeue(), queue.enqueue(7.0)
    session, raised = tf.Session(target), []

    def wait():
        try:
            session.run(take)
        except tf.errors.OpError as error:
            raised.append(type(error))

    thread, size = threading.Thread(target=wait), queue.size()
    session.run(size)
    thread.start()
    session.close()
    thread.join()
    assert raised and raised[0] in (tf.errors.CancelledError, tf.errors.AbortedError)
    with tf.Session(target) as other:
        other.run(put)
        assert other.run(take) == 7.0


def test_a_constant_comes_from_its_task(target):
    with tf.device("/job:ps/task:1"):
        constant = tf.constant(17)
    metadata = tf.RunMetadata()
    with tf.Session(target) as session:
        found = session.run([constant, constant], options=tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE),
                            run_metadata=metadata)
    assert found == [17, 17]
    assert [stats.device for stats in metadata.step_stats.dev_stats] == ["/job:ps/replica:0/task:1/device:CPU:0"]


def test_metadata_of_all_tasks(target, on_ps):
    with on_ps():
        v = tf.get_variable("v", initializer=[1.0, 2.0])
        total = tf.reduce_sum(v * 2.0)
    metadata = tf.RunMetadata()
    with tf.Session(target) as session:
        session.run(v.initializer)
        session.run(total, options=tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE), run_metadata=metadata)
        listed = {device.name for device in session.list_devices()}
    devices = {stats.device for stats in metadata.step_stats.dev_stats}
    assert any("/job:ps" in name for name in devices) and any("/job:worker" in name for name in devices)
    assert {f"/job:ps/replica:0/task:{n}/device:CPU:0" for n in range(2)} < listed


def test_partial_runs(target, on_ps):
    with on_ps():
        v = tf.get_variable("v", initializer=2.0)
        a, b = tf.placeholder(tf.float32, []), tf.placeholder(tf.float32, [])
        first = v * a
        second = first + b
    with tf.Session(target) as session:
        session.run(v.initializer)
        handle = session.partial_run_setup([first, second], [a, b])
        assert session.partial_run(handle, first, {a: 3.0}) == 6.0
        assert session.partial_run(handle, second, {b: 1.0}) == 7.0


def test_python_functions_stay_in_their_process(target, cluster):
    with tf.device("/job:ps/task:0"):
        called = tf.py_func(lambda x: x + 1, [np.float32(1.0)], tf.float32)
    here = tf.py_func(lambda x: x + 1, [np.float32(1.0)], tf.float32)
    with tf.Session(target) as session:
        assert session.run(here) == 2.0
        with pytest.raises(tf.errors.InvalidArgumentError, match="Python function"):
            session.run(called)
    with tf.Session(f"grpc://{cluster[0]['ps'][0]}") as session:
        with pytest.raises(tf.errors.InvalidArgumentError, match="Python function"):
            session.run(here)


def test_tables(target):
    with tf.device("/job:ps/task:1"):
        table = tf.contrib.lookup.HashTable(
            tf.contrib.lookup.KeyValueTensorInitializer(["a", "b"], [1, 2], tf.string, tf.int64), -1)
        found = table.lookup(tf.constant(["b", "x"]))
    with tf.Session(target) as session:
        session.run(tf.tables_initializer())
        assert session.run(found).tolist() == [2, -1]


def test_a_saver_of_shards(target, on_ps, tmp_path):
    with on_ps():
        v, w = tf.get_variable("v", initializer=[1.0, 2.0]), tf.get_variable("w", initializer=3.0)
        saver = tf.train.Saver(sharded=True)
    with tf.Session(target) as session:
        session.run(tf.global_variables_initializer())
        path = saver.save(session, str(tmp_path / "model"))
        session.run([v.assign([0.0, 0.0]), w.assign(0.0)])
        saver.restore(session, path)
        assert session.run(v).tolist() == [1.0, 2.0] and session.run(w) == 3.0
    assert len(list(tmp_path.glob("model.data-*-of-00002"))) == 2
    assert sorted(name for name, _ in tf.train.list_variables(path)) == ["v", "w"]


def test_partitioned_variables(target, on_ps, cluster):
    with on_ps():
        table = tf.get_variable("table", [10, 2], partitioner=tf.fixed_size_partitioner(2),
                                initializer=tf.ones_initializer())
        rows = tf.nn.embedding_lookup(table, [1, 9], partition_strategy="div")
        train = tf.train.GradientDescentOptimizer(1.0).minimize(tf.reduce_sum(rows))
    assert [part.device for part in table] == ["/job:ps/task:0", "/job:ps/task:1"]
    with tf.Session(target) as session:
        session.run(tf.global_variables_initializer())
        session.run(train)
        assert session.run(tf.convert_to_tensor(table)).sum(1).tolist() == [2, 0, 2, 2, 2, 2, 2, 2, 2, 0]


def test_random_numbers_of_several_steps(target, on_ps):
    """A stream that one step has begun is another step's, too, as of dropout in a step that also makes summaries."""
    with on_ps():
        v = tf.get_variable("kept", [100], initializer=tf.ones_initializer())
        some = tf.nn.dropout(v, 0.5)
    with tf.Session(target) as session:
        session.run(v.initializer)
        first = session.run(some)
        assert session.run([some, tf.reduce_sum(some)])[0].tolist() != first.tolist()
