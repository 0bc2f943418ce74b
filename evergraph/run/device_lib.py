"""The devices of this machine, as programs ask for them before they have a session."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from evergraph.run.devices import session_devices


@dataclass(frozen=True)
class LocalDevice:
    """One device.

    Attributes:
        name: "/device:CPU:0".
        device_type: "CPU", "GPU" or "TPU".
        memory_limit: its memory in bytes, 0 when not known.
        physical_device_desc: what it is, "" for the CPU.
    """

    name: str
    device_type: str
    memory_limit: int = 0
    physical_device_desc: str = ""


def list_local_devices(session_config: Any = None) -> list[LocalDevice]:
    """The devices, the CPU first; `session_config.device_count` limits how many of a type there are."""
    short = ["/device:" + name.rpartition("/device:")[2] for name in session_devices(session_config)]
    found = [_described(name) for name in short]
    return sorted(found, key=lambda device: device.device_type != "CPU")


def _described(name: str) -> LocalDevice:
    kind, number = name.removeprefix("/device:").split(":")
    text = "" if kind == "CPU" else f"device: {number}, name: XLA {kind}"
    return LocalDevice(name, kind, physical_device_desc=text)
