"""tf.train.ClusterSpec and tf.train.replica_device_setter."""

import pytest

import evergraph as tf

JOBS = {"worker": ["w0:1", "w1:1", "w2:1"], "ps": ["p0:1", "p1:1"], "sparse": {0: "s0:1", 3: "s3:1"}}


def test_jobs_and_tasks():
    cluster = tf.train.ClusterSpec(JOBS)
    assert cluster.as_dict() == JOBS and sorted(cluster.jobs) == ["ps", "sparse", "worker"]
    assert [cluster.num_tasks(job) for job in JOBS] == [3, 2, 2]
    assert cluster.task_indices("sparse") == [0, 3] and cluster.task_address("sparse", 3) == "s3:1"
    assert cluster.job_tasks("sparse") == ["s0:1", None, None, "s3:1"] and cluster.job_tasks("ps") == ["p0:1", "p1:1"]
    assert str(tf.train.ClusterSpec({"b": {1: "x"}, "a": ["y"]})) == "ClusterSpec({'a': ['y'], 'b': {1: 'x'}})"


def test_messages():
    cluster = tf.train.ClusterSpec({**JOBS, "none": []})
    message = cluster.as_cluster_def()
    assert [job.name for job in message.job] == ["none", "ps", "sparse", "worker"]
    assert dict(message.job[2].tasks) == {0: "s0:1", 3: "s3:1"}
    assert tf.train.ClusterSpec(message) == tf.train.ClusterSpec(cluster) == cluster
    assert tf.train.ServerDef(cluster=message, job_name="ps").cluster == message


def test_equality_and_truth():
    spec = tf.train.ClusterSpec
    assert spec({"a": ["x"]}) == spec({"a": {0: "x"}}) != spec({"a": ["y"]})
    assert spec({"a": ["x"]}) != {"a": ["x"]}
    assert not spec({}) and spec({"a": []})


@pytest.mark.parametrize("cluster", [3, {"a": 3}, {"a": [3]}, {1: ["x"]}])
def test_no_clusters(cluster):
    with pytest.raises(TypeError):
        tf.train.ClusterSpec(cluster)


def test_what_a_cluster_has_not():
    cluster = tf.train.ClusterSpec(JOBS)
    for ask in (cluster.num_tasks, cluster.task_indices, cluster.job_tasks, lambda job: cluster.task_address(job, 0)):
        with pytest.raises(ValueError, match="moon"):
            ask("moon")
    with pytest.raises(ValueError, match="no task 1"):
        cluster.task_address("sparse", 1)


def variables(count=2):
    return [tf.Variable([1.0], use_resource=bool(number % 2)) for number in range(count)]


def test_variables_on_parameter_servers():
    with tf.device(tf.train.replica_device_setter(cluster=JOBS)):
        v, w, x = variables(3)
        total = v + w
    assert [n.device for n in (v, w, x)] == ["/job:ps/task:0", "/job:ps/task:1", "/job:ps/task:0"]
    assert v.initializer.device == v.device and total.device == "/job:worker"


def test_inner_scopes_are_filled_in():
    cluster = tf.train.ClusterSpec(JOBS).as_cluster_def()
    with tf.device(tf.train.replica_device_setter(cluster=cluster, worker_device="/job:worker/task:7")):
        with tf.device("/cpu:0"):
            v, = variables(1)
            total = v + 1.0
        with tf.device("/job:moon"):
            w, = variables(1)
        with tf.device("/job:ps"):
            x, = variables(1)
    assert v.device == "/job:ps/task:0/device:CPU:0" and total.device == "/job:worker/task:7/device:CPU:0"
    assert (w.device, x.device) == ("/job:moon", "/job:ps/task:1")


def test_inner_scopes_as_they_are():
    with tf.device(tf.train.replica_device_setter(2, merge_devices=False)):
        v, = variables(1)
        with tf.device("/job:ps"):
            w, = variables(1)
    assert (v.device, w.device) == ("/job:ps/task:0", "/job:ps")


def test_a_strategy_and_types_of_ones_own():
    asked = []

    def strategy(node):
        asked.append(node.type)
        return 5

    with tf.device(tf.train.replica_device_setter(9, ps_ops=["Neg"], ps_strategy=strategy, worker_device=None)):
        v, = variables(1)
        negative = tf.negative(v)
    assert (v.device, negative.device, asked) == ("", "/job:ps/task:5", ["Neg"])


def test_a_device_without_a_job_has_no_task():
    with tf.device(tf.train.replica_device_setter(1, ps_device="/cpu:0")):
        v, = variables(1)
    assert v.device == "/device:CPU:0"


def test_nothing_to_set():
    assert tf.train.replica_device_setter() is None
    assert tf.train.replica_device_setter(cluster={"worker": ["w0:1"]}) is None
    with pytest.raises(TypeError):
        tf.train.replica_device_setter(cluster=5)
    with pytest.raises(TypeError):
        tf.train.replica_device_setter(2, ps_strategy=3)
