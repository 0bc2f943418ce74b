"""Cluster resolvers that know their cluster: given to them, in TF_CONFIG, or joined of several."""
from __future__ import annotations

import json
import os
from typing import Any

from evergraph.base.export import export
from evergraph.run.device_lib import list_local_devices
from evergraph.train.cluster import ClusterSpec


def with_protocol(address: str, rpc_layer: str | None) -> str:
    """An address of a task as the target of a session.

    >>> with_protocol("worker0:2222", "grpc")
    'grpc://worker0:2222'
    """
    return f"{rpc_layer}://{address}" if rpc_layer and address else address


@export("distribute.cluster_resolver.ClusterResolver", "contrib.cluster_resolver.ClusterResolver")
class ClusterResolver:
    """The base of objects that tell where the tasks of a cluster are: subclasses define `cluster_spec` and `master`.

    Attributes:
        task_type: the job of this process; None where it is not known.
        task_id: its number.
        rpc_layer: the protocol of the tasks, such as "grpc".
    """

    task_type: Any = None
    task_id: Any = None
    rpc_layer: Any = None

    def cluster_spec(self) -> ClusterSpec:
        """The tasks of the cluster."""
        raise NotImplementedError

    def master(self, task_type: str | None = None, task_id: int | None = None, rpc_layer: str | None = None) -> str:
        """The target of a session: the address of a task, by default of this process.

        Args:
            task_type: the job of another task.
            task_id: its number.
            rpc_layer: the protocol before the address.
        """
        raise NotImplementedError

    @property
    def environment(self) -> str:
        """Where the cluster is managed, such as "google"; "" where that does not matter."""
        return ""

    def num_accelerators(self, task_type: str | None = None, task_id: int | None = None,
                         config_proto: Any = None) -> dict[str, int]:
        """How many accelerators of each type a task has: those of this machine, whatever task is asked for.

        Args:
            task_type: the job of a task.
            task_id: its number.
            config_proto: the tf.ConfigProto of a session that asks.
        """
        counts: dict[str, int] = {}
        for found in list_local_devices(config_proto):
            if found.device_type != "CPU":
                counts[found.device_type] = counts.get(found.device_type, 0) + 1
        return counts

    def _address(self, task_type: str | None, task_id: int | None, rpc_layer: str | None) -> str:
        """The address of a task, by default of this process; "" where neither is known."""
        job = self.task_type if task_type is None else task_type
        number = self.task_id if task_id is None else task_id
        if job is None or number is None:
            return ""
        return with_protocol(self.cluster_spec().task_address(job, number), rpc_layer or self.rpc_layer)


@export("distribute.cluster_resolver.SimpleClusterResolver", "contrib.cluster_resolver.SimpleClusterResolver")
class SimpleClusterResolver(ClusterResolver):
    """A cluster that the program names.

    Args:
        cluster_spec: a tf.train.ClusterSpec.
        master: the target of sessions where no task is asked for.
        task_type: the job of this process.
        task_id: its number.
        environment: where the cluster is managed.
        num_accelerators: how many accelerators of each type a task has; by default those of this machine.
        rpc_layer: the protocol of the tasks.

    Raises:
        TypeError: `cluster_spec` is none.
    """

    def __init__(self, cluster_spec: ClusterSpec, master: str = "", task_type: str | None = None,
                 task_id: int | None = None, environment: str = "", num_accelerators: dict[str, int] | None = None,
                 rpc_layer: str | None = None) -> None:
        if not isinstance(cluster_spec, ClusterSpec):
            raise TypeError(f"cluster_spec must be a `tf.train.ClusterSpec`, got {cluster_spec!r}")
        self._cluster, self._master, self._environment = cluster_spec, master, environment
        self._accelerators = num_accelerators
        self.task_type, self.task_id, self.rpc_layer = task_type, task_id, rpc_layer

    environment = property(lambda self: self._environment)

    def cluster_spec(self) -> ClusterSpec:
        """The tasks of the cluster."""
        return self._cluster

    def master(self, task_type: str | None = None, task_id: int | None = None, rpc_layer: str | None = None) -> str:
        """The target of a session: the address of a task if one is asked for, else what the program named."""
        if task_type is not None and task_id is not None:
            return self._address(task_type, task_id, rpc_layer)
        return with_protocol(self._master, rpc_layer or self.rpc_layer)

    def num_accelerators(self, task_type: str | None = None, task_id: int | None = None,
                         config_proto: Any = None) -> dict[str, int]:
        """How many accelerators of each type a task has."""
        return super().num_accelerators(task_type, task_id, config_proto) if self._accelerators is None \
            else self._accelerators


@export("distribute.cluster_resolver.TFConfigClusterResolver", "contrib.cluster_resolver.TFConfigClusterResolver")
class TFConfigClusterResolver(ClusterResolver):
    """The cluster in the environment variable TF_CONFIG, which is read when somebody asks.

    Args:
        task_type: the job of this process, instead of TF_CONFIG's.
        task_id: its number, instead of TF_CONFIG's.
        rpc_layer: the protocol of the tasks, instead of TF_CONFIG's.
        environment: where the cluster is managed, instead of TF_CONFIG's.
    """

    def __init__(self, task_type: str | None = None, task_id: int | None = None, rpc_layer: str | None = None,
                 environment: str | None = None) -> None:
        self._given = {"type": task_type, "index": task_id, "rpc_layer": rpc_layer, "environment": environment}

    def _found(self, name: str, default: Any = None) -> Any:
        """What the program said, or else what TF_CONFIG does."""
        if self._given[name] is not None:
            return self._given[name]
        said = _config()
        return said.get("task", {}).get(name, said.get(name, default))

    task_type = property(lambda self: self._found("type"), lambda self, value: self._given.update(type=value))
    task_id = property(lambda self: None if (number := self._found("index")) is None else int(number),
                       lambda self, value: self._given.update(index=value))
    rpc_layer = property(lambda self: self._found("rpc_layer"), lambda self, value: self._given.update(rpc_layer=value))
    environment = property(lambda self: self._found("environment", ""))

    def cluster_spec(self) -> ClusterSpec:
        """The tasks of the cluster; none without a TF_CONFIG."""
        return ClusterSpec(_config().get("cluster", {}))

    def master(self, task_type: str | None = None, task_id: int | None = None, rpc_layer: str | None = None) -> str:
        """The target of a session: TF_CONFIG's session_master, or the address of a task; "" for this process alone."""
        session_master = _config().get("session_master")
        if session_master is not None:
            return with_protocol(session_master, rpc_layer or self.rpc_layer)
        if "cluster" not in _config():
            return ""
        return self._address(task_type, task_id, rpc_layer)

    def num_accelerators(self, task_type: str | None = None, task_id: int | None = None,
                         config_proto: Any = None) -> dict[str, int]:
        """How many accelerators of each type a task has."""
        return super().num_accelerators(task_type or self.task_type, task_id or self.task_id, config_proto)


def _config() -> dict[str, Any]:
    return json.loads(os.environ.get("TF_CONFIG", "{}"))


@export("distribute.cluster_resolver.UnionResolver", "contrib.cluster_resolver.UnionClusterResolver")
class UnionResolver(ClusterResolver):
    """Several clusters as one. Where they have a job in common, its tasks are joined.

    Args:
        *args: the ClusterResolvers; the first one tells the task of this process and the target of sessions.
        **kwargs: `task_type`, `task_id` and `rpc_layer`, instead of the first one's.

    Raises:
        ValueError: there is none.
        TypeError: one of them is no ClusterResolver.
    """

    def __init__(self, *args: ClusterResolver, **kwargs: Any) -> None:
        if not args:
            raise ValueError("At least one ClusterResolver is required.")
        if not all(isinstance(each, ClusterResolver) for each in args):
            raise TypeError(f"a union is made of ClusterResolver objects, got {args}")
        self._resolvers, first = args, args[0]
        self.task_type = kwargs.get("task_type", first.task_type)
        self.task_id = kwargs.get("task_id", first.task_id)
        self.rpc_layer = kwargs.get("rpc_layer", first.rpc_layer)

    environment = property(lambda self: self._resolvers[0].environment)

    def cluster_spec(self) -> ClusterSpec:
        """The tasks of all clusters; tasks that lists name are numbered one after the other.

        Raises:
            KeyError: a task has two addresses, or one cluster numbers the tasks of a job and another one lists them.
        """
        specs = [resolver.cluster_spec().as_dict() for resolver in self._resolvers]
        jobs = dict.fromkeys(name for spec in specs for name in spec)
        return ClusterSpec({name: _joined(name, [spec[name] for spec in specs if name in spec]) for name in jobs})

    def master(self, task_type: str | None = None, task_id: int | None = None, rpc_layer: str | None = None) -> str:
        """The target of a session: the address of a task if one is asked for, else what the first one says."""
        if task_type is not None and task_id is not None:
            return self._address(task_type, task_id, rpc_layer)
        return self._resolvers[0].master(rpc_layer=rpc_layer)

    def num_accelerators(self, task_type: str | None = None, task_id: int | None = None,
                         config_proto: Any = None) -> dict[str, int]:
        """How many accelerators of each type a task has: what the first one says."""
        return self._resolvers[0].num_accelerators(task_type, task_id, config_proto)


def _joined(job: str, parts: list[Any]) -> Any:
    """The tasks of a job that several clusters have."""
    if len(parts) == 1:
        return parts[0]
    if all(isinstance(part, list) for part in parts):
        return [address for part in parts for address in part]
    found: dict[int, str] = {}
    for part in parts:
        for number, address in enumerate(part) if isinstance(part, list) else part.items():
            if number in found:
                raise KeyError(f"Duplicate key detected when merging two ClusterSpecs: task {number} of the job "
                               f"{job!r} is {found[number]} and {address}")
            found[number] = address
    return found
