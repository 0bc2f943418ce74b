"""The devices of a session, under TensorFlow's names."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from evergraph.compile import backend

_PREFIX = "/job:localhost/replica:0/task:0/device:"
_PLUGINS = ("jax_cuda12_plugin", "jax_cuda13_plugin", "jax_rocm60_plugin", "jax_rocm7_plugin", "libtpu")


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


def session_devices(config: Any = None) -> list[str]:
    """Full names of the devices, accelerators first; `config.device_count` limits how many of a type are used."""
    limits = dict(config.device_count) if config is not None else {}
    names = []
    if has_accelerator():
        kind = backend.platform().upper()
        count = len(backend.jax().devices()) if kind != "CPU" else 0
        names = [f"{_PREFIX}{kind}:{i}" for i in range(min(count, limits.get(kind, count)))]
    return [*names, *(f"{_PREFIX}CPU:{i}" for i in range(max(1, limits.get("CPU", 1))))]


def has_accelerator() -> bool:
    """Whether JAX could have more than the CPU; asked without loading JAX."""
    if os.environ.get("JAX_PLATFORMS", "") == "cpu":
        return False
    return any(importlib.util.find_spec(name) is not None for name in _PLUGINS)


def available_devices(names: Sequence[str]) -> list[DeviceAttributes]:
    return [DeviceAttributes(name, name.rpartition("device:")[2].partition(":")[0]) for name in names]
