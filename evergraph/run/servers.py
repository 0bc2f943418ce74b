"""The tasks of clusters that this process serves, and the values that their sessions share.

All tasks keep their values in one store, each under names of its own. A session of a server sees that store through a
connection, which says for every key whose value it is: that of the task where the node is placed, or, for streams of
random numbers, the session's own.
"""

from __future__ import annotations

import atexit
import itertools
import socket
import time
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from evergraph.base import errors
from evergraph.base.devices import DeviceSpec, Place
from evergraph.base.shapes import TensorShape
from evergraph.compile.early import Early
from evergraph.graph.node import Operation
from evergraph.kernel.storage import Form
from evergraph.passes.place import Placement
from evergraph.passes.state import cell_key, with_inner
from evergraph.run.devices import placement_of, session_devices
from evergraph.run.store import Block, Store

DEFAULT_CONTAINER = "localhost"
_PROTOCOL = "grpc://"
_KEEPS = frozenset({"rng", "cell", "shared"})  # what kernels want that keep something
_numbers = itertools.count(1)  # of sessions
_tasks: dict[str, Task] = {}  # by address
_shared = Store()

Jobs = Mapping[str, Mapping[int, str]]  # the addresses of a cluster's tasks


@dataclass(eq=False)
class Task:
    """A task that this process serves.

    Attributes:
        address: "host:port".
        port: the socket that keeps the port.
        jobs: the cluster that it belongs to.
        connections: those of its sessions.
    """

    address: str
    port: socket.socket
    jobs: Jobs
    connections: weakref.WeakSet[Connection] = field(default_factory=weakref.WeakSet)

    @property
    def target(self) -> str:
        return _PROTOCOL + self.address


def serve(task: Task) -> None:
    """Lets sessions of this process connect to a task."""
    _tasks[task.address] = task


def leave(task: Task) -> None:
    """Gives the port of a task back, unless sessions can connect to it: then it is served until the process ends."""
    if not is_served(task.address):
        task.port.close()


@atexit.register
def _give_back_ports() -> None:
    for task in _tasks.values():
        task.port.close()


def is_served(address: str) -> bool:
    return address in _tasks


def task_of(target: str, timeout: float = 0) -> Task:
    """The task that a session's target names.

    Args:
        target: "grpc://host:port".
        timeout: how many seconds the caller wants to wait for a server; 0 for any time.

    Raises:
        NotFoundError: no kind of session has such targets.
        DeadlineExceededError: there is no such server, and the caller does not want to wait longer.
        UnimplementedError: there is no such server in this process.
    """
    if not target.startswith(_PROTOCOL):
        raise errors.NotFoundError(None, None, f"there is no kind of session for the target {target!r}")
    task = _tasks.get(target.removeprefix(_PROTOCOL))
    if task is None and timeout:
        time.sleep(timeout)
        raise errors.DeadlineExceededError(None, None, f"no server of this process is at {target}")
    if task is None:
        raise errors.UnimplementedError(None, None, f"a session of the server {target}, which is not in this process")
    return task


def reset(task: Task, containers: Sequence[str] = ()) -> None:
    """Forgets the values of some containers of a task, or of all, and ends the sessions of its server."""
    for connection in list(task.connections):
        connection.is_aborted = True
    own = f"{task.address}//"
    keys = [key.removeprefix(own) for key in _shared.keys() if key.startswith(own)]
    _shared.forget([own + key for key in keys if not containers or _container(key) in containers])


def _container(key: str) -> str:
    container, slashes, _ = key.partition("//")
    return container if slashes else DEFAULT_CONTAINER


class Connection:
    """The shared store as a session of a server sees it. It packs no values, whose tasks may be different ones.

    Args:
        task: the server's.
        config: the session's tf.ConfigProto. Its `cluster_def` may describe another cluster than the server's, and with
            `isolate_session_state` all values are the session's own.

    Attributes:
        is_aborted: whether the server was reset since.
        placement: where nodes may be: on the devices of all the cluster's tasks in this process, those of `task` first.
    """

    def __init__(self, task: Task, config: Any) -> None:
        self.early, self.is_aborted = Early(False), False
        self._is_isolated = config is not None and config.isolate_session_state
        self._own = f"{task.address}//session {next(_numbers)}//"
        self._home = self._own if self._is_isolated else f"{task.address}//"
        self._names: dict[str, str] = {}  # key -> key in the shared store, where that is not the one of the home
        jobs = _jobs(config.cluster_def) if config is not None and config.cluster_def.job else task.jobs
        self._addresses: dict[tuple[Any, Any], str] = {
            (job, number): address for job, tasks in jobs.items() for number, address in tasks.items()
        }
        here = [place for place, address in self._addresses.items() if is_served(address)]
        here.sort(key=lambda place: self._addresses[place] != task.address)
        tasks = [f"/job:{job}/replica:0/task:{number}" for job, number in here]
        devices = [name for each in tasks for name in session_devices(config, each)]
        self.placement: Placement = replace(
            placement_of(config, tasks[0]), devices=lambda: devices, require=self._require_here)
        task.connections.add(self)

    def _require_here(self, nodes: Sequence[Operation]) -> None:
        """Checks that the tasks that nodes ask for are in this process.

        Raises:
            InvalidArgumentError: a task is not in the cluster.
            UnimplementedError: it is in another process.
        """
        for node in {each.device: each for each in reversed(nodes)}.values():
            asked = DeviceSpec.from_string(node.device)
            if asked.job is None:
                continue
            address = self._addresses.get((asked.job, asked.task or 0))
            if address is None:
                raise errors.InvalidArgumentError(
                    None, node, f"Cannot assign a device for operation {node.name}: {node.device} is not in the "
                    f"cluster, whose tasks are {sorted(self._addresses)} ({node.where})")
            if not is_served(address):
                raise errors.UnimplementedError(
                    None, node, f"{node.name} is on {node.device}, which another process serves at {address}: "
                    f"other processes cannot be reached ({node.where})")

    def learn(self, places: Mapping[Operation, Place]) -> None:
        """Notes whose the values of nodes are.

        Args:
            places: node -> where it is.

        Raises:
            InvalidArgumentError: a variable is shared with one of another shape or dtype.
            UnimplementedError: two nodes on different tasks have one name for what they keep.
        """
        for node, place in places.items():
            for inner in with_inner([node]):
                if not _KEEPS.isdisjoint(inner.opdef.wants):
                    self._note(inner, DeviceSpec.from_string(place.task))

    def _note(self, node: Operation, device: DeviceSpec) -> None:
        key = cell_key(node)
        is_own = self._is_isolated or "rng" in node.opdef.wants
        name = f"{self._own if is_own else f'{self._addresses[device.job, device.task]}//'}{key}"
        if self._names.setdefault(key, name) != name:
            raise errors.UnimplementedError(None, node, f"{key!r} is the name of values of two tasks ({node.where})")
        _require_same(node, *_shared.forms([name]))

    # ---- the store, under other keys

    packs = False
    layout = property(lambda self: _shared.layout)
    mark = property(lambda self: _shared.mark)

    def _all(self, keys: Iterable[str]) -> list[str]:
        return [self._names.get(key) or self._home + key for key in keys]

    def using(self, keys: frozenset[str], changed: frozenset[str]) -> Block:
        return _shared.using(frozenset(self._all(keys)), frozenset(self._all(changed)))

    def forms(self, keys: Sequence[str]) -> list[Form | None]:
        return _shared.forms(self._all(keys))

    def get_all(self, keys: Sequence[str]) -> list[Any]:
        return _shared.get_all(self._all(keys))

    def snapshot(self, keys: Sequence[str]) -> list[Any]:
        return _shared.snapshot(self._all(keys))

    def shared(self, key: str, make: Callable[[], Any]) -> Any:
        return _shared.shared(self._all([key])[0], make)

    def prepare(self, keys: Sequence[str], changes_layout: bool = False, donated: bool = False) -> list[Any]:
        return _shared.prepare(self._all(keys), changes_layout, donated)

    def commit(self, keys: Sequence[str], program: Iterator[Sequence[Any]], ran: dict[str, Any]) -> None:
        _shared.commit(self._all(keys), program, ran)

    def restore(self, replaced: Mapping[str, Any], mark: int) -> None:
        _shared.restore(dict(zip(self._all(replaced), replaced.values())), mark)

    def forget(self) -> None:
        """Removes what is the session's own. The server keeps the rest; what waits in its queues goes on waiting."""
        _shared.forget([key for key in _shared.keys() if key.startswith(self._own)])


def _require_same(node: Operation, form: Form | None) -> None:
    """A variable that is there already has the shape and dtype that the node says."""
    if form is None or "dtype" not in node.attrs:
        return
    (found, found_dtype), dtype, shape = form, node.attrs["dtype"], node.attrs.get("shape")
    if found_dtype != dtype.np or not TensorShape(shape).is_compatible_with(found):
        raise errors.InvalidArgumentError(
            None, node, f"variable {node.name} is {dtype.name} {shape} here, and the server keeps "
            f"{found_dtype} {list(found)} under that name ({node.where})")


def _jobs(cluster_def: Any) -> Jobs:
    return {job.name: dict(job.tasks) for job in cluster_def.job}
