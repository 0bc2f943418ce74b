"""Assigns each node the device that it asks for, or the best device of the session."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from evergraph.base import errors
from evergraph.base.devices import DeviceSpec
from evergraph.graph.node import Operation


@dataclass(frozen=True)
class Placement:
    """The devices of a session, by full name, best first; with `soft`, the best replaces a device that it lacks."""

    devices: Sequence[str]
    soft: bool


def place(nodes: Iterable[Operation], placement: Placement) -> dict[Operation, str]:
    """Node -> full device name.

    Raises:
        InvalidArgumentError: a node asks for a device that the session does not have.
    """
    found: dict[str, str] = {}  # of the few devices that nodes ask for
    placed = {}
    for node in nodes:
        if node._device not in found:
            found[node._device] = _device_for(node, placement)
        placed[node] = found[node._device]
    return placed


def _device_for(node: Operation, placement: Placement) -> str:
    if not node.device:
        return placement.devices[0]
    asked = DeviceSpec.from_string(node.device)
    for device in placement.devices:
        if _fits(asked, DeviceSpec.from_string(device)):
            return device
    if placement.soft or asked.device_type is None:
        return placement.devices[0]
    listed = ", ".join(placement.devices)
    raise errors.InvalidArgumentError(
        None,
        node,
        f"Cannot assign a device for operation {node.name}: it asks for {node.device}, and there are [ "
        f"{listed} ]. Name one of those, or set allow_soft_placement. ({node.where})",
    )


def _fits(asked: DeviceSpec, have: DeviceSpec) -> bool:
    """Whether `have` is a device that `asked` specifies; a type such as XLA_CPU means CPU."""
    kind = asked.device_type.replace("XLA_", "") if asked.device_type else None
    return all(
        want is None or want == got
        for want, got in (
            (asked.job, have.job),
            (asked.replica, have.replica),
            (asked.task, have.task),
            (kind, have.device_type),
            (asked.device_index, have.device_index),
        )
    )
