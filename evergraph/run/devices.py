"""The devices of a session, under TensorFlow's names."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from evergraph.base.devices import LOCAL, Place
from evergraph.compile import backend
from evergraph.passes.place import Placement


@dataclass(frozen=True)
class DeviceAttributes:
    """One device of a session.

    Attributes:
        name: the full name.
        device_type: "CPU", "GPU" or "TPU".
        memory_limit_bytes: its memory, 0 when not known.
        incarnation: always 1: devices do not restart here.
    """

    name: str
    device_type: str
    memory_limit_bytes: int = 0
    incarnation: int = 1


class _Logical:
    """What sessions have whose config does not say.

    Attributes:
        cpus: how many CPUs: see `set_virtual_device_configuration` of tf.config.
        soft: whether another device replaces one that is not there.
    """

    cpus = 1
    soft = False


logical = _Logical()


def simulate(count: int) -> None:
    """Has sessions run programs for so many GPUs on as many CPUs, unless their config says how many."""
    logical.cpus, logical.soft = count, True


def placement_of(config: Any, task: str = LOCAL) -> Placement:
    """Where the nodes of a session of a task with this tf.ConfigProto may be.

    Made without asking JAX: to find accelerators takes a second or two, which programs of light steps do not need.
    """
    limits = dict(config.device_count) if config is not None else {}
    hidden = frozenset(kind.lower() for kind, count in limits.items() if count == 0 and kind != "CPU")
    soft = logical.soft or bool(config is not None and config.allow_soft_placement)
    best = backend.BestPlace(task, hidden=hidden)
    return Placement(best, functools.cache(lambda: session_devices(config, task)), soft)


def session_devices(config: Any = None, task: str = LOCAL) -> list[str]:
    """Full names of the devices, accelerators first; `config.device_count` limits how many of a type are used."""
    limits = dict(config.device_count) if config is not None else {}
    kind = "CPU" if backend.has_only_cpus() else backend.BestPlace(task).platform.upper()
    count = len(backend.jax().local_devices()) if kind != "CPU" else 0
    cpus = max(1, limits.get("CPU", logical.cpus))
    found = [Place(task, f"{kind}:{i}") for i in range(min(count, limits.get(kind, count)))]
    return [place.name for place in (*found, *(Place(task, f"CPU:{i}") for i in range(cpus)))]


def available_devices(names: Sequence[str]) -> list[DeviceAttributes]:
    return [DeviceAttributes(name, name.rpartition("device:")[2].partition(":")[0]) for name in names]
