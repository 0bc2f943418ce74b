"""Cluster resolvers: where the tasks of a cluster are, as the program, TF_CONFIG or what manages the cluster tells."""

import os
from unittest import mock

import pytest

import evergraph as tf

resolvers = tf.distribute.cluster_resolver
CLUSTER = {"ps": ["ps0:1"], "worker": ["w0:1", "w1:1"]}


def simple(cluster=None, **options):
    return resolvers.SimpleClusterResolver(tf.train.ClusterSpec(cluster or CLUSTER), **options)


def test_a_cluster_that_the_program_names():
    found = simple(master="here:1", task_type="worker", task_id=1, num_accelerators={"GPU": 3}, rpc_layer="grpc")
    assert found.cluster_spec().as_dict() == CLUSTER and found.num_accelerators() == {"GPU": 3}
    assert (found.master(), found.master("worker", 0, "test")) == ("grpc://here:1", "test://w0:1")
    assert simple().num_accelerators().keys() <= {"GPU", "TPU"} and simple().environment == ""
    with pytest.raises(TypeError, match="ClusterSpec"):
        resolvers.SimpleClusterResolver(CLUSTER)


def test_tf_config(monkeypatch):
    monkeypatch.delenv("TF_CONFIG", raising=False)
    assert resolvers.TFConfigClusterResolver().master() == "" and not resolvers.TFConfigClusterResolver().cluster_spec()
    monkeypatch.setenv("TF_CONFIG", '{"cluster": {"worker": ["w0:1", "w1:1"]}, "rpc_layer": "grpc", '
                                    '"task": {"type": "worker", "index": "1"}}')
    found = resolvers.TFConfigClusterResolver()
    assert (found.task_type, found.task_id, found.master(), found.master(task_id=0)) == (
        "worker", 1, "grpc://w1:1", "grpc://w0:1")
    assert resolvers.TFConfigClusterResolver(task_id=0).master() == "grpc://w0:1"
    monkeypatch.setenv("TF_CONFIG", '{"session_master": "s:1"}')
    assert found.master() == "s:1"


def test_clusters_that_are_joined():
    other = simple({"worker": ["w2:1"], "chief": ["c:1"]})
    found = resolvers.UnionResolver(simple(task_type="ps", task_id=0, master="m:1"), other)
    assert found.cluster_spec().as_dict() == {**CLUSTER, "worker": ["w0:1", "w1:1", "w2:1"], "chief": ["c:1"]}
    assert (found.task_type, found.task_id, found.master(), found.master("chief", 0)) == ("ps", 0, "m:1", "c:1")
    with pytest.raises(KeyError, match="task 1 of the job 'worker'"):
        resolvers.UnionResolver(simple(), simple({"worker": {1: "x:1"}})).cluster_spec()
    with pytest.raises(ValueError, match="At least one"):
        resolvers.UnionResolver()


def test_kubernetes():
    pods = mock.Mock(items=[mock.Mock(status=mock.Mock(phase=phase, host_ip=f"10.0.0.{number}"))
                            for number, phase in enumerate(["Running", "Running"])])
    for pod, name in zip(pods.items, ["b", "a"]):
        pod.metadata.name = name
    found = resolvers.KubernetesClusterResolver(
        override_client=mock.Mock(**{"list_pod_for_all_namespaces.return_value": pods}))
    assert found.cluster_spec().as_dict() == {"worker": ["10.0.0.1:8470", "10.0.0.0:8470"]}
    assert found.master("worker", 0) == "grpc://10.0.0.1:8470"
    pods.items[0].status.phase = "Failed"
    with pytest.raises(RuntimeError, match='Pod "b" is not running; phase: "Failed"'):
        found.cluster_spec()


def test_slurm(monkeypatch):
    for name, value in {"SLURM_PROCID": "1", "SLURM_NTASKS": "3", "SLURM_NTASKS_PER_NODE": "2"}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    monkeypatch.setattr(resolvers.SlurmClusterResolver, "_resolve_hostnames", lambda self: ["n0", "n1"])
    found = resolvers.SlurmClusterResolver({"ps": 1, "worker": 2}, gpus_per_node=2)
    assert found.cluster_spec().as_dict() == {"ps": ["n0:8888"], "worker": ["n0:8889", "n1:8888"]}
    assert found.get_task_info() == ("worker", 0)
    assert os.environ["CUDA_VISIBLE_DEVICES"] == "1"
    with pytest.raises(RuntimeError, match="4 tasks in total, but 3"):
        resolvers.SlurmClusterResolver({"worker": 4}, gpus_per_node=2)
    with pytest.raises(RuntimeError, match="more GPUs per node"):
        resolvers.SlurmClusterResolver({"worker": 3}, gpus_per_node=1)


def test_compute_engine():
    service = mock.MagicMock()
    groups, instances = service.instanceGroups.return_value, service.instances.return_value
    groups.listInstances.return_value.execute.return_value = {"items": [{"instance": "x/b"}, {"instance": "x/a"}]}
    groups.listInstances_next.return_value = None
    instances.get.side_effect = lambda project, zone, instance: mock.Mock(
        **{"execute.return_value": {"networkInterfaces": [{"networkIP": f"ip-{instance}"}]}})
    found = resolvers.GCEClusterResolver("project", "zone", "group", 1, task_id=1, service=service)
    assert found.cluster_spec().as_dict() == {"worker": ["ip-a:1", "ip-b:1"]} and found.master() == "grpc://ip-b:1"
