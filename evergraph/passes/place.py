"""Assigns each node a place: the device that it asks for, that of its variable, or the best one of the session."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from evergraph.base import errors
from evergraph.base.devices import DeviceSpec, Place, place_of
from evergraph.graph.node import Operation
from evergraph.graph.traits import CALLS, Kind
from evergraph.passes.state import touched

_GROUP = "loc:@"


@dataclass(frozen=True)
class Placement:
    """Where the nodes of a session may be.

    Attributes:
        best: the place of nodes that ask for none.
        devices: the names of all devices, that of `best` first. To find them may take a second, so it is called only
            where a node names a device.
        soft: whether another device replaces one that is not there.
        require: raises if some nodes ask for tasks that cannot be reached.
    """

    best: Place
    devices: Callable[[], Sequence[str]]
    soft: bool = False
    require: Callable[[Sequence[Operation]], None] | None = None


def place(nodes: Sequence[Operation], placement: Placement) -> dict[Operation, Place]:
    """The places of those nodes that are elsewhere than at the session's best device.

    Functions run where the node is that calls them, whatever devices their nodes name.

    Raises:
        InvalidArgumentError: a node asks for a device that the session does not have.
    """
    if placement.require is not None:
        placement.require(nodes)
    named: dict[str, Place] = {}
    for node in nodes:
        if node._device and node._device not in named:
            named[node._device] = place_for(node, placement)
    if all(each == placement.best for each in named.values()):
        return {}
    search = _Search(nodes, placement, named)
    places = {node: search.place(node) for node in nodes}
    _join_users(nodes, places)
    return {node: each for node, each in places.items() if each != placement.best}


class _Search:
    """Finds the places of nodes, given those of the devices that they name."""

    def __init__(self, nodes: Sequence[Operation], placement: Placement, named: dict[str, Place]) -> None:
        self._placement, self._named = placement, named
        self._found: dict[Operation, Place] = {}
        self._lent = self._devices_of_groups(nodes)

    def place(self, node: Operation) -> Place:
        """The place of a node, whose inputs should have theirs already: what they ask for may be far behind."""
        if node not in self._found:
            self._found[node] = self._placement.best  # should groups name each other
            followed = self._followed(node)
            self._found[node] = self._asked(node) if followed is None else self.place(followed)
        return self._found[node]

    def _followed(self, node: Operation) -> Operation | None:
        """The operation at whose place a node is, if that is not its own choice."""
        variable = _variable(node)
        if variable is not None:
            return variable
        first = _named_by_group(node)
        if first is not None and (first._device or first in self._lent or not node._device):
            return first
        is_free = not node._device and node not in self._lent
        return node._inputs[0].op if is_free and node.opdef.kind is Kind.SHAPE else None

    def _asked(self, node: Operation) -> Place:
        name = node._device or self._lent.get(node, "")
        if not name:
            return self._placement.best
        if name not in self._named:  # of an operation that does not run, but names the group of one that does
            self._named[name] = place_for(node, self._placement)
        return self._named[name]

    def _devices_of_groups(self, nodes: Sequence[Operation]) -> Mapping[Operation, str]:
        """The devices that others in their groups name, for operations that name none. Variables stay where they are:
        not every run has these others."""
        found: dict[Operation, str] = {}
        for node in nodes:
            first = _named_by_group(node) if node._device else None
            if first is not None and not first._device and first.opdef.kind is not Kind.VARIABLE:
                found.setdefault(first, node._device)
        return found


def _join_users(nodes: Sequence[Operation], places: dict[Operation, Place]) -> None:
    """Moves nodes that ask for nothing and follow from constants to where all their users are, so that none moves."""
    following: set[Operation] = set()
    for node in nodes:
        is_free = not (node._device or node._control_inputs or "_class" in node.extra)
        if node.opdef.kind is Kind.CONSTANT or is_free and node._inputs and node.opdef.is_foldable \
                and all(t.op in following for t in node._inputs):
            following.add(node)
    for node in reversed(nodes):
        if node in following and node.opdef.kind is not Kind.CONSTANT:
            users = {places[user] for t in node.outputs for user in t._consumers if user in places}
            if len(users) == 1:
                (places[node],) = users


def _variable(node: Operation) -> Operation | None:
    """The variable, queue or table that a node goes with: the first that it writes, or else the first that it uses.

    A loop, a branch or a call goes with one only if it writes it and names no device.
    """
    used = touched(node)
    if not used:
        return None
    written = [storage.op for storage, writes in used if writes]
    if node.opdef.kind in CALLS:
        return written[0] if written and not node._device else None
    found = written[0] if written else used[0][0].op
    return found if found is not node else None


def _named_by_group(node: Operation) -> Operation | None:
    """The operation that a node is colocated with."""
    if "_class" not in node.extra:
        return None
    for group in node.colocation_groups():
        first = node.graph._by_name.get(group.decode().removeprefix(_GROUP))
        if first is not None and first is not node:
            return first
    return None


def place_for(node: Operation, placement: Placement) -> Place:
    """The place that the device of a node names."""
    asked, devices = DeviceSpec.from_string(node.device), placement.devices()
    wanted = [asked]
    if placement.soft:
        # Any device of the kind; towers for GPUs that are not there get a CPU each, if there are as many.
        wanted += [asked.replace(device_index=None), asked.replace(device_type="CPU"),
                   asked.replace(device_type="CPU", device_index=None)]
    found = next((name for each in wanted for name in devices if _fits(each, DeviceSpec.from_string(name))), None)
    if found is None and asked.device_type is not None and not placement.soft:
        raise _missing(node, devices)
    return placement.best if found is None or found == devices[0] else place_of(found)


def _missing(node: Operation, devices: Sequence[str]) -> errors.InvalidArgumentError:
    text = f"Cannot assign a device for operation {node.name}: it asks for {node.device}, and there are [ " \
        f"{', '.join(devices)} ]. Name one of those, or set allow_soft_placement."
    if DeviceSpec.from_string(node.device).device_type == "CPU":
        text += " tf.ConfigProto(device_count={'CPU': n}) makes n CPUs."
    return errors.InvalidArgumentError(None, node, f"{text} ({node.where})")


def _fits(asked: DeviceSpec, have: DeviceSpec) -> bool:
    """Whether `have` is a device that `asked` specifies; a type such as XLA_CPU means CPU."""
    kind = asked.device_type.replace("XLA_", "") if asked.device_type else None
    parts = ("job", "replica", "task", "device_index")
    return kind in (None, have.device_type) and all(getattr(asked, p) in (None, getattr(have, p)) for p in parts)
