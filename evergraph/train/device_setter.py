"""tf.train.replica_device_setter: variables on parameter servers, everything else on workers."""
from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

from evergraph.base.devices import DeviceSpec
from evergraph.base.export import export
from evergraph.ops.state import lookup as tables
from evergraph.ops.state import variables
from evergraph.train.cluster import ClusterSpec

STATE = tuple(op.name for op in (
    variables.variable, variables.variable_v2, variables.var_handle_op, tables.mutable_hash_table,
    tables.mutable_hash_table_v2, tables.mutable_hash_table_of_tensors, tables.mutable_hash_table_of_tensors_v2,
    tables.mutable_dense_hash_table, tables.mutable_dense_hash_table_v2))  # fmt: skip
"""The types of nodes that keep values between steps."""


class RoundRobin:
    """Chooses the tasks of parameter servers in turn, which is the default.

    Args:
        num_tasks: the number of tasks.
    """

    def __init__(self, num_tasks: int) -> None:
        self._tasks = itertools.cycle(range(num_tasks))

    def __call__(self, op: Any) -> int:
        """The number of the task for an operation."""
        return next(self._tasks)


@export("train.replica_device_setter")
def replica_device_setter(ps_tasks: int = 0, ps_device: str | None = "/job:ps",
                          worker_device: str | None = "/job:worker", merge_devices: bool = True, cluster: Any = None,
                          ps_ops: Sequence[str] | None = None,
                          ps_strategy: Callable[[Any], int] | None = None) -> Callable[[Any], str] | None:
    """A device function for `tf.device` that spreads variables over parameter servers, one after the other.

    >>> cluster = {"ps": ["ps0:2222", "ps1:2222"], "worker": ["worker0:2222"]}
    >>> with tf.device(tf.train.replica_device_setter(cluster=cluster)):
    ...     tf.get_variable("a", []).device, tf.get_variable("b", []).device, tf.constant(1).device
    ('/job:ps/task:0', '/job:ps/task:1', '/job:worker')

    Args:
        ps_tasks: how many tasks the parameter servers' job has; with `cluster`, that says it.
        ps_device: the device of variables, whose task is added.
        worker_device: the device of everything else.
        merge_devices: whether what inner device scopes leave open is filled in; otherwise nodes that have any device
            keep it as it is.
        cluster: a ClusterSpec, or what makes one.
        ps_ops: the types of nodes that go to parameter servers; by default those of variables and mutable tables.
        ps_strategy: given a node, says which task it goes to.

    Returns:
        The function; None, which `tf.device` takes to mean nothing, when there are no parameter servers.

    Raises:
        TypeError: `cluster` is no cluster, or `ps_strategy` cannot be called.
    """
    job = DeviceSpec.from_string(ps_device or "").job
    if cluster is not None:
        jobs = ClusterSpec(cluster).as_dict()
        ps_tasks = len(jobs.get(job, ()))
    if ps_tasks == 0:
        return None
    next_task = RoundRobin(ps_tasks) if ps_strategy is None else ps_strategy
    if not callable(next_task):
        raise TypeError(f"ps_strategy must be a function of a node, not {ps_strategy!r}")
    state = tuple(STATE if ps_ops is None else ps_ops)

    def device_of(node: Any) -> str:
        if node.device and not merge_devices:
            return node.device
        inner = DeviceSpec.from_string(node.device or "")
        if not ps_device or node.type not in state:
            return DeviceSpec.from_string(worker_device or "").make_merged_spec(inner).to_string()
        outer = DeviceSpec.from_string(ps_device)
        if outer.job and inner.job in (None, outer.job):
            outer.task = next_task(node)
        return outer.make_merged_spec(inner).to_string()

    return device_of
