"""RunConfig: defaults, checks, copies with other settings, and TF_CONFIG."""
import json

import pytest

import evergraph as tf

CLUSTER = {"chief": ["host0:0"], "ps": ["host1:1", "host2:2"], "worker": ["host3:3", "host4:4"], "other": ["host5:5"]}


@pytest.fixture
def environment(monkeypatch):
    def set_to(**settings):
        monkeypatch.setenv("TF_CONFIG", json.dumps(settings))
        return settings
    return set_to


def test_defaults():
    config = tf.estimator.RunConfig()
    assert (config.model_dir, config.tf_random_seed, config.session_config, config.service) == (None, None, None, None)
    assert (config.save_summary_steps, config.save_checkpoints_secs, config.save_checkpoints_steps) == (100, 600, None)
    assert (config.keep_checkpoint_max, config.keep_checkpoint_every_n_hours) == (5, 10000)
    assert (config.log_step_count_steps, config.session_creation_timeout_secs) == (100, 7200)
    assert (config.task_type, config.task_id, config.is_chief, config.master) == ("worker", 0, True, "")
    assert (config.num_worker_replicas, config.num_ps_replicas, config.global_id_in_cluster) == (1, 0, 0)


@pytest.mark.parametrize("wrong", [
    {"model_dir": ""}, {"save_summary_steps": -1}, {"save_checkpoints_steps": -1}, {"save_checkpoints_secs": -1},
    {"session_config": {}}, {"keep_checkpoint_max": -1}, {"keep_checkpoint_every_n_hours": 0},
    {"log_step_count_steps": 0}, {"tf_random_seed": 1.0}, {"device_fn": lambda x: x}, {"protocol": "http"},
    {"experimental_max_worker_delay_secs": "5"}, {"session_creation_timeout_secs": 0},
    {"save_checkpoints_steps": 1, "save_checkpoints_secs": 1},
])
def test_wrong_values(wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        tf.estimator.RunConfig(**wrong)
    with pytest.raises(ValueError, match=next(iter(wrong))):
        tf.estimator.RunConfig().replace(**wrong)


def test_there_are_no_distribution_strategies():
    with pytest.raises(tf.errors.UnimplementedError, match="train_distribute"):
        tf.estimator.RunConfig(train_distribute=object())


def test_replacing():
    config = tf.estimator.RunConfig()
    by_steps = config.replace(save_checkpoints_steps=100, tf_random_seed=3)
    assert (by_steps.save_checkpoints_steps, by_steps.save_checkpoints_secs, by_steps.tf_random_seed) == (100, None, 3)
    assert config.save_checkpoints_secs == 600
    assert by_steps.replace(save_checkpoints_secs=5).save_checkpoints_steps is None
    with pytest.raises(ValueError, match="Replacing master is not supported"):
        config.replace(master="elsewhere")


@pytest.mark.parametrize(("task", "role"), [
    (("chief", 0), ("grpc://host0:0", True, 3, 2, 0)),
    (("other", 0), ("grpc://host5:5", False, 3, 2, 1)),
    (("worker", 1), ("grpc://host4:4", False, 3, 2, 3)),
    (("ps", 1), ("grpc://host2:2", False, 3, 2, 5)),
    (("evaluator", 7), ("", False, 0, 0, None)),
])
def test_roles_in_a_cluster(environment, task, role):
    environment(cluster=CLUSTER, task={"type": task[0], "index": task[1]})
    config = tf.estimator.RunConfig()
    assert (config.task_type, config.task_id) == task
    assert role == (config.master, config.is_chief, config.num_worker_replicas, config.num_ps_replicas,
                    config.global_id_in_cluster)


@pytest.mark.parametrize(("settings", "told"), [
    ({"cluster": {"worker": ["a:1"]}}, "must have one \"chief\""),
    ({"cluster": {"chief": ["a:1", "b:1"]}}, "only one \"chief\""),
    ({"cluster": {"master": ["a:1"], "chief": ["b:1"]}}, "`chief` is not supported"),
    ({"cluster": {"chief": ["a:1"]}}, "task type must be set"),
    ({"cluster": {"chief": ["a:1"]}, "task": {"type": "chief"}}, "task index must be set"),
    ({"cluster": {"chief": ["a:1"]}, "task": {"type": "chief", "index": 1}}, "not a valid task_id"),
    ({"cluster": {"chief": ["a:1"]}, "task": {"type": "chief", "index": -1}}, "non-negative"),
    ({"cluster": {"chief": ["a:1"]}, "task": {"type": "worker", "index": 0}}, "not a valid task_type"),
    ({"cluster": {"master": ["a:1"]}, "task": {"type": "evaluator", "index": 0}}, "`evaluator` is not supported"),
    ({"task": {"type": "chief", "index": 0}}, "task type must be WORKER"),
    ({"task": {"type": "worker", "index": 1}}, "task index must be 0"),
    ({"model_dir": ""}, "should be non-empty"),
])
def test_contradictions(environment, settings, told):
    environment(**settings)
    with pytest.raises(ValueError, match=told):
        tf.estimator.RunConfig()


def test_settings_beside_the_cluster(environment):
    environment(model_dir="/models/a", service={"key": [1]}, session_master="there", eval_session_master="elsewhere")
    config = tf.estimator.RunConfig()
    assert (config.model_dir, config.service) == ("/models/a", {"key": [1]})
    assert (config.master, config.evaluation_master) == ("there", "elsewhere")
    with pytest.raises(ValueError, match="same value"):
        tf.estimator.RunConfig(model_dir="/models/b")


def test_workers_see_parameter_servers_and_themselves(environment):
    environment(cluster=CLUSTER, task={"type": "worker", "index": 1})
    assert list(tf.estimator.RunConfig().session_config.device_filters) == ["/job:ps", "/job:worker/task:1"]


def test_strategies_in_one_object():
    one, other = tf.distribute.OneDeviceStrategy("/cpu:0"), tf.distribute.OneDeviceStrategy("/cpu:0")
    both = tf.contrib.distribute.DistributeConfig(one, other)
    config = tf.estimator.RunConfig(experimental_distribute=both)
    assert config.train_distribute is one and config.eval_distribute is other
    with pytest.raises(ValueError, match="experimental_distribute.train_distribute"):
        tf.estimator.RunConfig(experimental_distribute=both, train_distribute=other)
    with pytest.raises(tf.errors.UnimplementedError, match="remote_cluster"):
        tf.estimator.RunConfig(experimental_distribute=tf.contrib.distribute.DistributeConfig(
            one, remote_cluster={"worker": ["host:1"]}))
    with pytest.raises(tf.errors.UnimplementedError, match="takes a tf.contrib.distribute.DistributeConfig"):
        tf.estimator.RunConfig(experimental_distribute=one)
