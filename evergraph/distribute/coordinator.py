"""Runs a function as the tasks of a cluster: TensorFlow's distribute_coordinator."""
from __future__ import annotations

import contextlib
import copy
import enum
import json
import os
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

from evergraph import proto
from evergraph.base import logging
from evergraph.cluster.server import Server
from evergraph.distribute import cluster_roles
from evergraph.distribute.resolvers import with_protocol
from evergraph.graph.graph import Graph
from evergraph.train import worker_context
from evergraph.train.cluster import ClusterSpec
from evergraph.train.coordinator import Coordinator
from evergraph.train.monitored import ChiefSessionCreator, SessionCreator, WorkerSessionCreator

_thread_local = threading.local()  # has the server that the thread has started


class _TaskType:
    """The jobs of a cluster that trains."""

    PS = "ps"
    WORKER = "worker"
    CHIEF = "chief"
    EVALUATOR = "evaluator"
    CLIENT = "client"


class CoordinatorMode(enum.Enum):
    """Where tasks run: all of them as threads of one client, or each in a process of its own."""

    STANDALONE_CLIENT = "standalone_client"
    INDEPENDENT_WORKER = "independent_worker"


class _Barrier:
    """Where so many threads wait for each other, any number of times.

    Args:
        num_participants: how many.
    """

    def __init__(self, num_participants: int) -> None:
        self._barrier = threading.Barrier(num_participants)

    def wait(self) -> None:
        """Waits for all others.

        Raises:
            BrokenBarrierError: one of them has failed.
        """
        self._barrier.wait()

    @contextlib.contextmanager
    def left_by_failures(self) -> Iterator[None]:
        """A block whose failure ends the waits of the others."""
        try:
            yield
        except BaseException:
            self._barrier.abort()
            raise


class WorkerContext:
    """What a worker may ask about itself, while its function runs.

    Args:
        strategy: the strategy that it trains with.
        cluster_spec: the tf.train.ClusterSpec; None for a process by itself.
        task_type: its job; None for a client that uses all workers.
        task_id: its number.
        session_config: the tf.ConfigProto of its sessions.
        rpc_layer: the protocol before addresses.
        worker_barrier: where workers of one process wait for each other.
    """

    def __init__(self, strategy: Any, cluster_spec: Any, task_type: str | None, task_id: int | None,
                 session_config: Any = None, rpc_layer: str | None = "grpc", worker_barrier: Any = None) -> None:
        self._strategy, self._cluster_spec, self._task_type, self._task_id = strategy, cluster_spec, task_type, task_id
        self._session_config, self._barrier, self._rpc_layer = session_config, worker_barrier, rpc_layer
        self._master = self._target()

    def _target(self) -> str:
        if not self._cluster_spec or getattr(self._strategy.extended, "_meets_by_itself", False):
            return ""
        job, number = self._task_type, self._task_id or 0
        if job is None:
            job = _TaskType.CHIEF if _TaskType.CHIEF in self._cluster_spec.jobs else _TaskType.WORKER
        return with_protocol(self._cluster_spec.task_address(job, number), self._rpc_layer)

    def __enter__(self) -> WorkerContext:
        if worker_context.contexts.items:
            raise ValueError("the thread is a worker already: its context is open")
        worker_context.contexts.items.append(self)
        return self

    def __exit__(self, *error: object) -> None:
        worker_context.contexts.items.pop()

    def wait_for_other_workers(self) -> None:
        """Waits until all workers of this process call it.

        Raises:
            ValueError: workers are processes of their own.
        """
        if self._barrier is None:
            raise ValueError("`worker_barrier` is not set in the worker context: its workers share no process")
        self._barrier.wait()

    def session_creator(self, scaffold: Any = None, config: Any = None, checkpoint_dir: str | None = None,
                        checkpoint_filename_with_path: str | None = None, max_wait_secs: float = 7200
                        ) -> SessionCreator:
        """What makes the sessions of this worker: it initializes variables, or waits for who does.

        Args:
            scaffold: the Scaffold of the graph.
            config: a tf.ConfigProto, to which that of the context is added.
            checkpoint_dir, checkpoint_filename_with_path: what to restore.
            max_wait_secs: the longest time to wait for who initializes.
        """
        merged = proto.config_pb2.ConfigProto()
        for each in (config, self._session_config):
            if each is not None:
                merged.MergeFrom(each)
        if self.experimental_should_init:
            return ChiefSessionCreator(scaffold, self._master, merged, checkpoint_dir, checkpoint_filename_with_path)
        return WorkerSessionCreator(scaffold, self._master, merged, max_wait_secs)

    session_hooks = property(lambda self: getattr(self._strategy.extended, "_session_hooks", list)())
    session_config = property(lambda self: copy.deepcopy(self._session_config))
    has_barrier = property(lambda self: self._barrier is not None)
    distributed_mode = property(lambda self: bool(self._cluster_spec) and self._task_type != _TaskType.EVALUATOR)
    cluster_spec = property(lambda self: copy.deepcopy(self._cluster_spec))
    task_type = property(lambda self: self._task_type)
    task_id = property(lambda self: self._task_id)
    master_target = property(lambda self: self._master)
    experimental_should_init = property(lambda self: self._strategy.extended.experimental_should_init)
    should_checkpoint = property(lambda self: self._strategy.extended.should_checkpoint)
    should_save_summary = property(lambda self: self._strategy.extended.should_save_summary)

    @property
    def is_chief(self) -> bool:
        """Whether this worker does what one of them has to do."""
        return not self._cluster_spec or self._task_type in (None, _TaskType.EVALUATOR) or \
            cluster_roles.is_chief(self._cluster_spec, self._task_type, self._task_id or 0)

    @property
    def num_workers(self) -> int:
        """How many workers train, the chief included."""
        return cluster_roles.worker_count(self._cluster_spec, _TaskType.WORKER) if self._cluster_spec else 0


_WorkerContext = WorkerContext


def run_distribute_coordinator(
        worker_fn: Callable[[Any], Any], strategy: Any, eval_fn: Callable[[Any], Any] | None = None,
        eval_strategy: Any = None, mode: CoordinatorMode = CoordinatorMode.STANDALONE_CLIENT, cluster_spec: Any = None,
        task_type: str | None = None, task_id: int | None = None, session_config: Any = None,
        rpc_layer: str | None = "grpc") -> Any:
    """Runs a function for the workers of a cluster, with a worker's context around it.

    By itself a process is the client of all workers: it runs the function once, or, if the strategy builds a graph for
    each worker, in a thread for each. As a task of its own it starts the task's server, and does what the task does.

    Args:
        worker_fn: takes the strategy.
        strategy: what it trains with.
        eval_fn: what an evaluator runs; by default `worker_fn`.
        eval_strategy: what that takes.
        mode: where tasks run.
        cluster_spec: the cluster; by default that of TF_CONFIG.
        task_type: the job of this process.
        task_id: its number.
        session_config: a tf.ConfigProto for sessions and servers.
        rpc_layer: the protocol of the servers.

    Returns:
        What the function returns, where one process has one worker.

    Raises:
        ValueError: the task is none that there is.
    """
    settings = json.loads(os.environ.get("TF_CONFIG", "{}"))
    if not cluster_spec:
        task = settings.get("task", {})
        cluster_spec = settings.get("cluster", {})
        task_type, task_id = task.get("type", task_type), int(task.get("index", task_id or 0)) if task else task_id
    rpc_layer, environment = settings.get("rpc_layer", rpc_layer), settings.get("environment")
    cluster = cluster_roles.normalized(cluster_spec) if cluster_spec else None
    session_config = copy.deepcopy(session_config) or proto.config_pb2.ConfigProto(allow_soft_placement=True)
    run = _Run(worker_fn, strategy, eval_fn or worker_fn, eval_strategy, cluster, session_config, rpc_layer,
               environment)
    if cluster is None:
        return run.worker(None, None)
    if mode is CoordinatorMode.STANDALONE_CLIENT:
        return run.as_threads() if strategy.extended.experimental_between_graph else run.as_client()
    if mode is not CoordinatorMode.INDEPENDENT_WORKER:
        raise ValueError(f"Unexpected coordinator mode: {mode!r}")
    if not task_type:
        raise ValueError("`task_type` must be set in the mode INDEPENDENT_WORKER")
    return run.as_task(task_type, task_id or 0)


class _Run:
    def __init__(self, worker_fn: Any, strategy: Any, eval_fn: Any, eval_strategy: Any, cluster: ClusterSpec | None,
                 config: Any, rpc_layer: str | None, environment: str | None) -> None:
        self._worker_fn, self._strategy, self._cluster, self._config = worker_fn, strategy, cluster, config
        self._eval_fn, self._eval_strategy = eval_fn, eval_strategy or strategy
        self._rpc_layer, self._environment = rpc_layer, environment

    def worker(self, job: str | None, number: int | None, barrier: Any = None) -> Any:
        """Runs the function of a task with its context."""
        is_evaluator = job == _TaskType.EVALUATOR
        config, strategy = copy.deepcopy(self._config), copy.deepcopy(
            self._eval_strategy if is_evaluator else self._strategy)
        _configure(strategy, config, self._cluster, job, number)
        # As in TensorFlow, a thread has a default graph of its own.
        graph = contextlib.nullcontext() if threading.current_thread() is threading.main_thread() \
            else Graph().as_default()
        with graph, WorkerContext(strategy, self._cluster, job, number, config, self._rpc_layer, barrier):
            return (self._eval_fn if is_evaluator else self._worker_fn)(strategy)

    def as_threads(self) -> None:
        """A thread for each worker, and for an evaluator, of which nobody waits for the latter."""
        assert self._cluster is not None
        coordinator, tasks = Coordinator(), [
            (job, number) for job in (_TaskType.CHIEF, _TaskType.WORKER) if job in self._cluster.jobs
            for number in self._cluster.task_indices(job)]
        barrier = _Barrier(len(tasks))

        def run(job: str, number: int) -> None:
            with coordinator.stop_on_exception(), barrier.left_by_failures():
                self.worker(job, number, barrier)

        threads = [threading.Thread(target=run, args=task, daemon=True) for task in tasks]
        evaluation = self._evaluation(coordinator)
        for thread in threads:
            thread.start()
        coordinator.join([*threads, *evaluation])

    def as_client(self) -> Any:
        """One function for all workers, and one for an evaluator."""
        coordinator = Coordinator()
        evaluation = self._evaluation(coordinator)
        found = self.worker(None, None)
        coordinator.join(evaluation)
        return found

    def _evaluation(self, coordinator: Coordinator) -> list[threading.Thread]:
        assert self._cluster is not None
        if _TaskType.EVALUATOR not in self._cluster.jobs:
            return []

        def run() -> None:
            with coordinator.stop_on_exception():
                self.worker(_TaskType.EVALUATOR, 0)

        thread = threading.Thread(target=run, daemon=True)
        thread.start()
        return [thread]

    def as_task(self, job: str, number: int) -> Any:
        """What one task of the cluster does in its process."""
        assert self._cluster is not None
        if job not in (_TaskType.CHIEF, _TaskType.WORKER, _TaskType.EVALUATOR, _TaskType.PS):
            raise ValueError(f"Unexpected task_type: {job!r}")
        if getattr(self._strategy.extended, "_meets_by_itself", False):
            return self.worker(job, number)
        config = self._config  # which strategies complete for the server, and then for sessions
        strategy = copy.deepcopy(self._eval_strategy if job == _TaskType.EVALUATOR else self._strategy)
        _configure(strategy, config, self._cluster, job, number)
        del config.device_filters[:]  # which are for sessions
        server = _run_std_server(cluster_spec=self._cluster, task_type=job, task_id=number, session_config=config,
                                 rpc_layer=self._rpc_layer, environment=self._environment)
        if job == _TaskType.PS:
            return server.join()
        if job == _TaskType.EVALUATOR or strategy.extended.experimental_between_graph:
            return self.worker(job, number)
        if cluster_roles.is_chief(self._cluster, job, number):
            return self.worker(None, None)
        return server.join()


def _configure(strategy: Any, config: Any, cluster: ClusterSpec | None, job: str | None, number: int | None) -> None:
    """Has a strategy prepare for a task; an evaluator, and a client of all, is by itself."""
    if job is None or job == _TaskType.EVALUATOR:
        strategy.configure(session_config=config)
    else:
        strategy.configure(config, cluster, job, number)


def _run_std_server(cluster_spec: Any = None, task_type: str | None = None, task_id: int | None = None,
                    session_config: Any = None, rpc_layer: str | None = None, environment: str | None = None) -> Any:
    """The server of a task, which runs; a thread that has started it gets the same again.

    Raises:
        ValueError: the thread has started another one.
    """
    asked = (cluster_roles.normalized(cluster_spec).as_dict(), task_type, task_id)
    known = getattr(_thread_local, "server", None)
    if known is not None:
        if known[0] != asked:
            raise ValueError(f"the server of {known[0]} runs already, and that of {asked} was asked for")
        return known[1]
    if environment == "google":  # where servers are started with the processes
        server: Any = _Started()
    else:
        server = Server(cluster_spec, task_type, task_id, protocol=rpc_layer, config=session_config, start=False)
    server.start()
    _thread_local.server = (asked, server)
    return server


class _Started:
    """Stands for a server that others have started."""

    def start(self) -> None:
        """Does nothing: it runs."""

    def join(self) -> None:
        """Waits for ever."""
        while True:
            time.sleep(5)


def run_standard_tensorflow_server(session_config: Any = None) -> Any:
    """Starts the server of the task that TF_CONFIG names, and returns it.

    Args:
        session_config: a tf.ConfigProto for its sessions.

    Raises:
        ValueError: TF_CONFIG names no cluster, or no task.
    """
    settings = json.loads(os.environ.get("TF_CONFIG", "{}"))
    if "cluster" not in settings:
        raise ValueError("TF_CONFIG has no \"cluster\"")
    if "task" not in settings:
        raise ValueError("TF_CONFIG has no \"task\"")
    cluster, task = ClusterSpec(settings["cluster"]), settings["task"]
    if "type" not in task:
        raise ValueError("the \"task\" of TF_CONFIG has no \"type\"")
    config = proto.config_pb2.ConfigProto()
    if session_config is not None:
        config.CopyFrom(session_config)
    if not config.experimental.collective_group_leader:
        job = _TaskType.CHIEF if _TaskType.CHIEF in cluster.jobs else _TaskType.WORKER
        config.experimental.collective_group_leader = f"/job:{job}/replica:0/task:0"
    logging.info("Starting the server of %s %s", task["type"], task.get("index", 0))
    server = _run_std_server(cluster_spec=cluster, task_type=task["type"], task_id=int(task.get("index", 0)),
                             session_config=config, rpc_layer=settings.get("rpc_layer", "grpc"))
    server.start()
    return server
