"""Servers of this process: what their sessions share, and what not."""

import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import evergraph as tf
from evergraph.run import servers


@pytest.fixture(params=["variable", "resource"])
def variable(request):
    return tf.get_variable("v", initializer=1.0, use_resource=request.param == "resource")


def test_sessions_share_variables_that_outlive_them(variable):
    server = tf.train.Server.create_local_server()
    add = variable.assign_add(2.0)
    with tf.Session(server.target) as session:
        session.run(variable.initializer)
        for _ in range(6):
            session.run(add)
    with tf.Session(server.target) as session:
        assert session.run(variable) == 13
    with tf.Session() as session, pytest.raises(tf.errors.FailedPreconditionError):
        session.run(variable)


def test_sessions_of_different_graphs_share_by_name():
    server = tf.train.Server.create_local_server()
    for value in (1.0, 5.0):
        with tf.Graph().as_default(), tf.Session(server.target) as session:
            v = tf.get_variable("same", initializer=value)
            if value == 1.0:
                session.run(v.initializer)
            assert session.run(v) == 1
    with tf.Graph().as_default(), tf.Session(server.target) as session:
        other = tf.get_variable("same", initializer=[1.0, 2.0])
        with pytest.raises(tf.errors.InvalidArgumentError, match="variable same is float32"):
            session.run(other.initializer)


def test_queues_are_shared_and_random_numbers_are_not():
    server = tf.train.Server.create_local_server()
    queue = tf.FIFOQueue(3, tf.float32, shapes=[()])
    put, got = queue.enqueue(7.0), queue.dequeue()
    drawn = tf.random_uniform([], seed=3)
    one, two = tf.Session(server.target), tf.Session(server.target)
    one.run(put)
    assert two.run(got) == 7
    first = [one.run(drawn) for _ in range(5)]
    assert [two.run(drawn) for _ in range(5)] == first
    assert len(set(first)) == 5


def test_isolated_sessions_share_nothing(variable):
    server = tf.train.Server.create_local_server()
    config = tf.ConfigProto(isolate_session_state=True)
    with tf.Session(server.target) as session:
        session.run(variable.initializer)
    with tf.Session(server.target, config=config) as session:
        with pytest.raises(tf.errors.FailedPreconditionError):
            session.run(variable)
        session.run(variable.initializer)
        assert session.run(variable.assign_add(1.0)) == 2
    with tf.Session(server.target) as session:
        assert session.run(variable) == 1


@pytest.mark.parametrize("shares", [False, True])
def test_sessions_that_bring_a_cluster_of_their_own(variable, shares):
    server = tf.train.Server.create_local_server()
    config = tf.ConfigProto()
    config.cluster_def.job.add(name="renamed").tasks[0] = server.target.removeprefix("grpc://")
    config.experimental.share_session_state_in_clusterspec_propagation = shares
    with tf.Session(server.target, config=config) as one, tf.Session(server.target, config=config) as two:
        one.run(variable.initializer)
        if shares:
            assert two.run(variable) == 1
        else:
            with pytest.raises(tf.errors.FailedPreconditionError):
                two.run(variable)


DEVICES = """
import evergraph as tf
server = tf.train.Server.create_local_server(tf.ConfigProto(device_count={"CPU": 2}))
with tf.device("/job:local/task:0/cpu:1"):
    constant = tf.constant(17.0) + 1.0
with tf.Session(server.target, config=tf.ConfigProto(device_count={"CPU": 1})) as session:
    print(session.run(constant), *[device.name[-5:] for device in session.list_devices()])
"""


def test_a_server_says_how_many_devices_its_task_has():
    # In a process of its own: XLA's devices are counted once.
    done = subprocess.run([sys.executable, "-c", DEVICES], text=True, capture_output=True, check=True)
    assert done.stdout.split() == ["18.0", "CPU:0", "CPU:1"]


def waiting_for(session, fetch):
    """A thread that has begun to wait in a step, and a list that gets the kind of its error."""
    raised, begun = [], threading.Event()

    def wait():
        begun.set()
        try:
            session.run(fetch)
        except tf.errors.OpError as error:
            raised.append(type(error))

    thread = threading.Thread(target=wait, daemon=True)
    thread.start()
    begun.wait()
    return thread, raised


def test_who_waits_in_a_queue_that_is_removed_is_told():
    server = tf.train.Server.create_local_server()
    queue = tf.FIFOQueue(1, tf.float32, shapes=[()])
    size, take = queue.size(), queue.dequeue()
    isolated = tf.Session(server.target, config=tf.ConfigProto(isolate_session_state=True))
    for session, end in ((isolated, isolated.close),
                         (tf.Session(server.target), lambda: tf.Session.reset(server.target))):
        session.run(size)
        thread, raised = waiting_for(session, take)
        while not any(getattr(value, "_taking", ()) for value in servers._shared.get_all(servers._shared.keys())):
            time.sleep(0.001)
        end()
        thread.join(30)
        assert raised == [tf.errors.CancelledError]


def test_reset_clears_containers_and_ends_sessions():
    server = tf.train.Server.create_local_server()
    with tf.container("kept"):
        kept = tf.Variable(1.0, name="kept")
    gone = tf.Variable(2.0, name="gone")
    old = tf.Session(server.target)
    old.run(tf.global_variables_initializer())
    tf.Session.reset(server.target, ["localhost"])
    with pytest.raises(tf.errors.AbortedError, match="was reset"):
        old.run(kept)
    with tf.Session(server.target) as session:
        assert session.run(kept) == 1
        with pytest.raises(tf.errors.FailedPreconditionError):
            session.run(gone)


def cluster_of_two():
    cluster = {"ps": ["localhost:0"], "worker": ["localhost:0"]}
    ps = tf.train.Server(cluster, "ps", 0)
    cluster["ps"] = [ps.target[len("grpc://"):]]
    return ps, tf.train.Server(cluster, "worker", 0), cluster


def test_tasks_of_one_process_reach_each_other():
    """Between-graph replication: a worker trains variables that a parameter server keeps."""
    ps, worker, cluster = cluster_of_two()
    with tf.device(tf.train.replica_device_setter(cluster=tf.train.ClusterSpec(cluster))):
        weight = tf.get_variable("weight", initializer=0.0)
        step = tf.train.get_or_create_global_step()
        train = tf.train.GradientDescentOptimizer(0.1).minimize(tf.square(weight - 3.0), step)
    with tf.device("/job:worker/task:0"):
        local = tf.get_variable("local", initializer=4.0)
    with tf.train.MonitoredTrainingSession(worker.target) as session:
        for _ in range(40):
            session.run(train)
        assert np.isclose(session.run(weight), 3, atol=1e-3)
    with tf.Graph().as_default(), tf.Session(ps.target) as session:
        assert session.run(tf.get_variable("global_step", [], tf.int64)) == 40
        with pytest.raises(tf.errors.FailedPreconditionError):
            session.run(tf.get_variable("local", []))
    assert local.device == "/job:worker/task:0"


def test_a_session_finds_a_task_that_its_process_starts_later():
    idle = tf.train.Server({"ps": ["localhost:0"]}, start=False)
    address = idle.target.removeprefix("grpc://")
    worker = tf.train.Server({"ps": [address], "worker": ["localhost:0"]}, "worker", 0)
    with tf.device("/job:ps/task:0"):
        v = tf.get_variable("v", initializer=1.0)
    with tf.Session(worker.target) as early:
        early.run(tf.constant(0.0) + 1.0)
        idle.start()
        early.run(v.initializer)
        with tf.Session(worker.target) as late:
            assert late.run(v.assign_add(1.0)) == 2.0
        assert early.run(v) == 2.0
        assert "/job:ps/replica:0/task:0/device:CPU:0" in [device.name for device in early.list_devices()]


def test_tasks_that_do_not_answer_are_named():
    server = tf.train.Server({"ps": ["localhost:1"], "worker": ["localhost:0"]}, "worker", 0)
    with tf.device("/job:ps/task:0"):
        v = tf.Variable(1.0)
    with tf.device("/job:chief"):
        w = tf.Variable(1.0)
    with tf.Session(server.target, config=tf.ConfigProto(operation_timeout_in_ms=200)) as session:
        with pytest.raises(tf.errors.DeadlineExceededError, match="/job:ps/task:0 at localhost:1"):
            session.run(v.initializer)
        with pytest.raises(tf.errors.InvalidArgumentError, match="not in the cluster"):
            session.run(w.initializer)


def test_targets_that_no_server_has():
    brief = tf.ConfigProto(operation_timeout_in_ms=100)
    with tf.Session("grpc://localhost:1", config=brief) as session:
        with pytest.raises(tf.errors.DeadlineExceededError, match="localhost:1"):
            session.run(tf.constant(1.0))
    with pytest.raises(tf.errors.NotFoundError, match="No session factory"):
        tf.Session("nonsense")
    with pytest.raises(tf.errors.DeadlineExceededError):
        tf.Session.reset("grpc://localhost:1", config=brief)
    unstarted = tf.train.Server.create_local_server(start=False)
    with tf.Session(unstarted.target, config=brief) as session, pytest.raises(tf.errors.DeadlineExceededError):
        session.run(tf.constant(1.0))
    unstarted.start()
    tf.Session(unstarted.target).close()


def test_time_to_wait_for_a_queue():
    server = tf.train.Server.create_local_server()
    wait = tf.FIFOQueue(1, tf.float32).dequeue()
    with tf.Session(server.target, config=tf.ConfigProto(operation_timeout_in_ms=50)) as session:
        with pytest.raises(tf.errors.DeadlineExceededError):
            session.run(wait)


def test_servers_that_cannot_be_made():
    server = tf.train.Server.create_local_server()
    address = server.target[len("grpc://"):]
    with pytest.raises(tf.errors.UnknownError, match="Could not start"):
        tf.train.Server({"other": [address]})
    with pytest.raises(tf.errors.InvalidArgumentError, match="port"):
        tf.train.Server({"local": ["localhost"]})
    with pytest.raises(ValueError, match="job_name"):
        tf.train.Server({"a": ["localhost:0"], "b": ["localhost:0"]})
    with pytest.raises(ValueError, match="task_index"):
        tf.train.Server({"a": ["localhost:0", "localhost:0"]})
    with pytest.raises(tf.errors.UnimplementedError, match="grpc\\+verbs"):
        tf.train.Server({"a": ["localhost:0"]}, protocol="grpc+verbs")


def test_what_a_server_says_of_itself():
    config = tf.ConfigProto(allow_soft_placement=True)
    server = tf.train.Server({"a": ["localhost:0"], "b": ["x:1", "y:2"]}, "a", config=config)
    assert (server.server_def.job_name, server.server_def.task_index) == ("a", 0)
    assert server.server_def.default_session_config.allow_soft_placement
    again = tf.train.Server(server.server_def, start=False)
    assert again.server_def == server.server_def
    with tf.Session(server.target) as session:
        assert "/job:a/replica:0/task:0/device:CPU:0" in [d.name for d in session.list_devices()]


def test_sessions_without_a_config_take_the_servers():
    server = tf.train.Server.create_local_server(config=tf.ConfigProto(operation_timeout_in_ms=200))
    waits = tf.FIFOQueue(1, tf.float32).dequeue()
    with tf.Session(server.target) as session, pytest.raises(tf.errors.DeadlineExceededError):
        session.run(waits)
