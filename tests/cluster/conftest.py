"""A cluster of two parameter servers in processes of their own, and of a worker in the process of the tests."""

import pytest

import evergraph as tf
from tests.cluster.processes import free_addresses, task


@pytest.fixture(scope="module")
def cluster():
    """(the cluster, the worker's target)"""
    one, two, own = free_addresses(3)
    jobs = {"ps": [one, two], "worker": [own]}
    with task("ps", 0, jobs) as first, task("ps", 1, jobs) as second:
        worker = tf.train.Server(jobs, "worker", 0)
        first.wait_for("up")
        second.wait_for("up")
        yield jobs, worker.target


@pytest.fixture
def target(cluster):
    """The worker's target; no task keeps anything of the tests before."""
    tf.Session.reset(cluster[1])
    return cluster[1]


@pytest.fixture
def on_ps(cluster):
    """A block whose variables are on the parameter servers."""
    return lambda: tf.device(tf.train.replica_device_setter(cluster=tf.train.ClusterSpec(cluster[0])))
