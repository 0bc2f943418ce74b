"""The tasks of clusters that this process serves, and the values that their sessions share.

All tasks keep their values in one store, each under names of its own. A session of a server sees that store through a
connection, which says for every key whose value it is: that of the task where the node is placed, or, for streams of
random numbers, the session's own. What other processes serve is reached by the room `cluster`, which stands above this
one: `Link`, `Beyond` and `Elsewhere` are what it has to offer here.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import importlib
import itertools
import weakref
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from evergraph.base import errors
from evergraph.base.devices import DeviceSpec, Place
from evergraph.base.shapes import TensorShape
from evergraph.compile.early import Early
from evergraph.graph.node import Operation, Tensor
from evergraph.kernel.storage import Form
from evergraph.passes.half_precision import MixedPrecision
from evergraph.passes.place import Placement
from evergraph.passes.prune import needed
from evergraph.passes.state import cell_key, with_inner
from evergraph.run.devices import placement_of, session_devices
from evergraph.run.executor import Executor
from evergraph.run.store import Block, Store

DEFAULT_CONTAINER = "localhost"
_PROTOCOL = "grpc://"
_KEEPS = frozenset({"rng", "cell", "shared"})  # what kernels want that keep something
_MOMENT = 1.0  # seconds in which a task answers that is there
_numbers = itertools.count(1)  # of sessions
_tasks: dict[str, Task] = {}  # by address
_shared = Store()

Jobs = Mapping[str, Mapping[int, str]]  # the addresses of a cluster's tasks


class Elsewhere(Protocol):
    """Runs one combination of fetches and feeds, some nodes of which are in other processes, as an Executor does.

    Attributes:
        plan: has `fetches`, `feeds`, `nodes`, `homes` and `step`, as a Plan has.
    """

    plan: Any

    def run(self, store: Any, feed_values: Sequence[Any]) -> Sequence[Any]:
        """The value of each fetch, None for operations."""

    def run_with(self, store: Any, feed_values: Sequence[Any], options: Any, run_metadata: Any) -> Sequence[Any]:
        """The same with a tf.RunOptions, or None, and a tf.RunMetadata to fill, or None."""


class Link(Protocol):
    """What a session has of its server: see Connection, which is that of servers of this process."""

    early: Early
    is_aborted: bool
    placement: Placement

    def executor(self, fetches: Sequence[Tensor | Operation], feeds: Sequence[Tensor], tier: str | None,
                 others: Iterable[Executor], mixed: MixedPrecision | None,
                 done: Collection[str] = ()) -> Executor | Elsewhere:
        """What runs these fetches and feeds; the arguments are those of an Executor."""

    def devices(self) -> Sequence[str]:
        """The full names of all devices."""

    def partial(self, fetches: Sequence[Tensor | Operation], feeds: Sequence[Tensor]) -> Any:
        """A partial run that the server keeps, with a method `run(fetches, feeds)`; None if the session keeps it."""

    def learn(self, places: Mapping[Operation, Place]) -> None:
        """Notes where nodes are."""


class Beyond(Protocol):
    """How a server of this process uses the tasks of its cluster that other processes serve."""

    def devices(self, job: str, number: int, address: str, timeout: float | None) -> Sequence[str]:
        """The full names of a task's devices; `timeout` is the longest time to wait for it, None for a minute.

        Raises:
            DeadlineExceededError: the task does not answer.
        """

    def executor(self, connection: Connection, fetches: Sequence[Tensor | Operation], feeds: Sequence[Tensor],
                 tier: str | None, mixed: MixedPrecision | None, done: Collection[str]) -> Elsewhere:
        """What runs these fetches and feeds."""

    def close(self, connection: Connection) -> None:
        """Ends what other tasks keep for a session that is over."""

    def reset(self, addresses: Collection[str], containers: Sequence[str]) -> None:
        """Has other tasks forget the values of some containers, or of all, and end their sessions."""


@dataclass(eq=False)
class Task:
    """A task that this process serves.

    Attributes:
        address: "host:port".
        jobs: the cluster that it belongs to.
        stop: gives its port back.
        beyond: reaches the tasks of other processes; None for a task that is alone.
        config: the tf.ConfigProto of sessions that bring none; None for none.
        connections: those of its sessions.
    """

    address: str
    jobs: Jobs
    stop: Callable[[], object]
    beyond: Beyond | None = None
    config: Any = None
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
        task.stop()


@atexit.register
def _give_back_ports() -> None:
    for task in _tasks.values():
        task.stop()


def is_served(address: str) -> bool:
    return address in _tasks


def task_of(target: str) -> Task | None:
    """The task that a session's target names; None if another process serves it.

    Raises:
        NotFoundError: no kind of session has such targets.
    """
    if not target.startswith(_PROTOCOL):
        raise errors.NotFoundError(
            None, None, f"No session factory registered for the given session options: the target is {target!r}")
    return _tasks.get(target.removeprefix(_PROTOCOL))


def default_config(target: str) -> Any:
    """The tf.ConfigProto that the server of a target, if it is in this process, has for sessions without one."""
    task = task_of(target)
    return None if task is None else task.config


def linked(target: str, config: Any) -> Link:
    """What a session with this target and tf.ConfigProto has of its server.

    Raises:
        NotFoundError: no kind of session has such targets.
    """
    task = task_of(target)
    return _clients().Remote(target, config) if task is None else Connection(task, config)


def reset_target(target: str, containers: Sequence[str], config: Any) -> None:
    """Forgets the values of some containers of the task that a target names, or of all, and ends its sessions.

    Raises:
        NotFoundError: no kind of session has such targets.
        DeadlineExceededError: the server does not answer in the time that the config gives.
    """
    task = task_of(target)
    if task is None:
        _clients().reset(target, containers, config)
    else:
        reset(task, containers)


def _clients() -> Any:
    """The module for servers of other processes. It needs gRPC, and stands above this room."""
    return importlib.import_module("evergraph.cluster.client")


def reset(task: Task, containers: Sequence[str] = ()) -> None:
    """Forgets the values of some containers of a task, or of all, and ends the sessions of its server.

    The tasks of its cluster that other processes serve do so, too.
    """
    if task.beyond is not None:
        elsewhere = [address for tasks in task.jobs.values() for address in tasks.values() if not is_served(address)]
        task.beyond.reset(elsewhere, containers)
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
        config: the session's tf.ConfigProto. Its `cluster_def` may describe another cluster than the server's. With
            that, unless it asks to share, and with `isolate_session_state` all values are the session's own.

    Attributes:
        is_aborted: whether the server was reset since.
        placement: where nodes may be: on the devices of the cluster's tasks, those of `task` first. A task of another
            process is asked for its devices once a node names it.
        tasks: place -> address, of all tasks of the cluster.
        is_isolated: whether all values are the session's own.
        number: tells it from the other sessions of this process.
    """

    def __init__(self, task: Task, config: Any) -> None:
        self.early, self.is_aborted = Early(False), False
        self.is_isolated = config is not None and _isolates(config)
        self.number, self.config, self._beyond = next(_numbers), config, task.beyond
        self._timeout = config.operation_timeout_in_ms / 1000 or None if config is not None else None
        self._own = f"{task.address}//session {self.number}//"
        self._home = self._own if self.is_isolated else f"{task.address}//"
        self._names: dict[str, str] = {}  # key -> key in the shared store, where that is not the one of the home
        jobs = _jobs(config.cluster_def) if config is not None and config.cluster_def.job else task.jobs
        self.tasks: dict[tuple[Any, Any], str] = {
            (job, number): address for job, tasks in jobs.items() for number, address in tasks.items()
        }
        counted = config if task.config is None or not task.config.device_count else task.config
        self._devices_of = functools.partial(session_devices, counted)
        self._reached: dict[str, Sequence[str]] = {}  # address -> devices, of tasks of other processes
        self._places = sorted(self.tasks, key=lambda place: (
            self.tasks[place] != task.address, not is_served(self.tasks[place])))
        self.placement: Placement = replace(
            placement_of(config, _name(self._places[0])), require=self._require, devices=self._devices)
        task.connections.add(self)

    def executor(self, fetches: Sequence[Tensor | Operation], feeds: Sequence[Tensor], tier: str | None,
                 others: Iterable[Executor], mixed: MixedPrecision | None,
                 done: Collection[str] = ()) -> Executor | Elsewhere:
        """See `Link.executor`."""
        if self._beyond is not None and any(map(self._is_elsewhere, {n._device for n in needed(fetches, feeds)})):
            return self._beyond.executor(self, fetches, feeds, tier, mixed, done)
        return Executor(fetches, feeds, tier, others, mixed, done, self.placement)

    def devices(self) -> Sequence[str]:
        """See `Link.devices`; those of tasks that are there."""
        for (job, number), address in self.tasks.items():
            if self._beyond is not None and not is_served(address) and address not in self._reached:
                with contextlib.suppress(errors.DeadlineExceededError):
                    self._reached[address] = self._beyond.devices(job, number, address, _MOMENT)
        return self.placement.devices()

    def _devices(self) -> list[str]:
        """The devices of the tasks that are known by now: this process may serve some only after the session began."""
        return [name for place in self._places for name in (
            self._devices_of(_name(place)) if is_served(self.tasks[place])
            else self._reached.get(self.tasks[place], ()))]

    def partial(self, fetches: Sequence[Tensor | Operation], feeds: Sequence[Tensor]) -> None:
        """See `Link.partial`."""

    def _is_elsewhere(self, device: str) -> bool:
        address = self._address(DeviceSpec.from_string(device)) if device else None
        return address is not None and not is_served(address)

    def _address(self, asked: DeviceSpec) -> str | None:
        """The address of the task that a device names, if it names one of the cluster."""
        return None if asked.job is None else self.tasks.get((asked.job, asked.task or 0))

    def _require(self, nodes: Sequence[Operation]) -> None:
        """Asks the tasks of other processes that nodes name for their devices.

        Raises:
            InvalidArgumentError: a task is not in the cluster.
            DeadlineExceededError: it does not answer.
        """
        for node in {each.device: each for each in reversed(nodes)}.values():
            asked = DeviceSpec.from_string(node.device)
            if asked.job is None:
                continue
            address = self._address(asked)
            if address is None:
                raise errors.InvalidArgumentError(
                    None, node, f"Cannot assign a device for operation {node.name}: {node.device} is not in the "
                    f"cluster, whose tasks are {sorted(self.tasks)} ({node.where})")
            if not is_served(address) and address not in self._reached and self._beyond is not None:
                self._reached[address] = self._beyond.devices(
                    asked.job, asked.task or 0, address, self._timeout)

    def learn(self, places: Mapping[Operation, Place]) -> None:
        """Notes whose the values of nodes are.

        Args:
            places: node -> where it is.

        Raises:
            InvalidArgumentError: a variable is shared with one of another shape or dtype.
            UnimplementedError: two nodes on different tasks have one name for what they keep.
        """
        for node, place in places.items():
            if self._is_elsewhere(place.task):
                continue
            for inner in with_inner([node]):
                if not _KEEPS.isdisjoint(inner.opdef.wants):
                    self._note(inner, DeviceSpec.from_string(place.task))

    def _note(self, node: Operation, device: DeviceSpec) -> None:
        key = cell_key(node)
        is_own = self.is_isolated or "rng" in node.opdef.wants
        name = f"{self._own if is_own else f'{self.tasks[device.job, device.task]}//'}{key}"
        if self._names.setdefault(key, name) != name:
            raise errors.UnimplementedError(None, node, f"{key!r} is the name of values of two tasks ({node.where})")
        if "rng" not in node.opdef.wants:  # whose dtype is that of its numbers, not of its stream
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
        if self._beyond is not None:
            self._beyond.close(self)
        _shared.forget([key for key in _shared.keys() if key.startswith(self._own)])


def _name(place: tuple[Any, Any]) -> str:
    return f"/job:{place[0]}/replica:0/task:{place[1]}"


def _require_same(node: Operation, form: Form | None) -> None:
    """A variable that is there already has the shape and dtype that the node says."""
    if form is None or "dtype" not in node.attrs:
        return
    (found, found_dtype), dtype, shape = form, node.attrs["dtype"], node.attrs.get("shape")
    if found_dtype != dtype.np or not TensorShape(shape).is_compatible_with(found):
        raise errors.InvalidArgumentError(
            None, node, f"variable {node.name} is {dtype.name} {shape} here, and the server keeps "
            f"{found_dtype} {list(found)} under that name ({node.where})")


def _isolates(config: Any) -> bool:
    """Whether a session with this tf.ConfigProto shares no values with others."""
    shares = config.experimental.share_session_state_in_clusterspec_propagation
    return config.isolate_session_state or bool(config.cluster_def.job) and not shares


def _jobs(cluster_def: Any) -> Jobs:
    return {job.name: dict(job.tasks) for job in cluster_def.job}
