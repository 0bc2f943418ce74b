"""Strategies with one copy of the variables for all replicas, of one device and of the tasks of a cluster."""

import pytest

import evergraph as tf
from evergraph.distribute.variables import AggregatingVariable

SUM = tf.VariableAggregation.SUM


def test_one_variable_for_two_replicas():
    strategy = tf.distribute.experimental.CentralStorageStrategy(["/cpu:0", "/cpu:1"], "/cpu:0")
    with strategy.scope():
        w = tf.get_variable("w", [], initializer=tf.ones_initializer(), aggregation=SUM)

        def replica():
            factor = 1.0 + tf.cast(tf.distribute.get_replica_context().replica_id_in_sync_group, tf.float32)
            return tf.train.MomentumOptimizer(0.1, 0.9).minimize(w * factor, tf.train.get_or_create_global_step())

        train = strategy.group(strategy.experimental_run_v2(replica))
        added = strategy.experimental_run_v2(lambda: w.assign_add(tf.constant(2.0)))
    assert type(w) is AggregatingVariable and w.device.endswith("CPU:0") and strategy.num_replicas_in_sync == 2
    assert [v.name for v in tf.global_variables()] == ["w:0", "global_step:0", "w/Momentum:0"]
    with tf.Session(config=tf.ConfigProto(allow_soft_placement=True)) as session:
        session.run(tf.global_variables_initializer())
        session.run(train)
        assert session.run([w, tf.train.get_global_step()]) == [pytest.approx(0.7), 1]
        session.run(strategy.unwrap(added))
        assert session.run(w) == pytest.approx(4.7)
    with strategy.scope(), strategy.extended.colocate_vars_with(w):
        assert tf.get_variable("beside", []).device == w.device


def test_one_replica_has_plain_variables():
    strategy = tf.distribute.experimental.CentralStorageStrategy()
    with strategy.scope():
        assert not isinstance(tf.get_variable("v", []), AggregatingVariable)
    with pytest.raises(ValueError, match="together"):
        tf.distribute.experimental.CentralStorageStrategy(["/cpu:0"])


def test_parameter_servers_take_variables_in_turn():
    cluster = {"ps": ["a:1", "b:1"], "worker": ["c:1", "d:1"]}
    strategy = tf.contrib.distribute.ParameterServerStrategy(num_gpus_per_worker=2)
    config = tf.ConfigProto()
    strategy.configure(config, cluster, "worker", 1)
    assert list(config.device_filters) == ["/job:worker/task:1", "/job:ps"]
    assert strategy.extended.experimental_between_graph and not strategy.extended.should_checkpoint
    with strategy.scope():
        variables = [tf.get_variable(f"v{number}", []) for number in range(3)]
    assert [v.device for v in variables] == ["/job:ps/task:0", "/job:ps/task:1", "/job:ps/task:0"]
    assert strategy.extended.worker_devices[1] == "/job:worker/replica:0/task:1/device:GPU:1"
    resolver = tf.distribute.cluster_resolver.SimpleClusterResolver(
        tf.train.ClusterSpec(cluster), task_type="ps", task_id=0, num_accelerators={})
    with pytest.raises(ValueError, match="chief and the workers"):
        tf.distribute.experimental.ParameterServerStrategy(resolver)


def test_strategies_of_several_workers_without_others(monkeypatch):
    strategy = tf.distribute.experimental.MultiWorkerMirroredStrategy()
    assert strategy.num_replicas_in_sync == len(strategy.extended.worker_devices) >= 1
    with pytest.raises(ValueError, match="has to know which"):
        strategy.configure(cluster_spec={"worker": ["a:1", "b:1"]})
    monkeypatch.setenv("TF_CONFIG", '{"cluster": {"worker": ["a:1", "b:1"]}}')
    with pytest.raises(ValueError, match="has to know which"):
        tf.distribute.experimental.MultiWorkerMirroredStrategy()
    monkeypatch.setenv("TF_CONFIG", '{"cluster": {"worker": ["a:1"]}, "task": {"type": "worker", "index": 0}}')
    alone = tf.distribute.experimental.MultiWorkerMirroredStrategy()
    assert alone.num_replicas_in_sync == strategy.num_replicas_in_sync
    assert tf.distribute.experimental.TPUStrategy(steps_per_run=3).steps_per_run == 3
