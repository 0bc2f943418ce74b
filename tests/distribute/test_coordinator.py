"""Functions that run as the tasks of a cluster: run_distribute_coordinator, and what its workers are told."""

import json
import threading

import pytest

import evergraph as tf
from evergraph.distribute import coordinator
from evergraph.train.worker_context import get_current_worker_context

CLUSTER = {"chief": ["c:1"], "worker": ["a:1", "b:1"]}


class Settings:
    """What a strategy says of itself."""

    experimental_should_init = should_checkpoint = should_save_summary = True

    def __init__(self, between_graph):
        self.experimental_between_graph = between_graph


class Strategy:
    """A strategy that notes what it is prepared for."""

    def __init__(self, between_graph=True):
        self.extended = Settings(between_graph)

    def configure(self, session_config=None, cluster_spec=None, task_type=None, task_id=None):
        if task_type is not None:
            session_config.device_filters.append(f"/job:{task_type}/task:{task_id}")


def contexts(strategy, **options):
    """(job, number, target, workers, whether it is the chief) of each call."""
    found, lock = [], threading.Lock()

    def note(strategy):
        at = get_current_worker_context()
        with lock:
            found.append((at.task_type, at.task_id, at.master_target, at.num_workers, at.is_chief))
        if at.has_barrier:
            at.wait_for_other_workers()

    coordinator.run_distribute_coordinator(note, strategy, **options)
    assert get_current_worker_context() is None
    return sorted(found, key=str)


def test_a_process_by_itself():
    assert contexts(Strategy()) == [(None, None, "", 0, True)]


def test_a_thread_for_each_worker():
    assert contexts(Strategy(), cluster_spec=CLUSTER) == [
        ("chief", 0, "grpc://c:1", 3, True), ("worker", 0, "grpc://a:1", 3, False),
        ("worker", 1, "grpc://b:1", 3, False)]


def test_one_client_of_all_workers():
    assert contexts(Strategy(False), cluster_spec={**CLUSTER, "evaluator": ["e:1"]}, rpc_layer=None) == [
        ("evaluator", 0, "e:1", 3, True), (None, None, "c:1", 3, True)]


def test_a_failure_ends_the_others():
    def fail(strategy):
        at = get_current_worker_context()
        if at.task_id == 1:
            raise KeyError("lost")
        at.wait_for_other_workers()

    with pytest.raises((KeyError, threading.BrokenBarrierError)):
        coordinator.run_distribute_coordinator(fail, Strategy(), cluster_spec=CLUSTER)


def test_a_task_of_its_own(monkeypatch):
    started = []
    monkeypatch.setenv("TF_CONFIG", json.dumps({"cluster": CLUSTER, "task": {"type": "worker", "index": 1}}))
    monkeypatch.setattr(coordinator, "_run_std_server", lambda **given: started.append(given["task_id"]))
    mode = coordinator.CoordinatorMode.INDEPENDENT_WORKER
    assert contexts(Strategy(), mode=mode) == [("worker", 1, "grpc://b:1", 3, False)]
    assert started == [1]


def test_a_monitored_session_is_that_of_the_worker():
    def train(strategy):
        more = tf.get_variable("count", [], initializer=tf.zeros_initializer()).assign_add(1.0)
        with tf.train.MonitoredSession() as session:
            return session.run(more)

    assert coordinator.run_distribute_coordinator(train, Strategy()) == 1


def test_servers_of_tf_config(monkeypatch):
    monkeypatch.setenv("TF_CONFIG", json.dumps({"cluster": {"worker": ["localhost:0"]},
                                                "task": {"type": "worker", "index": 0}}))
    monkeypatch.setattr(coordinator, "_thread_local", threading.local())
    server = coordinator.run_standard_tensorflow_server()
    with tf.Session(server.target) as session:
        assert session.run(tf.constant(3)) == 3
